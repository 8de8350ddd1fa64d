"""The PyPI package `blacksquare`, in a process of its own: import, list and fill, as a script would."""

import importlib.util
import json
import sys
from pathlib import Path

from tests.bench.fillers.process import run
from tests.bench.result import Run

NAME = "blacksquare"
_PROCESS = "tests.bench.fillers.blacksquare_process"
_SLACK = 60


def is_installed() -> bool:
    """Whether the package is there (`pip install xwtui[bench]`)."""
    return importlib.util.find_spec("blacksquare") is not None


def fill(template: Path, words: Path, minimum_score: int, seed: int, seconds: float) -> Run:
    """Fill a template; the list holds only words of the minimum score, and its search has no seed."""
    del minimum_score, seed
    command = [sys.executable, "-m", _PROCESS, str(template), str(words), str(seconds)]
    done = run(command, seconds + _SLACK)
    if not done.output:
        return Run((), None, done.seconds)
    document = json.loads(done.output)
    return Run(tuple(document["rows"]), document["search"], done.seconds)
