"""Getting the engine under steam: imports and compiles it off the face's thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from xwtui.errors import EngineError
from xwtui.workbench.messages import EnginePhase, EngineState, Message
from xwtui.workbench.worker import IsStale, what_failed

_WAIT_SECONDS = 0.05


class EngineRoom:
    """Whether the engine can be used yet, and the thread that makes it so."""

    def __init__(self, post: Callable[[Message], None], changed: Callable[[], None]) -> None:
        self.state = EngineState(EnginePhase.LOADING, "loading the engine")
        self.seconds = 0.0
        self._post = post
        self._changed = changed
        self._thread: threading.Thread | None = None
        self._settled = threading.Event()

    @property
    def is_ready(self) -> bool:
        """Whether the engine may be used."""
        return self.state.phase is EnginePhase.READY

    @property
    def is_settled(self) -> bool:
        """Whether it is ready, or has failed for good."""
        return self._settled.is_set()

    def start(self) -> None:
        """Begin, if that was not done yet."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
            self._thread.start()

    def wait(self, is_stale: IsStale) -> bool:
        """Start, and wait until the engine may be used; returns False if `is_stale` was first.

        Raises EngineError where the engine cannot be loaded.
        """
        self.start()
        while not self._settled.wait(_WAIT_SECONDS):
            if is_stale():
                return False
        if not self.is_ready:
            raise EngineError(self.state.text)
        return True

    def _run(self) -> None:
        begun = time.perf_counter()
        try:
            self._tell(EnginePhase.LOADING, "loading the engine")
            from xwtui.engine.warmup import warm_up  # noqa: PLC0415  (loads numba)

            warm_up(self._progress)
        except Exception as error:
            self._tell(EnginePhase.FAILED, f"the engine cannot be loaded: {what_failed(error)}")
        else:
            self.seconds = time.perf_counter() - begun
            self._tell(EnginePhase.READY, "engine ready")
        self._settled.set()
        self._changed()

    def _progress(self, text: str) -> None:
        phase = EnginePhase.COMPILING if "compil" in text else EnginePhase.LOADING
        self._tell(phase, text)

    def _tell(self, phase: EnginePhase, text: str) -> None:
        self.state = EngineState(phase, text)
        self._post(self.state)
