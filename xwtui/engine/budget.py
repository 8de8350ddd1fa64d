"""What a search may take, as one value that is handed down whole."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple


def never() -> bool:
    """Never stop."""
    return False


class Budget(NamedTuple):
    """A search ends when any of it is used up; the same seed and threads search in the same way."""

    seconds: float | None = None
    """None for as long as it takes."""
    nodes: int | None = None
    """Decisions, for a search that counts them; None for any number."""
    threads: int = 1
    seed: int = 0
    stop: Callable[[], bool] = never
    """Asked often: True once nobody waits for what is searched for."""

    @property
    def deadline(self) -> float:
        """The moment, as `perf_counter` tells it, at which the seconds are over if they begin now."""
        return math.inf if self.seconds is None else perf_counter() + self.seconds
