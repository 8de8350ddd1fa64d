"""All formats by suffix: the one door for files, in and out."""

from pathlib import Path
from typing import BinaryIO

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats import grid_text, ipuz, xd
from xwtui.formats.base import MAX_FILE_BYTES, Format, Written, write_atomically
from xwtui.formats.plain_text import clean_line, shown
from xwtui.model import Puzzle
from xwtui.reading import read_at_most

_PUZ_MAGIC = b"ACROSS&DOWN"
_PUZ_PREAMBLE = 1024
"""Bytes that may stand before a .puz puzzle, as mail programs leave them."""


def _read_puz(data: bytes) -> Puzzle:
    from xwtui.formats import puz  # noqa: PLC0415  (loads puzpy, which takes longer than all else here)

    return puz.read(data)


def _write_puz(puzzle: Puzzle, lossy: bool) -> Written:
    from xwtui.formats import puz  # noqa: PLC0415  (as above)

    return puz.write(puzzle, lossy)


def _looks_like_puz(data: bytes) -> bool:
    return _PUZ_MAGIC in data[:_PUZ_PREAMBLE]


_PUZ = Format(".puz", (".puz",), _read_puz, _write_puz, _looks_like_puz)
FORMATS: tuple[Format, ...] = (ipuz.FORMAT, _PUZ, xd.FORMAT, grid_text.EMOGIC_FORMAT, grid_text.FORMAT)
"""In the order in which unnamed bytes are tried."""


def suffixes() -> tuple[str, ...]:
    """The suffixes of files that can be read and written, the native one first."""
    return tuple(suffix for known in FORMATS if known.write is not None for suffix in known.suffixes)


def check_suffix(path: Path) -> None:
    """Raise PuzzleFormatError for the name of a file that says no format to write in."""
    if path.suffix.lower() not in suffixes():
        name, known = clean_line(str(path), "the path"), ", ".join(suffixes())
        example = path.stem.strip("-.") or "puzzle"
        raise PuzzleFormatError(
            f"{name}: the end of the name says the format, as in {clean_line(example, 'the path')}.puz; "
            f"xwtui writes {known}"
        )


def read_puzzle(path: Path) -> Puzzle:
    """Read a puzzle file by its suffix, or by its look if the suffix is unknown.

    Raises PuzzleFormatError, naming the file, where it cannot be opened or is no puzzle. What is no file, such
    as a device or a pipe that nobody writes into, is refused without waiting.
    """
    try:
        return read_bytes(read_at_most(path, MAX_FILE_BYTES + 1), path.suffix)
    except PuzzleFormatError as error:
        raise PuzzleFormatError(f"{clean_line(str(path), 'the path')}: {error}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise PuzzleFormatError(f"cannot read {clean_line(str(path), 'the path')}: {reason}") from None


def read_stream(stream: BinaryIO, suffix: str = "") -> Puzzle:
    """Read a puzzle from an open file, such as standard input; raises PuzzleFormatError and OSError."""
    return read_bytes(stream.read(MAX_FILE_BYTES + 1), suffix)


def read_bytes(data: bytes, suffix: str = "") -> Puzzle:
    """Read a puzzle from bytes in the format of a suffix such as `.puz`.

    An unknown or empty suffix leaves the format to the look of the bytes. Raises PuzzleFormatError
    where they are no puzzle.
    """
    if not data.strip():
        raise PuzzleFormatError("the file is empty")
    if len(data) > MAX_FILE_BYTES:
        raise PuzzleFormatError(f"this is larger than a puzzle can be ({MAX_FILE_BYTES // 2**20} MB)")
    try:
        return _format_to_read(data, suffix).read(data)
    except PuzzleError as error:
        raise PuzzleFormatError(str(error)) from None


def _format_to_read(data: bytes, suffix: str) -> Format:
    named = [known for known in FORMATS if suffix.lower() in known.suffixes]
    if len(named) == 1:
        return named[0]
    candidates = named or FORMATS
    alike = next((known for known in candidates if known.looks_like(data)), None)
    if alike is not None:
        return alike
    if named:
        return named[-1]
    raise PuzzleFormatError(f"this is no puzzle that xwtui can read; it reads {', '.join(suffixes())}")


def puzzle_bytes(puzzle: Puzzle, suffix: str, *, lossy: bool = False) -> Written:
    """The puzzle as the bytes of a file.

    Raises PuzzleFormatError where the format is unknown, or cannot hold something and not `lossy`;
    if `lossy`, the warnings tell what was left out.
    """
    for known in FORMATS:
        if known.write is not None and suffix.lower() in known.suffixes:
            return known.write(puzzle, lossy)
    raise PuzzleFormatError(f"xwtui writes {', '.join(suffixes())}, not {shown(suffix) if suffix else 'this'}")


def write_puzzle(path: Path, puzzle: Puzzle, *, lossy: bool = False) -> tuple[str, ...]:
    """Write a puzzle file, whole or not at all, and return the warnings; raises PuzzleFormatError.

    What could not be read again is not written.
    """
    check_suffix(path)
    written = puzzle_bytes(puzzle, path.suffix, lossy=lossy)
    try:
        read_bytes(written.data, path.suffix)
    except PuzzleFormatError as error:
        raise PuzzleFormatError(f"as {path.suffix} this puzzle could not be read again: {error}") from None
    write_atomically(path, written.data)
    return written.warnings
