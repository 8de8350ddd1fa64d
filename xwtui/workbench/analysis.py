"""What is known of the puzzle as it stands, and the fill problem that it poses."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xwtui.model import Content, Grid, Kind

if TYPE_CHECKING:
    from xwtui.engine.estimate import Estimate
    from xwtui.engine.estimator import Counter
    from xwtui.engine.options import SlotOptions
    from xwtui.engine.problem import Problem
    from xwtui.words.lexicon import Lexicon


@dataclass(frozen=True)
class Analysis:
    """The figures of one revision; `stale` where the puzzle has changed since.

    `options` and `estimate` come one after the other; `propagated` tells whether the options
    are after propagation, or of the patterns alone while the engine loads.
    """

    revision: int = -1
    options: Mapping[str, SlotOptions] = field(default_factory=dict)
    estimate: Estimate | None = None
    reason: str = ""
    propagated: bool = False
    stale: bool = True


def same_problem(one: Grid, other: Grid) -> bool:
    """Whether two grids pose the same fill problem: they may differ in pencil, marks and locks."""
    return one is other or (one.bars == other.bars and one.width == other.width and _given(one) == _given(other))


def _given(grid: Grid) -> list[tuple[Kind, Content | None]]:
    return [(square.kind, square.content if square.is_given else None) for square in grid.squares]


class CounterHolder:
    """The counter of the problem counted last, so that no run of it is lost; one thread uses it at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem: Problem | None = None
        self._counter: Counter | None = None

    @contextmanager
    def counter(self, problem: Problem) -> Iterator[Counter]:
        """The counter of a problem, for a slice of counting."""
        from xwtui.engine.estimator import Counter  # noqa: PLC0415  (loads numba)

        with self._lock:
            if self._counter is None or self._problem is not problem:
                self._problem, self._counter = problem, Counter(problem)
            yield self._counter


class ProblemHolder:
    """The last fill problem posed, shared by all that ask about the same grid and words."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem: Problem | None = None

    def problem(self, grid: Grid, lexicon: Lexicon) -> Problem:
        """The problem of a grid; raises EngineError where the engine cannot take it on."""
        from xwtui.engine.problem import Problem  # noqa: PLC0415  (loads numba)

        with self._lock:
            known = self._problem
            if known is None or known.lexicon is not lexicon or not same_problem(known.grid, grid):
                self._problem = known = Problem.build(grid, lexicon)
            return known
