"""Test-solving on the screen: keys write into the solver's grid, and the puzzle is unchanged."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from textual.widgets import Input

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid, Position, Puzzle
from xwtui.session.fill_options import Mode
from xwtui.session.run_view import RunView
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.overlays import ChoiceScreen
from xwtui.tui.screens.solving import SolveScreen
from xwtui.tui.widgets.painted import KeyLine, Line


@pytest.fixture
def clued() -> Puzzle:
    puzzle = Puzzle(grid_from_text("CAT\nO#[EX]\nGEN\n"), title="Cats")
    return puzzle.with_clue(puzzle.grid.slot("1A"), "Pet").with_clue(puzzle.grid.slot("3A"), "Unit")


@pytest.fixture
async def on(stage: OpenStage, clued: Puzzle) -> AsyncIterator[Stage]:
    async with stage(clued) as opened:
        yield opened


def solved(on: Stage) -> Grid:
    return on.bench.document.solving.attempt.grid


def said(on: Stage) -> str:
    assert isinstance(on.app.screen, SolveScreen)
    return on.app.screen.query_one("#message-line", Line).plain.strip()


async def test_a_key_without_effect_is_explained(on: Stage) -> None:
    await on.verb("solve")
    await on.press("f2")
    assert said(on) == "F2 does nothing here; Esc goes back to the grid"
    await on.type("c")
    assert said(on) == ""
    await on.press("f8", "ctrl+g")
    await on.type("Hm")
    await on.press("enter")
    assert on.bench.puzzle.solver_note(on.grid.slot("1A")) == "Hm"


async def test_letters_are_entered_checked_and_revealed(on: Stage, clued: Puzzle) -> None:
    await on.verb("solve")
    text = on.text()
    for part in ("Cats", "test-solving", "0/8", "ACROSS", "DOWN", "Pet", "Unit"):
        assert part in text
    await on.type("cox")
    assert solved(on).answer(solved(on).slot("1A")) == "COX"
    await on.press("f5")
    assert isinstance(on.app.screen, ChoiceScreen)
    await on.press("enter")
    assert said(on) == "wrong: r1c2, r1c3; 1 right"
    await on.press("backspace", "backspace")
    await on.type("at")
    await on.press("f7", "enter")
    assert said(on) == "already right, nothing to reveal"
    await on.press("tab")
    await on.press("f7", "down", "down", "enter")
    assert said(on).startswith("5 revealed; solved in ")
    assert on.bench.puzzle == clued
    await on.press("x")
    assert "known to be right" in said(on), "it was revealed, not checked"


async def test_empty_squares_show_numbers_if_there_are_no_lines(stage: OpenStage) -> None:
    puzzle = Puzzle.blank(21, 21)
    marked = replace(puzzle.grid[Position(0, 11)], circle=True)
    async with stage(puzzle.with_grid(puzzle.grid.with_squares({Position(0, 11): marked})), size=(100, 30)) as on:
        await on.verb("solve")
        await on.type("a")
        assert " A 2  3  4  5  6  7  8  9  10 11 12°13" in on.text()
        await on.press("escape")
        assert "12°" not in on.text(), "the editor's grid is as it was"


async def test_a_rebus_a_note_and_leaving(on: Stage, clued: Puzzle) -> None:
    await on.verb("solve")
    await on.press("right", "right", "down", "down")
    await on.press("ctrl+r")
    await on.type("ex")
    await on.press("enter")
    assert solved(on).pattern(solved(on).slot("2D")) == "?[EX]?"
    await on.press("shift+tab", "f8")
    await on.type("never heard of it")
    await on.press("escape")
    assert isinstance(on.app.screen, SolveScreen), "Esc closes the field first"
    await on.press("f8")
    await on.type("never heard of it")
    await on.press("enter")
    assert "✎ never heard of it" in on.text()
    slot = next(slot for slot in clued.grid.slots if on.bench.puzzle.solver_note(slot))
    assert slot == on.bench.document.solving.cursor.slot
    await on.press("escape")
    assert isinstance(on.app.screen, Editor)
    assert on.bench.puzzle.grid == clued.grid
    assert not on.bench.document.solving.clock.is_going
    await on.verb("solve")
    assert solved(on).pattern(solved(on).slot("2D")) == "?[EX]?", "it is kept"
    await on.press("escape")
    on.bench.cursor.move_to(slot.start, slot.direction)
    await on.press("f2")
    assert f"{slot.name}, noted while solving: never heard of it" in on.text(), "the clue screen shows it"


async def test_a_run_does_not_continue_behind_the_solver(on: Stage, clued: Puzzle) -> None:
    on.bench.pretended = RunView(Outcome.CANCELLED, mode=Mode.IMPROVE)
    await on.verb("solve")
    assert "stop" in on.bench.asked
    assert said(on).startswith("improve ended: stopped")
    await on.press("escape", "quotation_mark")
    assert "improve ended: stopped" in on.text(), "it is kept with what was said"


async def test_the_clock_starts_with_the_first_letter(on: Stage, clued: Puzzle) -> None:
    await on.verb("solve")
    clock = on.bench.document.solving.clock
    await on.press("f6")
    assert not clock.is_going
    assert "paused" in on.text()
    await on.press("down")
    assert not clock.is_going
    await on.type("a")
    assert clock.is_going


async def test_keys_typed_ahead_reach_the_intended_screen(on: Stage, clued: Puzzle) -> None:
    await on.verb("solve")
    await on.press(*"cat", "tab", *"gen", "f8", *"hm", "enter", "f5", "down", "down", "enter")
    assert on.bench.puzzle.solver_note(clued.grid.slot("3A")) == "hm"
    assert said(on) == "6 right"
    await on.press("question_mark")
    assert "rebus" in on.text()
    await on.press("escape", "space")
    assert on.bench.document.solving.cursor.slot == clued.grid.slot("2D")


async def test_a_solving_verb_opens_the_screen(on: Stage, clued: Puzzle) -> None:
    await on.verb("solve write 1A CAT")
    assert said(on).startswith("3 of 8 squares")
    await on.press("escape")
    await on.verb("solve note 1A fine")
    assert isinstance(on.app.screen, Editor)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_everything_is_visible_at_each_size(stage: OpenStage, size: tuple[int, int]) -> None:
    puzzle = Puzzle.blank(15, 15)
    async with stage(puzzle, size=size) as on:
        await on.verb("solve")
        screen = on.showing(SolveScreen)
        grid = screen.query_one("#solve-grid")
        assert grid.region.width >= 47
        assert grid.region.right <= size[0] - 20
        assert screen.query_one("#solve-keys", KeyLine).region.bottom == size[1]
        assert screen.query_one(Input).display is False
        down = screen.query_one("#solve-down")
        assert down.size.height > 2
        assert screen.has_class("-wide") is (size[0] == 200)
