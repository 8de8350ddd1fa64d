"""Assembling the kernels' arrays: a network from slots and tables, and a state to search it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from xwtui.engine.building.joined_tables import join_tables
from xwtui.engine.demands.layout import lay_out_demands
from xwtui.engine.demands.quotas import NO_DEMANDS, Demands
from xwtui.engine.kernels.bound import WORTH_SIZE
from xwtui.engine.kernels.network import DOMAIN, SYMBOLS, WIDTH, Network
from xwtui.engine.kernels.records import BlockLayout
from xwtui.engine.kernels.state import CONTROL_SIZE, STOP_SLOT, State

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
    return replace(network, steering=_STEERED)


def fresh_state(network: Network) -> State:
    """Make the zeroed arrays of a state, for `start_state` to fill."""
    slots, words = len(network.slots) - 1, int(network.slots[-1, DOMAIN])
    widest = int(network.tables[:, WIDTH].max(initial=0))
    state = State(_state_layout(slots, len(network.squares), len(network.places), words, network.longest, widest))
    state.control[STOP_SLOT] = -1
    return state


@lru_cache(maxsize=16)
def _state_layout(slots: int, squares: int, places: int, words: int, longest: int, widest: int) -> BlockLayout:
    cells = words + 2 * slots + squares
    rows = {
        "memory": cells,
        "stamps": cells,
        "levels": slots + squares + 1,
        "sparse": words,
        "residues": places * SYMBOLS,
        "seen": places,
        "pending": slots,
        "shown": longest,
        "shown_rows": widest,
        "queue": slots,
        "control": CONTROL_SIZE,
        "worth": WORTH_SIZE + 2 * slots,
        "events": EVENT_RING,
        "trail": 2 * cells * _TRAIL_LEVELS,
    }
    return BlockLayout(State.fields, rows, first_scratch="events")


def with_longer_ring(state: State, events: int) -> State:
    """The same state, of which nothing has been traced yet, with room for so many events."""
    return State(state.layout.with_rows("events", events), state.block[: state.layout.kept])


def with_longer_trail(state: State) -> State:
    """The same state with twice the room on its trail."""
    return state.lengthened("trail", 2 * len(state.trail))
