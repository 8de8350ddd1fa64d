"""The menu bar, the footer keys, and other mouse actions."""

from textwrap import wrap

import pytest
from textual.events import MouseScrollDown
from textual.widget import Widget
from textual.widgets import OptionList

from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, pencilled
from xwtui.engine.events.event import Outcome
from xwtui.model import Content, Kind, Position, Puzzle
from xwtui.session.messages import FillEnded, OptionsReady
from xwtui.session.run_view import FoundFill, RunView
from xwtui.session.verbs.registry import VERBS
from xwtui.tui.editing.command_line import CompletionList
from xwtui.tui.keys import KeyFooter
from xwtui.tui.screens.clue_table import ClueTable
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.screens.menu import MenuScreen, brief_help, whole_sentences


def menu(on: Stage) -> MenuScreen:
    return on.showing(MenuScreen)


def pointed(on: Stage) -> str:
    """Return the highlighted item."""
    options = menu(on).query_one(OptionList)
    assert options.highlighted is not None
    return str(options.get_option_at_index(options.highlighted).prompt)


def offset_of(on: Stage, position: Position) -> tuple[int, int]:
    """Return a square's cell within the grid widget."""
    view = on.editor.desk.grid
    inside = view.content_region.offset - view.region.offset + view._drawing.region(position).offset
    return inside.x, inside.y


def wheel(widget: Widget) -> None:
    """Scroll the wheel down over a widget, which the pilot cannot do."""
    x, y = widget.region.offset
    widget.post_message(MouseScrollDown(widget, 2, 2, 0, 0, 0, False, False, False, x + 2, y + 2))


def shown_items(on: Stage) -> list[str]:
    """Return the lines of the open menu, without its frame."""
    region = menu(on).query_one(OptionList).region.shrink((1, 1, 1, 1))
    return [line[region.x : region.right] for line in on.text().splitlines()[region.y : region.bottom]]


async def click_item(on: Stage, name: str) -> None:
    """Click the item of the open menu that begins with this text."""
    options = menu(on).query_one(OptionList)
    place = next(n for n, one in enumerate(options.options) if str(one.prompt).startswith(name))
    lines_between = sum(option._divider for option in options.options[:place])
    await on.click(OptionList, offset=(3, place + 1 + lines_between))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_every_verb_is_in_a_menu_with_its_key(
    stage: OpenStage, small: Puzzle, size: tuple[int, int]
) -> None:
    async with stage(small, size=size) as on:
        await on.press("f9")
        names = {item.name for one in menu(on)._menus for item in one.items}
        assert set(VERBS) <= names
        titles = on.text().splitlines()[0]
        assert titles.split() == " ".join(one.title for one in menu(on)._menus).split()
        assert "^O" in on.text()
        assert "Open a puzzle file" in on.text(), "the help of the first item"
        await on.press("right", "right")
        lines = shown_items(on)
        assert all(line.strip() for line in lines)
        assert [line.split()[0] for line in lines if "F5" in line] == ["fill", "refill"], "a line each"
        assert any(set(line.strip()) == {"─"} for line in lines), "sections are divided"
        await on.press("escape")
        assert isinstance(on.app.screen, Editor)


async def test_an_item_is_selected_by_letter_and_run_by_enter(on: Stage) -> None:
    await on.press("f9", "right", "b")
    assert pointed(on).startswith("block")
    assert on.grid[Position(0, 0)].kind is Kind.OPEN, "no letter chooses"
    await on.press("b")
    assert pointed(on).startswith("bar")
    await on.press("up", "up", "enter") if "circle" in pointed(on) else await on.press("b", "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.grid[Position(0, 0)].kind is Kind.BLOCK


async def test_verbs_with_arguments_open_the_command_line(on: Stage) -> None:
    await on.press("f9", "n")
    assert pointed(on).startswith("new …")
    await on.press("enter")
    assert on.prompt.field.value == "new "


async def test_keys_typed_ahead_reach_the_menu(on: Stage) -> None:
    await on.burst("f9", "right", "b", "enter", "right", "x")
    assert on.grid[Position(0, 0)].kind is Kind.BLOCK
    assert on.grid[Position(0, 1)].content == Content.of("X")


async def test_the_mouse_opens_menus_and_chooses_items(on: Stage) -> None:
    await on.click("#title", offset=(0, 0))
    await on.click("#menu-1")
    await click_item(on, "block")
    assert on.grid[Position(0, 0)].kind is Kind.BLOCK
    await on.press("f9")
    await on.click(offset=(79, 15))
    assert isinstance(on.app.screen, Editor), "a click beside the menus closes them"


async def test_right_click_opens_the_menu_of_an_entry(on: Stage) -> None:
    await on.click("#grid", offset=offset_of(on, Position(1, 2)), button=3)
    entry = known(on.app.session.cursor.slot)
    assert Position(1, 2) in entry.positions
    assert entry.name in on.text()
    for told in ("fill this entry", "candidates", "swap", "why", "lock", "clue …", "reject"):
        assert told in on.text()
    await click_item(on, "clue …")
    assert on.prompt.field.value == f"clue {entry.name} "
    await on.press("escape")
    await on.press("shift+f9", "enter")
    assert "fill of the selection" in on.bench.asked


async def test_the_entry_menu_locks_and_unlocks(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        await on.press("shift+f9", "l")
        assert pointed(on).startswith("lock")
        await on.press("enter", "shift+f9", "u")
        assert pointed(on).startswith("unlock")


async def test_right_click_opens_the_menu_of_a_row(on: Stage) -> None:
    await on.click("#entries", offset=(2, 3), button=3)
    entry = known(on.app.session.cursor.slot)
    assert f"{entry.name}  " in on.text()
    assert menu(on)._menus[0].title.startswith(entry.name)


async def test_a_menu_stays_on_the_screen(on: Stage) -> None:
    await on.pilot.click("#entries", offset=(44, 10), button=3)
    await on.press("escape", "f9", "left")
    options = menu(on).query_one(OptionList)
    assert on.app.screen.region.contains_region(options.region)


async def test_a_completion_is_taken_by_a_click(on: Stage) -> None:
    await on.type(":symm")
    listed = on.editor.query_one(CompletionList)
    await on.click(CompletionList, offset=(3, 1))
    assert on.prompt.field.value == listed.rows[0].line == "symmetry"
    assert on.app.focused is on.prompt.field


async def test_the_wheel_scrolls_a_grid_larger_than_its_viewport(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(30, 30)) as on:
        view = on.editor.desk.grid
        assert view.scroll_offset.y == 0
        wheel(view)
        await on.pilot.wait_for_scheduled_animations()
        assert view.scroll_offset.y > 0
        assert on.here == "r1c1 across"


async def test_the_wheel_scrolls_a_list(stage: OpenStage, small: Puzzle) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        wheel(on.editor.desk.entries)
        await on.pilot.pause()
        assert on.editor.desk.entries.top == 3


async def test_a_clue_is_kept_when_another_row_is_clicked(on: Stage) -> None:
    first, third = (on.grid.slots[n].name for n in (0, 2))
    await on.press("f2", "enter")
    await on.type("one")
    await on.click("#table", offset=(2, 2))
    assert isinstance(on.app.screen, ClueTable)
    assert on.app.session.puzzle.clue(on.grid.slot(first)) == "one"
    assert not on.app.screen.field.has_class("-open")
    await on.double_click("#table", offset=(2, 2))
    await on.type("three")
    await on.press("enter")
    assert on.app.session.puzzle.clue(on.grid.slot(third)) == "three"


def test_help_in_a_menu_ends_with_a_sentence() -> None:
    for verb in VERBS.values():
        whole = brief_help(verb)
        told = whole_sentences(whole, 78, 3)
        assert told.endswith((".", ";")) or told == whole
        assert whole.startswith(told)
        assert len(wrap(told, 78)) <= 3


async def test_clicking_a_footer_key_presses_it(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        line = on.text().splitlines()[-1]
        await on.click(KeyFooter, offset=(line.index("help"), 0))
        assert isinstance(on.app.screen, HelpScreen)


async def test_footer_keys_match_the_focused_widget(on: Stage) -> None:
    assert "F5 fill" in on.text().splitlines()[-1]
    await on.press("colon")
    foot = on.text().splitlines()[-1]
    assert "Enter do it" in foot
    assert "F5 fill" not in foot, "the prompt's own keys alone"
    await on.press("escape", "ctrl+r")
    assert on.text().splitlines()[-1].strip() == "Enter do it Esc cancel", "nothing completes a rebus"
    await on.press("a", "tab")
    assert on.prompt.field.value == "a", "nor does its key lead away"
    await on.press("escape")
    assert "F5 fill" in on.text().splitlines()[-1]
    assert not on.editor.query_one(KeyFooter).children, "no widget is made for a key"


async def test_likely_next_steps_are_in_the_footer(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        assert "F5 fill" in on.text().splitlines()[-1]
        await on.show_run(RunView(Outcome.RUNNING))
        foot = on.text().splitlines()[-1]
        assert "F6 stop" in foot
        assert "F5 fill" not in foot
        assert "F10 step" not in foot
        await on.show_run(RunView(Outcome.RUNNING, last_event=5))
        foot = on.text().splitlines()[-1]
        assert [key for key in ("F10 step", "^B back", "F12 backtrack", "F6 stop") if key not in foot] == []
        await on.show_run(RunView(Outcome.RUNNING, paused=True))
        foot = on.text().splitlines()[-1]
        assert [
            key for key in ("F10 step", "^B back", "F11 continue", "F12 backtrack", "? help") if key not in foot
        ] == []
        on.bench.pretended = None
        await on.tell(FillEnded(RunView(Outcome.CANCELLED)))
        await on.tell(OptionsReady(on.bench.revision, {}, reason="1A: no word fits Q?J", culprits=("1A",)))
        foot = on.text().splitlines()[-1]
        assert "^W why" in foot
        assert "F5 fill" not in foot
    async with stage(pencilled(small)) as on:
        assert "F5 fill ^Z undo ^G improve" in on.text().splitlines()[-1], "no list has AAA, and it is in pencil"
        await on.verb("accept")
        foot = on.text().splitlines()[-1]
        assert "^G improve" in foot
        assert "F2 clues" in foot
        assert "^F fills" not in foot, "there are none to choose from"
        assert len(foot.rstrip()) <= 80
        on.bench.fills.kept = (FoundFill({}, 60.0, 40),)
        await on.tell(FillEnded(RunView(Outcome.CANCELLED)))
        assert "^F fills" in on.text().splitlines()[-1]
