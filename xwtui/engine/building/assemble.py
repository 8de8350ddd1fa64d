"""Assembling the kernels' arrays: a network from slots and tables, and a state to search it with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from xwtui.engine.building.joined_tables import join_tables
from xwtui.engine.demands.layout import lay_out_demands
from xwtui.engine.demands.quotas import NO_DEMANDS, Demands
from xwtui.engine.kernels.bound import WORTH_SIZE
from xwtui.engine.kernels.network import DOMAIN, LENGTH, SYMBOLS, Network
from xwtui.engine.kernels.state import CONTROL_SIZE, EVENT_COLUMNS, STOP_SLOT, State

if TYPE_CHECKING:
    from xwtui.engine.building.layout import Layout
    from xwtui.engine.building.tables import Table

EVENT_RING = 4096
"""Events that a trace keeps between two looks at it."""

_STEERED = np.zeros(0, np.int64)
"""What tells a network whose kernels see to demands and to worth from a plain one."""

_TRAIL_LEVELS = 6
"""Whole copies of the memory that a fresh trail has room for; it grows when needed."""


def assemble_network(layout: Layout, slot_tables: Sequence[Table], demands: Demands = NO_DEMANDS) -> Network:
    """Put slots as they are laid out, their tables and demands together."""
    tables = tuple(dict.fromkeys(slot_tables))
    slots, places, squares, mates, _ = layout
    demanded = lay_out_demands(demands, slot_tables, tables, places)
    return Network(
        **join_tables(tables)._asdict(),
        slots=slots,
        places=places,
        squares=squares,
        mates=mates,
        demands=demanded.demands,
        quota_rows=demanded.quota_rows,
        keys=demanded.keys,
        steering=None if demands.is_empty else _STEERED,
    )


def steered(network: Network) -> Network:
    """The same network, for kernels that see to demands and to worth, too."""
    return network._replace(steering=_STEERED)


def fresh_state(network: Network) -> State:
    """Make the zeroed arrays of a state, for `start_state` to fill."""
    slots, squares = len(network.slots) - 1, len(network.squares)
    words = int(network.slots[-1, DOMAIN])
    cells = words + 2 * slots + squares
    control = np.zeros(CONTROL_SIZE, np.int64)
    control[STOP_SLOT] = -1
    return State(
        memory=np.zeros(cells, np.uint64),
        stamps=np.zeros(cells, np.int32),
        trail=np.empty(2 * cells * _TRAIL_LEVELS, np.uint64),
        levels=np.zeros(slots + squares + 1, np.int64),
        sparse=np.zeros(words, np.int32),
        residues=np.zeros(len(network.places) * SYMBOLS, np.int32),
        seen=np.zeros(len(network.places), np.uint64),
        pending=np.zeros(slots, np.uint64),
        shown=np.zeros(int(network.tables[:, LENGTH].max(initial=0)), np.uint64),
        queue=np.zeros(slots, np.int64),
        control=control,
        events=np.empty((EVENT_RING, EVENT_COLUMNS), np.int64),
        worth=np.zeros(WORTH_SIZE + 2 * slots, np.int64),
    )


def copy_state(state: State) -> State:
    """Copy a state at rest (no level open), with a trail of its own."""
    unread = {name: np.empty_like(getattr(state, name)) for name in ("trail", "events")}
    return State(**{name: array.copy() for name, array in state._asdict().items() if name not in unread}, **unread)


def with_longer_trail(state: State) -> State:
    """The same state with twice the room on its trail."""
    trail = np.empty(2 * len(state.trail), np.uint64)
    trail[: len(state.trail)] = state.trail
    return state._replace(trail=trail)
