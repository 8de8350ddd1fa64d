"""The threads of all jobs. Each job has one worker, which serves the newest request and drops older ones."""

from __future__ import annotations

import enum
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from xwtui.errors import XwtuiError
from xwtui.interrupts import register_ending
from xwtui.memory import trim
from xwtui.text import printable_text

Request = TypeVar("Request")
SECONDS_A_TURN = 0.001
"""Seconds for `sys.setswitchinterval`: how long one thread keeps the GIL while another waits. The face waits for
the GIL about once per read or write while it handles a key."""

_NICENESS = 5
"""Niceness added to computing threads: they get about a third of the processor while the face needs it too."""

FACE_FIRST_SECONDS = 0.015
"""Seconds that unrequested work waits, so that the face can first show the change that caused it."""

_YIELD_SECONDS = 0.05
"""Seconds between two checks by low-priority work whether it may continue."""

_END_SECONDS = 5.0
"""Longest wait for the engine at exit, in seconds. A thread that returns from compiled code while Python shuts
down aborts the process, and its exit status is lost. The engine stops within a slice, usually far less than a
second."""

_IDLE_SECONDS = 1.0
"""Seconds that a worker must be idle before freed memory is returned to the system."""

IsStopped = Callable[[], bool]
"""Polled by work between its slices; True once the work should stop."""


class Priority(enum.Enum):
    """Who waits for a job, and whether other jobs give way to it."""

    ASKED = "asked"
    """The constructor waits for it, and LIVE jobs give way."""
    SHOWN = "shown"
    """A list on the screen waits for it; no job gives way."""
    LIVE = "live"
    """No one waits for it."""


class Worker(Generic[Request]):
    """One daemon thread with a single pending request; a newer request replaces an older one.

    `work` gets the request and an `IsStopped`. If it raises an exception, `failed` gets the error message, and the
    thread lives on.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        name: str,
        work: Callable[[Request, IsStopped], None],
        failed: Callable[[str], None],
        priority: Priority = Priority.ASKED,
        *,
        is_compiled: bool = True,
        delay: float = FACE_FIRST_SECONDS,
    ) -> None:
        """Join a scheduler's workers; the thread starts with the first request.

        Requests that are not ASKED wait `delay` seconds first. A worker that `is_compiled` runs compiled code, and
        closing the scheduler waits for it.
        """
        self.priority = priority
        self.is_compiled = is_compiled
        self._delay = 0.0 if priority is Priority.ASKED else delay
        self._name = name
        self._work = work
        self._failed = failed
        self._changed = scheduler.changed
        self._pending: Request | None = None
        self._is_urgent = False
        self._generation = 0
        self._is_closed = False
        self._is_working = False
        self._is_resting = False
        self._thread: threading.Thread | None = None
        scheduler.workers.append(self)

    def submit(self, request: Request, *, at_once: bool = False) -> None:
        """Replace the current request with this one; `at_once` skips the delay."""
        with self._changed:
            self._pending, self._is_urgent = request, at_once
            self._generation += 1
            self._is_resting = False
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def interrupt(self) -> bool:
        """Cancel the current and the pending request; returns whether there was any."""
        with self._changed:
            was_busy = self.is_busy
            self._pending = None
            self._generation += 1
            self._changed.notify_all()
        return was_busy

    def rest(self) -> None:
        """Called by the work itself: no one waits for the current request any more."""
        with self._changed:
            self._is_resting = True
            self._changed.notify_all()

    def wake(self) -> None:
        """Someone waits for the current request again."""
        with self._changed:
            self._is_resting = False
            self._changed.notify_all()

    @property
    def is_busy(self) -> bool:
        """Whether a request is pending, or is being processed while someone waits for it."""
        return (self._is_working and not self._is_resting) or self._pending is not None

    def close(self) -> None:
        self._is_closed = True
        self.interrupt()

    @property
    def threads(self) -> tuple[threading.Thread, ...]:
        return () if self._thread is None else (self._thread,)

    def join(self, seconds: float) -> None:
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def _is_asked(self) -> bool:
        return self._pending is not None or self._is_closed

    def _run(self) -> None:
        lower_priority()
        while True:
            with self._changed:
                self._is_working = self._is_resting = False
                self._changed.notify_all()
            wait_idle(self._changed, self._is_asked)
            with self._changed:
                self._changed.wait_for(self._is_asked)
                if self._is_closed:
                    return
                request, self._pending = self._pending, None
                generation = self._generation
                delay = 0.0 if self._is_urgent else self._delay
                self._is_working = True
            assert request is not None
            if delay:
                time.sleep(delay)
                if self._generation != generation:
                    continue
            try:
                self._work(request, lambda: self._generation != generation)  # noqa: B023  (called within this turn)
            except Exception as error:
                if self._generation == generation:
                    with suppress(Exception):  # a failing listener must not end the thread
                        self._failed(failure_text(error))
            request = None  # the request may hold much memory, and the next may be far off


def wait_idle(changed: threading.Condition, is_asked: Callable[[], bool]) -> None:
    """Wait until there is a request; after some idle time, return freed memory to the system."""
    with changed:
        if changed.wait_for(is_asked, _IDLE_SECONDS):
            return
    trim()
    with changed:
        changed.wait_for(is_asked)


class Scheduler:
    """Owns all threads of a session's jobs, and knows whether anyone waits for one."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        """Notified whenever a worker gets a request, is interrupted, rests, wakes, or becomes idle."""
        self.workers: list[Worker[Any]] = []
        self._others: list[threading.Thread] = []
        self.is_closed = False
        """Whether all threads are to end."""

    def thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        """Start a thread that ends by itself, at the latest after this is closed."""
        thread = threading.Thread(target=work, name=name, daemon=True)
        thread.start()
        self._others = [*(one for one in self._others if one.is_alive()), thread]
        if self.is_closed:
            register_ending([thread])
        return thread

    @property
    def is_busy(self) -> bool:
        """Whether any work is running that someone waits for."""
        return any(worker.is_busy for worker in self.workers if worker.priority is not Priority.LIVE)

    @property
    def has_requested_work(self) -> bool:
        """Whether LIVE work has to give way to work that the constructor has requested."""
        return any(worker.is_busy for worker in self.workers if worker.priority is Priority.ASKED)

    def wait_for_requested_work(self, is_over: Callable[[], bool]) -> None:
        """Wait until all work that the constructor has requested ends, or until `is_over`."""
        while self.has_requested_work and not is_over():
            with self.changed:
                self.changed.wait(_YIELD_SECONDS)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no work is running that someone waits for; returns False on timeout."""
        with self.changed:
            return self.changed.wait_for(lambda: not self.is_busy, timeout)

    def close(self) -> None:
        """End all threads, and wait for those that run compiled code; `wait_for_ending` waits for the others."""
        self.is_closed = True
        for worker in self.workers:
            worker.close()
        register_ending([*self._others, *(thread for worker in self.workers for thread in worker.threads)])
        deadline = time.monotonic() + _END_SECONDS
        for worker in self.workers:
            if worker.is_compiled:
                worker.join(max(deadline - time.monotonic(), 0.0))


def lower_priority() -> None:
    """Lower the priority of this thread, and of those it starts, below the face's; Linux only."""
    if sys.platform == "linux":
        with suppress(OSError):
            this = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, this, os.getpriority(os.PRIO_PROCESS, os.getpid()) + _NICENESS)


def failure_text(error: Exception) -> str:
    """Return the error message for an exception in a worker; foreign exceptions come with their class names."""
    if isinstance(error, XwtuiError):
        return printable_text(str(error), 300)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    return printable_text(f"{type(error).__name__}: {error}", 300)
