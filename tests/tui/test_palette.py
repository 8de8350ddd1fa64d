"""The palette of all actions, the list of all verbs, and word search on the screen."""

import os
import tomllib
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from textual.command import CommandPalette
from textual.events import Paste
from textual.widgets import Input

from tests.ruled import ruled
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import formats_to_write, write_puzzle
from xwtui.model import Content, Ink, Kind, Position, Puzzle, RebusPlacing, Symmetry, edits
from xwtui.session.keys.key_map import own_map
from xwtui.session.settings import load_settings
from xwtui.session.verbs.dialogue import found_in_help
from xwtui.session.verbs.registry import MAIN_SET, VERBS
from xwtui.session.verbs.searching import VerbSearch, phrases_for, words_of
from xwtui.text import clauses_within
from xwtui.tui.editing.command_line import CompletionList
from xwtui.tui.screens.choosing import FindScreen, FoundList
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.help import HelpText
from xwtui.tui.screens.layouts import LayoutScreen
from xwtui.tui.screens.menu import CatalogueItem, catalogue, room_for_summary
from xwtui.tui.square_style import EMPTY_DOT, RULED_MARK
from xwtui.tui.themes import load_themes
from xwtui.tui.widgets.entry_list import EntryList


def test_every_verb_is_offered_once_with_the_main_set_first() -> None:
    by_verbs = [one for one in catalogue(own_map()) if one.name in VERBS]
    assert sorted(one.name for one in by_verbs) == sorted(VERBS)
    assert 35 <= len(MAIN_SET) <= 45
    assert [one.name for one in by_verbs[: len(MAIN_SET)]] == [verb.name for verb in MAIN_SET]
    assert next(one for one in by_verbs if one.name == "fill").key == "F5"


async def test_a_verb_is_found_and_run(on: Stage) -> None:
    await on.press("ctrl+p")
    assert isinstance(on.app.screen, CommandPalette)
    await on.type("block")
    await until(on, lambda: "symmetry" in on.text() or "mirror" in on.text(), "its help")
    await on.press("enter")
    assert isinstance(on.app.screen, Editor)
    assert on.grid[Position(0, 0)].kind is Kind.BLOCK


async def test_no_symbol_in_the_palette_is_two_cells_wide(on: Stage) -> None:
    await on.press("ctrl+p")
    assert "🔎" not in on.text()
    assert "› " in on.text()


@pytest.mark.parametrize("key", ["ctrl+p", "f9", "quotation_mark"])
async def test_readable_text_is_never_dimmed(on: Stage, key: str) -> None:
    await on.press(key)
    styles = {segment.style for strip in on.strips for segment in strip if segment.style and segment.text.strip()}
    assert not [style for style in styles if style.dim is not None], (
        "half of the contrast of a light theme is too little"
    )


async def test_watch_starts_immediately_without_a_file(on: Stage) -> None:
    assert not next(item for item in offered() if item.name == "watch").asks
    told = {item.name: item.summary for item in offered()}
    assert told["clue table"] == "write and review all clues in a table"
    assert told["watch screen"].startswith("watch the search event by event")
    await on.press("ctrl+p", *"watch", "enter")
    assert not on.line("message").startswith(":watch")


async def test_keys_typed_ahead_reach_the_palette(on: Stage) -> None:
    await on.burst("a", "ctrl+p", *"undo", "enter", "b")
    assert on.grid.pattern(on.grid.slot("1A")) in ("B??", "?B?"), "the edit was undone, then B was written"


async def test_a_colon_lists_the_main_set_most_used_first(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.press("colon")
        listed = on.editor.query_one(CompletionList)
        assert [offer.word for offer in listed.rows] == [verb.name for verb in MAIN_SET]
        await on.press("escape")
        for _ in range(2):
            await on.verb("symmetry none")
        await on.verb("title One")
        await on.press("colon")
        assert [offer.word for offer in listed.rows[:2]] == ["symmetry", "title"]
    async with stage(small) as on:
        await on.press("colon")
        listed = on.editor.query_one(CompletionList)
        assert [offer.word for offer in listed.rows[:2]] == ["symmetry", "title"], "at the next start as well"


async def test_a_puzzle_with_theme_answers_starts_from_the_palette(on: Stage) -> None:
    await on.press("a", "ctrl+p")
    await on.type("theme answers")
    await on.press("enter")
    await until(on, lambda: isinstance(on.app.screen, LayoutScreen), "the screen")
    await on.type("braveheart, sweetheart, 15x15")
    await on.press("enter", "tab", "enter")
    grid = on.app.session.puzzle.grid
    locked = {grid.answer(slot) for slot in grid.slots if grid[slot.start].ink is Ink.LOCKED}
    assert {"BRAVEHEART", "SWEETHEART"} <= locked
    assert len(on.app.puzzles.sessions) == 2, "what was begun stays open"


async def test_color_themes_are_found_in_the_palette(on: Stage) -> None:
    for query in ("colour theme", "color theme"):
        assert set(found(query)[:3]) == {"colours use", "colours list", "next colours"}
    await on.verb("colours use light")
    assert on.app.colour_theme.name == "light"
    assert load_settings().theme == "light"
    await on.verb("theme list")
    assert "* light" in on.text()


_FOUND = {
    "dictionary": "define",
    "definition": "define",
    "meaning": "define",
    "statistics": "stats",
    "number of words": "stats",
    "word count": "stats",
    "duplicate": "check",
    "duplicates": "check",
    "errors": "check",
    "autofill": "fill",
    "clue database": "book",
    "cross-reference": "clue",
    "black square": "block",
    "preferences": "colours use, keys use",
    "settings": "colours use, keys use",
    "Dark mode": "colours use",
    "light mode": "colours use",
    "rename": "save",
    "save as": "save",
    "designs": "designs",
    "grid around theme": "design",
    "word list": "lists",
    "dictionary file": "lists",
    "preview": "export",
    "stems": "distinct",
    "same root": "distinct",
    "timer": "solve",
    "test solve": "solve",
    "swedish": "alphabet, lists build",
    "polish": "improve, alphabet",
    "british": "profile",
    "contrast": "colours use",
    "colour-blind": "colours use",
    "crosshare": "keys use, keys show, profile",
    "accent": "alphabet",
    "circle": "circle",
    "shade": "shade",
    "mirror": "symmetry",
    "reveal": "solve reveal",
    "print": "export",
    "pdf": "export",
    "submit": "export",
    "newspaper": "export, profile",
    "undo": "undo",
    "exit": "quit",
    "discarded": "discarded",
    "discard": "discarded",
    "unsaved": "recover, discarded",
    "theme": "theme answers",
    "anagram": "find",
    "delete": "clear",
    "backup": "snapshot save",
    "stuck": "why",
    "alternatives": "swap",
    "several letters": "rebus",
    "better": "improve",
    "pen": "accept",
    "take snapshot": "snapshot save",
    "theme entry": "theme answers, design",
    "clean up": "clear",
}


@cache
def offered() -> tuple[CatalogueItem, ...]:
    return tuple(catalogue(own_map()))


@cache
def search() -> VerbSearch:
    return VerbSearch([item.searchable for item in offered()])


def found(query: str) -> list[str]:
    """Return the names that the palette finds, best first."""
    return [offered()[place].name for place, _ in search().found(query)]


def test_verbs_are_found_by_constructors_terms() -> None:
    for query, names in _FOUND.items():
        wanted = set(names.split(", "))
        assert set(found(query)[: len(wanted)]) == wanted, query
        assert wanted <= {line.split("  ")[1] for line in found_in_help(query, own_map())}, query


@pytest.mark.parametrize(("table", "least"), [("seen", 240), ("unseen", 260)])
def test_95_of_100_phrases_find_their_verb_in_the_top_three(table: str, least: int) -> None:
    phrases = tomllib.loads((Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8"))[table]
    missed = [phrase for phrase, names in phrases.items() if not {*names.split(", ")} & {*found(phrase)[:3]}]
    assert len(phrases) >= least
    assert len(missed) <= len(phrases) * 0.05, missed


def test_every_search_phrase_finds_its_verb_in_the_top_three() -> None:
    owners: dict[str, set[str]] = {}
    for item in offered():
        for phrase in phrases_for(item.name):
            owners.setdefault(phrase, set()).add(item.name)
    assert all(phrases_for(item.name) for item in offered())
    assert not [phrase for phrase, names in owners.items() if not names & {*found(phrase)[:3]}]


def test_every_prefix_of_a_name_finds_it() -> None:
    for name in (item.name for item in offered()):
        assert all(name in found(name[:end]) for end in range(2, len(name))), name
        assert found(name)[0] == name


def test_a_misspelt_word_is_understood() -> None:
    assert "symmetry" in found("symetry")[:3]
    assert "define" in found("dictionery")[:3]
    assert not found("qqqqqq")


def test_a_name_prefix_ranks_after_exact_names_and_before_the_rest() -> None:
    assert found("pen")[:2] == ["accept", "pencil"]
    assert "open" not in found("pen")[:5]


async def choose(on: Stage, query: str, row: str) -> None:
    """Type into the palette, wait for a row, and take the first result."""
    await on.press("ctrl+p")
    await on.type(query)
    await until(on, lambda: row in on.text(), "the row")
    await on.press("enter")


async def test_symmetry_is_turned_off_from_the_palette(on: Stage) -> None:
    await choose(on, "symmetry off", "symmetry  ")
    await until(on, lambda: on.prompt.field.value == "symmetry off ", "the line")
    await on.press("enter")
    assert on.app.session.puzzle.symmetry is Symmetry.NONE


def test_the_name_of_each_format_finds_export_first() -> None:
    for name, suffix in formats_to_write():
        assert found(suffix.removeprefix("."))[0] == "export", name


@pytest.mark.parametrize(
    ("query", "name", "row", "line"),
    [
        ("author", "author", "author  ", "author "),
        ("pdf", "export", "Export the puzzle", "export pdf "),
        *((query, "why 1A WORD", "why 1A WORD  ", "why 1A ") for query in ("why word", "will not fit")),
        ("why not this word", "why 1A WORD", "why 1A WORD  ", "why 1A "),
    ],
)
async def test_verbs_with_arguments_prompt_for_them(on: Stage, query: str, name: str, row: str, line: str) -> None:
    """The command line starts with the verb's choice."""
    assert found(query)[0] == name
    await choose(on, query, row)
    await until(on, lambda: on.prompt.field.value == line, "the line")


async def test_the_palette_clears_pencil(on: Stage) -> None:
    before = on.app.session.puzzle.grid
    await on.verb("pencil on")
    await on.press("a")
    await choose(on, "clear pencil", "clear pencil  ")
    await until(on, lambda: on.app.session.puzzle.grid == before, "the pencil is gone")


@pytest.mark.parametrize("query", ["browser", "serve"])
async def test_the_palette_and_help_mention_the_browser(on: Stage, query: str) -> None:
    assert found(query)[0] == "serve"
    await choose(on, query, "serve  ")
    await until(on, lambda: "xwtui serve heart.ipuz" in on.text(), "the page")
    assert found_in_help(query, own_map())[-1].startswith("  serve")


@pytest.mark.parametrize(
    ("search", "verb"), [("word list", "lists"), ("swedish", "alphabet"), ("print", "export")]
)
def test_exact_names_come_first_in_help_as_well(search: str, verb: str) -> None:
    assert found_in_help(search, own_map())[0].split()[0] == verb


def test_only_exact_names_rank_before_names_with_the_word() -> None:
    called = {item.name: {*item.searchable.phrases} for item in offered()}
    for word in {word for verb in VERBS.values() for word in verb.name.split()}:
        names = found(word)
        last = max(place for place, name in enumerate(names) if word in name.split())
        before = [name for name in names[:last] if not {*words_of(word)} <= {*words_of(name)}]
        assert all(word in called[name] for name in before), word
    assert found("write")[0] == "save", "which `solve write` has as its second word"


@pytest.mark.parametrize("width", [120, 200])
def test_a_palette_row_is_never_truncated_if_it_fits(width: int) -> None:
    for item in catalogue(own_map()):
        room = room_for_summary(item, width)
        assert 0 < len(clauses_within(item.summary, room)) <= room


def test_a_row_of_a_small_palette_ends_with_a_whole_word() -> None:
    for item in catalogue(own_map()):
        told = clauses_within(item.summary, room := room_for_summary(item, 80))
        assert len(told) <= room
        assert (
            f"{item.summary} ".startswith((f"{told} ", f"{told.removesuffix('…')} "))
            or item.summary[len(told)] in ",;:"
        )


async def test_a_row_barely_too_long_ends_with_a_whole_word_on_screen(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(70, 24)) as on:
        await on.press("ctrl+p")
        await until(on, lambda: "Start a puzzle from a template…" in on.text(), "the row")


async def test_a_verb_has_one_short_line_in_the_palette(on: Stage) -> None:
    await on.press("ctrl+p")
    await on.type("lists learn")

    def rows() -> list[str]:
        return [line for line in on.text().splitlines() if "lists learn  " in line and "›" not in line]

    await until(on, lambda: bool(rows()), "the row")
    assert "Make a word list" in rows()[0]
    await on.press("ctrl+u")
    assert on.app.screen.query_one(Input).value == ""


async def test_theme_answers_are_pasted_line_by_line(on: Stage) -> None:
    on.editor.verbs.new_grids.show()
    await on.pilot.pause()
    on.app.screen.post_message(Paste("brave heart\r\nsweetheart\n"))
    await on.pilot.pause()
    assert "brave heart, sweetheart" in on.text()
    assert "29A (10), 46A (10)" in on.text()


IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


def find_screen(on: Stage) -> list[str]:
    screen = on.showing(FindScreen)
    return [row.answer for row in screen.query_one(FoundList).rows]


async def test_words_are_found_while_typing_and_written(on: Stage) -> None:
    await on.press("slash")
    assert find_screen(on) == []
    await on.type("*o*")
    assert find_screen(on) == ["ALOES", "DOG"]
    assert "● 1 fit 1A" in on.text()
    await on.press("enter")
    assert "ALOES does not fit 1A, which reads ???" in on.text()
    await on.press("down", "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


async def test_typed_ahead_text_is_searched(on: Stage) -> None:
    await on.type("/?m?")
    assert find_screen(on) == ["EMU"]
    await on.press("backspace", "backspace", "backspace")
    await on.type("--ends g")
    assert find_screen(on) == ["DOG"]
    await on.press("ctrl+u")
    assert find_screen(on) == []
    await on.type("--match (")
    assert "cannot be read" in on.text()
    await on.press("escape")
    assert isinstance(on.app.screen, Editor)
    assert on.grid.answer(on.grid.slot("1A")) is None


async def test_the_verb_shows_its_words_in_the_list(on: Stage) -> None:
    await on.verb("find c?t")
    assert find_screen(on) == ["CAT"]
    await on.press("enter")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"
    await on.verb("find --contains no --squares 4")
    assert find_screen(on) == []


async def test_a_word_that_contradicts_pen_does_not_fit(on: Stage) -> None:
    await on.type("d")
    await on.verb("find ???")
    assert "● 1 fit 1A" in on.text()
    await on.press("enter")
    assert "CAT does not fit 1A, which reads D??" in on.text()


@pytest.mark.parametrize("option", ["--in ", "--in=", '"--in" '] if IS_DEEP else ["--in "])
async def test_a_folder_is_searched_on_request(
    stage: OpenStage, small: Puzzle, tmp_path: Path, option: str
) -> None:
    write_puzzle(tmp_path / "cats.ipuz", Puzzle(grid_from_text("CAT\nO.E\nGEN\n")))
    async with stage(small) as on:
        await on.press("slash")
        await on.type(f"c?? {option}{tmp_path}")
        assert "Enter searches the folder" in on.text()
        await on.press("enter")
        await until(on, lambda: isinstance(on.app.screen, FindScreen), "results")
        assert find_screen(on) == ["CAT", "COG"]


HEART = Content.of("HEART")


async def test_a_square_with_a_rule_is_marked_and_explained(on: Stage) -> None:
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


async def test_undo_removes_the_mark(on: Stage) -> None:
    await on.verb("may r1c2 HEART A")
    await on.press("ctrl+z")
    assert on.letter_at(Position(0, 1)) == EMPTY_DOT
    assert on.bench.puzzle.rules.is_empty


async def test_an_entry_with_a_rule_is_marked_and_explained(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        names = on.editor.query_one(EntryList)
        await on.verb("rule 1A --min 60 --contains X")
        assert "scores 60 or more, contains X" in on.line("entry")
        assert [row.name for row in names.rows if row.has_rule] == ["1A"]
        assert "1A§" in on.text()
        await on.verb("goto 1D")
        assert "§" not in on.line("entry")


async def test_the_title_shows_the_number_of_rules(on: Stage) -> None:
    assert "rule" not in on.line("title")
    await on.verb("want CAT DOG")
    assert "   1 rule " in on.line("title")
    await on.verb("pangram on")
    assert "   2 rules " in on.line("title")


async def test_new_rebus_squares_are_penciled_and_undone_in_one_step(stage: OpenStage, small: Puzzle) -> None:
    asking = replace(small, rules=ruled(placings=(RebusPlacing((HEART,), 1, 2),)))
    async with stage(asking) as on:
        squares = {Position(1, 1): HEART, Position(1, 2): Content.of("S")}
        on.bench.edit("fill", lambda puzzle: edits.write_fill(puzzle, squares))
        await on.pilot.pause()
        assert on.grid[Position(1, 1)].ink is Ink.PENCIL
        assert "HE…" in on.text()
        await on.press("f8")
        assert on.grid[Position(1, 1)].ink is Ink.PEN
        assert on.bench.puzzle.rules.of(RebusPlacing) == (RebusPlacing((HEART,), 0, 1),)
        await on.press("ctrl+z", "ctrl+z")
        assert on.bench.puzzle == asking


def test_help_explains_the_marks() -> None:
    drawn = StringIO()
    Console(file=drawn, width=120).print(HelpText(load_themes()["dark"].palette, own_map()).found())
    text = drawn.getvalue()
    assert "a square that a rule limits to certain letters" in text
    assert "the entry has its own rule" in text
    assert "rebus place" in text
