"""Grids as plain text, one character per square: the format of constructors' templates and of the tests.

`.` is an open square, `#` a block, `_` a void, a letter or digit a given square (in PEN), `[HEART]` a rebus
square, and `[X/TIMES]` a square that reads X across and TIMES down. Whitespace between squares and around the grid
is ignored. (TheF#WORD's templates are valid grid text.)

Emogic's templates, https://github.com/vpelss/crosswords_js, are also read: `o` is an open square, `x` a block, and
a capital letter a given square.
"""

import string
import unicodedata
from collections.abc import Mapping, Sequence

from xwtui.errors import PuzzleError, PuzzleFormatError, failing_as
from xwtui.formats.base import Format, Losses, Written, add_grid_only
from xwtui.formats.intake import Intake
from xwtui.formats.plain_text import decode, shown
from xwtui.model import BLOCK, OPEN, VOID, Content, Grid, Ink, Kind, Position, Puzzle, Square, Symmetry
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.letters import KNOWN_LETTERS, small
from xwtui.model.review import has_symmetry
from xwtui.model.square import LONGEST_REBUS

_PLAIN = {".": OPEN, "#": BLOCK, "_": VOID}
_SIGNS = frozenset(".#_]")
_CAPITALS = frozenset(KNOWN_LETTERS + string.whitespace)
_ALPHABET = _SIGNS | _CAPITALS | frozenset("[/") | frozenset(filter(None, map(small, KNOWN_LETTERS)))
_LONGEST_LINE = LARGEST_SIDE * (2 * LONGEST_REBUS + len("[/]"))


def grid_from_text(text: str) -> Grid:
    """Parse a grid; raises PuzzleFormatError for malformed text."""
    lines = text.lstrip("\ufeff").strip().splitlines()
    if not lines:
        raise PuzzleFormatError("the file is empty; a grid has rows of '.', '#' and letters")
    if len(lines) > LARGEST_SIDE:
        raise PuzzleFormatError(f"{len(lines)} lines are too many for a grid; the limit is {LARGEST_SIDE} rows")
    with failing_as(PuzzleFormatError, of=PuzzleError):
        return Grid.from_rows(_row(number, line) for number, line in enumerate(lines, start=1))


def contents_in(rows: Sequence[str]) -> Mapping[Position, Content]:
    """Return the contents of the filled squares in the rows of a grid; raises PuzzleFormatError if malformed."""
    return grid_from_text("\n".join(rows)).contents


def _row(number: int, line: str) -> list[Square]:
    symbols = unicodedata.normalize("NFC", "".join(line.split()))
    if len(symbols) > _LONGEST_LINE:
        raise PuzzleFormatError(f"row {number} has {len(symbols):,} characters: this is not a grid")
    row: list[Square] = []
    start = 0
    while start < len(symbols):
        end = start + 1
        if symbols[start] == "[":
            end = symbols.find("]", start) + 1
            if not end:
                raise PuzzleFormatError(f"row {number}: '[' at square {len(row) + 1} is never closed")
        row.append(_square(symbols[start:end], f"r{number}c{len(row) + 1}"))
        start = end
    return row


def _square(symbol: str, place: str) -> Square:
    if (plain := _PLAIN.get(symbol)) is not None:
        return plain
    try:
        return Square(content=Content.parse(symbol), ink=Ink.PEN)
    except PuzzleError:
        raise PuzzleFormatError(
            f"{place}: {shown(symbol)} is not a square; use '.', '#', '_', letters, 0-9 and [REBUS] of up to "
            f"{LONGEST_REBUS} letters"
        ) from None


def grid_to_text(grid: Grid) -> str:
    """Return the grid as text, one row a line; circles, shade, bars and ink are lost."""
    signs = {Kind.BLOCK: "#", Kind.VOID: "_", Kind.OPEN: "."}
    return "\n".join("".join(str(square.content or signs[square.kind]) for square in row) for row in grid.rows())


def puzzle_of_grid(grid: Grid) -> Puzzle:
    """Return a puzzle with only a grid and the symmetry of its blocks."""
    return Puzzle(grid, symmetry=found_symmetry(grid))


def found_symmetry(grid: Grid) -> Symmetry:
    """Return the first symmetry of the blocks, voids and bars: rotation, then reflections, then none."""
    usual = (
        Symmetry.ROTATION_180,
        Symmetry.LEFT_RIGHT,
        Symmetry.UP_DOWN,
        Symmetry.DIAGONAL,
        Symmetry.ANTIDIAGONAL,
    )
    return next((symmetry for symmetry in usual if has_symmetry(grid, symmetry)), Symmetry.NONE)


def _read(data: bytes, intake: Intake) -> Puzzle:
    return puzzle_of_grid(grid_from_text(decode(data)))


def _write(puzzle: Puzzle, lossy: bool) -> Written:
    losses = Losses("grid text")
    add_grid_only(puzzle, losses)
    warnings = losses.settle(lossy=lossy)
    return Written(f"{grid_to_text(puzzle.grid)}\n".encode(), warnings)


def _looks_like(data: bytes) -> bool:
    used = _characters(data)
    return used <= _CAPITALS or (used <= _ALPHABET and not used.isdisjoint(_SIGNS))


def _characters(data: bytes) -> set[str]:
    """Return the characters of a text; of anything else, one that no grid has."""
    try:
        return set(decode(data))
    except PuzzleFormatError:
        return {"\0"}


_TEMPLATE_SIGNS = frozenset("ox")
_TEMPLATE_ALPHABET = _TEMPLATE_SIGNS | frozenset(string.ascii_uppercase + string.whitespace)
_TO_GRID_TEXT = str.maketrans("ox", ".#")


def _read_template(data: bytes, intake: Intake) -> Puzzle:
    """Parse a template; raises PuzzleFormatError for anything else."""
    text = decode(data)
    if not _looks_like_template(data):
        raise PuzzleFormatError("this is not an Emogic template: it has characters other than o, x and A-Z")
    return puzzle_of_grid(grid_from_text(text.translate(_TO_GRID_TEXT)))


def _looks_like_template(data: bytes) -> bool:
    used = _characters(data)
    return used <= _TEMPLATE_ALPHABET and not used.isdisjoint(_TEMPLATE_SIGNS)


FORMAT = Format("grid text", (".txt",), _read, _write, _looks_like)
EMOGIC_FORMAT = Format("Emogic template", (".txt",), _read_template, None, _looks_like_template)
