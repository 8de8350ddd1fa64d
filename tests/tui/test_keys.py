"""The keys of the screen under a map of one's own, and those that score words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.candidates import candidate
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.model import Bar, Kind, Position, Puzzle
from xwtui.model.edits import place_answer
from xwtui.resources import personal_list_path
from xwtui.session.keys.key_map import user_key_file
from xwtui.session.messages import CandidatesReady
from xwtui.session.settings import load_settings
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.widgets.prompt import Prompt

OwnKeys = Callable[[str], Path]


@pytest.fixture
def own_keys() -> OwnKeys:
    """What writes the user's own keys."""

    def written(text: str) -> Path:
        path = user_key_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


async def test_keys_of_ones_own_are_done_and_shown(stage: OpenStage, small: Puzzle, own_keys: OwnKeys) -> None:
    own_keys('[keys]\n"ctrl+d" = "fill"\n"F9" = "block r1c1"\n"tab" = "turn"\n"." = ""\n"f7" = "set"\n')
    async with stage(small, size=(120, 40)) as on:
        assert "^D fill" in on.text().splitlines()[-1]
        assert "Ctrl+D fills" in on.line("run")
        await on.press("ctrl+d")
        assert "fill" in on.bench.asked
        await on.press("tab")
        assert on.here == "r1c1 down"
        await on.press("full_stop")
        assert on.grid[Position(0, 0)].kind is Kind.OPEN
        await on.press("f9")
        assert on.grid[Position(0, 0)].kind is Kind.BLOCK
        await on.press("f7")
        assert on.editor.query_one(Prompt).field.value == "set ", "what needs words is asked for them"
        await on.press("escape", "f1", *"block")
        assert isinstance(on.app.screen, HelpScreen)
        assert "F9" in on.text()
        await on.press("escape", "ctrl+p", *"fill", "home")
        await on.pilot.pause()
        assert "^D  fill" in on.text()


async def test_a_broken_file_is_said_and_the_own_keys_work(
    stage: OpenStage, small: Puzzle, own_keys: OwnKeys
) -> None:
    path = own_keys('[keys]\n"ctrl+d" = "nonsense"\n')
    async with stage(small, size=(200, 60)) as on:
        assert f"{path}, line 2: there is no verb 'nonsense'" in on.line("message")
        await on.press("f5")
        assert "fill" in on.bench.asked


async def test_what_browsers_keep_the_keys_of_has_others(on: Stage) -> None:
    before = on.app.look
    await on.press("right_parenthesis")
    assert on.app.look is not before
    await on.press("left_parenthesis")
    assert "fill of the selection" in on.bench.asked


async def test_keys_of_ones_own_stay_while_their_file_is_being_written(
    stage: OpenStage, small: Puzzle, own_keys: OwnKeys
) -> None:
    own_keys('[keys]\n"ctrl+d" = "fill"\n')
    async with stage(small, size=(200, 60)) as on:
        own_keys('[keys]\n"ctrl+d" = "fil')
        await on.press("f3", "ctrl+t")
        await on.verb("tint off")
        await on.press("ctrl+d")
        assert on.bench.asked.count("fill") == 1, "nobody chose another map"


async def test_what_is_wrong_with_ones_own_keys_is_said_when_a_map_is_chosen(
    stage: OpenStage, small: Puzzle, own_keys: OwnKeys
) -> None:
    async with stage(small, size=(200, 60)) as on:
        path = own_keys('[keys]\n"ctrl+d" = "nonsense"\n')
        await on.verb("keys use crosshare")
        assert f"{path}, line 2: there is no verb 'nonsense'" in on.line("message")
        await on.press("enter")
        assert "fill" in on.bench.asked, "the map works without them"


async def test_a_map_is_changed_while_one_works_and_kept(on: Stage) -> None:
    await on.verb("keys use crosshare")
    assert load_settings().key_map == "crosshare"
    await on.press("escape")
    assert on.editor.query_one(Prompt).mode == "rebus"
    await on.press("escape", "shift+right", "escape")
    assert not on.app.session.selection.squares, "a selection is let go of first"
    assert on.editor.query_one(Prompt).mode == ""
    await on.press("enter")
    assert "fill" in on.bench.asked
    await on.verb("keys use xwtui")
    await on.press("escape")
    assert on.editor.query_one(Prompt).mode == ""


@pytest.mark.parametrize(("keys", "neighbour"), [(["comma"], (0, 1)), (["space", "comma"], (1, 0))])
async def test_a_bar_ahead_is_at_the_end_of_the_square_as_the_cursor_writes(
    on: Stage, keys: list[str], neighbour: tuple[int, int]
) -> None:
    await on.press(*keys[:-1], "vertical_line")
    assert Bar(Position(0, 0), Position(*neighbour)) in on.grid.bars
    await on.press("vertical_line")
    assert not on.grid.bars
    await on.verb("keys use crosshare")
    await on.press(keys[-1])
    assert Bar(Position(0, 0), Position(*neighbour)) in on.grid.bars


ROWS = (candidate("CAT", 50, True), candidate("DOG", 40, True))


def own_scores() -> list[str]:
    return [line for line in personal_list_path().read_text(encoding="utf-8").splitlines() if line[0] != "#"]


@pytest.mark.parametrize(
    ("key", "line"), [("greater_than_sign", "DOG;50"), ("less_than_sign", "DOG;30"), ("underscore", "DOG;0")]
)
async def test_a_key_scores_the_candidate_that_the_keyboard_is_at(on: Stage, key: str, line: str) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", ROWS))
    await on.press("enter", "down", key)
    assert own_scores() == [line]
    assert on.editor.desk.candidates.has_focus
    await on.press("escape", "ctrl+z")
    assert own_scores() == []


async def test_a_key_scores_the_answer_at_the_cursor(stage: OpenStage, small: Puzzle) -> None:
    async with stage(place_answer(small, small.grid.slot("1A"), "EMU")) as on:
        await on.press("greater_than_sign")
        assert own_scores() == ["EMU;40"]
        await on.press("down", "underscore")
        assert own_scores() == ["EMU;40"]
