"""Places, parts of a grid, segments and symmetries."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import contents
from tests.naive.model import naive_orbit, naive_squares
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, Content, Direction, Grid, Ink, Position, Symmetry
from xwtui.model.answers import contents_for, pieces, square_count, squares_in_words
from xwtui.model.selection import SHAPES, area_named, around, looks_like_place, rectangle


@given(st.integers(0, 39), st.integers(0, 39))
def test_a_position_reads_back(row: int, column: int) -> None:
    position = Position(row, column)
    assert Position.parse(str(position)) == position
    assert Position.parse(f" R{row + 1}C{column + 1} ") == position


@pytest.mark.parametrize(
    "text", ["", "r1", "c1", "r0c1", "r1c0", "r00c1", "r1c00", "r100c1", "r-1c1", "1,1", "r1c1x"]
)
def test_other_text_is_no_position(text: str) -> None:
    with pytest.raises(PuzzleError, match="squares look like r3c12"):
        Position.parse(text)


def test_a_long_line_is_truncated_in_the_message() -> None:
    with pytest.raises(PuzzleError) as caught:
        Position.parse("x" * 1_000_000)
    assert len(str(caught.value)) < 200


def test_each_direction_has_a_crossing_one() -> None:
    assert Direction.ACROSS.other is Direction.DOWN
    assert Direction.DOWN.other is Direction.ACROSS
    assert (Direction.ACROSS.word, Direction.DOWN.word) == ("across", "down")


@given(st.integers(0, 9), st.integers(0, 9), st.sampled_from(Direction), st.integers(-5, 5))
def test_a_step_back_reverses_a_step(row: int, column: int, direction: Direction, squares: int) -> None:
    position = Position(row, column)
    assert position.step(direction, squares).step(direction, -squares) == position


SQUARE_ONLY = [Symmetry.ROTATION_90, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL]


@given(st.sampled_from(Symmetry), st.integers(3, 9), st.integers(3, 9), st.data())
def test_orbits_match_the_naive_twin(symmetry: Symmetry, height: int, width: int, data: st.DataObject) -> None:
    if symmetry in SQUARE_ONLY:
        width = height
    place = (data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1)))
    assert symmetry.orbit(Position(*place), height, width) == naive_orbit(symmetry, place, height, width)


@pytest.mark.parametrize("symmetry", SQUARE_ONLY)
def test_some_symmetries_need_a_square_grid(symmetry: Symmetry) -> None:
    assert symmetry.needs_square_grid
    with pytest.raises(
        PuzzleError, match=f"{symmetry.value} symmetry needs a square grid; this one has 3 rows of 5"
    ):
        symmetry.orbit(Position(0, 0), 3, 5)


@pytest.mark.parametrize("symmetry", [each for each in Symmetry if each not in SQUARE_ONLY])
def test_other_symmetries_fit_any_grid(symmetry: Symmetry) -> None:
    symmetry.check_fits(3, 40)


@pytest.mark.parametrize("symmetry", Symmetry)
def test_a_symmetry_is_parsed_by_name(symmetry: Symmetry) -> None:
    assert Symmetry.parse(f" {symmetry.value.upper()} ") is symmetry


def test_no_symmetry_has_a_name() -> None:
    assert [Symmetry.NONE.words, Symmetry.NONE.brief] == ["no symmetry"] * 2
    assert [Symmetry.ROTATION_180.words, Symmetry.ROTATION_180.brief] == ["rot180 symmetry", "rot180"]


def test_an_unknown_symmetry_lists_those_available() -> None:
    with pytest.raises(PuzzleError, match="unknown symmetry 'spiral'; choose one of none, rot180, rot90"):
        Symmetry.parse("spiral")


def laid(standing: str, answer: str) -> str:
    grid = grid_from_text("\n".join([standing, *["." * _squares(standing)] * 2]))
    return "".join(str(content) for content in contents_for(grid, grid.slot("1A"), answer))


def laid_down(standing: list[str], answer: str) -> str:
    grid = grid_from_text("\n".join(f"{square}.." for square in standing))
    return "".join(str(content) for content in contents_for(grid, grid.slot("1D"), answer))


def _squares(standing: str) -> int:
    return len(pieces(standing.replace(".", "X")))


@given(st.lists(contents(), min_size=1, max_size=8))
def test_segments_read_back(squares: list[Content]) -> None:
    assert list(pieces("".join(str(content) for content in squares))) == squares


@pytest.mark.parametrize("text", ["SWEET HEART", "€", "A[HEART", "A]B", "[[A]]", "A?B", "\x1b[31m"])
def test_other_text_is_no_answer(text: str) -> None:
    with pytest.raises(PuzzleError):
        pieces(text)


@pytest.mark.parametrize(
    ("standing", "answer", "expected"),
    [
        ("...", "cat", "CAT"),
        ("DOG", "CAT", "CAT"),
        (".......", "SWEET[HEART]S", "SWEET[HEART]S"),
        (".....[HEART].", "SWEETHEARTS", "SWEET[HEART]S"),
        (".....[HEART].", "SWEET[HEART]S", "SWEET[HEART]S"),
        (".....[HEART].", "SWEET[LOVE]S", "SWEET[LOVE]S"),
        ("[HEART]..", "HEARTED", "[HEART]ED"),
        ("..[HEART]", "ATHEART", "AT[HEART]"),
        ("[AB][AB].", "ABABA", "[AB][AB]A"),
        ("[AB]..", "AB[X/TIMES]", "AB[X/TIMES]"),
        ("[X/TIMES]..", "XAB", "[X/TIMES]AB"),
        ("[X/TIMES]..", "[X/CROSS]AB", "[X/CROSS]AB"),
        ("[HEART/LOVE]..", "[HEART]ED", "[HEART/LOVE]ED"),
        ("...", "A1B", "A1B"),
    ],
)
def test_answers_through_given_squares(standing: str, answer: str, expected: str) -> None:
    assert laid(standing, answer) == expected


def test_a_down_answer_takes_the_down_reading() -> None:
    assert laid_down(["[X/TIMES]", ".", "."], "TIMESUP") == "[X/TIMES]UP"
    with pytest.raises(PuzzleError, match=r"XUP does not fit 1D, which reads \[TIMES\]"):
        laid_down(["[X/TIMES]", ".", "."], "XUP")


@pytest.mark.parametrize(
    ("standing", "answer", "message"),
    [
        ("...", "CATS", "CATS takes 4 squares; 1A has 3"),
        ("...", "AT", "AT takes 2 squares; 1A has 3"),
        (".....", "[HE]ART", r"\[HE\]ART takes 4 squares; 1A has 5"),
        ("[HEART]..", "SOUL", r"SOUL does not fit 1A, which reads \[HEART\]\?\?"),
        ("[HEART]..", "HEART", "HEART does not fit 1A"),
        ("[HEART]..", "HEARTENED", "HEARTENED does not fit 1A"),
    ],
)
def test_an_answer_that_does_not_fit_gives_the_reason(standing: str, answer: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        laid(standing, answer)


@pytest.mark.parametrize(
    ("answer", "squares"), [("LO[CAT]IONSCOUT", 11), ("lo[cat]ionscout", 11), ("[X/TIMES]UP", 3), ("CAT", 3)]
)
def test_answers_are_measured_in_squares(answer: str, squares: int) -> None:
    assert square_count(answer) == squares


def test_each_possible_size_is_listed_once() -> None:
    assert squares_in_words(["LO[CAT]E", "LOVE", "A"]) == "1 or 4 squares"
    assert squares_in_words(["A"]) == "1 square"


def test_penciled_rebus_is_ignored_if_only_given_squares_count() -> None:
    grid = grid_from_text("[HEART]..\n...\n...")
    at = grid.slot("1A").start
    grid = grid.with_squares({at: replace(grid[at], ink=Ink.PENCIL)})
    assert len(contents_for(grid, grid.slot("1A"), "ATE", given_only=True)) == 3
    with pytest.raises(PuzzleError):
        contents_for(grid, grid.slot("1A"), "ATE")


GRID = grid_from_text("...#.\n.....\n.....\n.....\n.#...\n")
CORNERS = st.builds(Position, st.integers(0, 4), st.integers(0, 4))


@given(CORNERS, CORNERS)
def test_a_rectangle_is_the_open_squares_between_its_corners_in_any_order(one: Position, other: Position) -> None:
    expected = {
        at
        for at in GRID.open_positions()
        if min(one.row, other.row) <= at.row <= max(one.row, other.row)
        and min(one.column, other.column) <= at.column <= max(one.column, other.column)
    }
    assert rectangle(GRID, one, other) == expected
    if expected:
        assert set(area_named(GRID, f"{one}:{other}").open_squares(GRID)) == expected


def test_neighbors_of_an_entry_are_its_crossings() -> None:
    slot = GRID.slot("1A")
    found = around(GRID, slot)
    assert set(slot.positions) <= found
    crossed = {GRID.slot_at(at, slot.direction.other) for at in slot.positions}
    assert found == set(slot.positions) | {at for one in crossed if one is not None for at in one.positions}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("99A", "no entry"),
        ("r9c9:r1c1", "not on this grid"),
        ("r1c1:x", "r1c1:r5c5"),
        ("", "17A"),
        ("1A,,2D", "17A"),
        ("r1c4", "no open square"),
        ("r1c1:r2c2:r3c3", "not a square"),
        ("\x1b[2J", "17A"),
    ],
)
def test_an_invalid_place_is_reported(text: str, said: str) -> None:
    with pytest.raises(PuzzleError, match=said) as caught:
        area_named(GRID, text).open_squares(GRID)
    assert str(caught.value).isprintable()


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Grids of various proportions, with a few blocks."""
    height, width = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    blocks = draw(st.sets(st.builds(Position, st.integers(0, height - 1), st.integers(0, width - 1)), max_size=5))
    return Grid.blank(height, width).with_squares(dict.fromkeys(blocks, BLOCK))


@st.composite
def grids_and_parts(draw: st.DrawFn) -> tuple[Grid, list[str]]:
    """A grid and some of its places, in upper or lower case."""
    grid = draw(grids())
    rows, columns = st.integers(1, grid.height), st.integers(1, grid.width)
    parts = [
        st.builds(lambda number: f"row {number}", rows),
        st.builds(lambda number: f"column {number}", columns),
        st.builds(lambda number: f"col{number}", columns),
        st.builds(lambda row, column: f"r{row}c{column}", rows, columns),
        st.builds("r{}c{}:r{}c{}".format, rows, columns, rows, columns),
        st.sampled_from([*(SHAPES if grid.height == grid.width else ["perimeter"])]),
        *([st.sampled_from([slot.name for slot in grid.slots])] if grid.slots else []),
    ]
    named = st.one_of(parts)
    cased = named.map(str) | named.map(str.upper) | named.map(str.lower)
    return grid, draw(st.lists(cased, min_size=1, max_size=4))


@given(grids_and_parts())
def test_squares_come_once_in_the_order_of_the_places(case: tuple[Grid, list[str]]) -> None:
    grid, parts = case
    expected: list[Position] = []
    for part in parts:
        expected += [at for at in naive_squares(grid, part) if at not in expected]
    named = area_named(grid, ", ".join(parts))
    assert list(named.squares) == expected
    open_squares = [at for at in expected if grid[at].is_open]
    if open_squares:
        assert list(named.open_squares(grid)) == open_squares
    assert looks_like_place(",".join(parts))


@pytest.mark.parametrize("name", ["diagonal", "antidiagonal"])
def test_a_rectangular_grid_has_no_diagonal(name: str) -> None:
    with pytest.raises(PuzzleError, match="diagonals need a square grid; this one has 4 rows of 5"):
        area_named(Grid.blank(4, 5), name)
