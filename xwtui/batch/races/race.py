"""The race: every entrant runs on the same task, in turns, in one worker process per core, until it is stopped."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from ctypes import Structure, c_double, c_long
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TypeAlias

from xwtui.batch.races.referee import fault_of, measure
from xwtui.batch.races.task import (
    RaceOrder,
    RaceStart,
    RaceTask,
    RaceView,
    RunState,
    RunStatus,
    load_engines,
    load_words,
)
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Content, Position
from xwtui.model.edits import write_fill
from xwtui.strategies.protocol import Strategy
from xwtui.text import printable

TERMINAL_SIGNALS = (signal.SIGINT, signal.SIGHUP) if hasattr(signal, "SIGHUP") else (signal.SIGINT,)
"""The signals that a terminal sends to every process attached to it."""

NOBODY = -1
"""In place of a run's number: no run has the turn."""

WorkerMessage: TypeAlias = tuple[int, RunStatus]
"""A worker's message: the number of a run, and its status."""

WORKER_NAME = "xwtui race"
"""The name of the worker processes."""
_EXIT_SECONDS = 5.0
"""How long a process may take to exit after it has closed its pipe."""
_PROCESSES = multiprocessing.get_context("spawn")


class CurrentTurn(Structure):
    """Which run has the turn in a worker, in shared memory; `since` is a time of `monotonic`."""

    _fields_ = (("run", c_long), ("since", c_double))


def run_worker(
    pipe: Connection[WorkerMessage, tuple[int, RaceStart]], seconds: float, current: CurrentTurn
) -> None:
    """Receive the task, then numbered starts, from the pipe; report their status until the pipe is closed."""
    for ignored in TERMINAL_SIGNALS:
        signal.signal(ignored, signal.SIG_IGN)
    gc.disable()
    turns = Turns(lambda number, status: pipe.send((number, status)))
    with contextlib.suppress(EOFError, OSError):
        task: RaceTask = pickle.loads(pipe.recv_bytes())
        load_words(task)
        while True:
            while turns.is_idle or pipe.poll():
                number, start = pipe.recv()
                turns.add(number, TaskRun(task, start, seconds))
            current.run, current.since = turns.next, time.monotonic()
            turns.turn()
            current.run = NOBODY


class RaceWorker:
    """A worker process, and the numbers of its runs in progress."""

    def __init__(self, task: bytes, seconds: float) -> None:
        """Start the process; each run may search for this many seconds there.

        `task` is pickled. It is sent through the pipe, because Python would wait forever for a process that exits
        before it has read large arguments.
        """
        self.runs: set[int] = set()
        self._turn = _PROCESSES.RawValue(CurrentTurn, NOBODY, 0.0)
        self.pipe: Connection[tuple[int, RaceStart], WorkerMessage]
        self.pipe, theirs = _PROCESSES.Pipe()
        arguments = (theirs, seconds, self._turn)
        self._process = _PROCESSES.Process(target=run_worker, args=arguments, name=WORKER_NAME, daemon=True)
        with contextlib.redirect_stderr(sys.__stderr__):  # a Textual screen's stderr is no file
            resource_tracker.ensure_running()  # now, because it unblocks Ctrl+C
            with ignoring_terminal_signals():
                self._process.start()
        theirs.close()
        with contextlib.suppress(OSError):  # a dead process is noticed when it is read
            self.pipe.send_bytes(task)

    def start(self, number: int, start: RaceStart) -> None:
        self.runs.add(number)
        with contextlib.suppress(OSError):  # as above
            self.pipe.send((number, start))

    @property
    def current_run(self) -> int:
        """The number of the run that has the turn, or had it when the process exited; else NOBODY."""
        return int(self._turn.run)

    @property
    def turn_seconds(self) -> float:
        """Duration of the current turn; 0 between turns."""
        return time.monotonic() - float(self._turn.since) if self.current_run != NOBODY else 0.0

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()

    def reap(self) -> str:
        """Clean up after a process that has exited; return how it did, in words."""
        self.pipe.close()
        self._process.join(_EXIT_SECONDS)
        status = self._process.exitcode
        if status is None:
            self.end()
            return "its process stopped responding"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process ended with status {status}"


@contextlib.contextmanager
def ignoring_terminal_signals() -> Iterator[None]:
    """Make processes started here ignore the signals that a terminal sends to all: the race handles them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TERMINAL_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_LONGEST_REASON = 300
_ENDS = {
    Outcome.IMPOSSIBLE: RunState.IMPOSSIBLE,
    Outcome.UNKNOWN: RunState.GAVE_UP,
}

SECONDS_PER_TURN = 0.02
_REPORT_SECONDS = 0.25
"""How often a running run is reported."""
Report = Callable[[int, RunStatus], object]
"""Receives the number of a run and its status."""


class TaskRun:
    """Prepares the grid in its first turn and searches in the following ones.

    Failures become reasons, not exceptions. Its clock is the processor time of its thread, so that other work does
    not count, plus the time used by threads of the strategy itself. Preparation counts too, because some
    strategies build their indexes then and others as they search.
    """

    def __init__(self, task: RaceTask, start: RaceStart, seconds: float) -> None:
        """`seconds` is the total search limit."""
        self._task = task
        self._start = start
        self._limit = seconds
        self._strategy: Strategy | None = None
        self._prepared = self._searched = 0.0
        self._status = RunStatus(str(start.entrant), start.seed, all_squares=len(task.squares))
        self.state = RunState.WAITING

    def turn(self, seconds: float) -> None:
        """Prepare the grid, or else search for at most this many seconds."""
        try:
            if self._strategy is None:
                self._prepare()
            else:
                self._search(self._strategy, seconds)
        except EngineError as error:
            is_new = self._strategy is None or not self._strategy.counters.nodes
            self._end(RunState.REFUSED if is_new else RunState.CRASHED, str(error))
        except Exception as error:
            self._end(RunState.CRASHED, f"{type(error).__name__}: {error}")

    def _prepare(self) -> None:
        self.state = RunState.PREPARING
        load_engines(self._task, [self._start.entrant])
        begin = time.thread_time()
        strategy = self._start.entrant.make(self._task.engine_task, self._start.seed)
        strategy.counters  # noqa: B018  the engine builds its problem on first access
        self._prepared = self._searched = time.thread_time() - begin
        self._strategy = strategy
        self.state = RunState.RUNNING if self._searched <= self._limit else RunState.OUT_OF_TIME

    def _search(self, strategy: Strategy, seconds: float) -> None:
        begin = time.thread_time() + strategy.thread_seconds
        strategy.advance(Budget(min(seconds, self._limit - self._searched)))
        outcome = strategy.outcome
        self._searched += time.thread_time() + strategy.thread_seconds - begin
        is_late = self._searched > self._limit
        if is_late and not strategy.incumbent:
            self._end(RunState.OUT_OF_TIME)
        elif is_late or (outcome is Outcome.FILLED and strategy.has_ended):
            self._judge(strategy.incumbent or strategy.squares)
        elif strategy.is_over:
            self._end(_ENDS[outcome], strategy.reason)

    def _judge(self, squares: Mapping[Position, Content]) -> None:
        fill = {at: content for at, content in squares.items() if at in self._task.squares}
        fault = fault_of(self._task, fill)
        if not fault:
            filled = write_fill(self._task.puzzle, fill)
            self._status = replace(self._status, grid=tuple(grid_to_text(filled.grid).splitlines()))
        self._end(RunState.FOUL if fault else RunState.FILLED, fault)

    def _end(self, state: RunState, reason: str = "") -> None:
        self.state = state
        if self._strategy is not None:
            self._strategy.close()
        self._status = replace(self._status, reason=printable(reason, _LONGEST_REASON))

    def status(self) -> RunStatus:
        strategy = self._strategy
        if strategy is not None:
            try:
                self._measure(strategy)
            except Exception as error:
                self._strategy = None
                self._end(RunState.CRASHED, f"{type(error).__name__}: {error}")
        return replace(
            self._status,
            state=self.state,
            prepare_seconds=self._prepared,
            search_seconds=self._searched,
        )

    def _measure(self, strategy: Strategy) -> None:
        counters, found = strategy.counters, measure(self._task, strategy.incumbent or strategy.squares)
        self._status = replace(
            self._status,
            nodes=counters.nodes,
            backtracks=counters.backtracks,
            restarts=counters.restarts,
            depth=strategy.depth,
            squares=found.squares,
            mean_score=found.mean_score,
            lowest_score=found.lowest_score,
        )


class Turns:
    """The runs in progress; each call of `turn` gives the next one its slice.

    Python's cyclic garbage collector would scan the objects of all runs during whichever turn it starts in.
    Workers disable it, and it runs here instead, between turns, when a run is over.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._runs: deque[tuple[int, TaskRun]] = deque()
        self._reported: dict[int, float] = {}

    @property
    def is_idle(self) -> bool:
        return not self._runs

    @property
    def next(self) -> int:
        return self._runs[0][0]

    def add(self, number: int, run: TaskRun) -> None:
        self._runs.append((number, run))

    def turn(self, seconds: float = SECONDS_PER_TURN) -> None:
        """Give the next run its turn, and report its status at its start and end and regularly in between."""
        number, run = self._runs.popleft()
        if run.state is RunState.WAITING:
            self._report(number, replace(run.status(), state=RunState.PREPARING))
        run.turn(seconds)
        now = time.perf_counter()
        if run.state.is_over or now - self._reported.get(number, 0.0) >= _REPORT_SECONDS:
            self._report(number, run.status())
            self._reported[number] = now
        if run.state.is_over:
            gc.collect()
        else:
            self._runs.append((number, run))


_SECONDS_PER_POLL = 0.05
_PROGRESS_SECONDS = 0.2
PATIENCE = 60.0
"""A run that does not return from its turn is given up this many seconds after its budget."""


def run_race(
    task: RaceTask,
    order: RaceOrder,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[RaceView], object] = lambda _: None,
    patience: float = PATIENCE,
) -> RaceView:
    """Race to the end, or until `cancelled`, which is polled 20 times a second, returns True.

    `progress` gets the current race five times a second. An entrant that fails ends with a state and a reason, and
    the others go on. The processes import the main module, which therefore needs an `if __name__ == "__main__"`
    guard.
    """
    race = _Race(task, order, patience)
    try:
        race.start_workers()
        due = 0.0
        while race.is_going and not cancelled():
            race.poll()
            if time.monotonic() >= due:
                progress(race.view())
                due = time.monotonic() + _PROGRESS_SECONDS
    finally:
        race.close()
    view = race.view().stopped()
    progress(view)
    return view


class _Race:
    def __init__(self, task: RaceTask, order: RaceOrder, patience: float) -> None:
        self._task = pickle.dumps(task)
        self._order = order
        self._patience = order.seconds + patience
        self._begun = time.monotonic()
        self._starts = order.starts
        self._waiting = deque(range(len(self._starts)))
        self._at_start = RaceView.at_start(order, len(task.squares)).statuses
        self._statuses = list(self._at_start)
        self._workers: list[RaceWorker] = []

    @property
    def is_going(self) -> bool:
        return bool(self._waiting) or any(worker.runs for worker in self._workers)

    def start_workers(self) -> None:
        """Start one process per core, at most one per run, and let the first runs begin."""
        for _ in range(min(self._order.cores, len(self._starts))):
            self._workers.append(RaceWorker(self._task, self._order.seconds))
        self._fill_workers()

    def _fill_workers(self) -> None:
        """Keep as many runs in progress as there are entrants, evenly spread over the workers."""
        most = -(-len(self._order.entrants) // len(self._workers))
        while self._waiting:
            worker = min(self._workers, key=lambda worker: len(worker.runs))
            if len(worker.runs) >= most:
                return
            number = self._waiting.popleft()
            worker.start(number, self._starts[number])

    def poll(self) -> None:
        """Wait briefly for messages from the workers, and process them."""
        ready = wait([worker.pipe for worker in self._workers], _SECONDS_PER_POLL)
        for worker in list(self._workers):
            turn = worker.current_run
            if worker.pipe in ready:
                try:
                    while worker.pipe.poll():
                        number, status = worker.pipe.recv()
                        self._statuses[number] = status
                        if status.state.is_over:
                            worker.runs.discard(number)
                except (EOFError, OSError):
                    self._replace(worker, worker.reap())
            elif (
                turn != NOBODY
                and self._statuses[turn].state is RunState.RUNNING  # loading and preparing may take longer
                and worker.turn_seconds > self._patience
            ):
                reason = f"it did not respond for {worker.turn_seconds:.0f} s"
                worker.end()
                self._replace(worker, reason)
        self._fill_workers()

    def _replace(self, worker: RaceWorker, reason: str) -> None:
        """Replace a lost worker; the run that had the turn has crashed, and its other runs start over."""
        culprit = worker.current_run
        crashed = worker.runs & {culprit} if culprit != NOBODY else set(worker.runs)
        for number in crashed:
            self._statuses[number] = replace(self._statuses[number], state=RunState.CRASHED, reason=reason)
        for number in sorted(worker.runs - crashed, reverse=True):
            self._statuses[number] = self._at_start[number]
            self._waiting.appendleft(number)
        self._workers[self._workers.index(worker)] = RaceWorker(self._task, self._order.seconds)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()

    def view(self) -> RaceView:
        seconds = time.monotonic() - self._begun
        return RaceView(self._order, refuted(tuple(self._statuses)), seconds)


def refuted(statuses: tuple[RunStatus, ...]) -> tuple[RunStatus, ...]:
    """Mark each claimed proof that there is no fill as a foul if another entrant found one."""
    finder = next((one.entrant for one in statuses if one.state is RunState.FILLED), "")
    if not finder:
        return statuses
    fault = f"it claims that there is no fill, but {finder} found one"
    return tuple(
        replace(one, state=RunState.FOUL, reason=fault) if one.state is RunState.IMPOSSIBLE else one
        for one in statuses
    )
