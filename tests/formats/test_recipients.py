"""Files for one reader: what each takes, what becomes of the rest, and what the programs that run here see."""

import json
from typing import Any

import pytest

from tests.formats.readers import PAGE, needs_npm, with_table
from tests.formats.test_alphabets import nanny
from tests.formats.torture import TORTURE
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.recipients import RECIPIENTS
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Grid, Position, Puzzle


@needs_npm
def test_the_table_of_readers_is_what_they_see() -> None:
    pytest.importorskip("xdformat", reason="needs the PyPI package xdformat")
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page, "python -m tests.formats.readers writes it anew"


def ipuz_for(puzzle: Puzzle, taker: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    written = puzzle_bytes(puzzle, ".ipuz", lossy=True, taker=taker)
    return json.loads(written.data), written.warnings


MARKS = TORTURE["circles with shade"]


def test_shade_becomes_circles_where_there_is_no_shade_and_it_is_said() -> None:
    document, (warning,) = ipuz_for(MARKS, "crosshare")
    styles = [cell["style"] for row in document["puzzle"] for cell in row if isinstance(cell, dict)]
    squares = MARKS.grid.squares
    assert styles == [{"shapebg": "circle"}] * sum(square.circle or square.shade for square in squares)
    assert warning.startswith("Crosshare has circles and no shade: r1c3, ")
    assert warning.endswith(" become circles, like the existing circles")
    assert puzzle_bytes(MARKS, ".ipuz", taker="crossword-nexus").warnings == ()


@pytest.mark.parametrize("taker", ["crosshare", "exolve"])
def test_both_marks_are_kept_where_there_are_both(taker: str) -> None:
    suffix = ".exolve" if taker == "exolve" else ".puz"
    circles = [square.circle for square in read_bytes(puzzle_bytes(MARKS, suffix, taker=taker).data).grid.squares]
    is_marked = [square.circle or (square.shade and suffix == ".puz") for square in MARKS.grid.squares]
    assert circles == is_marked


def test_no_number_stands_in_a_marked_square_without_one() -> None:
    document, _ = ipuz_for(MARKS, "crossword-nexus")
    assert all(cell.get("cell") != 0 for row in document["puzzle"] for cell in row if isinstance(cell, dict))


def test_links_and_enumerations_stand_in_the_clues() -> None:
    document, _ = ipuz_for(nanny(), "crossword-nexus")
    assert document["clues"]["Across"][0] == [1, "1,3D: Flying <i>nanny</i> (4,6)"]
    assert ipuz_for(nanny(), "exolve")[0]["clues"]["Across"][0] == ["1, 3d", "Flying <i>nanny</i> (4,6)"]
    assert ipuz_for(nanny(), "puzzmo")[0]["clues"]["Across"][0] == [1, "1,3D: Flying {/nanny/} (4,6)"]
    assert ipuz_for(nanny(), "crosshare")[0]["clues"]["Across"][0] == [1, "1,3D: Flying *nanny* (4,6)"]
    assert [3, "See 1 Across"] in document["clues"]["Down"]


def test_squares_become_what_the_reader_can_hold_and_clues_stay() -> None:
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


def test_voids_become_blocks_where_there_are_none() -> None:
    document, warnings = ipuz_for(TORTURE["voids"], "crosshare")
    assert document["puzzle"][0][:2] == ["#", "#"]
    assert warnings[0].startswith("Crosshare cannot hold voids at r1c1")
    assert ipuz_for(TORTURE["voids"], "crossword-nexus")[0]["puzzle"][0][:2] == [None, None]


def test_what_is_too_large_or_in_another_format_is_refused() -> None:
    with pytest.raises(PuzzleFormatError, match="Crosshare takes puzzles up to 25×25"):
        puzzle_bytes(Puzzle(Grid.blank(26, 15)), ".ipuz", taker="crosshare")
    with pytest.raises(PuzzleFormatError, match=r"Across Lite takes \.puz or \.al\.txt, not \.ipuz"):
        puzzle_bytes(MARKS, ".ipuz", taker="across-lite")
    with pytest.raises(PuzzleFormatError, match="there is no 'nobody'; there are crosshare, puzzmo"):
        puzzle_bytes(MARKS, ".ipuz", taker="nobody")


@pytest.mark.parametrize("taker", RECIPIENTS, ids=lambda taker: taker.name)
def test_each_form_is_written_and_read_again(taker: Any) -> None:
    puzzle = TORTURE["5x5 with accents"]
    for suffix in taker.suffixes:
        again = read_bytes(puzzle_bytes(puzzle, suffix, lossy=True, taker=taker.name).data, suffix)
        assert again.grid[Position(0, 0)].content == puzzle.grid[Position(0, 0)].content
        assert len(again.clues) == len(puzzle.clues)
