"""The race: every entrant on the same course, in turns, on so many cores, until all are over or it is stopped."""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait

from xwtui.racing.course import Course
from xwtui.racing.lane import NOBODY
from xwtui.racing.lanes import Lane
from xwtui.racing.order import RaceOrder
from xwtui.racing.standing import Standing
from xwtui.racing.state import State
from xwtui.racing.view import RaceView

_SECONDS_A_LOOK = 0.05
_TELL_SECONDS = 0.2
PATIENCE = 60.0
"""Seconds beyond its budget after which a run that does not come back from its turn is given up."""


def run_race(
    course: Course,
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
    race = _Race(course, order, patience)
    try:
        race.open_lanes()
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
    """The runs, those that wait, and the lanes."""

    def __init__(self, course: Course, order: RaceOrder, patience: float) -> None:
        self._course = pickle.dumps(course)
        self._order = order
        self._patience = order.seconds + patience
        self._begun = time.monotonic()
        self._starts = order.starts
        self._waiting = deque(range(len(self._starts)))
        self._at_start = RaceView.at_start(order, len(course.squares)).standings
        self._standings = list(self._at_start)
        self._lanes: list[Lane] = []

    @property
    def is_going(self) -> bool:
        """Whether any run is not over."""
        return bool(self._waiting) or any(lane.runs for lane in self._lanes)

    def open_lanes(self) -> None:
        """Start as many processes as there are cores for, and let the first runs begin."""
        for _ in range(min(self._order.cores, len(self._starts))):
            self._lanes.append(Lane(self._course, self._order.seconds))
        self._fill_lanes()

    def _fill_lanes(self) -> None:
        """Keep as many runs under way as there are entrants, the same number in each lane."""
        most = -(-len(self._order.entrants) // len(self._lanes))
        while self._waiting:
            lane = min(self._lanes, key=lambda lane: len(lane.runs))
            if len(lane.runs) >= most:
                return
            number = self._waiting.popleft()
            lane.start(number, self._starts[number])

    def look(self) -> None:
        """Wait a moment for what the lanes tell, and take it in."""
        ready = wait([lane.pipe for lane in self._lanes], _SECONDS_A_LOOK)
        for lane in list(self._lanes):
            if lane.pipe in ready:
                self._read(lane)
            elif self._is_hanging(lane):
                words = f"it did not come back from its turn for {lane.turn_seconds:.0f} s"
                lane.end()
                self._lose(lane, words)
        self._fill_lanes()

    def _is_hanging(self, lane: Lane) -> bool:
        """Whether a search does not come back; loading and preparing may take their time."""
        number = lane.has_turn
        is_searching = number != NOBODY and self._standings[number].state is State.RUNNING
        return is_searching and lane.turn_seconds > self._patience

    def _read(self, lane: Lane) -> None:
        try:
            while lane.pipe.poll():
                number, standing = lane.pipe.recv()
                self._standings[number] = standing
                if standing.state.is_over:
                    lane.runs.discard(number)
        except (EOFError, OSError):
            self._lose(lane, lane.bury())

    def _lose(self, lane: Lane, words: str) -> None:
        """Put another lane in the place of one that is gone; who had the turn is out, the others begin again."""
        culprit = lane.has_turn
        out = lane.runs & {culprit} if culprit != NOBODY else set(lane.runs)
        for number in out:
            self._standings[number] = replace(self._standings[number], state=State.CRASHED, reason=words)
        for number in sorted(lane.runs - out, reverse=True):
            self._standings[number] = self._at_start[number]
            self._waiting.appendleft(number)
        self._lanes[self._lanes.index(lane)] = Lane(self._course, self._order.seconds)

    def close(self) -> None:
        """End the lanes, and whatever is under way there."""
        for lane in self._lanes:
            lane.end()

    def view(self) -> RaceView:
        """The race as it stands."""
        seconds = time.monotonic() - self._begun
        return RaceView(self._order, refuted(tuple(self._standings)), seconds)


def refuted(standings: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The same with every proof that there is no fill taken for a foul, where another has found one."""
    finder = next((one.entrant for one in standings if one.state is State.FILLED), "")
    if not finder:
        return standings
    fault = f"it claims that there is no fill, and {finder} has found one"
    return tuple(
        replace(one, state=State.FOUL, reason=fault) if one.state is State.IMPOSSIBLE else one for one in standings
    )
