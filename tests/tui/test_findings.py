"""Questions about the grid on the screen: asked, streamed, browsed, applied and left; the heat map."""

from dataclasses import replace

import pytest

from tests.known import candidate, known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.model import BLOCK, Content, Kind, Position, Puzzle, edits
from xwtui.session.jobs.question import BlocksQuestion, Findings, Proposal, WhyQuestion
from xwtui.session.messages import (
    CandidatesReady,
    EnginePhase,
    EngineState,
    FillEnded,
    FindingsReady,
    LexiconReady,
    QuestionFailed,
)
from xwtui.session.run_view import FoundFill, RunView
from xwtui.tui.screens.findings import FindingsScreen, ProposalList
from xwtui.tui.square_style import heat_style
from xwtui.tui.themes import load_themes
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Heading

CORNER, MIDDLE = Position(0, 0), Position(2, 2)


def writing(letter: str, at: Position, **known: object) -> Proposal:
    return replace(
        Proposal(
            (letter, at),
            f"write {letter} at {at}",
            "a fill was found",
            lambda puzzle: edits.set_square(puzzle, at, Content.of(letter)),
        ),
        **known,  # type: ignore[arg-type]
    )


SOME = Findings(
    "why the grid cannot be filled",
    answer="the grid cannot be filled: 1 conflict",
    lines=("1. Q at r1c1 cannot work (from the crossings alone), at 1A",),
    proposals=(writing("B", CORNER, fill={MIDDLE: Content.of("X")}), writing("C", CORNER)),
    entries=("1A",),
    progress="looking for changes that help",
    seconds=0.4,
)


async def told(on: Stage, findings: Findings, *, is_last: bool = False) -> FindingsScreen:
    """Send findings of the current question, and return the screen that shows them."""
    await on.answer(findings, is_last=is_last)
    return on.showing(FindingsScreen)


def view(screen: FindingsScreen) -> GridView:
    return screen.query_one(GridView)


def content(screen: FindingsScreen, at: Position) -> str:
    """Return the content of a square in the screen's grid."""
    picture = known(view(screen).picture)
    return str(picture.content(at) or "")


async def test_footer_keys_are_whole_phrases_at_any_width(stage: OpenStage, small: Puzzle) -> None:
    hints = ["Enter do it", "Esc leave the grid unchanged", "F6 stop", "↑ ↓ move", "letters filter"]
    for width, shown_hints in ((80, hints), (70, hints[:4]), (45, hints[:2])):
        async with stage(small, size=(width, 24)) as on:
            await on.press("ctrl+w")
            await told(on, SOME)
            foot = on.text().splitlines()[-1]
            assert [piece.strip() for piece in foot.strip().split("  ")] == shown_hints


async def test_the_key_asks_and_progress_is_shown_immediately(on: Stage) -> None:
    await on.tell(EngineState(EnginePhase.COMPILING))
    await on.press("ctrl+w")
    assert on.bench.asked[-1] == "can the grid be filled?"
    screen = on.showing(FindingsScreen)
    heading = screen.query_one(Heading)
    assert "CAN THE GRID BE FILLED?" in on.text(), "nothing is taken for granted"
    assert heading.remark
    await told(on, SOME)
    assert "looking for changes that help" in heading.remark
    assert "WHY THE GRID CANNOT BE FILLED" in on.text(), "now that it is known"
    await told(on, replace(SOME, progress="", is_complete=True), is_last=True)
    assert heading.remark == "0.4 s"
    await told(on, replace(SOME, title="the grid can be filled", proposals=(), is_complete=True), is_last=True)
    assert "THE GRID CAN BE FILLED" in on.text()
    assert "WHY THE GRID CANNOT BE FILLED" not in on.text()


async def test_conflict_and_proposals_are_shown_with_ghosts(stage: OpenStage, small: Puzzle) -> None:
    start = edits.set_square(small, CORNER, Content.of("Q"))
    async with stage(start) as on:
        await on.press("ctrl+w")
        screen = await told(on, SOME)
        text = on.text()
        assert "the grid cannot be filled: 1 conflict" in text
        assert "(from the crossings alone)" in text.replace("\n", " ")
        assert "write B at r1c1  a fill was found" in text
        picture = known(view(screen).picture)
        assert picture.faults == frozenset(start.grid.slot("1A").positions)
        assert picture.changed == {CORNER}
        assert (content(screen, CORNER), content(screen, MIDDLE)) == ("B", "X")
        await on.press("down")
        assert (content(screen, CORNER), content(screen, MIDDLE)) == ("C", "")
        assert on.bench.puzzle == start, "a ghost changes nothing"


async def test_a_possible_word_is_written_with_its_fill(on: Stage, small: Puzzle) -> None:
    squares = {at: Content.of("A") for slot in small.grid.slots for at in slot.positions}
    fill = Proposal(
        ("fill", "1A", "CAT"),
        "fill the grid with CAT at 1A",
        "in pencil",
        lambda puzzle: edits.write_fill(puzzle, squares),
        squares,
        found=FoundFill(squares, 50.0, 40),
    )
    await on.verb("why 1A CAT")
    found = Findings("CAT fits at 1A", "CAT at 1A: a fill was found", proposals=(fill,), is_possible=True)
    await told(on, replace(found, is_complete=True, is_of_word=True), is_last=True)
    assert "Enter write this fill" in on.text().splitlines()[-1]
    assert "change alone" not in on.text()
    await on.press("enter")
    assert "done: fill the grid with CAT at 1A: in pencil; Ctrl+Z undoes it" in on.line("message")
    assert all(on.grid[at].content == content for at, content in squares.items())
    await on.press("ctrl+z")
    assert on.bench.puzzle == small


async def test_enter_applies_the_selected_proposal_and_undo_reverts_it(on: Stage, small: Puzzle) -> None:
    await on.press("ctrl+w")
    await told(on, SOME)
    await on.press("down", "enter")
    assert str(on.grid[CORNER].content) == "C"
    assert not isinstance(on.app.screen, FindingsScreen)
    assert on.line("message").startswith("done: write C at r1c1")
    assert "stop asking" in on.bench.asked
    await on.press("ctrl+z")
    assert on.bench.puzzle == small
    await on.verb("findings")
    assert content(on.showing(FindingsScreen), CORNER) == "B", "what was found is about this grid again"


async def test_a_click_selects_a_proposal_and_two_apply_it(on: Stage) -> None:
    await on.press("ctrl+w")
    await told(on, SOME)
    await on.click(ProposalList, offset=(3, 1))
    assert content(on.showing(FindingsScreen), CORNER) == "C"
    await on.double_click(ProposalList, offset=(3, 1))
    assert str(on.grid[CORNER].content) == "C"


async def test_escape_keeps_the_grid_and_stops_the_work(on: Stage, small: Puzzle) -> None:
    await on.verb("whatif blocks")
    await told(on, SOME)
    await on.press("escape")
    assert on.bench.asked[-1] == "stop asking"
    assert on.bench.puzzle == small
    assert not isinstance(on.app.screen, FindingsScreen)


@pytest.mark.parametrize("key", ["f6", "ctrl+c"])
async def test_stopping_keeps_the_findings(on: Stage, key: str) -> None:
    await on.press("ctrl+k")
    screen = await told(on, SOME)
    await on.press(key)
    assert on.bench.asked[-1] == "stop asking"
    assert screen.query_one(Heading).remark == "not finished after 0.4 s"
    await on.press("enter")
    assert str(on.grid[CORNER].content) == "B"


async def test_the_selection_stays_on_its_proposal_as_better_ones_arrive(on: Stage) -> None:
    await on.press("ctrl+k")
    screen = await told(on, SOME)
    rows = screen.query_one(ProposalList)
    await told(on, replace(SOME, proposals=(writing("D", CORNER), *SOME.proposals)))
    assert rows.pointed is not None
    assert rows.pointed.text == "write D at r1c1", "the best one, as long as nobody has walked on"
    await on.press("down", "down")
    await told(on, replace(SOME, proposals=(writing("C", CORNER, figure="10^3.0"), writing("E", CORNER))))
    assert rows.pointed.text == "write C at r1c1"
    await on.press("enter")
    assert str(on.grid[CORNER].content) == "C"


async def test_letters_narrow_the_proposals(on: Stage) -> None:
    await on.press("ctrl+w")
    screen = await told(on, SOME)
    await on.type("c at")
    assert [row.text for row in screen.query_one(ProposalList).rows] == ["write C at r1c1"]
    assert content(screen, CORNER) == "C"
    assert "1 of 2 with C AT" in on.text()
    await on.press("x")
    assert "none has C ATX" in on.text()
    await on.press("enter")
    assert on.app.screen is screen, "there is nothing to make"
    for _ in range(5):
        await on.press("backspace")
    assert len(screen.query_one(ProposalList).rows) == 2


async def test_proposals_of_an_old_grid_are_not_applied(on: Stage) -> None:
    """A fill that ends meanwhile writes into the grid."""
    await on.press("ctrl+w")
    await told(on, SOME)
    on.bench.edit("fill", lambda puzzle: edits.set_square(puzzle, MIDDLE, Content.of("Z")))
    await on.pilot.pause()
    assert "the grid has changed since you asked" in " ".join(on.text().split())
    before = on.bench.puzzle
    await on.press("enter")
    assert on.bench.puzzle == before
    await on.tell(FindingsReady(on.bench.revision - 1, replace(SOME, answer="too late")))
    assert "too late" not in on.text()


async def test_a_question_without_an_answer_gives_its_reason(on: Stage) -> None:
    await on.verb("whatif themers STONES")
    await on.tell(QuestionFailed("the question has no answer: no symmetric entries"))
    assert "no symmetric entries" in on.text()
    await on.press("escape")
    assert not isinstance(on.app.screen, FindingsScreen)


async def test_a_truncated_answer_explains_how_to_search_longer(on: Stage) -> None:
    await on.press("ctrl+w")
    await told(on, replace(SOME, proposals=()), is_last=True)
    assert "not finished: `why --time 60` looks longer" in on.text()
    assert "nothing to propose" not in on.text()


async def test_added_and_removed_blocks_are_ghosts(stage: OpenStage, small: Puzzle) -> None:
    move = Proposal(
        "move",
        "move",
        "",
        lambda puzzle: replace(
            puzzle, grid=puzzle.grid.with_squares({MIDDLE: BLOCK, Position(0, 3): puzzle.grid[CORNER]})
        ),
    )
    for theme in ("dark", "mono"):
        async with stage(small, theme=theme) as on:
            on.bench.jobs.question.start(BlocksQuestion())
            await on.pilot.pause()
            await told(on, replace(SOME, proposals=(move,), entries=()))
            assert "▒" in on.text()
            assert "»·«" in on.text()
            assert on.grid[MIDDLE].is_open


async def test_a_question_can_be_asked_about_a_candidate(on: Stage) -> None:
    rows = (candidate("CAT", 50, True), candidate("EMU", 30, False))
    await on.tell(CandidatesReady(on.bench.revision, "1A", rows))
    await on.press("enter", "down", "ctrl+w")
    assert on.bench.asked_question.question == WhyQuestion("1A", "EMU")
    assert "CAN EMU GO AT 1A?" in on.text()


async def test_without_a_question_a_notice_is_shown(on: Stage) -> None:
    await on.verb("findings")
    assert "no findings about this grid yet" in on.line("message")
    await on.verb("follow 1")
    assert "there are no proposals" in on.line("message")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (44, 20)])
async def test_everything_fits_the_screen(stage: OpenStage, width: int, height: int) -> None:
    many = tuple(writing(letter, Position(row, 0)) for letter in "ABCDEFGH" for row in range(9))
    lines = tuple(f"{number}. a conflict that takes more words than there is room for" for number in range(9))
    for side in (15, 21):
        async with stage(Puzzle.blank(side, side), size=(width, height)) as on:
            await on.press("ctrl+k")
            screen = await told(on, replace(SOME, proposals=many, lines=lines))
            rows = screen.query_one(ProposalList)
            assert rows.region.height >= 3
            assert rows.region.right <= width
            assert "Esc" in on.text().splitlines()[-1]
            assert view(screen).region.right <= rows.region.x or not view(screen).region
            await on.press("end")
            assert many[-1].text in on.text()


async def test_quitting_during_a_question(on: Stage) -> None:
    await on.press("ctrl+w")
    await on.press("ctrl+q")
    await on.pilot.pause()
    assert on.app.return_code == 0


@pytest.mark.parametrize(
    ("brief", "told"),
    [("+ r4c9 r12c7", "+ r4c9 r12c7     ≈10^40.9"), ("r12c13 r10c9 → r12c14 r10c8", "r12c13 r10c9→r12c14 r10c8")],
)
def test_a_proposal_names_each_blocks_place_at_80_columns(brief: str, told: str) -> None:
    row = Proposal(1, "move the blocks to some other place, in many words", "", lambda one: one, brief=brief)
    parts = ProposalList().fragments(replace(row, figure="≈10^40.9"), 32, is_current=False)
    assert told in "".join(text for text, _ in parts)


async def test_ctrl_u_deletes_all_letters(on: Stage) -> None:
    await on.press("ctrl+k")
    screen = await told(on, Findings("blocks", proposals=(writing("B", Position(0, 0)),)))
    rows = screen.query_one(ProposalList)
    await on.press("x", "y")
    assert rows.typed == "XY"
    await on.press("ctrl+u")
    assert (rows.typed, len(rows.rows)) == ("", 1)


EASY, HARD = Position(4, 4), Position(2, 2)
HEAT = {EASY: 0.05, HARD: 1.0, Position(1, 1): 0.5}
ASKED = "the hard parts of the grid"


async def ready(on: Stage) -> None:
    """Report that words and engine are ready, so that the message lines are free."""
    await on.tell(EngineState(EnginePhase.READY), LexiconReady(5, 0.1, ()))


async def measured(on: Stage, heat: dict[Position, float]) -> None:
    """Answer the heat question with these values."""
    await on.answer(Findings(ASKED, heat=heat, is_complete=True))


async def test_the_key_toggles_the_heat_map(on: Stage) -> None:
    await ready(on)
    cold = on.style_at(HARD)
    await on.press("percent_sign")
    assert on.bench.asked[-1] == ASKED
    assert on.style_at(HARD) == cold, "nothing is known yet"
    await measured(on, HEAT)
    paint = on.app.colour_theme.palette
    assert on.style_at(HARD).bgcolor == paint.heat_5.bgcolor
    assert on.style_at(EASY).bgcolor == paint.heat_1.bgcolor
    assert "heat: easy" in on.line("estimate")
    assert on.line("estimate").endswith("hard")
    await on.press("percent_sign")
    assert on.style_at(HARD) == cold
    assert "heat" not in on.line("estimate")
    assert on.line("message") == "the heat map is off"


async def test_an_edit_restarts_the_heat_map_and_the_legend_shows_it(on: Stage) -> None:
    await ready(on)
    await on.press("percent_sign")
    await measured(on, HEAT)
    before = on.line("estimate")
    on.bench.asked.clear()
    on.bench.cursor.move_to(HARD)
    await on.press("a")
    assert ASKED in on.bench.asked
    paint = on.app.colour_theme.palette
    assert on.style_at(HARD).bgcolor != paint.heat_5.bgcolor, "what is given is not hard"
    assert on.style_at(EASY).bgcolor == paint.heat_1.bgcolor, "the rest stands until the new one comes"
    assert on.line("estimate").split("heat")[0] != before.split("heat")[0], "a spinner tells that it is old"
    await measured(on, {EASY: 1.0})
    assert on.style_at(EASY).bgcolor == paint.heat_5.bgcolor
    assert on.line("estimate") == before


async def test_an_interrupted_heat_map_continues_when_the_other_job_ends(on: Stage) -> None:
    await ready(on)
    await on.press("percent_sign")
    on.bench.asked.clear()
    await on.tell(FillEnded(RunView(Outcome.IMPOSSIBLE, reason="1A: no word fits")))
    assert on.bench.asked == [ASKED]
    await on.press("ctrl+w")
    await on.press("escape")
    assert on.bench.asked[-1] == ASKED
    await measured(on, HEAT)
    on.bench.asked.clear()
    await on.tell(FillEnded(RunView(Outcome.IMPOSSIBLE, reason="1A: no word fits")))
    assert on.bench.asked == [], "nothing was interrupted"


async def test_another_layout_drops_the_old_map(on: Stage) -> None:
    await ready(on)
    await on.press("percent_sign")
    await measured(on, HEAT)
    on.bench.edit("block", lambda puzzle: edits.set_kind(puzzle, Position(2, 0), Kind.BLOCK))
    await on.pilot.pause()
    assert not on.editor.questions.heat
    assert on.bench.asked[-1] == ASKED


@pytest.mark.parametrize("theme", ["mono", "terminal"])
async def test_without_colors_heat_is_shown_as_digits(stage: OpenStage, small: Puzzle, theme: str) -> None:
    written = edits.write_fill(small, {EASY: Content.of("Z")})
    async with stage(written, theme=theme, size=(60, 20)) as on:
        await ready(on)
        await on.press("percent_sign")
        await measured(on, HEAT)
        assert on.letter_at(HARD) == "9"
        assert "Z0" in on.text(), "a letter in pencil keeps its place"
        assert "heat 0 easy … 9 hard" in on.line("estimate")


async def test_a_failed_heat_map_gives_its_reason(on: Stage) -> None:
    await ready(on)
    await on.verb("heat")
    await on.tell(QuestionFailed("the question has no answer: too many rebus squares"))
    assert "too many rebus squares" in on.line("message")
    assert not on.editor.questions.is_heated


@pytest.mark.parametrize("heat", [0.0, 0.19, 0.21, 0.99, 1.0])
def test_every_heat_value_has_a_step(heat: float) -> None:
    palette = load_themes()["dark"].palette
    assert heat_style(heat, palette) is palette.heats[min(int(heat * 5), 4)]


async def test_a_long_proposal_is_shown_below_as_far_as_it_fits(stage: OpenStage, small: Puzzle) -> None:
    remark = ", ".join(f"{number}A ABCDEFG (was HIJKLMN)" for number in range(1, 30))
    async with stage(small) as on:
        await on.press("ctrl+w")
        await told(on, replace(SOME, proposals=(writing("B", CORNER, remark=remark),)), is_last=True)
        assert "8A ABCDEFG" in " ".join(on.text().split()), "four lines, where the grid leaves them"
        assert "…" in on.text().splitlines()[-2], "and it is seen that there is more"
