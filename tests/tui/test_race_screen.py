"""The race screen over views that tests post."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.model import Puzzle
from xwtui.racing.task import RaceView, RunState, Standing
from xwtui.session.messages import RaceEnded, RaceFailed, RaceMoved
from xwtui.tui.screens.racing import RaceScreen, RaceTable
from xwtui.tui.widgets.painted import Heading, Line, TextPanel

IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"

LONG = "emogic-letters:walk=snake,supply=masks"
LINE = f"race xwtui {LONG} top-ten --seeds 1"


def screen(on: Stage) -> RaceScreen:
    found = on.app.screen
    assert isinstance(found, RaceScreen)
    return found


def cells(on: Stage) -> list[list[str]]:
    table = screen(on).query_one(RaceTable)
    return [[cell.plain.strip() for cell in table.get_row_at(row)] for row in range(table.row_count)]


async def show(on: Stage, *standings: Standing) -> RaceView:
    """Tell how the race stands: its end, where all runs are over."""
    before = known(on.bench.jobs.race.view)
    view = replace(before, standings=standings, seconds=3.0)
    on.bench.jobs.race.latest = view
    await on.tell(RaceEnded(view) if view.is_over else RaceMoved(view))
    return view


XWTUI = Standing(
    "xwtui", 0, RunState.FILLED, 0.002, nodes=1234, backtracks=5, squares=23, all_squares=23, mean_score=51.0
)
SNAKE = Standing(LONG, 0, RunState.RUNNING, 0.5, nodes=99, depth=4, squares=7, all_squares=23)
TEN = Standing("top-ten", 0, RunState.REFUSED, all_squares=23, reason="it knows no rules")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)] if IS_DEEP else [(80, 24)])
async def test_every_entrant_and_the_plot_are_shown(
    stage: OpenStage, small: Puzzle, size: tuple[int, int]
) -> None:
    async with stage(small, size=size) as on:
        await on.verb(LINE)
        assert on.bench.asked[-1] == "race of 3, 1 seeds"
        assert [row[2] for row in cells(on)] == ["waiting"] * 3
        await show(on, XWTUI, SNAKE, TEN)
        first, second, third = cells(on)
        assert first == ["A xwtui", "1/1", "filled", "0.002", "1,234", "5", "0", "51.0", "23/23"]
        assert second[:3] == ["B emogic-letters:walk=s…", "0/1", "running"]
        assert third[0] == "top-ten"
        assert "2 of 3 runs over" in screen(on).query_one("#race-heading", Heading).remark
        assert len(on.text().splitlines()) == size[1]
        assert "B emogic-letters" in on.text()
        if size[0] >= 80:
            plot = screen(on).query_one(TextPanel).plain
            assert "AAAA" in plot
            assert "100%" in plot
            hues = {text: style for line in screen(on).query_one(TextPanel).lines for text, style in line}
            assert hues["A"] == screen(on).query_one(TextPanel).paint.accent != hues["B"]
            assert "0.002" in on.text()
            assert "23/23" in on.text()
            assert "Esc stop " in on.text()


async def test_at_the_end_the_summary_is_shown(on: Stage) -> None:
    await on.verb(LINE)
    await show(on, XWTUI, replace(SNAKE, state=RunState.OUT_OF_TIME, search_seconds=10.0), TEN)
    assert cells(on)[0][:3] == ["A xwtui", "1/1", "0.002"]
    assert cells(on)[1][-1] == "1 out of time"
    assert cells(on)[2][-1] == "1 refused"
    await on.press("t")
    assert cells(on)[1][2] == "out of time"
    await on.press("r")
    assert "top-ten: refused: it knows no rules" in on.text()
    await on.press("escape", "escape")
    assert on.app.screen is on.editor


async def test_the_keyboard_stays_on_an_entrant_that_moves(on: Stage) -> None:
    await on.verb(LINE)
    await on.press("t")
    slow = replace(XWTUI, search_seconds=9.0)
    await show(on, slow, SNAKE, TEN)
    assert [row[0][:1] for row in cells(on)] == ["A", "B", "t"]
    await on.press("down")
    await show(on, slow, replace(SNAKE, state=RunState.FILLED), TEN)
    assert [row[0][:1] for row in cells(on)] == ["B", "A", "t"]
    assert screen(on).query_one(RaceTable).cursor_row == 0


async def test_esc_stops_the_race_at_once_and_then_leaves(on: Stage) -> None:
    await on.verb(LINE)
    await show(on, XWTUI, SNAKE, replace(TEN, state=RunState.WAITING))
    await on.press("escape")
    view = known(on.bench.jobs.race.view)
    assert [one.state for one in view.standings] == [RunState.FILLED, RunState.STOPPED, RunState.STOPPED]
    assert "stopped: these are the results so far" in screen(on).query_one("#said", Line).plain
    assert "Esc back" in on.text()
    await on.press("escape")
    assert on.app.screen is on.editor
    await on.verb("race show")
    assert [row[0] for row in cells(on)] == ["A xwtui", "B emogic-letters:walk=s…", "C top-ten"]


async def test_saving_waits_for_the_end_and_asks_for_a_file(on: Stage, tmp_path: Path) -> None:
    await on.verb(LINE)
    await on.press("s")
    assert "the race is still running" in screen(on).query_one("#said", Line).plain
    await on.press("escape", "s")
    assert on.app.screen is on.editor
    await on.type(f"{tmp_path}/race.csv")
    await on.press("enter")
    assert (tmp_path / "race.csv").read_text().startswith("strategy,seed,state")


async def test_a_race_that_fails_says_why(on: Stage) -> None:
    await on.verb(LINE)
    await on.tell(RaceFailed("the race cannot be run: no words"))
    assert "no words" in screen(on).query_one("#said", Line).plain


async def test_the_key_asks_who_starts(on: Stage) -> None:
    await on.press("backslash")
    await on.press("enter")
    assert on.bench.asked[-1] == "race of 10, 1 seeds"
    await on.press("question_mark")
    assert "twice the budget" in on.text()
