"""Clues, sizes and word choices of a puzzle."""

import pytest

from xwtui.errors import PuzzleError
from xwtui.model import Position, Puzzle, Symmetry, WordChoice
from xwtui.model.edits import toggle_block


def test_a_clue_is_kept_trimmed_and_removed_when_empty() -> None:
    puzzle = Puzzle.blank(3, 3)
    slot = puzzle.grid.slot("1A")
    assert puzzle.clue(slot) == ""
    clued = puzzle.with_clue(slot, "  Purrer ")
    assert clued.clue(slot) == "Purrer"
    assert puzzle.clue(slot) == ""
    assert clued.with_clue(slot, "   ") == puzzle


def test_across_and_down_from_one_square_have_clues_of_their_own() -> None:
    puzzle = Puzzle.blank(3, 3)
    clued = puzzle.with_clue(puzzle.grid.slot("1A"), "Across")
    assert clued.clue(puzzle.grid.slot("1D")) == ""


def test_a_clue_follows_its_entry_when_numbers_change() -> None:
    puzzle = Puzzle.blank(4, 4, Symmetry.NONE)
    clued = puzzle.with_clue(puzzle.grid.slot("7A"), "Last row")
    renumbered = toggle_block(clued, Position(0, 0))
    last = renumbered.grid.slot_at(Position(3, 0), puzzle.grid.slot("7A").direction)
    assert last is not None
    assert renumbered.clue(last) == "Last row"


@pytest.mark.parametrize("score", [-1, 101, 10**9])
def test_scores_beyond_the_scale_are_refused(score: int) -> None:
    with pytest.raises(PuzzleError, match="scores run from 0 to 100"):
        WordChoice(minimum_score=score)


def test_a_blank_puzzle_takes_any_size_a_grid_takes() -> None:
    assert len(Puzzle.blank(3, 40).grid.squares) == 120
    with pytest.raises(PuzzleError, match="grids are 3x3 to 40x40"):
        Puzzle.blank(2, 40)
