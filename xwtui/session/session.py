"""The session: all that a face holds, behind one object."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.model import Position, Puzzle
from xwtui.session.background import Background, Sight
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.jobs.count_job import CountRequest
from xwtui.session.jobs.fills.running import Running
from xwtui.session.jobs.live_counts import LiveCounts
from xwtui.session.kept_fills import NOTHING_TO_IMPROVE, can_be_improved, kept_fill, standing_squares
from xwtui.session.messages import EngineState, FillEnded, Message, ignore
from xwtui.session.problem_specification import asks_the_same
from xwtui.session.race_desk import RaceDesk
from xwtui.session.run_results import ShownPuzzle, accepted, written
from xwtui.session.run_view import RunView
from xwtui.session.settings import Settings

if TYPE_CHECKING:
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.vocabulary import Vocabulary

COUNT_SECONDS = 5.0
"""How long a count that is asked for takes, unless told otherwise."""


class Session(RaceDesk):
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
        self._shown = ShownPuzzle()
        self._background = Background(self._post, self)

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle, as `Desk.save`; its word lists may lie elsewhere then."""
        saved = super().save(path, force=force)
        self._background.look_again()
        return saved

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        super()._puzzle_was(before, is_another=is_another)
        self._background.finder.rest()
        if is_another or not (self._keeps_search or asks_the_same(before, self.puzzle)):
            self._last_run = None
            self._dropped = self._background.drop_search()
            self._background.forget_tape()

    def _tell_change(self, label: str) -> None:
        dropped, self._dropped = self._dropped, None
        if dropped is not None:
            self._tell_stopped(dropped)
            self._last_run = None
        super()._tell_change(label)
        self._background.look_again()

    def edit(self, label: str, function: Callable[[Puzzle], Puzzle]) -> bool:
        """Change the puzzle, as `Desk.edit`; what a run has found that the edit stops is written first."""
        run = self._background.search
        if run is not None and run.best is not None and not asks_the_same(self.puzzle, function(self.puzzle)):
            self._settle()
        return super().edit(label, function)

    def undo(self) -> str | None:
        """Take the last edit back, as `Desk.undo`; a run that has found something is that edit."""
        self._settle()
        return super().undo()

    # Words and figures

    @property
    def lexicon(self) -> Lexicon | None:
        """The words in use, or None while they load."""
        return self._background.words.lexicon

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The words in use with the lists that single entries have, or None while they load."""
        return self._background.words.vocabulary

    def score_of(self, word: str) -> int | None:
        """A word's score, or None where no list has it, or none is loaded yet."""
        return self.lexicon.score(word) if self.lexicon is not None else None

    @property
    def engine(self) -> EngineState:
        """How far the engine has come."""
        return self._background.room.state

    @property
    def latest(self) -> LiveCounts:
        """The newest figures that there are; `stale` tells whether the puzzle has changed since."""
        latest = self._background.analyst.latest
        return replace(latest, stale=latest.revision != self.revision)

    def start(self) -> None:
        """Begin to load words and engine beside the face."""
        self._background.start()

    def wait_until_ready(self, timeout: float | None = None) -> None:
        """Wait for words and engine; raises XwtuiError where they fail or take longer than `timeout` seconds."""
        self._background.wait_until_ready(timeout)

    def count(self, seconds: float = COUNT_SECONDS, *, exact: bool = False) -> None:
        """Count the fills beside the face for some seconds at most; ends with CountEnded."""
        self.start()
        self._background.census.ask(CountRequest(self.revision, self.puzzle, seconds, exact))

    # The search

    @property
    def run(self) -> RunView | None:
        """The search as it stands, or how the last one ended; None once the grid has changed since."""
        search = self._background.search
        return search.view if search is not None else self._last_run

    @property
    def shown_puzzle(self) -> Puzzle:
        """The puzzle with the best fill of a run that looks for good ones, as a face shows it meanwhile."""
        run = self.run
        is_better = run is not None and run.quality is not None and self.is_running
        return self._shown.of(self.puzzle, run) if is_better and run is not None else self.puzzle

    @property
    def is_running(self) -> bool:
        """Whether a search goes on at this moment."""
        return self._background.is_running

    def begin(self, order: FillOptions) -> None:
        """Begin what is ordered beside the face, in place of what goes on; that is stopped with the best it has.

        Raises VerbError where the grid is not ready for it.
        """
        self._settle()
        if order.mode is Mode.IMPROVE:
            if not can_be_improved(self.puzzle.grid):
                raise VerbError(NOTHING_TO_IMPROVE)
            order = replace(order, start=standing_squares(self.puzzle.grid))
        self._background.begin(order)

    def fill(self, seconds: float | None = None, threads: int = 1, seed: int | None = None) -> None:
        """Begin a fill of the whole grid; without a seed, each fill takes another one."""
        self.begin(FillOptions(seconds=seconds, threads=threads, seed=seed))

    def stop(self) -> bool:
        """Stop the run, a question and a race; returns whether there was anything to stop.

        A run that looks for good fills leaves the best that it has, as one edit; after any other
        the grid is as before.
        """
        was_asked = self._background.interrupt_questions() or self.stop_race()
        was_running = self._settle() or self._drop()
        return was_running or was_asked

    def _settle(self) -> bool:
        """Stop a run that has something worth keeping, and keep it; returns whether there was one."""
        run = self._background.search
        best = run.best if run is not None else None
        if run is None or best is None or not self.take_run(run, best):
            return False
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (only once there was a run)

        run.drop()
        self.tell_end(replace(best, outcome=Outcome.CANCELLED))
        return True

    def _drop(self) -> bool:
        dropped = self._background.drop_search()
        if dropped is not None:
            self._tell_stopped(dropped)
        return dropped is not None

    def cancel(self) -> None:
        """Stop whatever goes on; for signal handlers and other threads."""
        self.stop()

    def accept(self, squares: Collection[Position] | None = None, name: str = "all") -> bool:
        """Ink what a search that stands still has on the grid, or else what is in pencil; returns whether any was.

        With squares, only these; `name` says in the history what they are.
        """
        self._settle()
        search = self._background.search
        shown = search.view.squares if search is not None and search.view is not None else None
        label = "accept" if squares is None else f"accept {name}"
        return self.edit(label, lambda puzzle: accepted(puzzle, shown, squares))

    def _tell_stopped(self, search: Running) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (only once there was a search)

        stopped = search.view if search.view is not None else RunView(Outcome.CANCELLED)
        self.tell_end(replace(stopped, outcome=Outcome.CANCELLED, squares={}, paused=False))

    # What the background asks, from its threads

    def sight(self) -> Sight:
        """The puzzle, its folder and the revision, all of one moment."""
        with self._lock:
            return Sight(self.puzzle, self.document.path, self.revision, self.rejected)

    def tell_end(self, view: RunView) -> None:
        """Keep how a run ended, and tell."""
        self._last_run = view
        self._post(FillEnded(view))

    def take_run(self, run: Running, view: RunView) -> bool:
        """Write what a run has found in pencil, as one edit, and keep its fills, if it is still the one wanted."""
        with self._lock:
            if self._background.search is not run:
                return False
            self._background.search = None
            before = self.puzzle
            after = written(before, view, run.order)
            found = run.found
            if after != before:
                self._journalled(lambda: self.document.record(after, view.mode.value))
                self._puzzle_was(before)
            if found:
                self.fills = tuple(kept_fill(after, one) for one in found)
        if after != before:
            self._tell_change(view.mode.value)
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
