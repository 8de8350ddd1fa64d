"""The heat map on the grid: shown, explained, renewed, told without colours, and taken away."""

import pytest

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.session.jobs.question import Findings
from xwtui.session.messages import (
    EnginePhase,
    EngineState,
    FillEnded,
    FindingsReady,
    LexiconReady,
    QuestionFailed,
)
from xwtui.session.run_view import RunView
from xwtui.tui.faces import heat_style
from xwtui.tui.themes import load_looks

EASY, HARD = Position(4, 4), Position(2, 2)
HEAT = {EASY: 0.05, HARD: 1.0, Position(1, 1): 0.5}
ASKED = "where it is hard"


async def ready(on: Stage) -> None:
    """Words and engine are there, so that the lines are free for other things."""
    await on.tell(EngineState(EnginePhase.READY), LexiconReady(5, 0.1, ()))


async def measured(on: Stage, heat: dict[Position, float]) -> None:
    """The question where it is hard gets its answer."""
    findings = Findings(ASKED, heat=heat, is_complete=True)
    on.bench.jobs.question.take(on.bench.asked_question, findings)
    await on.tell(FindingsReady(on.bench.revision, findings, is_last=True))


async def test_the_key_shows_the_heat_and_takes_it_away(on: Stage) -> None:
    await ready(on)
    cold = on.style_at(HARD)
    await on.press("percent_sign")
    assert on.bench.asked[-1] == ASKED
    assert on.style_at(HARD) == cold, "nothing is known yet"
    await measured(on, HEAT)
    paint = on.app.look.palette
    assert on.style_at(HARD).bgcolor == paint.heat_5.bgcolor
    assert on.style_at(EASY).bgcolor == paint.heat_1.bgcolor
    assert "heat: easy" in on.line("estimate")
    assert on.line("estimate").endswith("hard")
    await on.press("percent_sign")
    assert on.style_at(HARD) == cold
    assert "heat" not in on.line("estimate")
    assert on.line("message") == "the heat map is off"


async def test_an_edit_measures_anew_and_the_legend_says_so(on: Stage) -> None:
    await ready(on)
    await on.press("percent_sign")
    await measured(on, HEAT)
    before = on.line("estimate")
    on.bench.asked.clear()
    on.bench.cursor.move_to(HARD)
    await on.press("a")
    assert ASKED in on.bench.asked
    paint = on.app.look.palette
    assert on.style_at(HARD).bgcolor != paint.heat_5.bgcolor, "what is given is not hard"
    assert on.style_at(EASY).bgcolor == paint.heat_1.bgcolor, "the rest stands until the new one comes"
    assert on.line("estimate").split("heat")[0] != before.split("heat")[0], "a spinner tells that it is old"
    await measured(on, {EASY: 1.0})
    assert on.style_at(EASY).bgcolor == paint.heat_5.bgcolor
    assert on.line("estimate") == before


async def test_what_another_job_interrupted_is_measured_when_that_ends(on: Stage) -> None:
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
    on.bench.edit("block", lambda puzzle: edits.toggle_block(puzzle, Position(2, 0)))
    await on.pilot.pause()
    assert not on.editor.questions.heat
    assert on.bench.asked[-1] == ASKED


@pytest.mark.parametrize("theme", ["mono", "terminal"])
async def test_without_colours_digits_tell(stage: OpenStage, small: Puzzle, theme: str) -> None:
    written = edits.write_fill(small, {EASY: Content.of("Z")})
    async with stage(written, theme=theme, size=(60, 20)) as on:
        await ready(on)
        await on.press("percent_sign")
        await measured(on, HEAT)
        assert on.letter_at(HARD) == "9"
        assert "Z0" in on.text(), "a letter in pencil keeps its place"
        assert "heat 0 easy … 9 hard" in on.line("estimate")


async def test_heat_that_cannot_be_measured_says_why(on: Stage) -> None:
    await ready(on)
    await on.verb("heat")
    await on.tell(QuestionFailed("the question has no answer: too many rebus squares"))
    assert "too many rebus squares" in on.line("message")
    assert not on.editor.questions.is_heated


@pytest.mark.parametrize("heat", [0.0, 0.19, 0.21, 0.99, 1.0])
def test_every_heat_has_its_step(heat: float) -> None:
    palette = load_looks()["dark"].palette
    assert heat_style(heat, palette) is palette.heats[min(int(heat * 5), 4)]
