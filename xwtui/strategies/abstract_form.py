"""The abstract form of crossword-composer: a fill as lists of square numbers, each spelling a word.

`[[0, 1, 3], [2, 3, 4]]` asks for two words where the last letter of one is the middle letter of the other. The
numbers only say which squares are shared. Source: the README of super7ramp/crossword-composer.

Like that program, the strategy allows repeated answers by default, as the form cannot forbid them. `repeats=no`
follows the puzzle's own setting.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from xwtui.engine.events.event import MOST, Event
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError, failing_as
from xwtui.model.letters import are_known
from xwtui.strategies.protocol import Option, OptionValues, WordLookUp
from xwtui.strategies.word_search import WordSearch
from xwtui.text import listed
from xwtui.words.normalise import normalise

Constraint = tuple[int, ...]
"""The squares of a word, first letter first."""

_MOST_SQUARES = 10_000
_MOST_WORDS = 500


def read_constraints(text: str) -> tuple[Constraint, ...]:
    """Parse lists of square numbers from JSON; raises EngineError with what is wrong."""
    with failing_as(EngineError, "the constraints are not JSON", of=(ValueError, RecursionError)):
        lists = json.loads(text)
    return checked_constraints(lists)


def checked_constraints(lists: object) -> tuple[Constraint, ...]:
    """Return lists of square numbers as tuples; raises EngineError for anything else."""
    if not isinstance(lists, list | tuple) or not all(isinstance(one, list | tuple) for one in lists):
        raise EngineError("constraints are a list of lists of square numbers, such as [[0, 1, 3], [2, 3, 4]]")
    if len(lists) > _MOST_WORDS:
        raise EngineError(f"at most {_MOST_WORDS} words are allowed, not {len(lists):,}")
    for number, squares in enumerate(lists, 1):
        if not squares or not all(type(square) is int and 0 <= square < _MOST_SQUARES for square in squares):
            raise EngineError(f"word {number}: its squares are whole numbers from 0 to {_MOST_SQUARES - 1:,}")
        if len(set(squares)) < len(squares):
            raise EngineError(f"word {number} has a square twice")
    return tuple(map(tuple, lists))


def greedy_order(constraints: Sequence[Constraint]) -> list[int]:
    """Return the order to find words in: longest first, then by overlap with earlier ones, then by length."""
    reached, left, order = set[int](), list(range(len(constraints))), list[int]()
    while left:
        best = max(
            left, key=lambda one: (len(reached.intersection(constraints[one])), len(constraints[one]), -one)
        )
        left.remove(best)
        order.append(best)
        reached.update(constraints[best])
    return order


class PermutedIndex:
    """The words of a constraint, indexed by the letters known when its turn comes."""

    def __init__(self, constraint: Constraint, known: Collection[int], words: Iterable[str]) -> None:
        """Group the words by their letters on known squares, keeping their order."""
        self._places = [at for at, square in enumerate(constraint) if square in known]
        self._squares = [constraint[at] for at in self._places]
        self._words: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            self._words["".join([word[at] for at in self._places])].append(word)

    def words(self, letters: Mapping[int, str] | Sequence[str]) -> list[str]:
        return self._words.get("".join([letters[square] for square in self._squares]), [])


def permuted_indexes(
    constraints: Sequence[Constraint],
    order: Sequence[int],
    words: Sequence[Iterable[str]],
    known: Collection[int] = (),
) -> list[PermutedIndex]:
    """Return an index per constraint, in `order`; `words` holds the words of each constraint."""
    reached = set(known)
    indexes = []
    for number in order:
        indexes.append(PermutedIndex(constraints[number], reached, words[number]))
        reached.update(constraints[number])
    return indexes


def solve(
    lists: Sequence[Sequence[int]], words: Iterable[str], *, allow_repeats: bool = True
) -> Iterator[tuple[str, ...]]:
    """Yield all assignments of letters to the squares that make every list of squares spell a word.

    Letters come in the order of the square numbers; words are tried as listed. Raises EngineError for invalid
    lists, and WordListError for a word that cannot be normalized.
    """
    found = solve_steps(lists, words, allow_repeats=allow_repeats)
    return (letters for letters in found if letters is not None)


def solve_steps(
    lists: Sequence[Sequence[int]], words: Iterable[str], *, allow_repeats: bool = True
) -> Iterator[tuple[str, ...] | None]:
    """Like `solve`, with None for each word tried, so that the caller can count them and stop."""
    constraints = checked_constraints(list(map(list, lists)))
    squares = squares_of(constraints)
    by_length: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for word in (word if are_known(word) else normalise(word) for word in words):
        by_length[len(word)][word] = None
    order = greedy_order(constraints)
    indexes = permuted_indexes(constraints, order, [by_length[len(one)] for one in constraints])
    for letters in _letters(constraints, order, indexes, {}, [] if not allow_repeats else None):
        yield None if letters is None else tuple(letters[square] for square in squares)


def squares_of(constraints: Iterable[Constraint]) -> list[int]:
    """Return the squares that need letters, in order."""
    return sorted({square for constraint in constraints for square in constraint})


def _letters(
    constraints: Sequence[Constraint],
    order: Sequence[int],
    indexes: Sequence[PermutedIndex],
    letters: dict[int, str],
    used: list[str] | None,
) -> Iterator[dict[int, str] | None]:
    """Yield every completion, with None before each word; `used` holds the words so far if they must differ."""
    if not order:
        yield letters
        return
    for word in indexes[0].words(letters):
        if used is None or word not in used:
            yield None
            placed = letters | dict(zip(constraints[order[0]], word, strict=True))
            longer = None if used is None else [*used, word]
            yield from _letters(constraints, order[1:], indexes[1:], placed, longer)


class PermutedIndexes(WordSearch):
    """Takes entries in a fixed order by overlap; each has an index built for its turn."""

    name = "permuted-index"
    summary = "a fixed order of entries by overlap, each with an index by the letters known at its turn"
    source = "crossword-composer"
    index = WordLookUp("a table for the letters known at each entry's turn", "the words with those letters")
    options = (
        Option.choice("pick", ("listed", "shuffled"), "words by score, or at random"),
        Option.switch("repeats", True, "allow answers to appear twice, as crossword-composer does"),
    )
    looks_ahead = False

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        self._repeats_too_much = values.is_on("repeats") and not task.allow_repeats
        may_repeat = task.allow_repeats or values.is_on("repeats")
        super().__init__(replace(task, allow_repeats=may_repeat), values, seed)

    @property
    def is_complete(self) -> bool:
        """Whether it finds every fill and nothing else: not if it repeats answers that must differ."""
        return not self._repeats_too_much

    @property
    def proves_impossible(self) -> bool:
        """Always: allowing repeats only adds fills."""
        return True

    def solved(self) -> Event:
        """Return the event of a full board; the reason names answers that repeat against the puzzle's setting."""
        twice = [word for word, count in self.board.answers.items() if count > 1]
        self.reason = f"{listed(sorted(twice), 'and')} twice" if twice and self._repeats_too_much else ""
        return super().solved()

    @cached_property
    def order(self) -> list[int]:
        """The slots in turn, without slots given whole; given letters do not affect the order."""
        slots, given = self.board.slots, self.board.given.keys()
        waiting = [number for number, slot in enumerate(slots) if not given >= set(slot.squares)]
        return [waiting[turn] for turn in greedy_order([slots[number].squares for number in waiting])]

    @cached_property
    def _indexes(self) -> list[PermutedIndex]:
        slots = self.board.slots
        squares, words = [slot.squares for slot in slots], [slot.words for slot in slots]
        return permuted_indexes(squares, self.order, words, self.board.given)

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """Empty: no entry is looked up before its turn."""
        return {}

    def next_slot(self) -> int | None:
        turn = len(self.stack)
        self.ranked = [
            (slot, f"turn {place} of {len(self.order)}, by overlap")
            for place, slot in enumerate(self.order[turn : turn + MOST], turn + 1)
        ]
        return self.order[turn] if turn < len(self.order) else None

    def words_for(self, slot: int) -> Iterable[str]:
        """Return the indexed words for the known letters."""
        words = self._indexes[len(self.stack)].words(self.board.symbols)
        fresh = [word for word in words if not self.board.is_taken(slot, word)]
        if self.values.word("pick") == "shuffled":
            self.rng.shuffle(fresh)
        return fresh
