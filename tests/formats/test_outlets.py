"""Puzzles from newspapers' pages, in the shapes that public programs read."""

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.formats.readers import NODE, NPM, needs_npm
from tests.formats.samples import sample_document
from xwtui.errors import PuzzleFormatError
from xwtui.formats import outlets
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.intake import Deviation
from xwtui.formats.registry import parse_bytes
from xwtui.model import Bar, Position, Puzzle

XWORD_INFO: dict[str, Any] = sample_document("xword_info.json")


def entry(
    number: int, direction: str, x: int, y: int, solution: str, clue: str, human: str = ""
) -> dict[str, Any]:
    named = {"id": f"{number}-{direction}", "number": number, "humanNumber": human or str(number)}
    placed = {"direction": direction, "position": {"x": x, "y": y}, "length": len(solution)}
    return {**named, **placed, "solution": solution, "clue": clue, "separatorLocations": {}}


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

CROSSHARE: dict[str, Any] = sample_document("crosshare.json")
JOURNAL: dict[str, Any] = sample_document("journal.json")
POST: dict[str, Any] = sample_document("post.json")
TIMES: dict[str, Any] = sample_document("times.json")
TODAY: dict[str, Any] = {
    "title": "T",
    "author": "A",
    "date": "2018-01-01",
    "height": 3,
    "width": 3,
    "solution": ["ABC", "D F", "GH"],
    "acrossClue": "01|One\n03|Three",
    "downClue": "01|Down\n02|Two",
}

PUZZLE_ME: dict[str, Any] = sample_document("puzzle_me.json")

UNIVERSAL = """<?xml version="1.0"?>
<crossword>
 <Title v="Themeless%3A%201"/><Author v="A. Constructor"/><Editor v=""/><Copyright v="2020"/>
 <Width v="3"/><Height v="3"/><AllAnswer v="ABCD-FGHI"/>
 <across><a1 a="ABC" c="One%20%26%20all" n="1" cn="1"/><a2 a="GHI" c="Three" n="7" cn="3"/></across>
 <down><d1 a="ADG" c="Down" n="1" cn="1"/><d2 a="CFI" c="Two" n="3" cn="2"/></down>
</crossword>
"""


def marked(puzzle: Puzzle, name: str) -> list[str]:
    return [str(at) for at in puzzle.grid.open_positions() if getattr(puzzle.grid[at], name)]


def clues_of(puzzle: Puzzle) -> dict[str, str]:
    return {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots if puzzle.clue(slot)}


def test_xword_info() -> None:
    puzzle, warnings = parse_bytes(json.dumps(XWORD_INFO).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "A[HEART]C\nD#F\nGHI"
    assert marked(puzzle, "circle") == ["r1c1", "r3c3"]
    assert clues_of(puzzle) == {"1A": "One & *all*", "3A": "3.5 of them", "1D": "Down", "2D": "Two"}
    assert (puzzle.title, puzzle.author, puzzle.notes) == ("NY TIMES, MON", "A. Constructor", "See the circles")
    assert puzzle.foreign["net.xwtui:xd-headers"] == {"Editor": "E. Ditor", "Date": "1/2/2012"}


def test_the_new_york_times() -> None:
    puzzle, warnings = parse_bytes(json.dumps(TIMES).encode())
    assert [(one.deviation, one.places) for one in warnings] == [
        (Deviation.LEFT_OUT, ("different answers at r1c2",)),
        (Deviation.UNPLACED, ("9 In no list",)),
    ]
    assert grid_to_text(puzzle.grid) == "A[HEART]C\nD#F\nGH_"
    assert (marked(puzzle, "circle"), marked(puzzle, "shade")) == (["r1c1"], ["r1c3"])
    assert clues_of(puzzle) == {"1A": "*One*", "3A": "R&D <3", "1D": "Down", "2D": "Two"}
    assert (puzzle.author, puzzle.notes) == ("A. Constructor and B. Constructor", "Mind the gap")
    assert puzzle.foreign["net.xwtui:xd-headers"] == {"Editor": "E. Ditor", "Date": "2026-01-08"}


@pytest.mark.parametrize("document", [TODAY, {"data": {"gameData": TODAY}}])
def test_usa_today_in_json(document: dict[str, Any]) -> None:
    puzzle, warnings = parse_bytes(json.dumps(document).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGH#"
    assert clues_of(puzzle) == {"1A": "One", "3A": "Three", "1D": "Down", "2D": "Two"}


def test_optional_fields_are_not_required() -> None:
    """Programs that write these shapes add them; the outlets themselves do not."""
    info = {name: value for name, value in XWORD_INFO.items() if name != "gridnums"}
    entries = [{key: value for key, value in each.items() if key != "humanNumber"} for each in GUARDIAN["entries"]]
    words = [{key: value for key, value in word.items() if key != "indexes"} for word in POST["words"]]
    rows = ["A[HEART]C\nD#F\nGHI", "ABC\nD#F\nGHI", "ABC\nD#F\nGH_"]
    for document, grid in zip(
        (info, {**GUARDIAN, "entries": entries}, {**POST, "words": words}), rows, strict=True
    ):
        puzzle, warnings = parse_bytes(json.dumps(document).encode(), ".json")
        assert not warnings
        assert grid_to_text(puzzle.grid) == grid
        assert [slot.name for slot in puzzle.grid.slots if puzzle.clue(slot)] == ["1A", "3A", "1D", "2D"]


def test_xword_info_with_shade_and_bars() -> None:
    puzzle, warnings = parse_bytes(
        json.dumps({**XWORD_INFO, "shadecircles": "true", "bbars": [4]}).encode(), ".json"
    )
    assert marked(puzzle, "shade") == ["r1c1", "r3c3"]
    assert [(warning.deviation, warning.places) for warning in warnings] == [(Deviation.LEFT_OUT, ("'bbars'",))]


@pytest.mark.parametrize("document", [GUARDIAN, {"crossword": GUARDIAN}])
def test_the_guardian(document: dict[str, Any]) -> None:
    puzzle, warnings = parse_bytes(json.dumps(document).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGHI"
    first = puzzle.grid.entry("1A")
    assert [light.name for light in first.lights] == ["1A", "3A"]
    assert (puzzle.clue(first), str(puzzle.enumeration(first))) == ("Both of *them*", "3-3")
    assert (puzzle.title, puzzle.author) == ("Cryptic crossword No 1", "Setter")
    assert puzzle.foreign["net.xwtui:xd-headers"] == {"Date": "2015-12-11"}


def test_the_guardian_before_the_solution_is_published() -> None:
    entries = [{**each, "solution": None} for each in GUARDIAN["entries"]]
    puzzle, _ = parse_bytes(json.dumps({**GUARDIAN, "entries": entries}).encode())
    assert grid_to_text(puzzle.grid) == "...\n.#.\n..."


def test_crossing_letters_that_differ_are_reported() -> None:
    entries = [*GUARDIAN["entries"][:3], entry(2, "down", 2, 0, "XFI", "Two")]
    puzzle, [warning] = parse_bytes(json.dumps({**GUARDIAN, "entries": entries}).encode())
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGHI"
    assert warning.words.endswith("r1c3 'X' as C")


@pytest.mark.parametrize("suffix", ["", ".xml"])
def test_universal(suffix: str) -> None:
    puzzle, warnings = parse_bytes(UNIVERSAL.encode(), suffix)
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGHI"
    assert clues_of(puzzle) == {"1A": "One & all", "3A": "Three", "1D": "Down", "2D": "Two"}
    assert (puzzle.title, puzzle.copyright) == ("Themeless: 1", "2020")


@pytest.mark.parametrize("document", [CROSSHARE, {"props": {"pageProps": {"puzzle": CROSSHARE}}}])
def test_crosshare(document: dict[str, Any]) -> None:
    puzzle, warnings = parse_bytes(json.dumps({**document}).encode(), ".json")
    assert not [one for one in warnings if one.deviation is not Deviation.UNPLACED]
    assert grid_to_text(puzzle.grid) == "A[HEART]C\nD#F\nGH_"
    assert (marked(puzzle, "circle"), marked(puzzle, "shade")) == (["r1c1"], ["r1c3"])
    assert (puzzle.title, puzzle.author, puzzle.notes) == ("Three & three", "G. Uest", "Mind 1 < 2")
    assert puzzle.foreign["net.xwtui:xd-headers"] == {"Publisher": "A. Site"}
    assert puzzle.printed_clue(puzzle.grid.slot("3A")) == "Fill {in} ___"


def test_crosshare_clues_are_markdown_and_its_bars_follow_squares() -> None:
    assert clues_of(parse_bytes(json.dumps(CROSSHARE).encode()).puzzle)["1A"] == "One & *all*"
    barred = parse_bytes(json.dumps({**CROSSHARE, "vBars": [0], "hBars": [2]}).encode()).puzzle.grid
    assert barred.bars == {Bar(Position(0, 0), Position(0, 1)), Bar(Position(0, 2), Position(1, 2))}


@pytest.mark.parametrize("document", [JOURNAL, JOURNAL["data"]])
def test_the_wall_street_journal(document: dict[str, Any]) -> None:
    puzzle, warnings = parse_bytes(json.dumps(document).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#.\nG[HI]J", "a letter that is kept back is an empty square"
    assert (marked(puzzle, "circle"), marked(puzzle, "shade")) == (["r1c1"], ["r3c1"])
    assert clues_of(puzzle) == {"1A": "One", "3A": "*C*", "1D": "Down", "2D": "Two"}
    assert (puzzle.title, puzzle.author, puzzle.notes) == ("Ups & Downs", "By A. Constructor", "A note")


def test_the_telegraph() -> None:
    copy = JOURNAL["data"]["copy"]
    groups = [{**group, "clues": [{**one, "format": "1, 2"} for one in group["clues"]]} for group in copy["clues"]]
    grid = [[{**cell, "Shaded": not at} for cell in row] for at, row in enumerate(JOURNAL["data"]["grid"])]
    document = {"copy": {**copy, "clues": groups, "byline": ""}, "grid": grid, "meta": {"author": "Setter"}}
    puzzle, warnings = parse_bytes(json.dumps({"json": document}).encode())
    assert not warnings
    assert (puzzle.author, marked(puzzle, "shade")) == ("Setter", ["r1c1", "r1c2", "r1c3", "r3c1"])
    first = puzzle.grid.slot("1A")
    assert (puzzle.clue(first), str(puzzle.enumeration(first))) == ("One", "1,2")


def test_the_washington_post() -> None:
    puzzle, warnings = parse_bytes(json.dumps(POST).encode())
    assert not warnings
    assert grid_to_text(puzzle.grid) == "ABC\nD#F\nGH_"
    assert (marked(puzzle, "circle"), marked(puzzle, "shade")) == (["r1c1"], ["r2c3"])
    assert puzzle.grid.bars == {Bar(Position(0, 1), Position(0, 2))}
    assert clues_of(puzzle) == {"1A": "One", "3A": "Three", "1D": "Down", "2D": "Two"}
    assert (puzzle.title, puzzle.author, puzzle.copyright) == ("Sunday", "A. Constructor", "2025")


def turned_back(text: str, start: int, gap: int, sizes: Sequence[int]) -> str:
    """Reverse the same runs again, which undoes `_turned`."""
    return outlets._turned(text, start, gap, sizes)


def wrapped(how: str) -> bytes:
    """Return the PuzzleMe puzzle in one of its historic wrappings."""
    text = json.dumps(PUZZLE_ME)
    coded = base64.b64encode(text.encode()).decode()
    match how:
        case "store":
            return json.dumps({"data": {"attributes": {"amuse_data": PUZZLE_ME}}}).encode()
        case "base64":
            return coded.encode()
        case "page":
            return f"<html><script>window.rawc = '{coded}';</script></html>".encode()
        case "key":
            key = "1a05"
            turned = turned_back(coded, 0, 0, [int(digit, 16) + 2 for digit in reversed(key)])
            return f"<script>window.puzzleEnv.rawc = '{turned}.{key}';</script>".encode()
        case "scrambled page":
            for passed in reversed(outlets._PASSES):
                coded = turned_back(coded, *passed)
            return f'<script id="params">{{"rawc": "{coded}"}}</script>'.encode()
    return text.encode()


@pytest.mark.parametrize("how", ["bare", "store", "base64", "page", "key", "scrambled page"])
def test_puzzle_me(how: str) -> None:
    puzzle, warnings = parse_bytes(wrapped(how))
    assert not warnings
    assert grid_to_text(puzzle.grid) == "A[HEART]C\nD#F\nGH_"
    assert (marked(puzzle, "circle"), marked(puzzle, "shade")) == (["r1c1", "r1c3"], ["r1c2"])
    assert puzzle.grid.bars == {Bar(Position(1, 0), Position(2, 0))}
    assert clues_of(puzzle) == {"1A": "R&D *x*", "3A": "Three", "2D": "Two"}
    assert (puzzle.title, puzzle.notes) == ("T", "Read this")


@needs_npm
def test_pages_are_unscrambled_like_puzzmos_tools(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(wrapped("scrambled page"))
    script = "const t = require(process.argv[1]), fs = require('fs');" + (
        "console.log(JSON.stringify(t.decodePuzzleMeHTML(fs.readFileSync(process.argv[2], 'utf8'))))"
    )
    command = [str(NODE), "-e", script, str(NPM / "node_modules" / "xd-crossword-tools-14"), str(path)]
    done = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=300)
    assert json.loads(done.stdout)["data"]["attributes"]["amuse_data"] == PUZZLE_ME


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({**CROSSHARE, "grid": ["A"]}),
        json.dumps({**CROSSHARE, "hidden": 5}),
        json.dumps({**CROSSHARE, "clues": [{"dir": 7, "num": 1, "clue": ""}]}),
        json.dumps({"data": {**JOURNAL["data"], "grid": [[]]}}),
        json.dumps({**TIMES, "body": []}),
        json.dumps({**TIMES, "body": [{**TIMES["body"][0], "cells": [{}]}]}),
        json.dumps({**TODAY, "solution": ["ABC"]}),
        json.dumps({**TODAY, "width": 10**15}),
        json.dumps({**POST, "width": 0}),
        json.dumps({**POST, "width": 2}),
        json.dumps({**POST, "words": [{"direction": "across", "indexes": [10**9]}]}),
        json.dumps({**PUZZLE_ME, "box": []}),
        json.dumps({**PUZZLE_ME, "w": 10**9}),
        "<script>rawc = 'AAAA'</script>",
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
def test_damaged_pages_are_refused(text: str) -> None:
    with pytest.raises(PuzzleFormatError):
        parse_bytes(text.encode())
