"""Import of puzzles and clue lists into the clue book; each file is imported only once.

Puzzles may have any readable format. A list is text with one clue on each line: `WORD|clue` (Emogic's format),
`WORD<tab>clue`, or a table with tabs, commas or semicolons whose first line names the columns (`date`, `answer`,
`clue`, `author`, in any order). Lines that begin with `#` are comments.
"""

from __future__ import annotations

import csv
import hashlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs

from xwtui.clues.book import LONGEST_CLUE, ClueBook, ClueSource, NewClue
from xwtui.dataclasses import dataclass, field
from xwtui.errors import ClueBookError, PuzzleFormatError, WordListError, XwtuiError, reason_of
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.registry import files_below, read_bytes, suffix_of, suffixes_to_read
from xwtui.lazy import lazy_pattern
from xwtui.model import Puzzle
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.markup import as_markup, is_plain, printed_runs, source_of
from xwtui.reading import check_is_file, read_at_most
from xwtui.text import listed
from xwtui.words.normalise import as_answer, normalise, recording_folds

LIST_SUFFIXES = (".txt", ".tsv", ".csv")
"""Suffixes of lists; a text file that is not a list may be a puzzle."""

LIST_FORMS = "lines of `WORD|clue`, or a table whose first line names `answer` and `clue`"
"""Description of list formats for error messages."""

CLUE_FILE_SUFFIXES = tuple(dict.fromkeys((*suffixes_to_read(), *LIST_SUFFIXES)))
"""Suffixes of files that are imported from a folder."""

_LONGEST_LINE = LONGEST_CLUE + 1_000
LONGEST_LINE_BYTES = 4 * (_LONGEST_LINE + 1)
"""More bytes than any allowed line can have, whatever its characters."""

_LONGEST_ANSWER = 100
_FIRST_LINES = 20
"""Number of lines examined to recognize a list."""

_QUOTING = (",", ";")
"""Separators of tables whose cells may be quoted."""
_COLUMNS = {
    "answer": ("answer", "word", "entry", "solution"),
    "clue": ("clue", "clues", "hint", "definition"),
    "date": ("date", "published", "publish_date", "weekday_date", "year"),
    "author": ("author", "authors", "constructor", "constructors", "setter", "creator", "byline"),
    "outlet": ("outlet", "pubid", "publication", "publisher", "paper", "newspaper", "source"),
}
"""Names of recognized columns, in order of precedence."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATES = (
    lazy_pattern(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-_./]?(?P<month>0[1-9]|1[0-2])[-_./]?(?P<day>[0-3]\d)(?!\d)"),
    lazy_pattern(r"(?<!\d)(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>(?:19|20)\d\d)(?!\d)"),
    lazy_pattern(
        rf"\b(?P<name>{'|'.join(_MONTHS)})[a-z]*\.? (?P<day>\d\d?),? (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE
    ),
)
_YEAR = lazy_pattern(r"(?:19|20)\d\d")


def date_in(text: str) -> str:
    """Return the first date in a text (20261122, 11/22/2026 as in ipuz, Nov. 22, 2026) as 2026-11-22, or ""."""
    for form in _DATES:
        for found in form.finditer(text):
            parts = found.groupdict()
            month = _MONTHS.index(parts["name"].lower()) + 1 if "name" in parts else int(parts["month"])
            day = int(parts["day"])
            if 1 <= month <= 12 and 1 <= day <= 31:
                return f"{parts['year']}-{month:02}-{day:02}"
    return ""


# Puzzles


def clues_of_puzzle(puzzle: Puzzle) -> Iterator[NewClue]:
    """Yield a puzzle's clues of complete answers, including earlier answers.

    They are markup as in the puzzle, but references are converted to text, since another puzzle lacks their
    entries.
    """
    for clues in puzzle.clues.values():
        for clue in clues.written:
            if clue.answer:
                text = clue.text if is_plain(clue.text) else source_of(printed_runs(clue.text, puzzle.grid))
                yield NewClue(as_answer(clue.answer), text)


def read_puzzle_clues(path: Path, data: bytes) -> tuple[ClueSource, list[NewClue]]:
    """Read the clues of a puzzle file; raises PuzzleFormatError if it is not a puzzle or has no clue to import."""
    puzzle = _puzzle_of(data, suffix_of(path).lower())
    clues = list(clues_of_puzzle(puzzle))
    if not clues:
        raise PuzzleFormatError("it has no clues for complete answers")
    return ClueSource(str(path), puzzle.title or path.stem, puzzle.author, puzzle_date(puzzle, path)), clues


def _puzzle_of(data: bytes, suffix: str) -> Puzzle:
    """Parse a file that is not a clue list as a puzzle; the error message also describes lists."""
    try:
        return read_bytes(data, suffix)
    except PuzzleFormatError as error:
        if suffix in LIST_SUFFIXES:
            raise PuzzleFormatError(f"this is not a list of words and clues ({LIST_FORMS}): {error}") from None
        if suffix not in CLUE_FILE_SUFFIXES:
            lists = listed(LIST_SUFFIXES, "or")
            raise PuzzleFormatError(f"{error}; files of words and clues must be named {lists}") from None
        raise


def puzzle_date(puzzle: Puzzle, path: Path) -> str:
    """Return a puzzle's date like 2026-11-22 from its fields, file name or title, or an empty string."""
    kept = [fields for fields in (puzzle.foreign, *puzzle.foreign.values()) if isinstance(fields, dict)]
    dates = [str(one) for fields in kept for name, one in fields.items() if str(name).lower() == "date"]
    return next(filter(None, map(date_in, (*dates, path.name, puzzle.title))), "")


# Lists


@dataclass
class WordClueList:
    """A parser for the lines of a list; `skipped` counts lines that are not a clue."""

    separator: str
    alphabet: Alphabet
    """The alphabet of its words; replaced letters are recorded for `recording_folds`."""
    columns: Sequence[str] = ()
    """Lowercase column names; empty if there is no header: word, then clue."""
    skipped: int = 0
    _places: Mapping[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self._places = _places(self.columns) if self.columns else {"answer": (0,), "clue": (1,)}

    def clues(self, lines: Iterable[str]) -> Iterator[NewClue]:
        """Yield the clues of lines, which may be overlong or malformed."""
        for line in lines:
            if line.strip() and not line.startswith("#"):
                cells = [] if len(line) > _LONGEST_LINE else _cells(line, self.separator, self.columns)
                if self.columns and _names(cells) == self.columns:
                    continue
                clue = self._read(cells)
                if clue is not None:
                    yield clue
                else:
                    self.skipped += 1

    def _read(self, cells: Sequence[str]) -> NewClue | None:
        told = {name: cells[at[0]] for name, at in self._places.items() if at[0] < len(cells)}
        if not {"answer", "clue"} <= told.keys() or len(told["answer"]) > _LONGEST_ANSWER:
            return None
        try:
            answer = normalise(told["answer"], self.alphabet)
        except WordListError:
            return None
        dates, text = [cells[at] for at in self._places.get("date", ()) if at < len(cells)], told["clue"].strip()
        date = next((found for each in dates if (found := date_in(each) or _year(each))), "")
        parts = (date, told.get("author", ""), told.get("outlet", "").strip())
        return NewClue(answer, as_markup(text), *parts) if text else None


def _cells(line: str, separator: str, columns: Sequence[str]) -> list[str]:
    line = line.rstrip("\r\n")
    if separator in _QUOTING:
        try:
            return next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            return []
    return line.split(separator) if columns else line.split(separator, 1)


def _names(cells: Iterable[str]) -> list[str]:
    return [cell.strip().lower() for cell in cells]


def _places(columns: Sequence[str]) -> dict[str, tuple[int, ...]]:
    found = {told: [columns.index(name) for name in names if name in columns] for told, names in _COLUMNS.items()}
    return {told: tuple(places) for told, places in found.items() if places}


def _year(text: str) -> str:
    found = _YEAR.fullmatch(text.strip())
    return found[0] if found is not None else ""


def clue_list_of(beginning: bytes, alphabet: Alphabet) -> WordClueList | None:
    """Return the parser for a list of words and clues that begins like this, or None if it is not such a list."""
    lines = [line for line in decoded_lines(beginning.splitlines()[:_FIRST_LINES]) if line.strip()]
    told = [line for line in lines if not line.startswith("#")]
    if not told:
        return None
    for separator in ("\t", "|", *_QUOTING):
        columns = _names(_cells(told[0], separator, told))
        if {"answer", "clue"} <= _places(columns).keys():
            return WordClueList(separator, alphabet, columns)
    for separator in ("\t", "|"):
        trial = WordClueList(separator, alphabet)
        if 2 * len(list(trial.clues(told))) >= len(told):
            return WordClueList(separator, alphabet)
    return None


def decoded_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """Decode lines as UTF-8, or as Windows-1252 if they are not valid UTF-8."""
    for number, line in enumerate(lines):
        bare = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
        try:
            yield bare.decode("utf-8")
        except UnicodeDecodeError:
            yield bare.decode("cp1252", "replace")


_SECONDS_A_CHANGE = 0.5
"""Interval between writes of puzzles to the book, so that other processes can write in between."""

_LINES_A_CHANGE = 5_000
_LOOKED_AT = 1 << 16
"""Number of bytes examined to recognize a list."""


class SkippedFile(NamedTuple):
    """A file that could not be imported, and why."""

    path: Path
    reason: str


class ImportView(Struct, frozen=True):
    """The state of an import: `done` out of `files`, and the results."""

    path: Path
    """The folder, or the single file."""
    files: int
    done: int = 0
    clues: int = 0
    """Number of new clues."""
    known: int = 0
    """Number of files that the book already contained."""
    odd_lines: int = 0
    """Number of list lines that are not a word with a clue."""
    alphabet: Alphabet = ENGLISH
    """The alphabet for the words of lists."""
    folds: Mapping[str, str] = {}
    """Letters that the alphabet lacks, and their replacements."""
    skipped: tuple[SkippedFile, ...] = ()
    seconds: float = 0.0

    @property
    def is_whole(self) -> bool:
        return self.done == self.files


Tell = Callable[[ImportView], None]
IsStopped = Callable[[], bool]


@dataclass
class _Import:
    book: ClueBook
    view: ImportView
    is_own: bool
    is_stopped: IsStopped
    tell: Tell
    known_digests: set[bytes]
    own_names: frozenset[str]
    read: list[tuple[ClueSource, list[NewClue], bytes]] = field(default_factory=list)
    """Puzzles waiting to be written to the book, with the digests of their files."""
    begun: float = field(default_factory=time.monotonic)
    written: float = field(default_factory=time.monotonic)

    def run(self, files: Iterator[Path]) -> ImportView:
        for path in files:
            if self.is_stopped():
                break
            is_over = True
            try:
                is_over = self._take(path)
            except ClueBookError:
                raise
            except (XwtuiError, OSError) as error:
                reason = reason_of(error)
                self._note(skipped=(*self.view.skipped, SkippedFile(path, reason)))
            if is_over:
                self._note(done=self.view.done + 1)
            if time.monotonic() - self.written > _SECONDS_A_CHANGE:
                self._write()
        self._write()
        return self.view

    def _take(self, path: Path) -> bool:
        """Import a file, a puzzle with the next batch; returns False if a list was stopped partway."""
        if str(path) in self.own_names:
            self._note(known=self.view.known + 1)
            return True
        if path.suffix.lower() in LIST_SUFFIXES:
            check_is_file(path)
            with path.open("rb") as stream:
                found = clue_list_of(stream.read(_LOOKED_AT), self.view.alphabet)
                if found is not None:
                    return self._take_list(path, found, stream)
        data = read_at_most(path, MAX_FILE_BYTES + 1)
        digest = hashlib.blake2b(data, digest_size=16).digest()
        if self._is_known(digest):
            return True
        source, clues = read_puzzle_clues(path, data)
        self.read.append((structs.replace(source, is_own=self.is_own), clues, digest))
        self.known_digests.add(digest)
        return True

    def _is_known(self, digest: bytes) -> bool:
        if digest in self.known_digests:
            self._note(known=self.view.known + 1)
            return True
        return False

    def _take_list(self, path: Path, form: WordClueList, stream: BufferedReader) -> bool:
        """Import a list in batches of lines; a list stopped partway is imported again from the start next time."""
        stream.seek(0)
        digest = hashlib.file_digest(stream, self._list_hash).digest()
        if self._is_known(digest):
            return True
        stream.seek(0)
        source = ClueSource(str(path), path.stem, is_own=self.is_own)
        with self.book.changing() as change:
            change.forget(source.name)
            number = change.begin(source)
        clues = form.clues(decoded_lines(_bounded_lines(stream)))
        while some := list(islice(clues, _LINES_A_CHANGE)):
            with self.book.changing() as change:
                self._note(clues=self.view.clues + change.add(number, some))
            if self.is_stopped():
                return False
        with self.book.changing() as change:
            change.end(source, digest)
        self.known_digests.add(digest)
        self._note(odd_lines=self.view.odd_lines + form.skipped)
        return True

    def _list_hash(self) -> hashlib.blake2b:
        """Return the hash function for lists, which depends on the alphabet because that changes the words."""
        alphabet = self.view.alphabet
        return hashlib.blake2b(b"" if alphabet == ENGLISH else str(alphabet).encode(), digest_size=16)

    def _write(self) -> None:
        if self.read:
            new = 0
            with self.book.changing() as change:
                for source, clues, digest in self.read:
                    new += change.replace(source, clues, digest)
            self.read.clear()
            self._note(clues=self.view.clues + new)
        self.written = time.monotonic()

    def _note(self, **changes: object) -> None:
        self.view = structs.replace(self.view, seconds=time.monotonic() - self.begun, **changes)
        self.tell(self.view)


def import_clues(
    book: ClueBook,
    path: Path,
    *,
    is_own: bool = False,
    alphabet: Alphabet = ENGLISH,
    is_stopped: IsStopped = lambda: False,
    tell: Tell = lambda view: None,
) -> ImportView:
    """Import a file, or all puzzles and lists in a folder, into the book.

    Files that the book already contains (by content) and the constructor's own puzzles are skipped. An unreadable
    file is reported in the view, and the import continues. With `is_own`, all files are the constructor's own.
    Words of lists are spelled in `alphabet`; the view reports replaced letters. If the import is stopped, the
    clues read so far are kept. Raises ClueBookError if the book cannot be written or the path does not exist.
    """
    if not path.exists():
        raise ClueBookError(f"there is no folder or file {path}")
    files = sorted(files_below(path, CLUE_FILE_SUFFIXES)) if path.is_dir() else [path]
    known = book.known()
    task = _Import(
        book,
        ImportView(path, len(files), alphabet=alphabet),
        is_own,
        is_stopped,
        tell,
        set(known.digests),
        frozenset() if is_own else known.own_names,
    )
    with recording_folds() as folds:
        view = task.run(iter(files))
    return structs.replace(view, folds=folds)


def _bounded_lines(stream: BufferedReader) -> Iterator[bytes]:
    """Yield the lines of a file; an overlong one is truncated, but remains recognizably too long."""
    while line := stream.readline(LONGEST_LINE_BYTES):
        rest = line
        while len(rest) == LONGEST_LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE_BYTES)
        yield line
