"""ipuz, the native format: it holds the whole puzzle, and keeps what others put in."""

import json
from dataclasses import replace
from typing import Any

import ipuz
import pytest
from hypothesis import given

from tests.examples import examples
from tests.formats.ipuz_documents import document, read, written
from tests.generators import puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Bar, Content, Direction, Ink, Position, Puzzle, Square, Symmetry, WordChoice
from xwtui.model.clues import unsettled


@given(puzzles())
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle


@given(puzzles(largest=5))
@examples(50)
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
    fields = written(Puzzle(grid, unsettled({(Position(0, 0), Direction.ACROSS): "Q & A"}), notes="n"))
    assert fields["version"] == "http://ipuz.org/v2"
    assert fields["puzzle"] == [
        [{"cell": 1, "style": {"shapebg": "circle"}}, {"cell": 2, "style": {"color": "dcdcdc"}}, "#"],
        [3, 0, None],
        [0, {"cell": 4, "style": {"barred": "TL"}}, 0],
    ]
    assert fields["solution"] == [
        ["A", 0, "#"],
        ["HEART", {"value": "X/TIMES", "Across": "X", "Down": "TIMES"}, None],
        [0, 0, 0],
    ]
    assert fields["clues"]["Across"][0] == [1, "Q &amp; A"]
    assert fields["net.xwtui:ink"] == ["L..", "pp.", "..."]


def test_clues_wait_for_their_entry_to_come_back() -> None:
    puzzle = Puzzle(
        grid_from_text("...\n...\n..."), unsettled({(Position(0, 1), Direction.ACROSS): "after a block"})
    )
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
        ({"puzzle": None, "solution": None}, "not an ipuz puzzle: it has no grid"),
        ({"puzzle": [[1, 2, 3]], "solution": None}, "3x3 to 40x40"),
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
