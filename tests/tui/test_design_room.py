"""The design room over designs that tests post."""

import pytest

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from tests.tui.test_pictures import compare
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.designs import Design, DesignProgress
from xwtui.model import Ink, Puzzle, Symmetry
from xwtui.model.square import Square
from xwtui.session.layout_answers import DesignsAnswer
from xwtui.session.messages import AnswerReady, EnginePhase, EngineState
from xwtui.tui.screens.designing import DesignRows, DesignScreen, ThemeRows
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.screens.start import StartScreen
from xwtui.tui.widgets.painted import Heading, Line
from xwtui.tui.widgets.small_grids import GridPane

FULL = ("CAT.S", "ALOES", "BERGS", "SNAIL", "S.DOG")
OTHER = ("ALOES", "SNAIL", "CARGO", "SEVEN", "DOGMA")


@pytest.fixture(autouse=True)
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nothing is looked for: tests tell what was found."""
    asked: list[str] = []
    monkeypatch.setattr(
        "xwtui.session.jobs.answer_job.AnswerJob.start", lambda self, work, designing=False: asked.append("look")
    )
    return asked


def design(rows: tuple[str, ...], themer: str, mean: float) -> Design:
    grid = grid_from_text("\n".join(rows) + "\n")
    fill = {at: content for at in grid.open_positions() if (content := grid[at].content) is not None}
    slot = next(slot for slot in grid.slots if grid.answer(slot) == themer)
    kept = {
        at: Square(grid[at].kind, grid[at].content if at in slot.positions else None, Ink.LOCKED) for at in fill
    }
    return Design(grid.with_squares(kept), fill, {slot.name: themer}, mean, 40)


FIRST, SECOND = design(FULL, "ALOES", 57.0), design(OTHER, "ALOES", 50.0)


def room(on: Stage) -> DesignScreen:
    screen = on.app.screen
    assert isinstance(screen, DesignScreen)
    return screen


async def tell(on: Stage, *found: Design, is_last: bool = False) -> DesignsAnswer:
    progress = DesignProgress(found, len(found), 7, 3, 2.0)
    answer = DesignsAnswer(progress, Symmetry.ROTATION_180, "mini")
    job = on.bench.jobs.answer
    job.latest = job._of_kinds[DesignsAnswer] = answer
    await on.tell(AnswerReady(on.bench.revision, answer, is_last=is_last))
    return answer


def rows(on: Stage) -> list[object]:
    return list(room(on).query_one(DesignRows).rows)


def said(on: Stage) -> str:
    return room(on).query_one("#design-said", Line).plain.strip()


async def test_a_theme_is_typed_and_designed_around_at_once(
    stage: OpenStage, small: Puzzle, searches: list[str]
) -> None:
    async with stage(small) as on:
        await on.verb("designs")
        await on.type("aloes")
        await on.press("enter")
        assert searches == ["look"]
        await on.type("snail")
        await on.press("enter")
        theme = room(on).query_one(ThemeRows)
        assert [(row.answer, row.squares, row.partner) for row in room(on).theme.rows] == [
            ("ALOES", 5, 2),
            ("SNAIL", 5, 1),
        ]
        assert len(theme.rows) == 2
        await on.press("down")
        await on.type("17A=")
        await on.press("enter")
        assert room(on).theme.line == "design ALOES 17A=SNAIL"
        await on.press("delete")
        assert room(on).theme.line == "design ALOES"
        await on.type("17A= ,")
        await on.press("ctrl+u")
        await on.type("--klingon")
        await on.press("enter")
        assert said(on) == "design has no option --klingon"
        assert searches == ["look"] * 4


async def test_designs_stream_in_and_one_is_opened_with_its_fill_as_ghosts(
    stage: OpenStage, small: Puzzle
) -> None:
    async with stage(small) as on:
        await on.verb("design aloes snail --size 5x5")
        assert [row.answer for row in room(on).theme.rows] == ["ALOES", "SNAIL"]
        await tell(on, FIRST)
        assert "looking: 1 design found, 7 layouts tried, 2 s" in on.text()
        await on.press("tab")
        await tell(on, FIRST, SECOND)
        await on.press("down")
        better = design(("SNAIL", "ALOES", "BERGS", "SEVEN", "DOGMA"), "ALOES", 60.0)
        await tell(on, better, FIRST, SECOND)
        assert room(on).query_one(DesignRows).current == 2, "the one that is pointed at stays"
        await on.press("up")
        await tell(on, better, FIRST, SECOND, is_last=True)
        assert "done: 3 designs found" in room(on).query_one("#design-heading", Heading).remark
        assert sum(pane.display for pane in room(on).query(GridPane)) == 2, "as large as two have room"
        await on.press("enter")
        assert isinstance(on.app.screen, Editor)
        grid = on.app.session.puzzle.grid
        assert grid == FIRST.grid
        assert {grid[at].ink for at in grid.slot(next(iter(FIRST.themers))).positions} == {Ink.LOCKED}
        assert on.app.session.settings.live_fill
        assert on.app.session.puzzle.profile == "mini"


async def test_the_room_at_80_by_24(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.verb("design aloes 3D=snail --revealer dogma --size 5x5")
        await tell(on, FIRST, SECOND)
        await compare(on, "design-room-80x24")


async def test_esc_leaves_and_nothing_is_lost(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.verb("design aloes --size 5x5")
        await tell(on, FIRST)
        await on.press("escape")
        assert isinstance(on.app.screen, Editor)
        assert on.grid == small.grid
        await tell(on, FIRST, SECOND, is_last=True)
        assert isinstance(on.app.screen, Editor), "nothing is laid over the grid of one who has left the room"
        assert on.line("message").startswith("2 designs found")
        await on.verb("designs")
        assert rows(on) == [FIRST, SECOND]
        assert room(on).theme.line == "design ALOES --size 5x5"


async def test_what_cannot_be_designed_is_said(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.verb("designs")
        await on.type("aloes, --pairs")
        await on.press("enter")
        assert "two by two" in said(on)
        await tell(on, is_last=True)
        assert "no design yet" in said(on)


async def test_enter_on_the_empty_box_goes_to_the_designs_and_throws_none_away(
    stage: OpenStage, small: Puzzle, searches: list[str]
) -> None:
    async with stage(small) as on:
        await on.verb("design aloes --size 5x5")
        await on.press("enter")
        assert searches == ["look"], "what is looked for goes on"
        await tell(on)
        assert "F5 begins anew" in said(on), "it stays while nothing is found"
        await tell(on, FIRST, SECOND)
        await on.press("enter")
        assert searches == ["look"]
        assert rows(on) == [FIRST, SECOND]
        assert room(on).query_one(DesignRows).has_focus
        assert "F5" in said(on)
        await on.press("enter")
        assert isinstance(on.app.screen, Editor), "the second opens the design that is pointed at"


async def test_a_sign_shows_whether_the_box_or_the_list_has_the_keyboard(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.verb("design aloes --size 5x5")
        await tell(on, FIRST)

        def signed() -> list[str]:
            return [line[1:6] for line in on.text().splitlines() if line.startswith("▸")]

        assert signed() == ["▏type"]
        await on.press("tab")
        assert signed() == [" #   "]
        await on.type("sn")
        assert signed() == ["sn▏  "], "what is typed goes to the box, and Enter with it"
        await on.press("ctrl+u", "tab")
        assert signed() == ["▏type"]


async def test_others_are_looked_for_beside_those_that_there_are(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("xwtui.tui.screens.designing.run_line", lambda session, line: asked.append(line))
    async with stage(small) as on:
        await on.verb("designs")
        await on.press(*"aloes", "enter", "f5")
        await tell(on, FIRST)
        await on.press("f5")
        assert asked == ["design ALOES", "design ALOES", "design ALOES --seed 1 --more"]
        assert rows(on) == [FIRST]


async def test_at_the_first_start_the_seconds_are_seen_and_what_is_waited_for(
    stage: OpenStage, small: Puzzle
) -> None:
    async with stage(small) as on:
        await on.verb("design aloes --size 15x15")
        step = LoadingStep(EnginePart.IMPROVING, LoadingStage.COMPILING, is_kept=True, seconds=12.0)
        state = EngineState(EnginePhase.READY, step)
        engine = on.bench.jobs.engine
        engine.view = state
        await on.tell(state)
        assert "compiling improver: 12 s" in on.text().splitlines()[0]
        assert "once the engine is compiled" in on.text()
        engine.view = EngineState(EnginePhase.READY)
        await on.tell(engine.view)
        assert "looking: no design yet" in on.text().splitlines()[0]
        assert "none yet" in on.text()


async def test_keys_typed_ahead_go_where_they_were_meant(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await tell(on, FIRST, SECOND)
        await on.press(*":designs", "enter", *"aloes", "enter", "f6", "ctrl+p")
        assert not isinstance(on.app.screen, DesignScreen)
        await on.press("escape")
        await on.verb("designs")
        assert room(on).theme.line == "design ALOES"


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_help_opens_over_the_room_which_goes_on_below(stage: OpenStage, small: Puzzle, key: str) -> None:
    async with stage(small) as on:
        await on.verb("designs")
        await on.press(*"aloes", "enter", *"sna")
        below = room(on)
        await on.press(key)
        assert isinstance(on.app.screen, HelpScreen)
        await tell(on, FIRST, is_last=True)
        await on.press("escape")
        assert room(on) is below
        assert "ALOES" in on.text()
        assert "sna" in room(on).query_one("#design-typed", Line).plain
        assert rows(on) == [FIRST]


async def test_the_start_offers_the_room(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        start = on.app.screen
        assert isinstance(start, StartScreen)
        index = [beginning.kind for beginning in start._list.rows].index("design")
        await on.press(*["down"] * index, "enter")
        assert "no answers yet" in on.text()
        assert rows(on) == []


@pytest.mark.parametrize(("size", "panes"), [((80, 24), 2), ((200, 60), 3), ((40, 12), 1)])
async def test_there_are_as_many_pictures_as_there_is_room_for(
    stage: OpenStage, small: Puzzle, size: tuple[int, int], panes: int
) -> None:
    async with stage(small, size=size) as on:
        await on.verb("designs")
        third = design(("SNAIL", "ALOES", "BERGS", "SEVEN", "DOGMA"), "ALOES", 60.0)
        await tell(on, third, FIRST, SECOND)
        shown = [pane for pane in room(on).query(GridPane) if pane.display]
        assert len(shown) >= panes
        assert len(on.text().splitlines()) == size[1]
