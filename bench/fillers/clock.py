"""The clock of a contest: wall time or processor time.

On a shared machine, processor time compares single-threaded programs more accurately.
"""

import os
import time

_VARIABLE = "XWTUI_BENCH_CLOCK"
_PROCESSOR = "processor"


def use_processor_time() -> None:
    """Use processor time in this process and its child processes."""
    os.environ[_VARIABLE] = _PROCESSOR


def is_processor_time() -> bool:
    """Whether times are processor time."""
    return os.environ.get(_VARIABLE) == _PROCESSOR


def which() -> str:
    """Name the clock for use after `seconds`; empty for wall time."""
    return "of the processor " if is_processor_time() else ""


def now() -> float:
    """Return a timestamp in seconds, comparable only within this process."""
    return time.process_time() if is_processor_time() else time.perf_counter()
