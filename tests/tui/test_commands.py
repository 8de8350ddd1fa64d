"""Keys of verbs, the command line, and popups over the editor."""

import os
from dataclasses import replace
from io import StringIO
from pathlib import Path
from threading import Event

import pytest
from rich.console import Console
from rich.table import Table

from tests.tui.conftest import OpenStage
from tests.tui.still import PATIENCE_SECONDS, Stage, until
from xwtui.engine.candidates.options import SlotOptions
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Content, Direction, Position, Puzzle
from xwtui.resources import SAMPLES
from xwtui.session.answers import ImmediateAnswer
from xwtui.session.jobs.answer_job import AnswerReporter
from xwtui.session.keys.actions import KeyPlace
from xwtui.session.keys.key_map import own_map
from xwtui.session.keys.names import key_cap
from xwtui.session.messages import AnswerReady, LexiconReady, Notice, OptionsReady, Saved, Severity
from xwtui.session.settings import load_settings
from xwtui.session.verbs.registry import VERBS
from xwtui.tui.editing.command_line import CompletionList
from xwtui.tui.keys import bindings
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.help import HelpScreen, HelpText, key_table
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.themes import PLAIN, load_themes
from xwtui.tui.widgets.grid_view import GridView


async def test_search_keys_reach_the_session(on: Stage) -> None:
    asked = {
        "f5": "fill",
        "f6": "stop",
        "f7": "count",
        "f11": "continue",
        "f10": "step 1",
        "f12": "until backtrack",
    }
    for key, said in asked.items():
        on.bench.asked.clear()
        await on.press(key)
        assert said in on.bench.asked


def test_help_lists_every_binding() -> None:
    told = {key.strip() for row in key_table(own_map()) for key in row.keys.replace(", ", "\n").splitlines()}
    assert {key_cap(one.key) for one in own_map().bindings} <= told


def test_every_verb_key_is_bound_and_no_key_twice() -> None:
    for places in ((KeyPlace.GRID, KeyPlace.SCREEN), (KeyPlace.CANDIDATES,)):
        bound: dict[str, str] = {}
        for binding in bindings(own_map(), *places):
            assert binding.key not in bound, f"{binding.key} does {bound.get(binding.key)} and {binding.action}"
            bound[binding.key] = binding.action
        for verb in VERBS.values():
            for key in own_map().keys_of(verb.name):
                assert places == (KeyPlace.CANDIDATES,) or bound[key] == f"screen.act('{verb.name}')"


async def test_a_verb_on_the_command_line(on: Stage) -> None:
    await on.verb("set 1A cat")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"
    assert isinstance(on.app.focused, GridView)
    assert "CAT" in on.line("message")


async def test_the_command_line_has_history(on: Stage) -> None:
    await on.verb("set 1A cat")
    await on.verb("set 1A dog")
    await on.press("colon", "up", "up")
    assert on.prompt.field.value == "set 1A cat"
    await on.press("down")
    assert on.prompt.field.value == "set 1A dog"
    await on.press("down")
    assert on.prompt.field.value == ""
    await on.press("escape")
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


@pytest.mark.parametrize(
    ("key", "cap"), [("left_curly_bracket", "{"), ("ctrl+j", "Ctrl+J"), ("ctrl+f9", "Ctrl+F9")]
)
async def test_a_key_without_effect_is_explained(on: Stage, key: str, cap: str) -> None:
    await on.press(key)
    assert on.line("message") == f"{cap} does nothing here; ? lists the keys"
    await on.press("f2", "ctrl+b")
    assert "Ctrl+B does nothing here" in on.text()


async def test_what_is_said_of_a_key_without_effect_is_gone_after_the_next_key(on: Stage) -> None:
    await on.press("ctrl+f9")
    await on.press("question_mark")
    await on.press("escape")
    assert on.line("message") == ""
    await on.press("f2", "ctrl+u")
    assert "Ctrl+U does nothing here" in on.text()
    await on.press("down")
    assert "does nothing here" not in on.text()


async def test_an_abandoned_line_is_restored(on: Stage) -> None:
    await on.type(":title My long")
    await on.press("escape")
    assert "up arrow" in on.line("message")
    await on.press("colon", "up")
    assert on.prompt.field.value == "title My long"


async def test_typing_replaces_the_suggested_name(
    stage: OpenStage, small: Puzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with stage(small) as on:
        await on.press("ctrl+s")
        await on.type("mine")
        await on.press("enter")
        assert read_puzzle(tmp_path / "mine.ipuz").grid == small.grid
        await on.press("ctrl+e", "end", "backspace", "backspace", "backspace", "x", "d", "enter")
        assert read_puzzle(tmp_path / "mine.xd").grid == small.grid
        await on.press("ctrl+s", "escape")
        assert "up arrow" not in on.line("message"), "nothing typed"


async def test_tab_completes_a_verb_refused_for_missing_arguments(on: Stage) -> None:
    on.editor.action_ask("set ")
    await on.press("enter")
    assert "set needs ANSWER" in on.text()
    await on.press("tab")
    assert on.prompt.field.value == "set 1A"


async def test_tab_cycles_through_completions(on: Stage) -> None:
    await on.type(":sym")
    await on.press("tab")
    assert on.prompt.field.value == "symmetry"
    await on.type(" ro")
    assert on.editor.query_one(CompletionList).has_class("-open")
    await on.press("tab")
    first = on.prompt.field.value
    await on.press("tab")
    second = on.prompt.field.value
    assert {first, second} == {"symmetry rot180", "symmetry rot90"}
    await on.press("shift+tab")
    assert on.prompt.field.value == first
    await on.press("escape")
    assert not on.editor.query_one(CompletionList).has_class("-open")


async def test_a_long_reply_is_shown_at_the_bottom_and_can_be_dismissed(on: Stage) -> None:
    await on.verb("stats")
    assert isinstance(on.app.screen, ReplyScreen)
    assert "entries" in on.text()
    await on.press("escape")
    assert isinstance(on.app.screen, Editor)
    await on.verb("stats")
    await on.press("colon")
    assert on.prompt.mode == "verb"


async def test_a_slow_answer_shows_progress_and_then_its_result_at_the_bottom(on: Stage) -> None:
    now, first, both = on.bench.revision, ImmediateAnswer(("1 so far",)), ImmediateAnswer(("2 in all", "and more"))
    await on.tell(AnswerReady(now, first))
    assert isinstance(on.app.screen, Editor)
    assert "1 so far" in on.text()
    await on.tell(AnswerReady(now - 1, both, is_last=True))
    assert isinstance(on.app.screen, Editor), "that was about another puzzle"
    await on.tell(AnswerReady(now, both, is_last=True))
    assert isinstance(on.app.screen, ReplyScreen)
    assert "2 in all" in on.text()
    assert "1 so far" not in on.text()


async def test_a_grid_key_dismisses_a_long_reply_and_acts(on: Stage) -> None:
    await on.verb("stats")
    assert ": stats   Esc closes" in on.text()
    await on.press("down")
    assert isinstance(on.app.screen, ReplyScreen)
    await on.press("x")
    assert isinstance(on.app.screen, Editor)
    assert str(on.grid[Position(0, 0)].content) == "X"
    await on.verb("stats")
    await on.press("f1")
    assert isinstance(on.app.screen, HelpScreen)


async def test_help_lists_keys_and_verbs(on: Stage) -> None:
    for key in ("question_mark", "f1"):
        await on.press(key)
        assert isinstance(on.app.screen, HelpScreen)
        assert "Keys" in on.text()
        await on.press("escape")
    await on.verb("help")
    assert isinstance(on.app.screen, HelpScreen)


async def test_columns_of_lists_have_headings(stage: OpenStage) -> None:
    for size, has_names in (((80, 24), False), ((120, 40), True), ((200, 60), True)):
        async with stage(Puzzle.blank(15, 15), size=size) as on:
            heading = next(line for line in on.text().splitlines() if "ENTRIES" in line)
            assert ("match    fit" in heading) is has_names
    console = Console(width=76, file=StringIO(), color_system=None)
    lines = console.render_lines(HelpText(PLAIN, own_map()).found("match the letters in the entry"))
    assert any("ENTRIES  match" in "".join(piece.text for piece in line) for line in lines)


async def test_messages_are_not_shown_behind_a_colon(on: Stage) -> None:
    await on.press("quotation_mark")
    assert "─ what was said   Esc closes" in on.text()


async def test_help_uses_the_available_space(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        await on.press("f1", *"theme")
        assert (
            "theme answers       Start a puzzle from a template that fits the theme answers, placed and locked"
            in (on.text())
        ), "in one line, and below the keys"


async def test_help_is_searched_while_typing(on: Stage, small: Puzzle) -> None:
    await on.press("f1", *"mirror")
    text = on.text()
    assert "block" in text
    assert "move; across" not in text
    await on.press(*"qqqq")
    assert "try fewer letters" in on.text()
    await on.press("pagedown", "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.grid == small.grid, "nothing of that was written into the grid"
    for typed, found in (("dictionary", "define"), ("places", "r1c1:r3c3")):
        await on.press("f1", *typed)
        assert found in on.text()
        assert "fewer letters" not in on.text()
        await on.press("escape")


@pytest.mark.parametrize(
    ("search", "best"),
    [
        ("swap two theme answers", "whatif themers"),
        ("print", "export"),
        ("dark mode", "colours"),
        ("weakest word", "F3"),
    ],
)
def test_the_best_match_of_a_help_search_is_first(search: str, best: str) -> None:
    lines = _help_for(search)
    assert lines[0] == "Most likely"
    assert lines[1].startswith(best)


def _help_for(search: str) -> list[str]:
    drawn = StringIO()
    console = Console(width=76, file=drawn, color_system=None)
    console.print(HelpText(PLAIN, own_map()).found(search))
    return [line.strip() for line in drawn.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("search", "row"),
    [("worst first", "F3"), ("3s", "3s: 12"), ("mean", "mean 57.1 low 41"), ("≥", "default ≥ 40")],
)
def test_help_search_finds_keys_by_name_and_by_words_of_the_title(search: str, row: str) -> None:
    assert any(line.startswith(row) for line in _help_for(search))


def test_typing_does_not_lay_out_the_help_again(monkeypatch: pytest.MonkeyPatch) -> None:
    told, console = HelpText(PLAIN, own_map()), Console(width=76, file=StringIO(), color_system=None)
    before = console.render_lines(told.found())
    with monkeypatch.context() as patch:
        patch.setattr(Table, "__rich_console__", lambda *_: pytest.fail("a row is laid out anew"))
        assert len(console.render_lines(told.found("mirror"))) < len(before)
        assert console.render_lines(told.found()) == before
    narrow = console.render_lines(told.found(), console.options.update(width=40))
    assert len(narrow) > len(before), "another width is laid out by itself"


def test_descriptions_of_keys_wrap_under_themselves() -> None:
    console = Console(width=50, file=StringIO(), color_system=None)
    console.print(HelpText(PLAIN, own_map()).found())
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    first = next(number for number, line in enumerate(lines) if "move; across" in line)
    column = lines[first].index("move; across")
    assert lines[first + 1][:column].strip() == "", "the key stands in the first line alone"
    assert lines[first + 1][column] != " "


async def test_save_asks_for_a_name_once(on: Stage, tmp_path: Path) -> None:
    await on.type("cat")
    await on.press("ctrl+s")
    assert on.prompt.field.value == "save untitled.ipuz"
    on.prompt.field.value = f"save {tmp_path / 'cat.ipuz'}"
    await on.press("enter")
    assert read_puzzle(tmp_path / "cat.ipuz").grid[Position(0, 0)].content == Content.of("C")
    await on.press("home", "d", "ctrl+s")
    assert read_puzzle(tmp_path / "cat.ipuz").grid[Position(0, 0)].content == Content.of("D")
    assert not on.line("title").startswith("cat *")


async def test_a_sample_asks_for_a_name_in_any_installation(on: Stage, tmp_path: Path) -> None:
    for folder in ("xwtui", "puzzles"):
        (tmp_path / folder).mkdir()
    (tmp_path / "xwtui" / "resources.py").touch()
    sample = tmp_path / "puzzles" / SAMPLES[0]
    write_puzzle(sample, on.bench.puzzle)
    as_shipped = sample.read_bytes()
    await on.verb(f"open {sample}")
    await on.type("cat")
    await on.press("ctrl+s")
    assert on.prompt.field.value == f"save {sample.name}", "in the folder where one is"
    await on.press("escape", "ctrl+q", "enter")
    assert on.prompt.field.value == sample.name
    assert sample.read_bytes() == as_shipped


async def test_export_writes_the_format_of_the_suffix(on: Stage, small: Puzzle, tmp_path: Path) -> None:
    await on.press("ctrl+e")
    assert on.prompt.field.value == "export untitled.puz"
    on.prompt.field.value = f"export {tmp_path / 'cat.txt'}"
    await on.press("enter")
    assert read_puzzle(tmp_path / "cat.txt").grid == small.grid


async def test_export_lists_formats_and_takes_one_by_name(
    on: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await on.press("ctrl+e")
    offers = on.editor.query_one(CompletionList).rows
    assert [offer.word for offer in offers][:2] == ["puz", "ipuz"]
    assert {"jpz", "xd", "pdf", "html", "svg", "docx"} <= {offer.word for offer in offers}
    assert "PDF: untitled.pdf" in [offer.description for offer in offers]
    await on.press(*"svg", "enter")
    assert (tmp_path / "untitled.svg").read_bytes().startswith(b"<")
    await on.press("ctrl+e")
    assert on.prompt.field.value == "export untitled.svg"
    assert [row.word for row in on.editor.query_one(CompletionList).rows[:2]] == ["again", "svg"]
    await on.press("tab", "tab", "tab")
    assert on.prompt.field.value == "export puz"


async def test_a_format_is_named_by_its_first_word_and_the_key_restarts_a_refused_line(
    on: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await on.press("ctrl+e", *"manuscrip", "enter")
    assert on.prompt.field.value == "export manuscrip", "it was refused"
    await on.press("ctrl+e", *"manuscript")
    assert on.prompt.field.value == "export manuscript"
    await on.press("ctrl+e", "enter")
    assert (tmp_path / "untitled.manuscript.pdf").exists()


async def test_ctrl_c_explains_how_to_quit(on: Stage) -> None:
    await on.press("ctrl+c")
    assert "Ctrl+Q" in on.line("message")


async def test_ctrl_c_stops_a_running_question(on: Stage) -> None:
    stopped = Event()

    def wait(_: AnswerReporter) -> None:
        stopped.wait(PATIENCE_SECONDS)

    on.bench.jobs.answer.start_plain(wait)
    try:
        await on.press("ctrl+c")
        assert on.bench.asked[-1] == "stop"
    finally:
        stopped.set()


async def test_notices_and_saving_are_shown_in_the_message_line(on: Stage) -> None:
    await on.tell(Notice("beware [b]", Severity.WARNING))
    assert on.line("message") == "beware [b]"
    await on.tell(Saved(Path("heart.ipuz").absolute()))
    assert on.line("message") == "saved heart.ipuz"


async def test_a_word_list_notice_does_not_hide_the_last_answer(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        await on.tell(Saved(Path("heart.ipuz").absolute()))
        for line in (6, 7):
            await on.tell(LexiconReady(10, 0.0, (f"kitchen: skipped line {line}",)))
            assert on.line("message") == "saved heart.ipuz", "it is said by itself"
        await on.press("right")
        assert on.line("message") == "kitchen: skipped line 7"
        await on.press("right")
        assert on.line("message") == ""
        await on.tell(Saved(Path("throb.ipuz").absolute()))
        assert on.line("message") == "saved throb.ipuz"


async def test_a_delayed_notice_is_kept_once(on: Stage) -> None:
    skipped = tuple(f"kitchen: skipped line {line}" for line in (6, 7))
    await on.tell(Saved(Path("heart.ipuz").absolute()))
    await on.tell(LexiconReady(10, 0.0, skipped))
    await on.press("right")
    assert on.line("message").startswith("kitchen: skipped line 6 and 1 more")
    await on.press("quotation_mark")
    assert all(on.text().count(text) == 1 for text in skipped)


async def test_a_keystroke_in_a_file_name_reads_its_folder_once(
    stage: OpenStage, small: Puzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles" / "heart.ipuz").touch()
    async with stage(small) as on:
        await on.press("colon", *"open", "space", *"puzzles/h")
        read: list[str] = []
        scandir = os.scandir

        def reading(folder: Path) -> object:
            read.append(Path(folder).name)
            return scandir(folder)

        with monkeypatch.context() as patch:
            patch.setattr(os, "scandir", reading)
            await on.press("e")
        assert "heart.ipuz" in on.text()
        assert read.count("puzzles") == 1
        await on.press("escape", "colon", *"open", "space", *"puzzles/t")
        (tmp_path / "puzzles" / "throb.ipuz").touch()
        await on.press("backspace", "t")
        assert "throb.ipuz" in on.text()


@pytest.mark.parametrize("key", ["quotation_mark", "f7"])
async def test_the_first_of_several_notices_is_shown_with_the_key_for_all(
    stage: OpenStage, small: Puzzle, key: str
) -> None:
    skipped = tuple(f"kitchen: skipped line {line}" for line in (6, 7, 8))
    async with stage(small, size=(120, 40)) as on:
        other = on.app.keys.with_keys("other", [(("quotation_mark",), ""), ((key,), "what was said")])
        on.app.keys = other
        on.editor.take_keys()
        await on.tell(LexiconReady(10, 0.0, skipped))
        cap = {"quotation_mark": "the double-quote key", "f7": "F7"}[key]
        assert on.line("message") == f"kitchen: skipped line 6 and 2 more; {cap} shows all"
        await on.press(key)
        places = [on.text().index(f"  {text}") for text in skipped]
        assert places == sorted(places)


def test_saving_elsewhere_shows_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "puzzles").mkdir()
    told = {name: Saved(tmp_path / name).words for name in ("kin.ipuz", "puzzles/kin.ipuz")}
    assert told == {"kin.ipuz": "saved kin.ipuz in ~", "puzzles/kin.ipuz": "saved kin.ipuz in ~/puzzles"}
    assert Saved(Path("/elsewhere/kin.ipuz")).words == "saved kin.ipuz in /elsewhere"
    monkeypatch.chdir(tmp_path / "puzzles")
    assert Saved(tmp_path / "puzzles/kin.ipuz").words == "saved kin.ipuz"


async def test_the_order_of_entries_can_be_chosen(on: Stage) -> None:
    assert "emptiest first ▾" in on.text()
    await on.press("f3")
    assert "worst first ▾" in on.text()
    await on.press("f3")
    assert "in clue order ▾" in on.text()
    assert [row.name for row in on.editor.desk.entries.rows] == [slot.name for slot in on.grid.slots]
    assert load_settings().entry_order == "clue"


async def test_another_order_is_shown_from_its_first_entry(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        await on.press(*["down"] * 14)
        assert on.editor.desk.entries.top > 0, "the list shows the entry of the cursor"
        for _ in range(3):
            await on.press("f3")
            assert on.editor.desk.entries.top == 0


async def test_themes_can_be_changed_and_are_stored(on: Stage) -> None:
    seen = set()
    looks = load_themes()
    for _ in looks:
        await on.press("ctrl+t")
        await until(on, lambda: on.app.typeahead.is_idle, "the other theme")
        seen.add(on.app.colour_theme.name)
    assert seen == set(looks)
    assert load_settings().theme == on.app.colour_theme.name


@pytest.mark.parametrize("text", ["\x1b[2J", "[bold red]x[/]", "a\u202eb"])
async def test_markup_in_files_is_shown_literally(stage: OpenStage, small: Puzzle, text: str) -> None:
    puzzle = replace(small.with_clue(small.grid.slots[0], text), title=text)
    async with stage(puzzle, size=(140, 40)) as on:
        shown = on.text()
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        await on.press("f2")
        assert "\x1b" not in on.text()


async def test_the_entry_list_follows_the_cursor_and_its_order(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        listed = on.editor.desk.entries

        def is_in_view() -> bool:
            shown = listed.rows[listed.top :][: listed.size.height]
            return on.bench.cursor.slot is not None and on.bench.cursor.slot.name in [row.name for row in shown]

        slots = on.grid.slots
        on.bench.cursor.move_to(slots[-1].positions[0], Direction.DOWN)
        await on.pilot.pause()
        assert is_in_view()
        options = {slot.name: SlotOptions(50, number) for number, slot in enumerate(reversed(slots))}
        await on.tell(OptionsReady(on.bench.revision, options))
        assert is_in_view(), "the row has gone elsewhere"
        assert listed.top == 0, "the head is in view as well"
        on.bench.cursor.move_to(slots[0].positions[0], Direction.ACROSS)
        await on.pilot.pause()
        assert is_in_view()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("save {}/nowhere/x.ipuz", "there is no folder"),
        ("export {}/x.puz", ".puz cannot hold empty squares"),
        ("open {}/nowhere.ipuz", "cannot read"),
    ],
)
async def test_a_refused_file_name_can_be_corrected(
    stage: OpenStage, small: Puzzle, tmp_path: Path, name: str, said: str
) -> None:
    line = name.format(tmp_path)
    async with stage(small, size=(200, 24)) as on:
        await on.press("colon")
        on.prompt.put(line)
        await on.press("enter")
        assert on.prompt.field.value == line
        assert said in on.text(), "the reason stands above the line"
        await on.type("abc")
        assert on.grid == small.grid
        assert said not in on.text()
        await on.press("escape")
        assert "not run" in on.line("message")


@pytest.mark.parametrize("line", ["nonsense", "go 99A", "block r99c1"])
async def test_a_refused_line_stays_selected_so_typing_does_not_reach_the_grid(on: Stage, line: str) -> None:
    before = on.grid
    await on.press("colon")
    await on.type(line)
    await on.press("enter")
    assert on.prompt.field.value == line
    assert "-refused" in on.editor.classes
    await on.type("hint off")
    await on.press("enter")
    assert on.grid == before
    assert on.prompt.field.value == "hint off", "what is typed goes over it"
    await on.press("escape", "c")
    assert on.grid != before


async def test_keys_do_not_change_the_grid_while_a_line_is_typed(on: Stage) -> None:
    """Undo reverts typing on the line, and other keys explain what they would do."""
    await on.type("cat")
    before = on.app.session.puzzle
    await on.press("colon")
    await on.type("46A")
    await on.press("enter", "ctrl+l")
    assert "Esc leaves this line first" in on.text()
    assert on.app.session.puzzle == before, "nothing is locked"
    await on.type("go")
    await on.press("ctrl+z")
    assert (on.prompt.field.value, on.app.session.puzzle) == ("g", before)
    await on.press("escape", "ctrl+z")
    assert on.app.session.puzzle != before


@pytest.mark.parametrize(("key", "verb"), [("ctrl+s", "save "), ("ctrl+e", "export "), ("ctrl+o", "open ")])
async def test_ctrl_u_deletes_the_name_and_keeps_the_verb(on: Stage, key: str, verb: str) -> None:
    await on.press(key, *"heart", "ctrl+u")
    field = on.prompt.field
    assert field.value == verb
    await on.press("ctrl+u")
    assert not field.value


async def test_a_verb_typed_over_a_refused_line_may_begin_with_a_colon(on: Stage) -> None:
    await on.verb("export /nowhere/at.all")
    await on.verb("title Burst")
    assert on.app.session.puzzle.title == "Burst"


async def test_shift_tab_starts_at_the_last_completion_and_does_nothing_without_any(
    on: Stage,
) -> None:
    offers = on.editor.query_one(CompletionList)
    await on.type(":symmetry ro")
    assert offers.styles.height is not None
    assert offers.styles.height.value == len(offers.rows) + 1 == 3
    await on.press("shift+tab")
    assert on.prompt.field.value == offers.rows[-1].line
    offers.offer([])
    assert offers.walk(1) is None


async def test_only_verb_lines_are_completed_while_typing(on: Stage) -> None:
    on.prompt.ask()
    assert on.prompt.field.suggester is not None
    on.prompt.ask_rebus()
    assert on.prompt.field.suggester is None


async def test_a_list_notice_is_repeated_at_a_start_only_if_its_file_changed(
    stage: OpenStage, small: Puzzle
) -> None:
    for state, is_said in (("one file", True), ("one file", False), ("another file", True)):
        async with stage(small, size=(120, 40)) as on:
            await on.tell(LexiconReady(10, 0.0, ("pantry: skipped line 6",), "pantry", state))
            assert (on.line("message") == "pantry: skipped line 6") is is_said, state
            await on.press("quotation_mark")
            assert "pantry: skipped line 6" in on.text(), "one key away in any case"


async def test_each_list_notice_is_kept_once(stage: OpenStage, small: Puzzle) -> None:
    for _ in ("told now", "told at the last start"):
        async with stage(small, size=(120, 40)) as on:
            await on.tell(
                LexiconReady(10, 0.0, ("pantry: skipped line 6", "pantry: skipped line 9"), "pantry", "one")
            )
            await on.press("quotation_mark")
            told = [line.strip() for line in on.text().splitlines() if "skipped" in line and "more" not in line]
            assert [line[-1] for line in told] == ["6", "9"]
