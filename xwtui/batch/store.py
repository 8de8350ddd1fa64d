"""A batch's file: its tasks, the words that they need, and each result once.

Even if the writing process is killed, each result is stored whole or not at all. The file contains no pickles and
is checked before SQLite opens it, so a foreign file is safe to open. A mark identifies it, which is set before it
has a log, and it has one writer at a time.
"""

from __future__ import annotations

import enum
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import msgspec
from filelock import FileLock, Timeout

from xwtui.batch.packed_words import PackedWords, lists_named
from xwtui.batch.tasks import BatchKind, BatchTask, Find, Subject, TaskResult, TaskSettings, TaskState, canonical
from xwtui.dataclasses import asdict, dataclass, field
from xwtui.errors import BatchError, BatchRefusal, reason_of
from xwtui.text import printable

SCHEMA = 1
"""The version of the tables, stored in the file as `user_version`."""
APPLICATION = 0x7877_6262
"""Identifies our files among SQLite files: `xwbb` in ASCII."""

PATIENCE_SECONDS = 10.0
"""How long to wait for another process's lock on the database."""

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


@dataclass(frozen=True)
class BatchView:
    """The number of tasks, and how the finished ones ended."""

    kind: BatchKind
    tasks: int
    subjects: int
    states: Mapping[TaskState, int]
    finds: int = 0
    """Number of fills or designs."""
    layouts: int = 0
    """Number of distinct layouts among them."""
    seconds: float = 0.0
    """Time worked, summed over all processes."""

    @property
    def done(self) -> int:
        return sum(self.states.values())

    @property
    def is_over(self) -> bool:
        return self.done >= self.tasks


@dataclass(frozen=True)
class SubjectView:
    """The state of one subject's tasks."""

    title: str
    tasks: int
    states: Mapping[TaskState, int]
    best_mean: float | None
    best_lowest: int | None
    figures: tuple[Mapping[str, Any], ...] = ()
    """The figures of each of its results."""

    @property
    def done(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True)
class RankedFind:
    """A find with its subject and seed."""

    title: str
    document: str = field(repr=False)
    """The whole puzzle that it fills, as ipuz; empty for a design."""
    seed: int
    find: Find


class Phase(enum.Enum):
    """The phase of a running batch; the value is a short description."""

    STARTING = "starting workers"
    SENDING = "sending words, loading the engine"
    RUNNING = "running"
    RECONNECTING = "waiting for the scheduler"
    STOPPING = "stopping"


@dataclass(frozen=True)
class BatchProgress:
    """The progress of a running batch."""

    phase: Phase
    view: BatchView
    new: int = 0
    """Results since it was started."""
    running: int = 0
    """Tasks outstanding."""
    workers: int = 0
    seconds: float = 0.0
    """Time since the first task was submitted."""
    bytes_sent: int = 0
    bytes_received: int = 0
    """For tasks and results; words are sent once and not counted here."""
    lost: int = 0
    """How often a task lost its worker."""
    gave_up: int = 0
    """Tasks that lost their worker so often that they are left for another run."""

    @property
    def rate(self) -> float:
        """Results per second."""
        return self.new / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimated time for the rest at this rate; None before the first result."""
        return (self.view.tasks - self.view.done) / self.rate if self.rate > 0 else None


REFUTED = "another task found what this one claims does not exist"
_ISLANDS = "breed"
"""A kind of batch made by earlier versions."""


class BatchStore:
    """An open batch; it must be used only in the thread that opened it."""

    def __init__(self, path: Path, *, is_new: bool, is_written: bool) -> None:
        """Open a file, or create one; raises BatchError if that fails."""
        if not is_new:
            _check_head(path)
        self.path = path
        with ExitStack() as opened, _named_errors(path):
            if is_written:
                opened.callback(_locked(path).release)
            connection = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
            self._connection = opened.enter_context(closing(connection))
            _prepare(connection, is_new=is_new, is_written=is_written)
            self._opened = opened.pop_all()

    def close(self) -> None:
        self._opened.close()

    @classmethod
    def begin(cls, path: Path, kind: BatchKind) -> Self:
        """Open a batch to add tasks and run it, creating the file if there is none.

        Raises BatchError if the file is not a batch, is damaged, in use, of another kind, or has waiting tasks
        made by an earlier xwtui.
        """
        store = cls(path, is_new=not _has_content(path), is_written=True)
        try:
            with store._guarded():
                if not store._rows("SELECT 1 FROM about"):
                    store._connection.execute("INSERT INTO about VALUES ('kind', ?)", (kind.value,))
            if store.kind is not kind:
                message = f"{_named(path)} is a batch of `{store.kind.value}`, not of `{kind.value}`"
                raise BatchError(BatchRefusal.OTHER_KIND, message)
            store.waiting(1)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, path: Path, *, is_written: bool = False) -> Self:
        """Open an existing batch, to read or to continue it; raises BatchError as `begin` does."""
        if not _has_content(path):
            raise BatchError(BatchRefusal.NO_FILE, f"there is no batch {_named(path)}")
        return cls(path, is_new=False, is_written=is_written)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Tasks

    @property
    def kind(self) -> BatchKind:
        with self._guarded():
            [(kind,)] = self._rows("SELECT value FROM about WHERE name = 'kind'")
            if kind == _ISLANDS:
                raise BatchError(
                    BatchRefusal.OTHER_KIND,
                    f"{_named(self.path)} holds layouts from island breeding, which batches no longer do; "
                    "use `layouts breed`",
                )
            return BatchKind(kind)

    def add(
        self,
        words: Iterable[PackedWords],
        subjects: Sequence[Subject],
        seeds: Sequence[int],
        settings: Sequence[TaskSettings],
    ) -> int:
        """Add a task for each subject, seed and settings, all or none; return how many of them are new.

        Tasks run in seed order, so that early results cover all subjects.
        """
        kind, before = self.kind, self._connection.total_changes
        with self._guarded(), self._transaction():
            for packed in words:
                lists = "INSERT INTO word_lists VALUES (?, ?) ON CONFLICT DO NOTHING"
                self._connection.executemany(lists, packed.lists.items())
                recipe = "INSERT INTO vocabularies VALUES (?, ?) ON CONFLICT DO NOTHING"
                self._connection.execute(recipe, (packed.digest, packed.recipe))
            ids = [self._add_subject(one) for one in subjects]
            before = self._connection.total_changes
            self._connection.executemany(
                "INSERT INTO tasks (name, subject, seed, settings, repeats) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (name) DO NOTHING",
                (
                    (
                        BatchTask(kind, subject.asked, subject.vocabulary, seed, one).name,
                        number,
                        seed,
                        canonical(asdict(one)),
                        one.allow_repeats,
                    )
                    for seed in seeds
                    for subject, number in zip(subjects, ids, strict=True)
                    for one in settings
                ),
            )
        return self._connection.total_changes - before

    def _add_subject(self, one: Subject) -> int:
        self._connection.execute(
            "INSERT INTO subjects (digest, title, asked, document, vocabulary) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (one.digest, one.title, one.asked, one.document, one.vocabulary),
        )
        [(number,)] = self._rows("SELECT id FROM subjects WHERE digest = ?", one.digest)
        assert isinstance(number, int)
        return number

    def waiting(self, most: int = -1) -> list[BatchTask]:
        """Return the tasks without a result, in order: all, or at most `most`.

        Raises BatchError if an earlier xwtui made one of them.
        """
        kind = self.kind
        with self._guarded():
            asked = {
                number: (text, digest)
                for number, text, digest in self._rows("SELECT id, asked, vocabulary FROM subjects")
            }
            rows = self._rows(
                "SELECT name, subject, seed, settings FROM tasks"
                " WHERE id NOT IN (SELECT task FROM results) ORDER BY id LIMIT ?",
                most,
            )
            found = []
            for name, subject, seed, text in rows:
                settings = json.loads(text)
                task = BatchTask(kind, *asked[subject], seed, TaskSettings(**settings))
                if task.is_of_earlier_form(name, settings):
                    raise BatchError(
                        BatchRefusal.OTHER_VERSION,
                        f"{_named(self.path)} has waiting tasks from an earlier xwtui, which this one does "
                        "differently; choose another name",
                    )
                if task.name != name:
                    raise ValueError("a task does not match its name")
                found.append(task)
            return found

    def title_of(self, task: BatchTask) -> str:
        with self._guarded():
            digest = Subject("", task.asked, task.vocabulary).digest
            [(title,)] = self._rows("SELECT title FROM subjects WHERE digest = ?", digest)
            return str(title)

    def words(self, digests: Iterable[str]) -> tuple[PackedWords, ...]:
        found: list[PackedWords] = []
        with self._guarded():
            for digest in sorted(set(digests)):
                [(recipe,)] = self._rows("SELECT recipe FROM vocabularies WHERE digest = ?", digest)
                lists = {}
                for fingerprint in sorted(lists_named(recipe)):
                    [(data,)] = self._rows("SELECT data FROM word_lists WHERE fingerprint = ?", fingerprint)
                    lists[fingerprint] = bytes(data)
                found.append(PackedWords(recipe, lists))
        return tuple(found)

    # Results

    def keep(self, results: Sequence[TaskResult]) -> tuple[TaskResult, ...]:
        """Store results, in one transaction; return those that are new, as a task counts once.

        A proof of impossibility becomes foul if another task of the same subject has found something.
        """
        with self._guarded(), self._transaction():
            return tuple(one for one in results if one.state.is_kept and self._keep(one))

    def _keep(self, result: TaskResult) -> bool:
        rows = self._rows("SELECT id, subject, repeats FROM tasks WHERE name = ?", result.name)
        if not rows:
            return False
        [(task, subject, repeats)] = rows
        done = self._connection.execute(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                task,
                subject,
                repeats,
                result.state.value,
                canonical(dict(result.figures)),
                result.reason,
                result.seconds,
                result.worker,
            ),
        )
        if not done.rowcount:
            return False
        self._connection.executemany(
            "INSERT INTO finds VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    task,
                    number,
                    canonical(asdict(find)),
                    find.lowest_score,
                    find.mean_score,
                    find.words,
                    find.layout,
                )
                for number, find in enumerate(result.finds)
            ),
        )
        of_subject = "WHERE subject = ? AND repeats = ? AND state = ?"
        found = f"SELECT 1 FROM results JOIN finds USING (task) {of_subject} LIMIT 1"
        may_refute = result.finds or result.state is TaskState.IMPOSSIBLE
        if may_refute and self._rows(found, subject, repeats, TaskState.FOUND.value):
            self._connection.execute(
                f"UPDATE results SET state = ?, reason = ? {of_subject}",
                (TaskState.INVALID.value, REFUTED, subject, repeats, TaskState.IMPOSSIBLE.value),
            )
        return True

    def forget(self, states: Iterable[TaskState]) -> None:
        """Make tasks that ended in some states run again.

        Raises BatchError if an earlier xwtui made one of them; then nothing is changed.
        """
        with self._guarded(), self._transaction():
            for state in states:
                of_state = "SELECT task FROM results WHERE state = ?"
                self._connection.execute(f"DELETE FROM finds WHERE task IN ({of_state})", (state.value,))
                self._connection.execute("DELETE FROM results WHERE state = ?", (state.value,))
            self.waiting(1)

    def view(self) -> BatchView:
        with self._guarded():
            [(tasks,)] = self._rows("SELECT count(*) FROM tasks")
            [(subjects,)] = self._rows("SELECT count(*) FROM subjects")
            [(finds, layouts)] = self._rows("SELECT count(*), count(DISTINCT layout) FROM finds")
            states = {
                TaskState(state): count
                for state, count in self._rows("SELECT state, count(*) FROM results GROUP BY state")
            }
            [(seconds,)] = self._rows("SELECT total(seconds) FROM results")
            return BatchView(self.kind, tasks, subjects, states, finds, layouts, seconds)

    def subject_views(self) -> tuple[SubjectView, ...]:
        """Return the state of each subject, in the order in which they were added."""
        with self._guarded():
            found = []
            for number, title in self._rows("SELECT id, title FROM subjects ORDER BY id"):
                [(tasks,)] = self._rows("SELECT count(*) FROM tasks WHERE subject = ?", number)
                of_subject = "FROM results WHERE subject = ?"
                states = self._rows(f"SELECT state, count(*) {of_subject} GROUP BY state", number)
                [(best_mean, best_lowest)] = self._rows(
                    "SELECT max(mean), max(lowest) FROM results JOIN finds USING (task) WHERE subject = ?", number
                )
                figures = [json.loads(text) for (text,) in self._rows(f"SELECT figures {of_subject}", number)]
                counts = {TaskState(state): count for state, count in states}
                found.append(SubjectView(title, tasks, counts, best_mean, best_lowest, tuple(figures)))
            return tuple(found)

    def best(self, count: int) -> tuple[RankedFind, ...]:
        """Return the best finds, by lowest score, then mean; for designs, each layout of a subject once."""
        with self._guarded():
            rows = self._rows(
                "SELECT find, title, document, seed, min(place) FROM ("
                "SELECT *, row_number() OVER (ORDER BY lowest DESC, mean DESC, finds.words, task, number) AS place"
                " FROM finds JOIN tasks ON tasks.id = finds.task) AS ranked"
                " JOIN subjects ON subjects.id = ranked.subject"
                " GROUP BY subjects.id, CASE WHEN ? THEN layout ELSE find END"
                " ORDER BY min(place) LIMIT ?",
                self.kind is BatchKind.DESIGN,
                count,
            )
            found = [
                {"title": title, "document": document, "seed": seed, "find": json.loads(text)}
                for text, title, document, seed, _ in rows
            ]
            return tuple(msgspec.convert(one, RankedFind) for one in found)

    # SQLite

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """Return the rows; callers validate the values by using them."""
        rows: list[Any] = self._connection.execute(statement, values).fetchall()
        return rows

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    def _guarded(self) -> AbstractContextManager[None]:
        return _named_errors(self.path)


def _named(path: Path) -> str:
    return printable(str(path), 200)


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BatchError(BatchRefusal.NO_FILE, f"{_named(path)}: {reason_of(error)}") from error


def _check_head(path: Path) -> None:
    """Check a file's header before SQLite opens it; raises BatchError if it is not ours, or too new."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise BatchError(BatchRefusal.NO_FILE, f"{_named(path)}: {reason_of(error)}") from error
    application = int.from_bytes(head[_APPLICATION_AT : _APPLICATION_AT + 4], "big")
    if not head.startswith(_MAGIC) or application != APPLICATION:
        raise BatchError(
            BatchRefusal.FOREIGN_FILE,
            f"{_named(path)} is not an xwtui batch and was left alone; choose another name",
        )
    if int.from_bytes(head[_VERSION_AT : _VERSION_AT + 4], "big") > SCHEMA:
        raise BatchError(
            BatchRefusal.NEWER_FILE, f"{_named(path)} was written by a newer xwtui; this one cannot read it"
        )


def _locked(path: Path) -> FileLock:
    """Lock a batch for writing; raises BatchError if another process holds the lock."""
    if not path.parent.is_dir():
        raise BatchError(BatchRefusal.NO_FILE, f"{_named(path)}: there is no folder {_named(path.parent)}")
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BatchError(BatchRefusal.IN_USE, f"another xwtui is running the batch {_named(path)}") from None
    except OSError as error:
        raise BatchError(BatchRefusal.NO_FILE, f"cannot write {_named(path)}: {reason_of(error)}") from error
    return lock


def _prepare(connection: sqlite3.Connection, *, is_new: bool, is_written: bool) -> None:
    """Create the tables of a new file, with its marks before it has a log; check a file opened for writing."""
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
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise BatchError(
                BatchRefusal.FULL_DISK,
                f"no room is left for {_named(path)}; earlier results are kept, and `batch resume` continues",
            ) from error
        if code in _DAMAGES:
            raise _damaged(path, str(error)) from error
        raise BatchError(
            BatchRefusal.NO_FILE, f"cannot use the batch {_named(path)}: {printable(str(error), 200)}"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> BatchError:
    return BatchError(BatchRefusal.DAMAGED_FILE, f"the batch {_named(path)} is damaged: {printable(why, 200)}")
