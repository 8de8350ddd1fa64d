"""The race's side of a lane: its process, what runs there, and what becomes of that when the process ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

from xwtui.racing.lane import NOBODY, OF_TERMINAL, Told, Whose, run_lane
from xwtui.racing.order import Start

LANE_NAME = "xwtui race"
"""What the processes are called."""
_DYING_SECONDS = 5.0
"""How long a process may take to end after it has closed its pipe."""
_PROCESSES = multiprocessing.get_context("spawn")


class Lane:
    """A process and the numbers of the runs that are under way in it."""

    def __init__(self, course: bytes, seconds: float) -> None:
        """Start the process; each run may search for so many seconds there.

        `course` is pickled. It goes through the pipe: Python would wait for ever for a process that ends
        before it has read large arguments.
        """
        self.runs: set[int] = set()
        self._whose = _PROCESSES.RawValue(Whose, NOBODY, 0.0)
        self.pipe: Connection[tuple[int, Start], Told]
        self.pipe, theirs = _PROCESSES.Pipe()
        arguments = (theirs, seconds, self._whose)
        self._process = _PROCESSES.Process(target=run_lane, args=arguments, name=LANE_NAME, daemon=True)
        with contextlib.redirect_stderr(sys.__stderr__):  # that of a Textual screen is no file
            resource_tracker.ensure_running()  # now, for it lets Ctrl+C in again
            with _no_interrupts():
                self._process.start()
        theirs.close()
        with contextlib.suppress(OSError):  # a process that is gone is noticed when it is read
            self.pipe.send_bytes(course)

    def start(self, number: int, start: Start) -> None:
        """Let a run begin there."""
        self.runs.add(number)
        with contextlib.suppress(OSError):  # as above
            self.pipe.send((number, start))

    @property
    def has_turn(self) -> int:
        """The number of the run that has the turn, or had it when the process ended; else NOBODY."""
        return int(self._whose.run)

    @property
    def turn_seconds(self) -> float:
        """How long this turn goes on; 0 between turns."""
        return time.monotonic() - float(self._whose.since) if self.has_turn != NOBODY else 0.0

    def end(self) -> None:
        """End the process at once."""
        self.pipe.close()
        self._process.kill()
        self._process.join()

    def bury(self) -> str:
        """Clear a process away that has ended; returns how, in words."""
        self.pipe.close()
        self._process.join(_DYING_SECONDS)
        status = self._process.exitcode
        if status is None:
            self.end()
            return "its process told nothing any more"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process ended with status {status}"


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Let what is started here be deaf to what a terminal sends to every process: that is the race's."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, OF_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
