"""The watch screen and the race screen, with views posted by tests."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, StillFill, until
from xwtui.batch.races.task import RaceView, RunState, RunStatus
from xwtui.engine.events.event import DecisionReport, Event, EventKind, LikelyWord, Outcome, Rank
from xwtui.errors import VerbError
from xwtui.model import Ink, Position, Puzzle
from xwtui.model.edits import set_ink, write_fill
from xwtui.session.fill_options import Mode
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.messages import (
    ArgumentRefused,
    FillEnded,
    FillProgress,
    JobFailed,
    RaceEnded,
    RaceFailed,
    RaceMoved,
)
from xwtui.session.recording import Recording, write_recording
from xwtui.session.run_view import RunView
from xwtui.session.search_text import numbered_event
from xwtui.session.session import Session
from xwtui.tui.app import XwtuiApp
from xwtui.tui.screens.editor import Reported
from xwtui.tui.screens.racing import RaceScreen, RaceTable
from xwtui.tui.screens.watching import Colouring, EventList, EventLogScreen, WatchScreen, figures
from xwtui.tui.themes import PLAIN
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Heading, Line, TextPanel

EVENTS = (
    Event(EventKind.DECIDE, 1, "1A", "CAT", before=3, after=1),
    Event(EventKind.DECIDE, 2, "5A", "ALOES", before=9, after=1),
    Event(EventKind.PRUNE, 2, "1D", crossing=Position(1, 0), before=8, after=4, other="5A"),
    Event(EventKind.WIPE_OUT, 2, "2D", crossing=Position(2, 1), other="6A", wanted=("E",)),
    Event(EventKind.BACKTRACK, 1, "5A", "ALOES", before=9, after=8, other="1A"),
)
REPORT = DecisionReport(
    (Rank("6A", "12 / 3.0 = 4.0"), Rank("7A", "20 / 1.0 = 20.0")),
    (LikelyWord("SNAIL", 70, 3.2),),
    {Position(2, 1): 1.0, Position(0, 0): 0.0},
)


def seen(puzzle: Puzzle, events: int, *, decision_report: DecisionReport | None = None) -> RunView:
    """Return the view of a search that is paused after some of its events."""
    tape = Recording(puzzle.grid)
    tape.extend(EVENTS[:events])
    view = tape.at_end(
        RunView(Outcome.RUNNING, nodes=1234, backtracks=5, paused=True, decision_report=decision_report)
    )
    return replace(tape.seen(view), context=tape.context())


def screen(on: Stage) -> WatchScreen:
    return on.showing(WatchScreen)


def panel(on: Stage) -> str:
    return "\n".join(told.plain for told in screen(on).query(TextPanel))


def line(on: Stage, name: str) -> str:
    return screen(on).query_one(f"#{name}", Line).plain


def is_told(on: Stage, event: str) -> bool:
    panels = on.app.screen.query(TextPanel) if isinstance(on.app.screen, WatchScreen) else ()
    return any(event in " ".join(told.plain.split()) for told in panels)


async def test_a_report_before_the_screen_is_mounted_is_handled(on: Stage, small: Puzzle) -> None:
    on.bench.pretended = seen(small, 3)
    on.editor.verbs.watch_search()
    assert not screen(on).is_mounted
    on.app._reported(Reported(FillProgress(on.bench.pretended)))
    await until(on, lambda: screen(on).is_mounted, "its parts")
    assert "event 3 of 3" in line(on, "scrubber")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_the_event_the_next_decisions_and_reasons_are_shown(
    stage: OpenStage, small: Puzzle, size: tuple[int, int]
) -> None:
    async with stage(small, size=size) as on:
        await on.press("at")
        await on.show_run(seen(small, 3, decision_report=REPORT))
        told = panel(on)
        assert "1D: 8 → 4 through r2c1" in told.replace("\n   ", " ")
        assert "1. 6A" in told
        assert "12 / 3.0 = 4.0" in told
        assert "SNAIL" in told
        assert "5A = ALOES" in told
        assert "event 3 of 3" in line(on, "scrubber")
        assert "1,234 nodes" in line(on, "figures")
        assert len(on.text().splitlines()) == size[1]


def test_few_nodes_show_no_rate(small: Puzzle) -> None:
    run = replace(seen(small, 3), seconds=0.5)
    few, many = (str(figures(replace(run, nodes=nodes), 1, PLAIN, is_running=False)) for nodes in (1, 100))
    assert "1 node'" in few
    assert "nodes/s" not in few
    assert "200 nodes/s" in many


async def test_a_dead_end_shows_the_way_back(on: Stage, small: Puzzle) -> None:
    await on.press("at")
    await on.show_run(seen(small, 4))
    assert "2D has no" in panel(on)
    await on.show_run(seen(small, 5))
    told = " ".join(panel(on).split())
    assert "backtrack from 5A to 1A" in told
    assert "undoes 5A = ALOES, continues from 1A" in told
    picture = known(screen(on).query_one(GridView).picture)
    assert picture.undone >= set(small.grid.slot("5A").positions) - set(small.grid.slot("1A").positions)


async def test_keys_step_scrub_run_and_leave(on: Stage, small: Puzzle) -> None:
    await on.press("at")
    on.bench.asked.clear()
    await on.show_run(seen(small, 5))
    await on.press("left", "right", "pageup", "pagedown", "space", "plus", "space", "b", "r", "s", "n", "f6")
    assert on.bench.asked == [
        "back 1",
        "step 1",
        "back 100",
        "step 100",
        "watch 5",
        "watch 10",
        "until backtrack",
        "until restart",
        "until solved",
        "until 5A",
        "stop",
    ]
    await on.press("ctrl+b", "f10", "f12", "f11")  # as in the grid
    assert on.bench.asked[-4:] == ["back 1", "step 1", "until backtrack", "until solved"]
    on.bench.pretended = replace(seen(small, 5), paused=False)
    await on.press("space")
    assert on.bench.asked[-1] == "pause"
    await on.press("escape")
    assert on.app.screen is on.editor
    assert on.line("message") == "the search goes on: Ctrl+V shows it, F6 stops it"


async def test_squares_are_colored_by_depth_age_and_blame_with_a_legend(on: Stage, small: Puzzle) -> None:
    await on.press("at")
    await on.show_run(seen(small, 2, decision_report=REPORT))
    drawn = {}
    for colouring in (Colouring.DEPTH, Colouring.AGE, Colouring.BLAME):
        await on.press("c")
        assert screen(on).colouring is colouring
        assert colouring.value[:5] in line(on, "legend")
        picture = known(screen(on).query_one(GridView).picture)
        drawn[colouring] = dict(picture.heat)
    first, second = small.grid.slot("1A").positions[1], small.grid.slot("5A").positions[4]
    assert drawn[Colouring.DEPTH][first] < drawn[Colouring.DEPTH][second]
    assert drawn[Colouring.AGE][first] < drawn[Colouring.AGE][second]
    assert drawn[Colouring.BLAME] == REPORT.blame
    await on.press("c")
    assert screen(on).colouring is Colouring.NONE


async def test_every_key_is_listed(on: Stage) -> None:
    await on.press("at", "question_mark")
    assert "on to the next backtrack" in on.text()
    await on.press("escape")
    assert isinstance(on.app.screen, WatchScreen)


async def test_without_a_search_the_screen_explains_how_to_start_one(on: Stage) -> None:
    await on.press("at")
    assert "begins a search" in panel(on)
    await on.press("home")
    assert "there is no search yet" in line(on, "message-line")
    await on.press("ctrl+z")
    assert "Ctrl+Z undoes edits, in the grid" in line(on, "message-line")
    asked = len(on.bench.asked)
    await on.press("f10")
    assert len(on.bench.asked) == asked + 1
    await on.press("right")
    assert on.bench.asked[-1] == on.bench.asked[-2]
    await on.tell(JobFailed("the search stopped: x"))
    assert "the search stopped" in line(on, "message-line")


async def test_a_run_without_steps_is_reported_immediately(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise VerbError("this search cannot be stepped (improve); `stop` it first")

    monkeypatch.setattr(on.bench.jobs.fill, "make_watchable", refuse)
    on.bench.pretended = RunView(Outcome.RUNNING, mode=Mode.IMPROVE)
    await on.press("at")
    assert "cannot be stepped (improve)" in line(on, "message-line")
    assert line(on, "figures").split("  ")[:2] == [" improving", "no fill yet"], "not a search without nodes"
    await on.tell(FillEnded(RunView(Outcome.CANCELLED, mode=Mode.IMPROVE)))
    assert not line(on, "message-line").strip(), "it is over"


async def test_the_log_is_filtered_copied_and_saved(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tape = Recording(small.grid)
    tape.extend(EVENTS)
    async with stage(small) as on:
        monkeypatch.setattr(StillFill, "recorded", lambda _: tape)
        monkeypatch.setattr(StillFill, "recording", tape)
        await on.press("at")
        await on.show_run(seen(small, 5))
        assert "█" in line(on, "depths")
        track = line(on, "scrubber").partition(" event")[0]
        assert len(line(on, "depths")) == len(track) > len(EVENTS), "each depth stands above its event"
        await on.press("l")
        log = on.showing(EventLogScreen)

        def listed() -> list[int]:
            return [row.number for row in log.query_one(EventList).rows]

        assert listed() == [4, 3, 2, 1, 0]
        await on.press("tab")
        assert listed() == [1, 0]
        await on.press("shift+tab", *"aloes")
        assert listed() == [4, 1]
        await on.press("ctrl+y")
        assert on.app.clipboard.splitlines() == [numbered_event(number, EVENTS[number]) for number in (1, 4)]
        await on.press(*["backspace"] * 5, "f2")
        assert listed() == [4, 2, 1]
        monkeypatch.chdir(tmp_path)
        await on.press("ctrl+s")
        saved = (tmp_path / "search-events.txt").read_text(encoding="utf-8")
        assert [line.split()[0] for line in saved.splitlines()] == ["2", "3", "5"]
        (tmp_path / "search-events.txt").write_text("Monday: rain.\n", encoding="utf-8")
        await on.press("ctrl+s")
        refused = " ".join(on.text().split())
        assert "search-events.txt already exists: choose another name, or `events save --force" in refused
        assert "search-events.txt --at 5A` overwrites it" in refused
        assert (tmp_path / "search-events.txt").read_text(encoding="utf-8") == "Monday: rain.\n"
        went: list[int] = []
        monkeypatch.setattr(StillFill, "go_to_event", lambda _, number: went.append(number))
        await on.press("down", "enter")
        assert went == [3]


async def test_arguing_by_keys(on: Stage, small: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[SearchArgument] = []
    others = (LikelyWord("ALGAE", 60, 2.0), LikelyWord("ARISE", 50, 1.5))
    tried = replace(REPORT, tried="5A", chosen="ALOES", others=others)
    monkeypatch.setattr(type(on.bench), "argue", lambda _, argument: said.append(argument))
    await on.press("at")
    await on.show_run(seen(small, 2, decision_report=tried))
    assert "tried 5A = ALOES; then" in panel(on)
    assert "ALGAE, ARISE" in panel(on)
    await on.press("w", "down", "enter", "x", "k", "d", "u")
    kinds = ArgumentKind
    assert said == [
        SearchArgument(kinds.CHOOSE, "5A", "ARISE"),
        *map(SearchArgument, (kinds.FORBID, kinds.LOCK, kinds.SKIP, kinds.BACK)),
    ]
    await on.press("w", "escape")
    assert len(said) == 5
    await on.tell(ArgumentRefused("5A is locked"))
    assert "5A is locked" in line(on, "message-line")


async def test_a_locked_decision_has_no_alternative_and_a_stopped_search_is_paused(
    on: Stage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StillFill, "can_be_argued_with", True)
    await on.press("at")
    run = seen(small, 2, decision_report=replace(REPORT, tried=""))
    await on.show_run(run)
    assert "paused" in line(on, "figures")
    await on.press("w")
    assert "no word was chosen here to replace" in line(on, "message-line")
    last = known(run.moment).decisions[-1]
    on.bench.edit(
        "lock", lambda puzzle: set_ink(write_fill(puzzle, dict(last.squares)), dict(last.squares), Ink.LOCKED)
    )
    await on.press("w")
    assert f"{last.subject} is locked" in line(on, "message-line")


async def test_a_line_typed_while_watching_returns_to_the_screen(
    on: Stage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next keys belong to the watch screen again, and write nothing in the grid."""
    said: list[SearchArgument] = []
    monkeypatch.setattr(type(on.bench), "argue", lambda _, argument: said.append(argument))
    monkeypatch.setattr(StillFill, "can_be_argued_with", True)
    await on.press("at")
    await on.show_run(seen(small, 2, decision_report=REPORT))
    await on.press("colon", *"argue", "space", *"back", "enter", "x")
    assert isinstance(on.app.screen, WatchScreen)
    assert [each.kind for each in said] == [ArgumentKind.BACK, ArgumentKind.FORBID]
    assert on.bench.puzzle.grid == small.grid
    await on.press("colon", *"nonsense", "enter")
    assert not isinstance(on.app.screen, WatchScreen), "a refused line stays open"
    await on.press("escape", "k")
    assert isinstance(on.app.screen, WatchScreen)
    assert said[-1].kind is ArgumentKind.LOCK
    assert on.bench.puzzle.grid == small.grid
    await on.press("escape", "colon", *"title", "space", "T", "enter")
    assert not isinstance(on.app.screen, WatchScreen), "it was left before"


async def test_a_trace_is_watched_without_loading_words(small: Puzzle, tmp_path: Path) -> None:
    """From a file to the screen, with real threads."""
    tape = Recording(small.grid)
    tape.extend(EVENTS)
    path = tmp_path / "small.trace"
    write_recording(tape, path)
    app = XwtuiApp(trace=path, session=lambda listener: Session(listener, journal_folder=tmp_path / "j"))
    async with app.run_test(size=(80, 24)):
        on = Stage(app)
        await on.pilot.pause()
        for keys, event in (((), "decide 1A = CAT"), (("right",), "decide 5A = ALOES"), (("end",), "backtrack")):
            await on.pilot.press(*keys)
            await until(on, partial(is_told, on, event), event)
        await on.pilot.press("escape")
        await on.pilot.pause()
        assert app.session.document.name == "small.trace"
        footer = on.text().splitlines()[-1]
        assert ("back" in footer, "step" in footer) == (True, False), "it is over"
    app.session.discard_changes()
    app.session.close()


async def test_a_trace_opened_by_a_verb_cannot_be_argued_with(
    stage: OpenStage, small: Puzzle, tmp_path: Path
) -> None:
    tape = Recording(small.grid)
    tape.extend(EVENTS)
    trace = tmp_path / "small.trace"
    write_recording(tape, trace)
    async with stage(small) as on:
        await on.press("at")
        assert "argue" in on.text()
        await on.press("escape")
        await on.verb(f"watch {trace}")
        await until(on, lambda: isinstance(on.app.screen, WatchScreen), "the watch screen")
        await on.pilot.pause()
        assert len(on.app.puzzles.sessions) == 2
        assert "argue" not in on.text()
        on.app.typeahead.release()  # they wait for the first event
        for key in ("w", "x"):
            await on.press(key)
            assert "this search is over" in screen(on).query_one("#message-line", Line).plain
        await on.press("question_mark")
        assert "argument" not in on.text()


IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"

LONG = "emogic-letters:walk=snake,supply=masks"
LINE = f"race xwtui {LONG} top-ten --seeds 1"


def race_screen(on: Stage) -> RaceScreen:
    return on.showing(RaceScreen)


def cells(on: Stage) -> list[list[str]]:
    table = race_screen(on).query_one(RaceTable)
    return [[cell.plain.strip() for cell in table.get_row_at(row)] for row in range(table.row_count)]


async def show_race(on: Stage, *statuses: RunStatus) -> RaceView:
    """Send a race's state, which has ended if all runs are over."""
    before = known(on.bench.jobs.race.view)
    view = replace(before, statuses=statuses, seconds=3.0)
    on.bench.jobs.race.latest = view
    await on.tell(RaceEnded(view) if view.is_over else RaceMoved(view))
    return view


XWTUI = RunStatus(
    "xwtui", 0, RunState.FILLED, 0.002, nodes=1234, backtracks=5, squares=23, all_squares=23, mean_score=51.0
)
SNAKE = RunStatus(LONG, 0, RunState.RUNNING, 0.5, nodes=99, depth=4, squares=7, all_squares=23)
TEN = RunStatus("top-ten", 0, RunState.REFUSED, all_squares=23, reason="it knows no rules")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)] if IS_DEEP else [(80, 24)])
async def test_every_entrant_and_the_plot_are_shown(
    stage: OpenStage, small: Puzzle, size: tuple[int, int]
) -> None:
    async with stage(small, size=size) as on:
        await on.verb(LINE)
        assert on.bench.asked[-1] == "race of 3, 1 seeds"
        assert [row[2] for row in cells(on)] == ["waiting"] * 3
        await show_race(on, XWTUI, SNAKE, TEN)
        first, second, third = cells(on)
        assert first == ["A xwtui", "1/1", "filled", "0.002", "1,234", "5", "0", "51.0", "23/23"]
        assert second[:3] == ["B emogic-letters:walk=s…", "0/1", "running"]
        assert third[0] == "top-ten"
        assert "2 of 3 runs over" in race_screen(on).query_one("#race-heading", Heading).remark
        assert len(on.text().splitlines()) == size[1]
        assert "B emogic-letters" in on.text()
        if size[0] >= 80:
            plot = race_screen(on).query_one(TextPanel).plain
            assert "AAAA" in plot
            assert "100%" in plot
            hues = {text: style for line in race_screen(on).query_one(TextPanel).lines for text, style in line}
            assert hues["A"] == race_screen(on).query_one(TextPanel).paint.accent != hues["B"]
            assert "0.002" in on.text()
            assert "23/23" in on.text()
            assert "Esc stop " in on.text()


async def test_at_the_end_the_summary_is_shown(on: Stage) -> None:
    await on.verb(LINE)
    await show_race(on, XWTUI, replace(SNAKE, state=RunState.OUT_OF_TIME, search_seconds=10.0), TEN)
    assert cells(on)[0][:3] == ["A xwtui", "1/1", "0.002"]
    assert cells(on)[1][-1] == "1 out of time"
    assert cells(on)[2][-1] == "1 refused"
    await on.press("t")
    assert cells(on)[1][2] == "out of time"
    await on.press("r")
    assert "top-ten: refused: it knows no rules" in on.text()
    await on.press("escape", "escape")
    assert on.app.screen is on.editor


async def test_a_reason_shared_by_entrants_is_shown_once(on: Stage) -> None:
    await on.verb("race xwtui trie top-ten --seeds 1")
    await show_race(on, XWTUI, replace(TEN, entrant="trie"), TEN)
    await on.press("r")
    assert "trie, top-ten: refused: it knows no rules" in on.text()


async def test_the_selection_follows_a_moving_entrant(on: Stage) -> None:
    await on.verb(LINE)
    await on.press("t")
    slow = replace(XWTUI, search_seconds=9.0)
    await show_race(on, slow, SNAKE, TEN)
    assert [row[0][:1] for row in cells(on)] == ["A", "B", "t"]
    await on.press("down")
    await show_race(on, slow, replace(SNAKE, state=RunState.FILLED), TEN)
    assert [row[0][:1] for row in cells(on)] == ["B", "A", "t"]
    assert race_screen(on).query_one(RaceTable).cursor_row == 0


async def test_entrants_keep_their_letters_if_one_refuses_and_the_plan_is_no_warning(on: Stage) -> None:
    await on.verb(LINE)
    await show_race(on, XWTUI, replace(TEN, entrant=LONG), replace(SNAKE, entrant="top-ten"))
    assert [row[0][:2] for row in cells(on)] == ["A ", "em", "C "]
    ((plan, style),) = race_screen(on).query_one("#message-line", Line).left
    assert plan.startswith(" 3 runs of at most")
    assert style == on.app.colour_theme.palette.muted


async def test_esc_stops_the_race_immediately_and_then_leaves(on: Stage) -> None:
    await on.verb(LINE)
    await show_race(on, XWTUI, SNAKE, replace(TEN, state=RunState.WAITING))
    await on.press("escape")
    view = known(on.bench.jobs.race.view)
    assert [one.state for one in view.statuses] == [RunState.FILLED, RunState.STOPPED, RunState.STOPPED]
    assert "stopped: these are the results so far" in race_screen(on).query_one("#message-line", Line).plain
    assert "Esc back" in on.text()
    await on.press("escape")
    assert on.app.screen is on.editor
    await on.verb("race show")
    assert [row[0] for row in cells(on)] == ["A xwtui", "B emogic-letters:walk=s…", "C top-ten"]


async def test_saving_waits_for_the_end_and_asks_for_a_file(on: Stage, tmp_path: Path) -> None:
    await on.verb(LINE)
    await on.press("s")
    assert "the race is still running" in race_screen(on).query_one("#message-line", Line).plain
    await on.press("escape", "s")
    assert on.app.screen is on.editor
    await on.type(f"{tmp_path}/race.csv")
    await on.press("enter")
    assert (tmp_path / "race.csv").read_text().startswith("strategy,seed,state")


async def test_a_failed_race_gives_its_reason(on: Stage) -> None:
    await on.verb(LINE)
    await on.tell(RaceFailed("the race cannot be run: no words"))
    assert "no words" in race_screen(on).query_one("#message-line", Line).plain


async def test_the_key_asks_which_entrants_start(on: Stage) -> None:
    await on.press("backslash")
    await on.press("enter")
    assert on.bench.asked[-1] == "race of 10, 1 seeds"
    await on.press("question_mark")
    assert "twice the budget" in on.text()
