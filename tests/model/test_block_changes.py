"""Changes of blocks: all that are legal by the naive rules, and no others."""

from itertools import chain

import pytest

from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.model import Grid, Kind, Position, Puzzle, Symmetry
from xwtui.model.block_changes import BlockChange, BlockLimits, legal_changes
from xwtui.model.review import regions
from xwtui.resources import puzzles_folder

TEMPLATES = [puzzles_folder() / "templates" / f"{name}.txt" for name in ("9x9-01", "13x13-02", "mini-5x5")]


def _runs(grid: Grid) -> list[int]:
    """The lengths of all runs of open squares, one square too."""
    rows = [[square.is_open for square in row] for row in grid.rows()]
    lines = chain(rows, zip(*rows, strict=True))
    return [
        len(run)
        for line in lines
        for run in "".join("." if is_open else "#" for is_open in line).split("#")
        if run
    ]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_legal_changes_are_those_of_the_naive_rules(path: object) -> None:
    """Additions and removals, each orbit tried by itself and judged from the grid's text."""
    grid = grid_from_text(path.read_text())  # type: ignore[attr-defined]
    expected = set()
    for at in grid.positions():
        orbit = Symmetry.ROTATION_180.orbit(at, grid.height, grid.width)
        is_block = grid[at].kind is Kind.BLOCK
        change = BlockChange(removed=orbit) if is_block else BlockChange(added=orbit)
        after = change.on(grid)
        if min(_runs(after)) >= 3 and len(regions(after)) == 1:
            expected.add(change)
    found = list(legal_changes(grid, Symmetry.ROTATION_180))
    assert {change for change in found if not (change.added and change.removed)} == expected
    assert len(found) == len(set(found))
    for change in found:
        after = change.on(grid)
        assert min(_runs(after)) >= 3
        for at in after.positions():
            mirror = Symmetry.ROTATION_180.image(at, after.height, after.width)
            assert (after[at].kind is Kind.BLOCK) is (after[mirror].kind is Kind.BLOCK)


def test_moves_go_to_neighbours() -> None:
    """A block that moves leaves its square and comes to one beside it."""
    moves = [
        change
        for change in legal_changes(grid_from_text(TEMPLATES[0].read_text()), Symmetry.ROTATION_180)
        if change.added and change.removed
    ]
    assert moves
    for change in moves:
        assert len(change.added) == len(change.removed)
        for block in change.removed:
            assert any(abs(block.row - at.row) + abs(block.column - at.column) == 1 for at in change.added)


def test_given_squares_stay_open() -> None:
    """What the constructor wrote is not blocked."""
    text = grid_to_text(Grid.blank(7, 7)).replace(".......", "CAB....", 1)
    grid = grid_from_text(text)
    blocked = {at for change in legal_changes(grid, Symmetry.NONE) for at in change.added}
    assert blocked.isdisjoint({Position(0, 0), Position(0, 1), Position(0, 2)})
    assert Position(0, 3) in blocked


def test_limits_are_kept() -> None:
    """No change has more words or blocks than allowed, unless the grid had them."""
    grid = grid_from_text(TEMPLATES[1].read_text())
    words = len(grid.slots)
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    limits = BlockLimits(words, blocks)
    changes = list(legal_changes(grid, Symmetry.ROTATION_180, limits))
    assert changes
    for change in changes:
        after = change.on(grid)
        assert len(after.slots) <= words
        assert sum(square.kind is Kind.BLOCK for square in after.squares) <= blocks


def test_a_change_is_told_and_made() -> None:
    """In words, and on a puzzle."""
    change = BlockChange(frozenset({Position(0, 3)}), frozenset({Position(0, 2)}))
    assert change.describe() == "move the block at r1c3 to r1c4"
    assert BlockChange(frozenset({Position(0, 0), Position(4, 4)})).describe() == "add blocks at r1c1 and r5c5"
    puzzle = Puzzle(grid_from_text("..#..\n.....\n....."))
    assert grid_to_text(change.apply(puzzle).grid).splitlines()[0] == "...#."
