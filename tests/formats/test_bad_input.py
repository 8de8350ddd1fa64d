"""Damaged, hostile, huge or mutated files end in a puzzle or one clear message."""

import json
import random
import signal
import struct
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from pathlib import Path
from typing import Any

import puz
import pypuz
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples, is_deep
from tests.formats.test_outlets import (
    CROSSHARE,
    GUARDIAN,
    JOURNAL,
    POST,
    PUZZLE_ME,
    TIMES,
    TODAY,
    UNIVERSAL,
    XWORD_INFO,
)
from tests.formats.test_xd import zipped
from tests.formats.torture import IS_DEEP, NAMES, TORTURE
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
def test_xml_with_unsafe_features_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(PuzzleFormatError, match=told):
        read_bytes(data, ".jpz")


@pytest.mark.parametrize("separator", [b" , ", b" & ", b"A , "])
def test_numbers_before_clues_have_only_one_reading(separator: bytes) -> None:
    read = read_bytes(b"Title: T\n\n\nABC\nDEF\nGHI\n\n\nA1. " + (b"1" + separator) * 2_000 + b"x: a\n", ".xd")
    assert len(read.clues) == 1


def with_count(puzzle: Puzzle, count: int, texts: bytes) -> bytes:
    """Return a .puz file with this clue count and these bytes after its titles."""
    data = puzzle_bytes(puzzle, ".puz", lossy=True).data
    place = data.index(puz.ACROSSDOWN) + 44
    return data[:place] + struct.pack("<H", count) + data[place + 2 :] + texts


def test_clues_added_by_a_damaged_count_take_no_memory() -> None:
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
    """Read; a result must be writable again, and an error must be one short, printable line."""
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
def test_the_largest_accepted_file(suffix: str, filler: bytes) -> None:
    data = filler * (MAX_FILE_BYTES // len(filler) - 1)
    for end in (b"", b"?") if is_deep() else (b"?",):
        with pytest.raises(PuzzleFormatError):
            read_bytes(data + end, suffix)


SAMPLES = Path(pypuz.__file__).parent / "test_files"
MOST = 10_000 if IS_DEEP else 30
"""Files per reader."""

PATIENCE = 5.0
"""Processor seconds after which a reader counts as hung; checked only in the deep profile."""

MOST_MEMORY = 500_000
"""Most memory that a file may take, in KB."""

OUTLETS = {"XWordInfo": XWORD_INFO, "Guardian": GUARDIAN, "Crosshare": CROSSHARE, "Journal": JOURNAL, "Post": POST}
OUTLETS |= {"Amuse Labs": PUZZLE_ME, "Times": TIMES, "Today": TODAY}
OTHERS = ("zipped .jpz", "CrossFire", "Universal", *OUTLETS)
PIECES = (
    *(b"\0", b"\xff", b"<", b">", b"&", b'"', b"{", b"[", b"]", b"}", b"-1", b"999999999", b"1e999", b"null"),
    *(
        b"\n\n",
        b"<!ENTITY a 'b'>",
        b"&a;",
        b"## Grid\n",
        b"<GRID>\n",
        b"x='1-99999999'",
        b"\xed\xa0\x80",
        b"A" * 300,
    ),
)


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    41,
    10**9,
    1e308,
    "",
    "#",
    "AB" * 200,
    "<b>",
    "\0",
    [],
    [[]],
    {},
    [None] * 50,
    "1-99999",
    "X:1",
)
"""Values of unexpected types."""


def peak() -> int:
    """Return the peak memory of this process in KB; 0 if unknown."""
    status = Path("/proc/self/status")
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) if status.exists() else 0


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in a block that takes more processor time than this."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"a reader took more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def samples(source: str) -> tuple[str, list[bytes]]:
    """Return the suffix of a source, and valid files of it."""
    puzzles = [TORTURE[name] for name in NAMES]
    match source:
        case "zipped .jpz":
            return ".jpz", [zipped(puzzle_bytes(puzzle, ".jpz").data) for puzzle in puzzles]
        case "CrossFire":
            return ".cfp", [(SAMPLES / "3x.cfp").read_bytes()]
        case "Universal":
            return ".xml", [UNIVERSAL.encode()]
        case name if name in OUTLETS:
            return ".json", [json.dumps(OUTLETS[name]).encode()]
    return source, [puzzle_bytes(puzzle, source, lossy=True).data for puzzle in puzzles]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Apply one to five changes to the bytes: truncate, overwrite, duplicate, insert a number or an odd piece."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 5)):
        place = rng.randrange(len(changed) + 1)
        end = min(len(changed), place + rng.choice((1, 1, 4, 40, 400)))
        match rng.randrange(6):
            case 0:
                del changed[place:end]
            case 1:
                changed[place:place] = rng.choice(PIECES)
            case 2:
                changed[place:place] = changed[place:end] * rng.choice((1, 3, 30))
            case 3 if place < len(changed):
                changed[place] = rng.randrange(256)
            case 4:
                digits = [at for at, byte in enumerate(changed) if 48 <= byte < 58]
                if digits:
                    at = rng.choice(digits)
                    changed[at : at + 1] = str(rng.choice((0, 1, 9, 41, 99_999, 10**12))).encode()
            case 5:
                del changed[place : end if rng.random() < 0.8 else len(changed)]
    return bytes(changed)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all values in a JSON value."""
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*way, key))


def reshaped(data: bytes, rng: random.Random) -> bytes:
    """Replace, remove or swap one to three values of a JSON document."""
    document = json.loads(data)
    for _ in range(rng.randint(1, 3)):
        found = list(places(document))
        depth = rng.randint(1, 6)
        chosen = rng.choice([way for way in found if 0 < len(way) <= depth] or found[1:] or [()])
        if not chosen:
            break
        parent = _at(document, chosen[:-1])
        match rng.randrange(3):
            case 0:
                parent[chosen[-1]] = deepcopy(rng.choice(ODD))
            case 1:
                del parent[chosen[-1]]
            case 2:
                parent[chosen[-1]] = deepcopy(_at(document, rng.choice(found)))
    return json.dumps(document).encode()


def _at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


@pytest.mark.parametrize("source", [*suffixes(), *OTHERS])
def test_mutated_files_are_handled(source: str) -> None:
    suffix, files = samples(source)
    rng = random.Random(source)
    for data in files:
        read_bytes(data, suffix)
    before = peak()
    for number in range(MOST):
        changed = reshaped if suffix in (".ipuz", ".json") and number % 2 else mutated
        data = changed(rng.choice(files), rng)
        try:
            with at_most(PATIENCE) if IS_DEEP else nullcontext():
                attempt(data, suffix if number % 3 else "")
        except BaseException as error:
            error.add_note(f"file {number} of {source}, which begins {data[:200]!r}")
            raise
    assert peak() - before < MOST_MEMORY
