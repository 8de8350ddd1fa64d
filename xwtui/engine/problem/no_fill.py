"""Why there is no fill, or less than was requested: values that `xwtui.wording` puts into words."""

from __future__ import annotations

import enum

from msgspec import Struct

from xwtui.model import Content, Position
from xwtui.worded import Worded


class Reason(Worded, Struct, frozen=True):
    """Why there is no fill; its subclasses are below."""


class QuotedText(Reason, frozen=True):
    """The text of an error, or of another process."""

    text: str


class NoLength(Reason, frozen=True):
    """No word has the entry's length and at least a given score, which is 0 for any score."""

    length: int
    score: int


class NoFit(Reason, frozen=True):
    """None of the words allowed for an entry fits its squares."""

    pattern: str
    """The entry's squares, such as `Q?J`."""
    requirement: str = ""
    """What the rules require of its answer, in words."""
    only: str = ""
    """The only word that the rules allow."""
    narrow: tuple[tuple[Position, tuple[Content, ...]], ...] = ()
    """Squares that the rules restrict to a few contents."""


class WordlessEntry(Reason, frozen=True):
    """An entry without a word."""

    entry: str
    why: Reason


class RuledOut(Reason, frozen=True):
    """A square or an entry that the assumptions leave no options."""

    place: Position | str
    content: Content | None = None
    """What the square was assumed to hold; None if everything it could hold was ruled out."""


class EntryEmptied(Reason, frozen=True):
    """An entry wiped out by propagation, and what it needed at a crossing."""

    what: WordlessEntry
    forced: tuple[str, ...]
    """The contents that the remaining words of its crossings force in it."""
    square: Position
    wanted: tuple[str, ...]
    rival: str = ""
    """The crossing entry that has none of these; empty if rules exclude them."""
    allowed: tuple[tuple[Position, tuple[str, ...]], ...] = ()
    """Squares with several options left by their crossings, as far as they are needed to exclude the words."""
    taken: tuple[str, ...] = ()
    """Words that fit even so, each of them the last one left for another entry."""


class SameAnswer(Reason, frozen=True):
    """Two entries that can only have the same answer."""

    entries: tuple[str, str]
    word: str


class ConstraintKind(enum.Enum):
    """The kind of a global constraint."""

    SQUARES = "squares"
    ENTRIES = "entries"
    PAIRS = "pairs"
    WAYS = "ways"
    CHAIN = "chain"
    LINK = "link"
    SYMMETRY = "symmetry"
    DIFFERENT = "different"


class ConstraintRequirement(Worded, Struct, frozen=True):
    """What a global constraint requires."""

    kind: ConstraintKind
    names: tuple[str, ...] = ()
    """What is counted, linked or spelled. For answers that must differ: everything that they may not share."""
    least: int = 0
    most: int | None = None
    """None for no upper limit."""
    squares: tuple[Position, ...] = ()
    """The two linked squares."""


class ConstraintFailed(Reason, frozen=True):
    """A global constraint that cannot be met."""

    requirement: ConstraintRequirement
    names: tuple[str, ...] = ()
    """The squares, entries or answers that exceed it. For a link, both squares, the one that can hold it first."""
    possible: int = 0
    """How many squares or entries can count."""
    are_barred: bool = False
    """Whether the named ones are not allowed to count at all."""


class TooFewAnswers(Reason, frozen=True):
    """Fewer distinct answers are left than a constraint requires."""

    name: str
    answers: tuple[str, ...]
    least: int


class ConflictingConstraints(Reason, frozen=True):
    """Constraints that are jointly infeasible, and what is wiped out."""

    constraints: tuple[ConstraintRequirement, ...]
    why: Reason


class UntriedWays(Worded, Struct, frozen=True):
    """The ways to enter answers that the search does not cover, and about which it proves nothing."""

    beyond_room: tuple[str, ...]
    """Entries for which only the best `ways` of entering their answers are tried."""
    ways: int
    poorer: tuple[str, ...]
    """Entries where, of several answers that are entered alike, only the best is tried.

    Listed only if answers must differ: then another of them may be the one that is needed.
    """


class LimitedReason(Reason, frozen=True):
    """A reason that holds only for what was tried."""

    why: Reason | None
    """None if it is reported elsewhere."""
    untried: UntriedWays


class ProofTerms(Worded, Struct, frozen=True):
    """What a proof depends on."""

    minimum_score: int
    allow_repeats: bool
    rules: tuple[str, ...]
    """The rules of the grid, as listed."""


class NoFillExists(Reason, frozen=True):
    """A search has proved that there is no fill."""

    terms: ProofTerms
    nodes: int | None = None
    """The search's nodes, if reported."""


class NoOtherWord(Reason, frozen=True):
    """It is proved that no other word is possible for an entry."""

    terms: ProofTerms


class LengthMisfit(Reason, frozen=True):
    """A word with too few or too many letters for an entry, which takes `least` to `most`; digraphs are one."""

    word: str
    letters: int
    entry: str
    least: int
    most: int


class WordNotAllowed(Reason, frozen=True):
    """A word that is not among those allowed for an entry."""

    word: str
    entry: str


class WordsTaken(Reason, frozen=True):
    """All words that fit an open entry are already in other entries."""

    pattern: str
    words: int
    word: str
    """The only such word, or one of them."""
    takers: tuple[str, ...]


class CrossingConflict(Reason, frozen=True):
    """An open entry and an entry that crosses it need different contents in a square."""

    pattern: str
    wanted: tuple[str, ...]
    square: Position
    rival: str


class NoFilling(Reason, frozen=True):
    """Words fit an open entry, but none was found together with words for its crossings."""

    pattern: str
    words: int


class NoOtherFill(Reason, frozen=True):
    """No other fill differs from the ones found in that many squares."""

    found: int
    squares: int


class FewerFills(Reason, frozen=True):
    """A search for several fills that ended before finding all of them."""

    found: int
    wanted: int
    was_stopped: bool
    """Whether the caller stopped it; otherwise its time ran out."""
