"""The interface of a filler that takes part in a contest."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.result import Run


class Running(Protocol):
    """A filler that has read its words and waits for templates."""

    def fill(self, template: Path, seed: int, seconds: float) -> Run:
        """Fill a template once, within a time limit."""


@dataclass(frozen=True)
class Filler:
    """A program that fills grids."""

    name: str
    is_installed: Callable[[], bool]
    start: Callable[[Path, int], AbstractContextManager[Running]]
    """Start with a word list and its minimum score; the list holds only words at or above it."""
    most_runs: int
    """Maximum runs for a median, for searches without a seed that repeat the same fill."""
