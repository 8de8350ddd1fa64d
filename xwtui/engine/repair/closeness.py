"""How far words are from what stands on a grid, and the problem of the fills that change few squares of it.

A square counts as changed where something stood and something else comes there. In a problem of closeness a
row's score says how little of its entry it changes: a change counts once in each entry through the square, twice
where there is only one. What the scores of a fill lack thus adds up to twice the squares that it changes, and the
bound on sums of scores, which the search keeps for the improver (kernels/propagate/bound.py), bounds these. Of a
square that may read two ways each entry counts its own reading: it adds up to half of one where only one changes.

Each entry by itself is cheap to mend; what makes it dear is that crossings must agree. Prices on the letters of
crossings carry what one entry costs to the entries that it needs (the Lagrangian bound of improve/shared_best.py,
here over costs of change). At the best prices most rows fall so far short of their entry's cheapest one that no
fill with them can change few squares: a few hundred rows are left where there were hundreds of thousands
(reduced-cost fixing; Focacci, Lodi and Milano, Cost-Based Domain Filtering, CP 1999). Under a bound on the sum
of what the rows fall short by, a search finds the fill that changes fewest, or proves that there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.improve.shared_best import PRICE_STEPS, PricedBound
from xwtui.engine.improve.worth import Worth, in_order, slot_squares, with_tables
from xwtui.engine.kernels.network import DOMAIN
from xwtui.engine.kernels.propagate.bound import ASKED, BETTER_THAN, SCORE_WORTH, SCORES, WORTH_SIZE
from xwtui.engine.kernels.setup import start_state
from xwtui.engine.problem.arrays import fresh_state, steered
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.tables import Table
from xwtui.engine.problem.variants import with_root
from xwtui.model import Content, Position

_NOTHING, _ELSE = -1, -2
"""Where nothing stands, and where something stands that no fill can have."""

CLOSEST = SCORES - 1
"""The score of a row that changes nothing."""
_FAR = 1 << 20
"""More than any row can cost: that of one which may not come."""


@dataclass(frozen=True)
class Near:
    """A problem whose rows are some of another one's, those that change least first."""

    problem: Problem
    """Its tables' scores are closeness."""
    orders: tuple[NDArray[np.intp], ...]
    """For each slot, the row of the first problem that each row is."""


class Closeness:
    """How far each row of a problem is from what stands; never changes."""

    def __init__(self, problem: Problem, standing: Mapping[Position, Content], least_score: int = 0) -> None:
        """`standing` is what has content before, all of it or a part; what is given is there in any case.

        No answer that changes scores less than `least_score`.
        """
        self.problem = problem
        self._along = slot_squares(problem)
        self._required = np.array(problem.is_required, np.bool_)
        codes = {content: code for code, content in enumerate(problem.symbols.contents)}
        contents = problem.squares.parted(standing)
        targets = [_NOTHING if content is None else codes.get(content, _ELSE) for content in contents]
        self.targets = np.array(targets, np.int64)
        """(squares,) the symbol that stands there, or less than 0."""
        self._least_score = least_score
        firsts = np.array([problem.squares.numbers[at][0] for at in problem.positions], np.int64)
        users = np.zeros(len(problem.positions), np.int64)
        for along in itertools.compress(self._along, problem.is_required):
            users[firsts[along]] += 1
        self._weights = np.where(users[firsts] == 1, 2, 1)
        """(squares,) what a change counts in each slot through a square."""
        self._costs = [self._row_costs(slot) for slot in range(len(problem.slots))]

    def _row_costs(self, slot: int) -> NDArray[np.int64]:
        """(rows,) what each row of a slot changes, in halves of squares."""
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
        """For each slot, (rows,) the halves of squares that every fill with a row changes, at least.

        To what the row changes comes the least that each slot which crosses it must for its letters; where one
        crosses linked lights more than once, for the dearest of these.
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
                        cheapest = self._cheapest(other, place)[self.problem.tables[slot].symbols[:, index]]
                        crossings[other] = np.maximum(crossings.get(other, 0), cheapest)
            least[slot] += sum(crossings.values())
        return tuple(least)

    def _cheapest(self, slot: int, place: int) -> NDArray[np.int64]:
        """(64,) the least that a row of a slot changes with each symbol at a place."""
        costs, falling = self._costs[slot], self._falling[slot]
        cheapest = np.full(64, _FAR, np.int64)
        cheapest[self.problem.tables[slot].symbols[falling, place]] = costs[falling]
        return cheapest

    @cached_property
    def _falling(self) -> list[NDArray[np.intp]]:
        """The rows of each slot, the farthest first, so that the nearest are written last."""
        return [np.argsort(-costs, kind="stable") for costs in self._costs]

    def changed(self, rows: NDArray[np.int64]) -> int:
        """How many squares a fill changes, given the row of each slot; at least, where some may read two ways."""
        return sum(int(costs[row]) for costs, row in zip(self._costs, rows.tolist(), strict=True) if row >= 0) // 2

    def within(self, most: int | None) -> Near | None:
        """The problem without the rows that change more squares than so many; None if a slot has no row then."""
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
            key = id(table), order.tobytes() + costs[order].tobytes()  # slots where nothing stands share theirs
            if key not in made:
                made[key] = in_order(table, order, np.maximum(CLOSEST - costs[order], 0).astype(np.uint8))
            tables.append(made[key])
        return Near(with_tables(self.problem, tuple(tables), orders), tuple(orders))

    def start(
        self, near: Near, most: int | None, *, slot: int = -1, words: NDArray[np.bool_] | None = None
    ) -> Problem:
        """A near problem with its root, of the fills that change so many squares at most; None for any number.

        Of `slot`, only those rows of the first problem come in that `words` (rows,) marks.
        """
        stays = None if words is None else (slot, words[near.orders[slot]])
        return started(near.problem, None if most is None else 2 * most, stays)


def started(problem: Problem, most: int | None, stays: tuple[int, NDArray[np.bool_]] | None = None) -> Problem:
    """A problem with its root, propagated under the bound that its rows lack so much of the best score at most.

    Of the slot in `stays`, only those rows are left that it marks.
    """
    if most is not None:
        problem = replace(problem, network=steered(problem.network))
    state = fresh_state(problem.network)
    if most is not None:
        state.worth[:WORTH_SIZE] = 0
        state.worth[ASKED] = 1
        state.worth[SCORE_WORTH : SCORE_WORTH + SCORES] = np.arange(SCORES)
        state.worth[BETTER_THAN] = CLOSEST * sum(problem.is_required) - most - 1
    start_state(problem.network, state, True)
    if stays is not None:  # before the first propagation
        slot, marks = stays
        start, end = problem.network.slots[slot : slot + 2, DOMAIN].tolist()
        bits, packed = np.zeros(8 * (end - start), np.uint8), np.packbits(marks, bitorder="little")
        bits[: len(packed)] = packed
        state.memory[start:end] &= bits.view(np.uint64)
        size = int(problem.network.slots[-1, DOMAIN]) + len(problem.slots) + slot
        state.memory[size] = int(np.bitwise_count(state.memory[start:end]).sum())
    return with_root(replace(problem), state)


_A_SQUARE = 2 * PRICE_STEPS
"""A changed square costs two, one in each entry through it."""


class ReducedCosts:
    """Costs of the rows of a problem of closeness at prices that are made ever better; belongs to one thread."""

    def __init__(self, worth: Worth, near: Near) -> None:
        """`worth` is that of a start of `near`, whose root leaves what may come."""
        self._worth, self._near = worth, near
        self._priced = PricedBound(worth)
        self._unchanged = int(worth.chosen.sum()) * CLOSEST
        """What a fill is worth that changes nothing."""

    def tighten(self, most: int, steps: int, stopped: Callable[[], bool]) -> None:
        """Move the prices so many times, at the most until `most` is proved to be the least."""
        for _ in range(steps):
            self._priced.step(self._unchanged - 2 * most)
            if self._priced.is_settled or self.least >= most or stopped():
                return

    @property
    def least(self) -> int:
        """Every fill changes so many squares at least."""
        return -(self._slack(0) // _A_SQUARE)

    def _slack(self, most: int) -> int:
        """What the rows of a fill that changes so many squares may fall short by, all together."""
        assert self._priced.best is not None, "the prices have been moved"
        return self._priced.best.bound - (self._unchanged - 2 * most) * PRICE_STEPS

    def within(self, most: int) -> Near | None:
        """The problem of the fills that change so many squares at most, its root propagated under that bound."""
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
            # Rounded down, so that none counts for more than it is.
            levels = lost[order] * CLOSEST // max(slack, 1)
            scores = (CLOSEST - levels).astype(np.uint8)
            tables.append(in_order(table, order, scores))
            orders.append(order)
        reduced = started(with_tables(problem, tuple(tables), tuple(orders)), CLOSEST)
        firsts = (first[order] for first, order in zip(self._near.orders, orders, strict=True))
        return Near(reduced, tuple(firsts))
