"""The file of the clue book: opened with the right schema, shared by several processes, set aside when damaged.

The journal is SQLite's rollback journal, not its write-ahead log: that needs memory which all processes share, and
a home folder on a network has none.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from filelock import FileLock

from xwtui.errors import ClueBookError
from xwtui.text import printable

SCHEMA = 1
"""The version of the tables, in the file as `user_version`."""

PATIENCE_SECONDS = 10.0
"""How long another process is waited for that writes."""

_TABLES = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    date TEXT NOT NULL,
    is_own INTEGER NOT NULL,
    digest BLOB
);
CREATE TABLE clues (
    id INTEGER PRIMARY KEY,
    answer TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources (id),
    text TEXT NOT NULL,
    date TEXT NOT NULL
);
CREATE UNIQUE INDEX clues_by_answer ON clues (answer, source, text);
CREATE INDEX clues_by_source ON clues (source);
CREATE VIRTUAL TABLE texts USING fts5 (
    text, content = 'clues', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER clue_in AFTER INSERT ON clues BEGIN
    INSERT INTO texts (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER clue_out AFTER DELETE ON clues BEGIN
    INSERT INTO texts (texts, rowid, text) VALUES ('delete', old.id, old.text);
END;
"""
"""A source is a puzzle or a list; `name` is its path, `digest` that of its bytes once it is in as a whole. A
clue's `date` is empty where it is that of its source. Dates are as in 2026-11-22, or the year alone."""

_CACHE_KILOBYTES = 32_000
_DAMAGES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def reading(path: Path, patience: float = PATIENCE_SECONDS) -> Iterator[sqlite3.Connection | None]:
    """Open the book to read from it; None where there is none yet.

    Raises ClueBookError where it cannot be read; one that is damaged is set aside.
    """
    if not path.exists():
        yield None
        return
    with _opened(path, patience) as connection:
        yield connection


@contextmanager
def writing(path: Path, patience: float = PATIENCE_SECONDS) -> Iterator[sqlite3.Connection]:
    """Open the book for one change, made as a whole or not at all; a new book is begun where there is none.

    Raises ClueBookError as `reading` does, and where it cannot be written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ClueBookError(f"cannot write the clue book {path}: {error.strerror}") from error
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
            connection.text_factory = _text  # one bad byte in a clue keeps no other clue from its reader
            try:
                _prepare(connection, path)
            except UnicodeDecodeError as error:  # sqlite3 cannot even say what is wrong with the tables
                raise ClueBookError(_set_aside(path, before)) from error
            yield connection
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.DatabaseError) and _is_damage(error):
            raise ClueBookError(_set_aside(path, before)) from error
        raise ClueBookError(f"cannot use the clue book {path}: {printable(str(error), 200)}") from error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables if there are none, and look at their version."""
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    connection.execute("PRAGMA cache_spill = OFF")  # a change that spills would lock others out before it is made
    if _version(connection) == 0:
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) == 0:  # no other process was faster
            for statement in _statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.commit()
    if _version(connection) != SCHEMA:
        raise ClueBookError(f"the clue book {path} was written by a newer xwtui; this one cannot read it")


def _statements() -> Iterator[str]:
    """The statements of `_TABLES`, one by one: `executescript` would end the transaction."""
    statement = ""
    for line in _TABLES.splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    return version


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is at fault; the low byte of SQLite's extended codes tells the kind."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGES


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _set_aside(path: Path, inode: int | None) -> str:
    """Rename a damaged book, unless another process has done that meanwhile; returns what is said of it."""
    aside = path.with_name(f"{path.stem}-damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
    told = f"the clue book {path} is damaged"
    try:
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=PATIENCE_SECONDS):
            if _inode(path) != inode:
                return f"{told}; another process has set it aside already, beside it: try again"
            journal = path.with_name(f"{path.name}-journal")
            if journal.exists():
                journal.rename(aside.with_name(f"{aside.name}-journal"))
            path.rename(aside)
    except (OSError, TimeoutError) as error:
        return f"{told}, and cannot be set aside: {error}"
    return f"{told}; it was set aside as {aside.name}, and a new one begins: `book import` fills it again"
