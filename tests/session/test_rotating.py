"""The verb `rotate` in a session: one edit that takes all along, what it tells, and where the cursor goes."""

import pytest

from tests.session.saying import rows, said
from xwtui.model import Direction, Position
from xwtui.session.session import Session

GRID = (
    "new 3x4 --force",
    "symmetry none",
    "set 1A OPAL",
    "set 1D ORE",
    "circle r3c1",
    "clue 1A Gem",
    "clue 1D Rock",
)


def test_a_turned_grid_keeps_clues_with_answers_and_is_undone_at_once(bench: Session) -> None:
    said(bench, *GRID, "rule 1A --min 60", "spell r1c1:r3c1 ORE --start any", "goto r3c1", "select r1c1:r1c2")
    before = bench.puzzle
    told = said(bench, "rotate")
    assert told == "rotated right: 4 rows of 3\nread backward now: 1A ERO"
    assert rows(bench) == ("ERO", "??P", "??A", "??L")
    assert bench.cursor.place[0] == Position(0, 0)
    assert bench.selection.squares == {Position(0, 2), Position(1, 2)}
    assert said(bench, "clue 3D") == "3D: Gem"
    assert [(stale.slot.name, stale.clue.text) for stale in bench.puzzle.stale_clues] == [("1A", "Rock")]
    assert bench.puzzle.grid[Position(0, 0)].circle
    assert set(bench.puzzle.rules.entries) == {(Position(0, 2), Direction.DOWN)}
    assert said(bench, "undo") == "undone: rotate right"
    assert bench.puzzle == before
    assert bench.cursor.place == (Position(2, 0), Direction.ACROSS), "where it stood, turned back"
    assert bench.selection.squares == {Position(0, 0), Position(0, 1)}


def test_left_and_right_take_each_other_back(bench: Session) -> None:
    said(bench, *GRID)
    before = bench.puzzle
    assert said(bench, "rotate left", "rotate right").startswith("rotated right: 3 rows of 4")
    assert bench.puzzle == before


@pytest.mark.parametrize(("degrees", "turns"), [("90", 1), ("180", 2), ("270", 3), ("-90", 3), ("left", 3)])
def test_degrees_turn_clockwise_in_one_edit(bench: Session, degrees: str, turns: int) -> None:
    said(bench, *GRID, "goto r1c2")
    before, cursor = bench.puzzle, bench.cursor.place
    said(bench, *["rotate"] * turns)
    wanted, place = bench.puzzle.grid, bench.cursor.place
    said(bench, *["undo"] * turns)
    assert bench.cursor.place == cursor
    said(bench, f"rotate {degrees}")
    assert (bench.puzzle.grid, bench.cursor.place) == (wanted, place)
    said(bench, "undo")
    assert (bench.puzzle, bench.cursor.place) == (before, cursor)
    said(bench, "redo")
    assert (bench.puzzle.grid, bench.cursor.place) == (wanted, place)
