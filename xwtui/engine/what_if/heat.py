"""Where a grid is hard: squares whose entries hardly agree, and squares that dead ends were blamed on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import Budget, TimeLimit, never
from xwtui.engine.explain.judge import Cores, Judge, OutOfTimeError
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.problem.problem import Problem
from xwtui.model import Position

_BLAME_SHARE = 0.5
"""How much of the heat comes from blame, once a search has met dead ends."""


@dataclass(frozen=True)
class Heat:
    """How hard each empty square is."""

    heat: Mapping[Position, float]
    """0 (easy) to 1 (the hardest here) for each square that a fill writes."""
    agreement: Mapping[Position, float]
    """The chance that two words drawn for its entries agree there; 0 where nothing can stand."""
    blame: Mapping[Position, float]
    """The weight that the search gave it, 1 for none; dead ends raise it, and old ones fade."""
    nodes: int
    """Nodes of the search that the blame comes from."""

    def hardest(self, most: int = 5) -> tuple[Position, ...]:
        """The hardest squares, the first one first."""
        return tuple(sorted(self.heat, key=lambda at: (-self.heat[at], at))[:most])


def heat(
    problem: Problem,
    *,
    nodes: int = 2_000,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
) -> Heat:
    """Measure the heat of a problem's squares, with a search of so many nodes for the blame.

    The first half of it is -log10 of the agreement. In a problem that propagation refutes, entries that
    cannot be filled are as hot as can be, and nothing else. Ends after `seconds`, or within
    100 ms after `cancelled` says so, with the blame known by then.
    """
    budget = Budget(seconds, seed=seed, stop=cancelled)
    limit = TimeLimit(budget)
    free = [at for at in problem.positions if at not in problem.task.given]
    if not problem.root.is_possible:
        return _refuted(problem, free, Judge(budget))
    unwritten = set(free)
    agreement = {at: chance for at, chance in _agreements(problem, cancelled).items() if at in unwritten}
    filler = Filler(problem, seed=seed)
    filler.go_on(nodes, limit.is_over)
    blame = {at: float(weight) for at, weight in zip(problem.positions, filler.square_weights, strict=True)}
    blame = {at: blame[at] for at in free}
    cold = _scaled({at: -math.log10(chance) if chance > 0 else math.inf for at, chance in agreement.items()})
    hot = _scaled({at: math.log(weight) for at, weight in blame.items()})
    share = _BLAME_SHARE if any(hot.values()) else 0.0
    mixed = {at: (1 - share) * cold.get(at, 0.0) + share * hot.get(at, 0.0) for at in free}
    return Heat(_scaled(mixed), agreement, blame, filler.statistics.nodes)


def _agreements(problem: Problem, cancelled: Callable[[], bool]) -> dict[Position, float]:
    """For each square of two entries, the chance that words drawn from both domains have the same there."""
    chances: dict[Position, float] = {}
    shares: dict[Position, NDArray[np.float64]] = {}
    for number, slot in enumerate(problem.slots):
        if cancelled():
            break
        rows = problem.tables[number].symbols[problem.rows_left(problem.root.state, number)]
        for index, at in enumerate(slot.positions):
            share = np.bincount(rows[:, index], minlength=SYMBOLS) / len(rows)
            if at in shares:
                chances[at] = float(shares[at] @ share)
            shares[at] = share
    return chances


def _refuted(problem: Problem, free: list[Position], judge: Judge) -> Heat:
    """The entries that no word fits; else those refuted together; else all, for it takes rules."""
    names = tuple(slot.name for slot, table in zip(problem.slots, problem.tables, strict=True) if not table.rows)
    try:
        names = names or Cores(problem, judge).by_propagation(0)
    except OutOfTimeError:
        names = ()
    faulty = {at for name in names for at in problem.grid.entry(name).positions} or set(free)
    return Heat({at: float(at in faulty) for at in free}, dict.fromkeys(free, 0.0), dict.fromkeys(free, 1.0), 0)


def _scaled(values: Mapping[Position, float]) -> dict[Position, float]:
    """The values from 0, the least, to 1, the greatest finite one and all beyond; 0 where all are equal."""
    finite = [value for value in values.values() if math.isfinite(value)]
    if not finite:
        return dict.fromkeys(values, 1.0)
    least, span = min(finite), max(finite) - min(finite)
    return {
        at: 1.0 if math.isinf(value) else (value - least) / span if span else 0.0 for at, value in values.items()
    }
