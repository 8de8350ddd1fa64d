"""The workbench: all that a face holds, behind one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.model import Content, Ink, Position, Puzzle, Slot, edits
from xwtui.workbench.analysis import Analysis
from xwtui.workbench.background import Background, Sight
from xwtui.workbench.candidate_finder import CandidateQuestion
from xwtui.workbench.census import CensusQuestion
from xwtui.workbench.desk import Desk
from xwtui.workbench.goals import Goal
from xwtui.workbench.messages import (
    EngineState,
    FillEnded,
    Message,
    RunView,
    ignore,
)
from xwtui.workbench.posing import Posing, asks_the_same
from xwtui.workbench.search import Running
from xwtui.workbench.settings import Settings

if TYPE_CHECKING:
    from xwtui.engine.options import Candidate
    from xwtui.words.lexicon import Lexicon

COUNT_SECONDS = 5.0
"""How long a count that is asked for takes, unless told otherwise."""


class Workbench(Desk):
    """A desk with the words and the jobs: all that one face holds.

    Used from the face's thread; only `cancel` may be called from elsewhere. `listener` is called
    with every message, from worker threads too. Methods raise XwtuiError where something cannot be
    done, with nothing changed.
    """

    def __init__(
        self,
        listener: Callable[[Message], None] = ignore,
        *,
        settings: Settings | None = None,
        journal_folder: Path | None = None,
    ) -> None:
        super().__init__(listener, journal_folder)
        self.settings = settings if settings is not None else Settings()
        self._last_run: RunView | None = None
        self._dropped: Running | None = None
        self._background = Background(self._post, self)

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle, as `Desk.save`; its word lists may lie elsewhere then."""
        saved = super().save(path, force=force)
        self._background.look_again()
        return saved

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        super()._puzzle_was(before, is_another=is_another)
        if is_another or not asks_the_same(before, self.puzzle):
            self._last_run = None
            self._dropped = self._background.drop_search()

    def _tell_change(self, label: str) -> None:
        dropped, self._dropped = self._dropped, None
        if dropped is not None:
            self._tell_stopped(dropped)
            self._last_run = None
        super()._tell_change(label)
        self._background.look_again()

    # Words and figures

    @property
    def lexicon(self) -> Lexicon | None:
        """The words in use, or None while they load."""
        return self._background.words.lexicon

    def score_of(self, word: str) -> int | None:
        """A word's score, or None where no list has it, or none is loaded yet."""
        return self.lexicon.score(word) if self.lexicon is not None else None

    @property
    def engine(self) -> EngineState:
        """How far the engine has come."""
        return self._background.room.state

    @property
    def latest(self) -> Analysis:
        """The newest figures that there are; `stale` tells whether the puzzle has changed since."""
        latest = self._background.analyst.latest
        return replace(latest, stale=latest.revision != self.revision)

    def start(self) -> None:
        """Begin to load words and engine beside the face."""
        self._background.start()

    def wait_until_ready(self, timeout: float | None = None) -> None:
        """Wait for words and engine; raises XwtuiError where they fail or take longer than `timeout` seconds."""
        self._background.wait_until_ready(timeout)

    def request_candidates(self, entry: str) -> None:
        """Look for an entry's candidates beside the face, and post them."""
        self._background.finder.ask(self._candidate_question(entry))

    def candidates(self, entry: str) -> tuple[Candidate, ...]:
        """An entry's candidates at once (some tens of milliseconds); raises XwtuiError without words."""
        return self._background.finder.find(self._candidate_question(entry))

    def _candidate_question(self, entry: str) -> CandidateQuestion:
        puzzle, vocabulary = self.puzzle, self._background.words.vocabulary
        if vocabulary is None:
            raise VerbError(self._background.words.failure or "the words are still being loaded")
        name = puzzle.grid.slot(entry).name
        return CandidateQuestion(self.revision, Posing.of(puzzle, vocabulary), name)

    def count(self, seconds: float = COUNT_SECONDS) -> None:
        """Count the fills beside the face for some seconds at most; ends with CountEnded."""
        self.start()
        self._background.census.ask(CensusQuestion(self.revision, self.puzzle, seconds))

    # The search

    @property
    def run(self) -> RunView | None:
        """The search as it stands, or how the last one ended; None once the grid has changed since."""
        search = self._background.search
        return search.view if search is not None else self._last_run

    @property
    def is_running(self) -> bool:
        """Whether a search goes on at this moment."""
        return self._background.is_running

    def fill(self, seconds: float | None = None, threads: int = 1, seed: int | None = None) -> None:
        """Begin a fill beside the face; without a seed, each fill takes another one."""
        self._background.fill(seconds, threads, seed)

    def step(self, events: int = 1) -> None:
        """Take the search on by some events, beginning one if there is none; then it stands still."""
        self._background.go(Goal(steps=events))

    def until(self, target: str) -> None:
        """Take the search on until `backtrack`, `restart`, `solved`, or an entry's decision."""
        self._background.go(Goal.until(target, self.puzzle.grid))

    def resume(self) -> None:
        """Let a search that stands still run on; raises VerbError where there is none."""
        self._background.resume()

    def stop(self) -> bool:
        """Drop the search, and a count; the grid is as before. Returns whether there was anything to stop."""
        was_counting = self._background.census.is_busy
        self._background.census.interrupt()
        dropped = self._background.drop_search()
        if dropped is not None:
            self._tell_stopped(dropped)
        return dropped is not None or was_counting

    def cancel(self) -> None:
        """Stop whatever goes on; for signal handlers and other threads."""
        self.stop()

    def accept(self, slot: Slot | None = None) -> bool:
        """Ink what a search that stands still has on the grid, or else what is in pencil; returns whether any was.

        With a slot, only its squares.
        """
        search = self._background.search
        shown = search.view.squares if search is not None and search.view is not None else None
        wanted = set(slot.positions) if slot is not None else None

        def ink(puzzle: Puzzle) -> Puzzle:
            found = shown
            if found is None:
                found = {at: content for at in puzzle.grid.positions() if (content := puzzle.grid[at].content)}
            taken = {at: content for at, content in found.items() if wanted is None or at in wanted}
            written = edits.write_fill(puzzle, taken)
            return edits.set_ink(written, [at for at in taken if written.grid[at].ink is Ink.PENCIL], Ink.PEN)

        return self.edit(f"accept {slot.name}" if slot is not None else "accept", ink)

    def _tell_stopped(self, search: Running) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (only once there was a search)

        stopped = search.view if search.view is not None else RunView(Outcome.CANCELLED)
        self.run_ended(replace(stopped, outcome=Outcome.CANCELLED, squares={}, paused=False))

    # What the background asks, from its threads

    def sight(self) -> Sight:
        """The puzzle, its folder and the revision, all of one moment."""
        with self._lock:
            return Sight(self.puzzle, self.document.folder, self.revision)

    def run_ended(self, run: RunView) -> None:
        """Keep how a search ended, and tell."""
        self._last_run = run
        self._post(FillEnded(run))

    def take_fill(self, search: Running, squares: Mapping[Position, Content]) -> bool:
        """Write a finished fill in pencil, as one edit, if its search is still the one wanted."""
        with self._lock:
            if self._background.search is not search:
                return False
            self._background.search = None
            after = edits.write_fill(self.puzzle, squares)
            is_new = after != self.puzzle
            if is_new:
                before = self.puzzle
                self._journalled(lambda: self.document.record(after, "fill"))
                self._puzzle_was(before)
        if is_new:
            self._tell_change("fill")
        return True

    # Waiting and ending

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no job that was asked for goes on; returns False where time ran out first."""
        return self._background.wait(timeout)

    def close(self) -> None:
        """Stop the jobs; unsaved work stays in its journal and is offered at the next start."""
        self._is_closed = True
        self._background.close()
        super().close()
