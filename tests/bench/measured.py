"""One process, measured from its start to its end."""

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from signal import SIGKILL
from threading import Timer
from typing import NamedTuple


class Measured(NamedTuple):
    """What a process took; `output` is its standard output."""

    output: str
    status: int
    seconds: float
    cpu_seconds: float
    peak_megabytes: float


def measured(
    command: Sequence[str], environment: Mapping[str, str] | None = None, seconds: float | None = None
) -> Measured | None:
    """Run a command to its end; None where it was stopped after so many seconds."""
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})}
        )
        stopper = Timer(seconds or 3600.0, process.kill)
        stopper.start()
        _, status, usage = os.wait4(process.pid, 0)
        whole = time.perf_counter() - started
        stopper.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if process.returncode == -SIGKILL:
            return None
        return Measured(
            output.read(),
            process.returncode,
            whole,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024,
        )
