"""A lane: a process with one core, which runs what it is given in turns.

Most strategies are plain Python, so that only processes can run side by side; and one that brings
its process down takes no more than its lane with it.
"""

from __future__ import annotations

import gc
import pickle
import signal
import time
from contextlib import suppress
from ctypes import Structure, c_double, c_long
from multiprocessing.connection import Connection
from typing import TypeAlias

from xwtui.racing.course import Course
from xwtui.racing.loading import load_words
from xwtui.racing.order import Start
from xwtui.racing.run import Run
from xwtui.racing.standing import Standing
from xwtui.racing.turns import Turns

OF_TERMINAL = (signal.SIGINT, signal.SIGHUP) if hasattr(signal, "SIGHUP") else (signal.SIGINT,)
"""The signals that a terminal sends to every process in it."""

NOBODY = -1
"""The number of the run that has the turn, where none has."""

Told: TypeAlias = tuple[int, Standing]
"""What a lane sends: the number of a run, and how it stands."""


class Whose(Structure):
    """Whose turn it is in a lane, in memory that the race sees; `since` is a time of `monotonic`."""

    _fields_ = (("run", c_long), ("since", c_double))


def run_lane(pipe: Connection[Told, tuple[int, Start]], seconds: float, whose: Whose) -> None:
    """Take the course, then numbered starts, from the pipe; tell how they stand until the pipe is closed."""
    for ignored in OF_TERMINAL:
        signal.signal(ignored, signal.SIG_IGN)
    gc.disable()
    turns = Turns(lambda number, standing: pipe.send((number, standing)))
    with suppress(EOFError, OSError):
        course: Course = pickle.loads(pipe.recv_bytes())
        load_words(course)
        while True:
            while turns.is_idle or pipe.poll():
                number, start = pipe.recv()
                turns.add(number, Run(course, start, seconds))
            whose.run, whose.since = turns.next, time.monotonic()
            turns.turn()
            whose.run = NOBODY
