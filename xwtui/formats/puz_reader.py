"""Reading .puz, the Across Lite format, with puzpy.

Read are the solution with rebus squares (GRBS, RTBL) and circles (GEXT 0x80), clues, title page and
notes; all content is in PEN. A solver's progress (fill, timer, marks) and unknown extensions are
not. A locked solution is scrambled, so the file is refused; one that is left out gives empty squares.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace

import puz

from xwtui.errors import PuzzleFormatError
from xwtui.formats.contents import content_of
from xwtui.formats.grid_text import found_symmetry
from xwtui.formats.plain_text import clean_line, clean_text
from xwtui.model import BLOCK, OPEN, Grid, Ink, Position, Puzzle, Slot, Square
from xwtui.model.grid import check_size
from xwtui.model.slots import SlotKey

MAX_PUZ_BYTES = 512 * 1024
"""Largest .puz that is read: far above any real one, and puzpy's checksums stay quick."""

_BLOCKS = (puz.BLACKSQUARE, puz.BLACKSQUARE2)
_DAMAGE = (ValueError, KeyError, IndexError, struct.error, AssertionError)
"""What puzpy raises on damaged bytes, besides its own error (UnicodeDecodeError is a ValueError)."""

_WINDOWS = {code: text for code in range(0x80, 0xA0) if (text := bytes([code]).decode("cp1252", errors="ignore"))}
"""Curly quotes and dashes in files that call themselves Latin-1 but come from Windows."""


def read(data: bytes) -> Puzzle:
    """Read a .puz file; raises PuzzleFormatError on damaged, scrambled and other files."""
    if len(data) > MAX_PUZ_BYTES:
        raise PuzzleFormatError(f"this is larger than a .puz file can be ({MAX_PUZ_BYTES // 1024} KB)")
    file = _load(data)
    check_size(file.height, file.width)
    if file.solution_state & puz.SolutionState.Locked:
        raise PuzzleFormatError("its solution is locked (scrambled); unlock it in the program that locked it")
    try:
        grid = _grid(file)
    except _DAMAGE:
        raise PuzzleFormatError("this .puz file is damaged: its rebus table or marks cannot be read") from None
    return Puzzle(
        grid,
        _clues(file, grid),
        title=clean_line(_text(file, file.title), "the title"),
        author=clean_line(_text(file, file.author), "the author"),
        copyright=clean_line(_text(file, file.copyright), "the copyright"),
        notes=clean_text(_text(file, file.notes), "the notes"),
        symmetry=found_symmetry(grid),
    )


def _load(data: bytes) -> puz.Puzzle:
    try:
        file = puz.load(data)
    except puz.PuzzleFormatError as error:
        if "checksum" not in error.message:
            raise PuzzleFormatError("this is no .puz file, or only a piece of one") from None
        raise PuzzleFormatError(f"this .puz file is damaged: the {error.message}") from None
    except _DAMAGE:
        raise PuzzleFormatError("this .puz file is damaged or cut off") from None
    if len(file.solution) != file.width * file.height:
        raise PuzzleFormatError("this .puz file is cut off inside its grid")
    return file


def _grid(file: puz.Puzzle) -> Grid:
    rebus = _rebus(file)
    circled = _circled(file)
    is_empty = file.solution_state & puz.SolutionState.NotProvided
    squares: list[Square] = []
    for index, letter in enumerate(file.solution):
        position = Position(*divmod(index, file.width))
        if letter in _BLOCKS:
            squares.append(BLOCK)
            continue
        text = "" if is_empty or letter == puz.BLANKSQUARE else rebus.get(index, letter)
        content = content_of(text, position)
        square = OPEN if content is None else Square(content=content, ink=Ink.PEN)
        squares.append(replace(square, circle=index in circled))
    return Grid(file.height, file.width, tuple(squares))


def _rebus(file: puz.Puzzle) -> Mapping[int, str]:
    """The rebus strings by the index of their square; an index without a string has none."""
    if puz.Extensions.Rebus not in file.extensions:
        return {}
    helper = file.rebus()
    return {
        index: helper.solutions[key - 1] for index, key in enumerate(helper.table) if key - 1 in helper.solutions
    }


def _circled(file: puz.Puzzle) -> frozenset[int]:
    if puz.Extensions.Markup not in file.extensions:
        return frozenset()
    return frozenset(file.markup().get_markup_squares(puz.GridMarkup.Circled))


def _clues(file: puz.Puzzle, grid: Grid) -> Mapping[SlotKey, str]:
    slots = clue_order(grid.slots)
    if len(file.clues) != len(slots):
        raise PuzzleFormatError(
            f"this .puz file is damaged: it has {len(file.clues)} clues for {len(slots)} entries"
        )
    texts = (
        clean_line(_text(file, clue), f"the clue of {slot.name}")
        for slot, clue in zip(slots, file.clues, strict=True)
    )
    return {(slot.start, slot.direction): text for slot, text in zip(slots, texts, strict=True) if text}


def clue_order(slots: Sequence[Slot]) -> list[Slot]:
    """The slots in the order of the clues in a .puz file: by number, across before down."""
    return sorted(slots, key=lambda slot: (slot.number, slot.direction.value))


def _text(file: puz.Puzzle, text: str) -> str:
    return text.translate(_WINDOWS) if file.encoding == puz.ENCODING else text
