"""The distance of words from the grid's contents, and the problem of finding fills that change few squares.

A square is changed if it had a content and gets another. In a closeness problem a row's score says how little of
its entry it changes. A change counts once in each entry through the square, or twice if there is only one. So the
scores of a fill fall short of the maximum by twice the number of squares that it changes. The bound on sums of
scores that the search keeps for the improver (kernels/propagate/bound.py) then bounds these changes. In a square
that may read two ways, each entry counts its own reading: if only one changes, that adds up to half a square.

Each entry alone is cheap to repair; the cost comes from crossings having to agree. Prices on the letters of
crossings carry an entry's costs to the entries that it depends on (the Lagrangian bound of improve/shared_best.py,
applied to the costs of changes). At the best prices, most rows fall so far short of their entry's cheapest one
that no fill with them can change few squares. A few hundred rows are left out of hundreds of thousands
(reduced-cost fixing; Focacci, Lodi and Milano, Cost-Based Domain Filtering, CP 1999). Under a bound on the sum of
the rows' shortfalls, a search finds the fill with the fewest changes, or proves that there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.improve.shared_best import PRICE_STEPS, PricedBound
from xwtui.engine.improve.worth import Worth, in_order, with_tables
from xwtui.engine.kernels.propagate.bound import BETTER_THAN, IS_ACTIVE, SCORE_WORTH, SCORES, WORTH_SIZE
from xwtui.engine.problem.arrays import keep_rows, started_state, with_constraints
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.tables import Table
from xwtui.model import Content, Position

_NOTHING, _ELSE = -1, -2
"""For squares without a content, and for contents that no fill can have."""

CLOSEST = SCORES - 1
"""The score of a row that changes nothing."""
_FAR = 1 << 20
"""The cost of a row that is not allowed: more than any row can cost."""


@dataclass(frozen=True)
class NearProblem:
    """A problem whose rows are a subset of another problem's, sorted by how little they change."""

    problem: Problem
    """The scores of its tables are closeness."""
    orders: tuple[NDArray[np.intp], ...]
    """For each slot, the original problem's row for each row."""


class Closeness:
    """The distance of each row of a problem from the grid's contents. Immutable."""

    def __init__(self, problem: Problem, current: Mapping[Position, Content], least_score: int = 0) -> None:
        """`current` is the contents before, of all or part of the grid; given squares keep theirs in any case.

        An answer that changes must score at least `least_score`.
        """
        self.problem = problem
        self._along = problem.slot_squares
        self._required = np.array(problem.is_required, np.bool_)
        codes = {content: code for code, content in enumerate(problem.symbols.contents)}
        contents = problem.squares.split_contents(current)
        targets = [_NOTHING if content is None else codes.get(content, _ELSE) for content in contents]
        self.targets = np.array(targets, np.int64)
        """Shape (squares,): the symbol of each square's content, or a negative number."""
        self._least_score = least_score
        firsts = np.array([problem.squares.numbers[at][0] for at in problem.positions], np.int64)
        users = np.zeros(len(problem.positions), np.int64)
        for along in itertools.compress(self._along, problem.is_required):
            users[firsts[along]] += 1
        self._weights = np.where(users[firsts] == 1, 2, 1)
        """Shape (squares,): the weight of a change in each slot through a square."""
        self._costs = [self._row_costs(slot) for slot in range(len(problem.slots))]

    def _row_costs(self, slot: int) -> NDArray[np.int64]:
        """Return the cost of each row of a slot, in half squares; shape (rows,)."""
        table, along = self.problem.tables[slot], self._along[slot]
        costs = np.zeros(table.rows, np.int64)
        if self._required[slot]:
            for index in np.flatnonzero(self.targets[along] != _NOTHING).tolist():
                square = along[index]
                costs += self._weights[square] * (table.symbols[:, index] != self.targets[square])
        costs[(costs > 0) & (table.scores < self._least_score)] = _FAR
        return costs

    @cached_property
    def least_costs(self) -> tuple[NDArray[np.int64], ...]:
        """For each slot, a lower bound on the changes of every fill with a row, in half squares; shape (rows,).

        To the row's own changes it adds, for each crossing slot, the least change needed to accept the row's
        letters. Where a slot crosses linked lights more than once, the greatest of these counts.
        """
        least = [cost.copy() for cost in self._costs]
        across: dict[int, list[tuple[int, int]]] = {}
        for slot, along in enumerate(self._along):
            for index, square in enumerate(along.tolist()):
                across.setdefault(square, []).append((slot, index))
        for slot, along in enumerate(self._along):
            if not self._required[slot]:
                continue
            crossings: dict[int, NDArray[np.int64]] = {}
            for index, square in enumerate(along.tolist()):
                for other, place in across[square]:
                    if other != slot and self._required[other]:
                        cheapest = self._symbol_costs(other, place)[self.problem.tables[slot].symbols[:, index]]
                        crossings[other] = np.maximum(crossings.get(other, 0), cheapest)
            least[slot] += sum(crossings.values())
        return tuple(least)

    def _symbol_costs(self, slot: int, place: int) -> NDArray[np.int64]:
        """Return the least cost of a row of a slot with each symbol at a place; shape (64,)."""
        costs, falling = self._costs[slot], self._rows_by_cost[slot]
        cheapest = np.full(64, _FAR, np.int64)
        cheapest[self.problem.tables[slot].symbols[falling, place]] = costs[falling]
        return cheapest

    @cached_property
    def _rows_by_cost(self) -> list[NDArray[np.intp]]:
        """The rows of each slot by descending cost, so that the cheapest are written last."""
        return [np.argsort(-costs, kind="stable") for costs in self._costs]

    def changed(self, rows: NDArray[np.int64]) -> int:
        """Return how many squares a fill changes, by its rows; at least so many if squares read two ways."""
        return sum(int(costs[row]) for costs, row in zip(self._costs, rows.tolist(), strict=True) if row >= 0) // 2

    def within(self, most: int | None) -> NearProblem | None:
        """Return the problem with only rows that change at most this many squares; None if a slot has none."""
        orders = list[NDArray[np.intp]]()
        for slot, costs in enumerate(self._costs):
            rows: NDArray[np.intp] = np.flatnonzero(costs < _FAR)
            if most is not None:
                rows = rows[self.least_costs[slot][rows] <= 2 * most]
            if not len(rows):
                return None
            orders.append(rows[np.argsort(costs[rows], kind="stable")])
        made, tables = dict[tuple[int, bytes], Table](), list[Table]()
        for table, order, costs in zip(self.problem.tables, orders, self._costs, strict=True):
            key = id(table), order.tobytes() + costs[order].tobytes()  # slots without contents share one table
            if key not in made:
                made[key] = in_order(table, order, np.maximum(CLOSEST - costs[order], 0).astype(np.uint8))
            tables.append(made[key])
        return NearProblem(with_tables(self.problem, tuple(tables), orders), tuple(orders))


def with_bounded_root(
    problem: Problem, most: int | None, stays: tuple[int, NDArray[np.bool_]] | None = None
) -> Problem:
    """Return a problem rooted under a bound, if any, on its rows' shortfalls, perhaps with some rows of a slot."""
    if most is not None:
        problem = replace(problem, network=with_constraints(problem.network))
    state = started_state(problem.network)
    if most is not None:
        state.worth[:WORTH_SIZE] = 0
        state.worth[IS_ACTIVE] = 1
        state.worth[SCORE_WORTH : SCORE_WORTH + SCORES] = np.arange(SCORES)
        state.worth[BETTER_THAN] = CLOSEST * sum(problem.is_required) - most - 1
    if stays is not None:
        keep_rows(problem.network, state, *stays)
    return problem.rooted_at(state)


_A_SQUARE = 2 * PRICE_STEPS
"""The cost of a changed square: one in each of its two entries."""


class ReducedCosts:
    """Reduced costs of the rows of a closeness problem, under prices that improve; for one thread."""

    def __init__(self, worth: Worth, near: NearProblem) -> None:
        """`worth` is that of a start of `near`, whose root has the allowed rows."""
        self._worth, self._near = worth, near
        self._priced = PricedBound(worth)
        self._unchanged = int(worth.chosen.sum()) * CLOSEST
        """The worth of a fill that changes nothing."""

    def tighten(self, most: int, steps: int, stopped: Callable[[], bool]) -> None:
        """Move the prices this many times, or until `most` is proved to be the minimum."""
        for _ in range(steps):
            self._priced.step(self._unchanged - 2 * most)
            if self._priced.is_settled or self.least >= most or stopped():
                return

    @property
    def least(self) -> int:
        """A lower bound on the number of squares that every fill changes."""
        return -(self._slack(0) // _A_SQUARE)

    def _slack(self, most: int) -> int:
        """Return the allowed sum of the rows' shortfalls in a fill that changes at most this many squares."""
        assert self._priced.best is not None, "the prices have been moved"
        return self._priced.best.bound - (self._unchanged - 2 * most) * PRICE_STEPS

    def within(self, most: int) -> NearProblem | None:
        """Return the problem of fills that change at most this many squares; its root is propagated."""
        slack = self._slack(most)
        if slack < 0:
            return None
        problem, orders = self._worth.problem, list[NDArray[np.intp]]()
        tables = list[Table]()
        for slot, is_chosen in enumerate(self._worth.chosen.tolist()):
            table = problem.tables[slot]
            lost = self._priced.shortfalls(slot) if is_chosen else np.zeros(table.rows, np.int64)
            kept = np.flatnonzero(lost <= slack)
            if not len(kept):
                return None
            order = kept[np.argsort(lost[kept], kind="stable")]
            # Rounded down, so that the sum of levels never exceeds the true shortfall.
            levels = lost[order] * CLOSEST // max(slack, 1)
            scores = (CLOSEST - levels).astype(np.uint8)
            tables.append(in_order(table, order, scores))
            orders.append(order)
        reduced = with_bounded_root(with_tables(problem, tuple(tables), tuple(orders)), CLOSEST)
        firsts = (first[order] for first, order in zip(self._near.orders, orders, strict=True))
        return NearProblem(reduced, tuple(firsts))
