"""The file under a batch: told from all others, opened by one writer at a time, its errors in plain words.

It is marked as ours (`application_id`) before it has a log, so that no other file is taken for one; and a file
from elsewhere is looked at before SQLite opens it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from xwtui.errors import BatchError, BatchRefusal
from xwtui.text import printable

SCHEMA = 1
"""The version of the tables, in the file as `user_version`."""
APPLICATION = 0x7877_6262
"""What tells our files from other SQLite files: `xwbb` in ASCII."""

PATIENCE_SECONDS = 10.0
"""How long a reader or writer of another process is waited for."""

_MAGIC = b"SQLite format 3\0"
_HEAD_BYTES, _VERSION_AT, _APPLICATION_AT = 100, 60, 68
_DAMAGES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE word_lists (fingerprint TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE vocabularies (digest TEXT PRIMARY KEY, recipe TEXT NOT NULL);
CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    asked TEXT NOT NULL,
    document TEXT NOT NULL,
    vocabulary TEXT NOT NULL REFERENCES vocabularies (digest)
);
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    subject INTEGER NOT NULL REFERENCES subjects (id),
    seed INTEGER NOT NULL,
    settings TEXT NOT NULL,
    repeats INTEGER NOT NULL
);
CREATE INDEX tasks_by_subject ON tasks (subject);
CREATE TABLE results (
    task INTEGER PRIMARY KEY REFERENCES tasks (id),
    subject INTEGER NOT NULL REFERENCES subjects (id),
    repeats INTEGER NOT NULL,
    state TEXT NOT NULL,
    figures TEXT NOT NULL,
    reason TEXT NOT NULL,
    seconds REAL NOT NULL,
    worker TEXT NOT NULL
);
CREATE INDEX results_by_subject ON results (subject, repeats, state);
CREATE TABLE finds (
    task INTEGER NOT NULL REFERENCES results (task),
    number INTEGER NOT NULL,
    find TEXT NOT NULL,
    lowest INTEGER,
    mean REAL,
    words INTEGER NOT NULL,
    layout TEXT NOT NULL,
    PRIMARY KEY (task, number)
) WITHOUT ROWID;
CREATE INDEX finds_by_layout ON finds (layout);
"""


class Opened:
    """An open connection, with the lock of one who writes."""

    def __init__(self, path: Path, *, is_new: bool, is_written: bool) -> None:
        """Open a file, or begin one; raises BatchError where that cannot be."""
        if not is_new:
            _check_head(path)
        self._lock = _locked(path) if is_written else None
        try:
            with named_errors(path):
                self.connection = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
                try:
                    _prepare(self.connection, is_new=is_new, is_written=is_written)
                except BaseException:
                    self.connection.close()
                    raise
        except BaseException:
            self._release()
            raise

    def close(self) -> None:
        """Close the file, and let others write to it."""
        self.connection.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()


def named(path: Path) -> str:
    """A path as it is told."""
    return printable(str(path), 200)


def has_content(path: Path) -> bool:
    """Whether there is a file that is not empty."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BatchError(BatchRefusal.NO_FILE, f"{named(path)}: {error.strerror}") from error


def _check_head(path: Path) -> None:
    """Look at a file before SQLite does; raises BatchError where it is none of ours, or too new."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise BatchError(BatchRefusal.NO_FILE, f"{named(path)}: {error.strerror}") from error
    application = int.from_bytes(head[_APPLICATION_AT : _APPLICATION_AT + 4], "big")
    if not head.startswith(_MAGIC) or application != APPLICATION:
        raise BatchError(
            BatchRefusal.FOREIGN_FILE,
            f"{named(path)} is not an xwtui batch and was left alone; choose another name",
        )
    if int.from_bytes(head[_VERSION_AT : _VERSION_AT + 4], "big") > SCHEMA:
        raise BatchError(
            BatchRefusal.NEWER_FILE, f"{named(path)} was written by a newer xwtui; this one cannot read it"
        )


def _locked(path: Path) -> FileLock:
    """The lock of one who runs a batch; raises BatchError where another process has it."""
    if not path.parent.is_dir():
        raise BatchError(BatchRefusal.NO_FILE, f"{named(path)}: there is no folder {named(path.parent)}")
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BatchError(BatchRefusal.IN_USE, f"another xwtui is running the batch {named(path)}") from None
    except OSError as error:
        raise BatchError(BatchRefusal.NO_FILE, f"cannot write {named(path)}: {error.strerror}") from error
    return lock


def _prepare(connection: sqlite3.Connection, *, is_new: bool, is_written: bool) -> None:
    """Make the tables of a new file, with its marks before it has a log; look an old one through."""
    connection.execute("PRAGMA trusted_schema = OFF")
    if is_new:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
    if is_written:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        [(found,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise ValueError(found)


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Within, what SQLite or a damaged row says becomes a BatchError."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise BatchError(
                BatchRefusal.FULL_DISK,
                f"no room is left for {named(path)}; earlier results are kept, and `batch resume` continues",
            ) from error
        if code in _DAMAGES:
            raise _damaged(path, str(error)) from error
        raise BatchError(
            BatchRefusal.NO_FILE, f"cannot use the batch {named(path)}: {printable(str(error), 200)}"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> BatchError:
    return BatchError(BatchRefusal.DAMAGED_FILE, f"the batch {named(path)} is damaged: {printable(why, 200)}")
