"""Segmentation: the ways in which words fit squares that may hold more than one letter.

A square that may hold a letter or HEART takes one letter of SWEETHEART or its last five. All words of a length are
placed at once, square by square; rows that have used equally many characters continue as one group. `Requirements`
determines what the squares of a task may hold: given contents, contents from rules, and new rebuses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.problem.symbols import Symbols, plain_symbols
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.model import Content, Direction, Position, Slot
from xwtui.model.alphabet import Alphabet
from xwtui.model.rules.constraints import LettersAlong, NewSquares

MOST_WAYS = 500_000
"""Maximum number of ways for the words of one length in a slot; more would take too much memory."""

Letters = NDArray[np.uint8]
Reading: TypeAlias = bytes


ANY = (1 << SYMBOLS) - 1
"""The value of `SquareChoice.plain` if any letter or digit is allowed, whatever the alphabet."""


class SquareChoice(NamedTuple):
    """What a square may hold, as read by one of its slots."""

    plain: int
    """The plain characters, as bits."""
    rebuses: tuple[tuple[int, bytes], ...] = ()
    """The code of each rebus symbol, and the codes of the characters that it reads as."""
    is_given: bool = False
    """Whether the square is given; a rebus in a given square does not count as new."""

    @property
    def is_free(self) -> bool:
        """Whether the square may hold any plain character, and no rebus."""
        return self.plain == ANY and not self.rebuses

    @property
    def sizes(self) -> frozenset[int]:
        """How many characters of an answer the square may take."""
        return frozenset([1] * (self.plain != 0) + [len(reading) for _, reading in self.rebuses])


FREE = SquareChoice(ANY)


class SearchedWords:
    """The letters of words of one length, shape (words, characters), with cached substring searches."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self._containing: dict[Reading, NDArray[np.bool_]] = {}

    @property
    def bytes(self) -> int:
        return self.letters.nbytes + len(self._containing) * len(self.letters)

    def containing(self, reading: Reading) -> NDArray[np.bool_]:
        """Return whether each word contains a reading's characters as a substring."""
        found = self._containing.get(reading)
        if found is None:
            found = self._containing[reading] = _contains(self.letters, reading)
        return found


class Segments(NamedTuple):
    """Words in squares: their rows in the array of letters, and their symbols, shape (rows, squares)."""

    rows: NDArray[np.intp]
    symbols: Letters


class _Group(NamedTuple):
    """Rows that have used equally many characters; `new` counts each row's new rebuses."""

    rows: NDArray[np.intp]
    symbols: Letters
    new: NDArray[np.uint8]

    def take(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> _Group:
        return _Group(self.rows[kept], self.symbols[kept], self.new[kept])


def answer_lengths(choices: Sequence[SquareChoice], most_new: int) -> list[int]:
    """Return the possible lengths of an answer if at most this many squares hold a new rebus."""
    reached = {(0, 0)}
    for choice in choices:
        reached = {
            (characters + size, new + cost)
            for characters, new in reached
            for size, cost in _sizes_and_costs(choice)
            if new + cost <= most_new
        }
    return sorted({characters for characters, _ in reached})


def _sizes_and_costs(choice: SquareChoice) -> set[tuple[int, int]]:
    """Return the sizes of a square's contents, each with its cost in new rebuses: 0 or 1."""
    cost = 0 if choice.is_given else 1
    plain = {(1, 0)} if choice.plain else set()
    return plain | {(len(reading), cost) for _, reading in choice.rebuses}


def segment(words: SearchedWords, choices: Sequence[SquareChoice], most_new: int) -> Segments:
    """Place words of one length in every way that the squares allow, one row for each way.

    At most `most_new` squares hold a new rebus. Raises EngineError for more than MOST_WAYS ways.
    """
    letters = words.letters
    length = letters.shape[1]
    to_go = _remaining_lengths(choices)
    choices = _possible(choices, to_go, length)
    if length == len(choices) and all(choice.is_free for choice in choices):
        return Segments(np.arange(len(letters)), letters)
    rows = _likely_rows(words, choices)
    start = _Group(rows, np.empty((len(rows), len(choices)), np.uint8), np.zeros(len(rows), np.uint8))
    groups = {0: start}
    for index, choice in enumerate(choices):
        moved: dict[int, list[_Group]] = {}
        for offset, group in groups.items():
            for size, part in _moves(letters, group, offset, index, choice, most_new):
                if length - offset - size in to_go[index + 1]:
                    moved.setdefault(offset + size, []).append(part)
        groups = {offset: _merged(parts) for offset, parts in moved.items()}
        if sum(len(group.rows) for group in groups.values()) > MOST_WAYS:
            raise EngineError(
                f"words divide into its squares in more than {MOST_WAYS:,} ways; allow fewer contents or squares"
            )
    last = groups.get(length, start.take(np.zeros(len(rows), bool)))
    return Segments(last.rows, last.symbols)


def _remaining_lengths(choices: Sequence[SquareChoice]) -> list[set[int]]:
    """For each square, return how many characters it and the following ones may take; after the last, none."""
    sums = [{0}]
    for choice in reversed(choices):
        sums.append({size + rest for size in choice.sizes for rest in sums[-1]})
    return sums[::-1]


def _possible(choices: Sequence[SquareChoice], to_go: Sequence[set[int]], length: int) -> list[SquareChoice]:
    """Remove contents whose size cannot be part of any division of the length over all squares."""
    possible: list[SquareChoice] = []
    gone = {0}
    for choice, rest in zip(choices, to_go[1:], strict=True):
        sizes = {size for size in choice.sizes if any(length - size - start in rest for start in gone)}
        kept = tuple((code, reading) for code, reading in choice.rebuses if len(reading) in sizes)
        possible.append(SquareChoice(choice.plain if 1 in sizes else 0, kept, choice.is_given))
        gone = {start + size for start in gone for size in sizes}
    return possible


def _likely_rows(words: SearchedWords, choices: Sequence[SquareChoice]) -> NDArray[np.intp]:
    """Return the rows that may have a segmentation, by quick tests on all rows at once.

    Squares before the first and after the last one of variable size lie at known characters. A word longer than
    the least number of characters must contain the characters of some rebus.
    """
    letters = words.letters
    fits = np.ones(len(letters), bool)
    for character, choice in _anchored(choices, letters.shape[1]):
        fits &= _match(letters, character, choice)
    least = sum(1 if choice.plain else min(choice.sizes, default=0) for choice in choices)
    readings = {reading for choice in choices if len(choice.sizes) > 1 for _, reading in choice.rebuses}
    if letters.shape[1] != least and readings:
        fits &= np.logical_or.reduce([words.containing(reading) for reading in readings])
    return np.flatnonzero(fits)


def _anchored(choices: Sequence[SquareChoice], length: int) -> list[tuple[int, SquareChoice]]:
    """Return the squares at known characters that do not take every character, with their first characters."""
    found: list[tuple[int, SquareChoice]] = []
    start, end = 0, length
    for choice in choices:
        if len(choice.sizes) != 1:
            break
        found.append((start, choice))
        start += min(choice.sizes)
    else:
        return [(at, choice) for at, choice in found if not choice.is_free]
    for choice in reversed(choices):
        if len(choice.sizes) != 1:
            break
        end -= min(choice.sizes)
        found.append((end, choice))
    return [(at, choice) for at, choice in found if not choice.is_free and 0 <= at < length]


def _match(letters: Letters, character: int, choice: SquareChoice) -> NDArray[np.bool_]:
    """Return which words have one of a choice's contents starting at a character."""
    fits: NDArray[np.bool_] = _allowed(choice.plain)[letters[:, character]]
    for _, reading in choice.rebuses:
        fits |= _reads(letters, character, reading)
    return fits


def _allowed(plain: int) -> NDArray[np.bool_]:
    """Return whether each character is in a mask, indexed by its code."""
    return np.array([plain >> code & 1 for code in range(SYMBOLS)], bool)


def _reads(letters: Letters, character: int, reading: bytes) -> NDArray[np.bool_]:
    """Return which words have this reading starting at a character."""
    fits = np.full(len(letters), character + len(reading) <= letters.shape[1])
    if character + len(reading) <= letters.shape[1]:
        for place, code in enumerate(reading, character):
            fits &= letters[:, place] == code
    return fits


def _contains(letters: Letters, reading: bytes) -> NDArray[np.bool_]:
    """Return which words contain a reading's characters as a substring."""
    starts = letters.shape[1] - len(reading) + 1
    if starts <= 0:
        return np.zeros(len(letters), bool)
    found = letters[:, :starts] == reading[0]
    for place, code in enumerate(reading[1:], 1):
        found &= letters[:, place : place + starts] == code
    contained: NDArray[np.bool_] = found.any(axis=1)
    return contained


def _moves(
    letters: Letters, group: _Group, offset: int, index: int, choice: SquareChoice, most_new: int
) -> list[tuple[int, _Group]]:
    """Extend a group's rows by one square, for each of its contents; return each with its number of characters."""
    moves: list[tuple[int, _Group]] = []
    cost = 0 if choice.is_given else 1
    for code, reading in choice.rebuses:
        if offset + len(reading) <= letters.shape[1]:
            fits = group.new + cost <= most_new
            for place, character in enumerate(reading, offset):
                fits &= letters[group.rows, place] == character
            part = group.take(fits)
            part.symbols[:, index] = code
            moves.append((len(reading), part._replace(new=part.new + np.uint8(cost))))
    if choice.plain and offset < letters.shape[1]:
        shown = letters[group.rows, offset]
        if choice.plain != ANY:
            fits = _allowed(choice.plain)[shown]
            group, shown = group.take(fits), shown[fits]
        group.symbols[:, index] = shown
        moves.append((1, group))
    return [(size, part) for size, part in moves if len(part.rows)]


def unsplit(segments: Segments, choices: Sequence[SquareChoice], alphabet: Alphabet) -> Segments:
    """Keep segmentations in which each digraph of the alphabet takes one square, unless its squares are given."""
    kept = np.ones(len(segments.rows), bool)
    for digraph in map(plain_symbols(alphabet).of_text, alphabet.digraphs):
        for start in range(len(choices) - len(digraph) + 1):
            if not all(choice.is_given for choice in choices[start : start + len(digraph)]):
                kept &= ~_reads(segments.symbols, start, digraph)
    return segments if kept.all() else Segments(segments.rows[kept], segments.symbols[kept])


def _merged(parts: list[_Group]) -> _Group:
    if len(parts) == 1:
        return parts[0]
    rows, symbols, new = zip(*parts, strict=True)
    return _Group(np.concatenate(rows), np.concatenate(symbols), np.concatenate(new))


@dataclass(frozen=True, eq=False)
class Requirements:
    """For each square of a task, the symbols that it may hold."""

    task: Task
    symbols: Symbols

    @classmethod
    def of(cls, task: Task) -> Requirements:
        """Collect the contents in play; raises EngineError for too many different rebuses."""
        rules = task.rules
        contents = [task.shown(at, way) for at in task.given for way in Direction]
        contents += [content for allowed in rules.squares.values() for content in allowed]
        contents += [content for new in rules.new_squares for content in new.contents]
        along = [each for each in rules.constraints if isinstance(each, LettersAlong)]
        contents += [content for each in along for content in each.contents]
        return cls(task, Symbols.of_contents(contents, task.lexicon.alphabet))

    @cached_property
    def masks(self) -> Mapping[Position, int]:
        """The symbols that each open square may hold, as bits; any plain character by default."""
        masks: dict[Position, int] = {}
        for position in self.task.grid.open_positions():
            if position in self.task.given:
                masks[position] = self.symbols.mask(self.task.shown(position, way) for way in Direction)
            elif position in self.task.rules.squares:
                masks[position] = self.symbols.mask(self.task.rules.squares[position])
            else:
                masks[position] = self.symbols.free
        for new in self.task.rules.new_squares:
            for position in self.places_for(new) - self.task.rules.squares.keys():
                masks[position] |= self.symbols.mask(new.contents)
        for new in self.task.rules.new_squares:
            mask = self.symbols.mask(new.contents)
            for position in self.free - self.places_for(new):
                masks[position] &= ~mask
            for position in self.placed(new.contents) if new.symmetric else ():
                for mirror in self.mirrors(position) & self.free:
                    masks[mirror] &= mask
        return masks

    def placed(self, contents: Collection[Content]) -> list[Position]:
        """Return the squares in pencil outside a selection that hold one of these contents; they stay."""
        task = self.task
        if task.selection is None:
            return []
        return [at for at, content in task.given.items() if content in contents and not task.grid[at].is_given]

    def places_for(self, new: NewSquares) -> frozenset[Position]:
        """Return where new rebuses may go: free squares, if symmetric only those whose mirrors qualify too.

        A given square that already has one of the contents qualifies as a mirror.
        """
        if not new.symmetric:
            return self.free
        fitting = self.free | {at for at, content in self.task.given.items() if content in new.contents}
        return frozenset(position for position in self.free if self.mirrors(position) <= fitting)

    def mirrors(self, position: Position) -> frozenset[Position]:
        """Return a square and all its images under the task's symmetry."""
        return self.task.symmetry.orbit(position, self.task.grid.height, self.task.grid.width)

    @cached_property
    def free(self) -> frozenset[Position]:
        """The squares that can get a new rebus: to be filled, and in two entries."""
        return self.squares_to_fill & self.task.grid.checked

    @cached_property
    def squares_to_fill(self) -> frozenset[Position]:
        """The squares that a fill writes: those of entries or of a selection, neither given nor holes."""
        squares = {position for slot in self.task.grid.entries for position in slot.positions}
        if self.task.selection is not None:
            squares &= self.task.selection
        return frozenset(squares - self.task.given.keys() - self.task.holes)

    @property
    def _has_digraphs(self) -> bool:
        return bool(self.symbols.alphabet.digraphs)

    def is_free(self, slot: Slot) -> bool:
        """Whether a slot takes exactly the words of its length: neither it nor its squares are restricted."""
        task, asked_of = self.task, self._restricted_squares
        is_untouched = not asked_of or asked_of.isdisjoint(slot.positions)
        is_plain = not (task.rules.new_squares or self._has_digraphs or task.treatment(slot) or slot.reads_twice)
        return is_untouched and is_plain and task.entry_rules(slot).is_empty and slot.key not in task.own_words

    @cached_property
    def _restricted_squares(self) -> frozenset[Position]:
        """The squares that are given or have rules of their own."""
        return frozenset(self.task.given.keys() | self.task.rules.squares.keys())

    def choices(self, slot: Slot) -> tuple[SquareChoice, ...]:
        """Return what each square of a slot's `reading` may hold, as the slot reads it."""
        return tuple(
            self.choice(self._mask(at, way), way, is_given=at in self.task.given)
            for at, way in zip(slot.reading, slot.directions, strict=True)
        )

    def _mask(self, at: Position, direction: Direction) -> int:
        """Return the symbols that a square may have for an entry in a direction."""
        return self.symbols.mask([self.task.shown(at, direction)]) if at in self.task.given else self.masks[at]

    def choice(self, mask: int, direction: Direction, *, is_given: bool) -> SquareChoice:
        """Return what a square with these symbols, as bits, may hold, as read in a direction."""
        every = self.symbols.plain.mask
        if mask == every:
            return FREE
        readings = tuple(
            (code, self.symbols.plain.of_text(content.reading(direction)))
            for code, content in enumerate(self.symbols.rebuses, self.symbols.first_rebus)
            if mask >> code & 1
        )
        return SquareChoice(ANY if mask & every == every else mask & every, readings, is_given)

    def most_new(self, slot: Slot) -> int:
        """Return the maximum number of new rebuses in a slot."""
        if self._has_digraphs:
            return len(slot)
        own = sum(position in self.task.rules.squares for position in slot.reading)
        return min(len(slot), own + sum(new.most for new in self.task.rules.new_squares))
