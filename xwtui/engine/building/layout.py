"""How a grid lies in the kernels' arrays: its slots, their places, and the squares by number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.building.joined_tables import are_alike, join_tables
from xwtui.engine.kernels.layout import Ground, lay_out_slots
from xwtui.engine.kernels.network import (
    LENGTH,
    PLACE_COLUMNS,
    REQUIRED,
    SLOT_COLUMNS,
    SQUARE_COLUMNS,
    TABLE,
)
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
    slot_rows = np.zeros((len(slots) + 1, SLOT_COLUMNS), np.int64)
    slot_rows[:-1, TABLE] = [number[table] for table in slot_tables]
    slot_rows[:-1, REQUIRED] = task.are_required(slots)
    ground = _ground(task, tables, slot_rows, np.array(_starts(slots, width), np.int64))
    lay_out_slots(ground, width)
    cells = np.flatnonzero(ground.numbers >= 0) >> 1
    positions = tuple(map(_positions(height, width).__getitem__, cells.tolist()))
    return Layout(slot_rows, ground.places, ground.squares[: len(cells)], ground.mates, positions)


def _ground(task: Task, tables: tuple[Table, ...], slots: NDArray[np.int64], starts: NDArray[np.int64]) -> Ground:
    """Make room for what the kernel fills in; `slots` has each slot's table, `starts` its first cell."""
    table_rows = join_tables(tables).tables
    users = np.bincount(slots[:-1, TABLE], minlength=len(tables))
    alike = np.zeros(2 * (len(tables),), np.bool_) if task.allow_repeats else are_alike(tables)
    places = int(table_rows[:-1, LENGTH] @ users)
    cells = task.grid.height * task.grid.width
    holes = np.zeros(cells, np.uint8)
    for row, column in task.holes:
        holes[row * task.grid.width + column] = 1
    return Ground(
        starts=starts,
        users=users,
        tables=table_rows,
        alike=alike.view(np.uint8).reshape(-1),
        holes=holes,
        slots=slots,
        places=np.full((places, PLACE_COLUMNS), -1, np.int64),
        squares=np.full((places, SQUARE_COLUMNS), -1, np.int64),
        mates=np.zeros(int(users @ (alike @ users) - users @ alike.diagonal()), np.int64),
        numbers=np.full(2 * cells, -1, np.int64),
    )


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
