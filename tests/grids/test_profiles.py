"""Profiles: what a grid misses of one, and their files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.layouts import naive_open_area, naive_shortfalls
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.profiles import (
    Profile,
    find_profile,
    judge,
    judge_drawn,
    largest_open_area,
    profile_files,
    read_profile,
    review_under,
    user_profiles_folder,
    usual_profile,
)
from xwtui.model import Bar, Direction, Grid, Position, Puzzle, Symmetry
from xwtui.model.edits import bar_orbit
from xwtui.model.review import Check, review
from xwtui.model.square import BLOCK, OPEN


@st.composite
def small_grids(draw: st.DrawFn) -> Grid:
    height, width = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    squares = draw(st.lists(st.sampled_from([OPEN, OPEN, OPEN, BLOCK]), min_size=height * width, max_size=36))
    return Grid(height, width, tuple(squares[: height * width]))


@st.composite
def barred_grids(draw: st.DrawFn) -> Grid:
    """Small grids with some bars between squares, some of them with their mirror images."""
    puzzle = Puzzle(draw(small_grids()), symmetry=draw(st.sampled_from((Symmetry.NONE, Symmetry.ROTATION_180))))
    grid = puzzle.grid
    places = st.sampled_from(
        [at for at in grid.positions() if at.column + 1 < grid.width and at.row + 1 < grid.height]
    )
    for at, way in draw(st.lists(st.tuples(places, st.sampled_from(Direction)), max_size=4)):
        ends = at, at.step(way)
        if Bar.between(*ends) not in puzzle.grid.bars and all(grid[end].is_open for end in ends):
            orbit = bar_orbit(Bar.between(*ends), puzzle.symmetry, grid)
            if all(grid[end].is_open for bar in orbit for end in bar):
                puzzle = puzzle.with_grid(puzzle.grid.with_bars(puzzle.grid.bars | orbit))
    return puzzle.grid


PROFILES = [
    *(name for name in ("american-15", "american-21", "mini", "british", "barred", "free")),
]


@given(small_grids() | barred_grids(), st.sampled_from(PROFILES), st.integers(0, 14))
def test_a_grid_misses_what_a_naive_judge_misses(grid: Grid, name: str, most: int) -> None:
    shipped = find_profile(name)
    strict = Profile(
        name,
        sides=(3, 5),
        symmetries=(Symmetry.ROTATION_180, Symmetry.LEFT_RIGHT),
        most_unchecked_in_a_row=shipped.most_unchecked_in_a_row,
        least_checked=shipped.least_checked,
        most_unchecked_at_start=shipped.most_unchecked_in_a_row - most % 2,
        longest_entry=max(most, 3),
        most_words=most,
        most_blocks=most,
        most_threes=most,
        most_cheaters=most // 3,
        most_open_area=most,
        bars=shipped.bars,
    )
    for profile in (shipped, strict):
        assert {one.demand for one in judge(grid, profile)} == naive_shortfalls(grid, profile)


@given(small_grids())
def test_the_largest_open_area_is_the_naive_one(grid: Grid) -> None:
    rows = [[square.is_open for square in row] for row in grid.rows()]
    area, corner = largest_open_area(grid)
    assert area == naive_open_area(rows)
    assert area == 0 or grid[corner].is_open


def test_each_shortfall_says_what_and_how_much() -> None:
    grid = Grid.blank(15, 15)
    told = {one.demand: one.describe() for one in judge(grid, find_profile("american-15"))}
    assert told == {Check.OPEN_AREA: "225 squares without a block at r1c1; the limit is 60"}


def test_sizes_have_their_usual_profile() -> None:
    names = [usual_profile(*size).name for size in ((15, 15), (21, 21), (5, 5), (11, 11), (30, 30))]
    assert names == ["american-15", "american-21", "mini", "midi", "free"]


def test_a_profile_of_ones_own_comes_before_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = user_profiles_folder()
    folder.mkdir(parents=True)
    (folder / "mini.toml").write_text('sizes = ["5x5"]\nmost-blocks = 4\nsymmetries = ["none"]\n')
    mini = find_profile("mini")
    assert (mini.sizes, mini.most_blocks, mini.symmetries) == (((5, 5),), 4, (Symmetry.NONE,))
    assert "free" in profile_files()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("most-words = 'many'", "most-words must be another kind of value"),
        ("connected = 1", "connected must be another kind of value"),
        ("shortest-entry = true", "shortest-entry must be another kind of value"),
        ("sizes = '15x15'", "sizes must be a list"),
        ("sizes = ['big']", "sizes must be a list"),
        ("sides = [9]", "sides must be the shortest"),
        ("sides = [9, 5]", "sides must be the shortest"),
        ("symmetries = []", "symmetries must be"),
        ("symmetries = ['round']", "unknown symmetry 'round'"),
        ("colour = 3", "a profile has no 'colour'"),
        ("most-words = ", "own.toml"),
    ],
)
def test_a_bad_file_is_refused_with_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(PuzzleError, match=complaint):
        read_profile(path)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(PuzzleError, match="american-15"):
        find_profile("klingon")


@pytest.mark.parametrize(
    ("rows", "area", "corner"),
    [
        ("###\n###\n###", 0, "r1c1"),
        ("###\n##.\n###", 1, "r2c3"),
        ("...\n...\n...", 9, "r1c1"),
        ("..#\n#..\n#..", 4, "r2c2"),
    ],
)
def test_the_largest_open_area_and_its_corner(rows: str, area: int, corner: str) -> None:
    assert largest_open_area(grid_from_text(rows)) == (area, Position.parse(corner))


def test_a_drawn_layout_is_judged_as_any_other() -> None:
    """But for what the drawing sees to by itself."""
    wide, closed = Grid.blank(9, 9), grid_from_text("...#...\n" * 7)
    mini, british = Profile("few", most_open_area=60), find_profile("british")
    assert [judge_drawn(grid, mini) for grid in (wide, closed)] == [False, True]
    assert [judge_drawn(grid, british) for grid in (wide, closed)] == [False, False]


def test_a_review_under_a_profile_has_no_finding_of_the_grid_that_it_allows() -> None:
    puzzle = Puzzle(grid_from_text("AB#\nCDE\n#FG"))
    told = {finding.rule for finding in review_under(puzzle, Profile("free", shortest_entry=2))}
    assert Check.TWO_LETTERS in {finding.rule for finding in review(puzzle)}
    assert Check.TWO_LETTERS not in told
    assert Check.MISSING_CLUE in told
    short = review_under(puzzle, Profile("strict", shortest_entry=3))
    assert "1A has 2 squares; at least 3" in {finding.message for finding in short}
