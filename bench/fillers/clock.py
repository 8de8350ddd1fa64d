"""The clock of a contest: the one on the wall, or the processor's.

Where other work shares the machine, processor time compares one-threaded programs more truly.
"""

import os
import time

_VARIABLE = "XWTUI_BENCH_CLOCK"
_PROCESSOR = "processor"


def use_processor_time() -> None:
    """Let this process and those that it starts tell processor time."""
    os.environ[_VARIABLE] = _PROCESSOR


def is_processor_time() -> bool:
    """Whether seconds are those of the processor."""
    return os.environ.get(_VARIABLE) == _PROCESSOR


def which() -> str:
    """The clock in words, to stand after `seconds`; nothing for the one on the wall."""
    return "of the processor " if is_processor_time() else ""


def now() -> float:
    """Seconds, to be compared with others of this process."""
    return time.process_time() if is_processor_time() else time.perf_counter()
