"""What the scores of a list from elsewhere mean in ours: a rule that is guessed from them, or chosen.

Ours run from 0 to 100, and 50 is a word that no solver minds. Others run from 0 to 50, have one score for all
words, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError
from xwtui.lazy import lazy_pattern
from xwtui.model.puzzle import HIGHEST_SCORE
from xwtui.text import printable

ORDINARY = 50
"""Our score of a word that its list gives none, or the one that all of its words have."""

AUTO = "auto"
"""The rule of a list whose scale is to be told from what its file says, or guessed from its scores."""

HIGHEST_FOREIGN = 999_999_999

_MANY = 500
"""Words from which on it tells something that none scores near 100, though none has the top of a scale either."""
_FEW_DIFFERENT = 3
"""Different scores of a list that has a scale, and not a label or two."""
_STRAYS = 0.001
"""Part of a list's words that may lie above a scale that ends below 100: slips of the pen."""
_MOST_BEYOND = 0.01
"""Part of a list's words that may lie above 100, or above a scale that goes beyond it: they count as 100."""
_ENOUGH_FOR_ONE = 10
"""Words from which on a single one above 100 decides nothing."""

_RANGE = lazy_pattern(r"0-(\d{1,9})")
_ALL = lazy_pattern(r"=(\d{1,3})")
_POINT = lazy_pattern(r"(\d{1,9})=(\d{1,3})")

FORMS = "`0-50` or another top; `=50` for all words; `0=0,25=40,50=90` for some scores and those between"


@dataclass(frozen=True)
class Scale:
    """Points between which a list's scores are laid straight: (theirs, ours), theirs ascending, ours 0 to 100.

    Below the first and above the last point a score is that point's. 0 is always 0: a list's word to leave out.
    """

    points: tuple[tuple[int, int], ...]

    @classmethod
    def up_to(cls, highest: int) -> Scale:
        """The scale from 0 to a list's highest score."""
        return cls(((0, 0), (highest, HIGHEST_SCORE)))

    @classmethod
    def of_all(cls, score: int) -> Scale:
        """The rule that gives all words one score of ours."""
        return cls(((0, score),))

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Read a rule as `str` writes it; raises WordListError, naming the forms, for none."""
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
        if self == OURS:
            return "0-100, as they are"
        if len(self.points) == 1:
            return f"{self.points[0][1]} for all words"
        if str(self).startswith("0-"):
            return f"{self}: {self.highest} is {HIGHEST_SCORE}"
        return ", ".join(f"{theirs} is {ours}" for theirs, ours in self.points)

    @property
    def makes_others(self) -> bool:
        """Whether it makes other scores of a list's, and does not just give all words one."""
        return self != OURS and len(self.points) > 1

    @property
    def highest(self) -> int:
        """The highest score that a word of the list may have; what is above is an error in the list."""
        return HIGHEST_FOREIGN if len(self.points) == 1 else self.points[-1][0]

    def ours(self, score: int) -> int:
        """Our score for one of the list's, 0 to 100."""
        if score == 0:
            return 0
        found = self._known.get(score)
        if found is None:
            found = self._known[score] = self._between(score)
        return found

    @cached_property
    def _known(self) -> dict[int, int]:
        return {}

    def _between(self, score: int) -> int:
        low, below = self.points[0]
        for high, above in self.points:
            if score <= high:
                part = (score - low) / (high - low) if high > low else 0.0
                return round(below + part * (above - below))
            low, below = high, above
        return below


OURS = Scale.up_to(HIGHEST_SCORE)
"""What leaves scores as they are."""


def guessed(scores: Iterable[int]) -> Scale:
    """The rule for a list, guessed from the scores that its words are given; 0 tells nothing.

    One score alone, or none, is an ordinary word's. A list whose scores go up to 50, 10 or 5 has that scale, if it
    has enough different ones; so has one with many words and none above 50. A few above 100, one of ten words or
    one in a hundred, decide nothing; more of them are a scale up to the highest, but for as few.
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
    return OURS


def _highest_but(strays: int, counts: Counter[int]) -> int:
    """The highest score, but for so many words above it."""
    for score in sorted(counts, reverse=True):
        strays -= counts[score]
        if strays < 0:
            return score
    return max(counts)
