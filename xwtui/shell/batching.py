"""A batch from start to end as a process: its inputs, its workers, what comes told as it comes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from xwtui import __version__
from xwtui.batch import dask_pool
from xwtui.batch.pool import LeftOut
from xwtui.batch.results import TaskResult, TaskState
from xwtui.batch.run import run_batch
from xwtui.batch.store import BatchStore
from xwtui.batch.tasks import BatchKind, BatchTask
from xwtui.batch.views import BatchProgress, Phase
from xwtui.interrupts import Exit, interrupt_flag, stopped_by
from xwtui.printing import StatusLine, warn
from xwtui.shell.batch_inputs import read_inputs
from xwtui.shell.batch_reports import (
    find_as_json,
    progress_as_json,
    progress_words,
    status_of,
    view_as_json,
    view_words,
)
from xwtui.shell.root import SCHEMA


def begin_batch(kind: BatchKind, options: Mapping[str, Any]) -> Exit:
    """Add tasks to a batch, a new one where there is none, and do what waits in it. Raises XwtuiError."""
    dask_pool.check_dask()
    with StatusLine(sys.stderr) as status:
        status.show("reading the inputs and the words")
        inputs = read_inputs(kind, options)
    seeds = range(options["seed"], options["seed"] + options["seeds"])
    with BatchStore.begin(options["file"], kind) as store:
        store.add(inputs.words, inputs.subjects, seeds, inputs.settings)
        return _run(store, options)


def resume_batch(options: Mapping[str, Any]) -> Exit:
    """Do what waits in a batch, and what has crashed. Raises XwtuiError."""
    dask_pool.check_dask()
    with BatchStore.open(options["file"], is_written=True) as store:
        store.forget([TaskState.CRASHED])
        return _run(store, options)


def _run(store: BatchStore, options: Mapping[str, Any]) -> Exit:
    """Do what waits, told as the options want it; a signal stops it with what there is."""
    teller = _Teller(store, as_lines=options["as_json"], as_objects=options["progress_form"] == "json")
    view = store.view()
    is_stopped = False
    if not view.is_over:
        with interrupt_flag() as is_cancelled, teller.line:
            teller.tell(BatchProgress(Phase.STARTING, view))
            with dask_pool.DaskPool(
                store.kind, workers=options["workers"], address=options["scheduler"], left_out=teller.leave_out
            ) as pool:
                end = run_batch(store, pool, cancelled=is_cancelled, told=teller.tell, kept=teller.keep)
            view, is_stopped = end.view, is_cancelled()
            if end.gave_up:
                warn(f"{end.gave_up:,} tasks lost their worker again and again; `batch resume` tries them again")
    if options["as_json"]:
        status = "cancelled" if is_stopped else "done" if view.is_over else "unfinished"
        print(json.dumps({"schema": SCHEMA, "status": status, **view_as_json(view)}, ensure_ascii=False))
    else:
        print(view_words(view))
    if is_stopped:
        warn(f"stopped by {stopped_by()}: `xwtui batch resume {store.path}` goes on")
        return Exit.INTERRUPTED
    return status_of(view)


class _Teller:
    """Tells on stderr how far it is, and on stdout, if that is wanted, each result as it comes."""

    def __init__(self, store: BatchStore, *, as_lines: bool, as_objects: bool) -> None:
        self.line = StatusLine(sys.stderr)
        self._phase = Phase.STARTING
        self._store = store
        self._as_lines = as_lines
        self._as_objects = as_objects

    def leave_out(self, worker: LeftOut) -> None:
        """Name a worker that is given no tasks."""
        self._warn(f"the worker {worker.words}, and xwtui is {__version__} here: it is given no tasks")

    def _warn(self, message: str) -> None:
        self.line.clear()
        warn(message)

    def tell(self, progress: BatchProgress) -> None:
        """Tell how far it is, and once that the scheduler is gone."""
        if progress.phase is Phase.RECONNECTING is not self._phase:
            self._warn(
                f"the scheduler is gone; it is waited for {dask_pool.PATIENCE_SECONDS / 60:.0f} minutes, and "
                f"`xwtui batch resume {self._store.path}` goes on with what is left at any time"
            )
        self._phase = progress.phase
        if self._as_objects:
            print(json.dumps({"schema": SCHEMA, **progress_as_json(progress)}), file=sys.stderr, flush=True)
        else:
            self.line.show(progress_words(progress))

    def keep(self, task: BatchTask, result: TaskResult) -> None:
        """Tell of a result."""
        if self._as_lines:
            print(json.dumps(self._as_json(task, result), ensure_ascii=False), flush=True)

    def _as_json(self, task: BatchTask, result: TaskResult) -> Mapping[str, Any]:
        return {
            "schema": SCHEMA,
            "task": result.name,
            "input": self._store.title_of(task),
            "seed": task.seed,
            **({"strategy": task.settings.entrant} if task.settings.entrant else {}),
            "state": result.state.value,
            "reason": result.reason,
            "seconds": round(result.seconds, 6),
            "figures": dict(result.figures),
            "finds": list(map(find_as_json, result.finds)),
        }
