"""Every template is what its name says, and what an editor would take."""

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench.kinds import KINDS
from tests.naive.layouts import naive_shortfalls
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle
from xwtui.grids.library import bare, pattern_key
from xwtui.grids.profiles import find_profile
from xwtui.grids.templates import template_files, template_grid
from xwtui.model import Grid, Kind, Position, Symmetry
from xwtui.model.review import Check, review
from xwtui.resources import puzzles_folder

TEMPLATES = sorted((puzzles_folder() / "templates").glob("*.txt"))
LAYOUT_RULES = {Check.UNCHECKED, Check.TWO_LETTERS, Check.DISCONNECTED, Check.SYMMETRY}

WORDS_ALLOWED = {"15x15": range(72, 79), "21x21": range(138, 143)}
"""Entries that American newspapers take, by size: daily and Sunday."""


def template(name: str) -> Grid:
    return grid_from_text((puzzles_folder() / "templates" / f"{name}.txt").read_text())


def american() -> list[Path]:
    return [path for path in TEMPLATES if path.stem.partition("-")[0] in WORDS_ALLOWED]


def test_there_are_many_of_every_kind() -> None:
    few = {kind.name: len(kind.templates()) for kind in KINDS if len(kind.templates()) < kind.fewest}
    assert few == {}


def test_every_template_is_of_one_kind() -> None:
    of_a_kind = [path for kind in KINDS for path in kind.templates()]
    assert sorted(of_a_kind) == TEMPLATES


def test_no_two_templates_are_alike_turned_or_mirrored() -> None:
    """Only word rectangles stand both ways, wide and high."""
    first: dict[str, str] = {}
    for path in TEMPLATES:
        alike = {first.get(form, path.stem) for form in forms(path.read_text().split())}
        assert alike == {path.stem}
        first[path.read_text()] = path.stem


def forms(rows: list[str]) -> set[str]:
    """A pattern turned and mirrored, as often as it keeps its width."""
    mirrored = [row[::-1] for row in rows]
    upright = [rows, rows[::-1], mirrored, mirrored[::-1]]
    lying = [["".join(column) for column in zip(*form, strict=True)] for form in upright]
    kept = upright + lying if len(rows) == len(rows[0]) else upright
    return {"\n".join(form) + "\n" for form in kept}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_the_name_tells_the_size(path: Path) -> None:
    grid = template(path.stem)
    assert f"{grid.height}x{grid.width}" in path.stem


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_it_is_a_bare_rotational_pattern(path: Path) -> None:
    puzzle = puzzle_of_grid(template(path.stem))
    assert puzzle.symmetry is Symmetry.ROTATION_180
    assert all(square.content is None for square in puzzle.grid.squares)
    assert path.read_text().endswith("\n")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_an_editor_has_no_objection_to_the_layout(path: Path) -> None:
    puzzle = puzzle_of_grid(template(path.stem))
    rules = {finding.rule for finding in review(puzzle)} & LAYOUT_RULES
    assert rules == ({Check.UNCHECKED} if path.stem.startswith("british") else set())


@pytest.mark.parametrize("path", american(), ids=lambda path: path.stem)
def test_american_templates_keep_the_newspapers_limits(path: Path) -> None:
    grid = template(path.stem)
    assert len(grid.slots) in WORDS_ALLOWED[path.stem.partition("-")[0]]
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    assert blocks / len(grid.squares) <= 0.18
    assert min(len(slot) for slot in grid.slots) >= 3


@pytest.mark.parametrize("path", american(), ids=lambda path: path.stem)
def test_american_templates_have_room_for_a_theme(path: Path) -> None:
    long_slots = [slot for slot in template(path.stem).slots if len(slot) >= 8]
    assert len(long_slots) >= 2


@pytest.mark.parametrize("path", american(), ids=lambda path: path.stem)
def test_no_single_block_would_cut_the_grid(path: Path) -> None:
    """A constructor wants flow: no one square joins two parts of the grid."""
    squares = set(template(path.stem).open_positions())
    for position in squares:
        assert is_connected(squares - {position}), f"{position} is the only way between two parts"


def is_connected(squares: set[Position]) -> bool:
    reached: set[Position] = set()
    border = {next(iter(squares))}
    while border:
        reached |= border
        border = {
            neighbour
            for row, column in border
            for neighbour in (
                Position(row + 1, column),
                Position(row - 1, column),
                Position(row, column + 1),
                Position(row, column - 1),
            )
            if neighbour in squares and neighbour not in reached
        }
    return reached == squares


def named(beginning: str) -> list[str]:
    return [path.stem for path in TEMPLATES if path.stem.startswith(beginning)]


@pytest.mark.parametrize("name", named("themeless"))
def test_themeless_templates_have_seventy_words_and_fewer(name: str) -> None:
    assert 66 <= len(template(name).slots) <= 70


@pytest.mark.parametrize("name", named("wide-open"))
def test_wide_open_templates_have_few_words_and_few_blocks(name: str) -> None:
    grid = template(name)
    assert 62 <= len(grid.slots) <= 66
    assert sum(square.kind is Kind.BLOCK for square in grid.squares) <= 32
    assert max(len(slot) for slot in grid.slots) <= 12


@pytest.mark.parametrize("name", named("square"))
def test_squares_have_no_block(name: str) -> None:
    assert all(square.kind is Kind.OPEN for square in template(name).squares)


def test_a_large_sunday_grid_is_among_them() -> None:
    assert 142 in {len(template(name).slots) for name in named("21x21")}


@pytest.mark.parametrize("name", named("british"))
def test_a_british_lattice_checks_half_of_each_entry_and_no_two_squares_in_a_row_go_unchecked(name: str) -> None:
    grid = template(name)
    assert len(grid.slots) in (range(28, 33) if grid.height == 15 else range(20, 27))
    for slot in grid.slots:
        checked = [grid.slot_at(position, slot.direction.other) is not None for position in slot.positions]
        assert 2 * sum(checked) >= len(slot) >= 4
        assert all(here or following for here, following in itertools.pairwise(checked))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_the_readme_lists_it_truly(path: Path) -> None:
    grid = template(path.stem)
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    mean_length = sum(len(slot) for slot in grid.slots) / len(grid.slots)
    row = f"| `{path.stem}` | {len(grid.slots)} | {blocks} | {mean_length:.2f} |"
    assert row in (puzzles_folder() / "README.md").read_text()


BARRED = [path for path in template_files() if path.suffix == ".ipuz"]


def test_a_dozen_barred_ones_ship_of_each_usual_size() -> None:
    sizes = Counter(path.stem.rpartition("-")[0] for path in BARRED)
    assert sizes == {"barred-12x12": 12, "barred-13x13": 12}
    assert len({pattern_key(template_grid(path)) for path in BARRED}) == len(BARRED)


@pytest.mark.parametrize("path", BARRED, ids=lambda path: path.stem)
def test_a_barred_template_is_legal_and_bare(path: Path) -> None:
    puzzle = read_puzzle(path)
    assert (
        naive_shortfalls(puzzle.grid, replace(find_profile("barred"), symmetries=(Symmetry.ROTATION_180,)))
        == set()
    )
    assert puzzle.grid == bare(template_grid(path))
    assert (puzzle.profile, puzzle.symmetry) == ("barred", Symmetry.ROTATION_180)
    assert f"{puzzle.grid.height}x{puzzle.grid.width}" in path.stem
