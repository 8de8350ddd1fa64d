"""Exolve: what it holds comes back, and files are read as its README has them."""

import re
from dataclasses import replace

import pytest
from hypothesis import given

from tests.examples import examples
from tests.formats.published import published
from tests.formats.samples import sample
from tests.generators import puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes, take_bytes
from xwtui.model import Bar, Position
from xwtui.model.edits import link
from xwtui.model.rules.nina import Nina, with_nina

README = sample("exolve.html")


@examples(60)
@given(puzzles(word_choice=False))
def test_write_then_read_is_identity(puzzle: object) -> None:
    written = puzzle_bytes(puzzle, ".exolve", lossy=True)  # type: ignore[arg-type]
    if not written.warnings:
        assert read_bytes(written.data, ".exolve") == published(puzzle, styled=True)  # type: ignore[arg-type]


def test_a_file_as_its_readme_has_it() -> None:
    puzzle, warnings = take_bytes(README.encode())
    grid = puzzle.grid
    assert grid_to_text(grid) == "A[MEN]B\nX#E\nEAT"
    assert grid.bars == {
        Bar(Position(0, 1), Position(0, 2)),
        Bar(Position(1, 0), Position(2, 0)),
        Bar(Position(2, 1), Position(2, 2)),
    }
    assert [str(at) for at in grid.positions() if grid[at].circle] == ["r1c2"]
    assert [str(at) for at in grid.positions() if grid[at].shade] == ["r1c1", "r3c2"]
    assert (puzzle.title, puzzle.clue(grid.slot("1A"))) == ("A & B", "Men")
    told = [deviant.words for warning in warnings for deviant in warning.deviants]
    assert "the section 'nina'" in told
    assert "what explains 1A 'Def: whatever'" in told


def test_links_and_enumerations_are_kept() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH"))
    puzzle = link(puzzle, [puzzle.grid.slot("1A"), puzzle.grid.slot("2D")])
    puzzle = puzzle.with_clue(puzzle.grid.entry("1A"), "Two (13) of # them [] here")
    data = puzzle_bytes(puzzle, ".exolve").data
    assert b"1, 2d Two (13) of" in data
    assert read_bytes(data, ".exolve") == puzzle


def test_what_it_cannot_hold_is_named() -> None:
    puzzle = puzzle_of_grid(grid_from_text("_BC\nD[X/O]E\nFGH"))
    with pytest.raises(PuzzleFormatError, match=r"voids at r1c1.*two answers in a square at r2c2"):
        puzzle_bytes(puzzle, ".exolve")
    lossy = puzzle_bytes(replace(puzzle, title="# T"), ".exolve", lossy=True)
    again = read_bytes(lossy.data, ".exolve")
    assert (again.title, grid_to_text(again.grid)) == ("# T", "#BC\nDXE\nFGH")


@pytest.mark.parametrize("change", [("exolve-begin", ""), ("width: 3", "width: 4"), ("height: 3", "height: x")])
def test_what_is_damaged_is_refused(change: tuple[str, str]) -> None:
    with pytest.raises(PuzzleFormatError):
        read_bytes(README.replace(*change).encode(), ".exolve")


def test_a_hidden_message_is_shown_where_it_stands() -> None:
    puzzle = puzzle_of_grid(grid_from_text("CAB\nDAE\nFGT"))
    rules = with_nina(puzzle.rules, Nina("CAT", "", ("diagonal",)))
    asked = replace(puzzle, rules=with_nina(rules, Nina("DOG")))
    text = puzzle_bytes(asked, ".exolve").data.decode()
    assert re.findall("exolve-nina: (.*)", text) == ["r3c1 r2c2 r1c3"], "DOG stands nowhere"
    assert grid_to_text(read_bytes(text.encode()).grid) == grid_to_text(puzzle.grid)
