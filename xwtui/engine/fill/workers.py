"""Workers side by side: the caller's thread and others, until one has finished, or time or caller end it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Flag
from time import perf_counter

SECONDS_A_SLICE = 0.02
"""How long a worker may go on between two looks at whether it is over."""


class Workers:
    """Runs one function in several threads, which look at `is_over` often."""

    def __init__(
        self, threads: int, seconds: float | None, cancelled: Callable[[], bool], look: Callable[[], None]
    ) -> None:
        """`look` is called in the caller's thread, often, to report what there is to tell."""
        self.threads = max(threads, 1)
        self.was_cancelled = False
        self.has_deadline = seconds is not None
        self._deadline = float("inf") if seconds is None else perf_counter() + seconds
        self._cancelled = cancelled
        self._look = look
        self._stop = Flag()

    def run(self, work: Callable[[int], None]) -> None:
        """Let each worker work, by its number; the first to end ends all. Raises what a worker raised."""
        with ThreadPoolExecutor(self.threads, "workers") as pool:
            others = [pool.submit(self._follow, work, worker) for worker in range(1, self.threads)]
            try:
                work(0)
            finally:
                self._stop.set()
        for other in others:
            other.result()

    def _follow(self, work: Callable[[int], None], worker: int) -> None:
        try:
            work(worker)
        finally:
            self._stop.set()

    def is_over(self, worker: int) -> bool:
        """Whether a worker is to end; worker 0, in the caller's thread, looks at the clock and the caller, too."""
        if worker == 0 and not self._stop.is_set():
            if self._cancelled():
                self.was_cancelled = True
                self._stop.set()
            elif perf_counter() >= self._deadline:
                self._stop.set()
            self._look()
        return self._stop.is_set()


def never() -> bool:
    """Never cancel."""
    return False
