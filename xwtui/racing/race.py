"""The race: every entrant on the same task, in turns, on so many cores, until all are over or it is stopped."""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait

from xwtui.racing.task import RaceOrder, RaceTask, RaceView, RunState, Standing
from xwtui.racing.worker import NOBODY, RaceWorker

_SECONDS_A_LOOK = 0.05
_TELL_SECONDS = 0.2
PATIENCE = 60.0
"""Seconds beyond its budget after which a run that does not come back from its turn is given up."""


def run_race(
    task: RaceTask,
    order: RaceOrder,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    told: Callable[[RaceView], object] = lambda _: None,
    patience: float = PATIENCE,
) -> RaceView:
    """Race to the end, or until `cancelled` says so, which it is asked 20 times a second.

    `told` gets the race as it stands five times a second. An entrant that fails ends with a state
    and a reason, and the others go on. The processes import the main module, which therefore
    needs its `if __name__ == "__main__"`.
    """
    race = _Race(task, order, patience)
    try:
        race.open_workers()
        due = 0.0
        while race.is_going and not cancelled():
            race.look()
            if time.monotonic() >= due:
                told(race.view())
                due = time.monotonic() + _TELL_SECONDS
    finally:
        race.close()
    view = race.view().stopped()
    told(view)
    return view


class _Race:
    """The runs, those that wait, and the workers."""

    def __init__(self, task: RaceTask, order: RaceOrder, patience: float) -> None:
        self._task = pickle.dumps(task)
        self._order = order
        self._patience = order.seconds + patience
        self._begun = time.monotonic()
        self._starts = order.starts
        self._waiting = deque(range(len(self._starts)))
        self._at_start = RaceView.at_start(order, len(task.squares)).standings
        self._standings = list(self._at_start)
        self._workers: list[RaceWorker] = []

    @property
    def is_going(self) -> bool:
        return bool(self._waiting) or any(worker.runs for worker in self._workers)

    def open_workers(self) -> None:
        """RaceStart as many processes as there are cores for, and let the first runs begin."""
        for _ in range(min(self._order.cores, len(self._starts))):
            self._workers.append(RaceWorker(self._task, self._order.seconds))
        self._fill_workers()

    def _fill_workers(self) -> None:
        """Keep as many runs under way as there are entrants, the same number in each worker."""
        most = -(-len(self._order.entrants) // len(self._workers))
        while self._waiting:
            worker = min(self._workers, key=lambda worker: len(worker.runs))
            if len(worker.runs) >= most:
                return
            number = self._waiting.popleft()
            worker.start(number, self._starts[number])

    def look(self) -> None:
        """Wait a moment for what the workers tell, and take it in."""
        ready = wait([worker.pipe for worker in self._workers], _SECONDS_A_LOOK)
        for worker in list(self._workers):
            if worker.pipe in ready:
                self._read(worker)
            elif self._is_hanging(worker):
                words = f"it did not respond for {worker.turn_seconds:.0f} s"
                worker.end()
                self._lose(worker, words)
        self._fill_workers()

    def _is_hanging(self, worker: RaceWorker) -> bool:
        """Whether a search does not come back; loading and preparing may take their time."""
        number = worker.has_turn
        is_searching = number != NOBODY and self._standings[number].state is RunState.RUNNING
        return is_searching and worker.turn_seconds > self._patience

    def _read(self, worker: RaceWorker) -> None:
        try:
            while worker.pipe.poll():
                number, standing = worker.pipe.recv()
                self._standings[number] = standing
                if standing.state.is_over:
                    worker.runs.discard(number)
        except (EOFError, OSError):
            self._lose(worker, worker.bury())

    def _lose(self, worker: RaceWorker, words: str) -> None:
        """Put another worker in the place of one that is gone; who had the turn is out, the others begin again."""
        culprit = worker.has_turn
        out = worker.runs & {culprit} if culprit != NOBODY else set(worker.runs)
        for number in out:
            self._standings[number] = replace(self._standings[number], state=RunState.CRASHED, reason=words)
        for number in sorted(worker.runs - out, reverse=True):
            self._standings[number] = self._at_start[number]
            self._waiting.appendleft(number)
        self._workers[self._workers.index(worker)] = RaceWorker(self._task, self._order.seconds)

    def close(self) -> None:
        """End the workers, and whatever is under way there."""
        for worker in self._workers:
            worker.end()

    def view(self) -> RaceView:
        seconds = time.monotonic() - self._begun
        return RaceView(self._order, refuted(tuple(self._standings)), seconds)


def refuted(standings: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The same with every proof that there is no fill taken for a foul, where another has found one."""
    finder = next((one.entrant for one in standings if one.state is RunState.FILLED), "")
    if not finder:
        return standings
    fault = f"it claims that there is no fill, but {finder} found one"
    return tuple(
        replace(one, state=RunState.FOUL, reason=fault) if one.state is RunState.IMPOSSIBLE else one
        for one in standings
    )
