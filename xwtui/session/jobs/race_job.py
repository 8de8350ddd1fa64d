"""The race: strategies and engine settings compared on the puzzle."""

from __future__ import annotations

from typing import TypeAlias

from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.messages import RaceEnded, RaceFailed, RaceMoved
from xwtui.strategies import DEFAULT_STRATEGY

with lazy_imports():
    from xwtui.batch.races.race import run_race
    from xwtui.batch.races.task import RaceOrder, RaceTask, RaceView

NO_RACE = "there is no race yet; `race` runs every strategy on this grid"


_RaceRequest: TypeAlias = "tuple[Puzzle, RaceOrder]"


class RaceJob(Job[_RaceRequest, "RaceView"]):
    """Runs one race at a time and keeps its results; edits do not stop it: it uses the puzzle as it was."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "race", "the race cannot be run")

    @property
    def is_running(self) -> bool:
        return self.view is not None and not self.view.is_over

    def start(self, order: RaceOrder) -> None:
        """Start a race on the puzzle, replacing a running one; ends with RaceEnded."""
        puzzle = self.context.snapshot().puzzle
        squares = {at for slot in puzzle.grid.slots for at in slot.positions}
        view = RaceView.at_start(order, len(squares))
        self.context.start_loading()
        self.ask((puzzle, order), view)
        self.context.post(RaceMoved(view))

    def stop(self) -> bool:
        """End the race at once with its results so far; returns whether one was running."""
        self.worker.interrupt()
        with self.lock:
            view = self.latest
            if view is None or view.is_over:
                return False
            self.latest = view = view.stopped()
        self.context.post(RaceEnded(view))
        return True

    # On the job's thread

    def work(self, request: _RaceRequest, reporter: Reporter[RaceView]) -> RaceView | None:
        """Run the race, first waiting for the engine if it takes part, so that no worker has to compile it."""
        context, is_stopped, (puzzle, order) = self.context, reporter.is_stopped, request
        vocabulary = context.words.wait(is_stopped)
        has_engine = any(entrant.name == DEFAULT_STRATEGY for entrant in order.entrants)
        if vocabulary is None or (has_engine and not context.engine.wait(is_stopped, rules=puzzle.rules)):
            return None

        def tell(view: RaceView) -> None:
            if not view.is_over:
                reporter.report(view)

        task = RaceTask(puzzle, context.task(puzzle, vocabulary))
        return run_race(task, order, cancelled=is_stopped, progress=tell)

    def message(self, request: _RaceRequest, view: RaceView, *, is_last: bool) -> RaceMoved | RaceEnded:
        return RaceEnded(view) if is_last else RaceMoved(view)

    def is_wanted(self, request: _RaceRequest) -> bool:
        return super().is_wanted(request) and self.latest is not None and not self.latest.is_over

    def fail(self, reason: str) -> None:
        self.stop()
        self.context.post(RaceFailed(f"the race cannot be run: {reason}"))
