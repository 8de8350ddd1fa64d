"""The global constraints that a task's rules translate to: cardinalities, links, word keys and choices.

Word keys keep apart answers that repeat each other or share letters in a row. They are built from groups of words
of one length each: the words' ids, as in `Table.words`, and their letters as codes, shape (words, length). Each
word occurs once.

Distinct initials are cardinalities: each letter is on at most one of the squares where answers begin. Two entries
that begin in one square count once. If a square may read differently across and down, answers are counted instead
of squares, which is slower.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.problem.altered_words import Words, entered_constraints
from xwtui.engine.problem.constraints import (
    NO_CONSTRAINTS,
    ChoiceOfWays,
    GlobalConstraints,
    Link,
    SlotCardinality,
    SquareCardinality,
    WordKeys,
    rows_among,
)
from xwtui.engine.problem.segmentation import Requirements
from xwtui.engine.problem.squares import Squares, square_pairs
from xwtui.engine.problem.tables import Table
from xwtui.engine.problem.word_stock import WordStock
from xwtui.errors import EngineError
from xwtui.model import Content, Direction, Position, Slot
from xwtui.model.rules import NO_ENTRY_RULES, EntryRules
from xwtui.model.rules.constraints import (
    AnswerCount,
    Constraint,
    InitialsDiffer,
    LetterCount,
    LettersAlong,
    NewSquares,
    RunsDiffer,
    StemsDiffer,
    WordsPresent,
)
from xwtui.words.repeat_rows import KnownWords, SpelledRows, root_pairs
from xwtui.words.repeats import rebus_words
from xwtui.words.word_list import row_keys


@dataclass(frozen=True, eq=False)
class InitialConstraints:
    """Constraints on the first letters of answers. Two given answers may begin with the same letter."""

    requirements: Requirements
    squares: Squares
    slots: Sequence[Slot]
    tables: Sequence[Table]

    @cached_property
    def _rules(self) -> Sequence[InitialsDiffer]:
        return _of(InitialsDiffer, self.requirements.task.rules.constraints)

    @cached_property
    def _counted(self) -> Mapping[Slot, Table]:
        """The required and the given slots with their tables, only one of two that begin in one square.

        Prefers a slot that is not given. Raises EngineError if the shared square may read two ways.
        """
        task, masks = self.requirements.task, self.requirements.masks
        slots = sorted(filter(task.is_in_fill, self.slots), key=lambda slot: task.given_answer(slot) is not None)
        counted: dict[Position, list[Slot]] = {}
        for slot in slots:
            earlier = counted.setdefault(slot.start, [])
            contents = self.requirements.symbols.in_mask(masks[slot.start])
            may_differ = slot.start in task.split or any(map(_begins_two_ways, contents))
            if earlier and slot.start not in task.holes and may_differ:
                raise EngineError(
                    f"{slot.start} begins two entries and may read two ways, so its initials are unclear"
                )
            if not earlier or slot.start in task.holes:
                earlier.append(slot)
        kept = {slot for sharing in counted.values() for slot in sharing}
        return {slot: table for slot, table in zip(self.slots, self.tables, strict=True) if slot in kept}

    @cached_property
    def _given(self) -> Mapping[Slot, str]:
        task = self.requirements.task
        answers = [(slot, task.given_answer(slot)) for slot in self._counted]
        return {slot: contents[0].reading(slot.direction)[0] for slot, contents in answers if contents}

    @cached_property
    def _reads_two_ways(self) -> bool:
        """Whether some content begins with different letters across and down, or a start is split."""
        contents, task = self.requirements.symbols.contents, self.requirements.task
        starts = {slot.start for slot in self._counted}
        return any(map(_begins_two_ways, contents)) or not starts.isdisjoint(task.holes | task.split)

    def on_squares(self) -> Iterator[SquareCardinality]:
        """Yield, for each letter, the limits on starting squares with it or a rebus that begins with it."""
        if self._rules and not self._reads_two_ways:
            numbers = self.squares.numbers
            squares = tuple(sorted({numbers[slot.start][0] for slot in self._counted}))
            given = Counter(self._given.values())
            for letter, least in self._letters().items():
                symbols = self.requirements.symbols.mask(self._beginning(letter, Direction.ACROSS))
                yield SquareCardinality(_letter_name(letter), squares, symbols, least, max(given[letter], 1))

    def on_slots(self) -> Iterator[SlotCardinality]:
        """Yield the same cardinalities over answers."""
        if self._rules and self._reads_two_ways:
            given = Counter(self._given.values())
            codes = self.requirements.symbols.code
            for letter, least in self._letters().items():
                begin = {way: list(map(codes, self._beginning(letter, way))) for way in Direction}
                rows = tuple(
                    np.isin(table.symbols[:, 0], begin[slot.direction])
                    if slot in self._counted
                    else np.zeros(table.rows, np.bool_)
                    for slot, table in zip(self.slots, self.tables, strict=True)
                )
                yield SlotCardinality(_letter_name(letter), rows, least, max(given[letter], 1))

    def out_of_reach(self) -> Iterator[ChoiceOfWays]:
        """Yield an infeasible choice if there are more initials than letters, whatever the words."""
        if not self._rules:
            return
        open_slots = [slot for slot in self._counted if slot not in self._given]
        contents = self.requirements.symbols.contents
        possible = {
            contents[code].reading(slot.direction)[0]
            for slot in open_slots
            for code in np.unique(self._counted[slot].symbols[:, 0]).tolist()
        }
        if len(open_slots) > len(possible - {*self._given.values()}):
            yield ChoiceOfWays(f"{len(self._counted)} different initials", ())

    def _letters(self) -> dict[str, int]:
        """Return the possible first letters, with the least number of answers that must begin with each."""
        contents = self.requirements.symbols.contents
        each = "".join(rule.each for rule in self._rules) if self.requirements.task.completes_grid else ""
        letters = dict.fromkeys([content.reading(way)[0] for content in contents for way in Direction], 0)
        return letters | dict.fromkeys(each, 1)

    def _beginning(self, letter: str, direction: Direction) -> list[Content]:
        contents = self.requirements.symbols.contents
        return [content for content in contents if content.reading(direction).startswith(letter)]


def _begins_two_ways(content: Content) -> bool:
    return content.across[0] != content.down[0]


def _letter_name(letter: str) -> str:
    return f"the initial {letter}"


C = TypeVar("C", bound=Constraint)


def _of(kind: type[C], constraints: Sequence[Constraint]) -> tuple[C, ...]:
    return tuple(constraint for constraint in constraints if isinstance(constraint, kind))


def rule_constraints(
    requirements: Requirements,
    squares: Squares,
    slots: Sequence[Slot],
    tables: Sequence[Table],
    stock: WordStock,
) -> GlobalConstraints:
    """Return the global constraints of a task's rules; `squares` and slots are those of its problem."""
    if not requirements.task.rules.constraints:
        return NO_CONSTRAINTS
    entered, messages = entered_constraints(requirements.task, slots, tables)
    on_squares = SquareConstraints(requirements, squares)
    on_words = WordConstraints(requirements, slots, tables, stock)
    initials = InitialConstraints(requirements, squares, slots, tables)
    return GlobalConstraints(
        square_cardinalities=(*on_squares.new_squares(), *on_squares.letters(), *initials.on_squares()),
        slot_cardinalities=(*on_words.wanted(), *on_words.counts(), *entered, *initials.on_slots()),
        links=tuple(on_squares.links()),
        chains=messages,
        word_keys=tuple(on_words.keys()),
        choices=(*on_squares.choices(), *initials.out_of_reach()),
        pairs=tuple(square_pairs(requirements, squares)),
    )


@dataclass(frozen=True, eq=False)
class SquareConstraints:
    """Constraints on squares: number and symmetry of new rebuses, letters, and messages to be placed."""

    requirements: Requirements
    squares: Squares

    def new_squares(self) -> Iterator[SquareCardinality]:
        """Yield the limits on the number of new squares with certain contents, and on each content if required."""
        completes_grid = self.requirements.task.completes_grid
        for new in self.requirements.task.rules.new_squares:
            least = max(new.least, int(new.each)) if completes_grid else 0
            yield self._cardinality(new, new.contents, least)
            if completes_grid and new.each and len(new.contents) > 1:
                for content in new.contents:
                    yield self._cardinality(new, (content,), 1)

    def _cardinality(self, new: NewSquares, contents: Sequence[Content], least: int) -> SquareCardinality:
        symbols = self.requirements.symbols.mask(contents)
        placed = len(self.requirements.placed(contents))
        least = max(least - placed, 0)
        masks = self.requirements.masks
        places = [position for position in self.requirements.free if masks[position] & symbols]
        return SquareCardinality(_name(contents), self._numbers(places), symbols, least, max(new.most - placed, 0))

    def links(self) -> Iterator[Link]:
        """Yield the links between squares that must hold new contents symmetrically."""
        for new in self.requirements.task.rules.new_squares:
            if new.symmetric:
                symbols = self.requirements.symbols.mask(new.contents)
                places = self.requirements.places_for(new)
                for orbit in {self.requirements.mirrors(position) & places for position in places}:
                    for first, second in pairwise(self._numbers(orbit)):
                        yield Link(_name(new.contents), first, second, symbols)

    def letters(self) -> Iterator[SquareCardinality]:
        """Yield the limits on further squares with a letter; given ones count, but are never too many."""
        task, symbols = self.requirements.task, self.requirements.symbols
        for rule in _of(LetterCount, task.rules.constraints):
            counted = task.grid.checked if rule.checked else {*task.given, *self.requirements.squares_to_fill}
            held = sum(rule.counts(content) for at, content in task.given.items() if at in counted)
            least = rule.least - held if task.completes_grid else 0
            places = self.requirements.squares_to_fill & counted
            if rule.most is not None:
                places -= task.holes
                if unclear := places & task.split:
                    at = min(unclear)
                    raise EngineError(f"{at} may read two ways, so squares with {rule.name} are unclear")
            if least > 0 or rule.most is not None:
                having = symbols.mask([content for content in symbols.contents if rule.counts(content)])
                most = NO_LIMIT if rule.most is None else max(rule.most - held, 0)
                numbers = tuple(sorted(self._all_numbers(places)))
                yield SquareCardinality(rule.name, numbers, having, max(least, 0), most)

    def choices(self) -> Iterator[ChoiceOfWays]:
        """Yield, for each message to be placed, its possible ways, and what each is still missing."""
        task = self.requirements.task
        for along in _of(LettersAlong, task.rules.constraints) if task.completes_grid else ():
            ways = (self._missing(way, along.contents) for way in along.ways(task.grid))
            yield ChoiceOfWays(along.name, tuple(way for way in ways if way is not None))

    def _missing(self, way: Sequence[Position], contents: Sequence[Content]) -> tuple[tuple[int, int], ...] | None:
        """Return the squares of a way that still lack their contents; None if one of them never can have them."""
        given, masks = self.requirements.task.given, self.requirements.masks
        missing: list[tuple[int, int]] = []
        for at, content in zip(way, contents, strict=True):
            if given.get(at) == content:
                continue
            symbol = self.requirements.symbols.mask([content])
            if at in given or at not in self.requirements.squares_to_fill or not masks[at] & symbol:
                return None
            missing += ((number, symbol) for number in self._all_numbers([at]))
        return tuple(missing)

    def _numbers(self, positions: Sequence[Position] | frozenset[Position]) -> tuple[int, ...]:
        """Return one square number for each position, even for two squares that hold a rebus together."""
        return tuple(sorted(self.squares.numbers[position][-1] for position in positions))

    def _all_numbers(self, positions: Iterable[Position]) -> Iterator[int]:
        return (number for position in positions for number in self.squares.numbers[position])


@dataclass(frozen=True, eq=False)
class WordConstraints:
    """Constraints on answers: wanted words, limited tags, and what no two answers may share."""

    requirements: Requirements
    slots: Sequence[Slot]
    tables: Sequence[Table]
    stock: WordStock

    def wanted(self) -> Iterator[SlotCardinality]:
        """Yield the number of wanted words that must occur; if all must, one cardinality each prunes more."""
        for present in self._present if self.requirements.task.completes_grid else ():
            numbers = self._numbers(present)
            if present.least == len(present.words) <= len(self.slots):
                for word, number in zip(present.words, numbers, strict=True):
                    yield SlotCardinality(f"the {present.name} {word}", self._rows(np.array([number])), 1)
            else:
                yield SlotCardinality(f"a {present.name}", self._rows(numbers), present.least)

    @cached_property
    def _present(self) -> tuple[WordsPresent, ...]:
        return _of(WordsPresent, self.requirements.task.rules.constraints)

    def _numbers(self, present: WordsPresent) -> NDArray[np.int32]:
        return np.array([self.stock.number(word) for word in present.words], np.int32)

    def counts(self) -> Iterator[SlotCardinality]:
        """Yield limits on how many answers are among some words. Given ones count, but are never too many."""
        task = self.requirements.task
        for rule in _of(AnswerCount, task.rules.constraints):
            counted = [self.stock.counted(rule, words) for words in self._groups()]
            rows = self._rows(np.concatenate([np.zeros(0, np.int32), *counted]), rule.is_about)
            least = rule.least if task.completes_grid else 0
            most = NO_LIMIT if rule.most is None else max(rule.most, rows_among(rows, task.are_given(self.slots)))
            yield SlotCardinality(rule.name, rows, least, most)

    def _rows(
        self, numbers: NDArray[np.int32], is_about: Callable[[Slot], bool] = lambda _: True
    ) -> tuple[NDArray[np.bool_], ...]:
        """Return which rows have one of the words, for required or given slots that the rule is about."""
        task = self.requirements.task
        having = {id(table): np.isin(table.words, numbers) for table in self.tables}
        return tuple(
            having[id(table)] if is_about(slot) and task.is_in_fill(slot) else np.zeros(table.rows, np.bool_)
            for slot, table in zip(self.slots, self.tables, strict=True)
        )

    def keys(self) -> Iterator[WordKeys]:
        """Yield the keys that no two answers may share, except two given ones."""
        task = self.requirements.task
        for runs in _of(RunsDiffer, task.rules.constraints):
            yield self._keys(("letters", runs.length), partial(substring_keys, length=runs.length))
        for stems in _of(StemsDiffer, task.rules.constraints):
            make = partial(self._root_keys, root_groups=stems.groups)
            yield self._keys(("stems", stems.groups, self._rebuses), make)
        for present in self._present if task.allow_repeats else ():  # none counts twice
            keys = np.arange(len(present.words), dtype=np.int32)
            yield self._but_given(WordKeys(f"are the same {present.name}", self._numbers(present), keys))

    @cached_property
    def _rebuses(self) -> frozenset[str]:
        return rebus_words(self.requirements.task.given.values())

    def _root_keys(self, groups: Iterable[WordGroup], root_groups: Collection[Collection[str]]) -> WordKeys:
        known = KnownWords(self.requirements.task.lexicon.ordinary_words, self._rebuses)
        return root_keys(groups, known, root_groups)

    def _keys(self, kind: tuple[object, ...], make: Callable[[Sequence[WordGroup]], WordKeys]) -> WordKeys:
        """Return the keys of all words in play, recomputed only if the words have changed."""
        keys = self.stock.cached_keys(
            (kind, tuple(self._uses)), lambda: make([(words.numbers, words.letters) for words in self._groups()])
        )
        return self._but_given(keys)

    def _but_given(self, keys: WordKeys) -> WordKeys:
        """Remove keys of given answers that an earlier given answer also has."""
        kept = np.ones(len(keys.words), np.bool_)
        seen = np.zeros(0, np.int32)
        for number in dict.fromkeys(self.stock.number(answer) for answer in self._given_answers()):
            rows = np.flatnonzero(keys.words == number)
            kept[rows] = ~np.isin(keys.keys[rows], seen)
            seen = np.union1d(seen, keys.keys[rows])
        return keys if kept.all() else replace(keys, words=keys.words[kept], keys=keys.keys[kept])

    def _given_answers(self) -> list[str]:
        task = self.requirements.task
        return [word for slot in self.slots if (word := task.given_word(slot)) is not None]

    @cached_property
    def _uses(self) -> list[tuple[int, frozenset[EntryRules], frozenset[str]]]:
        """For each word length: the rules of slots that may take it, plus given answers and entries' own words."""
        task = self.requirements.task
        rules: dict[int, set[EntryRules]] = {}
        answers: dict[int, set[str]] = {}
        for slot, table in zip(self.slots, self.tables, strict=True):
            for length in table.lengths if task.given_answer(slot) is None else ():
                rules.setdefault(length, set()).add(task.entry_rules(slot))
        for answer in (*self._given_answers(), *task.own_words.values()):
            if not (task.lexicon.allows(answer) and NO_ENTRY_RULES in rules.get(len(answer), ())):
                answers.setdefault(len(answer), set()).add(answer)
        return [
            (length, frozenset(rules.get(length, ())), frozenset(answers.get(length, ())))
            for length in sorted(rules.keys() | answers.keys())
        ]

    def _groups(self) -> Iterator[Words]:
        """Yield the words that any slot may take, length by length."""
        for length, rules, answers in self._uses:
            yield self.stock.group([(rule, length) for rule in rules], answers)


def _name(contents: Sequence[Content]) -> str:
    """Return the name of a cardinality: `HEART`, or `HEART or CLUB`."""
    return " or ".join(content.text for content in contents)


WordGroup = tuple[NDArray[np.int32], NDArray[np.uint8]]


def substring_keys(groups: Iterable[WordGroup], length: int) -> WordKeys:
    """Return a key for each run of this many letters; a word has one key for each of its different runs."""
    words, runs = [np.zeros(0, np.int32)], [np.zeros(0, row_keys(np.zeros((0, length), np.uint8)).dtype)]
    for identities, letters in groups:
        for start in range(letters.shape[1] - length + 1):
            words.append(identities)
            runs.append(row_keys(letters[:, start : start + length]))
    every, having = np.concatenate(runs), np.concatenate(words)
    del runs, words  # there may be millions
    order = np.argsort(every)
    every, having = every[order], having[order]
    del order
    keys = np.zeros(len(every), np.int32)
    np.cumsum(every[1:] != every[:-1], out=keys[1:])
    del every
    return _word_keys(f"share {length} letters in a row", having, keys)


def root_keys(
    groups: Iterable[WordGroup], known: KnownWords, root_groups: Collection[Collection[str]] = ()
) -> WordKeys:
    """Return a key for each root. Each group's words, and words that repeat them, share one more key."""
    pairs = root_pairs((SpelledRows(*group) for group in groups), known, root_groups)
    return _word_keys("repeat each other", *pairs)


def _word_keys(name: str, words: NDArray[np.int32], keys: NDArray[np.integer[Any]]) -> WordKeys:
    """Return word keys from two arrays, both (pairs,), sorted by word and without duplicates."""
    pairs = words.astype(np.int64) << 32
    pairs |= keys
    pairs.sort()
    is_new = np.ones(len(pairs), np.bool_)
    is_new[1:] = pairs[1:] != pairs[:-1]
    pairs = pairs[is_new]
    return WordKeys(name, (pairs >> 32).astype(np.int32), pairs.astype(np.int32))
