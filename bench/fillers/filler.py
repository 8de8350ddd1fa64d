"""What a program that fills grids must offer to take part in a contest."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.result import Run


class Running(Protocol):
    """A filler that has read its words and waits for templates."""

    def fill(self, template: Path, seed: int, seconds: float) -> Run:
        """Fill a template once, within so many seconds."""


@dataclass(frozen=True)
class Filler:
    """A program that fills grids."""

    name: str
    is_installed: Callable[[], bool]
    start: Callable[[Path, int], AbstractContextManager[Running]]
    """Read a word list (all of the minimum score, which is named too)."""
    most_runs: int
    """A search without a seed finds the same fill each time; so many runs are enough for a median."""
