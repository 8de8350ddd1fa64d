"""Words found on the screen, and the constructor's rules."""

import os
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.ruled import ruled
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import write_puzzle
from xwtui.model import Content, Ink, Position, Puzzle, RebusPlacing, edits
from xwtui.session.keys.key_map import own_map
from xwtui.tui.faces import EMPTY_DOT, RULED_MARK
from xwtui.tui.screens.choosing import FindScreen, FoundList
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.help import HelpText
from xwtui.tui.themes import load_looks
from xwtui.tui.widgets.entry_list import EntryList

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
        assert "Enter searches the folder" in on.text()
        await on.press("enter")
        await until(on, lambda: isinstance(on.app.screen, FindScreen), "results")
        assert found(on) == ["CAT", "COG"]


HEART = Content.of("HEART")


async def test_a_square_with_a_rule_is_marked_and_told(on: Stage) -> None:
    assert on.letter_at(Position(0, 1)) == EMPTY_DOT
    await on.verb("letters r1c2 AEIOU")
    assert on.letter_at(Position(0, 1)) == RULED_MARK
    assert on.letter_at(Position(0, 0)) == EMPTY_DOT
    assert "only A E" not in on.line("entry")
    await on.press("right")
    assert "only A E I O U r1c2" in on.line("entry")
    await on.press("a")
    assert on.letter_at(Position(0, 1)) == "A"
    assert f"{RULED_MARK}A" in on.text()


async def test_an_undo_takes_the_mark_away(on: Stage) -> None:
    await on.verb("may r1c2 HEART A")
    await on.press("ctrl+z")
    assert on.letter_at(Position(0, 1)) == EMPTY_DOT
    assert on.bench.puzzle.rules.is_empty


async def test_an_entry_with_a_rule_is_marked_and_told(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        names = on.editor.query_one(EntryList)
        await on.verb("rule 1A --min 60 --contains X")
        assert "scores 60 or more, contains X" in on.line("entry")
        assert [row.name for row in names.rows if row.has_rule] == ["1A"]
        assert "1A§" in on.text()
        await on.verb("goto 1D")
        assert "§" not in on.line("entry")


async def test_the_title_tells_how_many_rules_there_are(on: Stage) -> None:
    assert "rule" not in on.line("title")
    await on.verb("want CAT DOG")
    assert "   1 rule " in on.line("title")
    await on.verb("pangram on")
    assert "   2 rules " in on.line("title")


async def test_new_rebus_squares_come_in_pencil_and_go_with_one_undo(stage: OpenStage, small: Puzzle) -> None:
    asking = replace(small, rules=ruled(placings=(RebusPlacing((HEART,), 1, 2),)))
    async with stage(asking) as on:
        found = {Position(1, 1): HEART, Position(1, 2): Content.of("S")}
        on.bench.edit("fill", lambda puzzle: edits.write_fill(puzzle, found))
        await on.pilot.pause()
        assert on.grid[Position(1, 1)].ink is Ink.PENCIL
        assert "HE…" in on.text()
        await on.press("f8")
        assert on.grid[Position(1, 1)].ink is Ink.PEN
        assert on.bench.puzzle.rules.of(RebusPlacing) == (RebusPlacing((HEART,), 0, 1),)
        await on.press("ctrl+z", "ctrl+z")
        assert on.bench.puzzle == asking


def test_the_help_tells_what_the_marks_mean() -> None:
    drawn = StringIO()
    Console(file=drawn, width=120).print(HelpText(load_looks()["dark"].palette, own_map()).found())
    text = drawn.getvalue()
    assert "a square that a rule limits to certain letters" in text
    assert "the entry has its own rule" in text
    assert "rebus place" in text
