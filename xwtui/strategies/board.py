"""The board that the classic fillers share: numbered squares and slots, and their contents.

Squares and slots are small integers, in the order of the rows and of the clue numbers. Each square holds one
symbol, a single character: a letter or digit stands for itself, a rebus square for a private-use character. So
every entry is a plain string with one character per square, called its spelling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, groupby
from operator import itemgetter
from random import Random
from typing import NamedTuple

from xwtui.engine.problem.task import Task, no_word_fits
from xwtui.errors import EngineError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, Position, Slot
from xwtui.model.rules.constraints import (
    AnswerCount,
    InitialsDiffer,
    LetterCount,
    LettersAlong,
    RunsDiffer,
    StemsDiffer,
    WordsPresent,
)
from xwtui.model.rules.distinct import runs
from xwtui.words.repeats import Roots, roots_by

with lazy_imports():
    import numpy as np

    from xwtui.engine.problem.segmentation import Requirements, SquareChoice
    from xwtui.engine.problem.symbols import Symbols
    from xwtui.engine.problem.word_stock import stock_of

_FIRST_PRIVATE = 0xE000


class Spellings:
    """The spellings of a task's slots; private-use characters stand for contents other than letters and digits."""

    def __init__(self, task: Task) -> None:
        """Collect the contents in play; raises EngineError for too many different rebus squares."""
        self._task = task
        self.contents: Mapping[Position, Content] = {**task.assumptions.contents, **task.given}
        """The initial contents of squares, given or assumed."""
        in_play = [*self.contents.values(), *(one for own in task.rules.squares.values() for one in own)]
        self._symbols = Symbols.of_contents(in_play, task.lexicon.alphabet)
        self._requirements = Requirements(task, self._symbols)
        rebuses = (content for content in self._symbols.rebuses if content.is_rebus)
        self._private = {content: chr(_FIRST_PRIVATE + number) for number, content in enumerate(rebuses)}

    def symbol(self, content: Content) -> str:
        return self._private.get(content, content.across)

    @cached_property
    def private_contents(self) -> Mapping[str, Content]:
        return {symbol: content for content, symbol in self._private.items()}

    def of(self, slots: Sequence[Slot]) -> list[tuple[str, ...]]:
        """Return all spellings of each slot, best score first; slots with equal spellings share one tuple.

        Given and assumed letters are ignored here except in rebus squares: the look-ups match them later. Raises
        EngineError for a rule whose pattern takes too long to match, and for words that divide into a slot's
        squares in too many ways.
        """
        made: dict[object, tuple[str, ...]] = {}
        return [self._of(slot, made) for slot in slots]

    def _of(self, slot: Slot, made: dict[object, tuple[str, ...]]) -> tuple[str, ...]:
        answer = self._task.given_answer(slot)
        if answer is not None:
            return ("".join(map(self.symbol, answer)),)
        choices = tuple(self._choice(at, slot.direction) for at in slot.positions)
        key = choices, self._task.entry_rules(slot)
        if key not in made:
            with failing_as(EngineError, slot.name, of=EngineError):
                rows = stock_of(self._task).spellings(*key)
            characters = np.array([*map(self.symbol, self._symbols.contents)])
            made[key] = tuple(characters[rows].view(f"<U{len(choices)}").ravel().tolist())
        return self._without_ruled_out(slot, made[key])

    def _choice(self, position: Position, direction: Direction) -> SquareChoice:
        content, own = self.contents.get(position), self._task.rules.squares.get(position)
        if content is not None and content.is_rebus:
            return self._requirements.choice(self._symbols.mask([content]), direction, is_given=True)
        is_any = content is not None or own is None
        mask = self._symbols.free if is_any else self._symbols.mask(own or ())
        return self._requirements.choice(mask, direction, is_given=False)

    def _without_ruled_out(self, slot: Slot, spellings: tuple[str, ...]) -> tuple[str, ...]:
        assumed = self._task.assumptions
        barred = {"".join(map(self.symbol, row)) for row in assumed.entries.get(slot.name, ())}
        denied = [
            (at, {self.symbol(one) for one in assumed.squares[position]})
            for at, position in enumerate(slot.positions)
            if position in assumed.squares
        ]
        if not barred and not denied:
            return spellings
        return tuple(
            one for one in spellings if one not in barred and not any(one[at] in those for at, those in denied)
        )


class WholeGrid:
    """Checks full grids of a task against the rules for the whole grid."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._known_roots: dict[tuple[frozenset[str], ...], Roots] = {}
        given = {slot.name for slot in task.grid.entries if task.given_answer(slot) is not None}
        self._given = frozenset(given)
        self.has_constraints = bool(task.rules.constraints)

    def breach(self, answers: Mapping[str, str], squares: Mapping[Position, Content]) -> str:
        """Return the requirement that a full grid breaks, such as `a square with Q`; empty if it obeys all."""
        return next(self._breaches(answers, squares), "")

    def _breaches(self, answers: Mapping[str, str], squares: Mapping[Position, Content]) -> Iterator[str]:
        for constraint in self._task.rules.constraints:
            match constraint:
                case WordsPresent():
                    yield from self._too_few(constraint, answers)
                case LetterCount():
                    yield from self._miscounted(constraint, {**self._task.given, **squares})
                case LettersAlong() if self._task.completes_grid:
                    if not constraint.is_met(self._task.grid, {**self._task.given, **squares}):
                        yield constraint.name
                case InitialsDiffer(each) if self._task.completes_grid:
                    missing = sorted(set(each) - {word[0] for word in answers.values()})
                    yield from (f"an answer that begins with {letter}" for letter in missing)
                case AnswerCount():
                    yield from self._too_many_or_few(constraint, answers)
        for one, other in combinations(answers, 2):
            if not {one, other} <= self._given:
                yield from self._shared(answers[one], answers[other])
                yield from self._same_initials((one, answers[one]), (other, answers[other]))

    def _too_few(self, present: WordsPresent, answers: Mapping[str, str]) -> Iterator[str]:
        found = set(answers.values()).intersection(present.words)
        if self._task.completes_grid and len(found) < present.least:
            yield f"{present.least} or more of the {present.name}s"

    def _miscounted(self, constraint: LetterCount, contents: Mapping[Position, Content]) -> Iterator[str]:
        counted = self._task.grid.checked if constraint.checked else contents.keys()
        held = {at for at in counted & contents.keys() if constraint.counts(contents[at])}
        if self._task.completes_grid and len(held) < constraint.least:
            squares = "a square" if constraint.least == 1 else f"{constraint.least} squares"
            yield f"{squares} with {constraint.letter}"
        if constraint.most is not None and len(held) > max(constraint.most, len(held & self._task.given.keys())):
            yield f"at most {constraint.most} squares with {constraint.letter}"

    def _too_many_or_few(self, constraint: AnswerCount, answers: Mapping[str, str]) -> Iterator[str]:
        lexicon = self._task.lexicon
        having: set[str] = set()
        for name, word in answers.items():
            tags = {tag for words in (lexicon, *self._task.own_lists.values()) for tag in words.tags_of(word)}
            score = None if word in lexicon.banned else lexicon.score(word)
            if constraint.is_about(self._task.grid.entry(name)) and constraint.counts(tags, score):
                having.add(name)
        if constraint.most is not None and len(having) > max(constraint.most, len(having & self._given)):
            yield f"at most {constraint.most} entries with {constraint.name}"
        if self._task.completes_grid and len(having) < constraint.least:
            yield f"{constraint.least} or more entries with {constraint.name}"

    def _shared(self, one: str, other: str) -> Iterator[str]:
        for constraint in self._task.rules.constraints:
            match constraint:
                case RunsDiffer(length) if any(run in other for run in runs(one, length)):
                    yield f"{one} beside {other}, which shares {length} letters in a row with it,"
                case StemsDiffer(groups) if self._roots(groups).are_repeats(one, other):
                    yield f"{one} beside {other}, which repeats it,"
                case WordsPresent(words) if one == other and one in words:
                    yield f"the {constraint.name} {one} twice"

    def _same_initials(self, one: tuple[str, str], other: tuple[str, str]) -> Iterator[str]:
        """Yield the initial that two entries share although initials must differ."""
        must_differ = any(isinstance(constraint, InitialsDiffer) for constraint in self._task.rules.constraints)
        if must_differ and one[1][0] == other[1][0]:
            starts = [self._task.grid.slot(name).start for name, _ in (one, other)]
            if starts[0] != starts[1]:
                yield f"{one[1]} beside {other[1]}, which begins with {one[1][0]}, too,"

    def _roots(self, groups: tuple[frozenset[str], ...]) -> Roots:
        if groups not in self._known_roots:
            self._known_roots[groups] = roots_by(
                self._task.lexicon, contents=self._task.given.values(), groups=groups
            )
        return self._known_roots[groups]


EMPTY = "?"
"""The symbol of an empty square."""


class BoardPlace(NamedTuple):
    """A slot through a square, and the square's index along it."""

    slot: int
    at: int


class BoardCrossing(NamedTuple):
    """A crossing: the index along this slot, the other slot, and the index along that one."""

    at: int
    slot: int
    other_at: int


class BoardSlot(NamedTuple):
    """A slot on the board."""

    name: str
    direction: Direction
    squares: tuple[int, ...]
    words: tuple[str, ...]
    """Spellings of all words that its rules allow, best score first, regardless of the current contents.

    Slots with equal words share one tuple. A slot given whole has only its answer.
    """


class Board:
    """A task as squares, slots and symbols. `put` and `take` change the contents and keep track of the answers."""

    def __init__(self, task: Task) -> None:
        """Set up a task, with its given and assumed squares on the board.

        Raises EngineError if it asks for new rebus squares, holes, clashes or linked lights, or for entries that
        differ from their answers: only the fill engine supports those.
        """
        if task.rules.new_squares or task.holes or task.treatments or task.rules.two_readings:
            raise EngineError(
                "the classic strategies cannot place new rebus squares, leave holes, let squares clash or alter "
                "answers; only xwtui can"
            )
        if any(slot.lights for slot in task.grid.entries):
            raise EngineError("the classic strategies cannot fill linked lights; only xwtui can")
        task.check()
        self.task = task
        self.allow_repeats = task.allow_repeats
        self._spellings = Spellings(task)
        chosen = list(filter(task.is_in_fill, task.grid.entries))
        self.positions: tuple[Position, ...] = tuple(sorted({at for slot in chosen for at in slot.positions}))
        """The position of each square."""
        self.numbers: Mapping[Position, int] = {at: number for number, at in enumerate(self.positions)}
        """The square at each position."""
        self.slots: tuple[BoardSlot, ...] = tuple(
            BoardSlot(slot.name, slot.direction, tuple(self.numbers[at] for at in slot.positions), words)
            for slot, words in zip(chosen, self._spellings.of(chosen), strict=True)
        )
        places: list[list[BoardPlace]] = [[] for _ in self.positions]
        for number, slot in enumerate(self.slots):
            for index, square in enumerate(slot.squares):
                places[square].append(BoardPlace(number, index))
        self.places: tuple[tuple[BoardPlace, ...], ...] = tuple(map(tuple, places))
        """The slots through each square, one or two, across first."""
        self.symbols: list[str] = [EMPTY] * len(self.positions)
        """The current symbol of each square."""
        self.answers: Counter[str] = Counter()
        """How many filled slots read each word."""
        self._open = [len(slot.squares) for slot in self.slots]
        self.given: Mapping[int, str] = {
            self.numbers[at]: self._spellings.symbol(content)
            for at, content in self._spellings.contents.items()
            if at in self.numbers
        }
        """The symbol of each given or assumed square."""
        self._whole = WholeGrid(task)
        for square, symbol in self.given.items():
            self.put(square, symbol)

    # Contents

    def put(self, square: int, symbol: str) -> None:
        self.symbols[square] = symbol
        for slot, _ in self.places[square]:
            self._open[slot] -= 1
            if not self._open[slot]:
                self.answers[self.read(slot, self.pattern(slot))] += 1

    def take(self, square: int) -> None:
        for slot, _ in self.places[square]:
            if not self._open[slot]:
                self.answers[self.read(slot, self.pattern(slot))] -= 1
            self._open[slot] += 1
        self.symbols[square] = EMPTY

    def put_word(self, slot: int, spelling: str) -> tuple[int, ...]:
        """Write a word that agrees with the current contents; return the squares that were empty before."""
        empty = [
            (square, symbol)
            for square, symbol in zip(self.slots[slot].squares, spelling, strict=True)
            if self.symbols[square] == EMPTY
        ]
        for square, symbol in empty:
            self.put(square, symbol)
        return tuple(square for square, _ in empty)

    def take_all(self, squares: Sequence[int]) -> None:
        for square in squares:
            self.take(square)

    def pattern(self, slot: int) -> str:
        """Return a slot's current contents, with EMPTY for empty squares."""
        return "".join([self.symbols[square] for square in self.slots[slot].squares])

    def is_filled(self, slot: int) -> bool:
        return not self._open[slot]

    def is_last(self, slot: int) -> bool:
        """Whether exactly one square of a slot is empty."""
        return self._open[slot] == 1

    @property
    def has_repeats(self) -> bool:
        return not self.allow_repeats and any(count > 1 for count in self.answers.values())

    def is_taken(self, slot: int, spelling: str) -> bool:
        """Whether another entry already has the word and repeats are not allowed.

        `slot` must not be filled yet, or be filled by its crossings with this very word.
        """
        return not self.allow_repeats and self.answers[self.read(slot, spelling)] > self.is_filled(slot)

    def fresh(self, square: int, symbols: list[str]) -> list[str]:
        """Return the symbols that, on this empty square, complete no answer that is already used."""
        last = [(slot, at, self.pattern(slot)) for slot, at in self.places[square] if self._open[slot] == 1]
        if self.allow_repeats or not last:
            return symbols
        return [symbol for symbol in symbols if not self._would_repeat(last, symbol)]

    def _would_repeat(self, last: Sequence[tuple[int, int, str]], symbol: str) -> bool:
        words = [self.read(slot, pattern[:at] + symbol + pattern[at + 1 :]) for slot, at, pattern in last]
        return any(self.answers[word] for word in words) or len(set(words)) < len(words)

    def entry_with(self, word: str, slot: int) -> str | None:
        others = (one for one in range(len(self.slots)) if one != slot and self.is_filled(one))
        return next((self.slots[one].name for one in others if self.read(one, self.pattern(one)) == word), None)

    def contents(self) -> dict[Position, Content]:
        current = zip(self.positions, self.symbols, strict=True)
        return {at: self.content(symbol) for at, symbol in current if symbol != EMPTY}

    def shuffle_equal_scores(self, rng: Random) -> None:
        """Shuffle words of equal score within each slot, before a search begins."""
        mixed: dict[int, tuple[str, ...]] = {}
        for number, slot in enumerate(self.slots):
            if id(slot.words) not in mixed:
                scored = [(self.score(self.read(number, word)), word) for word in slot.words]
                groups = [[word for _, word in alike] for _, alike in groupby(scored, itemgetter(0))]
                mixed[id(slot.words)] = tuple(word for words in groups for word in rng.sample(words, len(words)))
        self.slots = tuple(slot._replace(words=mixed[id(slot.words)]) for slot in self.slots)

    # Names and words

    def content(self, symbol: str) -> Content:
        return self._spellings.private_contents.get(symbol) or Content.of(symbol)

    def symbol(self, content: Content) -> str:
        return self._spellings.symbol(content)

    def read(self, slot: int, spelling: str) -> str:
        """Return a slot's spelling as it reads in the slot's direction."""
        private = self._spellings.private_contents
        if not private:
            return spelling
        direction = self.slots[slot].direction
        return "".join(private[one].reading(direction) if one in private else one for one in spelling)

    def score(self, word: str) -> int:
        """Return the score of a word as read; 0 for a given answer that no list has."""
        return self.task.lexicon.score(word) or 0

    @cached_property
    def crossings(self) -> tuple[tuple[BoardCrossing, ...], ...]:
        """The crossings of each slot, in the order of its squares."""
        return tuple(
            tuple(
                BoardCrossing(index, place.slot, place.at)
                for index, square in enumerate(slot.squares)
                for place in self.places[square]
                if place.slot != number
            )
            for number, slot in enumerate(self.slots)
        )

    def flaw(self, shortest: int = 1) -> str:
        """Return why the given squares alone allow no fill, or nothing; entries below `shortest` need no word."""
        for number, slot in enumerate(self.slots):
            if len(slot.squares) < shortest:
                continue
            pattern = self.pattern(number)
            if pattern == EMPTY * len(pattern):
                is_possible = bool(slot.words)
            else:
                is_possible = any(fits(pattern, word) for word in slot.words)
            if not is_possible:
                return str(no_word_fits(self.task, self.task.grid.entry(slot.name)))
        if self.has_repeats:
            word = next(word for word, count in self.answers.items() if count > 1)
            return f"{word} is given twice"
        return ""

    def breach(self) -> str:
        """Return which rule for the whole grid a full board breaks; empty if none."""
        if not self._whole.has_constraints:
            return ""
        answers = {slot.name: self.read(number, self.pattern(number)) for number, slot in enumerate(self.slots)}
        return self._whole.breach(answers, self.contents())


def fits(pattern: str, spelling: str) -> bool:
    """Whether a spelling matches a pattern of the same length."""
    return all(symbol in (EMPTY, letter) for symbol, letter in zip(pattern, spelling, strict=True))
