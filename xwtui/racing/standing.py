"""How one run stands, as it is shown and reported."""

from __future__ import annotations

from dataclasses import dataclass

from xwtui.racing.state import State


@dataclass(frozen=True)
class Standing:
    """One run at one moment; all times are seconds of its own processor time."""

    entrant: str
    """The strategy with its options, as it is typed."""
    seed: int
    state: State = State.WAITING
    search_seconds: float = 0.0
    """From the task to the end; loading the words and compiling the engine are not in it."""
    prepare_seconds: float = 0.0
    """How many of these went by before the first turn of the search."""
    nodes: int = 0
    """Decisions."""
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    """Decisions in force."""
    squares: int = 0
    """Squares of entries that have content, given ones too."""
    all_squares: int = 0
    mean_score: float | None = None
    """Of the entries that are whole and listed; None where there is none."""
    lowest_score: int | None = None
    reason: str = ""
    """Why there is no fill, in a constructor's words; else empty."""
    grid: tuple[str, ...] = ()
    """The rows of a legal fill, as grid text."""
