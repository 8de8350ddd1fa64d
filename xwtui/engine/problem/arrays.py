"""Building the kernels' arrays for a problem: the grid, an initial state, a fresh search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.fill.search_settings import SearchSettings
from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.compiler.records import BlockLayout
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.propagate.bound import WORTH_SIZE
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search.decisions import Search
from xwtui.engine.kernels.setup import (
    APART,
    CELLS,
    FIRST_CELL,
    OPPOSITE,
    RUN_COLUMNS,
    UnlinkedNetwork,
    lay_out_slots,
    start_state,
)
from xwtui.engine.kernels.state import CONTROL_SIZE, STOP_SLOT, State
from xwtui.engine.problem.constraints import GlobalConstraints, lay_out_constraints
from xwtui.engine.problem.tables import JoinedTables, Table, are_alike, bit_set
from xwtui.engine.problem.task import Task
from xwtui.model import Direction, Position, Slot
from xwtui.model.where import all_positions


class Layout(NamedTuple):
    """Slots, places, squares and mates, as in a network."""

    slots: NDArray[np.int64]
    places: NDArray[np.int64]
    squares: NDArray[np.int64]
    mates: NDArray[np.int64]
    positions: tuple[Position, ...]
    """The position of each square, row by row. A hole or a split square occurs twice, across first."""


def lay_out(
    task: Task,
    slots: Sequence[Slot],
    slot_tables: Sequence[Table],
    tables: tuple[Table, ...],
    joined: JoinedTables,
) -> Layout:
    """Lay out slots of a task's grid; each slot's table is one of `tables`, and `joined` is those joined."""
    height, width = task.grid.height, task.grid.width
    slot_rows = np.zeros((len(slots) + 1, net.SLOT_COLUMNS), np.int64)
    slot_rows[:-1, net.TABLE] = table_numbers(slot_tables, tables)
    slot_rows[:-1, net.REQUIRED] = [task.is_required(slot) for slot in slots]
    users = np.bincount(slot_rows[:-1, net.TABLE], minlength=len(tables))
    lengths = tuple(() if task.allow_repeats else table.lengths for table in tables)
    alike = are_alike(lengths)
    places = int(joined.tables[:-1, net.LENGTH] @ users)
    split = np.zeros(height * width, np.uint8)
    for row, column in task.holes:
        split[row * width + column] = APART
    for at in task.split:
        split[at.row * width + at.column] = OPPOSITE if at in task.may_agree else APART
    ground = UnlinkedNetwork(  # with room for the kernel's results
        runs=_runs(slots, width),
        users=users,
        tables=joined.tables,
        alike=alike.reshape(-1),
        split=split,
        slots=slot_rows,
        places=np.full((places, net.PLACE_COLUMNS), -1, np.int64),
        squares=np.full((places, net.SQUARE_COLUMNS), -1, np.int64),
        mates=np.zeros(int(users @ (alike @ users) - users @ alike.diagonal()), np.int64),
        numbers=np.full(2 * height * width, -1, np.int64),
    )
    lay_out_slots(ground, width)
    positions = tuple(_positions(height, width)[ground.numbers >= 0].tolist())
    return Layout(slot_rows, ground.places, ground.squares[: len(positions)], ground.mates, positions)


@lru_cache(maxsize=16)
def _positions(height: int, width: int) -> NDArray[np.object_]:
    """Return all positions of a grid, each twice, row by row; shape (squares x 2)."""
    return np.fromiter(all_positions(height, width), np.object_).repeat(2)


def table_numbers(slot_tables: Sequence[Table], tables: Sequence[Table]) -> list[int]:
    """Return the index in `tables` of each slot's table."""
    number = {table: index for index, table in enumerate(tables)}
    return [number[table] for table in slot_tables]


def _runs(slots: Sequence[Slot], width: int) -> NDArray[np.int64]:
    """Return the runs of all slots as for `UnlinkedNetwork`; cells are numbered row by row."""
    straight = [(slot.direction, slot.positions) for slot in slots]
    if any(slot.lights for slot in slots):
        straight = [piece for slot in slots for piece in _straight_pieces(slot)]
    runs = np.empty((len(straight), RUN_COLUMNS), np.int64)
    down = Direction.DOWN
    runs[:, FIRST_CELL] = [
        (squares[0].row * width + squares[0].column) ^ (-1 if direction is down else 0)
        for direction, squares in straight
    ]
    runs[:, CELLS] = [len(squares) for _, squares in straight]
    return runs


def _straight_pieces(slot: Slot) -> Iterator[tuple[Direction, tuple[Position, ...]]]:
    """Yield a slot's squares light by light, split wherever a square has been read before."""
    seen: set[Position] = set()
    for light in slot.lights or (slot,):
        for is_new, piece in groupby(light.positions, lambda at: at not in seen):
            if is_new:
                yield light.direction, tuple(piece)
        seen.update(light.positions)


EVENT_RING = 4096
"""Number of events that a trace keeps between two reads."""

_CONSTRAINED = np.zeros(0, np.int64)
"""Marks a network whose kernels handle global constraints and worth."""

_TRAIL_LEVELS = 6
"""A fresh trail has room for this many copies of the memory; it grows when needed."""


def assemble_network(
    layout: Layout,
    slot_tables: Sequence[Table],
    constraints: GlobalConstraints,
    tables: tuple[Table, ...],
    joined: JoinedTables,
) -> Network:
    """Assemble a network from laid-out slots, each slot's table, and constraints; `tables` has each one once."""
    return Network(
        **vars(joined),
        slots=layout.slots,
        places=layout.places,
        squares=layout.squares,
        mates=layout.mates,
        **lay_out_constraints(constraints, slot_tables, tables, layout.places)._asdict(),
        constraint_flag=None if constraints.is_empty else _CONSTRAINED,
    )


def with_constraints(network: Network) -> Network:
    """Return the same network for kernels that also handle global constraints and worth."""
    return replace(network, constraint_flag=_CONSTRAINED)


def fresh_state(network: Network) -> State:
    """Create the zeroed arrays of a state, for `start_state` to fill."""
    slots, words = len(network.slots) - 1, int(network.slots[-1, net.DOMAIN])
    widest = int(network.tables[:, net.WIDTH].max(initial=0))
    squares, places = len(network.squares), len(network.places)
    cells = words + 2 * slots + squares + network.ways
    chain = max(2 * slots, squares if len(network.pairs) else 0)
    state = State(_state_layout(cells, slots, squares, places, words, network.longest, widest, chain))
    state.control[STOP_SLOT] = -1
    return state


@lru_cache(maxsize=16)
def _state_layout(
    cells: int, slots: int, squares: int, places: int, words: int, longest: int, widest: int, chain: int
) -> BlockLayout:
    rows = {
        "memory": cells,
        "stamps": cells + slots,
        "levels": slots + squares + 1,
        "sparse": words + 1,
        "residues": places * net.SYMBOLS,
        "seen": places,
        "pending": slots,
        "shown": longest + net.COLUMNS,
        "shown_rows": widest,
        "rows": 64 * widest + 8,
        "chain": chain,
        "queue": slots,
        "control": CONTROL_SIZE,
        "worth": WORTH_SIZE + 2 * slots,
        "events": EVENT_RING,
        "trail": 2 * cells * _TRAIL_LEVELS,
    }
    return BlockLayout(State.fields, rows, first_scratch="events")


def started_state(network: Network, *, revise_all: bool = True) -> State:
    """Create a state with full domains; with `revise_all`, for a caller that narrows them before propagation."""
    state = fresh_state(network)
    start_state(network, state, revise_all)
    return state


def with_longer_ring(state: State, events: int) -> State:
    """Return an untraced state with room for this many events."""
    return State(state.layout.with_rows("events", events), state.block[: state.layout.kept])


def with_longer_trail(state: State) -> State:
    """Return the same state with twice the room on its trail."""
    return state.lengthened("trail", 2 * len(state.trail))


@lru_cache(maxsize=32)
def _blank(slots: int, squares: int, longest: int, settings: SearchSettings) -> Search:
    width = (slots + 63) // 64
    depths = slots + squares + 1
    rows = {
        "decisions": depths,
        "denied": depths,
        "conflict": width,
        "reasons": depths * width,
        "settled": depths,
        "refutations": depths,
        "weights": squares + 1,
        "fullest": slots,
        "random": 1,
        "settings": deciding.SETTINGS_SIZE,
        "progress": deciding.PROGRESS_SIZE,
        "room": net.SYMBOLS * max(longest, 2),
        "probes": deciding.PROBES,
    }
    search = Search(BlockLayout(Search.fields, rows))
    search.weights[:] = 1
    search.fullest[:] = -1
    values, progress = settings.as_array(), search.progress
    search.settings[:] = values
    progress[[deciding.RESTART_STRIDE, deciding.OUTER_STRIDE]] = settings.first_restart
    progress[deciding.RESTART_AT] = settings.first_run or settings.first_restart
    progress[[deciding.CONFLICT, deciding.TRIED, deciding.REFUTED]] = deciding.NOBODY
    progress[deciding.TURN_AT] = values[deciding.FIRST_TURN]
    progress[deciding.BY_SQUARES] = values[deciding.BRANCHING] == deciding.ON_SQUARES
    return search


def fresh_search(network: Network, settings: SearchSettings, seed: int, worker: int) -> Search:
    """Create the arrays of a search that has decided nothing yet."""
    search = _blank(len(network.slots) - 1, len(network.squares), network.longest, settings).copy()
    search.random[0] = (seed * 0x5851F42D4C957F2D + worker * 0x14057B7EF767814F) % (1 << 64)
    return search


def square_masks(network: Network, state: State) -> NDArray[np.uint64]:
    """Return each square's domain of symbols, as bits; a view of the state."""
    first = int(network.slots[-1, net.DOMAIN]) + 2 * (len(network.slots) - 1)
    return state.memory[first : first + len(network.squares)]


def domain_sizes(network: Network, state: State) -> NDArray[np.uint64]:
    """Return the size of each slot's domain, in rows; a view of the state."""
    first, slots = int(network.slots[-1, net.DOMAIN]), len(network.slots) - 1
    return state.memory[first + slots : first + 2 * slots]


def domain(network: Network, state: State, slot: int) -> NDArray[np.uint64]:
    """Return a slot's domain as a bit-set of rows; a view of the state."""
    start, end = network.slots[slot : slot + 2, net.DOMAIN].tolist()
    return state.memory[start:end]


def keep_rows(network: Network, state: State, slot: int, kept: NDArray[np.bool_]) -> int:
    """Restrict a domain to some rows before propagation; return how many are left."""
    rows = domain(network, state, slot)
    rows &= bit_set(kept)
    left = int(np.bitwise_count(rows).sum())
    domain_sizes(network, state)[slot] = left
    return left
