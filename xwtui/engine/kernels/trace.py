"""Trace events: what the search does, one row in a ring for each thing that a user can name."""

from typing import cast

import numpy as np

from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int, bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Longs
from xwtui.engine.kernels.state import (
    AFTER,
    BEFORE,
    DEPTH,
    EVENT_CONSTRAINT,
    EVENT_COUNT,
    EVENT_DEPTH,
    EVENT_ROW,
    EVENT_SLOT,
    EVENT_SQUARE,
    FAILED_CONSTRAINT,
    FAILED_PLACES,
    FAILED_RIVAL,
    FAILED_SLOT,
    FAILED_SQUARE,
    KIND,
    MASK_HIGH,
    MASK_LOW,
    OTHER_SLOT,
    PAUSED,
    STOP_KINDS,
    STOP_SLOT,
    TRACING,
    State,
)

DECIDE = 0
PRUNE = 1
WIPE_OUT = 2
BACKTRACK = 3
RESTART = 4
SOLVED = 5
IMPOSSIBLE = 6
CLAIM = 7
JUMP = 8
CONSTRAINT = 9

# Typed, because numba would compile a function once more for each literal that it is called with.
NONE = cast(int, np.int64(-1))
"""No slot, no row, no square."""
START = cast(int, np.int64(-(1 << 31)))
"""Where a backtrack goes back to when no decision is left; else a slot, or ~square."""
EMPTY = NOUGHT
"""No options left."""
SINGLE = cast(int, np.int64(1))
"""One option left."""

_LOW_HALF = np.uint64(0xFFFFFFFF)


@inlined
def record(
    state: State,
    kind: int,
    slot: int,
    row: int,
    square: int,
    before: int,
    after: int,
    other: int,
    mask: np.uint64,
) -> None:
    """Write an event into the ring, if tracing, and ask for a pause if its kind or slot says so."""
    if state.control[TRACING] != 0:
        _write(
            state.events,
            state.control,
            kind,
            slot,
            row,
            square,
            before,
            after,
            other,
            mask,
        )


@inlined
def record_end(state: State, kind: int) -> None:
    """Write the event that ends a search or a run of it; `before` is its depth."""
    record(state, kind, NONE, NONE, NONE, state.control[DEPTH], EMPTY, NONE, ZERO)


@kernel
def record_constraint(
    state: State, kind: int, constraint: int, slot: int, row: int, square: int, before: int, after: int
) -> None:
    """Write an event that comes from a global constraint, likewise."""
    record(state, kind, slot, row, square, before, after, NONE, ZERO)
    if state.control[TRACING] != 0:
        state.events[(state.control[EVENT_COUNT] - 1) % len(state.events), EVENT_CONSTRAINT] = constraint


@kernel
def tell_unmet(state: State, constraint: int) -> None:
    """Tell which global constraint cannot be met, and write that event; so far nobody is to blame."""
    control = state.control
    control[FAILED_CONSTRAINT] = constraint
    control[FAILED_SQUARE] = -1
    control[FAILED_RIVAL] = -1
    control[FAILED_SLOT] = 0
    control[FAILED_PLACES] = 0
    record_constraint(state, WIPE_OUT, constraint, NONE, NONE, NONE, EMPTY, EMPTY)


@kernel
def _write(
    events: Longs,
    control: Longs,
    kind: int,
    slot: int,
    row: int,
    square: int,
    before: int,
    after: int,
    other: int,
    mask: np.uint64,
) -> None:
    ring = control[EVENT_COUNT] % len(events)
    events[ring, KIND] = kind
    events[ring, EVENT_DEPTH] = control[DEPTH]
    events[ring, EVENT_SLOT] = slot
    events[ring, EVENT_ROW] = row
    events[ring, EVENT_SQUARE] = square
    events[ring, BEFORE] = before
    events[ring, AFTER] = after
    events[ring, OTHER_SLOT] = other
    events[ring, MASK_LOW] = as_int(mask & _LOW_HALF)
    events[ring, MASK_HIGH] = as_int(mask >> np.uint64(32))
    events[ring, EVENT_CONSTRAINT] = NONE
    control[EVENT_COUNT] += 1
    wanted = np.uint64(control[STOP_KINDS]) & bit(kind)
    if wanted != ZERO or (control[STOP_SLOT] >= 0 and control[STOP_SLOT] == slot):
        control[PAUSED] = 1
