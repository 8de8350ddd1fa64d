"""Slots, squares, crossings and mates in the arrays, against those that the grid itself names."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, small_grids, word_lists
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
from xwtui.model import Direction, Grid, Position, Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import LettersClash


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Problems of small grids, with holes and selections."""
    grid: Grid = draw(small_grids())
    squares = st.sets(st.sampled_from(list(grid.positions())))
    return Problem.build(
        grid,
        lexicon_of(draw(word_lists())),
        allow_repeats=draw(st.booleans()),
        holes=draw(squares),
        selection=draw(st.none() | squares),
    )


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


def test_where_squares_may_clash_entries_cross_and_share_none() -> None:
    rules = Rules(grid=(ClashSquares(LettersClash(least=1)),))
    problem = Problem.build(Grid.blank(3, 3), lexicon_of({"ABC": 50}), rules=rules)
    places = problem.network.places
    assert len(problem.positions) == len(places) == 18
    assert (places[:, SHARING] == -1).all()
    assert places[:3, [CROSSING, INDEX]].tolist() == [[3, 0], [4, 0], [5, 0]]
    assert places[9:12, [CROSSING, INDEX]].tolist() == [[0, 0], [1, 0], [2, 0]]


@given(problems())
def test_squares_know_the_first_slot_through_them(problem: Problem) -> None:
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
def test_mates_are_the_other_slots_with_words_as_long(problem: Problem) -> None:
    lengths = [set(table.lengths) for table in problem.tables]
    for slot, mates in enumerate(_pieces(problem, MATES)):
        expected = [other for other, own in enumerate(lengths) if other != slot and own & lengths[slot]] * (
            not problem.allow_repeats
        )
        assert problem.network.mates[mates.start : mates.stop].tolist() == expected


@given(problems())
def test_slots_of_a_selection_are_required(problem: Problem) -> None:
    assert tuple(problem.network.slots[:-1, REQUIRED].astype(bool)) == problem.is_required


def _pieces(problem: Problem, column: int) -> list[range]:
    """Where each slot's share of an array lies."""
    return [range(start, end) for start, end in pairwise(problem.network.slots[:, column].tolist())]


def test_a_hole_has_a_square_for_each_direction() -> None:
    hole = Position(0, 0)
    problem = Problem.build(Grid.blank(3, 3), lexicon_of({"ABC": 50}), holes=[hole])
    assert problem.positions[:3] == (hole, hole, Position(0, 1))
    assert len(problem.positions) == 10
