"""The trail: memory cells are saved once a level, told by time stamps, and restored on backtracking."""

import numpy as np

from xwtui.engine.kernels.compiled import inlined
from xwtui.engine.kernels.state import DEPTH, TIME, TRAIL_TOP, State


@inlined
def write(state: State, address: int, value: np.uint64) -> None:
    """Change a memory cell so that the present level can be undone."""
    control = state.control
    if state.stamps[address] != control[TIME]:
        top = control[TRAIL_TOP]
        state.trail[2 * top] = address
        state.trail[2 * top + 1] = state.memory[address]
        state.stamps[address] = control[TIME]
        control[TRAIL_TOP] = top + 1
    state.memory[address] = value


@inlined
def has_room(state: State) -> bool:
    """Tell whether the trail can take a whole level more: one save of every cell at most."""
    return bool(2 * (state.control[TRAIL_TOP] + len(state.memory)) <= len(state.trail))


@inlined
def push_level(state: State) -> None:
    """Open a level; the caller has seen to it that the trail `has_room`."""
    control = state.control
    if control[DEPTH] == 0:
        control[TRAIL_TOP] = 0
    state.levels[control[DEPTH]] = control[TRAIL_TOP]
    control[DEPTH] += 1
    control[TIME] += 1


@inlined
def pop_level(state: State) -> None:
    """Undo all writes of the topmost level."""
    control = state.control
    control[DEPTH] -= 1
    bottom = state.levels[control[DEPTH]]
    for entry in range(control[TRAIL_TOP] - 1, bottom - 1, -1):
        state.memory[np.int64(state.trail[2 * entry])] = state.trail[2 * entry + 1]
    control[TRAIL_TOP] = bottom
    control[TIME] += 1
