"""Measurement of one process from start to end."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from signal import SIGKILL
from typing import NamedTuple

_LAUNCHER = Path(__file__).with_name("launcher.py")
_LONGEST = 3600.0


class Measured(NamedTuple):
    """The cost of a process; `output` is its standard output."""

    output: str
    status: int
    seconds: float
    cpu_seconds: float
    peak_megabytes: float


def measured(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    seconds: float = _LONGEST,
    processor_seconds: float = _LONGEST,
) -> Measured | None:
    """Run a command to its end; None if it exceeded either limit."""
    limits = [str(seconds), str(ceil(processor_seconds))]
    launched = subprocess.run(
        [sys.executable, "-I", "-S", str(_LAUNCHER), *limits, *command],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        check=True,
    )
    taken = Measured(**json.loads(launched.stdout))
    return None if taken.status == -SIGKILL else taken
