"""What makes one fill better than another, and what an improver tells: each better fill, and the result."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, are_known
from xwtui.named_tuples import NamedTuple
from xwtui.worded import Worded

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

ALPHABET = ENGLISH_LETTERS

HIGHEST = 100
"""The highest score of a word."""


class Aim(enum.Enum):
    """What is to be had; the value is its name in reports."""

    MEAN = "mean score"
    LOWEST = "lowest score"
    FLATTENED = "flattened score"
    FEWER_BELOW = "low entries"
    FRESH = "different letters"
    AVOID = "unwanted letters"


@dataclass(frozen=True)
class Objective(Worded):
    """What `improve` makes better; ties are broken by the mean score, except for FLATTENED.

    Only entries with a square that the fill may choose count; an answer that no list has counts
    as score 0; a word that the constructor prefers counts as 50 more than its score, one used of late as 50
    less. Raises EngineError for a parameter out of range.
    """

    aim: Aim = Aim.MEAN
    exponent: float = 0.5
    """FLATTENED: a word is worth 100 x (score / 100) ^ exponent; below 1, a low score weighs more."""
    mark: int = 50
    """FEWER_BELOW: the score that entries should reach."""
    letters: str = ALPHABET
    """FRESH: the letters that should stand somewhere, if not said all of the alphabet; AVOID: those not to be."""

    def __post_init__(self) -> None:
        if not 0 < self.exponent <= 10:
            raise EngineError(f"the exponent must be above 0 and at most 10; it is {self.exponent:g}")
        if not 0 <= self.mark <= HIGHEST:
            raise EngineError(f"scores go from 0 to {HIGHEST}; the mark is {self.mark}")
        if not self.letters or not are_known(self.letters) or set(self.letters) & set(DIGITS):
            raise EngineError(f"letters are expected, not {self.letters!r}")

    @classmethod
    def lowest(cls) -> Objective:
        """The highest lowest score first, then the mean."""
        return cls(Aim.LOWEST)

    @classmethod
    def flattened(cls, exponent: float) -> Objective:
        """The mean of 100 x (score / 100) ^ exponent."""
        return cls(Aim.FLATTENED, exponent=exponent)

    @classmethod
    def fewer_below(cls, mark: int) -> Objective:
        """As few entries below a mark as can be, then the mean."""
        return cls(Aim.FEWER_BELOW, mark=mark)

    @classmethod
    def fresh(cls, letters: str = ALPHABET) -> Objective:
        """As many different ones of these letters as can be (a pangram), then the mean."""
        return cls(Aim.FRESH, letters=letters)

    @classmethod
    def avoiding(cls, letters: str) -> Objective:
        """As few squares with these letters as can be, then the mean."""
        return cls(Aim.AVOID, letters=letters)

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is the better one; if not, values count what is unwanted."""
        return self.aim not in (Aim.FEWER_BELOW, Aim.AVOID)

    @property
    def is_sum(self) -> bool:
        """Whether the value is a sum, or a mean, over the entries."""
        return self.aim in (Aim.MEAN, Aim.FLATTENED, Aim.FEWER_BELOW)

    @property
    def is_of_letters(self) -> bool:
        """Whether letters come before all scores."""
        return self.aim in (Aim.FRESH, Aim.AVOID)


class Improvement(NamedTuple):
    """A fill, and how good it is; scores are of the entries that are not given whole.

    The value counts with the constructor's preferences, the scores are as listed.
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
    """No fill has a better value; for what is no sum, the best that each entry could be (`shared_best.py`)."""
    seconds: float
    """Since the start."""
    round: int
    """Refills tried before it was found, by all threads."""

    @property
    def gap(self) -> float:
        """How far the value is from the bound, 0 where no better one is possible."""
        return abs(self.bound - self.value)


class ImproveProgress(NamedTuple):
    """A look at an improver that goes on."""

    best: Improvement | None
    """None while the start's own faults are still being mended."""
    rounds: int
    seconds: float
    bound: float | None = None
    """As tight as it is by now."""


class ImproveResult(NamedTuple):
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
    reason: Reason | None = None
    """Why no fill exists, if that is proved."""

    @property
    def gap(self) -> float | None:
        """How far the best value is from the bound; None without a fill."""
        return None if self.best is None else abs(self.bound - self.best.value)
