"""What a run of the filler is to do: find one fill, a better one, several, or as much as can be filled."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from pathlib import Path

from xwtui.dataclasses import dataclass, field
from xwtui.engine.improve.improvement import Aim, Objective
from xwtui.errors import PuzzleError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.model.letters import are_known, capital
from xwtui.text import printable

with lazy_imports():
    from xwtui.formats.base import files_of_proof

DEFAULT_DIFFERENCE = 0.3
"""Share of squares in which diverse fills differ from each other."""
DEFAULT_COUNT = 5
REJECTION_REACH = 2
"""Largest change for a good replacement of a rejected word, as a multiple of the smallest change's squares."""
GOOD_SCORE = 50
"""Score from which a solver would not object to a word."""
MOST_SWAPS = 20
"""Default length of a list of swaps."""
MOST_FILLS = 1000
"""Upper limit for the number of fills to choose from."""
MOST_KEPT = 100
"""Number of fills, the first ones, that are kept to choose from when all fills are sought."""
DEFAULT_REPEAT_COST = 50
"""Amount by which an answer of recent puzzles counts less than its score."""
DEFAULT_MARK = 50
"""Score below which an entry counts as one to get rid of."""
FLATTENING = 0.5
"""Exponent that flattens scores: with 0.5, a word of score 25 is worth half as much as one of 100."""
HIGHEST_EXPONENT = 10
BEST_SECONDS = 20.0
"""Default time limit of a search for the best fill."""


class Mode(enum.Enum):
    """The kind of a run; the value names it in a word or two."""

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
        """Whether it ends with its first result, which nearly always comes within a second."""
        return self is Mode.FILL or self.is_of_entry

    @property
    def leaves_a_choice(self) -> bool:
        """Whether it writes nothing by itself but leaves fills to choose from."""
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


AIM_MEANINGS: Mapping[str, str] = {
    "mean": "the best mean score",
    "lowest": "the highest lowest score, then the mean",
    "flat": "the best mean of flattened scores: 100 x (score / 100) ^ --exponent",
    "below": "few entries below --mark, then the mean",
    "fresh": "many different letters (a pangram), then the mean",
}
"""What `improve --by` accepts, and what makes one fill better than another then."""
_AIMS = dict(zip(AIM_MEANINGS, (Aim.MEAN, Aim.LOWEST, Aim.FLATTENED, Aim.FEWER_BELOW, Aim.FRESH), strict=True))


def aim_named(name: str) -> Aim:
    """Return the aim with this name, ignoring case; raises PuzzleError, listing all, if there is none."""
    aim = (_AIMS | {"pangram": Aim.FRESH}).get(name.strip().lower())
    if aim is None:
        raise PuzzleError(f"{printable(name, 30)!r} is none of {', '.join(_AIMS)}")
    return aim


def objective_of(by: Aim, mark: int | None, avoid: str | None, exponent: float | None) -> Objective:
    """Return the objective of an improvement; raises VerbError if the options contradict each other.

    `avoid` names letters to get rid of, A to Z, instead of `by`.
    """
    if mark is not None and by is not Aim.FEWER_BELOW:
        raise VerbError("improve: --mark works only with --by below")
    if exponent is not None and by is not Aim.FLATTENED:
        raise VerbError("improve: --exponent works only with --by flat")
    if avoid and by is not Aim.MEAN:
        raise VerbError("improve: --avoid excludes --by")
    if avoid:
        return Objective.avoiding(avoid)
    return Objective(by, FLATTENING if exponent is None else exponent, DEFAULT_MARK if mark is None else mark)


def exponent_of(text: str) -> float:
    """Parse an exponent for flattening scores; raises PuzzleError if it is invalid."""
    match = re.fullmatch(r"\d{0,2}\.?\d{0,6}", text.strip())
    exponent = float(text) if match is not None and any(map(str.isdigit, text)) else 0.0
    if not 0 < exponent <= HIGHEST_EXPONENT:
        raise PuzzleError(
            f"{printable(text, 30)!r} is not an exponent above 0 and at most {HIGHEST_EXPONENT}; below 1, "
            "low scores weigh more"
        )
    return exponent


def letters_of(text: str) -> str:
    """Return the letters in upper case, each once; raises PuzzleError for other characters."""
    letters = "".join(dict.fromkeys(capital(text).replace(",", "")))
    if not are_known(letters) or not letters.isalpha():
        raise PuzzleError(f"{printable(text, 30)!r}: letters are expected, such as QXZ")
    return letters


@dataclass(frozen=True)
class FillOptions:
    """All options of a run; without `seconds` it goes on until it ends or is stopped.

    `minimum_score` replaces the puzzle's own. `selection` restricts the squares to fill, and pencil elsewhere
    counts as given. `count` and `difference` (0 to 1) apply to DIVERSE, `objective` to IMPROVE. Without a seed,
    each run uses a different one.
    """

    mode: Mode = Mode.FILL
    seconds: float | None = None
    threads: int = 1
    seed: int | None = None
    minimum_score: int | None = None
    repeat_cost: int | None = None
    """Replaces the repeat cost that comes with the words."""
    selection: frozenset[Position] | None = None
    part: str = ""
    """Name of the selection: `the selection`, `17A and its crossings`."""
    count: int = 1
    difference: float = DEFAULT_DIFFERENCE
    objective: Objective = field(default_factory=Objective)
    start: Mapping[Position, Content] = field(default_factory=dict)
    """The present contents: IMPROVE starts from them, and other modes try to change little of them."""
    entry: str = ""
    """The entry for SWAP and REJECT."""
    word: str = ""
    """The word that SWAP puts there; empty for any other word."""
    strategy: str = ""
    """Name of the classic strategy for FILL or ALL; empty for the engine."""
    trace: Path | None = None
    """File to which a FILL with one thread writes the trace of its search."""
    proof: Path | None = None
    """File for the proof that there is no fill, from a strategy that writes proofs."""
    allow_repeats: bool = False
    """Whether the same word may be used twice."""
    begins_with_pencil: bool = False
    """Whether the strategy of FILL starts from the pencil, and continues from there to other fills."""
    keeps_pencil: bool = False
    """Whether FILL keeps the pencil, all of it or as much as possible."""
    can_ask_user: bool = False
    """Whether FILL, SWAP and REJECT offer a fill that replaces more than a quarter of the pencil, instead of
    writing it."""
    chooses_words: bool = False
    """Whether FILL, after its first fill, spends a few rounds on better words."""
    scheduler: str = ""
    """Address of a Dask scheduler whose workers search instead of threads."""

    @property
    def files(self) -> tuple[Path, ...]:
        return (*filter(None, [self.trace]), *(files_of_proof(self.proof) if self.proof is not None else ()))

    @property
    def is_stepped(self) -> bool:
        """Whether it is a search that can be stepped, rather than one that runs to its end."""
        return self.mode is Mode.FILL and self.threads == 1 and not self.scheduler

    @property
    def is_for_all(self) -> bool:
        """Whether it concerns the whole grid with the puzzle's own words."""
        return self.minimum_score is None and self.selection is None and not self.allow_repeats
