"""Distributes a benchmark's cases: in this process, over local processes, or over a Dask cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from xwtui.engine.warmup import warm_up

SCHEDULER_HELP = "a Dask scheduler whose workers do it; they need this checkout, too"

Case = TypeVar("Case")
Answer = TypeVar("Answer")


class Asking(Protocol):
    """A `map` that applies a function to each case and yields the answers in order."""

    def __call__(self, ask: Callable[[Case], Answer], cases: Iterable[Case], /) -> Iterator[Answer]:
        """Yield the answers as they arrive."""


@contextmanager
def sharing(scheduler: str, processes: int = 0) -> Iterator[Asking]:
    """Return a `map` over a Dask cluster, over `processes` processes, or in this process if both are empty."""
    if scheduler:
        from distributed import Client  # noqa: PLC0415  (an extra)

        with Client(scheduler, set_as_default=False) as client:
            yield _on(client.get_executor(pure=False))
    elif processes:
        with ProcessPoolExecutor(processes, get_context("spawn"), warm_up) as pool:
            yield _on(pool)
    else:
        warm_up()
        yield map


def _on(executor: Executor | Any) -> Asking:
    def ask_each(ask: Callable[[Case], Answer], cases: Iterable[Case], /) -> Iterator[Answer]:
        answers: Iterator[Answer] = executor.map(ask, list(cases))
        return answers

    return ask_each


def told(what: str, answers: Iterable[Answer]) -> Iterator[Answer]:
    """Yield the answers, with a progress count on stderr."""
    for number, answer in enumerate(answers, 1):
        print(f"\r{number} {what}", end="", file=sys.stderr)
        yield answer
    print(file=sys.stderr)
