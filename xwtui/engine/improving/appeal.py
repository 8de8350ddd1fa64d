"""A problem whose words count as the constructor's preferences have it, in place of their scores.

A preferred word counts as so much more than its score, one used of late as so much less (see
words/preferences.py): by that every objective ranks fills, lowest entries first or the mean. What a
word's score is in the list is kept beside, for reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.building.assemble import assemble_network
from xwtui.engine.building.layout import Layout
from xwtui.engine.building.tables import Table
from xwtui.engine.problem import Problem

Orders = Sequence[NDArray[np.intp]]


@dataclass(frozen=True)
class Appealing:
    """A problem to rank fills by, and the scores of its rows as they are listed."""

    problem: Problem
    """Its tables' scores are appeals, 0 to 150, and so is the order of their rows."""
    listed_scores: tuple[NDArray[np.int64], ...]
    """For each slot, the score of each row."""

    @classmethod
    def of(cls, problem: Problem) -> Appealing:
        """The problem as it is, where the constructor prefers nothing; else the rows in another order."""
        tables = {id(table): table for table in problem.tables}
        orders = {key: np.argsort(-table.appeals.astype(np.int64), kind="stable") for key, table in tables.items()}
        listed = {key: table.scores[orders[key]].astype(np.int64) for key, table in tables.items()}
        if any((table.appeals != table.scores).any() for table in tables.values()):
            sorted_tables = {key: _in_order(table, orders[key]) for key, table in tables.items()}
            found = _with_tables(
                problem,
                tuple(sorted_tables[id(table)] for table in problem.tables),
                [orders[id(table)] for table in problem.tables],
            )
        else:
            found = problem
        return cls(found, tuple(listed[id(table)] for table in problem.tables))


def _in_order(table: Table, order: NDArray[np.intp]) -> Table:
    """A table with its rows in another order, and their appeals for scores."""
    appeals = table.appeals[order]
    return Table.of_rows(table.symbols[order], table.words[order], appeals, table.lengths, appeals)


def _with_tables(problem: Problem, tables: tuple[Table, ...], orders: Orders) -> Problem:
    """The problem with these tables, whose rows are those of the old ones in these orders."""
    demands = problem.demands
    quotas = tuple(
        replace(quota, rows=tuple(rows[order] for rows, order in zip(quota.rows, orders, strict=True)))
        for quota in demands.slot_quotas
    )
    demands = replace(demands, slot_quotas=quotas)
    network = problem.network
    layout = Layout(network.slots, network.places, network.squares, network.mates, problem.positions)
    return replace(problem, tables=tables, network=assemble_network(layout, tables, demands), demands=demands)
