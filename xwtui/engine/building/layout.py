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
    number = {table: index for index, table in enumerate(tables)}
    alike = are_alike(tables)
    holes = np.zeros(height * width, np.bool_)
    for row, column in task.holes:
        holes[row * width + column] = True
    slot_rows, places, squares, mates, cells = lay_out_slots(
        np.array(_starts(slots, width), np.int64),
        np.array([number[table] for table in slot_tables], np.int64),
        np.array(task.are_required(slots), np.bool_),
        join_tables(tables).tables,
        np.zeros_like(alike) if task.allow_repeats else alike,
        holes,
        width,
    )
    positions = tuple(map(_positions(height, width).__getitem__, cells.tolist()))
    return Layout(slot_rows, places, squares, mates, positions)


def _starts(slots: Sequence[Slot], width: int) -> list[int]:
    """The first cell of each slot, where cells are numbered row by row; ~cell of a slot that goes down."""
    down = Direction.DOWN
    starts = [(slot.direction, slot.positions[0]) for slot in slots]
    return [
        ~(row * width + column) if direction is down else row * width + column
        for direction, (row, column) in starts
    ]


@cache
def _positions(height: int, width: int) -> tuple[Position, ...]:
    """The position of each cell of a grid."""
    return tuple(Position(*divmod(cell, width)) for cell in range(height * width))
