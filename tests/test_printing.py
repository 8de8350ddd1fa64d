"""Output of the REPL and the shell: drawings of the grid, colors, and the progress line."""

import io
import re
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Bar, Content, Grid, Ink, Position
from xwtui.printing import Span, StatusLine, Style, draw_grid, drawing_width, paint, wants_colours
from xwtui.text import writable


def drawn(
    grid: Grid, *, run: dict[Position, Content] | None = None, numbers: bool = False, colours: bool = False
) -> list[str]:
    return [paint(line, colours=colours) for line in draw_grid(grid, run=run or {}, numbers=numbers)]


def marked(grid: Grid, at: Position, **changes: object) -> Grid:
    return grid.with_squares({at: replace(grid[at], **changes)})  # type: ignore[arg-type]


def test_blocks_voids_letters_and_empty_squares() -> None:
    assert drawn(grid_from_text("AB#\n..C\n_..")) == [
        "     1  2  3",
        "   ┌─────────┐",
        " 1 │ A  B ███│",
        " 2 │ ·  ·  C │",
        " 3 │    ·  · │",
        "   └─────────┘",
    ]


def test_marks_show_circle_rebus_shade_and_lock() -> None:
    grid = grid_from_text("AB[HEART]\n...\n...")
    grid = marked(grid, Position(0, 0), circle=True)
    grid = marked(grid, Position(0, 1), shade=True)
    assert drawn(grid)[2] == " 1 │(A)░B [H]│"
    locked = marked(marked(grid, Position(0, 2), ink=Ink.LOCKED), Position(0, 0), ink=Ink.LOCKED)
    assert drawn(locked)[2] == " 1 │(A'░B [H'│"
    assert drawn(locked)[-1].split() == ["[HEART]", "at", "r1c3"]


def test_the_legend_groups_equal_rebus_squares() -> None:
    lines = drawn(grid_from_text("[ONE].[TWO]\n...\n..[ONE]"))
    assert [line.strip() for line in lines[-2:]] == ["[ONE] at r1c1, r3c3", "[TWO] at r1c3"]


def test_without_colors_pencil_is_lower_case() -> None:
    grid = marked(grid_from_text("AB.\n...\n..."), Position(0, 0), ink=Ink.PENCIL)
    assert drawn(grid)[2] == " 1 │ a  B  · │"


def test_a_search_in_progress_is_drawn_on_empty_squares() -> None:
    run = {Position(0, 0): Content.of("X"), Position(1, 0): Content.of("Y")}
    lines = drawn(grid_from_text("A..\n...\n..."), run=run)
    assert (lines[2], lines[3]) == (" 1 │ A  ·  · │", " 2 │ y  ·  · │")


def test_bars_are_drawn_between_squares() -> None:
    grid = grid_from_text("...\n...\n...").with_bars(
        [Bar.between(Position(0, 0), Position(0, 1)), Bar.between(Position(1, 2), Position(2, 2))]
    )
    lines = drawn(grid)
    assert lines[2] == " 1 │ ·│ ·  · │"
    assert lines[4] == "   │      ───│"


def test_numbers_widen_the_squares() -> None:
    lines = drawn(grid_from_text("ABC\n...\n..."), numbers=True)
    assert lines[2].startswith(" 1 │¹A ²B ³C ")
    fifteen = drawn(Grid.blank(15, 15), numbers=True)
    assert "¹⁵·" in fifteen[2]
    assert {len(line) for line in fifteen[1:]} == {drawing_width(Grid.blank(15, 15), numbers=True)}


def test_numbered_squares_show_one_mark() -> None:
    grid = grid_from_text("AB[HEART]\n...\n...")
    grid = marked(grid, Position(0, 0), circle=True, ink=Ink.LOCKED)
    grid = marked(grid, Position(0, 1), ink=Ink.LOCKED)
    grid = marked(grid, Position(1, 1), shade=True)
    lines = drawn(grid, numbers=True)
    assert lines[2:4] == [" 1 │¹A)²B'³H]│", " 2 │⁴·  ·░ · │"]


def test_columns_align_at_every_size() -> None:
    for side in (3, 15, 40):
        lines = drawn(Grid.blank(side, side))
        assert {len(line) for line in lines[1:]} == {drawing_width(Grid.blank(side, side))}
        assert lines[0].endswith(f"{side}")


def test_colors_only_add_escape_sequences() -> None:
    grid = grid_from_text("AB[HEART]\n.#.\n...")
    plain, coloured = drawn(grid), drawn(grid, colours=True)
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured] == plain
    assert plain != coloured


def test_an_empty_square_with_a_rule_has_another_dot_and_a_legend() -> None:
    grid = grid_from_text(".A.\n...\n...")
    ruled = {Position(0, 0), Position(0, 1)}
    lines = [paint(line, colours=False) for line in draw_grid(grid, ruled=ruled)]
    assert [line[5:-1].replace(" ", "") for line in lines[2:5]] == ["◦A·", "···", "···"]
    assert "◦ a rule limits" in lines[-1]
    filled = [paint(line, colours=False) for line in draw_grid(grid, ruled={Position(0, 1)})]
    assert not any("◦" in line for line in filled)
    searched = draw_grid(grid, ruled=ruled, run={Position(0, 0): Content.of("X")})
    assert not any("◦" in paint(line, colours=False) for line in searched)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_colors_are_used_only_on_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_colours(Terminal())
    assert not wants_colours(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colours(Terminal())


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colours(Terminal())


@pytest.mark.parametrize("style", list(Style))
def test_every_style_is_reset(style: Style) -> None:
    painted = paint([Span("Ab", style)], colours=True)
    assert "Ab" in painted
    assert painted == "Ab" or painted.endswith("\x1b[0m")
    assert "\x1b" not in paint([Span("Ab", style)], colours=False)


def test_progress_is_not_written_to_pipes() -> None:
    stream = io.StringIO()
    with StatusLine(stream, delay=0) as status:
        status.show("filling")
    assert stream.getvalue() == ""


def test_progress_leaves_a_clean_line() -> None:
    stream = Terminal()
    with StatusLine(stream, delay=0) as status:
        status.show("filling")
    assert re.fullmatch(r"(\rfilling; Ctrl\+C stops, \d+ s)+\r +\r", stream.getvalue())


def test_progress_refreshes_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, now = Terminal(), [0.0]
    monkeypatch.setattr("xwtui.printing.time", SimpleNamespace(monotonic=lambda: now[0]))
    with StatusLine(stream, delay=0.05) as status:
        status.show("compiling")
        assert stream.getvalue() == ""
        now[0] = 1.0
        while "compiling; " not in stream.getvalue():
            time.sleep(0.01)


def test_quick_operations_show_no_progress() -> None:
    stream = Terminal()
    with StatusLine(stream, delay=3600) as status:
        status.show("filling")
    assert stream.getvalue() == ""


def test_a_long_line_is_cut_to_the_terminal_width(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setenv("COLUMNS", "60")
    StatusLine(stream, delay=0).show("improving: mean 62.9 (from 61.4, limit 64.4), 62.9 % proved")
    assert stream.getvalue() == "\rimproving: mean 62.9; Ctrl+C stops, 0 s"
    monkeypatch.setenv("COLUMNS", "20")
    StatusLine(stream, delay=0).show("x" * 100)
    assert len(stream.getvalue().split("\r")[-1]) == 19


def test_unencodable_characters_are_replaced_with_the_same_width() -> None:
    assert writable("┌1─┐ │·█│ é§ x≥40 ✓", "ascii") == "+1-+ |.#| ?& x>40 *"
    assert writable("┌·┐ ≈ é", "latin-1") == "+·+ ~ é"
    assert writable("┌·┐", "utf-8") == writable("┌·┐", None) == "┌·┐"
    assert {ord(plain) < 128 and len(plain) for plain in (writable(c, "ascii") for c in "⠋…▏⁹▟")} == {1}
