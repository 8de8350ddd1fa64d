"""A thread that does the newest of what is asked of it, and lets the rest go."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from xwtui.errors import XwtuiError
from xwtui.text import printable

Request = TypeVar("Request")
SECONDS_A_TURN = 0.001
"""How long one thread holds Python while another waits for it, for `sys.setswitchinterval`: the face waits about
as often for each key as it reads or writes something."""

_NICENESS = 5
"""What a thread that reckons adds to the niceness: about a third of the processor where the face wants it too."""

IsStale = Callable[[], bool]
"""Asked by work between its slices: True once there is no use in going on."""


def stand_back() -> None:
    """Let the face go before this thread and those that it begins, where the system tells threads apart."""
    if sys.platform == "linux":
        with suppress(OSError):
            this = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, this, os.getpriority(os.PRIO_PROCESS, os.getpid()) + _NICENESS)


class Worker(Generic[Request]):
    """One daemon thread with room for one request; a newer request takes the place of an older one.

    `work` gets the request and an `IsStale`; an exception that it raises goes to `failed` as a
    message, and the thread goes on. `idle` is notified each time the thread has nothing to do.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Request, IsStale], None],
        failed: Callable[[str], None],
        idle: threading.Condition,
    ) -> None:
        self._name = name
        self._work = work
        self._failed = failed
        self._idle = idle
        self._pending: Request | None = None
        self._generation = 0
        self._is_closed = False
        self._is_working = False
        self._thread: threading.Thread | None = None

    def submit(self, request: Request) -> None:
        """Do this instead of what is being done."""
        with self._idle:
            self._pending = request
            self._generation += 1
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._idle.notify_all()

    def interrupt(self) -> None:
        """Let go of what is being done and of what waits."""
        with self._idle:
            self._pending = None
            self._generation += 1
            self._idle.notify_all()

    @property
    def is_busy(self) -> bool:
        """Whether something is being done or waits."""
        return self._is_working or self._pending is not None

    def close(self) -> None:
        """Interrupt the work and end the thread."""
        self._is_closed = True
        self.interrupt()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def _run(self) -> None:
        stand_back()
        while True:
            with self._idle:
                self._is_working = False
                self._idle.notify_all()
                self._idle.wait_for(lambda: self._pending is not None or self._is_closed)
                if self._is_closed:
                    return
                request, self._pending = self._pending, None
                generation = self._generation
                self._is_working = True
            assert request is not None
            try:
                self._work(request, lambda: self._generation != generation)  # noqa: B023  (called within this turn)
            except Exception as error:
                if self._generation == generation:
                    with suppress(Exception):  # a listener that fails must not end the thread
                        self._failed(what_failed(error))


def what_failed(error: Exception) -> str:
    """An exception in a worker as one line; those that are not our own are named."""
    if isinstance(error, XwtuiError):
        return printable(str(error), 300)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    return printable(f"{type(error).__name__}: {error}", 300)
