"""Code that runs in Dask's worker processes: they receive words once, then run tasks."""

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
    """Gives a worker its words before its first task and loads the engine; one per words digest and kind."""

    idempotent = True

    def __init__(self, words: PackedWords, kind: BatchKind) -> None:
        self.name = f"xwtui-{words.digest}-{kind.value}"
        self._words = words
        self._kind = kind
        self._version = __version__

    async def setup(self, worker: Any) -> None:
        """Prepare the worker; raises BatchError and WordListError if it cannot be used."""
        if __version__ != self._version:
            message = f"a worker has xwtui {__version__}, but the batch needs {self._version}"
            raise BatchError(BatchRefusal.OTHER_VERSION, message)
        await make_ready(self._words, self._kind)

    def teardown(self, worker: Any) -> None:
        release(self._words.digest)


async def make_ready(words: PackedWords, kind: BatchKind) -> None:
    """Hold words and load the engine in this process, off its event loop; raises WordListError."""

    def load() -> None:
        hold(words)
        draws = kind is BatchKind.DESIGN
        counting, improving = draws or kind is BatchKind.COUNT, draws or kind is BatchKind.IMPROVE
        warm_up(counting=counting, improving=improving, drawing=draws)

    await asyncio.to_thread(load)


def run_in_worker(data: bytes, run: str) -> bytes:
    """Run a task; it ends soon after `stop_run`. Raises WordsMissingError."""
    return run_task(data, lambda: run in _stopped)


def stop_run(run: str) -> None:
    """Make the tasks of a run end soon in this process."""
    _stopped.add(run)
