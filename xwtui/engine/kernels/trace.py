"""Trace events: what the search does, one row in a ring for each thing that a user can name."""

from typing import cast

import numpy as np

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int, bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.state import State

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
    state: State, kind: int, slot: int, row: int, square: int, before: int, after: int, other: int, mask: np.uint64
) -> None:
    """Write an event into the ring, if tracing, and ask for a pause if its kind or slot says so."""
    if state.control[states.TRACING] != 0:
        _write(state, kind, slot, row, square, before, after, other, mask)


@inlined
def record_end(state: State, kind: int) -> None:
    """Write the event that ends a search or a run of it; `before` is its depth."""
    record(state, kind, NONE, NONE, NONE, state.control[states.DEPTH], EMPTY, NONE, ZERO)


@kernel
def record_constraint(
    state: State, kind: int, constraint: int, slot: int, row: int, square: int, before: int, after: int
) -> None:
    """Write an event that comes from a global constraint, likewise."""
    record(state, kind, slot, row, square, before, after, NONE, ZERO)
    if state.control[states.TRACING] != 0:
        last = (state.control[states.EVENT_COUNT] - 1) % len(state.events)
        state.events[last, states.EVENT_CONSTRAINT] = constraint


@kernel
def tell_unmet(state: State, constraint: int) -> None:
    """Tell which global constraint cannot be met, and write that event; so far nobody is to blame."""
    control = state.control
    control[states.FAILED_CONSTRAINT] = constraint
    control[states.FAILED_SQUARE] = -1
    control[states.FAILED_RIVAL] = -1
    control[states.FAILED_SLOT] = 0
    control[states.FAILED_PLACES] = 0
    record_constraint(state, WIPE_OUT, constraint, NONE, NONE, NONE, EMPTY, EMPTY)


@kernel
def _write(
    state: State, kind: int, slot: int, row: int, square: int, before: int, after: int, other: int, mask: np.uint64
) -> None:
    control, events = state.control, state.events
    ring = control[states.EVENT_COUNT] % len(events)
    events[ring, states.KIND] = kind
    events[ring, states.EVENT_DEPTH] = control[states.DEPTH]
    events[ring, states.EVENT_SLOT] = slot
    events[ring, states.EVENT_ROW] = row
    events[ring, states.EVENT_SQUARE] = square
    events[ring, states.BEFORE] = before
    events[ring, states.AFTER] = after
    events[ring, states.OTHER_SLOT] = other
    events[ring, states.MASK_LOW] = as_int(mask & _LOW_HALF)
    events[ring, states.MASK_HIGH] = as_int(mask >> np.uint64(32))
    events[ring, states.EVENT_CONSTRAINT] = NONE
    control[states.EVENT_COUNT] += 1
    wanted = np.uint64(control[states.STOP_KINDS]) & bit(kind)
    if wanted != ZERO or (control[states.STOP_SLOT] >= 0 and control[states.STOP_SLOT] == slot):
        control[states.PAUSED] = 1
