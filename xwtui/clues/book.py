"""The clue book: all clues that a constructor has written or imported, searchable by answer and by words.

It is an SQLite file shared by several processes, and renamed if damaged. It uses SQLite's rollback journal and not
the write-ahead log, which needs shared memory that a home folder on a network lacks.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock
from msgspec import Struct

from xwtui.errors import ClueBookError, failing_as
from xwtui.resources import clue_book_file
from xwtui.text import printable, typed

SCHEMA = 3
"""Version of the tables, stored as `user_version`."""

PATIENCE_SECONDS = 10.0
"""Maximum time to wait for another process's writing."""

_TABLES = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    date TEXT NOT NULL,
    is_own INTEGER NOT NULL,
    digest BLOB,
    clues INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE clues (
    id INTEGER PRIMARY KEY,
    answer TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources (id),
    text TEXT NOT NULL,
    date TEXT NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    author TEXT NOT NULL DEFAULT ''
);
CREATE TABLE answers (answer TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE UNIQUE INDEX clues_by_answer ON clues (answer, source, text);
CREATE INDEX clues_by_source ON clues (source);
CREATE VIRTUAL TABLE texts USING fts5 (
    text, content = 'clues', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2"
);
"""
"""A source is a puzzle or a list: `name` is its path, `digest` a hash of its bytes once it is completely imported,
`clues` its number of clues. A clue's `date` and `author` are empty if they equal its source's; `times` counts the
dates on which a list has it, separately for each outlet. Dates are like 2026-11-22, or only a year. `answers`
holds the answers of all clues."""

_TRIGGERS = """
CREATE TRIGGER clue_in AFTER INSERT ON clues BEGIN
    INSERT INTO texts (rowid, text) VALUES (new.id, new.text);
    INSERT OR IGNORE INTO answers VALUES (new.answer);
    UPDATE sources SET clues = clues + 1 WHERE id = new.source;
END;
CREATE TRIGGER clue_out AFTER DELETE ON clues BEGIN
    INSERT INTO texts (texts, rowid, text) VALUES ('delete', old.id, old.text);
    DELETE FROM answers WHERE answer = old.answer AND NOT EXISTS (SELECT 1 FROM clues WHERE answer = old.answer);
    UPDATE sources SET clues = clues - 1 WHERE id = old.source;
END;
"""

_COUNT_AGAIN = "UPDATE sources SET digest = NULL WHERE substr(name, -4) IN ('.csv', '.tsv', '.txt');"
"""Forgets that lists are imported, so that importing them again counts dates and adds authors."""

_CHANGES = {
    1: f"ALTER TABLE clues ADD COLUMN times INTEGER NOT NULL DEFAULT 1; {_COUNT_AGAIN}",
    2: f"""
ALTER TABLE clues ADD COLUMN author TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN clues INTEGER NOT NULL DEFAULT 0;
UPDATE sources SET clues = (SELECT count(*) FROM clues WHERE source = sources.id);
CREATE TABLE answers (answer TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO answers SELECT DISTINCT answer FROM clues;
DROP TRIGGER clue_in;
DROP TRIGGER clue_out;
{_TRIGGERS}
{_COUNT_AGAIN}
""",
}
"""Scripts that upgrade a book from each earlier version to the next."""

_CACHE_KILOBYTES = 32_000
_DAMAGES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def reading(path: Path, patience: float = PATIENCE_SECONDS) -> Iterator[sqlite3.Connection | None]:
    """Open the book for reading, None if there is none; raises ClueBookError. A damaged book is renamed."""
    if not path.exists():
        yield None
        return
    with _opened(path, patience) as connection:
        yield connection


@contextmanager
def writing(path: Path, patience: float = PATIENCE_SECONDS) -> Iterator[sqlite3.Connection]:
    """Open the book, or create it, for one atomic change; raises ClueBookError as `reading` does."""
    with failing_as(ClueBookError, f"cannot write the clue book {path}"):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _opened(path, patience) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            with suppress(sqlite3.Error):
                connection.rollback()
            raise
        connection.commit()


@contextmanager
def _opened(path: Path, patience: float) -> Iterator[sqlite3.Connection]:
    before = _inode(path)
    try:
        with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as connection:
            # an invalid byte in one clue must not hide the others
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            try:
                _prepare(connection, path)
            except UnicodeDecodeError as error:  # sqlite3 cannot even report what is wrong with the tables
                raise ClueBookError(_set_aside(path, before)) from error
            yield connection
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)  # the low byte of an extended code is its kind
        if isinstance(error, sqlite3.DatabaseError) and code is not None and code & 0xFF in _DAMAGES:
            raise ClueBookError(_set_aside(path, before)) from error
        raise ClueBookError(f"cannot use the clue book {path}: {printable(str(error), 200)}") from error


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables if there are none, and check or upgrade their version."""
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    connection.execute("PRAGMA cache_spill = OFF")  # a spilled change would lock out other processes early
    if _version(connection) == 0:
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) == 0:  # no other process was faster
            for statement in _statements(_TABLES + _TRIGGERS):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.commit()
    while (version := _version(connection)) in _CHANGES:
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) == version:  # no other process was faster
            for statement in _statements(_CHANGES[version]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.commit()
    if _version(connection) != SCHEMA:
        raise ClueBookError(f"the clue book {path} was written by a newer xwtui; this one cannot read it")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one, because `executescript` would end the transaction."""
    statement = ""
    for part in script.split(";")[:-1]:
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    return version


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _set_aside(path: Path, inode: int | None) -> str:
    """Rename a damaged book, unless another process already has; returns the error message."""
    aside = path.with_name(f"{path.stem}-damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
    told = f"the clue book {path} is damaged"
    try:
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=PATIENCE_SECONDS):
            if _inode(path) != inode:
                return f"{told}; another process has already renamed it: try again"
            journal = path.with_name(f"{path.name}-journal")
            if journal.exists():
                journal.rename(aside.with_name(f"{aside.name}-journal"))
            path.rename(aside)
    except (OSError, TimeoutError) as error:
        return f"{told} and cannot be renamed: {error}"
    return f"{told}; it was renamed to {aside.name}, and a new one started: `book import` fills it again"


_LONGEST_AUTHOR = 200
LONGEST_CLUE = 10_000
"""Maximum length in characters of an imported clue, the same as in puzzles."""

_DATE = "coalesce(nullif(clues.date, ''), sources.date)"
"""SQL for a clue's date, by default its source's."""

_AUTHOR = "coalesce(nullif(clues.author, ''), sources.author)"
"""SQL for a clue's author, by default its source's."""

_WHOSE = f"""iif(is_own, 1, iif({_AUTHOR} IN (SELECT author FROM sources WHERE is_own AND author <> ''), 0, 2))"""
"""SQL rank of a source: 2 for someone else's, to which a clue is attributed even if one's own puzzle uses it
later."""

_MOST_SCANNED = 300_000
"""Number of the newest clues searched for text without words."""

_MOST_MATCHES = 5_000
"""Maximum number of matching clues considered, newest first."""

MOST_FOUND = 100
"""Default limit for the results of a search."""


class ClueSource(Struct, frozen=True):
    """A puzzle or list of clues. `name` is its full path; `date` is like 2026-11-22, or empty."""

    name: str
    title: str = ""
    author: str = ""
    date: str = ""
    is_own: bool = False
    """Whether it is one of the constructor's own puzzles."""


class NewClue(NamedTuple):
    """A clue to add, its answer in capitals A-Z and 0-9; an empty date or author means the source's."""

    answer: str
    text: str
    date: str = ""
    author: str = ""
    outlet: str = ""
    """The publication that a list names; uses are counted separately for each."""


class BookClue(Struct, frozen=True):
    """A clue of the book, with the most recent of its sources."""

    answer: str
    text: str
    source: ClueSource
    date: str = ""
    times: int = 1
    """Number of uses: one for each puzzle, and in lists one for each date and outlet."""


def origin_words(title: str, author: str, date: str, times: int) -> str:
    """Return a clue's origin, as far as known: `Heart to Heart, A. Constructor, 2026-11-22, and 2 more`."""
    return ", ".join(filter(None, (title, author, date, f"and {times - 1} more" if times > 1 else "")))


class SourceTally(Struct, frozen=True):
    """A source with its number of clues."""

    source: ClueSource
    clues: int


class BookTally(Struct, frozen=True):
    """The content of the book: its sources, one's own first, and its number of answers."""

    sources: tuple[SourceTally, ...] = ()
    answers: int = 0

    @property
    def clues(self) -> int:
        return sum(tally.clues for tally in self.sources)


class KnownSources(Struct, frozen=True):
    """What the book already contains: digests of files, and paths of the constructor's own puzzles."""

    digests: frozenset[bytes] = frozenset()
    own_names: frozenset[str] = frozenset()


class ClueBook:
    """A clue book in a file, which need not exist yet. Several processes may use it at once.

    Each method opens the file separately, so any thread may call it. All methods raise ClueBookError if the file
    is not usable; a damaged file is renamed first. `patience` is the maximum number of seconds to wait for another
    process's writing.
    """

    def __init__(self, path: Path | None = None, patience: float = PATIENCE_SECONDS) -> None:
        self.path = path if path is not None else clue_book_file()
        self._patience = patience

    # Queries

    def clues_of(self, answer: str, limit: int = MOST_FOUND) -> tuple[BookClue, ...]:
        """Return an answer's clues, each text once: own ones first, then by number of uses, then newest first."""
        return self._found("clues.answer = ?", (answer,), limit)

    def search(self, text: str, limit: int = MOST_FOUND) -> tuple[BookClue, ...]:
        """Return the clues that contain all words of a text, in the order of `clues_of`.

        The last word may be a prefix. Case, accents and punctuation are ignored, unless the text has only
        punctuation (or emoji), which is then searched literally. If there are very many matches, only the newest
        are considered.
        """
        text = _line(text)
        phrases = ['"' + word.replace('"', '""') + '"' for word in text.split() if any(map(str.isalnum, word))]
        if phrases:
            matches = f"SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT {_MOST_MATCHES}"
            condition = f"clues.id IN ({matches})"
            return self._found(condition, (f"{' AND '.join(phrases)}*",), limit)
        newest = f"id > (SELECT max(id) FROM clues) - {_MOST_SCANNED}"
        signs = f"SELECT id FROM clues WHERE {newest} AND instr(text, ?) ORDER BY id DESC LIMIT {_MOST_MATCHES}"
        return self._found(f"clues.id IN ({signs})", (text,), limit) if text else ()

    def _found(self, condition: str, values: tuple[str, ...], limit: int) -> tuple[BookClue, ...]:
        """Return the clues that meet a condition; for equal texts, prefers someone else's source, then the newest.

        SQLite takes a group's columns from the row selected by `max`.
        """
        query = f"""
            SELECT answer, text, name, title, {_AUTHOR}, sources.date, is_own, {_DATE} AS newest,
                sum(times) AS uses, max({_WHOSE} || {_DATE} || ' ' || name)
            FROM clues JOIN sources ON sources.id = clues.source WHERE {condition}
            GROUP BY answer, text ORDER BY is_own DESC, uses DESC, newest DESC, text, answer LIMIT ?"""
        with reading(self.path, self._patience) as connection:
            rows = connection.execute(query, (*values, limit)) if connection is not None else ()
            return tuple(
                BookClue(answer, text, ClueSource(name, title, author, source_date, bool(is_own)), date, times)
                for answer, text, name, title, author, source_date, is_own, date, times, _ in rows
            )

    def tally(self) -> BookTally:
        with reading(self.path, self._patience) as connection:
            if connection is None:
                return BookTally()
            rows = connection.execute(
                """SELECT name, title, author, date, is_own, clues FROM sources
                ORDER BY is_own DESC, date DESC, name"""
            )
            sources = tuple(
                SourceTally(ClueSource(name, title, author, date, bool(is_own)), clues)
                for name, title, author, date, is_own, clues in rows
            )
            (answers,) = connection.execute("SELECT count(*) FROM answers").fetchone()
        return BookTally(sources, answers)

    def known(self) -> KnownSources:
        with reading(self.path, self._patience) as connection:
            if connection is None:
                return KnownSources()
            rows = connection.execute("SELECT name, is_own, digest FROM sources").fetchall()
        return KnownSources(
            frozenset(digest for _, _, digest in rows if digest is not None),
            frozenset(name for name, is_own, _ in rows if is_own),
        )

    # Changes

    @contextmanager
    def changing(self) -> Iterator[BookChange]:
        """Make several changes atomically; other processes wait meanwhile."""
        with writing(self.path, self._patience) as connection:
            yield BookChange(connection)

    def keep(self, source: ClueSource, clues: Iterable[NewClue]) -> None:
        """Replace a source's clues; a source without clues is removed."""
        kept = list(clues)
        if not kept and not self.path.exists():
            return
        with self.changing() as change:
            change.replace(source, kept)

    def forget(self, name: str) -> int:
        """Remove a source by its path, or all sources below a folder; returns the number of clues removed."""
        if not self.path.exists():
            return 0
        with self.changing() as change:
            return change.forget(name)


class BookChange:
    """Changes to the book within one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def replace(self, source: ClueSource, clues: Iterable[NewClue], digest: bytes | None = None) -> int:
        """Replace a source's clues; a source without clues is removed. Returns the number of new clues.

        Unchanged clues are not touched, so that saving the same ones again is cheap.
        """
        wanted = _cleaned(clues)
        rows = self._connection.execute(
            """SELECT clues.id, answer, text FROM clues JOIN sources ON sources.id = clues.source
            WHERE name = ?""",
            (source.name,),
        )
        before = {(answer, text): row for row, answer, text in rows}
        gone = [row for (answer, text), row in before.items() if (answer, text) not in wanted]
        self._connection.executemany("DELETE FROM clues WHERE id = ?", ((row,) for row in gone))
        if not wanted:
            self._connection.execute("DELETE FROM sources WHERE name = ?", (source.name,))
            return 0
        number = self.begin(source)
        new = {pair: told for pair, told in wanted.items() if pair not in before}
        added = self._insert(number, new, {})
        self.end(source, digest)
        return added

    def begin(self, source: ClueSource) -> int:
        """Create or update a source to which clues are added in parts; returns its id for `add`."""
        self._connection.execute(
            """INSERT INTO sources (name, title, author, date, is_own) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET title = excluded.title, author = excluded.author,
                date = excluded.date, is_own = excluded.is_own, digest = NULL""",
            (source.name, _line(source.title), _line(source.author), source.date, source.is_own),
        )
        (number,) = self._connection.execute("SELECT id FROM sources WHERE name = ?", (source.name,)).fetchone()
        assert isinstance(number, int)
        return number

    def add(self, number: int, clues: Iterable[NewClue]) -> int:
        """Add clues to a source by its id, counting uses by date and outlet; returns the number of new clues."""
        told = list(clues)
        printed = {(clue.answer, _line(clue.text), clue.date, clue.outlet) for clue in told if clue.date}
        dates = Counter((answer, text) for answer, text, *_ in printed)
        wanted = _cleaned(told)
        self._connection.executemany(
            """UPDATE clues SET times = times + ?1, author = iif(?2 >= date, ?3, author), date = max(date, ?2)
            WHERE answer = ?4 AND source = ?5 AND text = ?6""",
            ((dates[pair], *clue, pair[0], number, pair[1]) for pair, clue in wanted.items()),
        )
        return self._insert(number, wanted, dates)

    def end(self, source: ClueSource, digest: bytes | None) -> None:
        """Mark a source as complete: a file with this digest need not be imported again."""
        self._connection.execute("UPDATE sources SET digest = ? WHERE name = ?", (digest, source.name))

    def forget(self, name: str) -> int:
        """Remove a source by its path, or all sources below a folder; returns the number of clues removed.

        Both path separators are recognized, because a book may come from another system.
        """
        folder = name.rstrip("/\\")
        rows = self._connection.execute(
            "SELECT id FROM sources WHERE name = ? OR substr(name, 1, ?) IN (?, ?)",
            (name, len(folder) + 1, f"{folder}/", f"{folder}\\"),
        ).fetchall()
        removed = 0
        for row in rows:
            removed += self._connection.execute("DELETE FROM clues WHERE source = ?", row).rowcount
            self._connection.execute("DELETE FROM sources WHERE id = ?", row)
        return removed

    def _insert(
        self,
        number: int,
        clues: Mapping[tuple[str, str], tuple[str, str]],
        times: Mapping[tuple[str, str], int],
    ) -> int:
        return self._connection.executemany(
            "INSERT OR IGNORE INTO clues (answer, source, text, date, author, times) VALUES (?, ?, ?, ?, ?, ?)",
            (
                (answer, number, text, *told, max(times.get((answer, text), 1), 1))
                for (answer, text), told in clues.items()
            ),
        ).rowcount


def _cleaned(clues: Iterable[NewClue]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return clues by answer and text, as single lines, without those that are empty or too long.

    The value is the newest date of each, and the author on that date.
    """
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for answer, text, date, author, _ in clues:
        line = _line(text)
        if line and answer and len(line) <= LONGEST_CLUE:
            told = (date, _line(author)[:_LONGEST_AUTHOR])
            found[answer, line] = max(told, found.get((answer, line), told))
    return found


def _line(text: str) -> str:
    return text.strip() if text.isprintable() else typed(" ".join(text.split()))
