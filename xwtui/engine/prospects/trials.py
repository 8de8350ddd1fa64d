"""One word in place: the problem that is left, how many fills it has, and a fill of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

from xwtui.engine.counting.estimator import Counter
from xwtui.engine.filler import Filler
from xwtui.engine.kernels.network import PLACES, SQUARE
from xwtui.engine.narrowing import narrow
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.model import Content, Position

_SECONDS_A_SLICE = 0.02


class Trial:
    """A row of a slot's table, placed; the problem's own root must be possible."""

    def __init__(self, problem: Problem, slot: int, row: int, *, seed: int) -> None:
        first = int(problem.network.slots[slot, PLACES])
        symbols = problem.tables[slot].symbols[row].tolist()
        squares = problem.network.places[first : first + len(symbols), SQUARE].tolist()
        self._problem = narrow(
            problem, {square: 1 << symbol for square, symbol in zip(squares, symbols, strict=True)}
        )
        self._filler: Filler | None = None
        self._seed = seed
        self.counter = Counter(self._problem, seed=seed)
        """Counts the fills that have it."""

    def prove(self, deadline: float, cancelled: Callable[[], bool]) -> Outcome:
        """Search for a fill until one is found, there is none, or time (of the clock) or caller end it."""
        if self._filler is None:
            self._filler = Filler(self._problem, seed=self._seed)
        while self._filler.outcome is Outcome.RUNNING:
            if cancelled() or perf_counter() >= deadline:
                return Outcome.UNKNOWN
            self._filler.advance(seconds=_SECONDS_A_SLICE)
        return self._filler.outcome

    @property
    def fill(self) -> Mapping[Position, Content]:
        """The fill that was found."""
        assert self._filler is not None
        return self._filler.fill()
