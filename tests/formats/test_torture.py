"""Eight hard puzzles, exported and compared value by value in third-party programs."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.formats.published import published
from tests.formats.readers import HAS_NPM, PROGRAMS, Seen, load_pypuz, needs_npm, opened
from tests.formats.test_print import needs_chromium, play
from tests.formats.torture import IS_DEEP, LONG, NAMES, TORTURE
from xwtui.formats.across_lite import LatinText
from xwtui.formats.grid_text import found_symmetry, grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import read_bytes, read_puzzle, suffixes, write_puzzle
from xwtui.model import Direction, Grid, Kind, Puzzle, Slot, SlotKey
from xwtui.model.clues import EntryClues, unsettled
from xwtui.model.markup import as_markup
from xwtui.model.review import LONGEST_CLUE

each_puzzle = pytest.mark.parametrize("puzzle", [TORTURE[name] for name in NAMES], ids=NAMES)

HOLDS_ALL = (".ipuz", ".json", ".jpz", ".xml")


def clues_of(grid: Grid, text: Callable[[Slot], str]) -> dict[SlotKey, EntryClues]:
    return dict(unsettled({(slot.start, slot.direction): text(slot) for slot in grid.slots if text(slot)}))


def as_puz(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle as .puz represents it: no bars, no voids, and text in Latin-1."""
    grid = puzzle.grid.with_bars(())
    latin = LatinText()

    def clue(slot: Slot) -> str:
        text = latin.text(puzzle.printed_clue(slot), "a clue")
        return as_markup(text if len(text) <= LONGEST_CLUE else text[: LONGEST_CLUE - 3] + "...")

    return replace(
        puzzle,
        grid=grid,
        clues=clues_of(grid, clue),
        title=latin.text(puzzle.title, "the title"),
        symmetry=found_symmetry(grid),
    )


def contents(grid: Grid) -> list[str | None]:
    return [str(square.content).strip("[]") if square.content else None for square in grid.squares]


def test_the_puzzles_have_the_intended_features() -> None:
    assert len(TORTURE) == 8
    assert 590 < len(LONG) < 620
    sizes = sorted(puzzle.grid.height for puzzle in TORTURE.values())
    assert (sizes[0], sizes[-1]) == (5, 23)


@each_puzzle
def test_lossless_formats_preserve_everything(puzzle: Puzzle, tmp_path: Path) -> None:
    for suffix in HOLDS_ALL:
        path = tmp_path / f"p{suffix}"
        assert write_puzzle(path, puzzle) == ()
        assert read_puzzle(path) == published(puzzle)


@each_puzzle
def test_features_a_format_claims_read_back(puzzle: Puzzle, tmp_path: Path) -> None:
    for suffix in suffixes():
        held = as_puz(puzzle) if suffix in (".puz", ".al.txt") else puzzle
        path = tmp_path / f"p{suffix}"
        if not write_puzzle(path, held, lossy=True):
            assert read_puzzle(path) == published(held), suffix


_MARKS = ("circles", "shades", "bars", "voids")
READ = {
    ("puzpy", ".puz"): ("shades", "bars", "voids"),
    ("pypuz (Crossword Nexus)", ".puz"): ("shades", "voids"),
    ("pypuz (Crossword Nexus)", ".ipuz"): (),
    ("pypuz (Crossword Nexus)", ".jpz"): (),
    ("cursewords", ".puz"): ("letters", "shades", "bars", "voids", "notes", "copyright"),
    ("readpuz", ".puz"): ("clues", *_MARKS),
    ("xd-crossword-tools 12", ".puz"): ("shades", "voids", "notes"),
    ("xd-crossword-tools 12", ".xd"): ("shades", "voids", "notes"),
    ("xd-crossword-tools 12", ".jpz"): ("circles", "shades", "voids", "notes"),
}
"""Programs with the fields they do not report: cursewords has first letters only, readpuz orders clues."""

_LINE_END = re.compile(r"(<br>)?\r?\n")
UNREAD = {".xd": ("voids",), ".jpz": ("rebus", "two answers in a square", "voids")}
"""Features xd-crossword-tools cannot read: .xd voids become letters, and .jpz is converted to .xd first."""


def shown(puzzle: Puzzle) -> Seen:
    """Return everything visible of a puzzle."""
    squares = puzzle.grid.squares
    return Seen(
        contents(puzzle.grid),
        [square.circle for square in squares],
        [square.shade for square in squares],
        len(puzzle.grid.bars),
        [square.kind is Kind.VOID for square in squares],
        None,
        {(slot.direction, str(slot.number)): puzzle.printed_clue(slot) for slot in puzzle.grid.slots},
        puzzle.title,
        puzzle.notes,
        puzzle.author,
        puzzle.copyright,
    )


@pytest.mark.parametrize(("program", "suffix"), READ)
def test_a_program_sees_everything_written(program: str, suffix: str, tmp_path: Path) -> None:
    (look,) = (each.look for each in PROGRAMS if each.name == program)
    is_xd = program.startswith("xd")
    if not HAS_NPM and (is_xd or program == "readpuz"):
        pytest.skip("needs node")
    paths = [tmp_path / f"{number}{suffix}" for number, _ in enumerate(NAMES)]
    signed = [
        replace(puzzle, author=puzzle.author or "Ann", copyright=puzzle.copyright or "© Ann")
        for puzzle in map(TORTURE.__getitem__, NAMES)
    ]
    puzzles = [replace(puzzle, notes="") for puzzle in signed] if is_xd else signed
    for path, puzzle in zip(paths, puzzles, strict=True):
        write_puzzle(path, puzzle, lossy=True)  # Without notes for xd's tools, which read them as headers.
    for name, puzzle, seen in zip(NAMES, puzzles, look(paths), strict=True):
        if is_xd and name in UNREAD.get(suffix, ()):
            continue
        held = shown(as_puz(puzzle) if suffix == ".puz" else puzzle)
        assert seen is not None, "read without an error"
        first, firsts = ([text and text[0] for text in each.letters or ()] for each in (seen, held))
        assert first == firsts
        texts, expected = (sorted(map(html.unescape, (each.clues or {}).values())) for each in (seen, held))
        assert texts == expected
        for field in set(Seen._fields) - {"numbers", *READ[program, suffix]}:
            told, there = getattr(seen, field), getattr(held, field)
            if field == "clues":
                told, there = ({key: html.unescape(text) for key, text in each.items()} for each in (told, there))
            elif field == "notes":
                told = _LINE_END.sub("\n", told)
            assert told == there, (name, field)


@each_puzzle
@pytest.mark.parametrize("suffix", [".puz", ".ipuz", ".jpz"])
def test_pypuz_finds_the_squares_of_each_clue(puzzle: Puzzle, suffix: str, tmp_path: Path) -> None:
    held = as_puz(puzzle) if suffix == ".puz" else puzzle
    write_puzzle(tmp_path / f"p{suffix}", puzzle, lossy=True)
    for direction, clues in zip(Direction, load_pypuz(tmp_path / f"p{suffix}").clues, strict=True):
        squares = [[tuple(cell) for cell in clue.cells] for clue in clues["clues"]]
        slots = held.grid.slots_of(direction)
        assert squares == [[(at.column, at.row) for at in slot.positions] for slot in slots]


@needs_npm
def test_an_npm_reader_opens_an_unfinished_xd(tmp_path: Path) -> None:
    puzzle = puzzle_of_grid(grid_from_text("A.C\nDEF\nGHI"))
    write_puzzle(tmp_path / "p.xd", puzzle.with_clue(puzzle.grid.slot("4A"), "Four"))
    [read] = opened("xd-crossword-tools", [tmp_path / "p.xd"])
    assert read["report"]["errors"] == []
    assert [clue["body"] for clue in read["clues"]["across"]] == ["[XXX]", "Four", "[XXX]"]
    assert [clue["answer"] for clue in read["clues"]["down"]] == ["ADG", "-EH", "CFI"]
    assert [[tile["type"] for tile in row] for row in read["tiles"]] == [["letter"] * 3] * 3


@needs_npm
def test_a_puz_rewritten_by_an_npm_reader_is_read(tmp_path: Path) -> None:
    for number, name in enumerate(("5x5 with accents", "rebus")):
        held, path = as_puz(TORTURE[name]), tmp_path / f"{number}.puz"
        held = replace(held, notes="", author="Ann Ö. Nymous", copyright="© 2026")
        write_puzzle(path, held)
        [read] = opened("xd-crossword-tools", [path])
        again = read_bytes(read["xd"].encode())
        assert grid_to_text(again.grid) == grid_to_text(held.grid)
        assert (again.title, again.author, again.copyright) == (held.title, held.author, held.copyright)
        clues = [[made.printed_clue(slot) for slot in made.grid.slots] for made in (again, held)]
        assert clues[0] == clues[1]


@needs_chromium
@pytest.mark.skipif(not IS_DEEP, reason="the deep profile alone: a browser for each puzzle")
@pytest.mark.parametrize("name", NAMES)
def test_chromium(name: str, tmp_path: Path) -> None:
    puzzle = TORTURE[name]
    start, solved = play(puzzle, tmp_path, [["look"], ["select", "reveal", "all"], ["look"]])
    assert start["title"] == puzzle.title
    assert start["clues"] == [f"{slot.number} {puzzle.printed_clue(slot)}" for slot in puzzle.grid.slots]
    expected = [text or "#" for text in contents(puzzle.grid)]
    assert solved["letters"] == expected
    for mark in ("circle", "shade"):
        shown = [mark in names.split() for names in start["marks"]]
        assert shown == [getattr(square, mark) for square in puzzle.grid.squares]
    assert sum(len({"left", "top"} & set(names.split())) for names in start["marks"]) == len(puzzle.grid.bars)
    assert solved["message"] == "Solved!"


@each_puzzle
def test_reading_gives_the_same_puzzle_in_every_format(puzzle: Puzzle, tmp_path: Path) -> None:
    texts = {}
    for suffix in (".ipuz", ".jpz", ".xd", ".puz"):
        path = tmp_path / f"p{suffix}"
        write_puzzle(path, puzzle, lossy=True)
        texts[suffix] = grid_to_text(read_puzzle(path).grid)
    assert texts[".ipuz"] == texts[".jpz"] == texts[".xd"]
    assert texts[".puz"] == texts[".ipuz"].replace("_", "#")
