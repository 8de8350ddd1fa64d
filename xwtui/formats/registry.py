"""All formats by suffix: the single entry point for reading and writing files."""

import importlib
import os
import re
from base64 import b64decode
from collections.abc import Callable, Container, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from xwtui.errors import PuzzleError, PuzzleFormatError, failing_as, reason_of
from xwtui.formats import grid_text
from xwtui.formats.base import MAX_FILE_BYTES, Format, Reader, Written, write_atomically
from xwtui.formats.intake import DEFAULT_READ_OPTIONS, Deviation, Intake, ReadOptions, ReadPuzzle, checked_result
from xwtui.formats.plain_text import clean_line, decode, shown
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Puzzle
from xwtui.plugins import FORMATS as PLUGIN_FORMATS
from xwtui.plugins import plugins
from xwtui.reading import read_at_most

with lazy_imports():
    from xwtui.formats.apart import written_apart
    from xwtui.formats.recipients import recipient, written_for

_PUZ_MAGIC = b"ACROSS&DOWN"
_PUZ_PREAMBLE = 1024
"""Maximum number of bytes before a .puz puzzle, such as mail programs add."""

_ZIP = b"PK\x03\x04"
_AL_TEXT = "across_lite"
_IPUZ = b"ipuz.org"

_XML_PREAMBLE = 4096
"""Number of bytes within which an XML file names its first elements."""


def _reader(module: str, function: str = "read") -> Reader:
    """Return a reader that imports its module on first use, because the module's libraries load slowly."""

    def read(data: bytes, intake: Intake) -> Puzzle:
        puzzle: Puzzle = getattr(importlib.import_module(f"xwtui.formats.{module}"), function)(data, intake)
        return puzzle

    return read


def _writer(module: str, function: str = "write", **options: bool) -> Callable[[Puzzle, bool], Written]:
    def write(puzzle: Puzzle, lossy: bool) -> Written:
        found = getattr(importlib.import_module(f"xwtui.formats.{module}"), function)
        written: Written = found(puzzle, lossy, **options)
        return written

    return write


def _looks_like_ipuz(data: bytes) -> bool:
    start = data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    is_json = start.startswith((b"{", b"ipuz(", b"\xff\xfe{", b"\xfe\xff\x00{"))
    # a .puz begins with a checksum, which is a brace in one file out of 256
    return is_json and not _looks_like_puz(data)


def _looks_like_xd(data: bytes) -> bool:
    signs = r"^(?:##\s+(?:metadata|grid|clues)\b|(?:Title|Author|Rebus|Special):|[AD]\d+\. )"
    try:
        return re.search(signs, decode(data), re.IGNORECASE | re.MULTILINE) is not None
    except PuzzleFormatError:
        return False


_AMUSE_PAGE = lazy_pattern(rb"""rawc["']?\s*[:=]\s*["']""")
"""Matches the assignment of the puzzle in a PuzzleMe page, as `outlets` reads it, but not `drawcard` in a clue."""


def _looks_like_amuse_labs(data: bytes) -> bool:
    if b'"placedWords"' in data or _AMUSE_PAGE.search(data):
        return True
    beginning = b"".join(data[:_XML_PREAMBLE].split())
    try:
        return b64decode(beginning[: len(beginning) // 4 * 4], validate=True).lstrip().startswith(b"{")
    except ValueError:
        return False


def _has(*signs: bytes) -> Callable[[bytes], bool]:
    """Return a test that all of these names occur in a file that is not ipuz."""
    return lambda data: _IPUZ not in data and all(sign in data for sign in signs)


def _begins(*signs: bytes, within: int = _XML_PREAMBLE) -> Callable[[bytes], bool]:
    """Return a test that one of these occurs at the beginning of a file."""
    return lambda data: any(sign in data[:within] for sign in signs)


_looks_like_puz = _begins(_PUZ_MAGIC, within=_PUZ_PREAMBLE)
_looks_like_al_text = _begins(b"<ACROSS PUZZLE", within=_PUZ_PREAMBLE)


def _outlet(name: str, function: str, looks_like: Callable[[bytes], bool], suffix: str = ".json") -> Format:
    return Format(name, (suffix,), _reader("outlets", function), None, looks_like)


FORMATS: tuple[Format, ...] = (
    _outlet("Amuse Labs", "read_amuse_labs", _looks_like_amuse_labs),
    _outlet("New York Times", "read_new_york_times", _has(b'"clueLists"', b'"cells"')),
    _outlet("XWordInfo", "read_xword_info", _has(b'"size"', b'"grid"', b'"across"')),
    _outlet("USA Today", "read_usa_today", _has(b'"acrossClue"', b'"downClue"')),
    _outlet("Guardian", "read_guardian", _has(b'"entries"', b'"position"', b'"dimensions"')),
    _outlet("Crosshare", "read_crosshare", _has(b'"authorName"', b'"clues"', b'"grid"')),
    _outlet("Wall Street Journal", "read_wall_street_journal", _has(b'"gridsize"', b'"copy"')),
    _outlet("Washington Post", "read_washington_post", _has(b'"cells"', b'"words"', b'"answer"')),
    _outlet("Universal", "read_universal", _begins(b"<AllAnswer"), ".xml"),
    Format(
        "ipuz", (".ipuz", ".json"), _reader("ipuz"), _writer("ipuz"), _looks_like_ipuz, _writer("ipuz", "publish")
    ),
    Format(".puz", (".puz",), _reader("puz"), _writer("puz"), _looks_like_puz),
    Format(".puz in UTF-8", (".utf8.puz",), _reader("puz"), _writer("puz", "write_utf_8")),
    Format(
        ".jpz",
        (".jpz", ".xml"),
        _reader("jpz"),
        _writer("jpz"),
        lambda data: data.startswith(_ZIP) or b"<rectangular-puzzle" in data[:_XML_PREAMBLE],
    ),
    Format("CrossFire", (".cfp",), _reader("outlets", "read_crossfire"), None, _begins(b"<CROSSFIRE")),
    Format(".xd", (".xd",), _reader("xd"), _writer("xd"), _looks_like_xd),
    Format("Exolve", (".exolve",), _reader("exolve"), _writer("exolve"), lambda data: b"exolve-begin" in data),
    Format("Across Lite text", (".al.txt",), _reader(_AL_TEXT), _writer(_AL_TEXT), _looks_like_al_text),
    Format("Across Lite text", (".txt",), _reader(_AL_TEXT), None, _looks_like_al_text),
    grid_text.EMOGIC_FORMAT,
    grid_text.FORMAT,
    Format("Markdown", (".md",), None, _writer("markdown")),
    Format("HTML", (".html",), None, _writer("html_player")),
    Format("PDF", (".pdf",), None, _writer("pdf")),
    Format("PDF of the solution", (".key.pdf",), None, _writer("pdf", "write_key")),
    Format("manuscript as PDF", (".manuscript.pdf",), None, _writer("manuscript")),
    Format("manuscript for Word", (".docx",), None, _writer("manuscript", "write_word")),
    Format("SVG", (".svg",), None, _writer("pictures", "write_svg")),
    Format("SVG of the solution", (".solution.svg",), None, _writer("pictures", "write_svg", solved=True)),
    Format("PNG", (".png",), None, _writer("pictures", "write_png")),
    Format("PNG of the solution", (".solution.png",), None, _writer("pictures", "write_png", solved=True)),
)
"""Ordered by priority for bytes that two formats could claim; the last format of a suffix is its default."""


_PRINTED = (".pdf", ".docx", ".png")
"""Endings of formats whose libraries take much memory."""


@cache
def all_formats() -> tuple[Format, ...]:
    """Return these formats and those of other packages, whose suffixes must be unused."""
    taken = {suffix for known in FORMATS for suffix in known.suffixes}

    def fault(found: object) -> str:
        if not isinstance(found, Format):
            return "it is not an xwtui.formats.base.Format"
        if not found.suffixes or not all(suffix.startswith(".") and suffix.islower() for suffix in found.suffixes):
            return "its suffixes must be a dot and lowercase letters"
        if used := sorted(taken & {*found.suffixes}):
            return f"its suffix {used[0]} is in use"
        taken.update(found.suffixes)
        return ""

    return tuple(plugins(PLUGIN_FORMATS, fault, FORMATS))


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that can be read and written, native format first."""
    both = (known.suffixes for known in all_formats() if known.read is not None and known.write is not None)
    return tuple(dict.fromkeys(chain.from_iterable(both)))


def suffixes_to_read() -> tuple[str, ...]:
    """Return the suffixes of files that can be read, starting with those that can also be written."""
    readable = (known.suffixes for known in all_formats() if known.read is not None)
    return tuple(dict.fromkeys(chain(suffixes(), *readable)))


def suffixes_to_write() -> tuple[str, ...]:
    """Return the suffixes of files that can be written, starting with those that can also be read."""
    writable = (known.suffixes for known in all_formats() if known.write is not None)
    return tuple(dict.fromkeys(chain(suffixes(), *writable)))


def formats_to_write() -> tuple[tuple[str, str], ...]:
    """Return the name and the first suffix of each writable format."""
    return tuple((known.name, known.suffixes[0]) for known in all_formats() if known.write is not None)


def suffix_of(path: Path) -> str:
    """Return the suffix that determines a file's format: the longest known one, `.al.txt` before `.txt`."""
    name = path.name.lower()
    known = {suffix for each in all_formats() for suffix in each.suffixes}
    return max((suffix for suffix in known if name.endswith(suffix)), key=len, default=path.suffix)


def files_below(folder: Path, suffixes: Container[str]) -> Iterator[Path]:
    """Yield the files in and below a folder that have one of these suffixes; hidden ones are skipped."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(parent, name)
            if not name.startswith(".") and suffix_of(path).lower() in suffixes:
                yield path


def stem_of(path: Path) -> str:
    """Return a file's name without the suffix that determines its format."""
    return path.name[: len(path.name) - len(suffix_of(path))] or path.stem


def format_to_write(suffix: str) -> Format:
    """Return the format for writing files with a suffix; raises PuzzleFormatError if there is none."""
    for known in all_formats():
        if known.write is not None and suffix.lower() in known.suffixes:
            return known
    raise PuzzleFormatError(
        f"xwtui writes {', '.join(suffixes_to_write())}, not {shown(suffix) if suffix else 'this'}"
    )


def check_suffix(path: Path) -> None:
    """Raise PuzzleFormatError if a file's name does not determine a writable format."""
    try:
        format_to_write(suffix_of(path))
    except PuzzleFormatError:
        name, known = clean_line(str(path), "the path"), ", ".join(suffixes_to_write())
        example = path.stem.strip("-.") or "puzzle"
        raise PuzzleFormatError(
            f"{name}: the end of the name sets the format, as in {clean_line(example, 'the path')}.puz; "
            f"xwtui writes {known}"
        ) from None


def read_puzzle(path: Path) -> Puzzle:
    """Return the puzzle in a file; raises PuzzleFormatError as `load_file` does."""
    return load_file(path).puzzle


def load_file(path: Path, options: ReadOptions = DEFAULT_READ_OPTIONS) -> ReadPuzzle:
    """Read a puzzle file by its suffix, or by its content if the suffix is unknown.

    Raises PuzzleFormatError, naming the file, if it cannot be opened, is not a puzzle, or is refused by the
    options. Devices, and pipes without a writer, are refused without blocking.
    """
    try:
        return parse_bytes(read_at_most(path, MAX_FILE_BYTES + 1), suffix_of(path), options)
    except PuzzleFormatError as error:
        raise PuzzleFormatError(f"{clean_line(str(path), 'the path')}: {error}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise PuzzleFormatError(f"cannot read {clean_line(str(path), 'the path')}: {reason_of(error)}") from None


def load_stream(stream: BinaryIO, options: ReadOptions = DEFAULT_READ_OPTIONS) -> ReadPuzzle:
    """Read a puzzle from an open file, such as standard input; raises PuzzleFormatError and OSError."""
    return parse_bytes(stream.read(MAX_FILE_BYTES + 1), "", options)


def read_bytes(data: bytes, suffix: str = "") -> Puzzle:
    """Return the puzzle in the bytes of a file; raises PuzzleFormatError as `parse_bytes` does."""
    return parse_bytes(data, suffix).puzzle


def parse_bytes(data: bytes, suffix: str = "", options: ReadOptions = DEFAULT_READ_OPTIONS) -> ReadPuzzle:
    """Read a puzzle from bytes in the format of a suffix such as `.puz`, with warnings on deviations.

    For an unknown or empty suffix, the content determines the format. Raises PuzzleFormatError if the bytes are
    not a puzzle, or if the puzzle deviates from them and the options refuse that.
    """
    if not data.strip():
        raise PuzzleFormatError("the file is empty")
    if len(data) > MAX_FILE_BYTES:
        raise PuzzleFormatError(f"this is larger than a puzzle can be ({MAX_FILE_BYTES // 2**20} MB)")
    intake = Intake(options.key)
    with failing_as(PuzzleFormatError, of=PuzzleError):
        puzzle = _reader_for(data, suffix)(data, intake)
    return checked_result(puzzle, intake, strict=options.strict)


def _reader_for(data: bytes, suffix: str) -> Reader:
    readable = [(known, known.read) for known in all_formats() if known.read is not None]
    named = [each for each in readable if suffix.lower() in each[0].suffixes]
    if len(named) == 1:
        return named[0][1]
    alike = next((read for known, read in named or readable if known.looks_like(data)), None)
    if alike is not None:
        return alike
    if named:
        return named[-1][1]
    raise PuzzleFormatError(f"this is not a puzzle that xwtui can read; it reads {', '.join(suffixes_to_read())}")


def puzzle_bytes(
    puzzle: Puzzle, suffix: str, *, lossy: bool = False, published: bool = False, taker: str = ""
) -> Written:
    """Return the puzzle as the bytes of a file; if `published`, without the constructor's private data.

    `taker` names a recipient, for which the most suitable form is written.

    Raises PuzzleFormatError if the format is unknown, if it cannot hold something and `lossy` is false, or if the
    file would be too large to read again. If `lossy`, the warnings list what was left out.
    """
    known = format_to_write(suffix)
    assert known.write is not None
    if known in FORMATS and suffix.lower().endswith(_PRINTED):
        apart = written_apart(puzzle_bytes, puzzle, suffix, lossy=lossy, published=published, taker=taker)
        if apart is not None:
            return apart
    write = known.publish if (published or taker) and known.publish is not None else known.write
    written = written_for(puzzle, recipient(taker), suffix, write, lossy=lossy) if taker else write(puzzle, lossy)
    if known.read is not None and len(written.data) > MAX_FILE_BYTES:
        sizes = {name: len(repr(value)) for name, value in puzzle.foreign.items()}
        largest = max(sizes, key=sizes.__getitem__, default="")
        is_most = sizes.get(largest, 0) > MAX_FILE_BYTES // 2
        most = f"; most of it is the field {shown(largest)} of another program" if is_most else ""
        raise PuzzleFormatError(
            f"as {suffix} this puzzle has {len(written.data) / 2**20:.1f} MB, too large to read again: "
            f"the limit is {MAX_FILE_BYTES // 2**20} MB{most}"
        )
    return written


def write_puzzle(path: Path, puzzle: Puzzle, *, lossy: bool = False) -> tuple[str, ...]:
    """Write a puzzle file atomically with everything that its format holds; return the warnings.

    Raises PuzzleFormatError, also if the result could not be read again.
    """
    return write_file(path, puzzle, lossy=lossy).warnings


def write_file(
    path: Path,
    puzzle: Puzzle,
    *,
    lossy: bool = False,
    suffix: str | None = None,
    published: bool = False,
    taker: str = "",
) -> Written:
    """Write a puzzle file atomically and return what was written; raises PuzzleFormatError.

    `published` and `taker` are as in `puzzle_bytes`. The format is that of `suffix`, by default that of the file
    name. A result that could not be read again is not written.
    """
    if suffix is None:
        check_suffix(path)
        suffix = suffix_of(path)
    written = puzzle_bytes(puzzle, suffix, lossy=lossy, published=published, taker=taker)
    if suffix.lower() in suffixes():
        try:
            kinds = {warning.deviation for warning in parse_bytes(written.data, suffix).warnings}
        except PuzzleFormatError as error:
            raise PuzzleFormatError(f"as {suffix}, this puzzle could not be read again: {error}") from None
        if Deviation.TEXTS in kinds:
            raise PuzzleFormatError(f"as {suffix}, a text of this puzzle would be too long to read again")
    write_atomically(path, written.data)
    return written
