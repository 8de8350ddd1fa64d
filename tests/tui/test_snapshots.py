"""Snapshots on the screen: what differs is marked, and walked through."""

from tests.tui.still import Stage
from xwtui.session.verbs.registry import run_line
from xwtui.tui.screens.differences import DifferencesScreen
from xwtui.tui.screens.editor import Editor


async def test_differences_are_walked_through(on: Stage) -> None:
    run_line(on.bench, "set 1A CAT")
    run_line(on.bench, "snapshot save v1")
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


async def test_keys_typed_ahead_of_the_differences_do_what_they_do_slowly(on: Stage) -> None:
    run_line(on.bench, "set 1A CAT")
    run_line(on.bench, "snapshot save v1")
    run_line(on.bench, "set 1A DOG")
    on.editor.line.ask("snapshot compare v1")
    await on.press("enter", "down", "enter", "x")
    assert on.here == "r2c1 down"
    assert on.grid.pattern(on.grid.slot("1D")) == "X????"
