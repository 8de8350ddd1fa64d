"""Files that are damaged, hostile or huge end in one clear message."""

import json
import struct

import puz
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples, is_deep
from tests.generators import puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_CLUES, MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import puzzle_bytes, read_bytes, suffixes
from xwtui.model import Direction, Position, Puzzle
from xwtui.model.clues import unsettled

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
    with pytest.raises(PuzzleFormatError, match="too many for a puzzle"):
        read_bytes(with_count(blank, 60_000, b"a\0" * (MAX_CLUES + 100)), ".puz")


SUFFIXES = ("", *suffixes())

EXAMPLE = Puzzle(
    grid_from_text("ABC#\n[HEART]DEF\nG_HI"),
    unsettled({(Position(0, 0), Direction.ACROSS): "First “clue”", (Position(2, 0), Direction.ACROSS): "Last"}),
    title="Títle",
    author="Author",
    notes="Two\nlines",
    foreign={"publisher": "P"},
)
VALID = puzzle_bytes(EXAMPLE, ".ipuz").data

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def attempt(data: bytes, suffix: str) -> None:
    """Read; what comes out can be written again, or the error has one short, printable line."""
    try:
        puzzle = read_bytes(data, suffix)
    except PuzzleFormatError as error:
        message = str(error)
        assert message
        assert message.isprintable(), message
        assert len(message) < 400, message
    else:
        assert isinstance(puzzle, Puzzle)
        for target in suffixes():
            try:
                puzzle_bytes(puzzle, target, lossy=True)
            except PuzzleFormatError:
                assert target in (".puz", ".xd", ".al.txt")


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.binary(max_size=200))
@example(data=b"")
@example(data=b"\0")
@example(data=b"\xff\xfe")
@example(data=b"[" * 100_000)
@example(data=b"{" * 100_000)
def test_random_bytes(suffix: str, data: bytes) -> None:
    attempt(data, suffix)


@pytest.mark.parametrize("suffix", suffixes())
@given(text=st.text(max_size=100))
def test_random_text(suffix: str, text: str) -> None:
    attempt(text.encode("utf-8", "surrogatepass"), suffix)


@given(
    field=st.sampled_from([*sorted(json.loads(VALID)), "block", "empty", "styles", "net.xwtui:words"]),
    value=JSON_VALUES,
)
@examples(200)
def test_ipuz_with_any_value_in_any_field(field: str, value: object) -> None:
    document = json.loads(VALID)
    document[field] = value
    attempt(json.dumps(document).encode(), ".ipuz")


@given(puzzles(largest=5), st.sampled_from(suffixes()))
@examples(50)
def test_any_puzzle_can_be_written_if_lossy(puzzle: Puzzle, suffix: str) -> None:
    written = puzzle_bytes(puzzle, suffix, lossy=True)
    read_bytes(written.data, suffix)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("filler", [b"A", b".", b"{", b"\0", b"[HEART]"], ids=repr)
def test_huge_files_are_refused_at_once(suffix: str, filler: bytes) -> None:
    data = filler * (10_000_000 // len(filler))
    with pytest.raises(PuzzleFormatError, match="larger than a puzzle can be"):
        read_bytes(data, suffix)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "filler", [b"A", b".", b"o", b"A\n", b"{", b'"', b"\x1b]", b"a: b\n", b"A1. x ~ Y\n"], ids=repr
)
def test_the_largest_file_that_is_read(suffix: str, filler: bytes) -> None:
    data = filler * (MAX_FILE_BYTES // len(filler) - 1)
    for end in (b"", b"?") if is_deep() else (b"?",):
        with pytest.raises(PuzzleFormatError):
            read_bytes(data + end, suffix)
