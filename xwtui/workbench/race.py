"""A fill with several searches side by side: the first to end decides, and none can be stepped."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.workbench.goals import Goal
from xwtui.workbench.messages import RunView
from xwtui.workbench.search import DEPTH_SAMPLES, SearchOwner
from xwtui.workbench.worker import what_failed

if TYPE_CHECKING:
    from xwtui.engine.portfolio import FillResult, Progress
    from xwtui.engine.problem import Problem


class Race:
    """Runs a portfolio in a thread and reports to its owner, as a `Search` does."""

    def __init__(
        self, owner: SearchOwner, seconds: float | None, *, seed: int, threads: int, idle: threading.Condition
    ) -> None:
        self.view: RunView | None = None
        self._owner = owner
        self._seconds = seconds
        self._seed = seed
        self._threads = threads
        self._idle = idle
        self._is_dropped = False
        self._is_over = False
        self._begun = time.perf_counter()
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)
        self._thread = threading.Thread(target=self._run, name="race", daemon=True)
        self._thread.start()

    @property
    def is_active(self) -> bool:
        """Whether it goes on."""
        return not self._is_over and not self._is_dropped

    def go(self, goal: Goal) -> None:
        """Raise VerbError: a race runs to its end."""
        raise VerbError("a fill with several threads runs to its end; `stop` it first, then `step`")

    def drop(self) -> None:
        """End it, soon and without a report."""
        with self._idle:
            self._is_dropped = True
            self._idle.notify_all()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            problem = self._owner.pose(lambda: self._is_dropped)
            if problem is not None:
                self._race(problem)
        except Exception as error:
            if not self._is_dropped:
                self._owner.search_failed(self, what_failed(error))
        finally:
            with self._idle:
                self._is_over = True
                self._idle.notify_all()

    def _race(self, problem: Problem) -> None:
        from xwtui.engine.portfolio import fill  # noqa: PLC0415  (loads numba)

        self._begun = time.perf_counter()
        result = fill(
            problem,
            seed=self._seed,
            threads=self._threads,
            seconds=self._seconds,
            cancelled=lambda: self._is_dropped,
            progress=self._show,
        )
        if not self._is_dropped:
            self.view = self._view_of(result)
            self._owner.search_ended(self, self.view)

    def _show(self, progress: Progress) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (loads numba)

        if self._is_dropped:
            return
        statistics = progress.statistics
        self._depths.append(statistics.depth)
        self.view = RunView(
            outcome=Outcome.RUNNING,
            squares=dict(progress.squares),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
            seconds=time.perf_counter() - self._begun,
            depth_history=tuple(self._depths),
            seed=self._seed,
            threads=self._threads,
        )
        self._owner.search_moved(self, self.view)

    def _view_of(self, result: FillResult) -> RunView:
        statistics = result.statistics
        return RunView(
            outcome=result.outcome,
            squares=dict(result.squares),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
            seconds=time.perf_counter() - self._begun,
            reason=result.reason,
            depth_history=tuple(self._depths),
            seed=result.seed,
            threads=result.threads,
        )
