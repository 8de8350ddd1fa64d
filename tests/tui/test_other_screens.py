"""Other screens: start, clue table, and prompts before them."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from textual.command import CommandPalette

from tests.session.saying import open_elsewhere
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Content, Position, Puzzle, WordChoice
from xwtui.model.edits import place_answer
from xwtui.session.messages import LexiconFailed
from xwtui.session.recovery import Recovery
from xwtui.tui.screens.clue_table import ClueTable
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.screens.overlays import ChoiceScreen, DecisionScreen, ReplyScreen
from xwtui.tui.screens.start import StartOptionList, StartScreen
from xwtui.tui.unsaved_work import _distinct_names
from xwtui.words.list_files import is_trusted


async def test_quit_asks_if_work_is_unsaved(on: Stage) -> None:
    await on.type("cat")
    await on.press("ctrl+q")
    assert isinstance(on.app.screen, ChoiceScreen)
    assert "unsaved" in on.text()
    assert "undo steps." in on.text(), "of what is discarded, not all comes back"
    await on.press("c", "d", "s")
    assert isinstance(on.app.screen, ChoiceScreen), "no letter answers: it may have been typed ahead"
    await on.press("down", "enter")
    assert isinstance(on.app.screen, Editor)
    await on.verb("quit")
    await on.press("escape")
    assert on.app.is_running
    await on.press("ctrl+q", "enter")
    assert on.prompt.field.value == "untitled.ipuz", "an untitled puzzle needs a name"
    await on.press("escape", "ctrl+q", *["down"] * 3, "enter")
    assert on.app.return_value == 0
    assert on.bench.recoveries() == ()


async def test_quit_is_immediate_if_everything_is_saved(on: Stage) -> None:
    await on.press("ctrl+q")
    assert on.app.return_value == 0


async def test_quitting_asks_about_an_unfinished_line(on: Stage) -> None:
    await on.type(":clue 1A Pet")
    await on.press("ctrl+q")
    assert "“clue 1A Pet” is typed and not entered yet." in on.text()
    await on.press("enter", "s", "enter")
    assert on.bench.puzzle.clue(on.grid.slot("1A")) == "Pets", "one goes on where one was"
    await on.press("colon", "ctrl+q", "escape", "escape")
    await on.verb("undo")
    await on.type(":title X")
    await on.press("ctrl+q", "down", "enter")
    assert on.app.return_value == 0


async def test_an_unfinished_clue_is_kept_before_quitting(on: Stage) -> None:
    await on.press("f2", "enter")
    await on.type("pet")
    await on.press("ctrl+q")
    assert isinstance(on.app.screen, ChoiceScreen)
    assert on.bench.puzzle.clue(on.grid.slot("1A")) == "pet"


async def test_saving_before_quitting_closes_another_screen(on: Stage) -> None:
    await on.type("cat")
    await on.press("f2", "ctrl+q", "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.prompt.field.value == "untitled.ipuz"


async def test_clues_are_written_in_the_table(on: Stage) -> None:
    await on.press("f2")
    assert isinstance(on.app.screen, ClueTable)
    await on.press("enter")
    await on.type("pet [red]")
    await on.press("enter", "enter")
    await on.type("next")
    await on.press("escape", "escape")
    slots = on.grid.slots
    assert on.bench.puzzle.clue(slots[0]) == "pet [red]"
    assert on.bench.puzzle.clue(slots[1]) == "", "Esc drops what was being typed"
    assert on.bench.cursor.slot == slots[1], "the grid's cursor follows the table"
    await on.press("shift+tab")
    assert "pet [red]" in on.line("entry"), "brackets are no markup"


async def test_a_narrow_footer_omits_keys_found_in_palette_and_help(stage: OpenStage, small: Puzzle) -> None:
    for width, begin in ((60, "F5 fill"), (40, "F5 fill"), (24, "^P")):
        async with stage(small, size=(width, 24)) as on:
            foot = on.text().splitlines()[-1].strip()
            assert foot.startswith(begin)
            assert foot.endswith("^P everything ? help")


async def test_the_footer_of_the_clue_table_names_enter(on: Stage) -> None:
    await on.press("f2")
    foot = on.text().splitlines()[-1]
    assert "Enter edit" in foot
    assert "^S save ^Z undo" in foot, "all of them have room"
    await on.press("enter")
    assert "Enter keep, next clue" in on.text().splitlines()[-1]


async def test_a_clue_is_kept_when_the_cursor_moves(on: Stage) -> None:
    first = on.grid.slots[0]
    for leave in ("down", "up", "tab", "shift+tab", "f2"):
        await on.press("f2", "enter")
        await on.type("pet")
        await on.press(leave)
        assert on.bench.puzzle.clue(first) == "pet", leave
        if leave != "f2":
            await on.press("f2")
        on.bench.undo()
        on.bench.cursor.move_to(first.start, first.direction)


async def test_letters_start_a_clue(on: Stage) -> None:
    await on.press("f2")
    await on.type("pet")
    await on.press("enter")
    assert on.bench.puzzle.clue(on.grid.slots[0]) == "pet"
    await on.press("up")
    await on.type("s!")
    await on.press("enter")
    assert on.bench.puzzle.clue(on.grid.slots[0]) == "pets!", "what stood there stays"


async def test_an_abandoned_clue_is_restored(on: Stage) -> None:
    await on.press("f2")
    await on.type("pet")
    await on.press("escape")
    assert on.bench.puzzle.clue(on.grid.slots[0]) == ""
    assert "Enter brings back" in on.text()
    await on.press("escape", "f2", "enter")
    table = on.showing(ClueTable)
    assert table.field.value == "pet"
    await on.press("enter")
    assert on.bench.puzzle.clue(on.grid.slots[0]) == "pet"


async def test_answers_that_became_non_words_are_marked_until_fixed(stage: OpenStage, small: Puzzle) -> None:
    crossed = place_answer(place_answer(small, small.grid.slot("1D"), "SNAIL"), small.grid.slot("5A"), "NOSES")
    async with stage(crossed) as on:
        assert on.editor.desk.grid.picture is not None
        assert not on.editor.desk.grid.picture.faults
        await on.verb("goto 5A")
        await on.type("m")
        assert [(entry.slot.name, entry.answer) for entry in on.bench.unlisted_crossings] == [("1D", "SMAIL")]
        assert on.editor.desk.grid.picture.faults == set(on.grid.slot("1D").positions)
        await on.press("ctrl+z")
        assert not on.editor.desk.grid.picture.faults


async def test_a_stale_clue_is_named_and_kept_by_enter(stage: OpenStage, small: Puzzle) -> None:
    bag = place_answer(small, small.grid.slot("1A"), "BAG")
    stale = place_answer(bag.with_clue(bag.grid.slot("1A"), "Sack"), bag.grid.slot("1A"), "BIT")
    async with stage(stale) as on:
        assert "clue of BAG: Sack" in on.line("entry")
        await on.press("f2")
        table = on.showing(ClueTable)
        assert table.table.rows[0].other_clue == "clue of BAG: Sack"
        assert "10 to write, 1 for other answers" in on.text()
        await on.press("enter")
        assert table.field.value == "Sack"
        await on.press("escape")
        assert on.bench.puzzle == stale
        await on.press("enter", "ctrl+u", "enter")
        assert on.bench.puzzle == stale, "nothing was said about BIT"
        await on.press("up", "enter", "enter")
        assert on.bench.puzzle.clue(on.grid.slot("1A")) == "Sack"


async def test_the_clue_table_undoes_and_finds_missing_clues(stage: OpenStage, small: Puzzle) -> None:
    slots = small.grid.slots
    async with stage(small.with_clue(slots[1], "second")) as on:
        await on.press("f2", "exclamation_mark")
        table = on.showing(ClueTable)
        assert table.table.current == 2
        await on.press("enter")
        await on.type("third")
        await on.press("enter", "ctrl+z")
        assert on.bench.puzzle.clue(slots[2]) == ""
        await on.press("ctrl+y")
        assert on.bench.puzzle.clue(slots[2]) == "third"


async def test_the_start_offers_blank_grids_and_templates(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        assert isinstance(on.app.screen, StartScreen)
        assert "15×15" in on.text()
        kinds = [row.kind for row in on.app.screen.query_one(StartOptionList).rows]
        await on.press(*["down"] * kinds.index("blank"), "enter")
        assert isinstance(on.app.screen, Editor)
        assert (on.grid.height, on.grid.width) == (15, 15)


async def test_a_verb_typed_at_the_start_does_not_trigger_list_keys(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press(*("colon", *"title", "space", "x", "enter"))
        assert isinstance(on.app.screen, Editor)
        assert (on.grid, on.bench.puzzle.title) == (small.grid, "x")


async def test_help_is_available_at_the_start(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        for key in ("question_mark", "f1", "ctrl+p"):
            await on.press(key)
            assert not isinstance(on.app.screen, StartScreen | Editor)
            await on.press("escape")
            assert isinstance(on.app.screen, Editor if key == "ctrl+p" else StartScreen)


async def test_a_verb_typed_in_a_room_does_not_trigger_its_keys(on: Stage, small: Puzzle) -> None:
    for key in ("at", "ctrl+w", "f2"):
        await on.press(key)
        assert not isinstance(on.app.screen, Editor)
        await on.press(*":title", "space", key[0], "enter")
        assert isinstance(on.app.screen, Editor)
        assert (on.bench.puzzle.grid, on.bench.puzzle.title) == (small.grid, key[0])


async def test_help_opens_over_every_room_and_returns(on: Stage) -> None:
    for keys in (["f2"], [*":find", "enter"], [*":templates", "enter"], ["ctrl+p"], ["f9"], ["at"]):
        await on.press(*keys)
        below = on.app.screen
        assert not isinstance(below, Editor)
        await on.press("f1")
        assert isinstance(on.app.screen, HelpScreen | ReplyScreen)
        await on.press("escape")
        assert on.app.screen is below
        await on.press("escape")
        assert isinstance(on.app.screen, Editor)


async def test_the_start_can_be_left_or_open_a_file(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press("escape")
        assert on.grid == small.grid
    async with stage(small, offers_start=True) as on:
        await on.press("o")
        assert on.prompt.field.value == "open "


@pytest.mark.parametrize("path", ["/tmp/quo.ipuz", "~/quo.ipuz", "./q", "xo.puz"])
async def test_other_text_at_the_start_begins_a_file_name(stage: OpenStage, small: Puzzle, path: str) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press(*path)
        assert on.prompt.field.value == f"open {path}"


async def test_a_path_typed_ahead_after_the_open_key_is_complete(on: Stage) -> None:
    for path in ("/tmp/quo.ipuz", "quo.puz", "o", "q"):
        await on.press("ctrl+o", *path)
        assert on.prompt.field.value == f"open {path}"
        await on.press("escape")


@pytest.mark.parametrize(
    ("keys", "name"),
    [(["enter"], "untitled"), (["down", "enter"], "p.ipuz"), (["escape"], None), (["end", "enter"], None)],
)
async def test_a_puzzle_open_in_another_process_asks_before_it_is_shown(
    stage: OpenStage, small: Puzzle, tmp_path: Path, keys: list[str], name: str | None
) -> None:
    path = tmp_path / "p.ipuz"
    write_puzzle(path, small)
    with open_elsewhere(path, tmp_path / "journals"):
        async with stage(small, offers_start=True, path=path) as on:
            assert isinstance(on.app.screen, ChoiceScreen)
            assert "p.ipuz is open in another xwtui" in " ".join(on.text().split())
            await on.press("o", "q")
            assert isinstance(on.app.screen, ChoiceScreen), "no letter answers"
            await on.press(*keys)
            if name is None:
                assert on.app.return_value == 0
            else:
                assert isinstance(on.app.screen, Editor)
                assert on.app.puzzles.sessions[-1].document.name == name
                assert on.app.puzzles.sessions[-1].puzzle.grid == small.grid


async def test_all_puzzles_open_in_other_processes_are_listed_in_one_question(
    stage: OpenStage, small: Puzzle, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.ipuz" for name in ("a-puzzle-of-any-length", *"qr")]
    for path in paths:
        write_puzzle(path, small)
    folder = tmp_path / "journals"
    with open_elsewhere(paths[0], folder), open_elsewhere(paths[1], folder), open_elsewhere(paths[2], folder):
        async with stage(Puzzle.blank(15, 15), offers_start=True, path=paths) as on:
            assert isinstance(on.app.screen, DecisionScreen)
            assert "3 of these puzzles are open in another xwtui" in on.text()
            assert f"{paths[0].name}   open a copy" in on.text()
            await on.press("down", "down", "right", "down", "right", "right")
            assert "opens 1 as copies, opens 1 anyway, leaves 1" in on.text()
            await on.press("enter")
            assert isinstance(on.app.screen, Editor)
            assert [session.document.name for session in on.app.puzzles.sessions] == ["untitled", "q.ipuz"]


async def test_work_of_a_dead_process_is_offered(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.type("cat")
        on.bench.document.journal.close()
        async with stage(small, offers_start=True) as again:
            assert isinstance(again.app.screen, ChoiceScreen)
            assert "unsaved work" in again.text()
            assert not any(isinstance(screen, Editor) for screen in again.app.screen_stack), "no grid as yet"
            await again.press("d", "g")
            await again.press("enter")
            assert isinstance(again.app.screen, Editor)
            assert again.grid[Position(0, 0)].content == Content.of("C")
            assert again.line("title")


async def test_unsaved_work_on_other_puzzles_is_named_when_a_file_is_opened(
    stage: OpenStage, small: Puzzle, tmp_path: Path
) -> None:
    path = tmp_path / "other.ipuz"
    write_puzzle(path, small)
    async with stage(small) as on:
        await on.type("cat")
        on.bench.document.journal.close()
        async with stage(small, offers_start=True, path=path) as again:
            assert isinstance(again.app.screen, Editor)
            assert "There is unsaved work on untitled" in again.line("message")


async def test_discarded_work_is_kept_for_a_while(stage: OpenStage, small: Puzzle, tmp_path: Path) -> None:
    async with stage(small) as on:
        await on.type("cat")
        left = on.bench.puzzle
        on.bench.document.journal.close()
        async with stage(small, offers_start=True) as again:
            assert "discard (`discarded` brings it back, without undo)" in again.text()
            await again.press("down", "down", "enter")
            assert isinstance(again.app.screen, StartScreen)
            await again.press("escape")
            (copy,) = (tmp_path / "journals" / "discarded").iterdir()
            assert read_puzzle(copy) == left
            assert "discarded; `discarded` brings it back for 30 days, without undo" in again.line("message")
            assert again.bench.recoveries() == ()


async def test_unsaved_work_can_be_left_for_later(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.type("cat")
        on.bench.document.journal.close()
        async with stage(small, offers_start=True) as again:
            await again.press("escape")
            assert isinstance(again.app.screen, StartScreen)
            assert len(again.bench.recoveries()) == 1


@pytest.mark.parametrize("has_file", [False, True])
async def test_keys_typed_after_an_answer_at_the_start_are_not_lost(
    stage: OpenStage, small: Puzzle, tmp_path: Path, has_file: bool
) -> None:
    write_puzzle(path := tmp_path / "a.ipuz", small)
    async with stage(small) as on:
        on.bench.open(path)
        await on.type("cat")
        on.bench.document.journal.close()
        async with stage(small, offers_start=True, path=path if has_file else ()) as again:
            assert isinstance(again.app.screen, ChoiceScreen)
            again.post("escape", "ctrl+p")
            await until(again, lambda: isinstance(again.app.screen, CommandPalette), "the palette")


async def test_spinners_stop_under_another_screen(on: Stage) -> None:
    """Each frame would redraw both screens, ten times a second, during typing in the upper one."""
    editor = on.editor
    assert editor.insight.is_loading

    def turned() -> bool:
        before = on.line("estimate")
        editor._spin()
        return on.line("estimate") != before

    assert turned()
    await on.press("f1")
    assert on.app.screen is not editor
    assert not turned()


async def test_a_foreign_list_asks_first(stage: OpenStage, small: Puzzle, tmp_path: Path) -> None:
    words, path = tmp_path / "words.txt", tmp_path / "friend" / "p.ipuz"
    words.write_text("ABC\n")
    path.parent.mkdir()
    write_puzzle(path, replace(small, words=WordChoice(lists=(str(words),))))
    async with stage(small) as on:
        on.bench.open(path)
        failure = LexiconFailed("the puzzle names a word list", needs_confirmation=True)
        on.bench.jobs.words._wanted = on.bench.jobs.word_request()
        for keys in (["escape"], ["enter"], ["down", "down", "enter"]):
            on.app.editors.receive(on.bench, failure)
            await on.pilot.pause()
            assert isinstance(on.app.screen, ChoiceScreen)
            assert on.bench.puzzle.words.lists == (str(words),), "nothing is done before it is answered"
            await on.press(*keys)
        assert on.bench.puzzle.words.lists == ()
        assert not is_trusted(words, path.parent)


def test_unsaved_work_on_files_of_equal_name_is_distinguished() -> None:
    puzzle, at = Puzzle.blank(3, 3), datetime(2026, 11, 27, 12, 5, 9)
    one = Recovery(Path("j"), "", Path("/a/g.txt"), puzzle, "x", at)
    other, again = replace(one, source=Path("/b/g.txt")), replace(one, at=at.replace(second=30))
    assert _distinct_names([one]) == ["g.txt"]
    assert _distinct_names([one, other]) == ["a/g.txt", "b/g.txt"]
    assert _distinct_names([one, again]) == ["12:05:09 g.txt", "12:05:30 g.txt"]
