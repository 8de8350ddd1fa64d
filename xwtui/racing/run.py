"""One run: an entrant with a seed on the course, given one turn after the other."""

from __future__ import annotations

import time
from dataclasses import replace

from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_to_text
from xwtui.model.edits import write_fill
from xwtui.racing.course import Course
from xwtui.racing.loading import load_engines
from xwtui.racing.measure import measure
from xwtui.racing.order import Start
from xwtui.racing.referee import foul
from xwtui.racing.standing import Standing
from xwtui.racing.state import State
from xwtui.strategies.protocol import Strategy
from xwtui.text import printable

_LONGEST_REASON = 300
_ENDS = {
    Outcome.IMPOSSIBLE: State.IMPOSSIBLE,
    Outcome.UNKNOWN: State.GAVE_UP,
}


class Run:
    """Lays the grid out at its first turn, and searches in those that follow; it ends with a reason, never raises.

    Its clock is the processor time of its thread, so that whatever else goes on costs it nothing. It
    runs while the grid is laid out, too: some strategies build their indexes there, others as they search.
    """

    def __init__(self, course: Course, start: Start, seconds: float) -> None:
        """`seconds` is all that it may search."""
        self._course = course
        self._start = start
        self._limit = seconds
        self._strategy: Strategy | None = None
        self._prepared = self._searched = 0.0
        self._standing = Standing(str(start.entrant), start.seed, all_squares=len(course.squares))
        self.state = State.WAITING

    def turn(self, seconds: float) -> None:
        """Lay the grid out, or else search for so many seconds at most."""
        try:
            if self._strategy is None:
                self._prepare()
            else:
                self._search(self._strategy, seconds)
        except EngineError as error:
            is_new = self._strategy is None or not self._strategy.counters.nodes
            self._end(State.REFUSED if is_new else State.CRASHED, str(error))
        except Exception as error:
            self._end(State.CRASHED, f"{type(error).__name__}: {error}")

    def _prepare(self) -> None:
        self.state = State.PREPARING
        load_engines(self._course, [self._start.entrant])
        begin = time.thread_time()
        strategy = self._start.entrant.make(self._course.task, self._start.seed)
        strategy.counters  # noqa: B018  (the engine lays its problem out when it is first looked at)
        self._prepared = self._searched = time.thread_time() - begin
        self._strategy = strategy
        self.state = State.RUNNING if self._searched <= self._limit else State.OUT_OF_TIME

    def _search(self, strategy: Strategy, seconds: float) -> None:
        begin = time.thread_time()
        outcome = strategy.advance(min(seconds, self._limit - self._searched))
        self._searched += time.thread_time() - begin
        if self._searched > self._limit:
            self._end(State.OUT_OF_TIME)
        elif outcome is Outcome.FILLED:
            self._judge(strategy)
        elif strategy.is_over:
            self._end(_ENDS[outcome], strategy.reason)

    def _judge(self, strategy: Strategy) -> None:
        fill = {at: content for at, content in strategy.squares.items() if at in self._course.squares}
        fault = foul(self._course, fill)
        if not fault:
            filled = write_fill(self._course.puzzle, fill)
            self._standing = replace(self._standing, grid=tuple(grid_to_text(filled.grid).splitlines()))
        self._end(State.FOUL if fault else State.FILLED, fault)

    def _end(self, state: State, reason: str = "") -> None:
        self.state = state
        self._standing = replace(self._standing, reason=printable(reason, _LONGEST_REASON))

    def standing(self) -> Standing:
        """How it stands."""
        strategy = self._strategy
        if strategy is not None:
            try:
                self._look(strategy)
            except Exception as error:
                self._strategy = None
                self._end(State.CRASHED, f"{type(error).__name__}: {error}")
        return replace(
            self._standing,
            state=self.state,
            prepare_seconds=self._prepared,
            search_seconds=self._searched,
        )

    def _look(self, strategy: Strategy) -> None:
        """Read the figures of the strategy off."""
        counters, found = strategy.counters, measure(self._course, strategy.squares)
        self._standing = replace(
            self._standing,
            nodes=counters.nodes,
            backtracks=counters.backtracks,
            restarts=counters.restarts,
            depth=strategy.depth,
            squares=found.squares,
            mean_score=found.mean_score,
            lowest_score=found.lowest_score,
        )
