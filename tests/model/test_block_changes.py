"""Changes of blocks: all that are legal by the naive rules, and no others."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.naive.what_if import is_sound, naive_changes
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.model import BLOCK, Content, Grid, Ink, Kind, Position, Puzzle, Square, Symmetry
from xwtui.model.block_changes import BlockChange, BlockLimits, legal_changes
from xwtui.resources import puzzles_folder

TEMPLATES = puzzles_folder() / "templates"


@pytest.mark.parametrize(
    ("template", "symmetry"),
    [("9x9-01", Symmetry.ROTATION_180), ("mini-5x5", Symmetry.ROTATION_180), ("mini-5x5", Symmetry.NONE)],
)
def test_changes_are_all_that_the_naive_rules_allow(template: str, symmetry: Symmetry) -> None:
    """Added, removed, or moved anywhere, each once; short moves come first."""
    grid = grid_from_text((TEMPLATES / f"{template}.txt").read_text())
    found = list(legal_changes(grid, symmetry))
    assert len(found) == len(set(found))
    assert _named(found) == naive_changes(grid, symmetry)
    steps = [_steps(change) for change in found if change.added and change.removed]
    assert steps == sorted(steps)
    assert steps


@given(st.data())
@examples(60)
def test_changes_of_any_grid_are_those_of_the_naive_rules(data: st.DataObject) -> None:
    """With every symmetry, limits, and letters that stay."""
    height, width = data.draw(st.integers(3, 7)), data.draw(st.integers(3, 7))
    symmetries = [one for one in Symmetry if height == width or one in (Symmetry.NONE, Symmetry.ROTATION_180)]
    symmetry = data.draw(st.sampled_from(symmetries))
    positions = list(Grid.blank(height, width).positions())
    blocks = {
        at
        for one in data.draw(st.sets(st.sampled_from(positions), max_size=4))
        for at in symmetry.orbit(one, height, width)
    }
    written = data.draw(st.sets(st.sampled_from(positions), max_size=2)) - blocks
    letter = Square(Kind.OPEN, Content.of("A"), Ink.PEN)
    grid = Grid.blank(height, width).with_squares(
        {**dict.fromkeys(blocks, BLOCK), **dict.fromkeys(written, letter)}
    )
    if not is_sound(grid):
        return
    words = data.draw(st.none() | st.integers(0, len(grid.slots) + 2))
    most_blocks = data.draw(st.none() | st.integers(0, len(blocks) + 2))
    found = legal_changes(grid, symmetry, BlockLimits(words, most_blocks))
    assert _named(found) == naive_changes(grid, symmetry, words, most_blocks)


def _named(changes: Iterable[BlockChange]) -> set[tuple[frozenset[Position], frozenset[Position]]]:
    return {(change.added, change.removed) for change in changes}


def _steps(change: BlockChange) -> int:
    return min(
        abs(block.row - at.row) + abs(block.column - at.column) for block in change.removed for at in change.added
    )


def test_given_squares_stay_open() -> None:
    """What the constructor wrote is not blocked."""
    text = grid_to_text(Grid.blank(7, 7)).replace(".......", "CAB....", 1)
    grid = grid_from_text(text)
    blocked = {at for change in legal_changes(grid, Symmetry.NONE) for at in change.added}
    assert blocked.isdisjoint({Position(0, 0), Position(0, 1), Position(0, 2)})
    assert Position(0, 3) in blocked


def test_limits_are_kept() -> None:
    """No change has more words or blocks than allowed, unless the grid had them."""
    grid = grid_from_text((TEMPLATES / "13x13-02.txt").read_text())
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
