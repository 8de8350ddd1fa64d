"""The file of a batch: its tasks, the words that they need, each result once, and how it stands.

Whatever is killed, it holds each result whole or not at all. It holds no pickles, so that one from elsewhere can
be opened.
"""

from __future__ import annotations

import enum
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from xwtui.batch.database import Opened, has_content, named, named_errors
from xwtui.batch.packed_words import PackedWords, lists_named
from xwtui.batch.tasks import BatchKind, BatchTask, Find, Subject, TaskResult, TaskSettings, TaskState, canonical
from xwtui.dataclasses import asdict, dataclass, field
from xwtui.errors import BatchError, BatchRefusal


@dataclass(frozen=True)
class BatchView:
    """How many tasks there are, and how those ended that are over."""

    kind: BatchKind
    tasks: int
    subjects: int
    states: Mapping[TaskState, int]
    finds: int = 0
    """Fills or designs."""
    layouts: int = 0
    """How many of them differ in their blocks."""
    seconds: float = 0.0
    """What the work took, added up over all processes."""

    @property
    def done(self) -> int:
        return sum(self.states.values())

    @property
    def is_over(self) -> bool:
        return self.done >= self.tasks


@dataclass(frozen=True)
class SubjectView:
    """How the tasks about one subject stand."""

    title: str
    tasks: int
    states: Mapping[TaskState, int]
    best_mean: float | None
    best_lowest: int | None
    figures: tuple[Mapping[str, Any], ...] = ()
    """Those of each of its results."""

    @property
    def done(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True)
class RankedFind:
    """A find with what it is of."""

    title: str
    document: str = field(repr=False)
    """The whole puzzle that it fills, as ipuz; empty for a design."""
    seed: int
    find: Find

    @classmethod
    def read(cls, title: object, document: object, seed: object, text: object) -> Self:
        """The find from the columns of its row; raises ValueError, KeyError or TypeError for a damaged one."""
        if not (isinstance(title, str) and isinstance(document, str) and isinstance(seed, int)):
            raise TypeError("a column holds another kind of value")
        values = json.loads(str(text))
        return cls(title, document, seed, Find.of(values))


class Phase(enum.Enum):
    """What a batch is at; the value says it in a word or two."""

    STARTING = "starting workers"
    SENDING = "sending words, loading the engine"
    RUNNING = "running"
    RECONNECTING = "waiting for the scheduler"
    STOPPING = "stopping"


@dataclass(frozen=True)
class BatchProgress:
    """A batch that runs."""

    phase: Phase
    view: BatchView
    new: int = 0
    """Results that came since it was begun."""
    running: int = 0
    """Tasks that are handed out."""
    workers: int = 0
    seconds: float = 0.0
    """Since the first task was handed out."""
    bytes_sent: int = 0
    bytes_received: int = 0
    """Of tasks and results; words are sent once and not counted here."""
    lost: int = 0
    """How often a task lost its worker."""
    gave_up: int = 0
    """Tasks that lost it so often that they are left for another run."""

    @property
    def rate(self) -> float:
        """Results a second."""
        return self.new / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at this rate; None while there is none."""
        return (self.view.tasks - self.view.done) / self.rate if self.rate > 0 else None


REFUTED = "another task found what this one claims does not exist"
_ISLANDS = "breed"
"""The kind of batches that earlier versions made."""


class BatchStore:
    """An open batch. All is done in the thread that opened it."""

    def __init__(self, path: Path, opened: Opened) -> None:
        """Take what `begin` and `open` have opened."""
        self.path = path
        self._opened = opened
        self._connection = opened.connection

    @classmethod
    def begin(cls, path: Path, kind: BatchKind) -> Self:
        """Open a batch to add tasks to it and to run it; a new one where there is no file.

        Raises BatchError where the file is another one, damaged, in use, of another kind, or has tasks
        waiting that an earlier xwtui made.
        """
        store = cls(path, Opened(path, is_new=not has_content(path), is_written=True))
        try:
            store._check_kind(kind)
            store.waiting(1)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, path: Path, *, is_written: bool = False) -> Self:
        """Open a batch that is there, to look at it or to go on with it; raises BatchError as `begin` does."""
        if not has_content(path):
            raise BatchError(BatchRefusal.NO_FILE, f"there is no batch {named(path)}")
        return cls(path, Opened(path, is_new=False, is_written=is_written))

    def close(self) -> None:
        """Close the file, and let others write to it."""
        self._opened.close()

    def _check_kind(self, kind: BatchKind) -> None:
        """Make a new batch one of a kind; raises BatchError where it is one of another."""
        with self._guarded():
            if not self._rows("SELECT 1 FROM about"):
                self._connection.execute("INSERT INTO about VALUES ('kind', ?)", (kind.value,))
        if self.kind is not kind:
            told = f"{named(self.path)} is a batch of `{self.kind.value}`, not of `{kind.value}`"
            raise BatchError(BatchRefusal.OTHER_KIND, told)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What is to be done

    @property
    def kind(self) -> BatchKind:
        with self._guarded():
            [(kind,)] = self._rows("SELECT value FROM about WHERE name = 'kind'")
            if kind == _ISLANDS:
                raise BatchError(
                    BatchRefusal.OTHER_KIND,
                    f"{named(self.path)} holds layouts from island breeding, which batches no longer do; "
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
        """Add a task for each subject, seed and settings, all or none; returns how many of them are new.

        Tasks are done in that order, seed after seed, so that what is known early is about all subjects.
        """
        kind, before = self.kind, self._connection.total_changes
        with self._guarded(), self._transaction():
            for packed in words:
                self._add_words(packed)
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

    def _add_words(self, packed: PackedWords) -> None:
        lists = "INSERT INTO word_lists VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._connection.executemany(lists, packed.lists.items())
        recipe = "INSERT INTO vocabularies VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._connection.execute(recipe, (packed.digest, packed.recipe))

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
        """The tasks that have no result yet, in their order: all, or so many.

        Raises BatchError where an earlier xwtui made one of them.
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
                        f"{named(self.path)} has waiting tasks from an earlier xwtui, which this one does "
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
        """Vocabularies by their digests, with their lists."""
        return tuple(map(self._words, sorted(set(digests))))

    def _words(self, digest: str) -> PackedWords:
        with self._guarded():
            [(recipe,)] = self._rows("SELECT recipe FROM vocabularies WHERE digest = ?", digest)
            lists = {}
            for fingerprint in sorted(lists_named(recipe)):
                [(data,)] = self._rows("SELECT data FROM word_lists WHERE fingerprint = ?", fingerprint)
                lists[fingerprint] = bytes(data)
            return PackedWords(recipe, lists)

    # What has come

    def keep(self, results: Sequence[TaskResult]) -> tuple[TaskResult, ...]:
        """Keep results, in one transaction; returns those that are new: a task counts once.

        A proof that there is nothing becomes foul where another task of the same subject has found something.
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
        if result.finds or result.state is TaskState.IMPOSSIBLE:
            self._refute(subject, repeats)
        return True

    def _refute(self, subject: int, repeats: int) -> None:
        """Call proofs about a subject foul, if anything was found for it."""
        of_subject = "WHERE subject = ? AND repeats = ? AND state = ?"
        found = f"SELECT 1 FROM results JOIN finds USING (task) {of_subject} LIMIT 1"
        if self._rows(found, subject, repeats, TaskState.FOUND.value):
            self._connection.execute(
                f"UPDATE results SET state = ?, reason = ? {of_subject}",
                (TaskState.FOUL.value, REFUTED, subject, repeats, TaskState.IMPOSSIBLE.value),
            )

    def forget(self, states: Iterable[TaskState]) -> None:
        """Let tasks that ended in some states be done again.

        Raises BatchError where an earlier xwtui made one of them; then nothing is forgotten.
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
        """How each subject stands, in the order in which they came."""
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
        """The best finds: by lowest score, then by mean; of a subject's designs each layout once."""
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
            return tuple(RankedFind.read(title, document, seed, text) for text, title, document, seed, _ in rows)

    # How SQLite is used

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """The rows that SQLite has; who reads them checks what they hold by using it."""
        rows: list[Any] = self._connection.execute(statement, values).fetchall()
        return rows

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All changes within are made, or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    def _guarded(self) -> AbstractContextManager[None]:
        return named_errors(self.path)
