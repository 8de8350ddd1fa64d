"""Puzzles of newspapers' pages, in the shapes that public programs read."""

import json
from typing import Any

import pytest

from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.intake import Deviation
from xwtui.formats.registry import take_bytes

XWORD_INFO: dict[str, Any] = {
    "size": {"rows": 3, "cols": 3},
    "grid": ["A", "HEART", "C", "D", ".", "F", "G", "H", "I"],
    "gridnums": [1, 0, 2, 0, 0, 0, 3, 0, 0],
    "circles": [1, 0, 0, 0, 0, 0, 0, 0, 1],
    "clues": {"across": ["1. One &amp; <i>all</i>", "3. 3.5 of them"], "down": ["1. Down", "2. Two"]},
    "title": "NY TIMES, MON",
    "author": "A. Constructor",
    "editor": "E. Ditor",
    "copyright": "2012, The Times",
    "date": "1/2/2012",
    "notepad": "<br />See the circles",
    "shadecircles": None,
}


def entry(
    number: int, direction: str, x: int, y: int, solution: str, clue: str, human: str = ""
) -> dict[str, Any]:
    return {
        "id": f"{number}-{direction}",
        "number": number,
        "humanNumber": human or str(number),
        "direction": direction,
        "position": {"x": x, "y": y},
        "length": len(solution),
        "solution": solution,
        "clue": clue,
        "separatorLocations": {},
    }


GUARDIAN: dict[str, Any] = {
    "name": "Cryptic crossword No 1",
    "creator": {"name": "Setter"},
    "date": 1449792000000,
    "dimensions": {"rows": 3, "cols": 3},
    "entries": [
        entry(1, "across", 0, 0, "ABC", "Both of <em>them</em> (3-3)", "1,3"),
        entry(3, "across", 0, 2, "GHI", "See 1"),
        entry(1, "down", 0, 0, "ADG", "Down (3)"),
        entry(2, "down", 2, 0, "CFI", "Two (1,2)"),
    ],
}

UNIVERSAL = """<?xml version="1.0"?>
<crossword>
 <Title v="Themeless%3A%201"/><Author v="A. Constructor"/><Editor v=""/><Copyright v="2020"/>
 <Width v="3"/><Height v="3"/><AllAnswer v="ABCD-FGHI"/>
 <across><a1 a="ABC" c="One%20%26%20all" n="1" cn="1"/><a2 a="GHI" c="Three" n="7" cn="3"/></across>
 <down><d1 a="ADG" c="Down" n="1" cn="1"/><d2 a="CFI" c="Two" n="3" cn="2"/></down>
</crossword>
"""


def test_xword_info() -> None:
    puzzle, warnings = take_bytes(json.dumps(XWORD_INFO).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "A[HEART]C\nD#F\nGHI"
    assert [str(at) for at in puzzle.grid.positions() if puzzle.grid[at].circle] == ["r1c1", "r3c3"]
    clues = {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots}
    assert clues == {"1A": "One & *all*", "3A": "3.5 of them", "1D": "Down", "2D": "Two"}
    assert (puzzle.title, puzzle.author, puzzle.notes) == ("NY TIMES, MON", "A. Constructor", "See the circles")
    assert puzzle.foreign["net.xwtui:xd-headers"] == {"Editor": "E. Ditor", "Date": "1/2/2012"}


def test_xword_info_with_shade_and_bars() -> None:
    puzzle, warnings = take_bytes(
        json.dumps({**XWORD_INFO, "shadecircles": "true", "bbars": [4]}).encode(), ".json"
    )
    assert [str(at) for at in puzzle.grid.positions() if puzzle.grid[at].shade] == ["r1c1", "r3c3"]
    assert [(warning.deviation, warning.places) for warning in warnings] == [(Deviation.LEFT_OUT, ("'bbars'",))]


@pytest.mark.parametrize("document", [GUARDIAN, {"crossword": GUARDIAN}])
def test_the_guardian(document: dict[str, Any]) -> None:
    puzzle, warnings = take_bytes(json.dumps(document).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGHI"
    first = puzzle.grid.entry("1A")
    assert [light.name for light in first.lights] == ["1A", "3A"]
    assert (puzzle.clue(first), str(puzzle.enumeration(first))) == ("Both of *them*", "3-3")
    assert (puzzle.title, puzzle.author) == ("Cryptic crossword No 1", "Setter")
    assert puzzle.foreign["net.xwtui:xd-headers"] == {"Date": "2015-12-11"}


def test_the_guardian_before_the_solution_is_out() -> None:
    entries = [{**each, "solution": None} for each in GUARDIAN["entries"]]
    puzzle, _ = take_bytes(json.dumps({**GUARDIAN, "entries": entries}).encode())
    assert grid_to_text(puzzle.grid) == "...\n.#.\n..."


def test_letters_that_cross_and_differ_are_told() -> None:
    entries = [*GUARDIAN["entries"][:3], entry(2, "down", 2, 0, "XFI", "Two")]
    puzzle, [warning] = take_bytes(json.dumps({**GUARDIAN, "entries": entries}).encode())
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGHI"
    assert warning.words.endswith("r1c3 'X' as C")


@pytest.mark.parametrize("suffix", ["", ".xml"])
def test_universal(suffix: str) -> None:
    puzzle, warnings = take_bytes(UNIVERSAL.encode(), suffix)
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGHI"
    assert {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots} == {
        "1A": "One & all",
        "3A": "Three",
        "1D": "Down",
        "2D": "Two",
    }
    assert (puzzle.title, puzzle.copyright) == ("Themeless: 1", "2020")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({**XWORD_INFO, "size": None}),
        json.dumps({**XWORD_INFO, "size": {"rows": 3, "cols": 10**9}}),
        json.dumps({**XWORD_INFO, "grid": ["A"]}),
        json.dumps({**XWORD_INFO, "clues": []}),
        json.dumps({**XWORD_INFO, "circles": 5}),
        json.dumps({**GUARDIAN, "entries": [{**GUARDIAN["entries"][0], "length": 10**9}]}),
        json.dumps({**GUARDIAN, "entries": [{**GUARDIAN["entries"][0], "length": 0}]}),
        json.dumps({**GUARDIAN, "date": 10**300}),
        json.dumps({**GUARDIAN, "creator": 5}),
        UNIVERSAL.replace("ABCD-FGHI", "ABC"),
        UNIVERSAL.replace('<Width v="3"/>', ""),
    ],
)
def test_what_is_damaged_is_refused(text: str) -> None:
    with pytest.raises(PuzzleFormatError):
        take_bytes(text.encode())
