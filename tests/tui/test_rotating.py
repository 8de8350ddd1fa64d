"""An oblong grid by a quarter turn on the screen: another shape of grid under the same editor."""

from tests.tui.conftest import OpenStage
from xwtui.model import Position, Puzzle
from xwtui.session.verbs.registry import run_line


async def test_an_oblong_grid_is_drawn_turned_and_back(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(5, 12)) as on:
        run_line(on.bench, "set 1A ABCDEFGHIJKL")
        on.bench.cursor.move_to(Position(4, 11))
        await on.pilot.pause()
        run_line(on.bench, "rotate left")
        await on.pilot.pause()
        assert (on.grid.height, on.grid.width) == (12, 5)
        assert on.bench.cursor.position == Position(0, 4)
        await on.press("z")
        assert str(on.bench.puzzle.grid[Position(0, 4)].content) == "Z"
        run_line(on.bench, "undo")
        run_line(on.bench, "undo")
        await on.pilot.pause()
        assert (on.grid.height, on.grid.width) == (5, 12)
        assert on.bench.cursor.position in on.grid
