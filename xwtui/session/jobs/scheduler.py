"""The threads of all jobs: each job has one, which does the newest of what is asked of it and lets the rest go."""

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
from xwtui.interrupts import let_end
from xwtui.memory import trim
from xwtui.text import printable_text

Request = TypeVar("Request")
SECONDS_A_TURN = 0.001
"""How long one thread holds Python while another waits for it, for `sys.setswitchinterval`: the face waits about
as often for each key as it reads or writes something."""

_NICENESS = 5
"""What a thread that reckons adds to the niceness: about a third of the processor where the face wants it too."""

FACE_FIRST_SECONDS = 0.015
"""How long work that nobody has asked for waits, so that the face can show first what has led to it."""

_SECONDS_HELD = 0.05
"""How often what gives way looks at whether it may go on."""

_END_SECONDS = 5.0
"""How long the engine is waited for at the end: a thread that comes back from compiled code while Python goes down
aborts the process, and with it the exit status. It lets go within a slice, most of the time far below a second."""

_IDLE_SECONDS = 1.0
"""How long a thread is idle before what it has freed goes back to the system."""

IsStopped = Callable[[], bool]
"""Asked by work between its slices: True once there is no use in going on."""


class Priority(enum.Enum):
    """Who waits for a job, and what gives way to it."""

    ASKED = "asked"
    """The constructor waits, and all that is LIVE gives way."""
    SHOWN = "shown"
    """A list on the screen waits for it; nothing gives way."""
    LIVE = "live"
    """Nobody waits for it."""


class Worker(Generic[Request]):
    """One daemon thread with room for one request; a newer request takes the place of an older one.

    `work` gets the request and an `IsStopped`; an exception that it raises goes to `failed` in words, and the
    thread goes on.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Request, IsStopped], None],
        failed: Callable[[str], None],
        changed: threading.Condition,
        priority: Priority = Priority.ASKED,
        delay: float = FACE_FIRST_SECONDS,
    ) -> None:
        """What nobody has asked for waits for the `delay`, in seconds.

        `changed` is notified each time the thread is asked for something, rests, or has nothing to do.
        """
        self.priority = priority
        self._delay = 0.0 if priority is Priority.ASKED else delay
        self._name = name
        self._work = work
        self._failed = failed
        self._changed = changed
        self._pending: Request | None = None
        self._is_urgent = False
        self._generation = 0
        self._is_closed = False
        self._is_working = False
        self._is_resting = False
        self._thread: threading.Thread | None = None

    def submit(self, request: Request, *, at_once: bool = False) -> None:
        """Do this instead of what is being done; `at_once` without the delay."""
        with self._changed:
            self._pending, self._is_urgent = request, at_once
            self._generation += 1
            self._is_resting = False
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def interrupt(self) -> bool:
        """Let go of what is being done and of what waits; returns whether there was anything."""
        with self._changed:
            was_busy = self.is_busy
            self._pending = None
            self._generation += 1
            self._changed.notify_all()
        return was_busy

    def rest(self) -> None:
        """Called from the work: nobody waits any more for what is being done."""
        with self._changed:
            self._is_resting = True
            self._changed.notify_all()

    def wake(self) -> None:
        """What is being done is waited for again."""
        with self._changed:
            self._is_resting = False
            self._changed.notify_all()

    @property
    def is_busy(self) -> bool:
        """Whether something waits, or is being done that is waited for."""
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
        stand_back()
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
                    with suppress(Exception):  # a listener that fails must not end the thread
                        self._failed(what_failed(error))
            request = None  # what it holds may be large, and the next request may be long in coming


def wait_idle(changed: threading.Condition, is_asked: Callable[[], bool]) -> None:
    """Wait until something is asked; where that takes a while, what was freed goes back to the system."""
    with changed:
        if changed.wait_for(is_asked, _IDLE_SECONDS):
            return
    trim()
    with changed:
        changed.wait_for(is_asked)


class Scheduler:
    """Owns every thread of a session's jobs, and tells whether any is waited for."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        """Notified each time a job is asked for something, rests, or has nothing more to do."""
        self._workers: list[Worker[Any]] = []
        self._compiled: list[Worker[Any]] = []
        """Those that run compiled code."""
        self._others: list[threading.Thread] = []
        self.is_closed = False
        """Whether all is to end."""

    def worker(
        self,
        name: str,
        work: Callable[[Request, IsStopped], None],
        failed: Callable[[str], None],
        priority: Priority = Priority.ASKED,
        *,
        is_compiled: bool = True,
        delay: float = FACE_FIRST_SECONDS,
    ) -> Worker[Request]:
        """The thread of a job, which begins with the first request; what nobody has asked for, after the `delay`.

        One that `is_compiled` runs compiled code, and is waited for at the end.
        """
        worker = Worker(name, work, failed, self.changed, priority, delay)
        self._workers.append(worker)
        if is_compiled:
            self._compiled.append(worker)
        return worker

    def thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        """Begin a thread that ends by itself, or once this is closed."""
        begun = threading.Thread(target=work, name=name, daemon=True)
        begun.start()
        self._others = [*(one for one in self._others if one.is_alive()), begun]
        if self.is_closed:
            let_end([begun])
        return begun

    @property
    def is_busy(self) -> bool:
        """Whether anything goes on that is waited for."""
        return any(worker.is_busy for worker in self._workers if worker.priority is not Priority.LIVE)

    @property
    def is_held(self) -> bool:
        """Whether what goes on by itself has to give way to what a constructor has asked for."""
        return any(worker.is_busy for worker in self._workers if worker.priority is Priority.ASKED)

    def wait_while_held(self, is_over: Callable[[], bool]) -> None:
        """Let what a constructor has asked for go on, until that has ended or `is_over`."""
        while self.is_held and not is_over():
            with self.changed:
                self.changed.wait(_SECONDS_HELD)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing goes on that is waited for; returns False where time ran out first."""
        with self.changed:
            return self.changed.wait_for(lambda: not self.is_busy, timeout)

    def close(self) -> None:
        """End all threads, waiting for the engine to let go; `wait_for_ending` waits for the others."""
        self.is_closed = True
        for worker in self._workers:
            worker.close()
        let_end([*self._others, *(thread for worker in self._workers for thread in worker.threads)])
        deadline = time.monotonic() + _END_SECONDS
        for worker in self._compiled:
            worker.join(max(deadline - time.monotonic(), 0.0))


def stand_back() -> None:
    """Let the face go before this thread and those that it begins, where the system tells threads apart."""
    if sys.platform == "linux":
        with suppress(OSError):
            this = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, this, os.getpriority(os.PRIO_PROCESS, os.getpid()) + _NICENESS)


def what_failed(error: Exception) -> str:
    """An exception in a worker, in its lines; those that are not our own are named."""
    if isinstance(error, XwtuiError):
        return printable_text(str(error), 300)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    return printable_text(f"{type(error).__name__}: {error}", 300)
