""".puz, the format of Across Lite that every solving program reads and writes, implemented with puzpy.

The reader takes the solution with rebus squares (GRBS, RTBL) and circles (GEXT 0x80), clues, title page and notes;
all content is in PEN. It ignores a solver's progress (fill, timer, marks) and unknown extensions. A locked
solution is scrambled and can be read only with its key; without the key, or if the solution is omitted, squares
are empty. Mismatched checksums and numbers of clues are reported.

Every entry has a clue, which is empty if none has been written. The reader accepts Latin-1 and UTF-8 (v2.0). The
writer uses Latin-1 (v1.3), because many programs read nothing else. It replaces curly quotes, dashes and similar
signs by plain ones, spells other characters in Latin letters (Œ as OE, Ł as L), and squares in A-Z. Changes beyond
a lost accent are reported. A `.utf8.puz` is written in UTF-8 (v2.0) and keeps all characters; non-ASCII letters in
squares become rebus strings of one letter.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import puz

from xwtui.errors import PuzzleFormatError
from xwtui.formats.across_lite import KeptText, LatinText, has_plain_letters, plain_reading, with_plain_letters
from xwtui.formats.base import (
    Losses,
    Written,
    add_lost_clues,
    add_stale_clues,
    check_clue_count,
    note_across_lite_squares,
    without_bars,
)
from xwtui.formats.clues import clue_text, linked_by_texts, puzzle_as_read, tell_styles
from xwtui.formats.intake import ANY_KEY, Deviation, Intake
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import BLOCK, VOID, Grid, Position, Puzzle, Slot, Square
from xwtui.model.grid import check_size
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.model.review import LONGEST_CLUE
from xwtui.model.slots import SlotKey
from xwtui.text import first_named, listed, printable

with lazy_imports():
    import numpy as np
    from numpy.typing import NDArray

MAX_PUZ_BYTES = 1024 * 1024
"""Maximum size of a .puz file, enough for the largest grid with the longest clues; also bounds puzpy's
checksums."""

_BLOCKS = (puz.BLACKSQUARE, puz.BLACKSQUARE2)
_DAMAGE = (ValueError, KeyError, IndexError, struct.error, AssertionError)
"""Exceptions of puzpy for damaged bytes, besides its own error (UnicodeDecodeError is a ValueError)."""

_WINDOWS = {code: text for code in range(0x80, 0xA0) if (text := bytes([code]).decode("cp1252", errors="ignore"))}
"""Curly quotes and dashes in files that claim to be Latin-1 but come from Windows."""

_TITLES = ("title", "author", "copyright")
"""The texts before the clues."""

_OF_SQUARES = (puz.Extensions.Rebus, puz.Extensions.RebusSolutions, puz.Extensions.Markup)
"""The extensions that are read."""

_VERSION_AT = 24
"""Offset in bytes of the version from the start of the header."""

_SPOILING = "Puzzmo's tools (xd-crossword-tools 12) and readpuz 1.2"
"""Programs found by testing to misread UTF-8; puzpy, pypuz and cursewords read it correctly."""

MOST_REBUS_STRINGS = 99
"""Maximum number of distinct rebus strings, limited by the two-digit keys of RTBL."""


_DAMAGED_EXTENSION = lazy_pattern(r"extension b'(\w+)' checksum does not match")
"""Matches puzpy's message for a damaged extension."""


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read a .puz file; raises PuzzleFormatError for other files, and for a wrong key."""
    if len(data) > MAX_PUZ_BYTES:
        raise PuzzleFormatError(f"this is larger than a .puz file can be ({MAX_PUZ_BYTES // 1024} KB)")
    file = _load(data, intake)
    check_size(file.height, file.width)
    if file.solution_state & puz.SolutionState.Locked:
        _unlock(file, intake)
    grid = _grid(file, intake)
    grid, clues = linked_by_texts(grid, _clues(file, grid, intake))
    return puzzle_as_read(grid, clues, lambda name: _text(file, getattr(file, name)), intake)


def _load(data: bytes, intake: Intake) -> puz.Puzzle:
    file = puz.Puzzle()
    try:
        file.load(data)
    except puz.PuzzleFormatError as error:
        if "checksum" not in error.message:
            raise PuzzleFormatError("this is not a .puz file, or only part of one") from None
        damaged = _DAMAGED_EXTENSION.match(error.message)
        if damaged is not None and damaged[1].encode() == puz.Extensions.RebusSolutions:
            del file.extensions[puz.Extensions.RebusSolutions]
        told = error.message if damaged is None else f"that of the extension {damaged[1]}"
        intake.note(Deviation.CHECKSUMS, printable(told, 60))  # everything has been read by then
    except UnicodeDecodeError:
        intake.note(Deviation.ENCODING, "all texts")
        version = data.index(puz.ACROSSDOWN) - 2 + _VERSION_AT  # the file wrongly claims that its text is UTF-8
        return _load(data[:version] + b"1.4" + data[version + 3 :], intake)
    except _DAMAGE:
        raise PuzzleFormatError("this .puz file is damaged or cut off") from None
    if len(file.solution) != file.width * file.height:
        raise PuzzleFormatError("this .puz file is cut off inside its grid")
    texts = [*_TITLES, *["clues"] * len(file.clues), "notes"]
    begin = len(file.preamble) + struct.calcsize(puz.HEADER_FORMAT) + 2 * len(file.solution)
    lost = [*dict.fromkeys(texts[data.count(b"\0", begin) :])]
    if lost and (lost != ["notes"] or file.notes):  # some files lack the final NUL of empty notes
        told = listed([*lost, "any rebus squares and circles"], "and")
        intake.note(Deviation.LEFT_OUT, f"{told}, where the file is cut off")
    headed = bytes(file.postscript[:4])  # bytes that did not form an extension
    if headed and any(code.startswith(headed) for code in _OF_SQUARES):
        intake.note(Deviation.LEFT_OUT, "any rebus squares and circles, where the file is cut off")
    return file


def _unlock(file: puz.Puzzle, intake: Intake) -> None:
    """Unlock the solution with the given key, or any; without a key, treat the solution as omitted."""
    file.solution_state = puz.SolutionState.Locked
    keys = fitting_keys(file) if intake.key == ANY_KEY else [int(intake.key)] if intake.key else []
    is_unlocked = False
    with suppress(ValueError):  # only A-Z can be scrambled
        is_unlocked = bool(keys and file.unlock_solution(keys[0]))
    if is_unlocked:
        others = f" (of {len(keys)} that fit, the one with the most common letters)" if len(keys) > 1 else ""
        if intake.key == ANY_KEY:
            intake.note(Deviation.KEY_FOUND, f"{keys[0]}{others}")
        return
    if intake.key:
        raise PuzzleFormatError(
            "no key unlocks its solution"
            if intake.key == ANY_KEY
            else f"the key {intake.key} does not unlock its solution"
        )
    intake.note(Deviation.LOCKED, "all squares")
    file.solution_state = puz.SolutionState.NotProvided


_FIRST, _LETTERS = ord("A"), 26
_COMMON = "EAROTISNLCDUPMHGBYFKWVXZJQ"
"""Letters by descending frequency in answers."""

_SHIFTED = [bytes((code - digit - _FIRST) % _LETTERS + _FIRST for code in range(256)) for digit in range(10)]
"""For each digit of a key, the substitution of letters that it makes."""


def fitting_keys(file: puz.Puzzle) -> Sequence[int]:
    """Return the keys that unlock a file's solution, most likely first; empty if it has more than A-Z.

    A locked solution is scrambled with a four-digit key, and the file has a 16-bit checksum of the original
    letters. Trying one key after another in puzpy takes seconds, so all checksums are computed at once here, and
    puzpy only verifies the matches. Because wrong keys can match by chance, the key that yields the most common
    letters comes first.
    """
    blocks = file.blacksquare()
    locked = puz.replace_chars(puz.square(file.solution, file.width, file.height), blocks)
    if not (locked.isascii() and locked.isalpha() and locked.isupper()):
        return []
    found: dict[int, int] = {}
    tried = {key: _unscrambled(locked.encode(), key) for key in range(1000, 10000)}
    for (key, letters), checksum in zip(tried.items(), _checksums([*tried.values()]).tolist(), strict=True):
        if checksum == file.scrambled_cksum:
            size = file.width, file.height
            if file.check_answers(puz.unscramble_solution(file.solution, *size, key, ignore_chars=blocks)):
                found[key] = sum(map(_COMMON.index, letters.decode()))
    return sorted(found, key=found.__getitem__)


def _unscrambled(letters: bytes, key: int) -> bytes:
    """Return the letters for a key, undoing the rounds of scrambling."""
    digits = [int(digit) for digit in str(key)]
    for digit in reversed(digits):
        shuffled = letters[1::2] + letters[::2]
        turn = len(letters) - digit % len(letters)
        turned = bytearray(shuffled[turn:] + shuffled[:turn])
        for place, shift in enumerate(digits):
            turned[place::4] = turned[place::4].translate(_SHIFTED[shift])
        letters = bytes(turned)
    return letters


def _checksums(texts: Sequence[bytes]) -> NDArray[np.uint16]:
    """Return the 16-bit .puz checksums of texts of equal length: rotate right by one bit, then add a letter."""
    checksums: NDArray[np.uint16] = np.zeros(len(texts), np.uint16)
    for letters in np.frombuffer(b"".join(texts), np.uint8).reshape(len(texts), -1).T:
        checksums = checksums >> np.uint16(1) | checksums << np.uint16(15)
        checksums += letters
    return checksums


def _grid(file: puz.Puzzle, intake: Intake) -> Grid:

    def rebus_strings() -> Mapping[int, str]:
        told, table = file.rebus().solutions, file.rebus().table
        if puz.Extensions.Rebus not in file.extensions and told:
            strings = first_named([printable(text, 30) for text in told.values()])
            intake.note(Deviation.LEFT_OUT, f"the rebus squares of {strings}, whose places the file lacks")
        return {index: told[key - 1] for index, key in enumerate(table) if key - 1 in told}

    rebus = _unless_damaged(rebus_strings, "the rebus table", intake)
    is_lacking = rebus is not None and puz.Extensions.RebusSolutions not in file.extensions
    circled = _unless_damaged(lambda: _circled(file, rebus or {}, intake), "the circles", intake) or frozenset()
    is_empty = file.solution_state & puz.SolutionState.NotProvided
    is_diagramless = file.puzzletype == puz.PuzzleType.Diagramless
    hidden = None if is_diagramless else puz.BLACKSQUARE2  # Crosshare's value for hidden squares
    keys = b"" if rebus is None else file.extensions.get(puz.Extensions.Rebus, b"")
    if is_lacking and puz.Extensions.Rebus in file.extensions and len(keys) < len(file.solution):
        intake.note(Deviation.LEFT_OUT, "the rebus squares, and any circles, where the file is cut off")
        keys = b""
    squares: list[Square] = []
    for index, letter in enumerate(file.solution):
        position = Position(*divmod(index, file.width))
        if any(keys[index : index + 1]) and index not in (rebus or {}):
            intake.note(Deviation.LEFT_OUT, f"the rebus of {position}")
        if letter in _BLOCKS:
            squares.append(VOID if letter == hidden else BLOCK)
            continue
        text = "" if is_empty or letter == puz.BLANKSQUARE else (rebus or {}).get(index, letter)
        squares.append(replace(intake.square(text, position), circle=index in circled))
    return Grid(file.height, file.width, tuple(squares))


_Part = TypeVar("_Part")


def _unless_damaged(read_part: Callable[[], _Part], what: str, intake: Intake) -> _Part | None:
    try:
        return read_part()
    except _DAMAGE:
        intake.note(Deviation.LEFT_OUT, what)
        return None


def _circled(file: puz.Puzzle, rebus: Mapping[int, str], intake: Intake) -> frozenset[int]:
    """Return the circled squares; tolerates pypuz's omission of rebus squares (2025), else raises ValueError."""
    if puz.Extensions.Markup not in file.extensions:
        return frozenset()
    marks, told = file.markup().markup, list(range(len(file.solution)))
    if len(marks) < len(told):
        told = [index for index in told if index not in rebus]
        if len(marks) != len(told):
            raise ValueError("it lists squares that do not exist")
        intake.note(Deviation.LEFT_OUT, "which rebus squares have a circle")
    return frozenset(index for index, mark in zip(told, marks, strict=False) if mark & puz.GridMarkup.Circled)


def _clues(file: puz.Puzzle, grid: Grid, intake: Intake) -> Mapping[SlotKey, str]:
    """Return the clues in entry order; if there are too few, the last entries get none."""
    slots = clue_order(grid.slots)
    if len(file.clues) != len(slots):
        intake.note(Deviation.CLUE_COUNT, f"{len(file.clues)} clues for {len(slots)} entries")
    others = list(filter(None, file.clues[len(slots) :]))  # if the count is damaged, most of them are empty
    check_clue_count(len(others))
    for clue in others:
        intake.leave("?", "A", intake.clue(_text(file, clue), "a clue"))
    told = zip(slots, file.clues, strict=False)
    texts = {slot.key: intake.clue(_text(file, clue), f"the clue of {slot.name}") for slot, clue in told}
    return {key: text for key, text in texts.items() if text}


def clue_order(slots: Sequence[Slot]) -> list[Slot]:
    """Return the slots in the order of clues in a .puz file: by number, across before down."""
    return sorted(slots, key=lambda slot: (slot.number, slot.direction.value))


def _text(file: puz.Puzzle, text: str) -> str:
    return text.translate(_WINDOWS) if file.encoding == puz.ENCODING else text


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a .puz file; raises PuzzleFormatError naming what it cannot hold, unless `lossy`."""
    return _write(puzzle, LatinText(), lossy=lossy)


def write_utf_8(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a .puz file in UTF-8, keeping all letters; not all programs can read it."""
    return _write(puzzle, None, lossy=lossy)


def _write(puzzle: Puzzle, latin: LatinText | None, *, lossy: bool) -> Written:
    losses = Losses(".puz")
    grid = without_bars(puzzle.grid, losses)
    if latin is not None:
        grid = with_plain_letters(grid, losses)
    add_lost_clues(puzzle, grid, losses)
    note_across_lite_squares(grid, losses)
    circles = [index for index, square in enumerate(grid.squares) if square.circle]
    shaded = [index for index, square in enumerate(grid.squares) if square.shade]
    places = list(grid.positions())
    remedy = "left out" if circles else "they become circles"
    losses.add("shade", (places[index] for index in shaded), remedy)
    add_stale_clues(puzzle, losses)
    tell_styles(puzzle, losses)
    texts = KeptText() if latin is None else latin
    clues = _clue_texts(puzzle, grid, losses, texts)
    title, author, copyright_ = (
        _within_limit(" ".join(texts.text(text, f"the {what}").split()), what, losses)
        for what, text in (("title", puzzle.title), ("author", puzzle.author), ("copyright", puzzle.copyright))
    )
    notes = _within_limit(texts.text(puzzle.notes, "the notes"), "notes", losses)
    texts.tell(losses)
    if latin is None and not all(map(str.isascii, (title, author, copyright_, notes, *clues))):
        losses.tell(f"in UTF-8 is spoiled by {_SPOILING}, which take its letters for Latin-1")
    warnings = losses.settle(lossy=lossy)

    file = puz.Puzzle("1.3" if latin is not None else "2.0")
    file.height, file.width = grid.height, grid.width
    file.title, file.author, file.copyright = title, author, copyright_
    file.notes = notes.replace("\n", "\r\n")
    file.clues = clues
    # the byte of a rebus is its first letter; other squares have the nearest letter
    for index, square in enumerate(grid.squares):
        content = square.content
        letter = puz.BLANKSQUARE if content is None else plain_reading(content.across)[0]
        file.solution += letter if square.is_open else puz.BLACKSQUARE
        file.fill += puz.BLANKSQUARE if square.is_open else puz.BLACKSQUARE
        if content is not None and (content.is_rebus or not has_plain_letters(square)):
            file.rebus().add_rebus_squares(index, content.text)
    if file.has_rebus() and len(file.rebus().solutions) > MOST_REBUS_STRINGS:
        raise PuzzleFormatError(f".puz cannot hold more than {MOST_REBUS_STRINGS} different rebus strings")
    if marked := circles or shaded:
        file.markup().set_markup_squares(marked, puz.GridMarkup.Circled)
    return Written(file.tobytes(), warnings)


def _clue_texts(puzzle: Puzzle, grid: Grid, losses: Losses, latin: LatinText | KeptText) -> list[str]:
    clues: list[str] = []
    too_long: list[str] = []
    for slot in clue_order(grid.slots):
        clue = " ".join(latin.text(clue_text(puzzle, slot, grid), f"the clue of {slot.name}").split())
        if len(clue) > LONGEST_CLUE:
            too_long.append(f"{slot.name} ({len(clue)} characters)")
            clue = clue[: LONGEST_CLUE - 3] + "..."
        clues.append(clue)
    losses.add(f"a clue of more than {LONGEST_CLUE} characters, where Across Lite fails,", too_long, "cut there")
    return clues


def _within_limit(text: str, field: str, losses: Losses) -> str:
    """Truncate a text that replacements (`...` for `…`) have made too long to read again."""
    if len(text) > LONGEST_TEXT:
        losses.add(f"text of more than {LONGEST_TEXT:,} characters", [f"the {field}"], "cut there")
    return text[:LONGEST_TEXT].strip()
