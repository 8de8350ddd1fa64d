"""The desk with the search that is stepped and watched: on and back in it, slowly, up to an event."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.candidate_desk import CandidateDesk
from xwtui.session.goals import Goal
from xwtui.session.trace_recordings import read_recording, write_recording

if TYPE_CHECKING:
    from xwtui.session.recording import Recording

_NOTHING = "no search has been watched yet: `step` or `fill` begins one"


class WatchDesk(CandidateDesk):
    """Goes on and back in a search; what is recorded of it is walked without running it again."""

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        super()._puzzle_was(before, is_another=is_another)
        if is_another:
            self._background.forget_tape()

    @property
    def tape(self) -> Recording:
        """What the search has done, or the last one that is over; raises VerbError where there is none."""
        tape = self._background.tape
        if tape is None or tape.length == 0:
            raise VerbError(_NOTHING)
        return tape

    def step(self, events: int = 1, *, strategy: str = "") -> None:
        """Take the search on by some events, beginning one if there is none; then it stands still.

        With a strategy named, a search by that begins.
        """
        self._background.go(Goal(steps=events), strategy=strategy)

    def back(self, events: int = 1) -> None:
        """Go back by some events; raises VerbError where there is nothing to go back to."""
        tape = self.tape
        run = self._background.search
        if run is not None and run.view is not None and run.view.event_number == tape.first:
            raise VerbError(f"this is the first event that is kept, event {tape.first + 1:,}")
        self._background.go(Goal(back=events))

    def go_to_event(self, number: int) -> None:
        """Go to an event by its number, from 1 on; raises VerbError for one that is not recorded."""
        tape = self.tape
        if not tape.first < number <= tape.length:
            raise VerbError(f"event {number:,}: events {tape.first + 1:,} to {tape.length:,} are recorded")
        self._background.go(Goal(place=number - 1))

    def until(self, target: str, *, strategy: str = "") -> None:
        """Take the search on until `backtrack`, `restart`, `solved`, or an entry's decision; as `step` does."""
        self._background.go(Goal.until(target, self.puzzle.grid), strategy=strategy)

    def watch(self, speed: float) -> None:
        """Go on by so many events a second, beginning a search if there is none."""
        self._background.go(Goal(speed=speed))

    def pause(self) -> None:
        """Let the search stand still; raises VerbError where none goes on."""
        run = self._background.search
        if run is None or not run.is_active:
            raise VerbError("no search goes on")
        run.go(Goal(steps=0))

    def resume(self) -> None:
        """Let a search that stands still run on; raises VerbError where there is none."""
        self._background.resume()

    def save_events(self, path: Path) -> int:
        """Write what is recorded as a trace file; returns how many events. Raises EngineError where that fails."""
        return write_recording(self.tape, path)

    def replay(self, path: Path) -> None:
        """Open the grid of a trace file, and walk its search from the start; raises EngineError for no trace."""
        puzzle, tape, last = read_recording(path)
        self.new(puzzle)
        self._background.replay(tape, last)
