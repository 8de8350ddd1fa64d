"""Why there is no fill, or less of one than was asked for: values, which `xwtui.wording` says."""

from __future__ import annotations

import enum

from msgspec import Struct

from xwtui.model import Content, Position
from xwtui.worded import Worded


class Reason(Worded, Struct, frozen=True):
    """Why there is no fill; the kinds of it are below."""


class Quoted(Reason, frozen=True):
    """What an error says, or another process."""

    text: str


class NoLength(Reason, frozen=True):
    """No word has an entry's length alone, of a score or more; 0 for any."""

    length: int
    score: int


class NoFit(Reason, frozen=True):
    """No word that an entry may have fits what stands in it."""

    pattern: str
    """The entry's squares, such as `Q?J`."""
    asked: str = ""
    """What is asked of its answer, as the rules say it."""
    only: str = ""
    """The one word that it may have."""
    narrow: tuple[tuple[Position, tuple[Content, ...]], ...] = ()
    """Squares that may hold a few contents alone."""


class EntryWithout(Reason, frozen=True):
    """An entry that has no word."""

    entry: str
    why: Reason


class RuledOutThere(Reason, frozen=True):
    """A square or an entry that what is assumed leaves nothing."""

    place: Position | str
    content: Content | None = None
    """What the square was assumed to hold; None where it has lost all that it could hold."""


class EntryEmptied(Reason, frozen=True):
    """An entry that propagation leaves no word, and what it needed where it crosses another."""

    what: EntryWithout
    forced: tuple[str, ...]
    """What the words left for its crossings force in it."""
    square: Position
    wanted: tuple[str, ...]
    rival: str = ""
    """The crossing entry that has none of these; empty where rules leave none."""
    allowed: tuple[tuple[Position, tuple[str, ...]], ...] = ()
    """Beside what is forced, what crossings leave of squares with a choice, as far as words would fit else."""
    taken: tuple[str, ...] = ()
    """Words that fit all the same, each the last one of another entry."""


class SameAnswer(Reason, frozen=True):
    """Two entries that can only have the same answer."""

    entries: tuple[str, str]
    word: str


class ConstraintKind(enum.Enum):
    """What a global constraint is about."""

    SQUARES = "squares"
    ENTRIES = "entries"
    PAIRS = "pairs"
    WAYS = "ways"
    CHAIN = "chain"
    LINK = "link"
    SYMMETRY = "symmetry"
    DIFFERENT = "different"


class ConstraintAsked(Worded, Struct, frozen=True):
    """What a global constraint asks for."""

    kind: ConstraintKind
    names: tuple[str, ...] = ()
    """What is counted, linked or spelled; of answers that are to differ, each thing that they may not share."""
    least: int = 0
    most: int | None = None
    """None where there may be any number."""
    squares: tuple[Position, ...] = ()
    """The two that are linked."""


class ConstraintFailed(Reason, frozen=True):
    """A global constraint that cannot be met."""

    asked: ConstraintAsked
    names: tuple[str, ...] = ()
    """The squares, entries or answers that have too much of it; of linked squares, the one that holds it first."""
    possible: int = 0
    """How many squares or entries can have it."""
    are_barred: bool = False
    """Whether those that are named may not have it at all."""


class TooFewAnswers(Reason, frozen=True):
    """Fewer different answers are left than a constraint wants."""

    name: str
    answers: tuple[str, ...]
    least: int


class AtOdds(Reason, frozen=True):
    """Constraints that cannot be had together, and what runs empty."""

    constraints: tuple[ConstraintAsked, ...]
    why: Reason


class Untried(Worded, Struct, frozen=True):
    """What is never tried of the ways to enter answers: a proof holds for the others alone."""

    beyond_room: tuple[str, ...]
    """Entries of which not all that they may enter for their answers is tried, but the best `ways`."""
    ways: int
    poorer: tuple[str, ...]
    """Entries of which, of answers that enter the same, the best alone is tried, where answers are to differ."""


class AsFarAsTried(Reason, frozen=True):
    """A reason that holds for what was tried."""

    why: Reason | None
    """None where it is told elsewhere."""
    untried: Untried


class ProofTerms(Worded, Struct, frozen=True):
    """What a proof rests on."""

    minimum_score: int
    allow_repeats: bool
    rules: tuple[str, ...]
    """Those of the grid, as they are listed."""


class NoFillExists(Reason, frozen=True):
    """What a search has proved that ended without a fill."""

    terms: ProofTerms
    nodes: int | None = None
    """What it took, where that is told."""


class NoOtherWord(Reason, frozen=True):
    """That no other word can stand at an entry, proved."""

    terms: ProofTerms


class LengthMisfit(Reason, frozen=True):
    """A word of too few or too many letters for an entry, which takes from `least` to `most`; a digraph is one."""

    word: str
    letters: int
    entry: str
    least: int
    most: int


class WordNotAllowed(Reason, frozen=True):
    """A word that is none of those that an entry may have."""

    word: str
    entry: str


class WordsTaken(Reason, frozen=True):
    """The words that fit an open entry all stand in others."""

    pattern: str
    words: int
    word: str
    """The one, or one of them."""
    takers: tuple[str, ...]


class CrossingWants(Reason, frozen=True):
    """An open entry and one that crosses it want different contents of a square."""

    pattern: str
    wanted: tuple[str, ...]
    square: Position
    rival: str


class NoFilling(Reason, frozen=True):
    """Words fit an open entry, and nothing was found for its crossings beside them."""

    pattern: str
    words: int


class NoOtherFill(Reason, frozen=True):
    """No other fill differs from those that were found in so many squares."""

    found: int
    squares: int


class FewerFills(Reason, frozen=True):
    """A search for several fills that ended before it had all."""

    found: int
    wanted: int
    was_stopped: bool
    """By who asked for it; else by the clock."""
