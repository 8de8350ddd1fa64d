"""Clues from files of others: puzzles of any format that is read, and lists of words with their clues.

A list is text, a clue a line: `WORD|clue` as Emogic's lists have it, `WORD<tab>clue`, or a table with tabs,
commas or semicolons whose first line names its columns (`date`, `answer`, `clue`, in any order). A line that
begins with `#` is a comment.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xwtui.clues.book import LONGEST_CLUE, ClueSource, NewClue
from xwtui.errors import PuzzleFormatError, WordListError
from xwtui.formats.registry import read_bytes, suffix_of, suffixes_to_read
from xwtui.model import Puzzle
from xwtui.model.alphabet import Alphabet
from xwtui.model.markup import as_markup, is_plain, printed_runs, source_of
from xwtui.text import listed
from xwtui.words.normalise import as_answer, normalise

LIST_SUFFIXES = (".txt", ".tsv", ".csv")
"""What files of lists are called; text that is no list may be a puzzle."""

LIST_FORMS = "lines of `WORD|clue`, or a table in whose first line stand `answer` and `clue`"
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
_WORD_COLUMNS = frozenset({"answer", "word", "entry", "solution"})
_CLUE_COLUMNS = frozenset({"clue", "clues", "hint", "definition"})
_DATE_COLUMNS = frozenset({"date", "year", "published", "publish_date", "weekday_date"})

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATES = (
    re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-_./]?(?P<month>0[1-9]|1[0-2])[-_./]?(?P<day>[0-3]\d)(?!\d)"),
    re.compile(r"(?<!\d)(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>(?:19|20)\d\d)(?!\d)"),
    re.compile(
        rf"\b(?P<name>{'|'.join(_MONTHS)})[a-z]*\.? (?P<day>\d\d?),? (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE
    ),
)
_YEAR = re.compile(r"(?:19|20)\d\d")


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
        raise PuzzleFormatError("it has no clues of whole answers")
    return ClueSource(str(path), puzzle.title or path.stem, puzzle.author, puzzle_date(puzzle, path)), clues


def _puzzle_of(data: bytes, suffix: str) -> Puzzle:
    """The puzzle of a file that is no list; where it is none, the reason says what a list would be."""
    try:
        return read_bytes(data, suffix)
    except PuzzleFormatError as error:
        if suffix in LIST_SUFFIXES:
            raise PuzzleFormatError(f"this is no list of words with their clues ({LIST_FORMS}): {error}") from None
        if suffix not in CLUE_FILE_SUFFIXES:
            lists = listed(LIST_SUFFIXES, "or")
            raise PuzzleFormatError(f"{error}; lists of words with their clues are called {lists}") from None
        raise


def puzzle_date(puzzle: Puzzle, path: Path) -> str:
    """The date of a puzzle, as 2026-11-22, by its fields, its file's name or its title; empty where none tells."""
    return next(filter(None, map(date_in, (*_dates_told(puzzle), path.name, puzzle.title))), "")


def _dates_told(puzzle: Puzzle) -> Iterator[str]:
    """What fields called `date` have, in the file and in what formats keep of its headers."""
    for fields in (puzzle.foreign, *puzzle.foreign.values()):
        if isinstance(fields, dict):
            yield from (str(value) for name, value in fields.items() if str(name).lower() == "date")


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
    _word: int = field(default=0, init=False)
    _clue: int = field(default=1, init=False)
    _date: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.columns:
            self._word = _column(self.columns, _WORD_COLUMNS) or 0
            self._clue = _column(self.columns, _CLUE_COLUMNS) or 0
            self._date = _column(self.columns, _DATE_COLUMNS)

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
        if len(cells) <= max(self._word, self._clue) or len(cells[self._word]) > _LONGEST_ANSWER:
            return None
        try:
            answer = normalise(cells[self._word], self.alphabet)
        except WordListError:
            return None
        date = cells[self._date] if self._date is not None and self._date < len(cells) else ""
        text = cells[self._clue].strip()
        return NewClue(answer, as_markup(text), date_in(date) or _year(date)) if text else None


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


def _column(columns: Sequence[str], names: frozenset[str]) -> int | None:
    return next((place for place, name in enumerate(columns) if name in names), None)


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
        if {*columns} & _WORD_COLUMNS and {*columns} & _CLUE_COLUMNS:
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
