"""The constructor's rules on the screen: marked quietly, told in words, taken back by one undo."""

from dataclasses import replace
from io import StringIO

from rich.console import Console

from tests.ruled import ruled
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.model import Content, Ink, Position, Puzzle, RebusPlacing, edits
from xwtui.session.keys.key_map import own_map
from xwtui.tui.faces import EMPTY_DOT, RULED_MARK
from xwtui.tui.screens.help import HelpText
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.themes import load_looks
from xwtui.tui.widgets.entry_list import EntryList

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


async def test_several_rules_are_listed_on_a_screen_of_their_own(stage: OpenStage, small: Puzzle) -> None:
    async with stage(replace(small, rules=ruled(shared_substring=4, letters="JQ"))) as on:
        await on.verb("rules")
        assert isinstance(on.app.screen, ReplyScreen)
        assert "no two answers share 4 letters in a row" in on.text()
        assert "J Q each somewhere" in on.text()


_TOLD = (
    ("rules", "no rules: answers are in the word list and differ, and that is all"),
    ("rebus place", "no new rebus squares are asked for"),
    ("want", "no words are wanted"),
    ("rebus place HEART --squares 6..4", "'6..4' is no number of squares, such as 5 or 4..6"),
    ("rule 1A --match (", "the pattern '(' cannot be read"),
    ("letters r1c4 A", "r1c4 is no open square"),
)


async def test_empty_states_and_mistakes_are_told_in_words(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 24)) as on:
        for line, told in _TOLD:
            await on.run(line)
            assert told in on.text()
            await on.press("escape")
        assert on.bench.puzzle.rules.is_empty


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


async def test_completion_knows_the_second_word(on: Stage) -> None:
    await on.type(":rebus pl")
    await on.press("tab")
    await on.type(" HEART")
    await on.press("enter")
    assert on.bench.puzzle.rules.of(RebusPlacing) == (RebusPlacing((HEART,), 1, 1),)


def test_the_help_tells_what_the_marks_mean() -> None:
    drawn = StringIO()
    Console(file=drawn, width=120).print(HelpText(load_looks()["dark"].palette, own_map()).found())
    text = drawn.getvalue()
    assert "a square that a rule keeps to some letters" in text
    assert "the entry has a rule of its own" in text
    assert "rebus place" in text
