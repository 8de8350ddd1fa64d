"""How few squares a fill can change at the least, and the problem of the fills that change so many at most.

Each entry by itself is cheap to mend; what makes it dear is that crossings must agree. Prices on the letters of
crossings carry what one entry costs to the entries that it needs (the Lagrangian bound of improve/shared_best.py,
here over costs of change). At the best prices most rows fall so far short of their entry's cheapest one that no
fill with them can change few squares: a few hundred rows are left where there were hundreds of thousands
(reduced-cost fixing; Focacci, Lodi and Milano, Cost-Based Domain Filtering, CP 1999). Under a bound on the sum
of what the rows fall short by, a search finds the fill that changes fewest, or proves that there is none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.improve.shared_best import PRICE_STEPS, PricedBound
from xwtui.engine.improve.worth import Worth
from xwtui.engine.problem.tables import Table
from xwtui.engine.repair.closeness import CLOSEST, Near, started, with_tables

_A_SQUARE = 2 * PRICE_STEPS
"""A changed square costs two, one in each entry through it (closeness.py)."""


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
            tables.append(
                Table.of_rows(
                    table.symbols[order],
                    table.words[order],
                    scores,
                    table.lengths,
                    scores,
                    least_symbols=table.symbol_count,
                )
            )
            orders.append(order)
        reduced = started(with_tables(problem, tuple(tables), tuple(orders)), CLOSEST)
        firsts = (first[order] for first, order in zip(self._near.orders, orders, strict=True))
        return Near(reduced, tuple(firsts))
