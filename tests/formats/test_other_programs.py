"""Exports, opened by programs that we did not write."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.formats.readers import needs_npm, opened
from xwtui.formats.grid_text import found_symmetry, grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes, write_puzzle
from xwtui.model import Direction, Grid, Position, Puzzle
from xwtui.model.clues import unsettled

CURSEWORDS = Path(sys.executable).with_name("cursewords")

needs_cursewords = pytest.mark.skipif(not CURSEWORDS.exists(), reason="needs the PyPI package cursewords")

CIRCLED = Position(0, 3)


@pytest.fixture
def puzzle() -> Puzzle:
    """A rebus puzzle with all its clues, a circle, accents and curly quotes."""
    grid = grid_from_text("ACHE#S\n[HEART]OUR#E\nE#[DIAMOND]EAR\nN#BA#Y")
    grid = grid.with_squares({CIRCLED: replace(grid[CIRCLED], circle=True)})
    whole = Puzzle(grid, title="Café", author="Ann Ö. Nymous", copyright="© 2025 A. N.", notes="A note")
    for slot in grid.slots:
        whole = whole.with_clue(slot, f"Clue for “{slot.name}”")
    return whole


def clue_text(name: str) -> str:
    return f'Clue for "{name}"'


def first_letters(grid: Grid) -> list[str]:
    return [str(square.content).strip("[")[0] for square in grid.squares if square.content]


@needs_cursewords
def test_cursewords_prints_the_grid_and_the_clues(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.puz"
    write_puzzle(path, puzzle)
    command = [str(CURSEWORDS), "--print", "--solution", "--width", "92", str(path)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=60)
    assert "Café - Ann Ö. Nymous" in printed.stdout
    letters = [cell.strip() for line in printed.stdout.splitlines() for cell in line.split("│")[1:-1]]
    assert [letter for letter in letters if letter.isalpha()] == first_letters(puzzle.grid)
    for slot in puzzle.grid.slots:
        assert f'{slot.number}. Clue for "{slot.name}"' in " ".join(printed.stdout.split())


@needs_cursewords
def test_cursewords_prints_circles_and_unclued_files(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.puz"
    write_puzzle(path, replace(puzzle, title="Žluťoučký", clues={}))
    command = [str(CURSEWORDS), "--print", str(path)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=60)
    assert "Zlutoucký" in printed.stdout
    assert printed.stdout.count("◯") == 1


def opened_by_npm(path: Path) -> dict[str, Any]:
    [read] = opened("xd-crossword-tools", [path])
    return dict(read)


def check_opened(opened: dict[str, Any], puzzle: Puzzle, *, straight_quotes: bool) -> None:
    assert (opened["meta"]["title"], opened["meta"]["author"]) == (puzzle.title, puzzle.author)
    tiles = [tile for row in opened["tiles"] for tile in row]
    contents = [tile.get("word") or tile.get("letter", "#").upper() for tile in tiles]
    assert contents == [
        str(square.content).strip("[]") if square.content else "#" for square in puzzle.grid.squares
    ]
    for direction in Direction:
        slots = [slot for slot in puzzle.grid.slots if slot.direction is direction]
        clues = opened["clues"][direction.word]
        assert [clue["number"] for clue in clues] == [slot.number for slot in slots]
        assert [clue["answer"] for clue in clues] == [puzzle.grid.answer(slot) for slot in slots]
        texts = [clue_text(slot.name) if straight_quotes else puzzle.clue(slot) for slot in slots]
        assert [clue["body"] for clue in clues] == texts


@needs_npm
def test_an_npm_reader_opens_the_puz(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.puz"
    write_puzzle(path, puzzle)
    opened = opened_by_npm(path)
    check_opened(opened, puzzle, straight_quotes=True)
    assert opened["meta"]["copyright"] == puzzle.copyright
    assert "background: circle" in opened["xd"]
    assert "\n...O#.\n" in opened["xd"]


@needs_npm
def test_an_npm_reader_opens_the_xd(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.xd"
    write_puzzle(path, puzzle)
    opened = opened_by_npm(path)
    assert opened["report"]["errors"] == []
    check_opened(opened, puzzle, straight_quotes=False)
    assert opened["notes"] == "", "this version leaves out notes of sections in order; those of 2026 read them"


@needs_npm
def test_an_npm_reader_opens_an_unfinished_xd(tmp_path: Path) -> None:
    puzzle = puzzle_of_grid(grid_from_text("A.C\nDEF\nGHI"))
    path = tmp_path / "p.xd"
    write_puzzle(path, puzzle.with_clue(puzzle.grid.slot("4A"), "Four"))
    opened = opened_by_npm(path)
    assert opened["report"]["errors"] == []
    assert [clue["body"] for clue in opened["clues"]["across"]] == ["[XXX]", "Four", "[XXX]"]
    assert [clue["answer"] for clue in opened["clues"]["down"]] == ["ADG", "-EH", "CFI"]
    assert [[tile["type"] for tile in row] for row in opened["tiles"]] == [["letter"] * 3] * 3


@needs_npm
def test_what_the_npm_reader_makes_of_a_puz_is_read_again(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.puz"
    write_puzzle(path, puzzle)
    again = read_bytes(opened_by_npm(path)["xd"].encode())
    assert grid_to_text(again.grid) == grid_to_text(puzzle.grid)
    assert (again.title, again.author, again.copyright) == (puzzle.title, puzzle.author, puzzle.copyright)
    assert {slot.name: again.clue(slot) for slot in again.grid.slots} == {
        slot.name: clue_text(slot.name) for slot in puzzle.grid.slots
    }


def test_every_format_tells_the_same_puzzle(puzzle: Puzzle) -> None:
    clues = {(slot.start, slot.direction): clue_text(slot.name) for slot in puzzle.grid.slots}
    straight = replace(puzzle, clues=unsettled(clues), symmetry=found_symmetry(puzzle.grid))
    read = [read_bytes(puzzle_bytes(straight, suffix).data, suffix) for suffix in (".ipuz", ".puz", ".xd")]
    assert read == [straight] * 3
