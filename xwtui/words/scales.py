"""Rules that convert the scores of other lists to ours, either guessed from the scores or chosen.

Our scores run from 0 to 100, and 50 is a word that no solver minds. Other lists run from 0 to 50, have one score
for all words, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError
from xwtui.lazy import lazy_pattern
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.text import printable

ORDINARY = 50
"""Our score for a word without one, or for every word of a list with a single score."""

AUTO = "auto"
"""The rule that uses the scale declared in a list's file, or else guesses it from the scores."""

HIGHEST_FOREIGN = 999_999_999

_MANY = 500
"""Minimum list size for assuming a 0-50 scale when scores are between 25 and 50 but none is exactly 50."""
_FEW_DIFFERENT = 3
"""Minimum number of distinct scores in a list with a real scale, rather than a label or two."""
_STRAYS = 0.001
"""Fraction of a list's words, assumed to be typos, that may exceed a scale that ends below 100."""
_MOST_BEYOND = 0.01
"""Fraction of a list's words that may exceed 100, or the top of a larger scale; they count as 100."""
_ENOUGH_FOR_ONE = 10
"""Minimum list size from which a single score above 100 is ignored."""

_RANGE = lazy_pattern(r"0-(\d{1,9})")
_ALL = lazy_pattern(r"=(\d{1,3})")
_POINT = lazy_pattern(r"(\d{1,9})=(\d{1,3})")

FORMS = "`0-50` or another top; `=50` for all words; `0=0,25=40,50=90` for some scores and those between"


@dataclass(frozen=True)
class Scale:
    """A piecewise linear conversion: points (their score, our score), theirs ascending, ours 0 to 100.

    Scores outside the points get the score of the nearest one. 0 always stays 0, a list's mark for words to leave
    out.
    """

    points: tuple[tuple[int, int], ...]

    @classmethod
    def up_to(cls, highest: int) -> Scale:
        """Return the linear scale from 0 to a list's highest score."""
        return cls(((0, 0), (highest, HIGHEST_SCORE)))

    @classmethod
    def of_all(cls, score: int) -> Scale:
        """Return the rule that gives every word the same score of ours."""
        return cls(((0, score),))

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Parse a rule as `str` writes it; raises WordListError, naming the forms, for anything else."""
        bare = text.replace(" ", "")
        scale: Scale | None = None
        if match := _ALL.fullmatch(bare):
            scale = cls.of_all(int(match[1]))
        elif match := _RANGE.fullmatch(bare):
            scale = cls.up_to(int(match[1])) if int(match[1]) else None
        elif all(found := [_POINT.fullmatch(part) for part in bare.split(",")]):
            points = tuple((int(point[1]), int(point[2])) for point in found if point is not None)
            theirs = [point[0] for point in points]
            scale = cls(points) if len(points) > 1 and sorted(set(theirs)) == theirs else None
        if scale is None or max(ours for _, ours in scale.points) > HIGHEST_SCORE:
            raise WordListError(f"'{printable(text, 40)}' is not a rule for scores; use {FORMS}")
        return scale

    def __str__(self) -> str:
        if len(self.points) == 1:
            return f"={self.points[0][1]}"
        if self.points[0] == (0, 0) and len(self.points) == 2 and self.points[1][1] == HIGHEST_SCORE:
            return f"0-{self.points[1][0]}"
        return ",".join(f"{theirs}={ours}" for theirs, ours in self.points)

    @property
    def words(self) -> str:
        if self == OWN_SCALE:
            return "0-100, as they are"
        if len(self.points) == 1:
            return f"{self.points[0][1]} for all words"
        if str(self).startswith("0-"):
            return f"{self}: {self.highest} is {HIGHEST_SCORE}"
        return ", ".join(f"{theirs} is {ours}" for theirs, ours in self.points)

    @property
    def changes_scores(self) -> bool:
        """Whether it changes a list's scores other than by giving every word the same one."""
        return self != OWN_SCALE and len(self.points) > 1

    @property
    def highest(self) -> int:
        """The highest score that a word of the list may have; higher ones are errors in the list."""
        return HIGHEST_FOREIGN if len(self.points) == 1 else self.points[-1][0]

    def ours(self, score: int) -> int:
        """Return our score, 0 to 100, for one of the list's."""
        if score == 0:
            return 0
        low, below = self.points[0]
        for high, above in self.points:
            if score <= high:
                part = (score - low) / (high - low) if high > low else 0.0
                return round(below + part * (above - below))
            low, below = high, above
        return below


OWN_SCALE = Scale.up_to(HIGHEST_SCORE)
"""The identity rule."""


def guessed(scores: Iterable[int]) -> Scale:
    """Guess the rule for a list from its scores; zeros are ignored.

    A list with one distinct score, or none, has ordinary words. A list whose highest score is 50, 10 or 5 has that
    scale if it has enough distinct scores; so does a long list that tops out between 25 and 50, as a 0-50 scale. A
    few scores above 100 (1 %, or one in a list of ten words or more) are ignored. With more, the scale ends at the
    highest score, ignoring the top 1 %.
    """
    counts = Counter(score for score in scores if score)
    if len(counts) <= 1:
        return Scale.of_all(ORDINARY)
    words = counts.total()
    beyond = sum(count for score, count in counts.items() if score > HIGHEST_SCORE)
    if beyond > max(int(words * _MOST_BEYOND), words >= _ENOUGH_FOR_ONE):
        return Scale.up_to(_highest_but(int(words * _MOST_BEYOND), counts))
    counts = Counter({score: count for score, count in counts.items() if score <= HIGHEST_SCORE})
    highest = _highest_but(int(words * _STRAYS), counts)
    is_scale = len(counts) >= _FEW_DIFFERENT
    for top in (5, 10, 50):
        if is_scale and (highest == top or (top == 50 and top / 2 < highest < top and words >= _MANY)):
            return Scale.up_to(top)
    return OWN_SCALE


def _highest_but(strays: int, counts: Counter[int]) -> int:
    """Return the highest score after ignoring this many words above it."""
    for score in sorted(counts, reverse=True):
        strays -= counts[score]
        if strays < 0:
            return score
    return max(counts)
