"""The ground that the classic fillers share: numbered squares and slots, and what stands on them.

Squares and slots are small numbers, in the order of the rows and of the clues. Each square holds
one symbol, which is a character: a letter or digit stands for itself, a given rebus square for a
private one, so that every entry is a plain string with one character a square (its spelling).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import EngineError
from xwtui.model import Content, Direction, Position, Slot

if TYPE_CHECKING:
    from xwtui.engine.task import Task

EMPTY = "?"
"""The symbol of a square without content."""

_FIRST_PRIVATE = 0xE000


class Place(NamedTuple):
    """Where a square lies in a slot, and its index along it."""

    slot: int
    at: int


class Crossing(NamedTuple):
    """Where another slot crosses one: the index along this one, the other slot, and the index along that."""

    at: int
    slot: int
    other_at: int


class BoardSlot(NamedTuple):
    """A slot of the board."""

    name: str
    direction: Direction
    squares: tuple[int, ...]
    words: tuple[str, ...]
    """Spellings of all words of its length, best score first; whatever stands there does not matter.

    Slots of one length without rebus squares share one tuple; a slot given whole has its answer alone.
    """


class Board:
    """A task as squares, slots and symbols; `put` and `take` change what stands, and watch the answers."""

    def __init__(self, task: Task) -> None:
        """Lay a task out, with its given squares on the board.

        Raises EngineError where it asks for more than words: rules and holes are for the fill engine alone.
        """
        if not task.rules.is_empty or task.holes:
            raise EngineError(
                "the classic strategies know no rules for entries, squares or answers: only xwtui does"
            )
        self.task = task
        self.allow_repeats = task.allow_repeats
        self._private = _private_symbols(task.given)
        chosen = [slot for slot in task.grid.slots if task.is_required(slot) or task.given_answer(slot)]
        self.positions: tuple[Position, ...] = tuple(sorted({at for slot in chosen for at in slot.positions}))
        """The position of each square."""
        self.numbers: Mapping[Position, int] = {at: number for number, at in enumerate(self.positions)}
        """The square at each position."""
        self._stock: dict[int, tuple[str, ...]] = {}
        self.slots: tuple[BoardSlot, ...] = tuple(map(self._lay_out, chosen))
        self.places: tuple[tuple[Place, ...], ...] = self._find_places()
        """The slots through each square, one or two, across first."""
        self.symbols: list[str] = [EMPTY] * len(self.positions)
        """What stands on each square now."""
        self.answers: Counter[str] = Counter()
        """How often each word, as it is read, stands in a slot that is filled."""
        self._open = [len(slot.squares) for slot in self.slots]
        self.given: Mapping[int, str] = {
            self.numbers[at]: self._symbol(content) for at, content in task.given.items() if at in self.numbers
        }
        """The symbol of each given square."""
        for square, symbol in self.given.items():
            self.put(square, symbol)

    # What stands

    def put(self, square: int, symbol: str) -> None:
        """Write a symbol on an empty square."""
        self.symbols[square] = symbol
        for slot, _ in self.places[square]:
            self._open[slot] -= 1
            if not self._open[slot]:
                self.answers[self.read(slot, self.pattern(slot))] += 1

    def take(self, square: int) -> None:
        """Empty a square."""
        for slot, _ in self.places[square]:
            if not self._open[slot]:
                self.answers[self.read(slot, self.pattern(slot))] -= 1
            self._open[slot] += 1
        self.symbols[square] = EMPTY

    def put_word(self, slot: int, spelling: str) -> tuple[int, ...]:
        """Write a word that agrees with what stands; returns the squares that were empty before."""
        empty = [
            (square, symbol)
            for square, symbol in zip(self.slots[slot].squares, spelling, strict=True)
            if self.symbols[square] == EMPTY
        ]
        for square, symbol in empty:
            self.put(square, symbol)
        return tuple(square for square, _ in empty)

    def take_all(self, squares: Sequence[int]) -> None:
        """Empty squares."""
        for square in squares:
            self.take(square)

    def pattern(self, slot: int) -> str:
        """What stands in a slot, EMPTY for an empty square."""
        return "".join([self.symbols[square] for square in self.slots[slot].squares])

    def is_filled(self, slot: int) -> bool:
        """Whether every square of a slot has content."""
        return not self._open[slot]

    @property
    def has_repeats(self) -> bool:
        """Whether a word that stands twice forbids what stands."""
        return not self.allow_repeats and any(count > 1 for count in self.answers.values())

    def is_taken(self, slot: int, spelling: str) -> bool:
        """Whether another entry has the word already, and none may stand twice.

        `slot` is one not filled yet, or filled by its crossings with just that word.
        """
        return not self.allow_repeats and self.answers[self.read(slot, spelling)] > self.is_filled(slot)

    def would_repeat(self, square: int, symbol: str) -> bool:
        """Whether a symbol on an empty square makes two answers equal, where they must differ."""
        if self.allow_repeats:
            return False
        words: list[str] = []
        for slot, at in self.places[square]:
            if self._open[slot] == 1:
                pattern = self.pattern(slot)
                words.append(self.read(slot, pattern[:at] + symbol + pattern[at + 1 :]))
        return any(self.answers[word] for word in words) or len(set(words)) < len(words)

    def contents(self) -> dict[Position, Content]:
        """What stands, as the model says it."""
        standing = zip(self.positions, self.symbols, strict=True)
        return {at: self.content(symbol) for at, symbol in standing if symbol != EMPTY}

    # Names and words

    def content(self, symbol: str) -> Content:
        """The content that a symbol stands for."""
        return self._private_contents.get(symbol) or Content.of(symbol)

    def read(self, slot: int, spelling: str) -> str:
        """A slot's spelling as it is read in the slot's direction."""
        private = self._private_contents
        if not private:
            return spelling
        direction = self.slots[slot].direction
        return "".join(private[one].reading(direction) if one in private else one for one in spelling)

    def score(self, word: str) -> int:
        """The score of a word as it is read; 0 for a given one that no list has."""
        return self.task.lexicon.score(word) or 0

    @cached_property
    def crossings(self) -> tuple[tuple[Crossing, ...], ...]:
        """The slots that cross each slot, in the order of its squares."""
        return tuple(
            tuple(
                Crossing(index, place.slot, place.at)
                for index, square in enumerate(slot.squares)
                for place in self.places[square]
                if place.slot != number
            )
            for number, slot in enumerate(self.slots)
        )

    def flaw(self) -> str:
        """Why the given squares alone forbid every fill, in a constructor's words; empty if they do not."""
        for number, slot in enumerate(self.slots):
            pattern = self.pattern(number)
            if pattern == EMPTY * len(pattern):
                is_possible = bool(slot.words)
            else:
                is_possible = any(fits(pattern, word) for word in slot.words)
            if not is_possible:
                position = self.positions[slot.squares[0]]
                named = self.task.grid.slot_at(position, slot.direction)
                return f"{slot.name}: no word fits {self.task.pattern(named) if named else pattern}"
        if self.has_repeats:
            word = next(word for word, count in self.answers.items() if count > 1)
            return f"{word} is given twice"
        return ""

    # Laying out

    def _lay_out(self, slot: Slot) -> BoardSlot:
        squares = tuple(self.numbers[at] for at in slot.positions)
        return BoardSlot(slot.name, slot.direction, squares, self._spellings(slot))

    def _spellings(self, slot: Slot) -> tuple[str, ...]:
        """The words of a slot, squeezed where it has rebus squares."""
        given = self.task.given
        answer = self.task.given_answer(slot)
        if answer is not None:
            return ("".join(map(self._symbol, answer)),)
        contents = [given.get(at) for at in slot.positions]
        if not any(content is not None and content.is_rebus for content in contents):
            return self._words(len(contents))
        rebuses = [content if content is not None and content.is_rebus else None for content in contents]
        length = sum(len(rebus.reading(slot.direction)) if rebus else 1 for rebus in rebuses)
        spelled = (self._squeeze(word, rebuses, slot.direction) for word in self._words(length))
        return tuple(spelling for spelling in spelled if spelling is not None)

    def _squeeze(self, word: str, rebuses: Sequence[Content | None], direction: Direction) -> str | None:
        """The spelling of a word along squares some of which are rebus squares; None if it does not fit."""
        symbols: list[str] = []
        at = 0
        for rebus in rebuses:
            reading = rebus.reading(direction) if rebus else word[at]
            if not word.startswith(reading, at):
                return None
            symbols.append(self._symbol(rebus) if rebus else reading)
            at += len(reading)
        return "".join(symbols)

    def _words(self, length: int) -> tuple[str, ...]:
        if length not in self._stock:
            self._stock[length] = tuple(self.task.lexicon.table(length).words())
        return self._stock[length]

    def _symbol(self, content: Content) -> str:
        return self._private.get(content, content.across)

    @cached_property
    def _private_contents(self) -> Mapping[str, Content]:
        return {symbol: content for content, symbol in self._private.items()}

    def _find_places(self) -> tuple[tuple[Place, ...], ...]:
        places: list[list[Place]] = [[] for _ in self.positions]
        for number, slot in enumerate(self.slots):
            for index, square in enumerate(slot.squares):
                places[square].append(Place(number, index))
        return tuple(map(tuple, places))


def fits(pattern: str, spelling: str) -> bool:
    """Whether a spelling agrees with a pattern of the same length."""
    return all(symbol in (EMPTY, letter) for symbol, letter in zip(pattern, spelling, strict=True))


def _private_symbols(given: Mapping[Position, Content]) -> dict[Content, str]:
    """A private character for each rebus content in play."""
    rebuses = dict.fromkeys(content for content in given.values() if content.is_rebus)
    return {content: chr(_FIRST_PRIVATE + number) for number, content in enumerate(rebuses)}
