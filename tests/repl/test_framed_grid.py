"""The grid between lines: what is in the squares, and which size is taken."""

from dataclasses import replace

from tests.repl.conftest import Talk
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Bar, Content, Grid, Ink, Position
from xwtui.printing import paint
from xwtui.repl.output import LARGE, MEDIUM, Frame, draw_framed, frame_that_fits


def drawn(grid: Grid, frame: Frame) -> list[str]:
    run = {Position(2, 2): Content.of("Z")}
    ruled = {Position(2, 1)}
    return [paint(line, colours=False) for line in draw_framed(grid, frame, run=run, ruled=ruled)]


def test_a_medium_grid() -> None:
    grid = grid_from_text("A[HEART]#\n..[ON]\n_..")
    marked = {
        Position(0, 0): {"circle": True},
        Position(1, 0): {"shade": True},
        Position(1, 2): {"ink": Ink.LOCKED},
    }
    grid = grid.with_squares({at: replace(grid[at], **changes) for at, changes in marked.items()})  # type: ignore[arg-type]
    grid = grid.with_bars([Bar.between(Position(1, 0), Position(1, 1))])
    assert drawn(grid, MEDIUM) == [
        "      1    2    3",
        "   ┌1───┬2───┬────┐",
        " 1 │(A) │HEA…│████│",
        "   ├────┼3───┼4───┤",
        " 2 │░·░░┃ ·  │ON' │",
        "   └────┼5───┼────┤",
        " 3      │ ◦  │ z  │",
        "        └────┴────┘",
        "    [HEART] at r1c2",
    ]


def test_a_large_grid_shows_a_rebus_in_full() -> None:
    assert drawn(grid_from_text("A[HEART].\n##.\n..."), LARGE)[1:9] == [
        "   ┌1─────┬──────┬2─────┐",
        " 1 │  A   │HEART │  ·   │",
        "   │      │      │      │",
        "   ├──────┼──────┼──────┤",
        " 2 │█████████████│  ·   │",
        "   │█████████████│      │",
        "   ├3─────┼──────┼──────┤",
        " 3 │  ·   │  ◦   │  z   │",
    ]


def test_the_width_decides() -> None:
    fifteen, large = Grid.blank(15, 15), Grid.blank(21, 21)
    assert [frame_that_fits(fifteen, columns) for columns in (80, 119, 120, 179, 180)] == [
        None,
        None,
        MEDIUM,
        MEDIUM,
        LARGE,
    ]
    assert [frame_that_fits(large, columns) for columns in (120, 180)] == [MEDIUM, LARGE]
    assert frame_that_fits(Grid.blank(40, 40), 180) is None


def test_show_draws_the_grid_and_keeps_the_size(piped: Talk) -> None:
    said = piped("show", "show --size medium", "set 1A ABC", "show --size auto", "show --size huge")
    assert said.text.count("┌1───┬2───┬3───┐") == 2
    assert said.text.count("   ┌─────────┐") == 3
    assert "! show: --size: 'huge' is not a size; use auto, small, medium, large" in said.text


def test_squares_with_a_rule_are_drawn_otherwise_while_they_are_empty(piped: Talk) -> None:
    said = piped("letters r1c2 DX", "set r1c1 A")
    assert said.rows() == ["A◦·", "···", "···"]
