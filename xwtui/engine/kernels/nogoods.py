"""Nogoods from restarts, watched by two of their literals.

After Lecoutre, Saïs, Tabary, Vidal: Recording and Minimizing Nogoods from Restarts, JSAT 2007. A
literal is `slot = row`, never a decision on a square; a nogood is a set of literals that cannot all
hold. When all but one hold, the last one's row leaves its slot. A nogood lies in `State.nogoods` as
its number of literals, the links of its two watches, and its literals as pairs of slot and row; the
first two are watched. A watch is named by 2 x the nogood's place, plus 0 or 1; the watches on a slot
are linked.
"""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import ZERO, as_int
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.decisions import holds
from xwtui.engine.kernels.domain import has_row, remove_row
from xwtui.engine.kernels.network import Network, every_place, size_address
from xwtui.engine.kernels.state import FAILED_PLACES, FAILED_RIVAL, FAILED_SLOT, FAILED_SQUARE, NOGOODS_END, State

_HEADER = 3


@inlined
def nogood_literal_slot(state: State, nogood: int, literal: int) -> int:
    """The slot of a nogood's literal."""
    return int(state.nogoods[nogood + _HEADER + 2 * literal])


@inlined
def nogood_literal_row(state: State, nogood: int, literal: int) -> int:
    """The row of a nogood's literal."""
    return int(state.nogoods[nogood + _HEADER + 2 * literal + 1])


@inlined
def has_nogood_room(state: State, literals: int) -> bool:
    """Tell whether one more nogood of so many literals can be kept."""
    return bool(state.control[NOGOODS_END] + _HEADER + 2 * literals <= len(state.nogoods))


@inlined
def open_nogood(state: State) -> int:
    """Begin a nogood at the end of the others; returns its place."""
    nogood = int(state.control[NOGOODS_END])
    state.nogoods[nogood] = 0
    return nogood


@inlined
def add_literal(state: State, nogood: int, slot: int, row: int) -> None:
    """Append a literal to the nogood in the making."""
    place = nogood + _HEADER + 2 * state.nogoods[nogood]
    state.nogoods[place] = slot
    state.nogoods[place + 1] = row
    state.nogoods[nogood] += 1


@inlined
def close_nogood(state: State, nogood: int) -> None:
    """Keep a nogood of two literals or more, none of which holds, and watch its first two."""
    state.control[NOGOODS_END] = nogood + _HEADER + 2 * state.nogoods[nogood]
    for side in range(2):
        _link(state, 2 * nogood + side)


@inlined
def _link(state: State, watch: int) -> None:
    """Put a watch at the head of the list of its literal's slot."""
    nogood, side = watch >> 1, watch & 1
    slot = nogood_literal_slot(state, nogood, side)
    state.nogoods[nogood + 1 + side] = state.watch_head[slot]
    state.watch_head[slot] = watch


@kernel
def visit_watches(network: Network, state: State, slot: int, row: int) -> bool:
    """Draw the conclusions of `slot = row` from the nogoods; False where a slot runs empty."""
    nogoods = state.nogoods
    watch = state.watch_head[slot]
    before = -1
    while watch >= 0:
        nogood, side = watch >> 1, watch & 1
        following = nogoods[nogood + 1 + side]
        if nogood_literal_row(state, nogood, side) == row:
            if _exchange(network, state, nogood, side):
                if before < 0:
                    state.watch_head[slot] = following
                else:
                    nogoods[(before >> 1) + 1 + (before & 1)] = following
                _link(state, watch)
                watch = following
                continue
            if not _refuse(network, state, nogood, 1 - side):
                return False
        before = watch
        watch = following
    return True


@inlined
def _exchange(network: Network, state: State, nogood: int, side: int) -> bool:
    """Swap a watched literal for one that does not hold, in another slot; False where there is none."""
    nogoods = state.nogoods
    here = nogood + _HEADER + 2 * side
    for place in range(nogood + _HEADER + 4, nogood + _HEADER + 2 * nogoods[nogood], 2):
        slot, row = nogoods[place], nogoods[place + 1]
        if not holds(network, state, slot, row):
            nogoods[place] = nogoods[here]
            nogoods[place + 1] = nogoods[here + 1]
            nogoods[here] = slot
            nogoods[here + 1] = row
            return True
    return False


@inlined
def _refuse(network: Network, state: State, nogood: int, side: int) -> bool:
    """Take the row of the one literal that may not hold away; False where its slot runs empty."""
    slot = nogood_literal_slot(state, nogood, side)
    row = nogood_literal_row(state, nogood, side)
    if not has_row(network, state, slot, row):
        return True
    before = as_int(state.memory[size_address(network, slot)])
    if remove_row(network, state, slot, row):
        trace.record(state, trace.PRUNE, slot, row, trace.NONE, before, before - 1, trace.NONE, ZERO)
        return True
    state.control[FAILED_SLOT] = slot
    state.control[FAILED_SQUARE] = -1
    state.control[FAILED_PLACES] = every_place(network, slot)
    state.control[FAILED_RIVAL] = -1
    trace.record(state, trace.WIPE_OUT, slot, row, trace.NONE, before, trace.EMPTY, trace.NONE, ZERO)
    return False
