"""The constraints that rules impose on a fill, as plain values for the engine and the strategies.

A constraint names contents, words and letters, never rows or bits. `engine/problem` compiles it for the search,
and `strategies/board` checks a full grid against it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.entering import SlotTreatment, Treatment
from xwtui.model.grid import Grid
from xwtui.model.selection import area_named
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Direction, Position
from xwtui.text import counted

Way: TypeAlias = tuple[Position, ...]
"""The squares that a message takes, in reading order."""

EntryGroup: TypeAlias = Direction | frozenset[SlotKey] | None
"""A group of entries: those of a direction, those with these keys, or all."""


class NewSquares(NamedTuple):
    """Cardinality of squares: how many of the squares that the filler decides hold one of some rebus contents."""

    contents: tuple[Content, ...]
    least: int
    most: int
    each: bool = False
    """Whether every content must occur at least once."""
    symmetric: bool = False
    """Whether a square may hold one only if its mirror images do."""

    @property
    def words(self) -> str:
        """The requirement in words: `4..6 new squares with [HEART], in symmetry`."""
        from_least = "" if self.least == self.most else f"{self.least}.."
        parts = [f"{from_least}{counted(self.most, 'new square')} with {' or '.join(map(str, self.contents))}"]
        parts += ["each at least once"] if self.each else []
        parts += ["in symmetry"] if self.symmetric else []
        return ", ".join(parts)


class LetterCount(NamedTuple):
    """Cardinality of squares: how many hold a letter, alone or in a rebus."""

    letter: str
    least: int = 0
    most: int | None = None
    checked: bool = False
    """Whether to count only squares in two entries."""

    @property
    def name(self) -> str:
        return f"{self.letter} where answers cross" if self.checked else self.letter

    def counts(self, content: Content) -> bool:
        return self.letter in content.across + content.down


class InitialsDiffer(NamedTuple):
    """All different: answers' initials in different squares, with an answer for each letter of `each`."""

    each: str


class WordsPresent(NamedTuple):
    """Cardinality of answers: at least `least` of some words are in the grid, each counted once."""

    words: tuple[str, ...]
    least: int
    name: str
    """Singular noun for the words: `wanted word`."""


class AnswerCount(NamedTuple):
    """Cardinality of answers: how many entries have one of some words. Given answers never exceed the maximum."""

    name: str
    """The shared property of the words: `the tag abbreviation`."""
    least: int = 0
    most: int | None = None
    tag: str = ""
    """The words have this tag in some list; empty for any words."""
    below: int | None = None
    """The words score less than this in the puzzle's own lists, which contain them; None for any score."""
    lengths: frozenset[int] = frozenset()
    """Lengths, in squares, of the entries counted; empty for any length."""

    def is_about(self, slot: Slot) -> bool:
        return not self.lengths or len(slot) in self.lengths

    def counts(self, tags: Collection[str], score: int | None) -> bool:
        """Whether a word counts, given its tags and its score (None if no list contains it)."""
        is_tagged = not self.tag or self.tag in tags
        return is_tagged and (self.below is None or (score is not None and score < self.below))


class RunsDiffer(NamedTuple):
    """All different: no two answers share `length` consecutive letters."""

    length: int


class StemsDiffer(NamedTuple):
    """All different: no two answers share a stem. The words of a group count as having one stem."""

    groups: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class AlteredEntries:
    """A group of entries that enter an altered form of their answers: all of them, or exactly `count`."""

    treatment: Treatment
    where: EntryGroup = None
    exactly: int | None = None
    """The number of altered entries; None for all."""
    letters: str = ""
    """The only letters that may be dropped, added or substituted; empty for any."""
    message: str = ""
    """The text that these letters spell in entry order, which fixes the number of altered entries."""
    is_asked: bool = True
    """Whether alteration is required; otherwise it is optional for each entry."""

    @property
    def count(self) -> int | None:
        """The number of altered entries; None for all. A message sets it to its length."""
        return len(self.message) if self.message else self.exactly

    def is_about(self, slot: Slot) -> bool:
        if isinstance(self.where, Direction):
            return slot.direction is self.where
        return self.where is None or slot.key in self.where

    def slot_treatments(self, entries: int) -> list[SlotTreatment]:
        """Return what each of this many entries, in clue order, may enter.

        With a message, an entry may carry only a letter that leaves enough entries before and after it for the
        rest of the message. A message with more letters than there are entries leaves these sets empty, which
        restricts nothing.
        """
        letters = "".join(sorted(self.letters))
        is_some = self.count is not None and self.count != entries
        if not self.message:
            may_be_plain = self.count is not None or not self.is_asked
            return [SlotTreatment(self.treatment, letters, may_be_plain, False)] * entries
        size = len(self.message)
        windows = (self.message[max(0, size - entries + at) : at + 1] for at in range(entries))
        return [SlotTreatment(self.treatment, "".join(sorted(set(some))), is_some, is_some) for some in windows]


def altered_entries(constraints: Sequence[Constraint], slots: Sequence[Slot]) -> dict[AlteredEntries, list[Slot]]:
    """Return each AlteredEntries constraint's entries in clue order; an entry belongs to the first about it."""
    groups = {each: list[Slot]() for each in constraints if isinstance(each, AlteredEntries)}
    for slot in slots if groups else ():
        for constraint, entries in groups.items():
            if constraint.is_about(slot):
                entries.append(slot)
                break
    return groups


class LettersAlong(NamedTuple):
    """A choice among paths: along at least one of them, the squares hold the given contents in order."""

    contents: tuple[Content, ...]
    place: str
    """The area whose windows are the paths; empty for straight lines."""
    lines: tuple[str, ...]
    """The kinds of straight lines."""
    backward: bool
    """Whether each path may also be read from its end."""
    over_blocks: bool
    name: str
    """Phrase for the message and its place: `NINA in any row or column`."""

    def ways(self, grid: Grid) -> Iterator[Way]:
        """Yield all paths, regardless of what their squares hold."""
        length = len(self.contents)
        if self.place:
            try:
                squares = tuple(at for at in area_named(grid, self.place).squares if grid[at].is_open)
            except PuzzleError:  # the grid has become smaller
                return
            if self.place.lower() == CLOSED:
                squares = squares + squares[: length - 1] if length <= len(squares) else ()
            runs = [squares]
        else:
            runs = list(_runs(grid, self.lines, over_blocks=self.over_blocks))
        for run in runs:
            for way in (run[start : start + length] for start in range(len(run) - length + 1)):
                yield way
                if self.backward:
                    yield way[::-1]

    def is_met(self, grid: Grid, standing: Mapping[Position, Content]) -> bool:
        return any(self.stands(way, standing) for way in self.ways(grid))

    def stands(self, way: Way, standing: Mapping[Position, Content]) -> bool:
        return tuple(map(standing.get, way)) == self.contents


class TwoReadings(NamedTuple):
    """Cardinality of squares: how many hold different letters for their across and down entries.

    Without `least`, `most` and a message, all of `squares` must.
    """

    squares: frozenset[Position] = frozenset()
    """The eligible squares; empty for any."""
    least: int | None = None
    most: int | None = None
    pairs: tuple[str, ...] = ()
    """The allowed pairs, each an across letter and a down letter; empty for any."""
    message: str = ""
    """The text that their letters spell row by row, which fixes their number."""
    by: Direction | None = Direction.ACROSS
    """The direction whose letters spell it. None means both: the across letter of each square before its down
    letter."""
    verb: str = "split"
    """The verb of the rule that requires it, which also names such squares."""

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """The required across and down letter of each square of the message; empty for any."""
        if self.by is None:
            return tuple(zip(self.message[::2], self.message[1::2], strict=True))
        letters = ((letter, "") for letter in self.message)
        return tuple(letters) if self.by is Direction.ACROSS else tuple(("", letter) for letter, _ in letters)

    @property
    def is_each(self) -> bool:
        return self.least is None and self.most is None and not self.message

    @property
    def bounds(self) -> tuple[int, int | None]:
        """Minimum and maximum number of such squares; None for no maximum."""
        if self.message:
            return len(self.steps), len(self.steps)
        if self.is_each:
            return len(self.squares), len(self.squares)
        return self.least or 0, self.most

    def places(self, grid: Grid, allowed: Mapping[Position, Sequence[Content]]) -> list[Position]:
        """Return the eligible squares, row by row: crossings for which no rule lists slash contents."""
        found = grid.checked & self.squares if self.squares else grid.checked
        return sorted(at for at in found if not any(each.is_schroedinger for each in allowed.get(at, ())))


Constraint: TypeAlias = (
    NewSquares
    | LetterCount
    | WordsPresent
    | AnswerCount
    | RunsDiffer
    | StemsDiffer
    | LettersAlong
    | InitialsDiffer
    | AlteredEntries
    | TwoReadings
)


CLOSED = "perimeter"
"""The area whose last square is followed by its first."""


def _runs(grid: Grid, kinds: Iterable[str], *, over_blocks: bool) -> Iterator[Way]:
    """Yield rightward or downward runs of open squares, which blocks and voids split unless `over_blocks`."""
    for kind in kinds:
        for line in _lines(grid, kind):
            if over_blocks:
                yield tuple(at for at in line if grid[at].is_open)
            else:
                yield from (tuple(run) for is_open, run in groupby(line, lambda at: grid[at].is_open) if is_open)


def _lines(grid: Grid, kind: str) -> Iterable[list[Position]]:
    """Return all lines of a kind; of the diagonals, those that run downward first."""
    lines: dict[tuple[int, int], list[Position]] = {}
    for at in (Position(row, column) for column in range(grid.width) for row in range(grid.height)):
        for key in enumerate(_NUMBERS[kind](at)):
            lines.setdefault(key, []).append(at)
    return [lines[key] for key in sorted(lines, key=lambda key: key[0])]


_NUMBERS: Mapping[str, Callable[[Position], tuple[int, ...]]] = {
    "row": lambda at: (at.row,),
    "column": lambda at: (at.column,),
    "diagonal": lambda at: (at.row - at.column, at.row + at.column),
}
"""For each kind of line, the key or keys that its squares share."""
