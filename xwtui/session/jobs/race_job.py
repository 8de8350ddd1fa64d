"""The race: strategies and settings of the engine on the puzzle, side by side."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import RaceEnded, RaceFailed, RaceMoved
from xwtui.session.overwriting import Guard
from xwtui.strategies import DEFAULT_STRATEGY

if TYPE_CHECKING:
    from xwtui.racing.task import RaceOrder, RaceView
    from xwtui.words.vocabulary import Vocabulary

NO_RACE = "nothing was raced yet; `race` lets every strategy run on this grid"


class _RaceRequest(NamedTuple):
    """A race on a puzzle."""

    puzzle: Puzzle
    order: RaceOrder


class RaceJob:
    """Runs one race at a time and keeps its results; an edit leaves it alone: it is about the puzzle as it was."""

    def __init__(self, context: JobContext) -> None:
        self.view: RaceView | None = None
        """The race that goes on, as it stands, or the last one."""
        self._context = context
        self._lock = threading.Lock()
        self._worker = context.scheduler.worker("race", self._prepare, self._fail)

    @property
    def is_running(self) -> bool:
        """Whether a race goes on."""
        return self.view is not None and not self.view.is_over

    def start(self, order: RaceOrder) -> None:
        """Race on the puzzle, in place of the race that goes on; ends with RaceEnded."""
        from xwtui.racing.task import RaceView  # noqa: PLC0415  (loads all strategies)

        puzzle = self._context.snapshot().puzzle
        with self._lock:
            self.view = view = RaceView.at_start(order, squares_of(puzzle))
        self._context.start_loading()
        self._worker.submit(_RaceRequest(puzzle, order))
        self._context.post(RaceMoved(view))

    def stop(self) -> bool:
        """End the race at once with what there is; returns whether one went on."""
        self._worker.interrupt()
        with self._lock:
            view = self.view
            if view is None or view.is_over:
                return False
            self.view = view = view.stopped()
        self._context.post(RaceEnded(view))
        return True

    def save(self, path: Path, guard: Guard) -> None:
        """Write the race to a file within a guard.

        Raises VerbError where there was none, PuzzleFormatError where that fails.
        """
        from xwtui.racing.export import check_target, write_race  # noqa: PLC0415  (only once there was a race)

        if self.view is None:
            raise VerbError(NO_RACE)
        check_target(path)
        with guard(path):
            write_race(path, self.view)

    # In the thread

    def _prepare(self, request: _RaceRequest, is_stopped: IsStopped) -> None:
        vocabulary = self._context.words.wait(is_stopped)
        if vocabulary is not None and self._is_ready(request, is_stopped):
            self._race(request, vocabulary, is_stopped)

    def _is_ready(self, request: _RaceRequest, is_stopped: IsStopped) -> bool:
        """Wait for the engine, if it starts, so that no process has to compile it."""
        if all(entrant.name != DEFAULT_STRATEGY for entrant in request.order.entrants):
            return True
        engine = self._context.engine
        wait = engine.wait_for_improving if request.puzzle.rules.is_about_grid else engine.wait
        return wait(is_stopped)

    def _race(self, request: _RaceRequest, vocabulary: Vocabulary, is_stopped: IsStopped) -> None:
        from xwtui.racing.race import run_race  # noqa: PLC0415
        from xwtui.racing.task import RaceTask  # noqa: PLC0415  (loads numpy)

        def tell(view: RaceView) -> None:
            if not view.is_over and self._take(view, is_stopped):
                self._context.post(RaceMoved(view))

        problem = self._context.specification(request.puzzle, vocabulary).task()
        task = RaceTask(request.puzzle, vocabulary, problem)
        view = run_race(task, request.order, cancelled=is_stopped, told=tell)
        if self._take(view, is_stopped):
            self._context.post(RaceEnded(view))

    def _take(self, view: RaceView, is_stopped: IsStopped) -> bool:
        """Keep how the race stands; returns whether it is still the one that goes on."""
        with self._lock:
            if is_stopped() or self.view is None or self.view.is_over:
                return False
            self.view = view
            return True

    def _fail(self, message: str) -> None:
        self.stop()
        self._context.post(RaceFailed(f"the race cannot be run: {message}"))


def squares_of(puzzle: Puzzle) -> int:
    """How many squares entries have."""
    return len({at for slot in puzzle.grid.slots for at in slot.positions})
