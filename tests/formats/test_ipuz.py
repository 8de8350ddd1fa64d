"""ipuz, the native format: it holds the whole puzzle, and keeps what others put in."""

import json
from dataclasses import replace
from typing import Any

import ipuz
import pytest
from hypothesis import given, settings

from tests.strategies import puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Bar, Content, Direction, Ink, Position, Puzzle, Square, Symmetry, WordChoice


def document(**fields: Any) -> dict[str, Any]:
    """A small ipuz document as another program writes it."""
    return {
        "version": "http://ipuz.org/v1",
        "kind": ["http://ipuz.org/crossword#1"],
        "dimensions": {"width": 3, "height": 3},
        "puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]],
        "solution": [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]],
        **fields,
    }


def read(**fields: Any) -> Puzzle:
    return read_bytes(json.dumps(document(**fields)).encode(), ".ipuz")


def written(puzzle: Puzzle) -> dict[str, Any]:
    data = puzzle_bytes(puzzle, ".ipuz").data
    fields: dict[str, Any] = json.loads(data)
    return fields


@given(puzzles())
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle


@given(puzzles(largest=5))
@settings(max_examples=50)
def test_the_ipuz_package_accepts_what_is_written(puzzle: Puzzle) -> None:
    read_by_other = ipuz.read(puzzle_bytes(puzzle, ".ipuz").data.decode())
    assert read_by_other["dimensions"] == {"width": puzzle.grid.width, "height": puzzle.grid.height}
    assert sum(map(len, read_by_other["clues"].values())) == len(puzzle.grid.slots)


def test_an_empty_grid_is_a_document() -> None:
    blank = Puzzle.blank(15, 15)
    assert read_bytes(puzzle_bytes(blank, ".json").data, ".json") == blank
    assert "title" not in written(blank)


def test_files_are_laid_out_for_version_control() -> None:
    lines = puzzle_bytes(Puzzle.blank(15, 15), ".ipuz").data.decode().splitlines()
    assert sum(line.startswith("[") for line in lines) == 15 + 15 + 30
    assert max(map(len, lines)) < 320


def test_the_standards_own_fields_are_used() -> None:
    grid = grid_from_text("A.#\n[HEART][X/TIMES]_\n...")
    grid = grid.with_squares(
        {
            Position(0, 0): replace(grid[Position(0, 0)], circle=True, ink=Ink.LOCKED),
            Position(0, 1): Square(shade=True),
        }
    ).with_bars({Bar(Position(2, 0), Position(2, 1)), Bar(Position(1, 1), Position(2, 1))})
    fields = written(Puzzle(grid, {(Position(0, 0), Direction.ACROSS): "Q & A"}, notes="n"))
    assert fields["version"] == "http://ipuz.org/v2"
    assert fields["puzzle"] == [
        [{"cell": 1, "style": {"shapebg": "circle"}}, {"cell": 2, "style": {"color": "dcdcdc"}}, "#"],
        [3, 0, None],
        [0, {"cell": 4, "style": {"barred": "TL"}}, 0],
    ]
    assert fields["solution"] == [
        ["A", 0, "#"],
        ["HEART", {"Across": "X", "Down": "TIMES"}, None],
        [0, 0, 0],
    ]
    assert fields["clues"]["Across"][0] == [1, "Q & A"]
    assert fields["net.xwtui:ink"] == ["L..", "pp.", "..."]


def test_content_of_other_programs_is_in_pen() -> None:
    grid = read().grid
    assert {square.ink for square in grid.squares} == {Ink.PEN}
    assert read().symmetry is Symmetry.ROTATION_180


def test_values_in_every_form_of_the_standard() -> None:
    solution = [
        [{"value": "a"}, ["HEART"], ["X", "O"]],
        [{"Across": "IE", "Down": "EI"}, {"value": None}, ""],
        [{"value": "É"}, 0, None],
    ]
    grid = read(
        solution=solution, puzzle=[[{"cell": 1}, "2", 3], [4, 0, {"cell": 0, "style": None}], [5, 0, 0]]
    ).grid
    assert grid_to_text(grid) == "A[HEART][X/O]\n[IE/EI]..\nE.."


def test_other_marks_for_blocks_and_blanks() -> None:
    grid = read(
        block="B",
        empty="-",
        puzzle=[["B", 1, 2], [3, "-", {"cell": "-"}], [4, "-", {"cell": "B"}]],
        solution=[["B", "A", "-"], ["C", {"value": "D"}, ""], ["-", "B", "B"]],
    ).grid
    assert grid_to_text(grid) == "#A.\nCD.\n.##"


def test_a_missing_solution_leaves_the_squares_empty_but_given_letters() -> None:
    fields = document(puzzle=[[1, 2, 3], [4, {"cell": 0, "value": "Z"}, 0], [5, 0, 0]])
    del fields["solution"], fields["dimensions"]
    assert grid_to_text(read_bytes(json.dumps(fields).encode()).grid) == "...\n.Z.\n..."


def test_styles_by_name_highlights_and_bars_on_every_side() -> None:
    puzzle = read(
        styles={"ring": {"shapebg": "circle", "color": "ff0000"}},
        puzzle=[
            [{"cell": 1, "style": "ring"}, 2, {"cell": 3, "style": {"highlight": True}}],
            [4, {"cell": 0, "style": {"barred": "TRBL"}}, 0],
            [{"cell": 5, "style": {"barred": "BL"}}, 0, {"cell": 0, "style": "unknown"}],
        ],
    )
    middle = Position(1, 1)
    assert puzzle.grid[Position(0, 0)].circle
    assert puzzle.grid[Position(0, 0)].shade
    assert puzzle.grid[Position(0, 2)].shade
    assert puzzle.grid.bars == {
        Bar.between(middle, neighbour)
        for neighbour in (Position(0, 1), Position(1, 0), Position(1, 2), Position(2, 1))
    }


CLUES = {(Position(0, 0), Direction.ACROSS): "one", (Position(1, 0), Direction.ACROSS): "four & five"}


@pytest.mark.parametrize(
    "across",
    [
        [[1, "one"], [4, "four & five"]],
        [["1", "one"], ["4.", "four &amp; five"]],
        ["one", "four & five"],
        [{"number": 1, "clue": "one"}, {"numbers": ["4", "5"], "clue": "four & five", "enumeration": "3"}],
        [{"number": "1", "clue": " o\x1b[1mne\n"}, {"label": "4", "clue": "four  & five", "answer": "DEF"}],
    ],
)
@pytest.mark.parametrize("group", ["Across", "across", "Across:Aries"])
def test_clues_in_every_form_of_the_standard(across: list[Any], group: str) -> None:
    assert read(clues={group: across, "Down": []}).clues == CLUES


def test_what_follows_from_the_puzzle_is_not_kept() -> None:
    across = [{"number": "1", "clue": "one", "answer": "ABC", "cells": [[1, 1], [2, 1], [3, 1]], "hints": ["h"]}]
    again = written(read(clues={"Across": across}))
    assert again["clues"]["Across"][0] == {"number": 1, "clue": "one", "hints": ["h"]}


def test_clue_numbers_are_those_of_the_file() -> None:
    puzzle = read(
        puzzle=[[10, 20, 30], [40, 0, 0], [50, 0, 0]], clues={"Across": [[10, "one"], [40, "four & five"]]}
    )
    assert puzzle.clues == CLUES


def test_clues_without_an_entry_are_kept() -> None:
    puzzle = read(clues={"Across": [[1, "one"], [99, "lost"], [4, "four & five"]], "Zones": [[1, "zone"]]})
    assert puzzle.clues == CLUES
    fields = written(puzzle)
    assert fields["net.xwtui:unplaced-clues"] == [["99", "A", "lost"]]
    assert fields["clues"]["Zones"] == [[1, "zone"]]
    assert read_bytes(json.dumps(fields).encode()) == puzzle


def test_clues_wait_for_their_entry_to_come_back() -> None:
    puzzle = Puzzle(grid_from_text("...\n...\n..."), {(Position(0, 1), Direction.ACROSS): "after a block"})
    fields = written(puzzle)
    assert fields["net.xwtui:unplaced-clues"] == [["r1c2", "A", "after a block"]]
    assert read_bytes(json.dumps(fields).encode()) == puzzle


def test_what_others_wrote_is_written_back() -> None:
    fields = document(
        kind=["http://ipuz.org/crossword#1", "https://libipuz.org/barred#1"],
        publisher="P",
        styles={"s": {"color": "00ff00"}},
        saved=[["A", 0, 0], [0, 0, 0], [0, 0, 0]],
        puzzle=[
            [{"cell": 1, "style": {"color": "ff0000", "divided": "/", "shapebg": "circle"}}, 2, 3],
            [4, 0, 0],
            [5, 0, 0],
        ],
        clues={"Across": [{"number": 1, "clue": "one", "enumeration": "3"}]},
    )
    fields["com.example:nested"] = {"deep": [1, 2.5, None, True]}
    again = written(read_bytes(json.dumps(fields).encode()))
    for key in ("kind", "publisher", "styles", "saved", "puzzle", "com.example:nested"):
        assert again[key] == fields[key], key
    assert again["clues"]["Across"][0] == {"number": 1, "clue": "one", "enumeration": "3"}


@pytest.mark.parametrize(
    ("fields", "notes", "again"),
    [
        ({"intro": "shown"}, "shown", {"notes": "shown", "intro": "shown"}),
        ({"notes": "n", "intro": "n"}, "n", {"notes": "n", "intro": "n"}),
        ({"notes": "n"}, "n", {"notes": "n", "intro": "n"}),
        ({"notes": "n", "intro": "shown"}, "n", {"notes": "n", "intro": "shown"}),
        ({}, "", {}),
    ],
)
def test_the_intro_repeats_the_notes(fields: dict[str, str], notes: str, again: dict[str, str]) -> None:
    puzzle = read(**fields)
    assert puzzle.notes == notes
    assert {key: text for key, text in written(puzzle).items() if key in ("notes", "intro")} == again


def test_surrogates_in_foreign_fields_do_not_hinder_saving() -> None:
    data = json.dumps(document(origin="\ud800", title="t\ud800")).encode()
    puzzle = read_bytes(data)
    assert puzzle.title == "t"
    assert written(puzzle)["origin"] == "\ud800"


def test_old_jsonp_wrapping_and_a_byte_order_mark() -> None:
    plain = json.dumps(document()).encode()
    assert read_bytes(b"ipuz(" + plain + b")") == read_bytes(b"\xef\xbb\xbf" + plain) == read()
    assert read_bytes(json.dumps(document()).encode("utf-16")) == read()


def test_blocks_of_a_diagramless_are_those_of_the_solution() -> None:
    grid = read(solution=[["A", "B", "#"], ["D", "E", "F"], ["#", "H", "I"]]).grid
    assert grid_to_text(grid) == "AB#\nDEF\n#HI"


def test_ink_that_does_not_fit_the_grid_leaves_all_in_pen() -> None:
    for rows in (["..."], [1, 2, 3], "...", ["..", "..", ".."]):
        assert read(**{"net.xwtui:ink": rows}) == read()


def test_a_symmetry_that_does_not_fit_is_found_anew() -> None:
    wide = {
        "dimensions": {"width": 4, "height": 3},
        "puzzle": [[0] * 4] * 3,
        "solution": [["A"] * 4] * 3,
        "net.xwtui:symmetry": "diagonal",
    }
    assert read(**wide).symmetry is Symmetry.ROTATION_180


def test_word_choice() -> None:
    words = WordChoice(("mine.dict", "default"), 55, frozenset({"ESNE"}), {"QI": 70})
    puzzle = Puzzle(grid_from_text("...\n...\n..."), words=words)
    assert written(puzzle)["net.xwtui:words"] == {
        "lists": ["mine.dict", "default"],
        "minimum_score": 55,
        "banned": ["ESNE"],
        "scores": {"QI": 70},
    }
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data).words == words


def test_preferences_of_words() -> None:
    words = WordChoice(preferred=("mine.dict",), recent="../published")
    puzzle = Puzzle(grid_from_text("...\n...\n..."), words=words)
    field = written(puzzle)["net.xwtui:words"]
    assert (field["preferred"], field["recent"]) == (["mine.dict"], "../published")
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data).words == words


NO_WORDS = {"lists": [], "minimum_score": 40, "banned": [], "scores": {}}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": ["http://ipuz.org/sudoku#1"]}, "holds no crossword"),
        ({"puzzle": None}, "no ipuz puzzle: it has no 'puzzle'"),
        ({"puzzle": [[1, 2, 3], [4, 0], [5, 0, 0]]}, "row 2 of 'puzzle'"),
        ({"puzzle": [[1, 2, 3]]}, "not the 3 rows"),
        ({"solution": [["A"]]}, "'solution' has not the 3 rows"),
        ({"solution": [["A", "B", "C"], ["D", "?", "F"], ["G", "H", "I"]]}, "r2c2 holds '\\?'"),
        ({"solution": [["A", "B", "C"], ["D", "Ж", "F"], ["G", "H", "I"]]}, "r2c2 holds 'Ж'"),
        ({"solution": [["A", "B", "C"], ["D", ["E", "F", "G"], "F"], ["G", "H", "I"]]}, "r2c2"),
        ({"dimensions": {"width": 0, "height": 3}}, "3x3 to 40x40"),
        ({"dimensions": {"width": 10**30, "height": 3}}, "3x3 to 40x40"),
        ({"dimensions": {"width": "wide", "height": 3}}, "no whole numbers"),
        ({"dimensions": [3, 3]}, "no height and width"),
        ({"clues": ["Across"]}, "no lists by direction"),
        ({"clues": {"Across": {"1": "one"}}}, "no list"),
        ({"clues": {"Across": [[1]]}}, "no clue"),
        ({"title": ["T"]}, "title of this ipuz file is no text"),
        ({"title": "t" * 20_000}, "the title has 20,000 characters"),
        ({"net.xwtui:words": {"lists": [], "minimum_score": 400, "banned": [], "scores": {}}}, "choice of words"),
        ({"net.xwtui:words": {**NO_WORDS, "preferred": "mine"}}, "choice of words"),
        ({"net.xwtui:words": {**NO_WORDS, "recent": 3}}, "choice of words"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        read(**fields)


def test_content_reads_as_the_model_has_it() -> None:
    assert read(solution=[["A", "B", "C"], ["D", "x/times", "F"], ["G", "H", "I"]]).grid[
        Position(1, 1)
    ].content == Content("X", "TIMES")
