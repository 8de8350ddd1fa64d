"""The clue screen: typing, preview and saving; suggestions; the list of entries."""

import threading
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from textual.events import Paste

from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, StillWords, until
from xwtui.clues.suggestions import Suggestion, SuggestionKind
from xwtui.errors import ClueBookError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle
from xwtui.model.edits import place_answer
from xwtui.model.review import entry_remarks
from xwtui.resources import personal_list_path
from xwtui.session.recovery import find_recoveries
from xwtui.tui.screens.clue_table import ClueTable
from xwtui.tui.screens.editor import Editor
from xwtui.tui.widgets import clue_pane
from xwtui.tui.widgets.clue_pane import SuggestionList, square_text
from xwtui.tui.widgets.painted import Heading

FULL = Puzzle(grid_from_text("[HEART]AT\nO#O\nTEN"))


@pytest.fixture(autouse=True)
def _book(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clue book with two clues for each answer, except one without clues and one it cannot read."""

    def suggested(answer: str) -> tuple[Suggestion, ...]:
        if answer == "TON":
            raise ClueBookError("the clue book cannot be read")
        own = Suggestion(f"Mine *of* {answer.title()}", SuggestionKind.OWN, title="Two Hearts")
        gloss = Suggestion(f"What {answer} means", SuggestionKind.GLOSS)
        return () if answer == "TEN" else (own, gloss)

    monkeypatch.setattr(clue_pane, "suggestions", suggested)


@pytest.fixture
async def on(stage: OpenStage) -> AsyncIterator[Stage]:
    async with stage(FULL) as opened:
        yield opened


async def test_typed_text_is_previewed_as_printed_and_journaled(on: Stage) -> None:
    await on.press("f2")
    table = on.showing(ClueTable)
    await on.type("See *{3A}*, {9D} heart")
    shown = on.text()
    assert "H" not in FULL.grid.pattern(FULL.grid.slot("3A"))
    assert "[HEART] A T" in shown
    assert "(3 squares, 7 letters)" in shown
    assert "See 3-Across, {9D} heart" in shown, "the stars are italics now"
    assert "refers to {9D}, which does not exist" in shown
    journalled = known(on.bench.document.journal.last)
    assert journalled.clue(FULL.grid.slot("1A")) == "See *{r3c1A}*, {9D} heart"
    assert on.bench.puzzle == FULL, "no edit yet"
    await on.press("escape")
    assert on.bench.document.journal.last is None
    await on.press("enter", "ctrl+q")
    assert on.bench.puzzle.typed_clue(FULL.grid.slot("1A")) == "See *{3A}*, {9D} heart", "kept before one is asked"
    await on.press("escape")
    assert "1 with a remark" in on.text()
    assert table.table.remarked == {"1A"}


async def test_a_long_clue_hides_neither_its_length_nor_its_remarks(stage: OpenStage) -> None:
    slot = FULL.grid.slot("1A")
    puzzle = replace(FULL, profile="british").with_clue(slot, f"{FULL.answer(slot)} {{9D}} {'word ' * 110}")
    async with stage(puzzle) as on:
        await on.press("f2")
        shown = on.text()
        assert "of 505" in shown
        for remark in entry_remarks(puzzle, slot, wants_enumerations=True):
            assert f"! {remark.message}" in shown
        assert on.app.screen.query_one(SuggestionList).size.height > 1, "a suggestion has room still"


async def test_a_long_suggestion_wraps_between_words(stage: OpenStage, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"word{number}" for number in range(25)]
    long = Suggestion(" ".join(words), SuggestionKind.GLOSS)
    short = Suggestion("In short", SuggestionKind.GLOSS)
    monkeypatch.setattr(clue_pane, "suggestions", lambda _: (long, short))
    async with stage(FULL) as on:
        await on.press("f2", "tab")
        told = on.text().split()
        assert [told.count(word) for word in words] == [1] * len(words)
        assert told[told.index("means") + 1 :].index("…") < len(words)
        lines = [line for line in on.text().splitlines() if "word" in line]
        assert len(lines) > 2
        assert len({line.index("word") for line in lines}) == 1, "what goes on below stands in line"
        await on.press("down")
        assert "In short" in on.text()
        assert words[-1] not in on.text()
        assert not {word for word in on.text().split() if word.startswith("word")} - {*words}, "no word is cut"


async def test_a_search_for_suggestions_is_shown(stage: OpenStage, monkeypatch: pytest.MonkeyPatch) -> None:
    is_found = threading.Event()

    def found(_: str) -> tuple[Suggestion, ...]:
        is_found.wait()
        return ()

    monkeypatch.setattr(clue_pane, "suggestions", found)
    async with stage(FULL) as on:
        try:
            await on.press("f2")
            await until(on, lambda: "looking for suggestions" in on.text(), "the search")
        finally:
            is_found.set()
        await until(on, lambda: "no suggestions" in on.text(), "the answer")


async def test_typing_replaces_the_initial_suggestion(on: Stage) -> None:
    await on.press("f2", "tab", "down", "enter")
    await on.type("Throb")
    await on.press("enter")
    assert on.bench.puzzle.clue(FULL.grid.slot("1A")) == "Throb"


async def test_a_suggestion_can_start_a_clue(on: Stage) -> None:
    await on.press("f2", "tab")
    table = on.showing(ClueTable)
    assert "yours Mine of Heartat" in on.text()
    await on.press("down", "enter", "end")
    await on.type("!")
    await on.press("enter")
    assert on.bench.puzzle.clue(FULL.grid.slot("1A")) == "What HEARTAT means!"
    await on.press("tab")
    assert table.table.has_focus
    assert "book import FOLDER" in on.text(), "TEN has none"
    await on.type("Count")
    await on.press("tab")
    assert on.bench.puzzle.clue(FULL.grid.slot("3A")) == "Count", "Tab leads elsewhere"
    await on.press("down", "down", "tab")
    assert "the clue book cannot be read" in on.text()
    await on.press("up", "tab", "enter", "enter")
    assert on.bench.puzzle.clue(FULL.grid.slot("1D")) == "Mine *of* Heartot", "suggestions are markup"


async def test_entries_are_listed_by_what_they_need(stage: OpenStage) -> None:
    slots = FULL.grid.slots
    begun = FULL.with_clue(slots[0], "Heart at").with_clue(slots[2], "Fine")
    async with stage(begun) as on:
        await on.press("f2", "f3")
        table = on.showing(ClueTable)
        assert [row.name for row in table.table.rows] == ["3A", "2D"]
        await on.type("Ten?")
        await on.press("enter")
        assert [row.name for row in table.table.rows] == ["2D"], "what has a clue is listed no more"
        await on.type("Weight")
        await on.press("enter")
        assert on.bench.puzzle.clue(slots[3]) == "Weight"
        assert not table.table.rows
        await on.press("f3")
        assert [row.name for row in table.table.rows] == ["1A", "3A"], "none is stale; these have remarks"
        assert table.query_one("#table-heading", Heading).remark == "2 of 4 listed: with a remark"
        await on.press("f3", "ctrl+z")
        assert [row.name for row in table.table.rows] == ["1A", "3A", "1D", "2D"]
        assert on.bench.puzzle.clue(slots[3]) == ""


async def test_undo_and_redo_of_a_clue_go_to_its_row(on: Stage) -> None:
    await on.press("f2")
    table, first = on.showing(ClueTable).table, on.grid.slots[0]
    await on.type("Pet")
    await on.press("enter")
    for key in ("ctrl+z", "ctrl+y"):
        table.action_point(len(table.rows) - 1 - table.current)
        await on.press(key)
        assert known(table.pointed).name == first.name, key


async def test_undo_in_the_clues_stops_before_an_edit_of_the_personal_list(on: Stage) -> None:
    await on.verb("never ETON")
    await on.press("f2")
    await on.type("Pet")
    await on.press("enter", "ctrl+z", "ctrl+z")
    assert "undo stops here: `never ETON` is for all your puzzles; wait, then undo again" in on.text()
    assert "ETON;0" in personal_list_path().read_text()


async def test_saving_from_the_clues(stage: OpenStage, tmp_path: "pytest.TempPathFactory") -> None:
    async with stage(FULL, size=(120, 40)) as on:
        await on.press("f2")
        table = on.showing(ClueTable)
        assert table.side.grid.display, "there is room for the grid"
        await on.type("Saved")
        await on.press("ctrl+s")
        assert "save untitled.ipuz" in on.text(), "it has no file yet"
        assert on.bench.puzzle.clue(FULL.grid.slot("1A")) == "Saved"
        await on.press("escape")
        on.bench.save(tmp_path / "x.ipuz")  # type: ignore[operator]
        await on.press("f2")
        await on.type("!")
        await on.press("ctrl+s")
        assert "saved x.ipuz in " in on.text()
        assert not on.bench.document.is_modified
        assert not find_recoveries(on.bench.document.journal.folder)


def test_the_squares_of_a_pattern() -> None:
    assert square_text("SWEET[HEART]?") == "S W E E T [HEART] ?"
    assert square_text("") == ""


async def test_a_fill_updates_the_list_and_a_clue_stays_with_its_answer(on: Stage) -> None:
    """An improvement ends during typing: the clue belongs to the answer for which it was begun."""
    slot = FULL.grid.slot("3A")
    await on.press("f2", "down")
    on.bench.edit("improve", lambda puzzle: place_answer(puzzle, slot, "TIN"))
    await on.pilot.pause()
    assert "TIN" in on.text()
    assert "TEN" not in on.text()
    await on.type("Heavy weight")
    on.bench.edit("improve", lambda puzzle: place_answer(puzzle, slot, "TEN"))
    await on.pilot.pause()
    assert "Heavy weight" in on.text()
    await on.press("enter")
    assert "clue of TIN: Heavy weight" in on.text()
    assert "3A is now TEN; the clue is kept for TIN" in on.text()
    assert on.bench.puzzle.clue(slot) == ""
    on.bench.edit("improve", lambda puzzle: place_answer(puzzle, slot, "TIN"))
    assert on.bench.puzzle.clue(slot) == "Heavy weight"


async def test_an_enumeration_is_typed_after_the_clue_and_edited_with_it(on: Stage) -> None:
    slot = FULL.grid.slot("1A")
    await on.press("f2")
    await on.type("Sweet talk (5-2)")
    await on.press("enter", "up")
    told = on.bench.puzzle
    assert (told.clue(slot), str(told.enumeration(slot))) == ("Sweet talk", "5-2")
    assert "Sweet talk (5-2)" in on.text()
    await on.type("er")
    await on.press("enter", "up")
    assert on.bench.puzzle.whole_clue(slot) == "Sweet talker (5-2)", "letters go before it"
    await on.press("enter", "end", *["backspace"] * 5, "enter", "up")
    assert (on.bench.puzzle.clue(slot), on.bench.puzzle.enumeration(slot)) == ("Sweet talker", None)
    await on.press("ctrl+z")
    assert on.bench.puzzle.whole_clue(slot) == "Sweet talker (5-2)", "one edit"
    await on.press("tab", "enter", "enter", "up")
    assert on.bench.puzzle.whole_clue(slot) == "Mine *of* Heartat (5-2)", "a suggestion leaves it"
    await on.press("enter", "end", "left", "backspace", "6", "enter", "up")
    assert str(on.bench.puzzle.enumeration(slot)) == "5-6"
    assert "the enumeration of 1A is (5-6), of 11 letters, but HEARTAT has 7" in " ".join(on.text().split())
    await on.press("enter", "ctrl+u", "enter")
    assert on.bench.puzzle.whole_clue(slot) == "(5-6)", "the clue is cleared, up to the enumeration"


async def test_a_colon_in_the_list_of_clues_opens_the_command_line(on: Stage) -> None:
    await on.press("f2", *":title", "space", "x", "enter")
    assert isinstance(on.app.screen, Editor)
    assert (on.bench.puzzle.title, on.bench.puzzle.clues) == ("x", FULL.clues)


async def test_a_clue_may_begin_with_a_colon_and_a_note_explains_it(on: Stage) -> None:
    await on.press("f2", "enter", "colon")
    assert "press Esc and then :" in on.text()
    await on.press(*"check", "enter")
    assert on.bench.puzzle.typed_clue(FULL.grid.slot("1A")) == ":check"
    assert ":check is now the clue of 1A, not a command" in on.text()
    await on.press("?")
    assert "F1 is help" in on.text()


@pytest.mark.parametrize("width", [80, 40])
async def test_a_heading_too_long_is_visibly_truncated(stage: OpenStage, width: int) -> None:
    async with stage(FULL, size=(width, 24)) as on:
        await on.press("f2")
        heading = on.app.screen.query_one("#table-heading", Heading)
        heading.remark = "12 to write, 9 of other answers, 30 with a remark"
        await on.pilot.pause()
        drawn = on.text().splitlines()[0].rstrip()
        assert drawn.startswith(" CLUES 12 to write, 9 of other answers")
        assert drawn.endswith("─" if width == 80 else "…")


async def test_a_pasted_line_is_typed_and_several_become_one_or_several_clues(on: Stage) -> None:

    async def paste(text: str, *keys: str) -> list[str]:
        on.app.post_message(Paste(text))
        await on.press(*keys)
        puzzle = on.bench.puzzle
        return [puzzle.typed_clue(slot) for slot in puzzle.grid.slots]

    await on.press("f2")
    assert (await paste("Love, not\n", "enter"))[0] == "Love, not", "into an empty clue"
    await on.press("up")
    assert (await paste("First\n\nSecond", "down", "enter"))[:3] == ["First", "Second", ""]
    assert "2 clues pasted; Ctrl+Z undoes that" in on.text()
    assert (await paste("", "ctrl+z"))[:3] == ["Love, not", "", ""], "one edit"
    await on.press("down", "A", "space")
    assert (await paste("b\nc", "enter", "enter"))[1] == "A b c", "all in the one that is edited"
    assert (await paste("1\n2\n3", "down", "enter"))[2:] == ["1", "2"]
    assert "2 clues pasted, 1 line had no entry" in on.text()


@pytest.mark.parametrize("are_loaded", [False, True])
async def test_an_answer_is_called_unlisted_only_after_words_are_loaded(
    stage: OpenStage, monkeypatch: pytest.MonkeyPatch, are_loaded: bool
) -> None:
    if not are_loaded:
        monkeypatch.setattr(StillWords, "lexicon", None)
        monkeypatch.setattr(StillWords, "view", None)
    async with stage(Puzzle(grid_from_text("ZZZ\n...\n..."))) as on:
        assert ("not listed" in on.line("entry")) is are_loaded
        await on.press("f2")
        assert ("not listed" in on.text()) is are_loaded
