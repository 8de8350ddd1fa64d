"""A worker: a process with one core, which runs what it is given in turns; and the race's side of it.

Most strategies are plain Python, so that only processes can run side by side; and one that brings
its process down takes no more than its worker with it.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from ctypes import Structure, c_double, c_long
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import TypeAlias

from xwtui.racing.run import Run, Turns
from xwtui.racing.standing import Standing
from xwtui.racing.task import RaceStart, RaceTask, load_words

OF_TERMINAL = (signal.SIGINT, signal.SIGHUP) if hasattr(signal, "SIGHUP") else (signal.SIGINT,)
"""The signals that a terminal sends to every process in it."""

NOBODY = -1
"""The number of the run that has the turn, where none has."""

Told: TypeAlias = tuple[int, Standing]
"""What a worker sends: the number of a run, and how it stands."""

WORKER_NAME = "xwtui race"
"""What the processes are called."""
_DYING_SECONDS = 5.0
"""How long a process may take to end after it has closed its pipe."""
_PROCESSES = multiprocessing.get_context("spawn")


class Whose(Structure):
    """Whose turn it is in a worker, in memory that the race sees; `since` is a time of `monotonic`."""

    _fields_ = (("run", c_long), ("since", c_double))


def run_worker(pipe: Connection[Told, tuple[int, RaceStart]], seconds: float, whose: Whose) -> None:
    """Take the task, then numbered starts, from the pipe; tell how they stand until the pipe is closed."""
    for ignored in OF_TERMINAL:
        signal.signal(ignored, signal.SIG_IGN)
    gc.disable()
    turns = Turns(lambda number, standing: pipe.send((number, standing)))
    with contextlib.suppress(EOFError, OSError):
        task: RaceTask = pickle.loads(pipe.recv_bytes())
        load_words(task)
        while True:
            while turns.is_idle or pipe.poll():
                number, start = pipe.recv()
                turns.add(number, Run(task, start, seconds))
            whose.run, whose.since = turns.next, time.monotonic()
            turns.turn()
            whose.run = NOBODY


class RaceWorker:
    """A process and the numbers of the runs that are under way in it."""

    def __init__(self, task: bytes, seconds: float) -> None:
        """RaceStart the process; each run may search for so many seconds there.

        `task` is pickled. It goes through the pipe: Python would wait for ever for a process that ends
        before it has read large arguments.
        """
        self.runs: set[int] = set()
        self._whose = _PROCESSES.RawValue(Whose, NOBODY, 0.0)
        self.pipe: Connection[tuple[int, RaceStart], Told]
        self.pipe, theirs = _PROCESSES.Pipe()
        arguments = (theirs, seconds, self._whose)
        self._process = _PROCESSES.Process(target=run_worker, args=arguments, name=WORKER_NAME, daemon=True)
        with contextlib.redirect_stderr(sys.__stderr__):  # that of a Textual screen is no file
            resource_tracker.ensure_running()  # now, for it lets Ctrl+C in again
            with _no_interrupts():
                self._process.start()
        theirs.close()
        with contextlib.suppress(OSError):  # a process that is gone is noticed when it is read
            self.pipe.send_bytes(task)

    def start(self, number: int, start: RaceStart) -> None:
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
