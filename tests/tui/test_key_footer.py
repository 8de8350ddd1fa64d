"""The keys at the foot of the screen."""

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.model import Content, Puzzle
from xwtui.model.edits import write_fill
from xwtui.session.jobs.fills.kept_fills import KeptFill
from xwtui.session.messages import FillEnded, FillProgress, OptionsReady
from xwtui.session.run_view import RunView
from xwtui.tui.keys import KeyFooter
from xwtui.tui.screens.help import HelpScreen


async def test_a_click_on_a_key_presses_it(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        line = on.text().splitlines()[-1]
        await on.click(KeyFooter, offset=(line.index("help"), 0))
        assert isinstance(on.app.screen, HelpScreen)


async def test_the_keys_are_those_of_what_has_the_keyboard(on: Stage) -> None:
    assert "F5 fill" in on.text().splitlines()[-1]
    await on.press("colon")
    foot = on.text().splitlines()[-1]
    assert "Enter do it" in foot
    assert "F5 fill" not in foot, "the prompt's own keys alone"
    await on.press("escape")
    assert "F5 fill" in on.text().splitlines()[-1]
    assert not on.editor.query_one(KeyFooter).children, "no widget is made for a key"


async def test_the_next_likely_steps_stand_at_the_foot(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        assert "F5 fill" in on.text().splitlines()[-1]
        on.bench.pretended = RunView(Outcome.RUNNING)
        await on.tell(FillProgress(on.bench.pretended))
        foot = on.text().splitlines()[-1]
        assert "F6 stop" in foot
        assert "F5 fill" not in foot
        on.bench.pretended = RunView(Outcome.RUNNING, paused=True)
        await on.tell(FillProgress(on.bench.pretended))
        foot = on.text().splitlines()[-1]
        assert [
            key for key in ("F10 step", "^B back", "F11 continue", "F12 to backtrack") if key not in foot
        ] == []
        on.bench.pretended = None
        await on.tell(FillEnded(RunView(Outcome.CANCELLED)))
        await on.tell(OptionsReady(on.bench.revision, {}, reason="1A: no word fits Q?J", culprits=("1A",)))
        foot = on.text().splitlines()[-1]
        assert "^W why" in foot
        assert "F5 fill" not in foot
    full = write_fill(small, {at: Content.of("A") for at in small.grid.open_positions()})
    async with stage(full) as on:
        foot = on.text().splitlines()[-1]
        assert "^G improve" in foot
        assert "F2 clues" in foot
        assert "^F fills" not in foot, "there are none to choose from"
        assert len(foot.rstrip()) <= 80
        on.bench.fills.kept = (KeptFill({at: Content.of("A") for at in full.grid.open_positions()}, 60.0, 40),)
        await on.tell(FillEnded(RunView(Outcome.CANCELLED)))
        assert "^F fills" in on.text().splitlines()[-1]
