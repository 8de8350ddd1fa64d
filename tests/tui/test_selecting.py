"""Selected squares, entries of a fill accepted one by one, and stepping through differences."""

import msgspec
import pytest
from textual import events

from tests.session.saying import said
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, StillFill, pencilled
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.partial import StoppedEntry
from xwtui.engine.problem.no_fill import QuotedText
from xwtui.model import Content, Ink, Position, Puzzle, edits
from xwtui.session.fill_options import Mode
from xwtui.session.messages import FillEnded
from xwtui.session.run_view import RunView
from xwtui.session.verbs.registry import run_line
from xwtui.tui.picture import Picture
from xwtui.tui.screens.choosing import DifferencesScreen
from xwtui.tui.screens.editor import Editor


async def test_differences_are_stepped_through(on: Stage) -> None:
    said(on.bench, "set 1A CAT", "snapshot save v1")
    await on.run("snapshot compare v1")
    assert isinstance(on.app.screen, Editor)
    assert on.line("message") == "v1 and now: no difference"
    run_line(on.bench, "set 1A DOG")
    await on.run("snapshot compare v1")
    assert isinstance(on.app.screen, DifferencesScreen)
    assert "1A: CAT → DOG" in on.text()
    assert "the grid shows now" in on.text()
    await on.press("tab")
    assert "the grid shows v1" in on.text()
    await on.press("down", "down", "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.here == "r1c2 down"


async def test_keys_typed_ahead_of_the_differences_have_the_same_effect(on: Stage) -> None:
    said(on.bench, "set 1A CAT", "snapshot save v1", "set 1A DOG")
    on.editor.line.ask("snapshot compare v1")
    await on.press("enter", "down", "enter", "x")
    assert on.here == "r2c1 down"
    assert on.grid.pattern(on.grid.slot("1D")) == "X????"


async def test_shift_and_arrows_select_a_visible_rectangle(on: Stage) -> None:
    await on.press("shift+right", "shift+down")
    assert on.bench.selection.squares == {Position(row, column) for row in (0, 1) for column in (0, 1)}
    assert on.here == "r2c2 across"
    assert on.style_at(Position(0, 0)).bgcolor == on.app.colour_theme.palette.selection.bgcolor
    assert on.style_at(Position(2, 2)).bgcolor != on.app.colour_theme.palette.selection.bgcolor
    assert "4 squares selected" in on.line("message")
    await on.press("shift+left")
    assert on.bench.selection.squares == {Position(0, 0), Position(1, 0)}


async def test_without_colors_a_selection_is_shown_by_marks(stage: OpenStage, small: Puzzle) -> None:
    puzzle = edits.set_square(small, Position(1, 1), Content.parse("HEART"))
    async with stage(puzzle, theme="mono", size=(80, 16)) as on:
        await on.press("shift+right", "shift+down")
        rows = [row for row in on.text().splitlines() if "‹" in row]
        assert len(rows) == 2
        assert "‹·›‹·›" in rows[0]
        assert "HE…" in rows[1]
        assert len({row.index("│") for row in rows}) == 1, "the squares keep their width"


async def test_a_selection_excludes_blocks(on: Stage) -> None:
    await on.press("right", "right", "shift+right", "shift+right")
    assert on.bench.selection.squares == {Position(0, 2), Position(0, 4)}


async def test_the_mark_key_extends_without_shift_until_pressed_again(on: Stage) -> None:
    await on.press("asterisk", "down", "right")
    assert len(on.bench.selection.squares) == 4
    await on.press("asterisk", "down")
    assert len(on.bench.selection.squares) == 4
    await on.press("escape")
    assert not on.bench.selection.squares
    assert "selection cleared" in on.line("message")
    await on.press("escape")
    assert not on.editor.has_class("-asking"), "escape opens nothing"
    assert not on.line("message")


async def test_delete_clears_the_selection_as_one_edit(stage: OpenStage, small: Puzzle) -> None:
    puzzle = pencilled(small)
    written = sum(square.content is not None for square in puzzle.grid.squares)
    async with stage(edits.set_ink(puzzle, [Position(0, 0)], Ink.LOCKED)) as on:
        await on.press("asterisk", "down", "right", "asterisk", "delete")
        assert sum(square.content is not None for square in on.grid.squares) == written - 3
        assert on.line("message") == "selection: 3 squares emptied; 1 locked square stays; Ctrl+Z undoes it"
        await on.press("delete")
        assert "everything written in selection is locked" in on.line("message")
        await on.press("ctrl+z")
        assert sum(square.content is not None for square in on.grid.squares) == written
        await on.press("escape", "delete")
        assert sum(square.content is not None for square in on.grid.squares) == written - 1


async def test_entries_are_added_one_by_one(on: Stage, small: Puzzle) -> None:
    first, second = small.grid.slots[:2]
    await on.press("equals_sign", "tab", "equals_sign")
    assert on.bench.selection.squares == {*first.positions, *second.positions}
    await on.press("equals_sign")
    assert on.bench.selection.squares == set(first.positions)


async def test_dragging_selects_and_a_click_does_not(on: Stage) -> None:
    view = on.editor.desk.grid

    def cell(position: Position) -> tuple[int, int]:
        region = view._drawing.region(position)
        inside = view.content_region.offset - view.region.offset
        return (region.x + region.width // 2 + inside.x, region.y + region.height // 2 + inside.y)

    await on.pilot.mouse_down("#grid", offset=cell(Position(1, 1)))
    for at in (Position(1, 2), Position(2, 3)):
        x, y = cell(at)
        await _drag(on, x, y)
    await on.pilot.mouse_up("#grid", offset=cell(Position(2, 3)))
    await on.pilot.pause()
    assert on.bench.selection.squares == {Position(row, column) for row in (1, 2) for column in (1, 2, 3)}
    await on.pilot.click("#grid", offset=cell(Position(4, 4)))
    assert on.here == "r5c5 across"
    assert len(on.bench.selection.squares) == 6, "a click leaves the selection as it is"


async def _drag(on: Stage, x: int, y: int) -> None:
    """Move the mouse with its button held, which the pilot cannot do."""
    view = on.editor.desk.grid
    screen = view.region.offset
    view.post_message(
        events.MouseMove(view, x, y, 0, 0, 1, False, False, False, screen.x + x, screen.y + y)  # button 1
    )
    await on.pilot.pause()


async def test_a_selection_follows_the_grid(on: Stage) -> None:
    await on.press("shift+right", "full_stop")
    assert on.bench.selection.squares == {Position(0, 0)}, "a block is not selected any more"
    await on.verb("new 5 --force")
    assert not on.bench.selection.squares


async def test_stepping_accepts_entries(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        slots = small.grid.slots
        await on.press("plus")
        assert {on.grid[at].ink for at in slots[0].positions} == {Ink.PEN}
        assert on.bench.cursor.slot == slots[1]
        assert "accepted: 1A" in on.line("message")


async def test_accepting_all_pencil_explains_how_to_revert(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        await on.press("f8")
        assert {square.ink for square in on.grid.squares if square.is_open} == {Ink.PEN}
        assert on.line("message") == "23 squares of pencil made pen, which every fill keeps; Ctrl+Z undoes it"
        await on.press("ctrl+z")
        assert {square.ink for square in on.grid.squares if square.is_open} == {Ink.PENCIL}
        await on.press("f8", "f8")
        assert "nothing in pencil to accept" in on.line("message")


async def test_a_shown_search_is_accepted(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = dict.fromkeys(small.grid.slots[0].positions, Content.of("A"))
    monkeypatch.setattr(StillFill, "shown_squares", shown)
    async with stage(small) as on:
        await on.press("f8")
        assert "of the search made pen" in on.line("message")


async def test_stepping_without_pencil_shows_a_message(on: Stage) -> None:
    await on.press("plus")
    assert "nothing in pencil" in on.line("message")
    await on.press("minus")
    assert "nothing is written in 1A yet: `fill` fills the grid" in on.line("message")


async def test_entries_that_stopped_a_partial_fill_are_marked(stage: OpenStage, small: Puzzle) -> None:
    top = small.grid.slots[0]
    partial = edits.write_fill(small, {top.positions[0]: Content.of("C")})
    view = RunView(
        Outcome.IMPOSSIBLE, mode=Mode.PARTIAL, stopped=(StoppedEntry("1A", QuotedText("no word fits")),)
    )
    async with stage(partial) as on:
        on.bench.pretended = view
        await on.press("end", "down")
        await on.tell(FillEnded(view))
        assert [on.letter_at(at) for at in top.positions] == ["C", "×", "×"]
        assert on.style_at(top.positions[1]).bgcolor == on.app.colour_theme.palette.stopped.bgcolor
        on.bench.pretended = None
        await on.press("x")
        assert on.letter_at(top.positions[1]) == "·"


def test_a_changed_selection_redraws_only_its_rows(small: Puzzle) -> None:
    before = Picture(small.grid, Position(4, 4))
    after = msgspec.structs.replace(before, selection=frozenset({Position(1, 1), Position(2, 2)}))
    assert {at.row for at in after.changed_squares(before) or ()} == {1, 2}
