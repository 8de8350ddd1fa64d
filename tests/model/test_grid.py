"""Squares and grids."""

import pytest
from hypothesis import given

from tests.generators import contents, grids
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, OPEN, VOID, Bar, Content, Direction, Grid, Ink, Position, Square


@given(contents())
def test_content_is_read_as_it_is_written(content: Content) -> None:
    assert Content.parse(str(content)) == content
    assert Content.parse(f" {str(content).lower()} ") == content


@pytest.mark.parametrize(
    ("text", "across", "down"),
    [
        ("a", "A", "A"),
        ("7", "7", "7"),
        ("[HEART]", "HEART", "HEART"),
        ("heart", "HEART", "HEART"),
        ("[X/TIMES]", "X", "TIMES"),
        ("x/y", "X", "Y"),
        ("ABCDEFGHIJKL", "ABCDEFGHIJKL", "ABCDEFGHIJKL"),
    ],
)
def test_forms_that_constructors_write(text: str, across: str, down: str) -> None:
    content = Content.parse(text)
    assert (content.reading(Direction.ACROSS), content.reading(Direction.DOWN)) == (across, down)


REFUSED = {
    "": "1 to 12 letters or digits",
    "[]": "1 to 12 letters or digits",
    "?": r"^\? is not a letter or digit, so no square can hold '\?'",
    "X/": "1 to 12 letters or digits",
    "/X": "1 to 12 letters or digits",
    "X/Y/Z": "one / at most",
    "[HEART": r"^\[ is not a letter or digit",
    "€": "€ is not a letter or digit",
    "日": "日 is not a letter or digit",
    "A B": "' ' is not a letter or digit",
    "A&B": "^& is not a letter or digit, so no square can hold 'A&B'",
    "ABCDEFGHIJKLM": "up to 12 letters or digits, and ABCDEFGHIJKLM has 13",
}


@pytest.mark.parametrize("text", list(REFUSED))
def test_other_text_is_no_content_and_what_is_wrong_is_named(text: str) -> None:
    with pytest.raises(PuzzleError, match=REFUSED[text]):
        Content.parse(text)


@pytest.mark.parametrize("text", ["A", "7", "HEART", "X/TIMES", "X/O"])
def test_the_text_of_a_square_has_no_brackets(text: str) -> None:
    assert Content.parse(text).text == text


def test_a_rebus_is_more_than_one_plain_character() -> None:
    assert not Content.of("A").is_rebus
    assert Content.of("AB").is_rebus
    assert Content("A", "B").is_rebus
    assert Content("A", "B").is_schroedinger
    assert not Content.of("AB").is_schroedinger


def test_a_fill_keeps_pen_and_locked_and_not_pencil() -> None:
    kept = {ink: Square(content=Content.of("A"), ink=ink).is_given for ink in Ink}
    assert kept == {Ink.PENCIL: False, Ink.PEN: True, Ink.LOCKED: True}
    assert not Square(ink=Ink.LOCKED).is_given


def test_only_an_open_square_takes_letters() -> None:
    assert (OPEN.is_open, BLOCK.is_open, VOID.is_open) == (True, False, False)


@pytest.mark.parametrize(("height", "width"), [(2, 3), (3, 2), (41, 3), (3, 41), (0, 0), (-5, 5), (10**9, 10**9)])
def test_sizes_beyond_the_limits_are_refused(height: int, width: int) -> None:
    with pytest.raises(PuzzleError, match="grids are 3x3 to 40x40"):
        Grid.blank(height, width)


@pytest.mark.parametrize(("height", "width"), [(3, 3), (40, 40), (3, 40), (40, 3)])
def test_sizes_at_the_limits_are_taken(height: int, width: int) -> None:
    grid = Grid.blank(height, width)
    assert len(list(grid.positions())) == height * width
    assert len(list(grid.open_positions())) == height * width


def test_a_wrong_number_of_squares_is_refused() -> None:
    with pytest.raises(PuzzleError, match="has 9 squares, not 8"):
        Grid(3, 3, (OPEN,) * 8)


def test_ragged_rows_are_refused_by_number() -> None:
    with pytest.raises(PuzzleError, match="row 2 has 4 squares, row 1 has 3"):
        Grid.from_rows([[OPEN] * 3, [OPEN] * 4, [OPEN] * 3])


def test_no_rows_are_refused() -> None:
    with pytest.raises(PuzzleError, match="0 rows"):
        Grid.from_rows([])


@given(grids(largest=4))
def test_rows_make_the_grid_again(grid: Grid) -> None:
    assert Grid.from_rows(grid.rows(), grid.bars) == grid


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (3, 0), (0, 3)])
def test_a_place_off_the_grid_is_an_error(place: tuple[int, int]) -> None:
    grid = Grid.blank(3, 3)
    position = Position(*place)
    assert position not in grid
    with pytest.raises(PuzzleError, match="is not on this grid of 3 rows of 3"):
        _ = grid[position]
    with pytest.raises(PuzzleError, match="is not on this grid"):
        grid.with_squares({position: BLOCK})


def test_only_positions_are_in_a_grid() -> None:
    grid = Grid.blank(3, 3)
    assert Position(2, 2) in grid
    assert "r1c1" not in grid
    assert None not in grid


def test_replacing_squares_leaves_the_grid_as_it_was() -> None:
    grid = Grid.blank(3, 3)
    changed = grid.with_squares({Position(1, 1): BLOCK})
    assert grid[Position(1, 1)] is OPEN
    assert changed[Position(1, 1)] is BLOCK
    assert len(grid.slots) == 6
    assert len(changed.slots) == 4


def test_a_bar_stands_between_neighbours_the_upper_or_left_one_first() -> None:
    here, below, right = Position(1, 1), Position(2, 1), Position(1, 2)
    assert Bar.between(below, here) == Bar(here, below)
    assert Bar.between(right, here) == Bar(here, right)
    for other in (here, Position(2, 2), Position(1, 3)):
        with pytest.raises(PuzzleError, match="between two adjacent squares"):
            Bar.between(here, other)


def test_a_bar_off_the_grid_or_the_wrong_way_round_is_refused() -> None:
    grid = Grid.blank(3, 3)
    for bar in (
        Bar(Position(2, 2), Position(2, 3)),
        Bar(Position(0, 1), Position(0, 0)),
    ):
        with pytest.raises(PuzzleError, match="is not on the grid"):
            grid.with_bars([bar])


def test_squares_are_joined_unless_something_stands_between() -> None:
    grid = grid_from_text("..#\n.._\n...").with_bars([Bar(Position(0, 0), Position(0, 1))])
    assert grid.is_joined(Position(0, 0), Position(1, 0))
    assert not grid.is_joined(Position(0, 0), Position(0, 1))
    assert not grid.is_joined(Position(0, 1), Position(0, 2))
    assert not grid.is_joined(Position(1, 1), Position(1, 2))
    assert not grid.is_joined(Position(2, 2), Position(2, 3))
    assert not grid.is_joined(Position(-1, 0), Position(0, 0))


def test_slots_are_named_in_either_case() -> None:
    grid = Grid.blank(3, 3)
    assert grid.slot("1a") is grid.slot(" 1A ")
    assert grid.slot("4a").direction is Direction.ACROSS
    with pytest.raises(PuzzleError, match="no entry '17A'; entry names look like 1A or 1D"):
        grid.slot("17A")


def test_the_slots_of_a_direction_are_in_the_order_of_their_numbers() -> None:
    grid = Grid.blank(3, 3)
    assert [slot.name for slot in grid.slots_of(Direction.ACROSS)] == ["1A", "4A", "5A"]
    assert [slot.name for slot in grid.slots_of(Direction.DOWN)] == ["1D", "2D", "3D"]


REBUS = grid_from_text("""
    A[HEART][X/TIMES].
    ....
    ....
""")


def test_a_pattern_shows_rebus_squares_in_brackets_and_empty_ones_as_questions() -> None:
    assert REBUS.pattern(REBUS.slot("1A")) == "A[HEART]X?"
    assert REBUS.pattern(REBUS.slot("3D")) == "[TIMES]??"


def test_a_pattern_of_what_is_given_hides_the_pencil() -> None:
    pencilled = REBUS.with_squares({Position(0, 0): Square(content=Content.of("A"), ink=Ink.PENCIL)})
    assert pencilled.pattern(pencilled.slot("1A")) == "A[HEART]X?"
    assert pencilled.pattern(pencilled.slot("1A"), given_only=True) == "?[HEART]X?"


def test_an_answer_is_whole_or_none() -> None:
    assert REBUS.answer(REBUS.slot("1A")) is None
    filled = REBUS.with_squares({Position(0, 3): Square(content=Content.of("S"))})
    assert filled.answer(filled.slot("1A")) == "AHEARTXS"


@given(grids(largest=4))
def test_a_grid_is_filled_when_no_open_square_is_empty(grid: Grid) -> None:
    assert grid.is_filled == (not any(square.is_open and square.content is None for square in grid.squares))
