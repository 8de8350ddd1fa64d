"""Files for a given reader, and exports opened by third-party programs."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.formats.readers import PAGE, needs_npm, opened, with_table
from tests.formats.test_round_trips import nanny
from tests.formats.torture import TORTURE
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import found_symmetry, grid_from_text, puzzle_of_grid
from xwtui.formats.recipients import RECIPIENTS
from xwtui.formats.registry import puzzle_bytes, read_bytes, write_puzzle
from xwtui.model import Direction, Grid, Position, Puzzle
from xwtui.model.clues import unsettled


@needs_npm
def test_the_table_of_readers_matches_what_they_see() -> None:
    pytest.importorskip("xdformat", reason="needs the PyPI package xdformat")
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page, "python -m tests.formats.readers writes it anew"


def ipuz_for(puzzle: Puzzle, taker: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    written = puzzle_bytes(puzzle, ".ipuz", lossy=True, taker=taker)
    return json.loads(written.data), written.warnings


MARKS = TORTURE["circles with shade"]


def test_shade_becomes_circles_if_unsupported_and_is_reported() -> None:
    document, (warning,) = ipuz_for(MARKS, "crosshare")
    styles = [cell["style"] for row in document["puzzle"] for cell in row if isinstance(cell, dict)]
    squares = MARKS.grid.squares
    assert styles == [{"shapebg": "circle"}] * sum(square.circle or square.shade for square in squares)
    assert warning.startswith("Crosshare has circles and no shade: r1c3, ")
    assert warning.endswith(" become circles, like the existing circles")
    assert puzzle_bytes(MARKS, ".ipuz", taker="crossword-nexus").warnings == ()


@pytest.mark.parametrize("taker", ["crosshare", "exolve"])
def test_both_marks_are_kept_if_supported(taker: str) -> None:
    suffix = ".exolve" if taker == "exolve" else ".puz"
    circles = [square.circle for square in read_bytes(puzzle_bytes(MARKS, suffix, taker=taker).data).grid.squares]
    is_marked = [square.circle or (square.shade and suffix == ".puz") for square in MARKS.grid.squares]
    assert circles == is_marked


def test_a_marked_square_without_a_number_shows_none() -> None:
    document, _ = ipuz_for(MARKS, "crossword-nexus")
    assert all(cell.get("cell") != 0 for row in document["puzzle"] for cell in row if isinstance(cell, dict))


def test_links_and_enumerations_are_written_into_the_clues() -> None:
    document, _ = ipuz_for(nanny(), "crossword-nexus")
    assert document["clues"]["Across"][0] == [1, "1,3D: Flying <i>nanny</i> (4,6)"]
    assert ipuz_for(nanny(), "exolve")[0]["clues"]["Across"][0] == ["1, 3d", "Flying <i>nanny</i> (4,6)"]
    assert ipuz_for(nanny(), "puzzmo")[0]["clues"]["Across"][0] == [1, "1,3D: Flying {/nanny/} (4,6)"]
    assert ipuz_for(nanny(), "crosshare")[0]["clues"]["Across"][0] == [1, "1,3D: Flying *nanny* (4,6)"]
    assert [3, "See 1 Across"] in document["clues"]["Down"]


def test_squares_are_converted_for_the_reader_and_clues_kept() -> None:
    puzzle = puzzle_of_grid(grid_from_text("Å[X/TIMES]C\nD[HEART]F\nGHI"))
    for slot in puzzle.grid.slots:
        puzzle = puzzle.with_clue(slot, f"Clue of {slot.name}")
    solution = {
        taker: ipuz_for(puzzle, taker)[0]["solution"][:2]
        for taker in ("crosshare", "puzzmo", "crossword-nexus", "exolve")
    }
    assert solution == {
        "crosshare": [["A", "X", "C"], ["D", "HEART", "F"]],
        "puzzmo": [["Å", ["X", "TIMES"], "C"], ["D", "HEART", "F"]],
        "crossword-nexus": [["Å", "X/TIMES", "C"], ["D", "HEART", "F"]],
        "exolve": [["Å", "X", "C"], ["D", "H", "F"]],
    }
    document, warnings = ipuz_for(puzzle, "exolve")
    assert document["clues"]["Across"] == [[1, "Clue of 1A"], [4, "Clue of 4A"], [5, "Clue of 5A"]]
    assert [warning.partition(" at ")[0] for warning in warnings] == [
        "Exolve cannot hold two answers in a square",
        "Exolve cannot hold rebus squares",
    ]
    with pytest.raises(PuzzleFormatError, match="Exolve cannot hold two answers in a square at r1c2"):
        puzzle_bytes(puzzle, ".ipuz", taker="exolve")


def test_voids_become_blocks_if_unsupported() -> None:
    document, warnings = ipuz_for(TORTURE["voids"], "crosshare")
    assert document["puzzle"][0][:2] == ["#", "#"]
    assert warnings[0].startswith("Crosshare cannot hold voids at r1c1")
    assert ipuz_for(TORTURE["voids"], "crossword-nexus")[0]["puzzle"][0][:2] == [None, None]


def test_oversized_puzzles_and_other_formats_are_refused() -> None:
    with pytest.raises(PuzzleFormatError, match="Crosshare takes puzzles up to 25×25"):
        puzzle_bytes(Puzzle(Grid.blank(26, 15)), ".ipuz", taker="crosshare")
    with pytest.raises(PuzzleFormatError, match=r"Across Lite takes \.puz or \.al\.txt, not \.ipuz"):
        puzzle_bytes(MARKS, ".ipuz", taker="across-lite")
    with pytest.raises(PuzzleFormatError, match="there is no 'nobody'; there are crosshare, puzzmo"):
        puzzle_bytes(MARKS, ".ipuz", taker="nobody")


@pytest.mark.parametrize("taker", RECIPIENTS, ids=lambda taker: taker.name)
def test_each_written_form_reads_back(taker: Any) -> None:
    puzzle = TORTURE["5x5 with accents"]
    for suffix in taker.suffixes:
        again = read_bytes(puzzle_bytes(puzzle, suffix, lossy=True, taker=taker.name).data, suffix)
        assert again.grid[Position(0, 0)].content == puzzle.grid[Position(0, 0)].content
        assert len(again.clues) == len(puzzle.clues)


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
    printed = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=300)
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
    printed = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=300)
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


def test_every_format_gives_the_same_puzzle(puzzle: Puzzle) -> None:
    clues = {(slot.start, slot.direction): clue_text(slot.name) for slot in puzzle.grid.slots}
    straight = replace(puzzle, clues=unsettled(clues), symmetry=found_symmetry(puzzle.grid))
    read = [read_bytes(puzzle_bytes(straight, suffix).data, suffix) for suffix in (".ipuz", ".puz", ".xd")]
    assert read == [straight] * 3
