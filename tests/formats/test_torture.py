"""Eight hard puzzles, exported and compared value by value in programs that we did not write."""

import html
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import puz
import pypuz
import pytest
from cursewords import cursewords

from tests.formats.published import published
from tests.formats.readers import needs_npm, opened
from tests.formats.test_print import needs_chromium, play
from tests.formats.torture import IS_DEEP, LONG, NAMES, TORTURE
from xwtui.formats.across_lite import LatinText
from xwtui.formats.grid_text import found_symmetry, grid_to_text
from xwtui.formats.registry import puzzle_bytes, read_puzzle, suffixes, write_puzzle
from xwtui.model import Direction, Grid, Kind, Puzzle, Slot, SlotKey
from xwtui.model.clues import EntryClues, unsettled
from xwtui.model.markup import as_markup
from xwtui.model.review import LONGEST_CLUE

each_puzzle = pytest.mark.parametrize("puzzle", [TORTURE[name] for name in NAMES], ids=NAMES)

HOLDS_ALL = (".ipuz", ".json", ".jpz", ".xml")


def clues_of(grid: Grid, text: Callable[[Slot], str]) -> dict[SlotKey, EntryClues]:
    return dict(unsettled({(slot.start, slot.direction): text(slot) for slot in grid.slots if text(slot)}))


def as_puz(puzzle: Puzzle) -> Puzzle:
    """The puzzle as .puz holds it: no bars, no voids, and text in Latin-1."""
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


def clue_list(puzzle: Puzzle, direction: Direction) -> list[tuple[int, str]]:
    return [(slot.number, puzzle.printed_clue(slot)) for slot in puzzle.grid.slots if slot.direction is direction]


def test_they_are_what_they_are_to_be() -> None:
    assert len(TORTURE) == 8
    assert 590 < len(LONG) < 620
    sizes = sorted(puzzle.grid.height for puzzle in TORTURE.values())
    assert (sizes[0], sizes[-1]) == (5, 23)


@each_puzzle
def test_formats_that_hold_everything_do(puzzle: Puzzle, tmp_path: Path) -> None:
    for suffix in HOLDS_ALL:
        path = tmp_path / f"p{suffix}"
        assert write_puzzle(path, puzzle) == ()
        assert read_puzzle(path) == published(puzzle)


@each_puzzle
def test_what_a_format_says_that_it_holds_comes_back(puzzle: Puzzle, tmp_path: Path) -> None:
    for suffix in suffixes():
        held = as_puz(puzzle) if suffix in (".puz", ".al.txt") else puzzle
        path = tmp_path / f"p{suffix}"
        if not write_puzzle(path, held, lossy=True):
            assert read_puzzle(path) == published(held), suffix


@each_puzzle
def test_puzpy(puzzle: Puzzle) -> None:
    held = as_puz(puzzle)
    file = puz.load(puzzle_bytes(puzzle, ".puz", lossy=True).data)
    assert (file.version, file.title, file.author) == (b"1.3", held.title, held.author)
    assert file.notes.replace("\r\n", "\n") == held.notes
    numbering = file.clue_numbering()
    for direction, entries in ((Direction.ACROSS, numbering.across), (Direction.DOWN, numbering.down)):
        assert [(entry.number, entry.text) for entry in entries] == clue_list(held, direction)
    found = [file.rebus().get_rebus_solution(at) or letter for at, letter in enumerate(file.solution)]
    assert [None if letter == "." else letter for letter in found] == contents(held.grid)
    circled = [file.markup().is_markup_square(at, puz.GridMarkup.Circled) for at in range(len(file.solution))]
    assert circled == [square.circle for square in held.grid.squares]


@each_puzzle
@pytest.mark.parametrize("suffix", [".puz", ".ipuz", ".jpz"])
def test_pypuz(puzzle: Puzzle, suffix: str, tmp_path: Path) -> None:
    held = as_puz(puzzle) if suffix == ".puz" else puzzle
    path = tmp_path / f"p{suffix}"
    write_puzzle(path, puzzle, lossy=True)
    read = pypuz.load(str(path)) if hasattr(pypuz, "load") else _loaded(path)
    unescaped = html.unescape if suffix == ".ipuz" else str
    assert unescaped(read.metadata.title) == held.title
    cells = sorted(read.grid.cells, key=lambda cell: (cell.y, cell.x))
    assert [cell.solution if not cell.isBlock else None for cell in cells] == contents(held.grid)
    is_open = [not cell.isBlock and not cell.isEmpty for cell in cells]
    assert is_open == [square.is_open for square in held.grid.squares]
    assert [cell.style.get("shapebg") == "circle" for cell in cells] == [s.circle for s in held.grid.squares]
    if suffix != ".puz":
        assert [bool(cell.isEmpty) for cell in cells] == [s.kind is Kind.VOID for s in held.grid.squares]
        assert ["color" in cell.style for cell in cells] == [square.shade for square in held.grid.squares]
        assert sum(len(cell.style.get("barred", "")) for cell in cells) == len(held.grid.bars)
    for direction, clues in zip(Direction, read.clues, strict=True):
        slots = [slot for slot in held.grid.slots if slot.direction is direction]
        found = [(int(clue.number), unescaped(clue.clue)) for clue in clues["clues"]]
        assert found == clue_list(held, direction)
        squares = [[tuple(cell) for cell in clue.cells] for clue in clues["clues"]]
        assert squares == [[(at.column, at.row) for at in slot.positions] for slot in slots]


def _loaded(path: Path) -> Any:
    readers = {".puz": "fromPuz", ".ipuz": "fromIPuz", ".jpz": "fromJPZ"}
    return getattr(pypuz.Puzzle(), readers[path.suffix])(str(path))


@each_puzzle
def test_cursewords(puzzle: Puzzle, tmp_path: Path) -> None:
    held = as_puz(puzzle)
    path = tmp_path / "p.puz"
    write_puzzle(path, puzzle, lossy=True)
    grid = cursewords.Grid(0, 0, SimpleNamespace(height=50))
    grid.load(puz.read(str(path)))
    assert (grid.title, grid.author) == (held.title, held.author)
    cells = [grid.cells[column, row] for row in range(grid.row_count) for column in range(grid.column_count)]
    first = [text and text[0] for text in contents(held.grid)]
    assert [cell.solution if cell.is_letter else None for cell in cells] == first
    assert [cell.circled for cell in cells] == [square.circle for square in held.grid.squares]
    for direction in Direction:
        found = [(entry.number, entry.text) for entry in grid.clues[direction.word]]
        assert found == clue_list(held, direction)


def each_opened(package: str, suffix: str, folder: Path) -> dict[str, dict[str, Any]]:
    """What a reader makes of the puzzles, by name: one start of node for all."""
    paths = [folder / f"{number}{suffix}" for number, _ in enumerate(NAMES)]
    for path, name in zip(paths, NAMES, strict=True):
        write_puzzle(path, replace(TORTURE[name], notes=""), lossy=True)
    return dict(zip(NAMES, opened(package, paths), strict=True))


@needs_npm
def test_npm_readpuz(tmp_path: Path) -> None:
    for name, read in each_opened("@confuzzle/readpuz", ".puz", tmp_path).items():
        held = as_puz(TORTURE[name])
        assert (read["title"], read["author"], read["copyright"]) == (held.title, held.author, held.copyright)
        order = sorted(held.grid.slots, key=lambda slot: (slot.number, slot.direction.value))
        assert read["clues"] == [held.printed_clue(slot) for slot in order]
        assert read["solution"] == "".join(text[0] if text else "." for text in contents(held.grid))


@needs_npm
@pytest.mark.parametrize("suffix", [".puz", ".xd"])
def test_npm_xd_tools(suffix: str, tmp_path: Path) -> None:
    """The tools take a void of .xd, `_`, for a letter, and a line break in notes of a .puz for a header."""
    for name, read in each_opened("xd-crossword-tools", suffix, tmp_path).items():
        puzzle = TORTURE[name]
        if suffix == ".xd" and any(square.kind is Kind.VOID for square in puzzle.grid.squares):
            continue
        held = as_puz(puzzle) if suffix == ".puz" else puzzle
        assert read["report"]["errors"] == []
        assert read["meta"]["title"] == held.title
        tiles = [tile for row in read["tiles"] for tile in row]
        letters = [tile.get("word") or tile.get("letter", "").upper() or None for tile in tiles]
        assert letters == contents(held.grid)
        for direction in Direction:
            found = [(clue["number"], clue["body"]) for clue in read["clues"][direction.word]]
            assert found == clue_list(held, direction)


@needs_npm
def test_npm_xd_tools_read_jpz(tmp_path: Path) -> None:
    """The tools make .xd of it on the way, which they then cannot read with rebus or voids; entities stay."""
    for name, read in each_opened("xd-crossword-tools", ".jpz", tmp_path).items():
        puzzle = TORTURE[name]
        if name in ("rebus", "two answers in a square", "voids"):
            continue
        assert read["meta"]["title"] == puzzle.title
        for direction in Direction:
            slots = [slot for slot in puzzle.grid.slots if slot.direction is direction]
            found = read["clues"][direction.word]
            assert [(clue["number"], html.unescape(clue["body"])) for clue in found] == clue_list(
                puzzle, direction
            )
            assert [len(clue["tiles"]) for clue in found] == [len(slot) for slot in slots]


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
def test_what_is_read_from_one_format_is_the_same_from_another(puzzle: Puzzle, tmp_path: Path) -> None:
    texts = {}
    for suffix in (".ipuz", ".jpz", ".xd", ".puz"):
        path = tmp_path / f"p{suffix}"
        write_puzzle(path, puzzle, lossy=True)
        texts[suffix] = grid_to_text(read_puzzle(path).grid)
    assert texts[".ipuz"] == texts[".jpz"] == texts[".xd"]
    assert texts[".puz"] == texts[".ipuz"].replace("_", "#")
