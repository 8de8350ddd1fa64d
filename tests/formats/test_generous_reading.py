"""Third-party data that our model cannot represent is imported as closely as possible, with warnings."""

import json
from typing import Any

import pytest

from tests.formats.published import document
from tests.known import clue_texts
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.intake import Deviation, Intake, ReadOptions
from xwtui.formats.registry import parse_bytes, puzzle_bytes
from xwtui.model import Direction, Position
from xwtui.model.puzzle import LONGEST_TEXT

A, D = Direction.ACROSS, Direction.DOWN
Deviations = dict[Deviation, tuple[str, ...]]


def read(data: bytes, suffix: str = "") -> tuple[str, dict[tuple[Position, Direction], str], Deviations]:
    """Return the grid, the clues, and the places of each deviation."""
    puzzle, warnings = parse_bytes(data, suffix)
    assert all(warning.words.isprintable() for warning in warnings)
    written = puzzle_bytes(puzzle, ".ipuz").data
    assert parse_bytes(written, ".ipuz").puzzle == puzzle
    return grid_to_text(puzzle.grid), dict(clue_texts(puzzle)), {each.deviation: each.places for each in warnings}


def ipuz(**fields: Any) -> bytes:
    return json.dumps({name: value for name, value in document(**fields).items() if value is not None}).encode()


PLAIN = "ABC\nDEF\nGHI"


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("$", "[DOLLAR]"),
        ("@", "[AT]"),
        ("&", "[AND]"),
        ("★", "[STAR]"),
        ("😀", "[GRINNING]"),
        ("I'M", "[IM]"),
        ("S|E", "[SE]"),
        ("R&B", "[RANDB]"),
        ("A/B/C", "[A/BC]"),
        ("ABCDEFGHIJKLMNOP", "[ABCDEFGHIJKL]"),
        ("?", "None"),
        ("-", "None"),
        ("\u200b", "None"),
    ],
)
def test_squares(text: str, content: str) -> None:
    intake = Intake()
    assert str(intake.content(text, Position(0, 0))) == content
    (warning,) = intake.warnings
    assert (warning.deviation, warning.places) == (Deviation.SQUARES, ("r1c1",))


@pytest.mark.parametrize("text", ["a", "heart", "[HEART]", "X/times", "7", " B "])
def test_squares_that_can_be_represented_as_written(text: str) -> None:
    intake = Intake()
    assert intake.content(text, Position(0, 0)) is not None
    assert not intake.warnings


def test_a_warning_names_the_first_places_and_counts_the_rest() -> None:
    intake = Intake()
    for column in range(11):
        intake.content("$", Position(0, column))
    (warning,) = intake.warnings
    assert len(warning.places) == 11
    assert warning.words.startswith("squares with content that xwtui cannot hold: r1c1 '$' as [DOLLAR], r1c2 ")
    assert warning.words.endswith(" and 3 more")


def test_long_texts_are_truncated() -> None:
    long = "x" * LONGEST_TEXT + "y"
    puzzle, warnings = parse_bytes(ipuz(title=long, notes=long, clues={"Across": [[1, long]]}))
    assert {len(puzzle.title), len(puzzle.notes), len(puzzle.clue(puzzle.grid.slot("1A")))} == {LONGEST_TEXT}
    assert warnings[0].deviation is Deviation.TEXTS
    assert set(warnings[0].places) == {"the title", "the notes", "the clue of 1A"}


@pytest.mark.parametrize(
    ("fields", "grid", "deviations"),
    [
        ({"puzzle": None}, PLAIN, {Deviation.LEFT_OUT: ("'puzzle', so the grid comes from 'solution'",)}),
        (
            {"puzzle": None, "solution": [["A", "B", None], ["D", "E", "F"], [None, "H", "I"]]},
            "AB#\nDEF\n#HI",
            {Deviation.LEFT_OUT: ("'puzzle', so the grid comes from 'solution'",)},
        ),
        (
            {"puzzle": None, "solution": ["AB#", "DEF", "#HI"], "dimensions": None},
            "AB#\nDEF\n#HI",
            {Deviation.LEFT_OUT: ("'puzzle', so the grid comes from 'solution'",)},
        ),
        ({"puzzle": [[1, 2, 3], [4, 0], [5, 0, 0]]}, "ABC\nDE_\nGHI", {Deviation.ROWS: ("row 2 of 'puzzle'",)}),
        (
            {"solution": [["A"]]},
            "A..\n...\n...",
            {Deviation.ROWS: tuple(f"row {n} of 'solution'" for n in (1, 2, 3))},
        ),
        ({"solution": "ABC"}, "...\n...\n...", {Deviation.LEFT_OUT: ("'solution'",)}),
        ({"dimensions": {"width": 15, "height": 3}}, PLAIN, {Deviation.ROWS: ("'dimensions'",)}),
        ({"dimensions": [3, 3]}, PLAIN, {Deviation.ROWS: ("'dimensions'",)}),
        (
            {"solution": [["A", "B", "C"], ["D", ["E", "F", "G"], True], ["G", {"value": {}}, "I"]]},
            "ABC\nD..\nG.I",
            {Deviation.SQUARES: ("r2c2", "r2c3")},
        ),
        ({"solution": [["0", "0", "0"], ["0", "0", "#"], ["0", "0", "0"]]}, "...\n..#\n...", {}),
        ({"title": ["T"], "clues": ["Across"]}, PLAIN, {Deviation.LEFT_OUT: ("the clues", "the title")}),
        (
            {"clues": {"Across": {"1": "one"}, "Down": [[1], {"number": 2, "clue": 7}]}},
            PLAIN,
            {Deviation.LEFT_OUT: ("the clues of the list", "a clue of the down list")},
        ),
        ({"clues": {"Zones": [[1, "zone"]]}}, PLAIN, {Deviation.UNPLACED: ("the list",)}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_ipuz(fields: dict[str, Any], grid: str, deviations: Deviations) -> None:
    found, _, told = read(ipuz(**fields))
    assert (found, told) == (grid, deviations)


def cells(*pairs: str) -> list[list[int]]:
    return [[int(pair[0]), int(pair[1])] for pair in pairs]


ROW_1, ROW_2, COLUMN_2 = cells("11", "21", "31"), cells("12", "22", "32"), cells("21", "22", "23")
FROM_0 = {"Across": [{"number": 1, "clue": "one", "cells": cells("00", "10", "20")}]}


@pytest.mark.parametrize(
    ("clues", "placed", "deviations"),
    [
        ({"Across": [{"number": 1, "clue": "one", "cells": ROW_1}]}, {"1A": "one"}, {}),
        (FROM_0, {"1A": "one"}, {}),
        (
            {"Across": [{"number": "2-3", "clue": "two", "cells": ROW_2}, {"number": "1", "clue": "one"}]},
            {"4A": "two", "1A": "one"},
            {Deviation.MOVED: ("2-3A",)},
        ),
        (
            {
                "Across": [
                    {"number": "2-3", "clue": "x", "cells": ROW_1},
                    {"number": "2-4", "clue": "y", "cells": ROW_2},
                ]
            },
            {"1A": "x", "4A": "y"},
            {Deviation.MOVED: ("2-3A", "2-4A")},
        ),
        ({"Down": [["2, 3", "two"]]}, {"2D": "two", "3D": "See 2"}, {}),
        ({"Down": [["2, 3", "two"], [3, "x"]]}, {"2D": "two", "3D": "x"}, {Deviation.MOVED: ("2, 3D",)}),
        ({"Across": [{"number": 2, "clue": "d", "cells": COLUMN_2}]}, {"2D": "d"}, {Deviation.MOVED: ("2A",)}),
        (
            {"Across": [{"number": 4, "clue": "bent", "cells": cells("12", "22", "23", "13")}]},
            {},
            {Deviation.UNPLACED: ("4A",)},
        ),
        ({"Across": [{"number": 4, "clue": "x", "cells": "all"}]}, {"4A": "x"}, {}),
        ({"Across": [{"number": 4, "clue": "x", "cells": ROW_2[:2]}]}, {"4A": "x"}, {Deviation.MOVED: ("4A",)}),
        ({"Across": [[1, "one"], [1, "two"]]}, {"1A": "one / two"}, {Deviation.JOINED: ("1A",)}),
        ({"Across": [[9, "lost"], "x"]}, {"1A": "x"}, {Deviation.UNPLACED: ("9A",)}),
    ],
)
def test_placement_of_ipuz_clues(clues: dict[str, Any], placed: dict[str, str], deviations: Deviations) -> None:
    data = ipuz(clues=clues)
    _, texts, told = read(data)
    grid = parse_bytes(data).puzzle.grid
    assert {name: texts.get((slot.start, slot.direction), "") for name, slot in grid.slots_by_name.items()} == {
        **dict.fromkeys(grid.slots_by_name, ""),
        **placed,
    }
    assert told == deviations


def test_differing_numbers_are_reported() -> None:
    rows = [[10, 2, 3], [40, 0, 0], [5, 0, 0]]
    _, texts, told = read(ipuz(puzzle=rows, clues={"Across": [[10, "one"], [40, "four"]]}))
    assert texts == {(Position(0, 0), A): "one", (Position(1, 0), A): "four"}
    assert told == {Deviation.NUMBERS: ("10A", "40A", "10D")}


XD = "Title: T\n{}\n\n{}\n\n\n{}\n"


@pytest.mark.parametrize(
    ("headers", "rows", "clues", "grid", "deviations"),
    [
        ("Rebus: HEART", "ABC\nDEF\nGHI", "", PLAIN, {Deviation.LEFT_OUT: ("a part of the Rebus header",)}),
        ("Rebus: 1=S|E", "1BC\nDEF\nGHI", "", "[SE]BC\nDEF\nGHI", {Deviation.SQUARES: ("r1c1",)}),
        ("Rebus: 1=O 1=A", "1BC\nDEF\nGHI", "", "[O/A]BC\nDEF\nGHI", {Deviation.SQUARES: ("the key 1",)}),
        ("rebus: ❶=TASK", "❶BC\r\nDEF\r\nGHI", "", "[TASK]BC\nDEF\nGHI", {}),
        ("", "ABC\nD?E\nGHI", "", "ABC\nD.E\nGHI", {Deviation.SQUARES: ("r2c2",)}),
        (
            "",
            "ABC\nDEF\nGHI",
            "A1. One ~ ABC\nA1 hint Two",
            PLAIN,
            {Deviation.LEFT_OUT: ("a line of the clues",)},
        ),
        ("", "ABC\nDEF\nGHI", "A1. One ~ ABC\nA1 ^hint: Two", PLAIN, {}),
        ("", "ABC\nDEF\nGHI", "A1. One ~ ABC\nA9. Two ~ X", PLAIN, {Deviation.UNPLACED: ("9A",)}),
    ],
)
def test_xd(headers: str, rows: str, clues: str, grid: str, deviations: Deviations) -> None:
    found, _, told = read(XD.format(headers, rows, clues).encode(), ".xd")
    assert (found, told) == (grid, deviations)


def test_unknown_xd_sections_and_two_answers_on_a_line() -> None:
    text = (
        "## Metadata\n\ntitle: T\nrebus: 1=O 1=A\n\n## Grid\n\nABC\nD1F\nGHI\n\n## Clues\n\n"
        "A1. One ~ uno ~ ABC\n\nD2. Two ~ BOH ~ BAH // B|OH\n\n## Metapuzzle\n\nAn answer\n"
    )
    _, texts, told = read(text.encode(), ".xd")
    assert texts == {(Position(0, 0), A): "One ~ uno", (Position(0, 1), D): "Two"}
    assert told[Deviation.LEFT_OUT] == ("the section",)


def test_across_lite_text() -> None:
    text = (
        "<ACROSS PUZZLE V2>\n<SIZE>\n3x3\n<GRID>\nABC\nD$F\nGHI\n<REBUS>\nHEART\n"
        "<ACROSS>\na\nb\nc\nd\n<DOWN>\nd\ne\n"
    )
    grid, texts, told = read(text.encode())
    assert grid == "ABC\nD[DOLLAR]F\nGHI"
    assert len(texts) == 5
    assert told == {
        Deviation.SQUARES: ("r2c2",),
        Deviation.CLUE_COUNT: ("4 across clues for 3 entries", "2 down clues for 3 entries"),
        Deviation.UNPLACED: ("?A",),
        Deviation.LEFT_OUT: ("a line of the rebus section",),
    }


def test_strict_refuses_deviations_in_one_message() -> None:
    assert parse_bytes(ipuz(), ".ipuz", ReadOptions(strict=True)).warnings == ()
    bad = ipuz(solution=[["$", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]], clues={"Across": [[9, "lost"]]})
    with pytest.raises(PuzzleFormatError, match=r"refused by --strict: .*r1c1 '\$'.*; clues .* 9A 'lost'"):
        parse_bytes(bad, ".ipuz", ReadOptions(strict=True))


SIDES = 'width="3" height="3"'


def jpz(
    cells: str = "ABC DEF GHI",
    *,
    words: str = "",
    clues: str = "",
    grid: str = 'width="3" height="3"',
    more: str = "",
) -> bytes:
    squares = "".join(
        f'<cell x="{x}" y="{y}" solution="{letter}"/>'
        for y, row in enumerate(cells.split(), 1)
        for x, letter in enumerate(row, 1)
    )
    return (
        f"<crossword-compiler><rectangular-puzzle><crossword><grid {grid}>{squares}{more}</grid>{words}{clues}"
        "</crossword></rectangular-puzzle></crossword-compiler>"
    ).encode()


def clue_list(title: str, *clues: str) -> str:
    return f"<clues><title><b>{title}</b></title>{''.join(clues)}</clues>"


BENT = '<word id="1"><cells x="1" y="1"/><cells x="2" y="1"/><cells x="2" y="2"/><cells x="1" y="2"/></word>'
SEVEN = '<cell x="1" y="1" number="7" solution="A"/>'
TWO_WORDS = '<word id="1" x="1-3" y="1"/><word id="2" x="1" y="1-3"/>'


@pytest.mark.parametrize(
    ("data", "grid", "placed", "deviations"),
    [
        (jpz("A$C DEF GHI"), "A[DOLLAR]C\nDEF\nGHI", {}, {Deviation.SQUARES: ("r1c2",)}),
        (jpz(grid=""), PLAIN, {}, {}),
        (jpz(more='<cell x="1" y="1" type="clue"/>'), "#BC\nDEF\nGHI", {}, {Deviation.SQUARES: ("r1c1",)}),
        (jpz(more='<cell x="2" y="2" solve-state="Q"/>'), "ABC\nD.F\nGHI", {}, {}),
        (jpz(more='<cell x="9" y="9" solution="Z"/>'), PLAIN, {}, {Deviation.LEFT_OUT: ("the square r9c9",)}),
        (
            jpz(words=BENT, clues=clue_list("Rows") + clue_list("Blooms", '<clue word="1" number="L1">x</clue>')),
            PLAIN,
            {},
            {Deviation.UNPLACED: ("L1A",)},
        ),
        (
            jpz(
                words=TWO_WORDS,
                clues=clue_list(
                    "Clues", '<clue word="1" number="1">a</clue>', '<clue word="2" number="1">d</clue>'
                ),
            ),
            PLAIN,
            {(Position(0, 0), A): "a", (Position(0, 0), D): "d"},
            {},
        ),
        (
            jpz(words=TWO_WORDS, clues=clue_list("Down", '<clue word="1" number="9">a</clue>')),
            PLAIN,
            {(Position(0, 0), A): "a"},
            {Deviation.MOVED: ("9D",)},
        ),
        (
            jpz(clues=clue_list("Across", "<clue>a</clue>", "<clue>b</clue>")),
            PLAIN,
            {(Position(0, 0), A): "a", (Position(1, 0), A): "b"},
            {},
        ),
        (
            jpz(more=SEVEN, clues=clue_list("Across", '<clue number="7">a</clue>')),
            PLAIN,
            {(Position(0, 0), A): "a"},
            {Deviation.NUMBERS: ("7A", "7D")},
        ),
    ],
)
def test_jpz(
    data: bytes, grid: str, placed: dict[tuple[Position, Direction], str], deviations: Deviations
) -> None:
    assert read(data, ".jpz") == (grid, placed, deviations)
