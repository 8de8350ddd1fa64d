"""Every template is what its name says, and what an editor would take."""

import itertools
from collections import Counter
from pathlib import Path

import pytest

from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import BLOCK, Grid, Kind, Symmetry
from xwtui.model.review import Rule, regions, review
from xwtui.resources import puzzles_folder

TEMPLATES = sorted((puzzles_folder() / "templates").glob("*.txt"))
LAYOUT_RULES = {Rule.UNCHECKED, Rule.TWO_LETTERS, Rule.DISCONNECTED, Rule.SYMMETRY}

WORDS_ALLOWED = {"15x15": range(72, 79), "21x21": range(138, 143)}
"""Entries that American newspapers take, by size: daily and Sunday."""


def template(name: str) -> Grid:
    return grid_from_text((puzzles_folder() / "templates" / f"{name}.txt").read_text())


def american() -> list[Path]:
    return [path for path in TEMPLATES if path.stem.partition("-")[0] in WORDS_ALLOWED]


def test_the_collection_is_complete() -> None:
    kinds = Counter(path.stem.partition("-")[0] for path in TEMPLATES)
    assert kinds["15x15"] == 10
    assert kinds["21x21"] == 2
    assert {"british-15x15", "mini-5x5", "square-4x4", "square-5x5", "square-6x6"} <= {
        path.stem for path in TEMPLATES
    }


def test_no_two_templates_are_alike() -> None:
    patterns = [path.read_text() for path in TEMPLATES]
    patterns += [pattern.strip()[::-1] for pattern in patterns if pattern.strip()[::-1] != pattern.strip()]
    assert len(set(patterns)) == len(patterns)


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
    assert rules == ({Rule.UNCHECKED} if path.stem.startswith("british") else set())


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
    grid = template(path.stem)
    for position in grid.open_positions():
        pieces = regions(grid.with_squares({position: BLOCK}))
        assert len(pieces) == 1, f"{position} is the only way between two parts"


def test_the_open_templates_are_themeless() -> None:
    assert len(template("themeless-15x15").slots) == 70
    assert len(template("wide-open-15x15").slots) <= 64


def test_the_british_lattice_checks_half_of_each_entry_and_no_two_squares_in_a_row_go_unchecked() -> None:
    grid = template("british-15x15")
    assert 28 <= len(grid.slots) <= 32
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
