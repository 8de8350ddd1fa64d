"""Run a filler as a process of its own and time it from start to end."""

import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple


class Finished(NamedTuple):
    """What a process said and how long it lived; `output` is None where it was stopped at the deadline."""

    output: str | None
    status: int
    seconds: float


def run(command: Sequence[str], seconds: float) -> Finished:
    """Run a command to its end, or kill it after so many seconds."""
    started = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Finished(None, -1, time.perf_counter() - started)
    return Finished(done.stdout, done.returncode, time.perf_counter() - started)
