"""Files of every format, changed at random: a puzzle comes out, or one message, and never another exception."""

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from pathlib import Path
from typing import Any

import pypuz
import pytest

from tests.formats.test_bad_input import attempt
from tests.formats.test_jpz import zipped
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
from tests.formats.torture import IS_DEEP, NAMES, TORTURE
from xwtui.formats.registry import puzzle_bytes, read_bytes, suffixes

SAMPLES = Path(pypuz.__file__).parent / "test_files"
MOST = 10_000 if IS_DEEP else 30
"""Files a reader."""

PATIENCE = 5.0
"""Seconds of the processor, not of a clock, after which a reader counts as hung; in the deep profile alone."""

MOST_MEMORY = 500_000
"""KB that no file may take."""

OUTLETS = {"XWordInfo": XWORD_INFO, "Guardian": GUARDIAN, "Crosshare": CROSSHARE, "Journal": JOURNAL, "Post": POST}
OUTLETS |= {"Amuse Labs": PUZZLE_ME, "Times": TIMES, "Today": TODAY}
OTHERS = ("zipped .jpz", "CrossFire", "Universal", *OUTLETS)
PIECES = (
    *(b"\0", b"\xff", b"<", b">", b"&", b'"', b"{", b"[", b"]", b"}", b"-1", b"999999999", b"1e999", b"null"),
    *(b"\n\n", b"<!ENTITY a 'b'>", b"&a;", b"## Grid\n", b"<GRID>\n", b"x='1-99999999'", b"\xed\xa0\x80"),
    b"A" * 300,
)


ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 41, 10**9, 1e308, [], [[]], {}, [None] * 50),
    *("", "#", "AB" * 200, "<b>", "\0", "1-99999", "X:1"),
)
"""Values that stand where others are looked for."""


def peak() -> int:
    """The most memory that this process has had, in KB; nothing where the system tells none."""
    status = Path("/proc/self/status")
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) if status.exists() else 0


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what takes longer than so many seconds of the processor."""

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
    """The suffix of a source, and good files of it."""
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
    """The bytes with one to five changes: cut, overwritten, doubled, a number or a strange piece put in."""
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
    """The ways to all values within one of JSON."""
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*way, key))


def reshaped(data: bytes, rng: random.Random) -> bytes:
    """JSON with one to three values replaced, taken out, or put where another stood."""
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
def test_mutated_files(source: str) -> None:
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
                attempt(data, suffix)
        except BaseException as error:
            error.add_note(f"file {number} of {source}, which begins {data[:200]!r}")
            raise
    assert peak() - before < MOST_MEMORY
