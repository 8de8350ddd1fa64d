"""Profiles: a grid's shortfalls, and profile files; template search."""

from collections import Counter
from itertools import combinations
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
    usual_profile,
)
from xwtui.grids.templates import (
    NO_LACKS,
    FoundTemplate,
    Template,
    TemplateWanted,
    find_templates,
    read_query,
    template_library,
)
from xwtui.model import Bar, Direction, Grid, Position, Puzzle, Slot, Symmetry
from xwtui.model.edits import bar_orbit
from xwtui.model.review import Check, review
from xwtui.model.square import BLOCK, OPEN
from xwtui.resources import user_profiles_folder


@st.composite
def small_grids(draw: st.DrawFn) -> Grid:
    height, width = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    squares = draw(st.lists(st.sampled_from([OPEN, OPEN, OPEN, BLOCK]), min_size=height * width, max_size=36))
    return Grid(height, width, tuple(squares[: height * width]))


@st.composite
def barred_grids(draw: st.DrawFn) -> Grid:
    """Small grids with some bars, partly symmetric."""
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
def test_shortfalls_match_a_naive_judge(grid: Grid, name: str, most: int) -> None:
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
        assert {one.rule for one in judge(grid, profile)} == naive_shortfalls(grid, profile)


@given(small_grids())
def test_the_largest_open_area_matches_the_naive_one(grid: Grid) -> None:
    rows = [[square.is_open for square in row] for row in grid.rows()]
    area, corner = largest_open_area(grid)
    assert area == naive_open_area(rows)
    assert area == 0 or grid[corner].is_open


def test_each_shortfall_states_what_and_how_much() -> None:
    grid = Grid.blank(15, 15)
    told = {one.rule: one.message for one in judge(grid, find_profile("american-15"))}
    assert told == {Check.OPEN_AREA: "225 squares without a block at r1c1; the limit is 60"}


def test_a_lattice_may_begin_on_any_line_and_lacks_its_blocks() -> None:
    lattice = Profile(
        "lattice",
        symmetries=(Symmetry.NONE,),
        lattice=True,
        shortest_entry=2,
        most_unchecked_in_a_row=2,
        least_checked=0,
    )
    for whole in ("....\n.#.#\n....\n.#.#\n", "#.#.\n....\n#.#.\n....\n"):
        assert not judge(grid_from_text(whole), lattice)
    open_square = judge(grid_from_text("....\n.#..\n....\n.#.#\n"), lattice)
    assert [one.message for one in open_square] == ["1 square open where a lattice has a block: r2c4"]


def test_sizes_have_default_profiles() -> None:
    names = [usual_profile(*size).name for size in ((15, 15), (21, 21), (5, 5), (11, 11), (30, 30))]
    assert names == ["american-15", "american-21", "mini", "midi", "free"]


def test_a_user_profile_takes_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        ("most-words = 'many'", "most-words must be a number from 0 to 1600"),
        ("connected = 1", "connected must be true or false"),
        ("shortest-entry = true", "shortest-entry must be a number"),
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
def test_a_bad_file_is_refused_with_the_reason(tmp_path: Path, text: str, complaint: str) -> None:
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


def test_a_generated_layout_is_judged_like_any_other() -> None:
    """Except for what the generator ensures by itself."""
    wide, closed = Grid.blank(9, 9), grid_from_text("...#...\n" * 7)
    mini, british = Profile("few", most_open_area=60), find_profile("british")
    assert [judge_drawn(grid, mini) for grid in (wide, closed)] == [False, True]
    assert [judge_drawn(grid, british) for grid in (wide, closed)] == [False, False]


def test_a_review_has_no_findings_that_the_profile_allows() -> None:
    puzzle = Puzzle(grid_from_text("AB#\nCDE\n#FG"))
    told = {finding.rule for finding in review_under(puzzle, Profile("free", shortest_entry=2))}
    assert Check.TWO_LETTERS in {finding.rule for finding in review(puzzle)}
    assert Check.TWO_LETTERS not in told
    assert Check.MISSING_CLUE in told
    short = review_under(puzzle, Profile("strict", shortest_entry=3))
    assert "1A has 2 squares; at least 3" in {finding.message for finding in short}


SMALL = [one for one in template_library() if one.grid.height <= 13]


def naive_sets(template: Template, lengths: tuple[int, ...], direction: Direction) -> list[tuple[Slot, ...]]:
    """Return every choice of slots of these lengths that is its own image under a half turn."""
    grid = template.grid
    slots = [slot for slot in grid.slots if slot.direction is direction and len(slot) in lengths]
    found = []
    for chosen in combinations(slots, len(lengths)):
        if sorted(map(len, chosen)) != sorted(lengths):
            continue
        squares = {at for slot in chosen for at in slot.positions}
        if {Position(grid.height - 1 - at.row, grid.width - 1 - at.column) for at in squares} == squares:
            found.append(chosen)
    return found


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("lengths", [(11,), (9, 9), (9, 11, 9), (7, 7, 5), (8, 8, 8), (5, 5, 7, 7), (6, 9)])
def test_templates_with_symmetric_entries_are_found(lengths: tuple[int, ...], direction: Direction) -> None:
    is_across = direction is Direction.ACROSS
    wanted = TemplateWanted(across=lengths if is_across else (), down=() if is_across else lengths)
    found = {one.template.name: one for one in find_templates(wanted, SMALL) if one.fits}
    expected = {one.name: sets for one in SMALL if (sets := naive_sets(one, lengths, direction))}
    assert found.keys() == expected.keys()
    for name, one in found.items():
        assert set(one.slots) in [set(chosen) for chosen in expected[name]]


@pytest.mark.parametrize("lengths", [(5, 7, 7, 5), (7, 5, 5, 7), (5, 5, 7, 7)])
def test_order_counts_on_request(lengths: tuple[int, ...]) -> None:
    found = {one.template.name for one in find_templates(TemplateWanted(across=lengths, in_order=True), SMALL)}
    fitting = {
        one.name
        for one in SMALL
        for chosen in naive_sets(one, lengths, Direction.ACROSS)
        if tuple(len(slot) for slot in sorted(chosen, key=lambda slot: slot.start)) == lengths
    }
    assert fitting <= found
    assert (not fitting) or found == fitting


def test_every_result_meets_the_request() -> None:
    for one in find_templates(read_query("15x15 >=72 <77 <=38b")):
        grid, template = one.template.grid, one.template
        assert (grid.height, grid.width) == (15, 15)
        assert 72 <= template.words == len(grid.slots) <= 76
        assert template.blocks <= 38
        assert one.fits


def test_without_a_match_the_nearest_are_listed_with_what_they_lack() -> None:
    found = find_templates(read_query("15x15 11,11,14"))
    assert found
    assert not any(one.fits for one in found)
    assert found[0].lacks.across == (14,)
    assert [one.lacks.measure for one in found] == sorted(one.lacks.measure for one in found)
    (few,) = {one.lacks.words < 0 for one in find_templates(read_query("9x9 >100"))}
    assert few
    assert {one.lacks.size for one in find_templates(read_query("16x15"))} == {1}
    assert find_templates(read_query("horoscope")) == ()


def test_separate_entries_are_preferred_to_stacked_ones() -> None:
    open_grid = Template("open", grid_from_text("\n".join(["....."] * 5)))
    (found,) = find_templates(TemplateWanted(across=(5, 5)), [open_grid])
    assert [run.line for run in found.across] == [0, 4]


def test_templates_without_other_entries_of_the_length_come_first() -> None:
    plain = Template("b", grid_from_text("...#\n....\n....\n#..."))
    crowded = Template("a", grid_from_text("....\n....\n....\n...."))
    wanted = TemplateWanted(across=(4, 4))
    assert [one.template.name for one in find_templates(wanted, [crowded, plain])] == ["a", "b"]
    fenced = Template("c", grid_from_text("....\n.##.\n.##.\n...."))
    assert find_templates(wanted, [crowded, fenced])[0].template.name == "c"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", TemplateWanted()),
        ("15x15 11,11 <78", TemplateWanted(size=(15, 15), most_words=77, across=(11, 11))),
        ("13X15 11 9,9d", TemplateWanted(size=(13, 15), across=(11,), down=(9, 9))),
        (">=70 <=38b =3b", TemplateWanted(fewest_words=70, fewest_blocks=3, most_blocks=3)),
        ("British 15x", TemplateWanted(names=("british", "15x"))),
        ("11, <", TemplateWanted(across=(11,))),
        ("7d,7d", TemplateWanted(down=(7, 7))),
        ("15x15 at most 70 words", TemplateWanted(size=(15, 15), most_words=70)),
        ("12 blocks mine", TemplateWanted(fewest_blocks=12, most_blocks=12, names=("mine",))),
    ],
)
def test_typed_queries_are_parsed(text: str, wanted: TemplateWanted) -> None:
    assert read_query(text) == wanted
    assert read_query(wanted.query) == wanted


def test_a_template_starts_a_puzzle_without_layout_findings() -> None:
    for one in template_library():
        found = {finding.rule for finding in review(one.puzzle)}
        assert Check.SYMMETRY not in found
    assert FoundTemplate(template_library()[0]).lacks == NO_LACKS


def test_lengths_count_with_multiplicity() -> None:
    for one in find_templates(read_query("15x15 11,11,11,11")):
        assert Counter(len(slot) for slot in one.slots) == {11: 4}
