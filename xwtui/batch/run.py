"""Running a batch: tasks from the store to a pool, results back, each judged and stored once.

Only the store knows which tasks are done. So a task may be submitted twice, a result may arrive twice or never,
and this process may be killed at any moment: the next run continues with the tasks that have no result.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable

from xwtui.batch.judge import judged_bytes
from xwtui.batch.packed_words import unpack_words
from xwtui.batch.pool import Arrival, Loss, Pool
from xwtui.batch.store import BatchProgress, BatchStore, Phase
from xwtui.batch.tasks import BatchTask, TaskResult
from xwtui.dataclasses import dataclass
from xwtui.words.sources import Vocabulary

MOST_LOSSES = 10
"""How often a task may lose its worker before it is left for another run: it may be what kills them."""

_TASKS_A_WORKER = 3
"""Tasks outstanding per process: one running, the others ready to follow it."""
_LEAST_OUT = 4
_POLL_SECONDS = 0.1
_REPORT_SECONDS = 0.2
_LAST_SECONDS = 5.0
"""How long to wait for the results of stopped tasks."""

ProgressCallback = Callable[[BatchProgress], object]
ResultCallback = Callable[[BatchTask, TaskResult], object]


def run_batch(
    store: BatchStore,
    pool: Pool,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    on_progress: ProgressCallback = lambda _: None,
    on_result: ResultCallback = lambda task, result: None,
) -> BatchProgress:
    """Run the waiting tasks of a batch, until none is left or `cancelled` returns True.

    `cancelled` is called ten times a second. `on_progress` is called with the progress several times a second,
    `on_result` with each new result. Raises BatchError if the pool or the file fails; earlier results are kept.
    """
    return _BatchRun(store, pool, cancelled, on_progress, on_result).run()


@dataclass
class _BatchRun:
    """The state of a run: waiting tasks, outstanding tasks, and totals."""

    store: BatchStore
    pool: Pool
    cancelled: Callable[[], bool]
    on_progress: ProgressCallback
    on_result: ResultCallback

    def __post_init__(self) -> None:
        self._waiting = deque(self.store.waiting())
        self._out: dict[str, BatchTask] = {}
        self._losses: Counter[str] = Counter()
        self._vocabularies: dict[str, Vocabulary] = {}
        self._begun = self._due = time.monotonic()
        self._new = self._sent = self._received = 0
        self._phase = Phase.SENDING

    def run(self) -> BatchProgress:
        self._report(now=True)
        if self._waiting:
            words = self.store.words({task.vocabulary for task in self._waiting})
            self._vocabularies = {packed.digest: unpack_words(packed) for packed in words}
            self.pool.give_words(words)
        self._begun = time.monotonic()
        while (self._waiting or self._out) and not self.cancelled():
            self._hand_out()
            self._take(self.pool.arrivals(_POLL_SECONDS))
            before, self._phase = self._phase, Phase.RUNNING if self.pool.is_connected else Phase.RECONNECTING
            self._report(now=self._phase is not before)
        if self._out:
            self._stop()
        return self._progress()

    def _hand_out(self) -> None:
        """Keep a few tasks outstanding per process, and no more: they are lost with a scheduler."""
        workers = self.pool.workers
        if not (workers and self.pool.is_connected):
            return
        most = max(_TASKS_A_WORKER * workers, _LEAST_OUT)
        while self._waiting and len(self._out) < most:
            task = self._waiting.popleft()
            data = task.to_bytes()
            self._sent += len(data)
            self._out[task.name] = task
            self.pool.submit(task.name, data)

    def _take(self, arrivals: Iterable[Arrival]) -> None:
        """Judge and store results, in one transaction; queue lost tasks again."""
        tasks: dict[str, BatchTask] = {}
        results: list[TaskResult] = []
        for arrival in arrivals:
            task = self._out.pop(arrival.name, None)
            if task is None:
                continue
            if arrival.loss is not None:
                self._losses[task.name] += arrival.loss is Loss.WORKER
                if self._losses[task.name] <= MOST_LOSSES:
                    self._waiting.appendleft(task)
                continue
            self._received += len(arrival.data)
            tasks[task.name] = task
            results.append(judged_bytes(task, arrival.data, self._vocabularies[task.vocabulary]))
        if results:
            new = self.store.keep(results)
            self._new += len(new)
            for result in new:
                self.on_result(tasks[result.name], result)

    def _stop(self) -> None:
        """Stop the outstanding tasks, and keep those results that still arrive in time."""
        self._phase = Phase.STOPPING
        self._report(now=True)
        self._waiting.clear()
        self.pool.stop()
        deadline = time.monotonic() + _LAST_SECONDS
        while self._out and self.pool.is_connected and time.monotonic() < deadline:
            self._take(self.pool.arrivals(_POLL_SECONDS))
            self._waiting.clear()

    def _report(self, *, now: bool = False) -> None:
        if now or time.monotonic() >= self._due:
            self.on_progress(self._progress())
            self._due = time.monotonic() + _REPORT_SECONDS

    def _progress(self) -> BatchProgress:
        return BatchProgress(
            self._phase,
            self.store.view(),
            new=self._new,
            running=len(self._out),
            workers=self.pool.workers,
            seconds=time.monotonic() - self._begun,
            bytes_sent=self._sent,
            bytes_received=self._received,
            lost=self._losses.total(),
            gave_up=sum(count > MOST_LOSSES for count in self._losses.values()),
        )
