"""ipuz in every form that the standard allows, as other programs write it."""

import json
from typing import Any

import pytest

from tests.clued import clue_texts
from tests.formats.ipuz_documents import document, read, written
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.registry import read_bytes
from xwtui.model import Bar, Direction, Ink, Position, Symmetry


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
    assert grid_to_text(grid) == "A[HEART][X/O]\n[IE/EI]..\nÉ.."


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
    assert clue_texts(read(clues={group: across, "Down": []})) == CLUES


def test_what_follows_from_the_puzzle_is_not_kept() -> None:
    across = [{"number": "1", "clue": "one", "answer": "ABC", "cells": [[1, 1], [2, 1], [3, 1]], "hints": ["h"]}]
    again = written(read(clues={"Across": across}))
    assert again["clues"]["Across"][0] == {"number": 1, "clue": "one", "hints": ["h"]}


def test_clue_numbers_are_those_of_the_file() -> None:
    puzzle = read(
        puzzle=[[10, 20, 30], [40, 0, 0], [50, 0, 0]], clues={"Across": [[10, "one"], [40, "four & five"]]}
    )
    assert clue_texts(puzzle) == CLUES


def test_clues_without_an_entry_are_kept() -> None:
    puzzle = read(clues={"Across": [[1, "one"], [99, "lost"], [4, "four & five"]], "Zones": [[1, "zone"]]})
    assert clue_texts(puzzle) == CLUES
    fields = written(puzzle)
    assert fields["net.xwtui:unplaced-clues"] == [["99", "A", "lost"]]
    assert fields["clues"]["Zones"] == [[1, "zone"]]
    assert read_bytes(json.dumps(fields).encode()) == puzzle


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
