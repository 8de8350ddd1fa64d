"""Slots, squares, crossings and equal-length slots in the arrays, compared with the grid; and the root state.

The root is compared with the naive fixpoint, and with the naive fills under assumptions.
"""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import (
    candidates_left,
    fills_counted,
    lexicon_of,
    problem_of,
    small_grids,
    word_lists,
)
from tests.examples import examples
from tests.known import candidate, known
from tests.naive.engine import naive_fills, naive_propagation, slot_words
from xwtui.engine.candidates.options import slot_options
from xwtui.engine.kernels.network import (
    AT_INDEX,
    AT_SLOT,
    CROSSING,
    INDEX,
    MATES,
    PLACES,
    REQUIRED,
    SHARING,
    SQUARE,
)
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Assumptions, Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Ink, Position, Rules, Square
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import TwoReadings


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Problems of small grids, with gaps and selections."""
    grid: Grid = draw(small_grids())
    squares = st.sets(st.sampled_from(list(grid.positions())))
    return Problem.build(
        grid,
        lexicon_of(draw(word_lists())),
        allow_repeats=draw(st.booleans()),
        holes=draw(squares),
        selection=draw(st.none() | squares),
    )


def test_grids_with_the_same_list_share_word_tables() -> None:
    """Tables that depend on the words alone are built once, which saves 1 ms per fill of an ordinary grid."""
    lexicon = lexicon_of({"CAT": 50, "ATE": 50, "TEN": 50, "CATS": 50, "ATEN": 50, "TENT": 50, "STEM": 50})
    Problem.build(Grid.blank(3, 3), lexicon)
    wide, square = Problem.build(Grid.blank(3, 4), lexicon), Problem.build(Grid.blank(3, 3), lexicon)
    assert square.network.supports is wide.network.supports
    assert square.words(0) == ["ATE", "CAT", "TEN"]
    assert wide.words(0) == ["ATEN", "CATS", "STEM", "TENT"]


@given(problems())
def test_places_lie_on_the_squares_of_their_slots(problem: Problem) -> None:
    positions, split = problem.positions, problem.task.holes | problem.task.split
    in_use = {at for slot in problem.slots for at in slot.positions}
    assert list(positions) == sorted(positions)
    assert set(positions) == in_use
    for slot, places in zip(problem.slots, _pieces(problem, PLACES), strict=True):
        squares = [int(problem.network.places[place, SQUARE]) for place in places]
        assert [positions[square] for square in squares] == list(slot.positions)
        for at, square in zip(slot.positions, squares, strict=True):
            numbers = [number for number, position in enumerate(positions) if position == at]
            assert square in (numbers[-1:] if slot.direction is Direction.DOWN else numbers[:1])
            assert len(numbers) == 1 or at in split


@given(problems())
def test_crossings_are_those_of_the_grid(problem: Problem) -> None:
    expected = set()
    for one, slot in enumerate(problem.slots):
        for other, crossed in enumerate(problem.slots):
            for at in set(slot.positions) & set(crossed.positions) if slot is not crossed else ():
                if at not in problem.task.holes | problem.task.split:
                    expected.add((one, slot.positions.index(at), other, crossed.positions.index(at)))
    found = {
        (slot, place - places[0], *problem.network.places[place, [CROSSING, INDEX]].tolist())
        for slot, places in enumerate(_pieces(problem, PLACES))
        for place in places
        if problem.network.places[place, CROSSING] >= 0
    }
    assert found == expected
    assert (problem.network.places[:, SHARING] == problem.network.places[:, CROSSING]).all()


def test_entries_cross_without_a_shared_square_where_squares_may_clash() -> None:
    rules = Rules(grid=(ClashSquares(TwoReadings(least=1)),))
    problem = Problem.build(Grid.blank(3, 3), lexicon_of({"ABC": 50}), rules=rules)
    places = problem.network.places
    assert len(problem.positions) == len(places) == 18
    assert (places[:, SHARING] == -1).all()
    assert places[:3, [CROSSING, INDEX]].tolist() == [[3, 0], [4, 0], [5, 0]]
    assert places[9:12, [CROSSING, INDEX]].tolist() == [[0, 0], [1, 0], [2, 0]]


@given(problems())
def test_squares_store_the_first_slot_through_them(problem: Problem) -> None:
    pieces = _pieces(problem, PLACES)
    for square in range(len(problem.positions)):
        slot, index = int(problem.network.squares[square, AT_SLOT]), int(problem.network.squares[square, AT_INDEX])
        assert problem.network.places[pieces[slot][index], SQUARE] == square
        through = [
            number
            for number, places in enumerate(pieces)
            if square in problem.network.places[places.start : places.stop, SQUARE]
        ]
        assert slot == min(through)


@given(problems())
def test_mates_are_the_other_slots_with_words_of_the_same_length(problem: Problem) -> None:
    lengths = [set(table.lengths) for table in problem.tables]
    for slot, mates in enumerate(_pieces(problem, MATES)):
        expected = [other for other, own in enumerate(lengths) if other != slot and own & lengths[slot]] * (
            not problem.task.allow_repeats
        )
        assert problem.network.mates[mates.start : mates.stop].tolist() == expected


@given(problems())
def test_slots_of_a_selection_are_required(problem: Problem) -> None:
    assert tuple(problem.network.slots[:-1, REQUIRED].astype(bool)) == problem.is_required


def _pieces(problem: Problem, column: int) -> list[range]:
    """Return each slot's range in an array."""
    return [range(start, end) for start, end in pairwise(problem.network.slots[:, column].tolist())]


def test_a_gap_has_a_square_for_each_direction() -> None:
    hole = Position(0, 0)
    problem = Problem.build(Grid.blank(3, 3), lexicon_of({"ABC": 50}), holes=[hole])
    assert problem.positions[:3] == (hole, hole, Position(0, 1))
    assert len(problem.positions) == 10


@examples(300)
@given(small_grids(), word_lists(), st.booleans())
def test_surviving_words_are_the_naive_fixpoint(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    expected = naive_propagation(grid, words, allow_repeats=allow_repeats)
    options = slot_options(problem)
    assert problem.root.is_possible == (expected is not None)
    for slot in grid.slots:
        assert options[slot.name].pattern_matches == len(slot_words(grid, slot, words))
        listed = candidates_left(problem, slot.name)
        alive = {candidate.word for candidate in listed if candidate.alive}
        assert alive == (expected[slot.name] if expected else set())
        assert options[slot.name].after_propagation == len(alive)


@given(small_grids(), word_lists())
def test_candidates_are_the_words_that_match_best_first(grid: Grid, words: dict[str, int]) -> None:
    problem = problem_of(grid, words)
    for slot in grid.slots:
        listed = candidates_left(problem, slot.name)
        assert {candidate.word for candidate in listed} == set(slot_words(grid, slot, words))
        scores = [candidate.score or 0 for candidate in listed]
        assert scores == sorted(scores, reverse=True)
        assert all(candidate.score == words.get(candidate.word) for candidate in listed)


def test_a_domain_larger_than_one_machine_word() -> None:
    words = {a + b + c: 50 for a in "ABCDEFGH" for b in "ABCDEFGH" for c in "ABCDEFGH" if (a, b, c) != ("A",) * 3}
    grid = grid_from_text("A..\n.#.\n..H\n")
    problem = problem_of(grid, words)
    expected = known(naive_propagation(grid, words))
    assert {name: options.after_propagation for name, options in slot_options(problem).items()} == {
        name: len(left) for name, left in expected.items()
    }


def test_digits_and_28_rebus_squares_are_accepted_and_29_are_not() -> None:
    contents = [Content.of(f"X{number:02}") for number in range(29)]
    blank = Grid.blank(3, 40)

    def with_rebuses(count: int) -> Grid:
        return blank.with_squares(
            {
                Position(0, column): Square(content=content, ink=Ink.PEN)
                for column, content in enumerate(contents[:count])
            }
        )

    words = {f"X{number:02}A1": 1 for number in range(29)} | {"A1": 1}
    assert problem_of(with_rebuses(28), words).symbols.contents[-1] == contents[27]
    with pytest.raises(EngineError, match=r"29 different rebus squares.*28.*X28"):
        problem_of(with_rebuses(29), words)


def test_pencil_is_ignored() -> None:
    square = Square(content=Content.of("Q"), ink=Ink.PENCIL)
    grid = Grid.blank(3, 3).with_squares({Position(0, 0): square})
    problem = problem_of(grid, {"CAT": 1})
    assert slot_options(problem)["1A"].pattern_matches == 1


def test_an_unknown_entry_is_named() -> None:
    problem: Problem = problem_of(Grid.blank(3, 3), {"CAT": 1})
    with pytest.raises(EngineError, match="'99A'"):
        candidates_left(problem, "99A")


def test_an_unlisted_given_answer_has_no_score() -> None:
    problem = problem_of(grid_from_text("XYZ\n###\n...\n"), {"CAT": 0})
    assert list(candidates_left(problem, "1A")) == [candidate("XYZ", None)]
    assert list(candidates_left(problem, "2A")) == [candidate("CAT", 0)]


Fill = dict[Position, Content]


def drawn_assumptions(grid: Grid, fill: Fill, rng: Random) -> Assumptions:
    """Return random assumptions: parts of a fill, assumed or excluded."""
    squares = rng.sample(sorted(fill), k=min(len(fill), 3))
    entries = [slot for slot in grid.slots if rng.random() < 0.4 and all(at in fill for at in slot.positions)]
    return Assumptions(
        {at: fill[at] for at in squares[:1] if rng.random() < 0.5},
        {slot.name: frozenset({tuple(fill[at] for at in slot.positions)}) for slot in entries},
        {at: frozenset({fill[at]}) for at in squares[1:] if rng.random() < 0.5},
    )


def is_inside(grid: Grid, fill: Fill, assumed: Assumptions) -> bool:
    """Whether a fill satisfies the assumptions."""
    return (
        all(fill[at] == content for at, content in assumed.contents.items())
        and all(fill[at] not in contents for at, contents in assumed.squares.items())
        and all(
            tuple(fill[at] for at in grid.slot(name).positions) not in rows
            for name, rows in assumed.entries.items()
        )
    )


@given(small_grids(4), word_lists(4), st.randoms(use_true_random=True))
def test_assumptions_keep_exactly_their_fills(grid: Grid, words: dict[str, int], rng: Random) -> None:
    fills = [dict(fill) for fill in naive_fills(grid, words)]
    needed = {at for slot in grid.slots for at in slot.positions}
    pattern = {at: fill[at] for fill in fills[:1] for at in needed}
    assumed = drawn_assumptions(grid, pattern, rng)
    problem = Problem.of(Task(grid, lexicon_of(words), assumptions=assumed))
    assert fills_counted(problem) == sum(is_inside(grid, fill, assumed) for fill in fills)
