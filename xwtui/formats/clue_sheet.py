"""The clues as a sheet to edit in another program and read back: text, Markdown or CSV.

A line is an entry, its answer, and its clue as it is typed: `17A PONTI: Designer *Gio*`. A sheet also has a hash
of each clue at the time of writing, which distinguishes changes in the sheet from later changes in the puzzle.
"""

import csv
import hashlib
import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, structs

from xwtui.errors import PuzzleFormatError, failing_as, reason_of
from xwtui.formats.base import MAX_FILE_BYTES, check_clue_count
from xwtui.formats.plain_text import clean_line, decode_windows_too
from xwtui.lazy import lazy_pattern
from xwtui.model import Direction, Puzzle, Slot
from xwtui.reading import read_at_most
from xwtui.text import listed

_HEADER = ("entry", "answer", "clue", "mark")
_MARK_LENGTH = 8
_MARKS_A_LINE = 8

_LINE = lazy_pattern(
    r"(?:[-+*]\s+)?(?:\*\*)?(?P<number>\d{1,3})\s?(?P<letter>[ADad])?(?:\*\*)?[.:)]?(?=\s|$)\s*"
    r"(?:(?P<answer>[^\sa-z:]+):(?=\s|$))?\s*(?P<clue>.*)"
)
_HEADING = lazy_pattern(r"(?:#+\s*)?(?:\*\*)?(across|down)\b[\s:*]*", re.IGNORECASE)
_MARKS = lazy_pattern(r"(?:#|<!--)\s*marks:(?P<marks>.*?)(?:-->)?")
_COMMENT = lazy_pattern(r"#.*|<!--.*-->")
_NAME = lazy_pattern(r"(\d{1,3})\s?([ADad])")


class SheetLine(Struct, frozen=True):
    """A sheet's line for an entry."""

    number: int
    """The line number in the file."""
    entry: str
    """The entry's name when the sheet was written."""
    answer: str
    """The pattern of its answer when the sheet was written; empty if missing."""
    clue: str
    mark: str | None = None
    """The hash of its clue when the sheet was written; None if missing."""


class Sheet(Struct, frozen=True):
    """The clue lines of a sheet, and unrecognized lines with their numbers."""

    lines: tuple[SheetLine, ...]
    strange: tuple[tuple[int, str], ...] = ()


def mark_of(clue: str) -> str:
    """Return the hash of a clue as it is stored, with its enumeration."""
    return hashlib.sha256(clue.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_LENGTH]


def sheet_of(puzzle: Puzzle) -> Sheet:
    """Return the sheet of a puzzle's current clues."""
    lines = (
        SheetLine(
            number,
            slot.name,
            sheet_answer(puzzle, slot),
            clean_line(puzzle.whole_clue(slot), f"the clue of {slot.name}"),
            mark_of(puzzle.kept_clue(slot)),
        )
        for number, slot in enumerate(puzzle.grid.entries, 1)
    )
    return Sheet(tuple(lines))


def sheet_answer(puzzle: Puzzle, slot: Slot) -> str:
    """Return an entry's pattern, or its answer if something else is entered."""
    told = puzzle.entered_answer(slot)
    return puzzle.grid.pattern(slot) if told is None else told.answer


def sheet_bytes(puzzle: Puzzle, suffix: str) -> bytes:
    """Return the file of a sheet; raises PuzzleFormatError for a suffix that is not a sheet's."""
    text = _kind(suffix)[0](clean_line(puzzle.title, "the title") or "Untitled", sheet_of(puzzle).lines)
    # spreadsheets look for the byte order mark
    return text.encode("utf-8-sig" if suffix.lower() == ".csv" else "utf-8")


def read_sheet(path: Path) -> Sheet:
    """Read a sheet; raises PuzzleFormatError, naming the file, if it is malformed."""
    read = _kind(path.suffix)[1]
    name = clean_line(str(path), "the path")
    try:
        data = read_at_most(path, MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise PuzzleFormatError("this file is too large for a puzzle's clues")
        sheet = read(decode_windows_too(data))
    except PuzzleFormatError as error:
        raise PuzzleFormatError(f"{name}: {error}") from None
    except (OSError, ValueError) as error:
        raise PuzzleFormatError(f"cannot read {name}: {reason_of(error)}") from None
    check_clue_count(len(sheet.lines))
    return sheet


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of sheets."""
    return tuple(_KINDS)


def check_suffix(path: Path) -> None:
    """Raise PuzzleFormatError if a file's name does not have a sheet's suffix."""
    _kind(path.suffix)


_Kind = tuple[Callable[[str, Sequence[SheetLine]], str], Callable[[str], Sheet]]
"""A writer, from title and lines to text, and a reader."""


def _kind(suffix: str) -> _Kind:
    kind = _KINDS.get(suffix.lower())
    if kind is None:
        raise PuzzleFormatError(f"the file name must end in {listed(_KINDS, 'or')}")
    return kind


def _written(title: str, lines: Sequence[SheetLine], form: str, mark_form: str, *, gap: bool) -> str:
    written = [f"# {title}"]
    for direction in Direction:
        written += ["", f"## {direction.word.title()}", *([""] if gap else [])]
        for line in lines:
            if line.entry.endswith(direction.value):
                clue = f" {line.clue}" if line.clue else ""
                written.append(form.format(entry=line.entry, answer=line.answer, clue=clue))
    marks = [f"{line.entry}={line.mark}" for line in lines]
    rows = (" ".join(marks[first : first + _MARKS_A_LINE]) for first in range(0, len(marks), _MARKS_A_LINE))
    return "\n".join([*written, "", *(mark_form.format(f"marks: {row}") for row in rows), ""])


def _read_text(text: str) -> Sheet:
    lines: list[SheetLine] = []
    strange: list[tuple[int, str]] = []
    marks: dict[str, str] = {}
    letter = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = clean_line(raw, f"line {number}")
        if heading := _HEADING.fullmatch(line):
            letter = heading[1][0].upper()
        elif found := _MARKS.fullmatch(line):
            marks |= dict(part.split("=", 1) for part in found["marks"].split() if "=" in part)
        elif line and not _COMMENT.fullmatch(line):
            named = _LINE.fullmatch(line)
            own = (named["letter"] or letter).upper() if named is not None else ""
            if named is None or not own:
                strange.append((number, line))
                continue
            entry = f"{int(named['number'])}{own}"
            lines.append(SheetLine(number, entry, named["answer"] or "", named["clue"]))
    return Sheet(tuple(structs.replace(line, mark=marks.get(line.entry)) for line in lines), tuple(strange))


def _written_csv(title: str, lines: Sequence[SheetLine]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_HEADER)
    writer.writerows((line.entry, line.answer, line.clue, line.mark) for line in lines)
    return buffer.getvalue()


def _read_csv(text: str) -> Sheet:
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    with failing_as(PuzzleFormatError, "this is not a CSV file", of=csv.Error):
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    names = [cell.strip().lower() for cell in rows[0]] if rows else []
    columns = names if "clue" in names and "entry" in names else list(_HEADER if len(names) > 2 else _HEADER[::2])
    lines: list[SheetLine] = []
    strange: list[tuple[int, str]] = []
    for number, row in enumerate(rows[1:] if columns is names else rows, 2 if columns is names else 1):
        at, end = columns.index("clue"), len(row) - len(columns) + columns.index("clue") + 1
        # surplus cells come from commas typed into the clue without quotes
        parts = [*row[:at], delimiter.join(row[at:end]), *row[end:]] if len(row) > len(columns) else row
        cells = {name: clean_line(cell, f"row {number}") for name, cell in zip(columns, parts, strict=False)}
        named = _NAME.fullmatch(cells.get("entry", ""))
        if named is not None:
            entry = f"{int(named[1])}{named[2].upper()}"
            answer, clue = cells.get("answer", "").upper(), cells.get("clue", "")
            lines.append(SheetLine(number, entry, answer, clue, cells.get("mark") or None))
        elif any(cells.values()):
            strange.append((number, clean_line(" ".join(row), f"row {number}")))
    return Sheet(tuple(lines), tuple(strange))


_TEXT = partial(_written, form="{entry} {answer}:{clue}", mark_form="# {}", gap=False)
_MARKDOWN = partial(_written, form="- **{entry}** {answer}:{clue}", mark_form="<!-- {} -->", gap=True)
_KINDS: dict[str, _Kind] = {
    ".txt": (_TEXT, _read_text),
    ".md": (_MARKDOWN, _read_text),
    ".csv": (_written_csv, _read_csv),
}


def same_answer(one: str, other: str) -> bool:
    """Whether two patterns may be of one answer, as far as both are known; an empty one is unknown."""
    first, second = (re.sub(r"[\[\]]", "", pattern).upper() for pattern in (one, other))
    if not first or not second or first == second:
        return True
    if len(first) != len(second) or "?" not in first + second:
        return False
    return all(a == b or "?" in (a, b) for a, b in zip(first, second, strict=True))


def is_whole(pattern: str) -> bool:
    """Whether a pattern is a complete answer."""
    return bool(pattern) and "?" not in pattern
