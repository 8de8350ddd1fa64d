"""Getting the engine under steam: imports and compiles it off the face's thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from xwtui.errors import EngineError
from xwtui.workbench.messages import EnginePhase, EngineState, JobFailed, Message
from xwtui.workbench.worker import IsStale, stand_back, what_failed

_WAIT_SECONDS = 0.05
_TICK_SECONDS = 1.0
READY_TEXT = "engine ready"
_COMPILING = "compil"
"""What of the engine's progress tells a first start on a machine, which takes its time."""


class Stage(NamedTuple):
    """What the thread is at, and when it began (`perf_counter`)."""

    phase: EnginePhase
    text: str
    begun: float


class EngineRoom:
    """What of the engine can be used yet, and the thread that makes it so: first the search, then the counting."""

    def __init__(self, post: Callable[[Message], None], changed: Callable[[], None]) -> None:
        self.state = EngineState(EnginePhase.LOADING, "loading the engine")
        self._stage = Stage(self.state.phase, self.state.text, time.perf_counter())
        self._post = post
        self._changed = changed
        self._thread: threading.Thread | None = None
        self._telling = threading.Lock()
        self._search = threading.Event()
        self._counting = threading.Event()
        self._improving = threading.Event()
        self._counting_failure = ""
        self._improving_failure = ""

    @property
    def is_ready(self) -> bool:
        """Whether searches may be run and options reckoned."""
        return self.state.phase is EnginePhase.READY

    @property
    def can_count(self) -> bool:
        """Whether the counting of fills is ready, too."""
        return self.is_ready and self._counting.is_set() and not self._counting_failure

    def start(self) -> None:
        """Begin, if that was not done yet."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
            self._thread.start()
            threading.Thread(target=self._tick, name="engine clock", daemon=True).start()

    def wait(self, is_stale: IsStale) -> bool:
        """Start, and wait until searches may be run; returns False if `is_stale` was first.

        Raises EngineError where the engine cannot be loaded.
        """
        self.start()
        if not _wait(self._search, is_stale):
            return False
        if not self.is_ready:
            raise EngineError(self.state.text)
        return True

    def wait_for_counting(self, is_stale: IsStale) -> bool:
        """The same for the counting of fills."""
        if not self.wait(is_stale) or not _wait(self._counting, is_stale):
            return False
        if self._counting_failure:
            raise EngineError(self._counting_failure)
        return True

    def wait_for_improving(self, is_stale: IsStale) -> bool:
        """The same for the improving of fills."""
        if not self.wait(is_stale) or not _wait(self._improving, is_stale):
            return False
        if self._improving_failure:
            raise EngineError(self._improving_failure)
        return True

    def _run(self) -> None:
        stand_back()
        try:
            self._tell(EnginePhase.LOADING, "loading the engine")
            from xwtui.engine.warmup import warm_up  # noqa: PLC0415  (loads numba)

            warm_up(self._search_progress, counting=False)
        except Exception as error:
            self._tell(EnginePhase.FAILED, f"the engine cannot be loaded: {what_failed(error)}")
            self._search.set()
            self._counting.set()
            self._improving.set()
            self._changed()
            return
        self._tell(EnginePhase.READY, READY_TEXT)
        self._search.set()
        self._changed()
        self._counting_failure = self._also("counting", counting=True)
        self._counting.set()
        self._improving_failure = self._also("improving", counting=False)
        self._improving.set()
        self._tell(EnginePhase.READY, READY_TEXT)

    def _also(self, what: str, *, counting: bool) -> str:
        """Make ready what searches do without; returns why that failed, or an empty text."""
        from xwtui.engine.warmup import warm_up  # noqa: PLC0415  (loads numba)

        try:
            warm_up(self._later_progress, counting=counting, improving=not counting)
        except Exception as error:
            failure = f"the {what} cannot be loaded: {what_failed(error)}"
            self._post(JobFailed(failure))
            return failure
        return ""

    def _search_progress(self, text: str) -> None:
        self._tell(EnginePhase.COMPILING if _COMPILING in text else EnginePhase.LOADING, text)

    def _later_progress(self, text: str) -> None:
        self._tell(EnginePhase.READY, f"{READY_TEXT}; {text}")

    def _tell(self, phase: EnginePhase, text: str) -> None:
        with self._telling:
            self._stage = Stage(phase, text, time.perf_counter())
            self.state = EngineState(phase, text)
            self._post(self.state)

    def _tick(self) -> None:
        """Tell how long the compiling takes so far, every second."""
        while not self._improving.wait(_TICK_SECONDS):
            with self._telling:
                phase, text, begun = self._stage
                if _COMPILING in text:
                    self.state = EngineState(phase, f"{text}: {time.perf_counter() - begun:.0f} s")
                    self._post(self.state)


def _wait(settled: threading.Event, is_stale: IsStale) -> bool:
    while not settled.wait(_WAIT_SECONDS):
        if is_stale():
            return False
    return True
