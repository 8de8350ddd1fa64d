"""What runs in Dask's worker processes: they get words once, and then do tasks."""

from __future__ import annotations

import asyncio
from typing import Any

from distributed import WorkerPlugin

from xwtui import __version__
from xwtui.batch.packed_words import PackedWords
from xwtui.batch.tasks import BatchKind
from xwtui.batch.work import hold, release, run_task
from xwtui.errors import BatchError, BatchRefusal
from xwtui.lazy import lazy_imports

with lazy_imports():
    from xwtui.engine.warmup import warm_up

_stopped: set[str] = set()


class WordsPlugin(WorkerPlugin):
    """Gives words to a worker before its first task, and has it load the engine; of each digest there is one."""

    idempotent = True

    def __init__(self, words: PackedWords, kind: BatchKind) -> None:
        self.name = f"xwtui-{words.digest}-{kind.value}"
        self._words = words
        self._kind = kind
        self._version = __version__

    async def setup(self, worker: Any) -> None:
        """Make the worker ready; raises BatchError and WordListError where it cannot be."""
        if __version__ != self._version:
            told = f"a worker has xwtui {__version__}, but the batch needs {self._version}"
            raise BatchError(BatchRefusal.OTHER_VERSION, told)
        await make_ready(self._words, self._kind)

    def teardown(self, worker: Any) -> None:
        release(self._words.digest)


async def make_ready(words: PackedWords, kind: BatchKind) -> None:
    """Hold words and load the engine in this process, beside its own loop. Raises WordListError."""

    def load() -> None:
        hold(words)
        draws = kind is BatchKind.DESIGN
        counting, improving = draws or kind is BatchKind.COUNT, draws or kind is BatchKind.IMPROVE
        warm_up(counting=counting, improving=improving, drawing=draws)

    await asyncio.to_thread(load)


def run_in_worker(data: bytes, run: str) -> bytes:
    """Do a task of a run; it ends soon after `stop_run`. Raises WordsMissingError."""
    return run_task(data, lambda: run in _stopped)


def stop_run(run: str) -> None:
    """Let the tasks of a run end soon in this process."""
    _stopped.add(run)
