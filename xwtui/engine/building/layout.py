"""How a grid lies in the kernels' arrays: its slots, their places, and the squares by number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.building.joined_tables import are_alike, join_tables
from xwtui.engine.kernels.layout import lay_out_slots
from xwtui.model import Direction, Position, Slot

if TYPE_CHECKING:
    from xwtui.engine.building.tables import Table
    from xwtui.engine.task import Task


class Layout(NamedTuple):
    """Slots, places, squares and mates as a network has them."""

    slots: NDArray[np.int64]
    places: NDArray[np.int64]
    squares: NDArray[np.int64]
    mates: NDArray[np.int64]
    positions: tuple[Position, ...]
    """The position of each square, row by row; that of a hole twice, across first."""


def lay_out(task: Task, slots: Sequence[Slot], slot_tables: Sequence[Table]) -> Layout:
    """Lay out some slots of a task's grid, each with its table."""
    height, width = task.grid.height, task.grid.width
    tables = tuple(dict.fromkeys(slot_tables))
    alike = are_alike(tables)
    holes = np.zeros(height * width, np.bool_)
    holes[[row * width + column for row, column in task.holes]] = True
    slot_rows, places, squares, mates, cells = lay_out_slots(
        np.array(_runs(task, slots, slot_tables, tables), np.int64),
        join_tables(tables).tables,
        np.zeros_like(alike) if task.allow_repeats else alike,
        holes,
        width,
    )
    positions = tuple(map(_positions(height, width).__getitem__, cells.tolist()))
    return Layout(slot_rows, places, squares, mates, positions)


def _runs(
    task: Task, slots: Sequence[Slot], slot_tables: Sequence[Table], tables: Sequence[Table]
) -> tuple[Sequence[int], ...]:
    """For each slot its first cell, whether it goes down, the number of its table, whether it is required."""
    number = {table: index for index, table in enumerate(tables)}
    width, down = task.grid.width, Direction.DOWN
    cells = [row * width + column for row, column in [slot.positions[0] for slot in slots]]
    is_down = [slot.direction is down for slot in slots]
    return cells, is_down, [number[table] for table in slot_tables], task.are_required(slots)


@cache
def _positions(height: int, width: int) -> tuple[Position, ...]:
    """The position of each cell of a grid."""
    return tuple(Position(*divmod(cell, width)) for cell in range(height * width))
