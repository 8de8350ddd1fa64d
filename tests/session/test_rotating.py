"""The verb `rotate` in a session: one edit that takes all along, what it tells, and where the cursor goes."""

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
    assert bench.cursor.position in bench.puzzle.grid


def test_left_and_right_take_each_other_back(bench: Session) -> None:
    said(bench, *GRID)
    before = bench.puzzle
    assert said(bench, "rotate left", "rotate right").startswith("rotated right: 3 rows of 4")
    assert bench.puzzle == before
