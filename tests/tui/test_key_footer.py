"""The keys at the foot of the screen."""

from tests.tui.conftest import OpenStage
from xwtui.model import Puzzle
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.widgets.key_footer import KeyFooter


async def test_a_click_on_a_key_presses_it(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        line = on.text().splitlines()[-1]
        await on.pilot.click(KeyFooter, offset=(line.index("help"), 0))
        await on.pilot.pause()
        assert isinstance(on.app.screen, HelpScreen)


async def test_the_keys_are_those_of_what_has_the_keyboard(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        assert "F5 fill" in on.text().splitlines()[-1]
        await on.press("colon")
        assert "Enter do it" in on.text().splitlines()[-1]
        await on.press("escape")
        assert "F5 fill" in on.text().splitlines()[-1]
        assert not on.editor.query_one(KeyFooter).children, "no widget is made for a key"
