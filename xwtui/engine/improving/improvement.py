"""What an improver tells: each better fill, and what it all came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xwtui.engine.outcome import Outcome
from xwtui.model import Content, Position


@dataclass(frozen=True)
class Improvement:
    """A fill, and how good it is; scores are of the entries that are not given whole.

    The value counts with the constructor's preferences (see appeal.py), the scores are as listed.
    """

    squares: Mapping[Position, Content]
    """The content of every square of an entry, the given ones as they are."""
    answers: Mapping[str, str]
    """The answer of every entry, by its name."""
    value: float
    """In the objective's unit: a score, or a number of entries, letters or squares."""
    mean_score: float
    lowest_score: int
    bound: float
    """No fill has a better value: see priced_bound.py; for other than sums, the best that each entry could be."""
    seconds: float
    """Since the start."""
    round: int
    """Refills tried before it was found, by all threads."""

    @property
    def gap(self) -> float:
        """How far the value is from the bound, 0 where no better one is possible."""
        return abs(self.bound - self.value)


@dataclass(frozen=True)
class ImproveProgress:
    """A look at an improver that goes on."""

    best: Improvement | None
    """None while the start's own faults are still being mended."""
    rounds: int
    seconds: float
    bound: float | None = None
    """As tight as it is by now."""


@dataclass(frozen=True)
class ImproveResult:
    """What `improve` came to."""

    outcome: Outcome
    """FILLED: no better fill exists (proved). IMPOSSIBLE: none at all (proved). UNKNOWN: the time or
    the rounds are over. CANCELLED."""
    first: Improvement | None
    """The start, None where it is no legal fill (incomplete, an unlisted or repeated answer)."""
    best: Improvement | None
    """The best fill, never worse than the first; None where the start was none and none was found."""
    kept: tuple[Improvement, ...]
    """Every fill that was better than all before it, in order; the first and the best are at the ends."""
    bound: float
    """In the objective's unit; the best's own value where that is proved to be the best."""
    rounds: int
    """Refills tried, by all threads."""
    reason: str = ""
    """Why no fill exists, if that is proved."""

    @property
    def gap(self) -> float | None:
        """How far the best value is from the bound; None without a fill."""
        return None if self.best is None else abs(self.bound - self.best.value)
