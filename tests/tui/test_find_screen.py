"""Words found on the screen, as one types what they are like, and written into the current entry."""

import os
from pathlib import Path

import pytest

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.finding import FindScreen, FoundList

IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


def found(on: Stage) -> list[str]:
    screen = on.app.screen
    assert isinstance(screen, FindScreen)
    return [row.answer for row in screen.query_one(FoundList).rows]


async def test_words_are_found_as_one_types_and_written(on: Stage) -> None:
    await on.press("slash")
    assert found(on) == []
    await on.type("*o*")
    assert found(on) == ["ALOES", "DOG"]
    assert "● 1 fit 1A" in on.text()
    await on.press("enter")
    assert "ALOES does not fit 1A, which reads ???" in on.text()
    await on.press("down", "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


async def test_what_is_typed_ahead_is_found(on: Stage) -> None:
    await on.type("/?m?")
    assert found(on) == ["EMU"]
    await on.press("backspace", "backspace", "backspace")
    await on.type("--ends g")
    assert found(on) == ["DOG"]
    await on.press("ctrl+u")
    assert found(on) == []
    await on.type("--match (")
    assert "cannot be read" in on.text()
    await on.press("escape")
    assert isinstance(on.app.screen, Editor)
    assert on.grid.answer(on.grid.slot("1A")) is None


async def test_the_verb_shows_its_words_in_the_list(on: Stage) -> None:
    await on.verb("find c?t")
    assert found(on) == ["CAT"]
    await on.press("enter")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"
    await on.verb("find --contains no --squares 4")
    assert found(on) == []


async def test_a_word_that_contradicts_the_pen_does_not_fit(on: Stage) -> None:
    await on.type("d")
    await on.verb("find ???")
    assert "● 1 fit 1A" in on.text()
    await on.press("enter")
    assert "CAT does not fit 1A, which reads D??" in on.text()


@pytest.mark.parametrize("option", ["--in ", "--in=", '"--in" '] if IS_DEEP else ["--in "])
async def test_a_folder_is_looked_through_once_asked(
    stage: OpenStage, small: Puzzle, tmp_path: Path, option: str
) -> None:
    write_puzzle(tmp_path / "cats.ipuz", Puzzle(grid_from_text("CAT\nO.E\nGEN\n")))
    async with stage(small) as on:
        await on.press("slash")
        await on.type(f"c?? {option}{tmp_path}")
        assert "Enter looks through the folder" in on.text()
        await on.press("enter")
        await until(on, lambda: isinstance(on.app.screen, FindScreen), "what was found")
        assert found(on) == ["CAT", "COG"]
