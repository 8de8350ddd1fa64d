"""What can be read or made can be written, and what was written is read again, however long its text."""

import html
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.clued import clue_texts
from tests.examples import examples
from tests.formats.ipuz_documents import document, read, written
from tests.formats.published import published
from tests.generators import one_liners
from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import MAX_CLUES, MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.intake import Deviation
from xwtui.formats.registry import puzzle_bytes, read_bytes, take_bytes, take_file, write_puzzle
from xwtui.model import Direction, Position, Puzzle
from xwtui.model.clues import unsettled
from xwtui.model.puzzle import LONGEST_TEXT

GRID = grid_from_text("ABC\nDEF\nGHI")
FIRST = (Position(0, 0), Direction.ACROSS)
XD = "Title: T\n\n\nABC\nDEF\nGHI\n\n\n"

PRINTABLE = st.text(st.characters(categories=("L", "M", "N", "P", "S"), include_characters=" "))
LINES = st.one_of(one_liners(), PRINTABLE.map(lambda text: " ".join(text.split())))
LONG_LINES = st.builds(
    lambda text, times: (text * times)[:LONGEST_TEXT].strip(),
    st.sampled_from(["x", "&", "<b>", "…", "—", "é", "あ", "𝄞", "a b ", "&lt;"]),
    st.sampled_from([1, 505, 506, 3_333, 9_990, LONGEST_TEXT]),
)


@given(st.lists(LINES | LONG_LINES, min_size=5, max_size=5), st.lists(LINES | LONG_LINES, max_size=6))
@examples(60)
@example(["<3", "&amp;", "R&D", "i<b and b>c", "&copy 2020"], ["<br>", "&lt;p&gt;", "x<br/>y"])
def test_any_text_of_a_puzzle_comes_back_from_each_format(title_page: list[str], clues: list[str]) -> None:
    names: dict[str, Any] = dict(zip(("title", "author", "copyright"), title_page, strict=False))
    notes = "\n".join(line for line in title_page[3:] if line)[:LONGEST_TEXT].strip()
    texts = {(slot.start, slot.direction): text for slot, text in zip(GRID.slots, clues, strict=False) if text}
    puzzle = replace(puzzle_of_grid(GRID), clues=unsettled(texts), notes=notes, **names)
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle
    styled = replace(puzzle, clues=published(puzzle, styled=True).clues)
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == styled
    lossy = puzzle_bytes(puzzle, ".puz", lossy=True).data
    once = read_bytes(lossy, ".puz")
    assert read_bytes(puzzle_bytes(once, ".puz").data, ".puz") == once


@given(st.lists(LINES | LONG_LINES, max_size=6), st.sampled_from([".ipuz", ".xd"]))
@examples(60)
def test_what_is_read_with_many_clues_for_one_number_is_read_again(clues: list[str], suffix: str) -> None:
    if suffix == ".ipuz":
        lists = {"Across": [[number, html.escape(text)] for text in clues for number in (1, 99)]}
        data = json.dumps(written(puzzle_of_grid(GRID)) | {"clues": lists}).encode()
    else:
        data = (XD + "\n".join(f"A{number}. {text} ~ X" for text in clues for number in (1, 99))).encode()
    puzzle = read_bytes(data, suffix)
    for target in (".ipuz", ".xd"):
        assert read_bytes(puzzle_bytes(puzzle, target).data, target).clues == puzzle.clues


def test_of_clues_that_are_too_long_together_the_last_ones_are_left_apart(tmp_path: Path) -> None:
    first, second = "x" * 9_990, "y" * 9_990
    files = {
        ".ipuz": json.dumps(document(clues={"Across": [[1, first], [1, second]]})),
        ".xd": XD + f"A1. {first} ~ ABC\nA1. {second} ~ ABC\n",
    }
    for suffix, text in files.items():
        puzzle, warnings = take_bytes(text.encode(), suffix)
        assert clue_texts(puzzle) == {FIRST: first}
        assert [(each.deviation, each.places) for each in warnings] == [(Deviation.UNPLACED, ("1A",))]
        write_puzzle(tmp_path / "p.ipuz", puzzle)
        assert take_file(tmp_path / "p.ipuz") == (puzzle, ())


def test_no_text_of_a_puzzle_is_longer_than_can_be_read() -> None:
    slot = GRID.slots[0]
    assert Puzzle(GRID).with_clue(slot, "x" * LONGEST_TEXT).clue(slot)
    with pytest.raises(PuzzleError, match="the clue of 1A has 10,001 characters; the limit is 10,000"):
        Puzzle(GRID).with_clue(slot, "x" * (LONGEST_TEXT + 1))
    for field in ("title", "author", "copyright", "notes"):
        too_long: dict[str, Any] = {field: "x" * (LONGEST_TEXT + 1)}
        with pytest.raises(PuzzleError, match=f"the {field} has 10,001 characters"):
            replace(Puzzle(GRID), **too_long)
    with pytest.raises(PuzzleError, match="the clue at r2c2 has 10,001 characters"):
        Puzzle(GRID, unsettled({(Position(1, 1), Direction.DOWN): "x" * (LONGEST_TEXT + 1)}))


@pytest.mark.parametrize("number", [1, 99])
@pytest.mark.parametrize("count", [MAX_CLUES + 1, 350_000])
def test_too_many_clues_are_refused(number: int, count: int) -> None:
    message = f"{count:,} clues are too many for a puzzle; the limit is 10,000"
    with pytest.raises(PuzzleFormatError, match=message):
        read(clues={"Across": [[number, "x"]] * (count - 1), "Down": ["y"]})


def test_too_many_clues_that_wait_for_an_entry_are_refused() -> None:
    with pytest.raises(PuzzleFormatError, match="10,001 clues are too many for a puzzle"):
        read(**{"net.xwtui:unplaced-clues": [["99", "A", "x"]] * (MAX_CLUES + 1)})


def test_many_clues_for_one_number_are_joined() -> None:
    puzzle = read(clues={"Across": [[1, "x"]] * 2_000})
    assert clue_texts(puzzle)[FIRST] == " / ".join("x" * 2_000)
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data) == puzzle


def test_clues_of_one_entry_under_two_spellings_of_its_number_are_joined() -> None:
    puzzle = read_bytes((XD + "A1. one ~ ABC\nA01. two ~ ABC\n").encode(), ".xd")
    assert clue_texts(puzzle)[FIRST] == "one / two"


def test_a_key_that_stands_twice_is_found_among_many() -> None:
    keys = [*range(300_000), 299_999]
    data = ("{" + ",".join(f'"{key}":1' for key in keys) + "}").encode()
    with pytest.raises(PuzzleFormatError, match="'299999' appears twice"):
        read_bytes(data, ".ipuz")


def test_notes_of_nothing_but_lines_are_read_again_from_xd() -> None:
    puzzle = replace(puzzle_of_grid(GRID), notes="a" + "\n" * (LONGEST_TEXT - 2) + "b")
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == puzzle


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    write_puzzle(path, puzzle_of_grid(GRID))
    before = path.read_bytes()
    with pytest.raises(PuzzleFormatError, match=r"has 4\.0 MB, too large to read again: .* field 'large'"):
        write_puzzle(path, replace(puzzle_of_grid(GRID), foreign={"large": "x" * MAX_FILE_BYTES}))
    assert path.read_bytes() == before


def test_half_surrogate_pairs_of_others_leave_the_rest_as_it_is(tmp_path: Path) -> None:
    puzzle = read(strange="\ud800" + "é" * 300_000)
    write_puzzle(tmp_path / "p.ipuz", puzzle)
    data = (tmp_path / "p.ipuz").read_bytes()
    assert b'"\\ud800\xc3\xa9' in data
    assert read_bytes(data) == puzzle


def test_clues_without_an_entry_are_no_more_than_are_read_again() -> None:
    waiting = {"net.xwtui:unplaced-clues": [["99", "A", "x"]] * 6_000}
    with pytest.raises(PuzzleFormatError, match="12,000 clues are too many"):
        read(clues={"Across": [[99, "x"]] * 6_000}, **waiting)
