"""Small problems with global constraints, and the same constraints for the naive twin."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from tests.engine.small_problems import LETTERS, REBUSES
from tests.naive.constraints import Alike, EntriesHave, GlobalConstraint, NothingShared, SquaresHold, runs
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.problem.constraints import (
    GlobalConstraints,
    Link,
    SlotCardinality,
    SquareCardinality,
    WordKeys,
)
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content, Grid, Position

CONTENTS = [*map(Content.of, LETTERS), *REBUSES]


@st.composite
def constraint_lists(draw: st.DrawFn, grid: Grid, words: Sequence[str]) -> list[GlobalConstraint]:
    """One to four constraints of a grid that draws on some words."""
    squares = sorted({position for slot in grid.slots for position in slot.positions})
    kinds: list[st.SearchStrategy[GlobalConstraint]] = [
        entries_have(words, len(grid.slots)),
        st.integers(1, 3).map(lambda size: NothingShared(runs(size))),
    ]
    if squares:
        kinds.append(squares_hold(squares))
        kinds.append(st.builds(Alike, st.sampled_from(squares), st.sampled_from(squares), contents()))
    return draw(st.lists(st.one_of(kinds), min_size=1, max_size=4))


def contents() -> st.SearchStrategy[frozenset[Content]]:
    """One or two contents, letters above all."""
    return st.frozensets(st.sampled_from([*CONTENTS[:3] * 3, *CONTENTS[3:]]), min_size=1, max_size=2)


@st.composite
def squares_hold(draw: st.DrawFn, squares: list[Position]) -> SquaresHold:
    """Some squares, or all of them, and bounds that may or may not be met."""
    chosen = draw(st.one_of(st.just(squares), st.lists(st.sampled_from(squares), unique=True, max_size=6)))
    return SquaresHold(tuple(chosen), draw(contents()), *draw(bounds(len(chosen))))


@st.composite
def entries_have(draw: st.DrawFn, words: Sequence[str], entries: int) -> EntriesHave:
    """Some of the words, or none, or others."""
    answers = draw(st.frozensets(st.sampled_from([*words, "NOWORD"]), max_size=max(len(words) // 2, 1)))
    return EntriesHave(answers, *draw(bounds(entries)))


@st.composite
def bounds(draw: st.DrawFn, count: int) -> tuple[int, int]:
    """A least and a most, each of which may be open."""
    least, most = sorted(draw(st.tuples(st.integers(0, count), st.integers(0, count))))
    return draw(st.sampled_from([(least, NO_LIMIT), (0, most), (least, most), (min(least, 2), NO_LIMIT)]))


def constrained(problem: Problem, constraints: Sequence[GlobalConstraint]) -> Problem:
    """A problem with constraints, laid out from those of the naive twin."""
    return problem.laid_out_anew(as_cardinalities(problem, constraints))


def as_cardinalities(problem: Problem, constraints: Sequence[GlobalConstraint]) -> GlobalConstraints:
    """The constraints as the engine takes them."""
    number = {position: square for square, position in enumerate(problem.positions)}
    spelled = [problem.words(slot) for slot in range(len(problem.slots))]
    square_cardinalities, slot_cardinalities, links, word_keys = [], [], [], []
    for constraint in constraints:
        match constraint:
            case SquaresHold():
                squares = tuple(number[position] for position in constraint.squares)
                mask = _mask(problem, constraint.contents)
                square_cardinalities.append(
                    SquareCardinality("these", squares, mask, constraint.least, constraint.most)
                )
            case EntriesHave():
                rows = tuple(np.array([word in constraint.answers for word in words], bool) for words in spelled)
                slot_cardinalities.append(SlotCardinality("one of these", rows, constraint.least, constraint.most))
            case Alike():
                mask = _mask(problem, constraint.contents)
                links.append(Link("these", number[constraint.first], number[constraint.second], mask))
            case NothingShared():
                word_keys.append(_word_keys(problem, constraint, spelled))
    return GlobalConstraints(
        tuple(square_cardinalities), tuple(slot_cardinalities), tuple(links), word_keys=tuple(word_keys)
    )


def _mask(problem: Problem, contents: frozenset[Content]) -> int:
    """The bits of contents; one that the problem does not have has none."""
    return sum(1 << code for code, content in enumerate(problem.symbols.contents) if content in contents)


def _word_keys(problem: Problem, constraint: NothingShared, spelled: Sequence[Sequence[str]]) -> WordKeys:
    identities = {
        word: int(identity)
        for table, words in zip(problem.tables, spelled, strict=True)
        for word, identity in zip(words, table.words, strict=True)
    }
    numbers: dict[str, int] = {}
    pairs = [
        (identity, numbers.setdefault(key, len(numbers)))
        for word, identity in identities.items()
        for key in constraint.keys(word)
    ]
    words, keys = np.array(pairs, np.int32).reshape(-1, 2).T
    return WordKeys("share something", words, keys)
