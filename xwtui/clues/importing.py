"""Taking puzzles and lists of others into the clue book: each file once, and what is in stays in.

Puzzles are of any format that is read. A list is text, a clue a line: `WORD|clue` as Emogic's lists have it,
`WORD<tab>clue`, or a table with tabs, commas or semicolons whose first line names its columns (`date`, `answer`,
`clue`, `author`, in any order). A line that begins with `#` is a comment.
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
from xwtui.named_tuples import NamedTuple
from xwtui.reading import check_is_file, read_at_most
from xwtui.text import listed
from xwtui.words.normalise import as_answer, normalise, noting_folds

LIST_SUFFIXES = (".txt", ".tsv", ".csv")
"""What files of lists are called; text that is no list may be a puzzle."""

LIST_FORMS = "lines of `WORD|clue`, or a table whose first line names `answer` and `clue`"
"""What lists look like, for those whose file is none."""

CLUE_FILE_SUFFIXES = tuple(dict.fromkeys((*suffixes_to_read(), *LIST_SUFFIXES)))
"""The files of a folder that may have clues."""

_LONGEST_LINE = LONGEST_CLUE + 1_000
LONGEST_LINE_BYTES = 4 * (_LONGEST_LINE + 1)
"""So many bytes are more characters than a line may have, whatever they are."""

_LONGEST_ANSWER = 100
_FIRST_LINES = 20
"""Lines that are looked at to know a list."""

_QUOTING = (",", ";")
"""What parts the columns of tables in which a cell may stand in quotes."""
_COLUMNS = {
    "answer": ("answer", "word", "entry", "solution"),
    "clue": ("clue", "clues", "hint", "definition"),
    "date": ("date", "published", "publish_date", "weekday_date", "year"),
    "author": ("author", "authors", "constructor", "constructors", "setter", "creator", "byline"),
    "outlet": ("outlet", "pubid", "publication", "publisher", "paper", "newspaper", "source"),
}
"""What columns are called that tell something, the most telling first."""

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
    """The first date in a text as 2026-11-22: 20261122, 11/22/2026 (as ipuz has it) or Nov. 22, 2026; or empty."""
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
    """The clues of a puzzle that are of a whole answer, also of answers that stood in it before.

    They are markup as in the puzzle, but for its references, which name entries that another puzzle has not.
    """
    for clues in puzzle.clues.values():
        for clue in clues.written:
            if clue.answer:
                text = clue.text if is_plain(clue.text) else source_of(printed_runs(clue.text, puzzle.grid))
                yield NewClue(as_answer(clue.answer), text)


def read_puzzle_clues(path: Path, data: bytes) -> tuple[ClueSource, list[NewClue]]:
    """The clues of a puzzle file; raises PuzzleFormatError where it is none, or has no clue of a whole answer."""
    puzzle = _puzzle_of(data, suffix_of(path).lower())
    clues = list(clues_of_puzzle(puzzle))
    if not clues:
        raise PuzzleFormatError("it has no clues for complete answers")
    return ClueSource(str(path), puzzle.title or path.stem, puzzle.author, puzzle_date(puzzle, path)), clues


def _puzzle_of(data: bytes, suffix: str) -> Puzzle:
    """The puzzle of a file that is no list; where it is none, the reason says what a list would be."""
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
    """The date of a puzzle, as 2026-11-22, by its fields, its file's name or its title; empty where none tells."""
    kept = [fields for fields in (puzzle.foreign, *puzzle.foreign.values()) if isinstance(fields, dict)]
    dates = [str(one) for fields in kept for name, one in fields.items() if str(name).lower() == "date"]
    return next(filter(None, map(date_in, (*dates, path.name, puzzle.title))), "")


# Lists


@dataclass
class WordClueList:
    """The lines of a list, read one after the other; `skipped` counts those that say nothing."""

    separator: str
    alphabet: Alphabet
    """That its words are spelled in; what becomes of letters that it lacks is noted for `noting_folds`."""
    columns: Sequence[str] = ()
    """What the columns are called, in small letters; empty where none are named: the word, then the clue."""
    skipped: int = 0
    _places: Mapping[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self._places = _places(self.columns) if self.columns else {"answer": (0,), "clue": (1,)}

    def clues(self, lines: Iterable[str]) -> Iterator[NewClue]:
        """The clues of lines, which may be too long or odd in any way."""
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
    """What columns are called, in small letters, in the line that says so."""
    return [cell.strip().lower() for cell in cells]


def _places(columns: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Where the columns stand that tell something, the most telling first."""
    found = {told: [columns.index(name) for name in names if name in columns] for told, names in _COLUMNS.items()}
    return {told: tuple(places) for told, places in found.items() if places}


def _year(text: str) -> str:
    found = _YEAR.fullmatch(text.strip())
    return found[0] if found is not None else ""


def clue_list_of(beginning: bytes, alphabet: Alphabet) -> WordClueList | None:
    """How the list of words with clues is to be read that begins so, in an alphabet; None where this is none."""
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
    """Lines as text: UTF-8, and what is none as Windows has it."""
    for number, line in enumerate(lines):
        bare = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
        try:
            yield bare.decode("utf-8")
        except UnicodeDecodeError:
            yield bare.decode("cp1252", "replace")


_SECONDS_A_CHANGE = 0.5
"""How long puzzles are read before they go into the book together, while others may write to it."""

_LINES_A_CHANGE = 5_000
_LOOKED_AT = 1 << 16
"""Bytes by which a list is known."""


class SkippedFile(NamedTuple):
    """A file from which nothing was taken, and why."""

    path: Path
    reason: str


class ImportView(Struct, frozen=True):
    """How far an import is: of so many `files`, how many are `done`, and what they have brought."""

    path: Path
    """The folder, or the one file."""
    files: int
    done: int = 0
    clues: int = 0
    """Those that were not in the book before."""
    known: int = 0
    """Files that were in the book already."""
    odd_lines: int = 0
    """Lines of lists that are no word with a clue."""
    alphabet: Alphabet = ENGLISH
    """That the words of lists are spelled in."""
    folds: Mapping[str, str] = {}
    """The letters of their words that it lacks, each with what is written for it."""
    skipped: tuple[SkippedFile, ...] = ()
    seconds: float = 0.0

    @property
    def is_whole(self) -> bool:
        return self.done == self.files


Tell = Callable[[ImportView], None]
IsStopped = Callable[[], bool]


class _ReadPuzzle(NamedTuple):
    source: ClueSource
    clues: list[NewClue]
    digest: bytes


@dataclass
class _Import:
    book: ClueBook
    view: ImportView
    is_own: bool
    is_stopped: IsStopped
    tell: Tell
    known_digests: set[bytes]
    own_names: frozenset[str]
    read: list[_ReadPuzzle] = field(default_factory=list)
    """Puzzles that are to go into the book."""
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
        """Read one file; its clues are in the book at the next writing, those of a list at once.

        Returns False for a list that was stopped within.
        """
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
        self.read.append(_ReadPuzzle(structs.replace(source, is_own=self.is_own), clues, digest))
        self.known_digests.add(digest)
        return True

    def _is_known(self, digest: bytes) -> bool:
        if digest in self.known_digests:
            self._note(known=self.view.known + 1)
            return True
        return False

    def _take_list(self, path: Path, form: WordClueList, stream: BufferedReader) -> bool:
        """Take a list in, some lines at a time; one that is stopped within is taken anew the next time."""
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
        """What hashes a list: to another digest in each alphabet, in which it has other words."""
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
    """Take the puzzles and lists of a folder, or one file, into the book.

    What the book has already, by the bytes of the file, is passed over, and so are puzzles of one's own. A file
    that cannot be read is named in the view, and the next one follows. With `is_own` all are the constructor's
    own. Words of lists are spelled in an `alphabet`; the view says what it lacks. Once stopped, what was read by
    then is in the book. Raises ClueBookError where the book cannot be written, or nothing lies at the path.
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
    with noting_folds() as folds:
        view = task.run(iter(files))
    return structs.replace(view, folds=folds)


def _bounded_lines(stream: BufferedReader) -> Iterator[bytes]:
    """The lines of a file; of one that is too long, only as much as tells that it is."""
    while line := stream.readline(LONGEST_LINE_BYTES):
        rest = line
        while len(rest) == LONGEST_LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE_BYTES)
        yield line
