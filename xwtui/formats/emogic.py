"""Emogic's grid templates: `o` is an open square, `x` a block, a capital letter a given one; only read.

See the author's description, https://github.com/vpelss/crosswords_js. (TheF#WORD's templates, `.` open
and `#` block, are grid text as it stands.)
"""

import string

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Format
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.plain_text import decode
from xwtui.model import Puzzle

_SIGNS = frozenset("ox")
_ALPHABET = _SIGNS | frozenset(string.ascii_uppercase + string.whitespace)
_TO_GRID_TEXT = str.maketrans("ox", ".#")


def read(data: bytes) -> Puzzle:
    """Read a template; raises PuzzleFormatError on anything else."""
    text = decode(data)
    if not _is_template(text):
        raise PuzzleFormatError("this is no template of Emogic's: it has other characters than o, x and A-Z")
    return puzzle_of_grid(grid_from_text(text.translate(_TO_GRID_TEXT)))


def _looks_like(data: bytes) -> bool:
    try:
        return _is_template(decode(data))
    except PuzzleFormatError:
        return False


def _is_template(text: str) -> bool:
    used = set(text)
    return used <= _ALPHABET and not used.isdisjoint(_SIGNS)


FORMAT = Format("Emogic template", (".txt",), read, None, _looks_like)
