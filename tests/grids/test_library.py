"""The user's library of layouts: stored layouts are found again, unique up to symmetry."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.grids.test_profiles import small_grids
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.library import (
    NewLayout,
    bare,
    drop_layouts,
    keep_layouts,
    layout_library,
    own_layouts,
    pattern_key,
)
from xwtui.grids.templates import TemplateWanted, find_templates, read_query, template_library
from xwtui.model import Bar, Grid, Position, Puzzle, Symmetry
from xwtui.model.edits import toggle_bars
from xwtui.resources import own_layouts_file

HEART = Puzzle(grid_from_text("#HEART#\n.......\n.......\n...#...\n.......\n.......\n#.....#"), profile="mini")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def moved(grid: Grid, *, mirrored: bool, turns: int) -> Grid:
    """Return the grid mirrored on request and rotated by `turns` quarters, square by square and bar by bar."""

    def where(at: Position) -> Position:
        row, column, height, width = at.row, at.column, grid.height, grid.width
        if mirrored:
            column = width - 1 - column
        for _ in range(turns):
            row, column, height, width = column, height - 1 - row, width, height
        return Position(row, column)

    sides = (grid.width, grid.height) if turns % 2 else (grid.height, grid.width)
    squares = {where(at): grid[at] for at in grid.positions()}
    made = Grid(*sides, tuple(squares[at] for at in Grid.blank(*sides).positions()))
    puzzle = Puzzle(made, symmetry=Symmetry.NONE)
    for bar in grid.bars:
        puzzle = toggle_bars(puzzle, [Bar.between(where(bar.first), where(bar.second))])
    return puzzle.grid


def barred(grid: Grid, places: list[int]) -> Grid:
    puzzle = Puzzle(grid, symmetry=Symmetry.NONE)
    for place in sorted(set(places)):
        row, column = divmod(place, grid.width)
        ends = Position(row % grid.height, column), Position(row % grid.height, column + 1)
        if all(end in grid and grid[end].is_open for end in ends):
            puzzle = toggle_bars(puzzle, [Bar.between(*ends)])
    return puzzle.grid


@given(small_grids(), st.lists(st.integers(0, 35), max_size=3), st.booleans(), st.integers(0, 3))
def test_a_patterns_key_is_invariant_under_symmetry(
    grid: Grid, places: list[int], mirrored: bool, turns: int
) -> None:
    pattern = barred(grid, places)
    other = moved(pattern, mirrored=mirrored, turns=turns)
    assert pattern_key(other) == pattern_key(pattern)
    if pattern.bars:
        assert pattern_key(grid) != pattern_key(pattern)


def test_stored_layouts_are_found_with_all_their_data() -> None:
    kept = keep_layouts([NewLayout("A Heart!", HEART, "heart.puz"), NewLayout("15", Puzzle.blank(8, 9))])
    assert [one.name for one in kept.added] == ["a-heart", "own-15"]
    first, second = own_layouts()
    assert (first.grid, first.profile, first.origin) == (bare(HEART.grid), "mini", "heart.puz")
    assert first.puzzle.symmetry is Symmetry.ROTATION_180
    assert second.is_own
    assert layout_library() == (*template_library(), first, second)
    wanted = read_query("mine 7x7 heart")
    assert [one.template for one in find_templates(wanted, layout_library()) if one.fits] == [first]


def test_equivalent_layouts_are_stored_once() -> None:
    turned = replace(HEART, grid=moved(HEART.grid, mirrored=True, turns=1))
    shipped = template_library()[0]
    both = [NewLayout("one", HEART), NewLayout("other", turned), NewLayout("ours", shipped.puzzle)]
    kept = keep_layouts(both)
    assert ([one.name for one in kept.added], kept.known) == (["one"], 2)
    assert keep_layouts(both).known == 3
    other = keep_layouts([NewLayout("one-01", Puzzle.blank(8, 9)), NewLayout("one", Puzzle.blank(8, 10))])
    assert [one.name for one in other.added] == ["one-01", "one-02"], "each has a name of its own"
    assert drop_layouts(["one", "no such"]) == ("one",)
    assert [one.name for one in own_layouts()] == ["one-01", "one-02"]


def test_bars_are_stored() -> None:
    grid = barred(Grid.blank(5, 5), [1, 7])
    keep_layouts([NewLayout("barred", Puzzle(grid))])
    (kept,) = own_layouts()
    assert kept.grid == grid
    assert kept.words == len(grid.slots)


def test_damaged_lines_are_skipped() -> None:
    keep_layouts([NewLayout("good", HEART)])
    path = own_layouts_file()
    line = path.read_text()
    bad = ["{", "[]", '{"name": "x", "rows": 3}', '{"name": "x", "rows": ["..."], "symmetry": "none"}', "\0", line]
    path.write_text("\n".join([*bad, line.replace("good", "better")]))
    assert [one.name for one in own_layouts()] == ["good", "better"]


def test_an_unreadable_or_unwritable_library_is_reported(tmp_path: Path) -> None:
    own_layouts_file().mkdir(parents=True)
    with pytest.raises(PuzzleError, match=r"layouts\.jsonl cannot be"):
        own_layouts()
    own_layouts_file().rmdir()
    own_layouts_file().parent.rmdir()
    own_layouts_file().parent.write_text("")
    with pytest.raises(PuzzleError, match=r"layouts\.jsonl cannot be written"):
        keep_layouts([NewLayout("good", HEART)])


def test_theme_answers_find_entries_symmetric_in_the_layout() -> None:
    rows = "#.....#\n.......\n.......\n###.###\n.......\n.......\n......."
    keep_layouts([NewLayout("sided", Puzzle(grid_from_text(rows), symmetry=Symmetry.LEFT_RIGHT))])
    wanted = TemplateWanted(size=(7, 7), across=(5,), names=("sided",))
    (found,) = find_templates(wanted, layout_library())
    assert found.fits
    assert [(run.line, run.start) for run in found.across] == [(0, 1)]
