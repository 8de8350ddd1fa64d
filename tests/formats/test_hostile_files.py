"""Small files that would take a reader minutes or gigabytes: each is refused in words, or read in no time."""

import struct

import puz
import pytest

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_CLUES
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Puzzle

BEFORE = b"<crossword-compiler><rectangular-puzzle><crossword>"
GRID = b"<grid width='3' height='3'>%s</grid>"
AFTER = b"</crossword></rectangular-puzzle></crossword-compiler>"
CELLS = b"".join(b"<cell x='%d' y='%d' solution='A'/>" % (x, y) for x in (1, 2, 3) for y in (1, 2, 3))


def jpz(content: bytes, cells: bytes = CELLS) -> bytes:
    return BEFORE + GRID % cells + content + AFTER


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (jpz(b"", CELLS + b"<cell x='1' y='1'/>" * 100_000), "100,000 elements"),
        (jpz(b"<a>" * 1_000 + b"</a>" * 1_000), "50 deep"),
        (jpz(b"<clues><title/><clue>" + b"<b/>*" * 100_000 + b"</clue></clues>"), "100,000 elements"),
        (jpz(b"<word id='1'>" + b"<cells x='1-40' y='1-40'/>" * 100 + b"</word>"), "100,000 squares"),
        (jpz(b"<word id='1' x='1-40' y='1-40'/>" * 100), "100,000 squares"),
    ],
    ids=["cells", "deep", "a wide clue", "a large word", "many words"],
)
def test_xml_of_more_than_a_puzzle_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(PuzzleFormatError, match=told):
        read_bytes(data, ".jpz")


@pytest.mark.parametrize("separator", [b" , ", b" & ", b"A , "])
def test_numbers_before_a_clue_are_read_one_way_alone(separator: bytes) -> None:
    read = read_bytes(b"Title: T\n\n\nABC\nDEF\nGHI\n\n\nA1. " + (b"1" + separator) * 2_000 + b"x: a\n", ".xd")
    assert len(read.clues) == 1


def with_count(puzzle: Puzzle, count: int, texts: bytes) -> bytes:
    """A .puz file that says how many clues it has, and what follows its titles."""
    data = puzzle_bytes(puzzle, ".puz", lossy=True).data
    place = data.index(puz.ACROSSDOWN) + 44
    return data[:place] + struct.pack("<H", count) + data[place + 2 :] + texts


def test_clues_that_a_damaged_count_adds_cost_nothing() -> None:
    blank = Puzzle.blank(3, 3)
    read = read_bytes(with_count(blank, 60_000, b""), ".puz")
    assert read.grid.height == 3
    with pytest.raises(PuzzleFormatError, match="more than a puzzle has"):
        read_bytes(with_count(blank, 60_000, b"a\0" * (MAX_CLUES + 100)), ".puz")
