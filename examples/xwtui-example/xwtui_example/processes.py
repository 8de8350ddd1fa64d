"""A pool: plain processes of this machine, for `--scheduler processes://4`."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any, Self

from xwtui.batch.packed_words import PackedWords
from xwtui.batch.pool import Arrival, LeftOut
from xwtui.batch.tasks import BatchKind
from xwtui.batch.work import hold, run_task

_USUAL = 2


class ProcessesPool:
    """So many processes as stand behind the scheme; each has the words before its first task."""

    def __init__(
        self,
        kind: BatchKind,
        *,
        workers: int | None = None,
        address: str | None = None,
        left_out: Callable[[LeftOut], object] = lambda _: None,
    ) -> None:
        told = (address or "").partition("://")[2]
        self.workers = int(told) if told.isdigit() else workers or _USUAL
        self.is_connected = True
        self._pool: ProcessPoolExecutor | None = None
        self._out: dict[Future[bytes], str] = {}

    def give_words(self, words: Sequence[PackedWords]) -> None:
        """Begin the processes, which take the words first."""
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), _hold_all, (tuple(words),))

    def submit(self, name: str, data: bytes) -> None:
        """Hand a task out."""
        assert self._pool is not None
        self._out[self._pool.submit(run_task, data)] = name

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """What has come back; waits so long for the first one."""
        done, _ = wait(self._out, seconds, FIRST_COMPLETED)
        return [Arrival(self._out.pop(one), one.result()) for one in done]

    def stop(self) -> None:
        """Take back what waits; what is begun goes on to its end."""
        for future in self._out:
            future.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _hold_all(words: Sequence[PackedWords]) -> None:
    for packed in words:
        hold(packed)
