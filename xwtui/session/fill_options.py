"""What the filler is asked for: one fill, a better one, several, or as much as can be filled."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from pathlib import Path

from xwtui.dataclasses import dataclass, field
from xwtui.errors import PuzzleError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.model.letters import are_known, capital
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable

with lazy_imports():
    from xwtui.formats.base import files_of_proof

DEFAULT_DIFFERENCE = 0.3
"""The share of the squares in which diverse fills differ from each other."""
DEFAULT_COUNT = 5
REJECTION_REACH = 2
"""How many times the squares of the smallest change a good word may change that comes for a refused one."""
GOOD_SCORE = 50
"""The score from which a solver would not mind a word."""
MOST_SWAPS = 20
"""Words that a list of swaps has, if nothing else is said."""
MOST_FILLS = 1000
"""How many fills to choose from there are, and may be."""
MOST_KEPT = 100
"""How many of all fills, the first ones, are kept to choose from."""
DEFAULT_REPEAT_COST = 50
"""What an answer of recent puzzles counts less than its score."""
DEFAULT_MARK = 50
"""The score below which an entry counts as one to get rid of."""
FLATTENING = 0.5
"""The exponent that flattens scores: a word of 25 is worth half of one of 100."""
HIGHEST_EXPONENT = 10
BEST_SECONDS = 20.0
"""How long the best fill is looked for, if nothing else is said."""


class Mode(enum.Enum):
    """What a run is after; the value says it in a word or two."""

    FILL = "fill"
    PARTIAL = "partial fill"
    BEST = "best fill"
    DIVERSE = "diverse fills"
    ALL = "all fills"
    IMPROVE = "improve"
    SWAP = "swap"
    REJECT = "reject"

    @property
    def doing(self) -> str:
        return _DOING[self]

    @property
    def is_of_entry(self) -> bool:
        """Whether it gives one entry another answer, with the smallest change around it."""
        return self in (Mode.SWAP, Mode.REJECT)

    @property
    def is_brief(self) -> bool:
        """Whether it ends with the first thing it finds, which is nearly always there within a second."""
        return self is Mode.FILL or self.is_of_entry

    @property
    def leaves_a_choice(self) -> bool:
        """Whether it writes nothing by itself, but leaves fills to choose from."""
        return self in (Mode.DIVERSE, Mode.ALL)


_DOING = {
    Mode.FILL: "filling",
    Mode.PARTIAL: "filling as much as possible",
    Mode.BEST: "finding the best fill",
    Mode.DIVERSE: "finding several fills",
    Mode.ALL: "finding all fills",
    Mode.IMPROVE: "improving",
    Mode.SWAP: "swapping",
    Mode.REJECT: "swapping",
}


class Goodness(enum.Enum):
    """What makes one fill better than another; the value is its name in `improve --by`."""

    MEAN = "mean"
    LOWEST = "lowest"
    FLAT = "flat"
    BELOW = "below"
    FRESH = "fresh"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS = {
    Goodness.MEAN: "the best mean score",
    Goodness.LOWEST: "the highest lowest score, then the mean",
    Goodness.FLAT: "the best mean of flattened scores: 100 x (score / 100) ^ --exponent",
    Goodness.BELOW: "few entries below --mark, then the mean",
    Goodness.FRESH: "many different letters (a pangram), then the mean",
}
PANGRAM = "pangram"
"""Another name for FRESH."""


def goodness_named(name: str) -> Goodness:
    """The goodness of a name, in capitals or not; raises PuzzleError, naming all, for another one."""
    wanted = name.strip().lower()
    try:
        return Goodness.FRESH if wanted == PANGRAM else Goodness(wanted)
    except ValueError:
        names = ", ".join(one.value for one in Goodness)
        raise PuzzleError(f"{printable(name, 30)!r} is none of {names}") from None


class ImproveAim(NamedTuple):
    """What an improvement strives for; `avoid` names letters to get rid of, A to Z, in place of `by`."""

    by: Goodness = Goodness.MEAN
    mark: int = DEFAULT_MARK
    """For BELOW."""
    avoid: str = ""
    exponent: float = FLATTENING
    """For FLAT, above 0 and at most HIGHEST_EXPONENT."""

    @classmethod
    def of(cls, by: Goodness, mark: int | None, avoid: str | None, exponent: float | None) -> ImproveAim:
        """What the options say that are given; raises VerbError where they are of two aims."""
        if mark is not None and by is not Goodness.BELOW:
            raise VerbError("improve: --mark works only with --by below")
        if exponent is not None and by is not Goodness.FLAT:
            raise VerbError("improve: --exponent works only with --by flat")
        if avoid and by is not Goodness.MEAN:
            raise VerbError("improve: --avoid excludes --by")
        return cls(
            by, DEFAULT_MARK if mark is None else mark, avoid or "", FLATTENING if exponent is None else exponent
        )


def exponent_of(text: str) -> float:
    """An exponent to flatten scores by; raises PuzzleError for what is none."""
    match = re.fullmatch(r"\d{0,2}\.?\d{0,6}", text.strip())
    exponent = float(text) if match is not None and any(map(str.isdigit, text)) else 0.0
    if not 0 < exponent <= HIGHEST_EXPONENT:
        raise PuzzleError(
            f"{printable(text, 30)!r} is not an exponent above 0 and at most {HIGHEST_EXPONENT}; below 1, "
            "low scores weigh more"
        )
    return exponent


def letters_of(text: str) -> str:
    """Letters in capitals, each once; raises PuzzleError for other characters."""
    letters = "".join(dict.fromkeys(capital(text).replace(",", "")))
    if not are_known(letters) or not letters.isalpha():
        raise PuzzleError(f"{printable(text, 30)!r}: letters are expected, such as QXZ")
    return letters


@dataclass(frozen=True)
class FillOptions:
    """All that a run is asked; without `seconds` it goes on until it ends or is stopped.

    `minimum_score` stands for the puzzle's own; `selection` are the only squares to fill, while
    pencil elsewhere counts as given; `count` and `difference` (0 to 1) belong to DIVERSE, `aim` to
    IMPROVE. Without a seed each run takes another one.
    """

    mode: Mode = Mode.FILL
    seconds: float | None = None
    threads: int = 1
    seed: int | None = None
    minimum_score: int | None = None
    repeat_cost: int | None = None
    """What takes the place of the cost that the words come with."""
    selection: frozenset[Position] | None = None
    part: str = ""
    """What the selection is called: `the selection`, `17A and its crossings`."""
    count: int = 1
    difference: float = DEFAULT_DIFFERENCE
    aim: ImproveAim = field(default_factory=ImproveAim)
    start: Mapping[Position, Content] = field(default_factory=dict)
    """What stands on the grid: what IMPROVE begins with, and what others change little of."""
    entry: str = ""
    """The entry of SWAP and REJECT."""
    word: str = ""
    """What SWAP puts there; any other word, if empty."""
    strategy: str = ""
    """The classic strategy of FILL or ALL, as it is named; empty for the engine."""
    trace: Path | None = None
    """The file that all that a FILL with one thread does is written to."""
    proof: Path | None = None
    """The file that the proof is written to where a strategy that writes one finds that there is no fill."""
    allow_repeats: bool = False
    """Whether a word may stand twice."""
    begins_with_pencil: bool = False
    """Whether the strategy of FILL begins with what stands in pencil, and goes on to other fills from there."""
    keeps_pencil: bool = False
    """Whether FILL keeps what stands in pencil, all of it or as much as can be."""
    asks_first: bool = False
    """Whether FILL, SWAP and REJECT offer what replaces more than a quarter of the pencil, not writing it."""
    chooses_words: bool = False
    """Whether FILL, once it has one, goes on for a few rounds to better words."""
    scheduler: str = ""
    """The address of a Dask scheduler whose workers search, in place of threads."""

    @property
    def files(self) -> tuple[Path, ...]:
        return (*filter(None, [self.trace]), *(files_of_proof(self.proof) if self.proof is not None else ()))

    @property
    def is_stepped(self) -> bool:
        """Whether it is a search that can be stepped, rather than one that works until it is done."""
        return self.mode is Mode.FILL and self.threads == 1 and not self.scheduler

    @property
    def is_for_all(self) -> bool:
        """Whether it is about the whole grid with the puzzle's own words."""
        return self.minimum_score is None and self.selection is None and not self.allow_repeats
