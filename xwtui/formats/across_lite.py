"""The limits of both Across Lite formats, and its text format.

Both formats have Latin-1 texts and squares in A-Z and 0-9. The text format is `<ACROSS PUZZLE V2>` with one
section for each part. Squares are letters, `.` for a block, and a key from the `<REBUS>` section for each rebus
string (`1:HEART:H`); with `MARK;` in that section, lowercase letters are circled. Clues are in number order, with
`-` for a missing one. A file is read as UTF-8 if valid, else as Latin-1. Ours are named `….al.txt`, because `.txt`
is a plain grid.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from anyascii import anyascii

from xwtui.errors import PuzzleFormatError, WordListError
from xwtui.formats.base import (
    Losses,
    Written,
    add_lost_clues,
    add_stale_clues,
    check_clue_count,
    name_places,
    note_across_lite_squares,
    without_bars,
)
from xwtui.formats.clues import clue_text, linked_by_texts, puzzle_as_read, tell_styles
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.plain_text import clean_text, decode_windows_too
from xwtui.lazy import lazy_pattern
from xwtui.model import BLOCK, Content, Direction, Grid, Puzzle, Slot, Square
from xwtui.model.grid import check_size
from xwtui.model.square import LONGEST_REBUS
from xwtui.model.where import all_positions
from xwtui.text import first_named, without_accents
from xwtui.words.normalise import spell

_LAST_OF_LATIN_1 = 0xFF

_DIGRAPHS = {"Œ": "OE", "Ĳ": "IJ"}
_UNSEEN = ("Mn", "Me", "Cf")
"""Unicode categories of characters that show only in their neighbors, such as accents and joiners."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("—―", "--"),
        **dict.fromkeys("\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " "),
        "…": "...",
    }
)


class LatinText:
    """Converts text to Latin-1, and records the texts that changed.

    A character loses its accent, or else is spelled by anyascii (Cyrillic and other scripts by sound, emoji by
    name), or else becomes `?`.
    """

    def __init__(self) -> None:
        self._straightened: list[str] = []
        self._spelled: list[str] = []
        self._replaced: list[str] = []

    def text(self, text: str, what: str) -> str:
        """Return the text in Latin-1; `what` names it in a warning."""
        clean = unicodedata.normalize("NFC", clean_text(text, "a text of this puzzle"))
        plain = clean.translate(_PLAIN)
        if signs := sorted({sign for sign in clean if ord(sign) in _PLAIN and not sign.isspace()}):
            self._straightened.append(f"{what} ({first_named(signs)})")
        strange = {character for character in plain if ord(character) > _LAST_OF_LATIN_1}
        if not strange:
            return plain
        spelled = {ord(character): _spelled(character) for character in strange}
        is_latin = all(unicodedata.name(character, "").startswith("LATIN ") for character in strange)
        named = f"{what} ({first_named(sorted(strange))})"
        (self._spelled if is_latin else self._replaced).append(named)
        return plain.translate(spelled)

    def tell(self, losses: Losses) -> None:
        if self._straightened:
            losses.tell(f"cannot hold these characters, simplified: {name_places(self._straightened)}")
        if self._spelled:
            losses.tell(f"cannot hold these letters, simplified: {name_places(self._spelled)}")
        if self._replaced:
            losses.tell(f"cannot hold these characters, spelled out: {name_places(self._replaced)}")


class KeptText:
    """Keeps text unchanged, for formats that hold all characters."""

    def text(self, text: str, what: str) -> str:
        """Return the text without control characters."""
        return clean_text(text, "a text of this puzzle")

    def tell(self, losses: Losses) -> None: ...


def _spelled(character: str) -> str:
    if character in _DIGRAPHS or unicodedata.category(character) in _UNSEEN:
        return _DIGRAPHS.get(character, "")
    plain = without_accents(character)
    # a stroke negates the sign: ≠, ≮, ∌
    if plain not in ("", character) and unicodedata.category(character) == "Sm":
        return f"not {plain if plain.isascii() else _spelled(plain)}"
    if plain and max(map(ord, plain)) <= _LAST_OF_LATIN_1:
        return plain
    return anyascii(character) or "?"


_UNHEARD = "X"
"""Replacement for letters without a sound, such as Ъ."""


def with_plain_letters(grid: Grid, losses: Losses) -> Grid:
    """Return the grid in A-Z, without accents or spelled by sound, and report the changed entries."""
    plain = {
        at: replace(grid[at], content=Content(*(plain_reading(content.reading(way)) for way in Direction)))
        for at, content in grid.contents.items()
        if not has_plain_letters(grid[at])
    }
    if not plain:
        return grid
    written = grid.with_squares(plain)
    told = [
        f"{slot.name} {grid.pattern(slot)} as {written.pattern(slot)}"
        for slot in grid.slots
        if grid.pattern(slot) != written.pattern(slot)
    ]
    told = told or [f"{at} {grid[at].content} as {written[at].content}" for at in plain]
    losses.tell(f"has only A-Z; changed letters: {first_named(told)}")
    return written


def has_plain_letters(square: Square) -> bool:
    """Whether a square holds only A-Z and 0-9."""
    return square.content is None or square.content.text.isascii()


def plain_reading(reading: str) -> str:
    """Return a square's content in A-Z and 0-9, by shape or by sound."""
    for spelling in (reading, anyascii(reading)):
        with suppress(WordListError):
            return spell(spelling).word[:LONGEST_REBUS]
    return _UNHEARD


MAGIC = "<ACROSS PUZZLE"
_SECTIONS = ("TITLE", "AUTHOR", "COPYRIGHT", "SIZE", "GRID", "REBUS", "ACROSS", "DOWN", "NOTEPAD")
_TAG = lazy_pattern(r"<(ACROSS PUZZLE(?: V2)?|[A-Z]+)>")
_SIZE = lazy_pattern(r"(\d{1,3})\s*[xX]\s*(\d{1,3})")
_KEYS = "1234567890@$%&+?!*^=~"
_MARK = "MARK;"
_BLOCKS = ".:"
NOTHING = "-"
"""A missing letter or clue."""


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read a text file; raises as `Format.read` does for anything else."""
    sections = _sections(decode_windows_too(data))
    height, width = _size(sections)
    grid = _grid(sections, height, width, intake)
    found = {}
    for direction in Direction:
        slots = grid.slots_of(direction)
        texts = [line for line in sections.get(direction.word.upper(), []) if line]
        check_clue_count(len(texts))
        if len(texts) != len(slots):
            intake.note(Deviation.CLUE_COUNT, f"{len(texts)} {direction.word} clues for {len(slots)} entries")
        for text in texts[len(slots) :]:
            intake.leave("?", direction.value, intake.clue(text, "a clue"))
        for slot, text in zip(slots, texts, strict=False):
            if text != NOTHING:
                found[slot.start, direction] = intake.clue(text, f"the clue of {slot.name}")
    grid, clues = linked_by_texts(grid, found)

    def text_of(name: str) -> str:
        return "\n".join(sections.get("NOTEPAD" if name == "notes" else name.upper(), []))

    return puzzle_as_read(grid, clues, text_of, intake)


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section; lines that begin with a space are never tags."""
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for raw in text.splitlines():
        tag = _TAG.fullmatch(raw.rstrip())
        if tag is not None and tag[1] in _SECTIONS and tag[1] not in sections:
            current = sections.setdefault(tag[1], [])
        elif tag is not None and tag[1].startswith("ACROSS PUZZLE"):
            current = None
        elif current is not None:
            current.append(raw.strip())
    if not {"GRID", "ACROSS", "DOWN"} <= sections.keys():
        raise PuzzleFormatError("this is not Across Lite text: it lacks <GRID>, <ACROSS> or <DOWN>")
    return sections


def _size(sections: dict[str, list[str]]) -> tuple[int, int]:
    rows = [line for line in sections["GRID"] if line]
    named = _SIZE.fullmatch(" ".join(sections.get("SIZE", [])).strip())
    height, width = (int(named[2]), int(named[1])) if named else (len(rows), max(map(len, rows), default=0))
    check_size(height, width)
    if len(rows) != height or any(len(row) != width for row in rows):
        raise PuzzleFormatError(f"this Across Lite text does not have {height} rows of {width} squares")
    return height, width


def _grid(sections: dict[str, list[str]], height: int, width: int, intake: Intake) -> Grid:
    keys, marks = _rebus(sections.get("REBUS", []), intake)
    squares: list[Square] = []
    rows = [line for line in sections["GRID"] if line]
    for at in all_positions(height, width):
        symbol = rows[at.row][at.column]
        if symbol in _BLOCKS and symbol not in keys:
            squares.append(BLOCK)
            continue
        square = intake.square(keys.get(symbol, "" if symbol == NOTHING else symbol), at)
        squares.append(replace(square, circle=marks and symbol.islower() and symbol not in keys))
    return Grid(height, width, tuple(squares))


def _rebus(lines: Sequence[str], intake: Intake) -> tuple[dict[str, str], bool]:
    """Return the rebus strings by key, and whether lowercase letters are circled."""
    keys: dict[str, str] = {}
    for line in filter(None, lines):
        parts = line.split(":")
        if line.upper() == _MARK:
            continue
        if len(parts) < 2 or len(parts[0]) != 1 or not parts[1].strip():
            intake.note(Deviation.LEFT_OUT, "a line of the rebus section", line)
            continue
        keys[parts[0]] = parts[1].strip()
    return keys, any(line.upper() == _MARK for line in lines)


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a text file; raises PuzzleFormatError naming what it cannot hold, unless `lossy`."""
    losses, latin = Losses("Across Lite text"), LatinText()
    grid = with_plain_letters(without_bars(puzzle.grid, losses), losses)
    add_lost_clues(puzzle, grid, losses)
    add_stale_clues(puzzle, losses)
    tell_styles(puzzle, losses)
    note_across_lite_squares(grid, losses)
    squares = [(at, grid[at]) for at in grid.positions()]
    losses.add("shade", (at for at, square in squares if square.shade), "left out")
    odd = (at for at, square in squares if square.circle and not _is_letter(square))
    losses.add("circles in squares without a single letter", odd, "left out")
    titles = [
        (f"<{name.upper()}>", [" ".join(latin.text(getattr(puzzle, name), f"the {name}").split())])
        for name in ("title", "author", "copyright")
    ]

    def clue(slot: Slot) -> str:
        return " ".join(latin.text(clue_text(puzzle, slot, grid), f"the clue of {slot.name}").split()) or NOTHING

    clues = [(f"<{way.word.upper()}>", [*map(clue, grid.slots_of(way))]) for way in Direction]
    notes = latin.text(puzzle.notes, "the notes").splitlines()
    latin.tell(losses)
    warnings = losses.settle(lossy=lossy)
    keys = _keys(grid)
    rows = ["".join(_symbol(square, keys) for square in row) for row in grid.rows()]
    marked = [_MARK] if any(square.circle for square in grid.squares) else []
    rebus = [*marked, *(f"{key}:{text}:{text[0]}" for text, key in keys.items())]
    sections = [*titles, ("<SIZE>", [f"{grid.width}x{grid.height}"]), ("<GRID>", rows)]
    sections += [("<REBUS>", rebus)] if rebus else []
    sections += clues
    sections += [("<NOTEPAD>", notes)] if notes else []
    lines = [f"{MAGIC} V2>", *(line for tag, body in sections for line in (tag, *(f"\t{each}" for each in body)))]
    text = "\r\n".join([*lines, ""])
    data = text.encode("latin-1")
    with suppress(UnicodeDecodeError):
        if data.decode("utf-8") != text:  # it would decode as UTF-8 to something else
            data = text.encode("utf-8")
    return Written(data, warnings)


def _is_letter(square: Square) -> bool:
    return square.content is not None and not square.content.is_rebus and square.content.across.isalpha()


def _keys(grid: Grid) -> dict[str, str]:
    """Return the key of each rebus string; raises PuzzleFormatError if there are not enough keys."""
    contents = grid.contents.values()
    strings = dict.fromkeys(content.text for content in contents if content.is_rebus)
    taken = set(map(str, contents))
    free = [key for key in _KEYS if key not in taken]
    if len(strings) > len(free):
        raise PuzzleFormatError(f"Across Lite text cannot hold more than {len(free)} different rebus strings")
    return dict(zip(strings, free, strict=False))


def _symbol(square: Square, keys: dict[str, str]) -> str:
    if not square.is_open:
        return "."
    if square.content is None:
        return NOTHING
    text = square.content.text
    if text in keys:
        return keys[text]
    return text.lower() if square.circle and _is_letter(square) else text
