"""Squares, grids, slots, numbers and statistics, compared with naive twins and with hand-made cases."""

import pytest
from hypothesis import given

from tests.generators import contents, grids, layouts
from tests.naive.model import naive_answers, naive_checked, naive_slots
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, OPEN, VOID, Bar, Content, Direction, Grid, Ink, Kind, Position, Square
from xwtui.model.statistics import grid_statistics


@given(contents())
def test_content_reads_back(content: Content) -> None:
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
def test_notations_of_constructors(text: str, across: str, down: str) -> None:
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
def test_invalid_content_names_the_error(text: str) -> None:
    with pytest.raises(PuzzleError, match=REFUSED[text]):
        Content.parse(text)


@pytest.mark.parametrize("text", ["A", "7", "HEART", "X/TIMES", "X/O"])
def test_a_squares_text_has_no_brackets(text: str) -> None:
    assert Content.parse(text).text == text


def test_a_rebus_is_more_than_one_plain_character() -> None:
    assert not Content.of("A").is_rebus
    assert Content.of("AB").is_rebus
    assert Content("A", "B").is_rebus
    assert Content("A", "B").is_schroedinger
    assert not Content.of("AB").is_schroedinger


def test_a_fill_keeps_pen_and_locked_squares_not_pencil() -> None:
    kept = {ink: Square(content=Content.of("A"), ink=ink).is_given for ink in Ink}
    assert kept == {Ink.PENCIL: False, Ink.PEN: True, Ink.LOCKED: True}
    assert not Square(ink=Ink.LOCKED).is_given


def test_only_open_squares_take_letters() -> None:
    assert (OPEN.is_open, BLOCK.is_open, VOID.is_open) == (True, False, False)


@pytest.mark.parametrize(("height", "width"), [(2, 3), (3, 2), (41, 3), (3, 41), (0, 0), (-5, 5), (10**9, 10**9)])
def test_sizes_beyond_the_limits_are_refused(height: int, width: int) -> None:
    with pytest.raises(PuzzleError, match="grids are 3x3 to 40x40"):
        Grid.blank(height, width)


@pytest.mark.parametrize(("height", "width"), [(3, 3), (40, 40), (3, 40), (40, 3)])
def test_sizes_at_the_limits_are_accepted(height: int, width: int) -> None:
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
def test_rows_recreate_the_grid(grid: Grid) -> None:
    assert Grid.from_rows(grid.rows(), grid.bars) == grid


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (3, 0), (0, 3)])
def test_positions_off_the_grid_raise(place: tuple[int, int]) -> None:
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


def test_replacing_squares_keeps_the_original_grid() -> None:
    grid = Grid.blank(3, 3)
    changed = grid.with_squares({Position(1, 1): BLOCK})
    assert grid[Position(1, 1)] is OPEN
    assert changed[Position(1, 1)] is BLOCK
    assert len(grid.slots) == 6
    assert len(changed.slots) == 4


def test_a_bar_is_between_neighbors_upper_or_left_first() -> None:
    here, below, right = Position(1, 1), Position(2, 1), Position(1, 2)
    assert Bar.between(below, here) == Bar(here, below)
    assert Bar.between(right, here) == Bar(here, right)
    for other in (here, Position(2, 2), Position(1, 3)):
        with pytest.raises(PuzzleError, match="between two adjacent squares"):
            Bar.between(here, other)


def test_a_bar_off_the_grid_or_reversed_is_refused() -> None:
    grid = Grid.blank(3, 3)
    for bar in (
        Bar(Position(2, 2), Position(2, 3)),
        Bar(Position(0, 1), Position(0, 0)),
    ):
        with pytest.raises(PuzzleError, match="is not on the grid"):
            grid.with_bars([bar])


def test_squares_are_joined_unless_separated() -> None:
    grid = grid_from_text("..#\n.._\n...").with_bars([Bar(Position(0, 0), Position(0, 1))])
    assert grid.is_joined(Position(0, 0), Position(1, 0))
    assert not grid.is_joined(Position(0, 0), Position(0, 1))
    assert not grid.is_joined(Position(0, 1), Position(0, 2))
    assert not grid.is_joined(Position(1, 1), Position(1, 2))
    assert not grid.is_joined(Position(2, 2), Position(2, 3))
    assert not grid.is_joined(Position(-1, 0), Position(0, 0))


def test_slot_names_are_case_insensitive() -> None:
    grid = Grid.blank(3, 3)
    assert grid.slot("1a") is grid.slot(" 1A ")
    assert grid.slot("4a").direction is Direction.ACROSS
    with pytest.raises(PuzzleError, match="no entry '17A'; entry names look like 1A or 1D"):
        grid.slot("17A")


REBUS = grid_from_text("""
    A[HEART][X/TIMES].
    ....
    ....
""")


def test_a_pattern_shows_rebus_squares_in_brackets_and_empty_ones_as_question_marks() -> None:
    assert REBUS.pattern(REBUS.slot("1A")) == "A[HEART]X?"
    assert REBUS.pattern(REBUS.slot("3D")) == "[TIMES]??"


def test_a_pattern_of_given_squares_hides_pencil() -> None:
    pencilled = REBUS.with_squares({Position(0, 0): Square(content=Content.of("A"), ink=Ink.PENCIL)})
    assert pencilled.pattern(pencilled.slot("1A")) == "A[HEART]X?"
    assert pencilled.pattern(pencilled.slot("1A"), given_only=True) == "?[HEART]X?"


@given(grids(largest=4))
def test_a_grid_is_filled_when_no_open_square_is_empty(grid: Grid) -> None:
    assert grid.is_filled == (not any(square.is_open and square.content is None for square in grid.squares))


@given(layouts())
def test_slots_match_the_naive_twin(grid: Grid) -> None:
    expected = naive_slots(grid)
    assert {slot.name: slot.positions for slot in grid.slots} == expected
    assert grid.numbers == {run[0]: int(name[:-1]) for name, run in expected.items()}


@given(layouts())
def test_slots_are_in_number_order_across_first(grid: Grid) -> None:
    order = [(slot.direction is Direction.DOWN, slot.number) for slot in grid.slots]
    assert order == sorted(order)
    assert (*grid.slots_of(Direction.ACROSS), *grid.slots_of(Direction.DOWN)) == grid.slots


@given(layouts())
def test_crossings_match_the_naive_twin(grid: Grid) -> None:
    assert grid.checked == naive_checked(grid)


@given(grids(largest=4))
def test_answers_match_the_naive_twin(grid: Grid) -> None:
    assert {slot.name: answer for slot in grid.slots if (answer := grid.answer(slot))} == naive_answers(grid)


@given(layouts())
def test_the_slot_at_a_square_contains_it(grid: Grid) -> None:
    for position in grid.positions():
        for direction in Direction:
            holding = [slot for slot in grid.slots if slot.direction is direction and position in slot.positions]
            assert grid.slot_at(position, direction) == (holding[0] if holding else None)


def test_numbering_as_printed_in_newspapers() -> None:
    grid = grid_from_text("""
        ##...
        #....
        .....
        ....#
        ...##
    """)
    assert [slot.name for slot in grid.slots] == ["1A", "4A", "5A", "6A", "7A", "1D", "2D", "3D", "4D", "5D"]
    assert [len(slot) for slot in grid.slots] == [3, 4, 5, 4, 3, 5, 4, 3, 4, 3]


SCORES = {"CAB": 60, "ORE": 40, "COD": 50, "DYE": 30}


def test_a_small_hand_made_grid() -> None:
    figures = grid_statistics(grid_from_text("CAB\nORE\nDYE"), SCORES.get)
    assert (figures.height, figures.width) == (3, 3)
    assert (figures.entries, figures.filled_entries, figures.blocks) == (6, 6, 0)
    assert (figures.open_squares, figures.filled_squares, figures.rebus_squares) == (9, 9, 0)
    assert figures.mean_length == 3
    assert figures.letters == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 2, "O": 1, "R": 1, "Y": 1}
    assert list(figures.letters) == sorted(figures.letters)
    assert (figures.mean_score, figures.lowest_score) == (45, 30)
    assert figures.unlisted == (("2D", "ARY"), ("3D", "BEE"))


def test_a_rebus_counts_its_full_across_reading() -> None:
    figures = grid_statistics(grid_from_text("[HEART].#\n[X/TIMES]..\n..."), SCORES.get)
    assert figures.letters == {"A": 1, "E": 1, "H": 1, "R": 1, "T": 1, "X": 1}
    assert (figures.rebus_squares, figures.filled_squares, figures.blocks) == (2, 2, 1)


def test_an_empty_grid_has_no_scores() -> None:
    figures = grid_statistics(Grid.blank(3, 4), SCORES.get)
    assert (figures.mean_score, figures.lowest_score, figures.unlisted) == (None, None, ())
    assert figures.mean_length == (3 * 4 + 4 * 3) / 7


def test_a_grid_without_slots_has_mean_length_zero() -> None:
    grid = grid_from_text("###\n#.#\n###")
    assert grid_statistics(grid, SCORES.get).mean_length == 0
    assert (grid.slots, set(grid.checked)) == ((), set())


@given(grids(largest=5))
def test_statistics_are_sums_over_squares_and_slots(grid: Grid) -> None:
    figures = grid_statistics(grid, lambda word: len(word) if len(word) < 6 else None)
    answers = naive_answers(grid)
    kinds = [square.kind for square in grid.squares]
    voids = kinds.count(Kind.VOID)
    assert figures.entries == len(naive_slots(grid))
    assert figures.filled_entries == len(answers)
    assert figures.open_squares + figures.blocks + voids == grid.height * grid.width
    assert sum(figures.letters.values()) == sum(len(s.content.across) for s in grid.squares if s.content)
    assert dict(figures.unlisted) == {name: answer for name, answer in answers.items() if len(answer) >= 6}
    listed = [len(answer) for answer in answers.values() if len(answer) < 6]
    assert figures.lowest_score == min(listed, default=None)
    assert figures.mean_score == (sum(listed) / len(listed) if listed else None)


@given(grids())
def test_cheaters_are_blocks_whose_removal_keeps_the_number_of_slots(grid: Grid) -> None:
    """Each one alone, compared with the whole grid without it."""
    expected = [
        at
        for at in grid.positions()
        if grid[at].kind is Kind.BLOCK
        and len(naive_slots(grid.with_squares({at: OPEN}))) == len(naive_slots(grid))
    ]
    assert list(grid.cheaters) == expected


def test_cheaters_and_short_entries_in_a_hand_made_grid() -> None:
    """The blocks in the corners are cheaters; the one in the middle is not."""
    grid = grid_from_text("##...\n.....\n..#..\n.....\n...##")
    figures = grid_statistics(grid, SCORES.get)
    assert [str(at) for at in grid.cheaters] == ["r1c1", "r1c2", "r5c4", "r5c5"]
    assert (figures.cheaters, figures.three_letter_entries) == (4, 2)
