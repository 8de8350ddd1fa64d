"""The objectives of an improver, and its output: each better fill, and the result."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, are_known
from xwtui.worded import Worded

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

ALPHABET = ENGLISH_LETTERS

HIGHEST = 100
"""The highest score of a word."""


class Aim(enum.Enum):
    """What to optimize; the value is the name in reports."""

    MEAN = "mean score"
    LOWEST = "lowest score"
    FLATTENED = "flattened score"
    FEWER_BELOW = "low entries"
    FRESH = "different letters"
    AVOID = "unwanted letters"


@dataclass(frozen=True)
class Objective(Worded):
    """What `improve` optimizes; ties are broken by the mean score, except for FLATTENED.

    Only entries with a square that the fill may choose count. An unlisted answer scores 0. A word that the
    constructor prefers counts as 50 more than its score, a recently used word as 50 less. Raises EngineError for a
    parameter out of range.
    """

    aim: Aim = Aim.MEAN
    exponent: float = 0.5
    """FLATTENED: a word is worth 100 x (score / 100) ^ exponent; below 1, low scores weigh more."""
    mark: int = 50
    """FEWER_BELOW: the score that entries should reach."""
    letters: str = ALPHABET
    """FRESH: the letters that should occur, by default the whole alphabet; AVOID: the unwanted letters."""

    def __post_init__(self) -> None:
        if not 0 < self.exponent <= 10:
            raise EngineError(f"the exponent must be above 0 and at most 10; it is {self.exponent:g}")
        if not 0 <= self.mark <= HIGHEST:
            raise EngineError(f"scores go from 0 to {HIGHEST}; the mark is {self.mark}")
        if not self.letters or not are_known(self.letters) or set(self.letters) & set(DIGITS):
            raise EngineError(f"letters are expected, not {self.letters!r}")

    @classmethod
    def lowest(cls) -> Objective:
        """Maximize the lowest score, then the mean."""
        return cls(Aim.LOWEST)

    @classmethod
    def flattened(cls, exponent: float) -> Objective:
        """Maximize the mean of 100 x (score / 100) ^ exponent."""
        return cls(Aim.FLATTENED, exponent=exponent)

    @classmethod
    def fewer_below(cls, mark: int) -> Objective:
        """Minimize the number of entries below a score, then maximize the mean."""
        return cls(Aim.FEWER_BELOW, mark=mark)

    @classmethod
    def fresh(cls, letters: str = ALPHABET) -> Objective:
        """Maximize the number of different letters among these (a pangram), then the mean."""
        return cls(Aim.FRESH, letters=letters)

    @classmethod
    def avoiding(cls, letters: str) -> Objective:
        """Minimize the number of squares with these letters, then maximize the mean."""
        return cls(Aim.AVOID, letters=letters)

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is better; otherwise the value counts something unwanted."""
        return self.aim not in (Aim.FEWER_BELOW, Aim.AVOID)

    @property
    def is_sum(self) -> bool:
        """Whether the value is a sum or a mean over the entries."""
        return self.aim in (Aim.MEAN, Aim.FLATTENED, Aim.FEWER_BELOW)

    @property
    def is_of_letters(self) -> bool:
        """Whether letters take precedence over scores."""
        return self.aim in (Aim.FRESH, Aim.AVOID)


class Improvement(NamedTuple):
    """A fill and its quality; scores are of the entries that are not completely given.

    The value includes the constructor's preferences; the scores are as listed.
    """

    squares: Mapping[Position, Content]
    """The content of every square of an entry, including given ones."""
    answers: Mapping[str, str]
    """The answer of every entry, by the entry's name."""
    value: float
    """In the objective's unit: a score, or a number of entries, letters or squares."""
    mean_score: float
    lowest_score: int
    bound: float
    """No fill has a better value.

    For a value that is not a sum, the best that each entry could be (`shared_best.py`).
    """
    seconds: float
    """Time since the start."""
    round: int
    """Number of refills tried before this fill was found, by all threads."""

    @property
    def gap(self) -> float:
        """Distance of the value from the bound; 0 if no better value is possible."""
        return abs(self.bound - self.value)


class ImproveProgress(NamedTuple):
    """A snapshot of a running improver."""

    best: Improvement | None
    """None while the faults of the start are still being repaired."""
    rounds: int
    seconds: float
    bound: float | None = None
    """The current bound."""


class ImproveResult(NamedTuple):
    """The result of `improve`."""

    outcome: Outcome
    """FILLED: proved that no better fill exists. IMPOSSIBLE: proved that no fill exists at all.

    UNKNOWN: the time or the rounds are used up. CANCELLED.
    """
    first: Improvement | None
    """The start; None if it is not a legal fill (incomplete, or with an unlisted or repeated answer)."""
    best: Improvement | None
    """The best fill, never worse than the first; None if the start was not legal and none was found."""
    kept: tuple[Improvement, ...]
    """Every fill that was better than all before it, in order, from the first to the best."""
    bound: float
    """In the objective's unit; the best fill's own value if that is proved optimal."""
    rounds: int
    """Number of refills tried, by all threads."""
    reason: Reason | None = None
    """Why no fill exists, if that is proved."""

    @property
    def gap(self) -> float | None:
        """Distance of the best value from the bound; None without a fill."""
        return None if self.best is None else abs(self.bound - self.best.value)
