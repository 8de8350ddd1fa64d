"""What rules come to for a fill: constraints as plain values, which the engine and the strategies can keep.

A constraint names contents, words and letters, never rows or bits: `engine/problem` lays it out for the search,
and `strategies/board` judges a full grid by it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.entering import SlotTreatment, Treatment
from xwtui.model.grid import Grid
from xwtui.model.selection import area_named
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Direction, Position
from xwtui.named_tuples import NamedTuple
from xwtui.text import counted

Way: TypeAlias = tuple[Position, ...]
"""The squares that a message takes, in the order in which it is read."""

EntryGroup: TypeAlias = Direction | frozenset[SlotKey] | None
"""Entries: those of a direction, those that begin where a list says, or all."""


class NewSquares(NamedTuple):
    """A cardinality of squares: so many of those that the filler decides on hold one of some rebus contents."""

    contents: tuple[Content, ...]
    least: int
    most: int
    each: bool = False
    """Whether every content is there at least once."""
    symmetric: bool = False
    """Whether a square holds one only if its mirrors do."""

    @property
    def words(self) -> str:
        """What is asked: `4..6 new squares with [HEART], in symmetry`."""
        from_least = "" if self.least == self.most else f"{self.least}.."
        parts = [f"{from_least}{counted(self.most, 'new square')} with {' or '.join(map(str, self.contents))}"]
        parts += ["each at least once"] if self.each else []
        parts += ["in symmetry"] if self.symmetric else []
        return ", ".join(parts)


class LetterCount(NamedTuple):
    """A cardinality of squares: so many hold a letter, alone or in a rebus."""

    letter: str
    least: int = 0
    most: int | None = None
    checked: bool = False
    """Whether only squares count that are in two entries."""

    @property
    def name(self) -> str:
        return f"{self.letter} where answers cross" if self.checked else self.letter

    def counts(self, content: Content) -> bool:
        return self.letter in content.across + content.down


class InitialsDiffer(NamedTuple):
    """All different: no two answers begin with the same letter in two squares; and some letters each begin one."""

    each: str


class WordsPresent(NamedTuple):
    """A cardinality of answers: at least so many of some words stand in the grid, each counted once."""

    words: tuple[str, ...]
    least: int
    name: str
    """What they are, for one: `wanted word`."""


class AnswerCount(NamedTuple):
    """A cardinality of answers: of some entries, so many have one of some words; given ones are never too many."""

    name: str
    """What these have: `the tag abbreviation`."""
    least: int = 0
    most: int | None = None
    tag: str = ""
    """The words bear this tag in some list; empty for no matter which tags."""
    below: int | None = None
    """They score less than that in the puzzle's own lists, which have them; None for no matter what score."""
    lengths: frozenset[int] = frozenset()
    """How many squares the entries have; empty for no matter how many."""

    def is_about(self, slot: Slot) -> bool:
        return not self.lengths or len(slot) in self.lengths

    def counts(self, tags: Collection[str], score: int | None) -> bool:
        """Whether a word is one of them, by its tags, and by its score, None if no list has it."""
        is_tagged = not self.tag or self.tag in tags
        return is_tagged and (self.below is None or (score is not None and score < self.below))


class RunsDiffer(NamedTuple):
    """All different: no two answers share so many letters in a row."""

    length: int


class StemsDiffer(NamedTuple):
    """All different: no two answers share a stem; the words of a group have one stem in common."""

    groups: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class TreatedEntries:
    """Some entries enter something else than their answers, all of them or exactly so many."""

    treatment: Treatment
    where: EntryGroup = None
    exactly: int | None = None
    """How many of them; None for each."""
    letters: str = ""
    """The only letters that are dropped, added or entered; empty for any."""
    message: str = ""
    """What these letters spell, in the order of the entries: then there are as many as it has letters."""
    is_asked: bool = True
    """Whether they must; else each of them may."""

    @property
    def count(self) -> int | None:
        """How many are entered otherwise; None for each, or as many as the message has letters."""
        return len(self.message) if self.message else self.exactly

    def is_about(self, slot: Slot) -> bool:
        if isinstance(self.where, Direction):
            return slot.direction is self.where
        return self.where is None or slot.key in self.where

    def slot_treatments(self, entries: int) -> list[SlotTreatment]:
        """What each of so many entries, in the order of the clues, may enter.

        An entry may drop that letter of a message alone which so many entries before it and after it leave it.
        Where there are more letters than entries, the last ones have none to drop, and may enter nothing.
        """
        letters = "".join(sorted(self.letters))
        is_some = self.count is not None and self.count != entries
        if not self.message:
            may_be_plain = self.count is not None or not self.is_asked
            return [SlotTreatment(self.treatment, letters, may_be_plain, False)] * entries
        size = len(self.message)
        windows = (self.message[max(0, size - entries + at) : at + 1] for at in range(entries))
        return [SlotTreatment(self.treatment, "".join(sorted(set(some))), is_some, is_some) for some in windows]


def treated_entries(constraints: Sequence[Constraint], slots: Sequence[Slot]) -> dict[TreatedEntries, list[Slot]]:
    """The entries of each such constraint, in the order of the clues; one that several name is of the first."""
    groups = {each: list[Slot]() for each in constraints if isinstance(each, TreatedEntries)}
    for slot in slots if groups else ():
        for constraint, entries in groups.items():
            if constraint.is_about(slot):
                entries.append(slot)
                break
    return groups


class LettersAlong(NamedTuple):
    """A choice among ways through the grid: along one of them the squares hold some contents in their order."""

    contents: tuple[Content, ...]
    place: str
    """What the ways are windows of; empty for straight lines."""
    lines: tuple[str, ...]
    """The kinds of straight lines."""
    backward: bool
    """Whether each way may be taken from its end, too."""
    over_blocks: bool
    name: str
    """What stands where: `NINA in any row or column`."""

    def ways(self, grid: Grid) -> Iterator[Way]:
        """All ways, whatever stands there."""
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
    """A cardinality of squares: so many hold one letter of their across entry and another one of their down entry.

    With neither `least` nor `most` nor a message it is each of the squares.
    """

    squares: frozenset[Position] = frozenset()
    """Where they may be; anywhere, if none are named."""
    least: int | None = None
    most: int | None = None
    pairs: tuple[str, ...] = ()
    """The only pairs, each the across letter and the down letter; any, if none are named."""
    message: str = ""
    """What their letters spell, row by row: then there are as many as it takes."""
    by: Direction | None = Direction.ACROSS
    """Whose letters spell it; None for both, the across letter of each square before its down letter."""
    verb: str = "split"
    """That of the rule that asks it, which is what such squares are called, too."""

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """For each square of the message its across letter and its down letter, empty for any."""
        if self.by is None:
            return tuple(zip(self.message[::2], self.message[1::2], strict=True))
        letters = ((letter, "") for letter in self.message)
        return tuple(letters) if self.by is Direction.ACROSS else tuple(("", letter) for letter, _ in letters)

    @property
    def is_each(self) -> bool:
        return self.least is None and self.most is None and not self.message

    @property
    def bounds(self) -> tuple[int, int | None]:
        """How many do, at least and at most; None for no limit."""
        if self.message:
            return len(self.steps), len(self.steps)
        if self.is_each:
            return len(self.squares), len(self.squares)
        return self.least or 0, self.most

    def places(self, grid: Grid, allowed: Mapping[Position, Sequence[Content]]) -> list[Position]:
        """Where they may be, row by row: where entries cross, and no rule names pairs for the square."""
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
    | TreatedEntries
    | TwoReadings
)


CLOSED = "perimeter"
"""The place whose last square is followed by its first."""


def _runs(grid: Grid, kinds: Iterable[str], *, over_blocks: bool) -> Iterator[Way]:
    """The open squares of rows, columns and diagonals, all from left to right or downwards.

    Blocks and voids part a line, unless it goes on over them.
    """
    for kind in kinds:
        for line in _lines(grid, kind):
            if over_blocks:
                yield tuple(at for at in line if grid[at].is_open)
            else:
                yield from (tuple(run) for is_open, run in groupby(line, lambda at: grid[at].is_open) if is_open)


def _lines(grid: Grid, kind: str) -> Iterable[list[Position]]:
    """All lines of a kind; of diagonals those that go down, then those that go up."""
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
"""What the squares of one line have in common."""
