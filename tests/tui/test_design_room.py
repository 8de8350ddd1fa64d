"""The room where grids are laid out, with designs posted by tests."""

from collections.abc import Callable

import pytest

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from tests.tui.test_pictures import compare
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.designs import Design, DesignProgress
from xwtui.model import Ink, Puzzle, Symmetry
from xwtui.model.square import Square
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.answer_job import AnswerJob
from xwtui.session.messages import AnswerReady, EnginePhase, EngineState
from xwtui.session.verbs.designs import DesignsAnswer
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.findings import FILLED_SIGN
from xwtui.tui.screens.layouts import LayoutList, LayoutScreen, ThemeAnswerList
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.widgets.painted import Heading, Line, TextPanel
from xwtui.tui.widgets.small_grids import GridPane, GridPreview

FULL = ("CAT.S", "ALOES", "BERGS", "SNAIL", "S.DOG")
OTHER = ("ALOES", "SNAIL", "CARGO", "SEVEN", "DOGMA")


@pytest.fixture(autouse=True)
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace searches by messages of the tests."""
    asked: list[str] = []

    def start(job: AnswerJob, work: object, *, designing: bool = False) -> Callable[[], VerbAnswer]:
        asked.append("look")
        return job.answer

    monkeypatch.setattr(AnswerJob, "start", start)
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


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the lines that the room would run, without running them."""
    lines: list[str] = []
    monkeypatch.setattr("xwtui.tui.screens.layouts.run_line", lambda session, line: lines.append(line))
    return lines


def room(on: Stage) -> LayoutScreen:
    return on.showing(LayoutScreen)


async def tell(on: Stage, *found: Design, is_last: bool = False, remark: str = "") -> DesignsAnswer:
    progress = DesignProgress(found, len(found), 7, 3, 2.0)
    answer = DesignsAnswer(progress, Symmetry.ROTATION_180, "mini", remark=remark)
    job = on.bench.jobs.answer
    job.latest = job._of_kinds[DesignsAnswer] = answer
    await on.tell(AnswerReady(on.bench.revision, answer, is_last=is_last))
    return answer


def rows(on: Stage) -> list[Design]:
    """Return the listed designs."""
    return [row.design for row in room(on).query_one(LayoutList).rows if row.design is not None]


def said(on: Stage) -> str:
    return " ".join(room(on).query_one("#layout-message", TextPanel).plain.split())


async def test_a_typed_theme_is_designed_around_immediately(searches: list[str], on: Stage) -> None:
    await on.verb("designs")
    assert "F6 stop" not in on.text(), "there is nothing to stop"
    assert "Ctrl+U clear" not in on.text()
    await on.type("aloes")
    assert "Ctrl+U clear" in on.text()
    await on.press("enter")
    assert searches == ["look"]
    assert "F6 stop" in on.text()
    await on.type("snail")
    await on.press("enter")
    theme = room(on).query_one(ThemeAnswerList)
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


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("heart to heart", "1 answer: HEARTTOHEART 12; a comma starts another"),
        ("HEART, to heart", "2 answers: HEART 5, TOHEART 7"),
        ('"heart" "to heart"', "2 answers: HEART 5, TOHEART 7"),
        ("11 <78 british", "read as an answer of 11 letters, at most 77 words, british"),
        ("15x15 70 words", "read as 15x15, 70 words"),
        ("at most 72 Words, 30-38 blocks", "read as at most 72 words, 30 to 38 blocks"),
        ("vanilla ice cream justice league is right", "1 answer; a comma starts another"),
        ('17A="sweet heart"!', "1 answer: SWEETHEART 10; a comma starts another"),
        ("heart 34 blocks", "1 answer: HEART 5  34 blocks; a comma starts another"),
        ("snowballfight, sleighride, coldsnap, winter", "4 answers: 13, 10, 8, 6 squares"),
        ("[", ""),
        ("", ""),
    ],
)
async def test_parsed_input_is_shown_immediately(on: Stage, typed: str, read: str) -> None:
    await on.verb("designs")
    room(on).type(typed)
    await on.pilot.pause()
    line = room(on).query_one("#layout-typed", Line)
    assert "".join(text for text, _ in line.right).strip() == read


async def test_a_design_uses_the_block_limits_given_before(on: Stage) -> None:
    await on.verb("designs")
    await on.type("heart to heart, 38 blocks")
    assert said(on) == "a design has no minimum number of blocks; Enter looks for at most 38 blocks"
    await on.press("enter")
    assert room(on).theme.line == "design HEARTTOHEART --max-blocks 38"
    await on.type("at least 30 blocks")
    await on.press("enter")
    assert said(on) == "a design has no minimum number of blocks; use `at most` instead"


async def test_a_burst_of_letters_is_looked_up_once(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await on.verb("designs")
    looked: list[str] = []
    monkeypatch.setattr(room(on), "take_typed", lambda: looked.append(room(on)._typed))
    await on.burst(*"ALOES", "comma", "space", *"SNAIL")
    assert looked[-1] == "ALOES, SNAIL"
    assert len(looked) < 12
    await on.burst("X", "colon", "Y")
    assert isinstance(on.app.screen, Editor), "a colon leaves the room"
    assert looked[-1].endswith("X")
    assert on.prompt.field.value == "Y"


async def test_designs_appear_one_by_one_and_open_with_their_fill_as_ghosts(on: Stage) -> None:
    await on.verb("design aloes snail --size 5x5")
    assert [row.answer for row in room(on).theme.rows] == ["ALOES", "SNAIL"]
    await tell(on, FIRST)
    assert "looking: 1 design found, 7 layouts tried, 2 s" in on.text()
    await on.press("tab")
    await tell(on, FIRST, SECOND)
    await on.press("down")
    better = design(("SNAIL", "ALOES", "BERGS", "SEVEN", "DOGMA"), "ALOES", 60.0)
    await tell(on, better, FIRST, SECOND)
    assert room(on).query_one(LayoutList).current == 2, "the one that is pointed at stays"
    await on.press("up")
    await tell(on, better, FIRST, SECOND, is_last=True)
    assert "done: 3 designs found" in room(on).query_one("#layout-heading", Heading).remark
    assert sum(pane.display for pane in room(on).query(GridPane)) == 2, "as large as two have room"
    await on.press("enter")
    assert isinstance(on.app.screen, Editor)
    grid = on.app.session.puzzle.grid
    assert grid == FIRST.grid
    assert {grid[at].ink for at in grid.slot(next(iter(FIRST.themers))).positions} == {Ink.LOCKED}
    assert on.app.session.jobs.live_fill.is_on
    assert not on.app.session.settings.live_fill, "nobody has asked for it anywhere else"
    told = "design 2 opened: theme answers are locked, the rest is a preview; F5 writes it"
    assert on.line("message") == told
    await on.verb("title Q")
    await on.verb("take 1")
    filled = on.app.session.puzzle.grid
    assert [str(filled[at].content) for at in FIRST.fill] == list(map(str, FIRST.fill.values())), "it is not lost"
    assert on.app.session.puzzle.profile == "mini"
    await on.verb("new 5")
    assert not on.app.session.jobs.live_fill.is_on


async def test_the_room_at_80_by_24(on: Stage) -> None:
    await on.verb("design aloes 3D=snail --revealer dogma --size 5x5")
    await tell(on, FIRST, SECOND)
    await compare(on, "design-room-80x24")


@pytest.mark.parametrize("key", ["escape", "ctrl+p"])
async def test_leaving_ends_the_work_and_loses_nothing(
    on: Stage, small: Puzzle, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(on.bench.jobs.answer, "stop", lambda: stopped.append(True))
    await on.verb("design aloes --size 5x5")
    await tell(on, FIRST)
    stopped.clear()
    await on.press(key)
    assert stopped, "nothing goes on unseen, to take the message line later"
    if key == "ctrl+p":
        await on.press("escape")
    assert isinstance(on.app.screen, Editor)
    assert on.grid == small.grid
    await tell(on, FIRST, SECOND, is_last=True)
    assert isinstance(on.app.screen, Editor), "nothing is laid over the grid of one who has left the room"
    assert on.line("message").startswith("2 designs found")
    await on.verb("designs")
    assert rows(on) == [FIRST, SECOND]
    assert room(on).theme.line == "design ALOES --size 5x5"


async def test_impossible_designs_are_explained(on: Stage) -> None:
    await on.verb("designs")
    await on.type("aloes, --pairs")
    await on.press("enter")
    assert "even number of answers" in said(on)
    await tell(on, is_last=True)
    assert "no design yet" in said(on)


async def test_an_unused_profile_is_explained(on: Stage) -> None:
    await on.verb("design aloes --size 5x5")
    why = "uses the profile mini, not the puzzle's: the profile wsj does not allow a 5x5 grid"
    await tell(on, FIRST, is_last=True, remark=why)
    assert said(on) == why


async def test_enter_in_the_empty_box_goes_to_the_designs_and_keeps_them(on: Stage, searches: list[str]) -> None:
    await on.verb("design aloes --size 5x5")
    await on.press("enter")
    assert searches == ["look"], "what is looked for goes on"
    await tell(on, FIRST, SECOND)
    assert searches == ["look"]
    assert rows(on) == [FIRST, SECOND]
    assert room(on).query_one(LayoutList).has_focus
    assert "F5" in said(on)
    await on.press("enter")
    assert isinstance(on.app.screen, Editor), "the second opens the design that is pointed at"


async def test_the_footer_offers_del_only_if_it_drops_an_answer(on: Stage) -> None:
    await on.verb("design aloes snarl --size 5x5")
    await tell(on, FIRST)
    assert "Del remove" in on.text()
    await on.press("tab")
    assert "Del remove" not in on.text()
    await on.press("delete")
    assert room(on).theme.answers == ("ALOES", "SNARL")
    await on.press("tab", "delete")
    assert room(on).theme.answers == ("SNARL",)


async def test_help_explains_enter(on: Stage) -> None:
    await on.verb("design aloes --size 5x5")
    await tell(on, FIRST)
    await on.press("question_mark")
    assert "or else go to the results, and open one there" in on.text()


async def test_an_option_without_dashes_is_reported_as_an_answer(on: Stage) -> None:
    await on.verb("design aloes rebus star")
    await tell(on, FIRST)
    assert "REBUS is taken as an answer; the option is `--rebus STAR`" in on.text()
    await on.press("down", "delete")
    assert "REBUS is taken" not in on.text()


async def test_a_marker_shows_whether_the_box_or_the_list_has_focus(on: Stage) -> None:
    await on.verb("design aloes --size 5x5")
    await tell(on, FIRST)

    def signed() -> list[str]:
        return [line[1:6] for line in on.text().splitlines() if line.startswith("▸")]

    assert signed() == ["▏Type"]
    await on.press("tab")
    assert signed() == [f"{FILLED_SIGN} {FIRST.mean_score:.1f}"[:5]], "the row that Enter opens"
    await on.type("sn")
    assert signed() == ["sn▏  "], "what is typed goes to the box, and Enter with it"
    await on.press("ctrl+u", "tab")
    assert signed() == ["▏Type"]


async def test_more_designs_are_added_to_those_listed(asked: list[str], on: Stage) -> None:
    await on.verb("designs")
    await on.press(*"aloes", "enter", "f5")
    await tell(on, FIRST)
    await on.press("f5")
    assert asked == ["design ALOES", "design ALOES", "design ALOES --seed 1 --more"]
    assert rows(on) == [FIRST]


async def test_the_first_search_shows_seconds_and_what_is_loading(on: Stage) -> None:
    await on.verb("design aloes --size 15x15")
    step = LoadingStep(EnginePart.IMPROVING, LoadingStage.COMPILING, is_kept=True, seconds=12.0)
    state = EngineState(EnginePhase.READY, step)
    engine = on.bench.jobs.engine
    engine.view = state
    await on.tell(state)
    assert "compiling improver: 12 s" in on.text().splitlines()[0]
    assert "this happens once, then designs start" in on.text()
    engine.view = EngineState(EnginePhase.READY)
    await on.tell(engine.view)
    assert "looking: no design yet" in on.text().splitlines()[0]


async def test_keys_typed_ahead_reach_their_intended_widget(on: Stage) -> None:
    await tell(on, FIRST, SECOND)
    await on.press(*":designs", "enter", *"aloes", "enter", "f6", "ctrl+p")
    assert not isinstance(on.app.screen, LayoutScreen)
    await on.press("escape")
    await on.verb("designs")
    assert room(on).theme.line == "design ALOES"


async def test_help_opens_over_the_room_while_its_search_continues(on: Stage) -> None:
    await on.verb("designs")
    await on.press(*"aloes", "enter", *"sna")
    below = room(on)
    for key in ("question_mark", "f1"):
        await on.press(key)
        assert isinstance(on.app.screen, ReplyScreen)
        assert "the keys of the room" in on.text()
        await tell(on, FIRST, is_last=True)
        await on.press("escape")
        assert room(on) is below
    assert "ALOES" in on.text()
    assert "sna" in room(on).query_one("#layout-typed", Line).plain
    assert rows(on) == [FIRST]


async def test_the_start_offers_the_room(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press("enter")
        assert "LAY OUT" in on.text()
        assert rows(on) == []


@pytest.mark.parametrize(("size", "panes"), [((80, 24), 2), ((200, 60), 3), ((40, 12), 1)])
async def test_as_many_pictures_as_fit_are_shown(
    stage: OpenStage, small: Puzzle, size: tuple[int, int], panes: int
) -> None:
    async with stage(small, size=size) as on:
        await on.verb("designs")
        third = design(("SNAIL", "ALOES", "BERGS", "SEVEN", "DOGMA"), "ALOES", 60.0)
        await tell(on, third, FIRST, SECOND)
        shown = [pane for pane in room(on).query(GridPane) if pane.display]
        assert len(shown) >= panes or room(on).query_one(GridPreview).display
        assert len(on.text().splitlines()) == size[1]


async def test_no_message_appears_when_a_choice_ends_the_search(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        before = on.bench.revision
        await on.verb("design aloes --size 5x5")
        found = await tell(on, FIRST, SECOND)
        await on.press("enter", "down", "enter")
        assert on.line("message").startswith("design 2 opened")
        await on.tell(AnswerReady(before, found, is_last=True))
        assert on.line("message").startswith("design 2 opened")


async def test_the_room_explains_enter_and_counts_the_designs(searches: list[str], on: Stage) -> None:
    await on.verb("designs")
    assert "Type a theme answer and press Enter" in on.text()
    assert "words/blocks" in on.text()
    assert "Enter open" in on.text()
    await on.type("aloes")
    assert "Enter add" in on.text()
    await on.press("enter")
    progress = DesignProgress((FIRST, SECOND), 198, 7, 3, 2.0)
    await on.tell(AnswerReady(on.bench.revision, DesignsAnswer(progress, Symmetry.ROTATION_180, "mini")))
    assert "looking: 198 designs found (best 2 listed), 7 layouts tried" in on.text()
    assert "Enter to grids" in on.text()


async def test_enter_searches_again_if_nothing_was_found(searches: list[str], on: Stage) -> None:
    await on.verb("designs")
    await on.type("uvwxyzq --size 5x5")
    await on.press("enter")
    assert "Enter to grids" in on.text(), "as soon as there are some"
    assert room(on).query_one(LayoutList).remark in on.text(), "none of it is cut off"
    await tell(on, is_last=True)
    assert "Enter search again" in on.text()
    await on.press("enter")
    assert searches == ["look"] * 2


async def test_progress_is_shown_where_the_grids_will_be(searches: list[str], on: Stage) -> None:
    await on.verb("designs")
    await on.type("uvwxyzq")
    await on.press("enter")
    assert room(on).query_one(LayoutList).remark in ("getting ready, see above", "looking for grids")


async def test_designs_layouts_and_templates_share_a_list_with_their_proofs(on: Stage) -> None:
    await on.verb("layouts 5x5 --profile mini --count 2")
    await until(on, lambda: "2 layouts drawn" in on.text(), "the layouts")
    assert "no fill attempted yet" in said(on)
    await on.press("ctrl+u", *"aloes", "enter")
    await tell(on, FIRST)
    listed = room(on).query_one(LayoutList).rows
    kinds = ["design" if row.design else "drawn" if row.drawn else "template" for row in listed]
    assert kinds[:2] == ["design", "drawn"]
    assert "template" in kinds
    assert all(row.is_wanted for row in listed), "around a theme, those alone that have room for it"
    assert said(on) == "proved by the fill shown: mean 57.0, lowest 40"
    await on.press("enter", *["down"] * kinds.index("template"))
    assert "your answers fit at" in said(on)
    assert "(5)" in said(on)
    await on.press("enter")
    grid = on.app.session.puzzle.grid
    assert [grid.answer(slot) for slot in grid.slots if grid.answer(slot)] == ["ALOES"]


async def test_template_queries_also_generate_layouts(asked: list[str], on: Stage) -> None:
    await on.verb("templates 13x13 <=60")
    await on.press("f5")
    assert asked == ["layouts --size 13x13 --max-words 60 --seed 0"]


async def test_every_layout_verb_leads_to_this_room(on: Stage) -> None:
    for line in ("templates 15x15", "theme answers", "design", "designs"):
        await on.verb(line)
        assert "LAY OUT" in on.text().splitlines()[0]
        assert isinstance(on.app.screen, LayoutScreen)
        await on.press("escape")


async def test_numbers_come_before_options_which_are_worded(on: Stage) -> None:
    await on.verb("design aloes snail --size 5x5 --rebus HEART --max-words 76")
    await tell(on, FIRST, is_last=True)
    told = room(on).query_one("#layout-heading", Heading).remark
    assert told.endswith("2 s   5x5, rebus HEART, at most 76 words")
    assert "done: 1 design found, 7 layouts tried" in on.text()
