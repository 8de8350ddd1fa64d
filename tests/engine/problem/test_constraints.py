"""Cardinality constraints, links and word keys compared with a check of every fill."""

import math
from collections.abc import Sequence
from itertools import product
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.fill.test_filler import BY_SQUARES, HASTY
from tests.engine.small_problems import (
    LETTERS,
    REBUSES,
    check_state,
    fills_counted,
    interval_of_runs,
    problem_of,
    small_grids,
    word_lists,
)
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive.constraints import Alike, EntriesHave, GlobalConstraint, NothingShared, SquaresHold, runs
from tests.naive.engine import check_fill, naive_fills
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import WORKERS, SearchSettings
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.problem.constraints import (
    GlobalConstraints,
    Link,
    SlotCardinality,
    SquareCardinality,
    WordKeys,
)
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import culprits, why_impossible
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position

CONTENTS = [*map(Content.of, LETTERS), *REBUSES]


@st.composite
def constraint_lists(draw: st.DrawFn, grid: Grid, words: Sequence[str]) -> list[GlobalConstraint]:
    """One to four constraints for a grid."""
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
    """One or two contents, mostly letters."""
    return st.frozensets(st.sampled_from([*CONTENTS[:3] * 3, *CONTENTS[3:]]), min_size=1, max_size=2)


@st.composite
def squares_hold(draw: st.DrawFn, squares: list[Position]) -> SquaresHold:
    """A constraint on some or all squares, with bounds that may be unsatisfiable."""
    chosen = draw(st.one_of(st.just(squares), st.lists(st.sampled_from(squares), unique=True, max_size=6)))
    return SquaresHold(tuple(chosen), draw(contents()), *draw(bounds(len(chosen))))


@st.composite
def entries_have(draw: st.DrawFn, words: Sequence[str], entries: int) -> EntriesHave:
    """A constraint on some, no or other words."""
    answers = draw(st.frozensets(st.sampled_from([*words, "NOWORD"]), max_size=max(len(words) // 2, 1)))
    return EntriesHave(answers, *draw(bounds(entries)))


@st.composite
def bounds(draw: st.DrawFn, count: int) -> tuple[int, int]:
    """A minimum and a maximum, either of which may be absent."""
    least, most = sorted(draw(st.tuples(st.integers(0, count), st.integers(0, count))))
    return draw(st.sampled_from([(least, NO_LIMIT), (0, most), (least, most), (min(least, 2), NO_LIMIT)]))


def constrained(problem: Problem, constraints: Sequence[GlobalConstraint]) -> Problem:
    """Return the problem with constraints, built from those of the naive twin."""
    return problem.rebuilt_with(as_cardinalities(problem, constraints))


def as_cardinalities(problem: Problem, constraints: Sequence[GlobalConstraint]) -> GlobalConstraints:
    """Convert the constraints to the engine's form."""
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
    """Return the bit mask of contents; a content unknown to the problem has no bit."""
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


@st.composite
def constrained_grids(draw: st.DrawFn) -> tuple[Grid, dict[str, int], list[GlobalConstraint]]:
    """A small grid, words, and constraints.

    No given square has one letter per direction, because the engine represents it as two squares.
    """
    grids = small_grids(4).filter(
        lambda grid: not any(s.content and s.content.is_letter_pair for s in grid.squares)
    )
    grid, words = draw(grids), draw(word_lists(4))
    return grid, words, draw(constraint_lists(grid, sorted(words)))


@examples(400)
@given(constrained_grids(), st.booleans())
def test_the_exact_count_equals_the_fills_that_satisfy_the_constraints(
    asked: tuple[Grid, dict[str, int], list[GlobalConstraint]], allow_repeats: bool
) -> None:
    grid, words, constraints = asked
    problem = constrained(problem_of(grid, words, allow_repeats=allow_repeats), constraints)
    expected = [
        fill
        for fill in naive_fills(grid, words, allow_repeats=allow_repeats)
        if all(constraint.obeyed(grid, fill) for constraint in constraints)
    ]
    assert fills_counted(problem) == len(expected)


@examples(400)
@given(constrained_grids(), st.sampled_from([*WORKERS, HASTY, BY_SQUARES]), st.integers(0, 5))
def test_the_filler_satisfies_constraints_and_its_proofs_are_right(
    asked: tuple[Grid, dict[str, int], list[GlobalConstraint]], search_settings: SearchSettings, seed: int
) -> None:
    grid, words, constraints = asked
    problem = constrained(problem_of(grid, words), constraints)
    filler = Filler(problem, seed=seed, settings=search_settings)
    outcome = filler.advance(nodes=1_000_000)
    exists = any(
        all(constraint.obeyed(grid, fill) for constraint in constraints) for fill in naive_fills(grid, words)
    )
    assert outcome is (Outcome.FILLED if exists else Outcome.IMPOSSIBLE)
    if exists:
        check_fill(grid, filler.fill(), words)
        assert all(constraint.obeyed(grid, filler.fill()) for constraint in constraints)


@examples(100)
@given(constrained_grids(), st.integers(0, 3))
def test_steps_make_the_same_search_and_describe_every_event(
    asked: tuple[Grid, dict[str, int], list[GlobalConstraint]], seed: int
) -> None:
    grid, words, constraints = asked
    problem = constrained(problem_of(grid, words), constraints)
    whole = Filler(problem, seed=seed, settings=HASTY)
    whole.advance(nodes=1_000_000)
    stepped = Filler(problem, seed=seed, settings=HASTY)
    while (event := stepped.step()) is not None:
        text = event.describe()
        assert "None" not in text
        check_state(stepped)
    assert stepped.outcome is whole.outcome
    assert stepped.fill() == whole.fill()
    assert stepped.statistics.nodes == whole.statistics.nodes


@pytest.mark.skipif(not is_deep(), reason="takes ten seconds: make test-deep")
def test_particle_intervals_cover_counts_under_constraints() -> None:
    """At least nine of ten. Particles that violate a constraint die and count as zero."""
    words = {
        "".join(letters): 50 for letters in product("ABCDE", repeat=3) if crc32("".join(letters).encode()) % 3
    }
    grid = grid_from_text("...\n...\n...\n")
    diagonal = tuple(Position(at, at) for at in range(3))
    contents = frozenset({Content.of("A"), Content.of("E")})
    cases: list[list[GlobalConstraint]] = [
        [SquaresHold(diagonal, contents, 2, 2)],
        [Alike(diagonal[0], diagonal[2], contents), EntriesHave(frozenset(sorted(words)[::3]), 0, 1)],
        [NothingShared(runs(2))],
    ]
    held = []
    for constraints in cases:
        problem = constrained(problem_of(grid, words), constraints)
        exact = known(Counter(problem).exact())
        assert exact.exact
        for seed in range(8):
            interval = interval_of_runs(problem, 60, seed)
            held.append(interval.low <= math.log10(exact.exact) <= interval.high)
    assert sum(held) >= 0.9 * len(held)


THREE_ROWS = "...\n###\n...\n###\n...\n"
WORDS = {"CAT": 1, "DOG": 1, "EMU": 1, "FOX": 1}


def holds(letters: str, least: int, most: int, *squares: tuple[int, int]) -> SquaresHold:
    return SquaresHold(tuple(Position(*at) for at in squares), frozenset(map(Content.of, letters)), least, most)


@pytest.mark.parametrize(
    ("text", "words", "constraint", "reason"),
    [
        (
            THREE_ROWS,
            WORDS,
            holds("O", 3, NO_LIMIT, (0, 1), (2, 1), (4, 0), (4, 2)),
            "only 2 squares can hold these, and 3 are required",
        ),
        (
            THREE_ROWS,
            WORDS,
            holds("Q", 1, NO_LIMIT, (0, 1), (2, 1)),
            "no square can hold these, and 1 is required",
        ),
        (
            "CAT\n###\nDOG\n",
            WORDS,
            holds("CD", 0, 1, (0, 0), (2, 0)),
            "r1c1 and r3c1 hold these, and at most 1 may",
        ),
        (
            THREE_ROWS,
            WORDS,
            EntriesHave(frozenset({"CAT", "FOX"}), 4, NO_LIMIT),
            "only 3 entries can have one of these, and 4 are required",
        ),
        (
            THREE_ROWS,
            WORDS,
            EntriesHave(frozenset({"CAT", "FOX"}), 3, NO_LIMIT),
            "entries with one of these: only CAT and FOX fit in the grid, and 3 are required",
        ),
        (
            "CAT\n###\nDOG\n",
            WORDS,
            EntriesHave(frozenset(WORDS), 0, 1),
            "1A and 2A have one of these, and at most 1 may",
        ),
        (
            "CAT\n###\n...\n",
            WORDS,
            Alike(Position(0, 0), Position(2, 2), frozenset({Content.of("C")})),
            "r1c1 must hold these, and its mirror r3c3 cannot",
        ),
        (
            "CAT\n####\nCATS\n",
            {"CAT": 1, "CATS": 1},
            NothingShared(runs(3)),
            "1A CAT and 2A CATS share something",
        ),
    ],
)
def test_an_unsatisfiable_constraint_gives_its_reason(
    text: str, words: dict[str, int], constraint: GlobalConstraint, reason: str
) -> None:
    width = max(map(len, text.split()))
    grid = grid_from_text("\n".join(line.ljust(width, "#") for line in text.split()))
    filler = Filler(constrained(problem_of(grid, words), [constraint]))
    assert filler.outcome is Outcome.IMPOSSIBLE
    assert str(filler.reason) == reason


def test_only_constraints_that_empty_an_entry_are_named() -> None:
    grid = grid_from_text("...\n###\n###\n")
    constraints = [
        holds("C", 1, NO_LIMIT, (0, 0)),
        holds("AC", 1, NO_LIMIT, (0, 0), (0, 1), (0, 2)),
        holds("G", 1, 1, (0, 2)),
    ]
    filler = Filler(constrained(problem_of(grid, WORDS), constraints))
    assert str(filler.reason).startswith(
        "at least 1 square with these and 1 square with these cannot be met: 1A: no word fits ???"
    )


def test_events_name_the_constraint_that_caused_them() -> None:
    words = {"".join(letters): 1 for letters in product("ABC", repeat=3)}
    grid = grid_from_text("...\n...\n...\n")
    constraints: list[GlobalConstraint] = [
        holds("A", 2, 2, (0, 0), (1, 1), (2, 2)),
        EntriesHave(frozenset(word for word in words if word[0] == "A"), 0, 2),
        NothingShared(lambda word: frozenset({word[:2]})),
    ]
    told: set[str] = set()
    for seed in range(20):
        filler = Filler(constrained(problem_of(grid, words), constraints), seed=seed, trace=True)
        filler.advance(nodes=10_000)
        told |= {str(event.constraint) for event in filler.take_recorded().latest(10_000)}
    assert told - {""} == {
        "2 squares with these",
        "at most 2 entries with one of these",
        "no two answers that share something",
    }


@pytest.mark.parametrize(
    ("text", "words", "blamed"),
    [
        ("...\n...\n...\n", ["CAT", "DOG"], None),
        ("Q..\n###\n...\n", ["CAT", "DOG"], ("1A",)),
        ("...\n###\n...\n", ["CAT"], ("1A", "2A")),
        ("...\n###\n...\n", ["CAT", "DOG"], ()),
    ],
    ids=["crossings", "no word", "the same word", "a fill"],
)
def test_the_entries_that_prevent_every_fill_are_named(
    text: str, words: list[str], blamed: tuple[str, ...] | None
) -> None:
    problem = problem_of(grid_from_text(text), dict.fromkeys(words, 1))
    named = culprits(problem)
    if blamed is None:
        assert len(named) == 1
        assert str(why_impossible(problem)).startswith(f"{named[0]}: ")
    else:
        assert sorted(named) == sorted(blamed)
