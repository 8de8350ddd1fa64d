"""Small batches and pools for tests: one within this process, and one of plain processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Self

from xwtui.batch.packed_words import PackedWords, pack_words
from xwtui.batch.pool import Arrival
from xwtui.batch.store import BatchStore
from xwtui.batch.subjects import fill_problem_text, puzzle_text
from xwtui.batch.tasks import BatchKind, BatchTask, Subject, TaskSettings
from xwtui.batch.work import hold, run_task
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

WORDS = {"ABC": 50, "DEF": 60, "GHI": 70, "ADG": 80, "BEH": 40, "CFI": 30, "ABX": 20, "CAB": 10}
"""The only fills of a blank 3x3 with these are ABC/DEF/GHI and its transpose."""
BLANK = "...\n...\n..."
STUCK = "X..\n...\n..."
SETTINGS = TaskSettings(seconds=60)


def vocabulary_of(words: Mapping[str, int] = WORDS) -> Vocabulary:
    return Vocabulary(Lexicon.build([WordList.from_scores("test", words)]))


def packed(words: Mapping[str, int] = WORDS) -> PackedWords:
    return pack_words(vocabulary_of(words))


def subject_of(text: str = BLANK, words: Mapping[str, int] = WORDS, title: str = "blank") -> Subject:
    puzzle = puzzle_of_grid(grid_from_text(text))
    return Subject(title, fill_problem_text(puzzle), packed(words).digest, puzzle_text(puzzle))


def task_of(text: str = BLANK, seed: int = 0, kind: BatchKind = BatchKind.FILL) -> BatchTask:
    subject = subject_of(text)
    return BatchTask(kind, subject.asked, subject.vocabulary, seed, SETTINGS)


def begin(
    path: Path,
    *texts: str,
    seeds: Sequence[int] = (0,),
    kind: BatchKind = BatchKind.FILL,
    settings: Sequence[TaskSettings] = (SETTINGS,),
) -> BatchStore:
    """Create a batch file with tasks about grids."""
    store = BatchStore.begin(path, kind)
    store.add([packed()], [subject_of(text, title=f"grid {n}") for n, text in enumerate(texts)], seeds, settings)
    return store


class HerePool:
    """Runs each task when arrivals are requested; a test may change what arrives."""

    def __init__(self, change: Callable[[Arrival], Sequence[Arrival]] = lambda arrival: [arrival]) -> None:
        self.change = change
        self.done: list[str] = []
        self.is_stopped = False
        self._tasks: deque[tuple[str, bytes]] = deque()

    workers = 1
    is_connected = True

    def give_words(self, words: Sequence[PackedWords]) -> None:
        for packed in words:
            hold(packed)

    def submit(self, name: str, data: bytes) -> None:
        self._tasks.append((name, data))

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        if not self._tasks:
            return []
        name, data = self._tasks.popleft()
        self.done.append(name)
        return self.change(Arrival(name, run_task(data, lambda: self.is_stopped)))

    def stop(self) -> None:
        self.is_stopped = True


class ProcessPool:
    """Two processes of the standard library."""

    workers = 2
    is_connected = True

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._out: dict[Future[bytes], str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def give_words(self, words: Sequence[PackedWords]) -> None:
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), hold_all, (tuple(words),))

    def submit(self, name: str, data: bytes) -> None:
        assert self._pool is not None
        self._out[self._pool.submit(run_task, data)] = name

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        done, _ = wait(self._out, seconds, FIRST_COMPLETED)
        return [Arrival(self._out.pop(one), one.result()) for one in done]

    def stop(self) -> None:
        """Do nothing: tasks of tests are short."""


def hold_all(words: Sequence[PackedWords]) -> None:
    for packed in words:
        hold(packed)
