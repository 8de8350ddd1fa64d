"""xwtui, by its own shell command."""

import json
import sys
from pathlib import Path

from tests.bench.fillers.process import run
from tests.bench.result import Run

NAME = "xwtui"
_SLACK = 120
"""Seconds beyond the search for loading, and for compiling on the first run of a machine."""


def is_installed() -> bool:
    """Always: it is what is measured."""
    return True


def fill(template: Path, words: Path, minimum_score: int, seed: int, seconds: float) -> Run:
    """Fill a template from a scored list."""
    options = [
        "--words",
        str(words),
        "--min-score",
        str(minimum_score),
        "--seed",
        str(seed),
        "--time",
        str(seconds),
    ]
    done = run([sys.executable, "-m", "xwtui", "fill", str(template), *options, "--json"], seconds + _SLACK)
    if not done.output:
        return Run((), None, done.seconds)
    document = json.loads(done.output)
    rows = tuple(document["grid"]) if document.get("status") == "filled" else ()
    return Run(rows, document.get("seconds", {}).get("search"), done.seconds)
