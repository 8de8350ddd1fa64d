"""The figures of a grid, by hand and against sums over its squares."""

from hypothesis import given

from tests.generators import grids
from tests.naive.model import naive_answers, naive_slots
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import OPEN, Grid, Kind
from xwtui.model.statistics import grid_statistics

SCORES = {"CAB": 60, "ORE": 40, "COD": 50, "DYE": 30}


def test_a_small_grid_by_hand() -> None:
    figures = grid_statistics(grid_from_text("CAB\nORE\nDYE"), SCORES.get)
    assert (figures.height, figures.width) == (3, 3)
    assert (figures.entries, figures.filled_entries, figures.blocks) == (6, 6, 0)
    assert (figures.open_squares, figures.filled_squares, figures.rebus_squares) == (9, 9, 0)
    assert figures.mean_length == 3
    assert figures.letters == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 2, "O": 1, "R": 1, "Y": 1}
    assert list(figures.letters) == sorted(figures.letters)
    assert (figures.mean_score, figures.lowest_score) == (45, 30)
    assert figures.unlisted == (("2D", "ARY"), ("3D", "BEE"))


def test_a_rebus_counts_in_full_by_its_across_reading() -> None:
    figures = grid_statistics(grid_from_text("[HEART].#\n[X/TIMES]..\n..."), SCORES.get)
    assert figures.letters == {"A": 1, "E": 1, "H": 1, "R": 1, "T": 1, "X": 1}
    assert (figures.rebus_squares, figures.filled_squares, figures.blocks) == (2, 2, 1)


def test_an_empty_grid_has_no_scores() -> None:
    figures = grid_statistics(Grid.blank(3, 4), SCORES.get)
    assert (figures.mean_score, figures.lowest_score, figures.unlisted) == (None, None, ())
    assert figures.mean_length == (3 * 4 + 4 * 3) / 7


def test_a_grid_without_slots_has_a_mean_length_of_nothing() -> None:
    assert grid_statistics(grid_from_text("###\n#.#\n###"), SCORES.get).mean_length == 0


@given(grids(largest=5))
def test_figures_are_sums_over_squares_and_slots(grid: Grid) -> None:
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
def test_cheaters_are_blocks_without_which_there_are_as_many_slots(grid: Grid) -> None:
    """Each by itself, as a look at the whole grid without it says."""
    expected = [
        at
        for at in grid.positions()
        if grid[at].kind is Kind.BLOCK
        and len(naive_slots(grid.with_squares({at: OPEN}))) == len(naive_slots(grid))
    ]
    assert list(grid.cheaters) == expected


def test_cheaters_and_short_entries_by_hand() -> None:
    """Those in the corners are cheaters; the block in the middle is none."""
    grid = grid_from_text("##...\n.....\n..#..\n.....\n...##")
    figures = grid_statistics(grid, SCORES.get)
    assert [str(at) for at in grid.cheaters] == ["r1c1", "r1c2", "r5c4", "r5c5"]
    assert (figures.cheaters, figures.three_letter_entries) == (4, 2)
