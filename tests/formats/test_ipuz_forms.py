"""ipuz as others write it: its forms and its text."""

import html.parser
import json
import re
from typing import Any

import pytest
from hypothesis import example, given

from tests.clued import clue_texts
from tests.formats.ipuz_documents import document, read, written
from tests.formats.test_round_trips import FIRST, GRID, LINES
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.plain_text import to_html
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Bar, Direction, Ink, Position, Puzzle, Symmetry
from xwtui.model.clues import unsettled
from xwtui.model.markup import printed


class Shown(html.parser.HTMLParser):
    """What a browser shows of a text: a line break as one, and no white space that follows it."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(source)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data.removeprefix("\n") if self.text.endswith("\n") else data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.text += {"br": "\n"}.get(tag, "")


@given(LINES, LINES)
@example("<i>one</i>", "&lt;")
@example("a < b & c", "&copy 1 <script>")
def test_what_is_html_by_the_standard_shows_the_text_as_it_is(first: str, second: str) -> None:
    notes = "\n".join(line for line in (first, second) if line)
    clues = {FIRST: first} if first else {}
    puzzle = Puzzle(GRID, unsettled(clues), title=first, author=second, copyright=second, notes=notes)
    fields = written(puzzle)
    assert Shown(fields["clues"]["Across"][0][1]).text == printed(first, GRID)
    assert Shown(fields.get("title", "")).text == first
    assert Shown(fields.get("author", "")).text == second
    assert Shown(fields.get("notes", "")).text == Shown(fields.get("intro", "")).text == notes
    assert fields.get("copyright", "") == second, "plain text by the standard"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("H<sub>2</sub>O &amp; CO<sub>2</sub>", "H2O & CO2"),
        ("one<br>two<BR/>three", "one two three"),
        ("R&D, AT&T", "R&D, AT&T"),
        ("I <3 U, a < b > c", "I <3 U, a < b > c"),
        ("Fill <in> the <BLANK>", "Fill <in> the <BLANK>"),
        ("&lt;i&gt; in HTML", "<i> in HTML"),
        ("&amp;lt; in HTML", "&lt; in HTML"),
        ("caf&eacute; &#8212; &#x201c;x&quot;", 'café — “x"'),
    ],
)
def test_html_of_other_programs(source: str, text: str) -> None:
    puzzle = read(clues={"Across": [[1, source]]}, title=source, author=source, copyright=source)
    assert (clue_texts(puzzle)[FIRST], puzzle.title, puzzle.author, puzzle.copyright) == (text,) * 4


def test_italics_and_bold_of_other_programs() -> None:
    source = "<b>Bold</b> <I class='x'>move</I>"
    puzzle = read(clues={"Across": [[1, source]]}, title=source)
    assert (clue_texts(puzzle)[FIRST], puzzle.title) == ("**Bold** *move*", "Bold move")


def test_lines_stay_apart_where_tags_are_left_out() -> None:
    assert re.sub("<[^>]*>", "", to_html("one\ntwo\n\nthree")) == "one\ntwo\n\nthree"


@pytest.mark.parametrize("source", ["one<br>two", "one<br/>\ntwo", "<p>one</p><p>two</p>", "one\ntwo"])
def test_lines_of_notes_of_other_programs(source: str) -> None:
    assert [line for line in read(notes=source).notes.split("\n") if line] == ["one", "two"]


def test_files_of_the_first_version_hold_their_text_as_it_is() -> None:
    ours = {"net.xwtui:ink": ["ppp", "ppp", "ppp"]}
    puzzle = read(**ours, clues={"Across": [[1, "<i>one</i> & two"]]}, title="a < b", notes="&amp;lt; <br>")
    assert clue_texts(puzzle)[FIRST] == "<i>one</i> & two"
    assert (puzzle.title, puzzle.notes) == ("a < b", "&lt; <br>")
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data) == puzzle


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
