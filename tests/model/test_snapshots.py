"""States of a puzzle that are kept under names."""

from dataclasses import replace

import pytest

from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Puzzle, edits
from xwtui.model.puzzle import History
from xwtui.model.snapshots import LONGEST_NAME, MOST_SNAPSHOTS, returned, with_snapshot, without_snapshot

FIRST = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))


def edited(puzzle: Puzzle) -> Puzzle:
    slot = puzzle.grid.slots[0]
    return replace(edits.place_answer(puzzle, slot, "XYZ"), title="another")


def test_a_snapshot_is_the_puzzle_that_was_kept() -> None:
    kept = with_snapshot(FIRST, "v1")
    back = returned(edited(kept), "v1")
    assert back == kept
    assert back.with_snapshots({}) == FIRST


def test_a_snapshot_keeps_no_snapshots() -> None:
    second = with_snapshot(edited(with_snapshot(FIRST, "v1")), "v2")
    assert list(second.snapshots) == ["v1", "v2"]
    assert not second.snapshots["v2"].snapshots
    assert returned(second, "v1").snapshots == second.snapshots


def test_a_name_is_taken_again_only_with_a_word() -> None:
    changed = edited(with_snapshot(FIRST, "v1"))
    with pytest.raises(PuzzleError, match="there is a snapshot v1 already"):
        with_snapshot(changed, "v1")
    assert with_snapshot(changed, "v1", replaces=True).snapshots["v1"].title == "another"


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_NAME + 1), "a\x1b[2J"])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(PuzzleError, match="a snapshot's name has"):
        with_snapshot(FIRST, name)


def test_a_puzzle_keeps_so_many() -> None:
    puzzle = FIRST
    for number in range(MOST_SNAPSHOTS):
        puzzle = with_snapshot(puzzle, f"v{number}")
    with pytest.raises(PuzzleError, match="drop one first"):
        with_snapshot(puzzle, "another")
    assert with_snapshot(without_snapshot(puzzle, "v3"), "another")
    assert with_snapshot(puzzle, "v3", replaces=True)


def test_one_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(PuzzleError, match="there is no snapshot v1; there are none yet"):
        returned(FIRST, "v1")
    with pytest.raises(PuzzleError, match="there is no snapshot v2; there are v1"):
        without_snapshot(with_snapshot(FIRST, "v1"), "v2")


def test_undo_and_redo_leave_snapshots() -> None:
    history = History(FIRST)
    history.record(edited(FIRST), "edit")
    history.amend(with_snapshot(history.present, "v1"))
    history.undo()
    assert history.present == FIRST.with_snapshots(history.present.snapshots)
    assert list(history.present.snapshots) == ["v1"]
    history.amend(history.present.with_snapshots({}))
    history.redo()
    assert history.present == edited(FIRST)
