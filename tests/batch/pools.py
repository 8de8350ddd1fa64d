"""Pools for the tests: one in this process, and one of plain processes, which is the twin of Dask's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from types import TracebackType
from typing import Self

from xwtui.batch.packed_words import PackedWords
from xwtui.batch.pool import Arrival
from xwtui.batch.work import hold, run_task


class HerePool:
    """Does each task when it is asked for what has come; a test may change what comes."""

    def __init__(self, change: Callable[[Arrival], Sequence[Arrival]] = lambda arrival: [arrival]) -> None:
        self.change = change
        self.done: list[str] = []
        self.is_stopped = False
        self._tasks: deque[tuple[str, bytes]] = deque()

    workers = 1
    is_connected = True

    def give_words(self, words: Sequence[PackedWords]) -> None:
        for packed in words:
            hold(packed)

    def submit(self, name: str, data: bytes) -> None:
        self._tasks.append((name, data))

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        if not self._tasks:
            return []
        name, data = self._tasks.popleft()
        self.done.append(name)
        return self.change(Arrival(name, run_task(data, lambda: self.is_stopped)))

    def stop(self) -> None:
        self.is_stopped = True


class ProcessPool:
    """Two processes of the standard library."""

    workers = 2
    is_connected = True

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._out: dict[Future[bytes], str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def give_words(self, words: Sequence[PackedWords]) -> None:
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), hold_all, (tuple(words),))

    def submit(self, name: str, data: bytes) -> None:
        assert self._pool is not None
        self._out[self._pool.submit(run_task, data)] = name

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        done, _ = wait(self._out, seconds, FIRST_COMPLETED)
        return [Arrival(self._out.pop(one), one.result()) for one in done]

    def stop(self) -> None:
        """Nothing: tasks of tests are short."""


def hold_all(words: Sequence[PackedWords]) -> None:
    for packed in words:
        hold(packed)
