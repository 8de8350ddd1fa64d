"""What a search came to, and what it took."""

import enum
from dataclasses import dataclass


class Outcome(enum.Enum):
    """What a search has come to so far; the value is its name in reports."""

    RUNNING = "running"
    FILLED = "filled"
    IMPOSSIBLE = "impossible"
    """Proved: no fill exists."""
    UNKNOWN = "unknown"
    """The deadline came first."""
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether more searching would change nothing."""
        return self in (Outcome.FILLED, Outcome.IMPOSSIBLE)


@dataclass(frozen=True)
class Statistics:
    """What a search took. Nodes are decisions; depth is the decisions in force."""

    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    deepest: int = 0
    seconds_load: float = 0.0
    """Reading words; filled in by whoever read them."""
    seconds_compile: float = 0.0
    """Compiling kernels, or loading them from the cache, in this process."""
    seconds_search: float = 0.0
