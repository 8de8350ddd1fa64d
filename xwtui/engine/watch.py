"""Looking up between two slices: the clock, the caller's wish to stop, and telling what there is to tell."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from xwtui.engine.improving.improvement import Improvement, ImproveProgress
from xwtui.engine.improving.shared_best import SharedBest

_SECONDS_A_REPORT = 0.1


class Watch:
    """Stops a shared best's threads in time, and tells of its fills; used in the caller's thread alone."""

    def __init__(
        self,
        shared: SharedBest,
        cancelled: Callable[[], bool],
        improved: Callable[[Improvement], None] | None,
        progress: Callable[[ImproveProgress], None] | None,
    ) -> None:
        self.was_cancelled = False
        self._shared = shared
        self._cancelled = cancelled
        self._improved = improved
        self._progress = progress
        self._told = 0
        self._reported = perf_counter()

    def look(self) -> None:
        """Set the stop flag if it is time, and report if the last report is a while ago."""
        if self._cancelled():
            self.was_cancelled = True
            self._shared.stop.set()
        elif self._shared.seconds >= self._shared.seconds_allowed:
            self._shared.stop.set()
        now = perf_counter()
        if now - self._reported >= _SECONDS_A_REPORT:
            self._reported = now
            self.tell()

    def tell(self) -> None:
        """Tell of each fill that has not been told of, and how things stand."""
        kept = self._shared.kept
        new = kept[self._told :]
        self._told = len(kept)
        if self._improved is not None:
            for improvement in new:
                self._improved(improvement)
        if self._progress is not None:
            shared = self._shared
            self._progress(
                ImproveProgress(kept[-1] if kept else None, shared.rounds, shared.seconds, shared.bound)
            )
