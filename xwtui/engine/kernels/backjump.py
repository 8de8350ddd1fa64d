"""Jumping back over decisions that a dead end does not depend on.

After Prosser: Hybrid Algorithms for the Constraint Satisfaction Problem, Computational Intelligence
1993. A dead end's conflict is a set of slots that cannot all be filled as they stand. Propagation's
conflict is read off the trail: the slots that it changed since the decision or denial that it followed,
and the one that ran empty; no other took part. A decision that changed none of a conflict's slots had no
part in it, so what it left undone need not be tried: in a grid that falls into parts, a dead end of
one part is not met again for every fill of another. Conflicts are bit-sets of slots; that of a
decision's denial stands for its level in `Search.reasons` until the next decision on that level.
"""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int, bit
from xwtui.engine.kernels.bound import ASKED
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.network import (
    AT_INDEX,
    AT_SLOT,
    CROSSING,
    PLACES,
    Network,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.search_state import BACKJUMP, JUMPS, NOBODY, REFUTED, SECTION, Search
from xwtui.engine.kernels.state import DEPTH, FAILED_SLOT, TRAIL_TOP, State
from xwtui.engine.kernels.trail import pop_level


@kernel
def explain(network: Network, state: State, search: Search) -> None:
    """Find the conflict of a wipe-out, where it is to be found."""
    conflict = search.conflict
    forget_conflict(search)
    if not _is_local(network, state, search):
        return
    first = size_address(network, NOUGHT)
    last = first + slot_count(network)
    for entry in range(search.progress[SECTION], state.control[TRAIL_TOP]):
        address = as_int(state.trail[2 * entry])
        if first <= address < last:
            conflict[(address - first) >> 6] |= bit((address - first) & 63)
    _include(search, state.control[FAILED_SLOT])
    if search.progress[REFUTED] != NOBODY:
        recall(search, state.control[DEPTH])


@inlined
def forget_conflict(search: Search) -> None:
    """Begin with an empty conflict."""
    for word in range(len(search.conflict)):
        search.conflict[word] = ZERO


@inlined
def _include(search: Search, slot: int) -> None:
    search.conflict[slot >> 6] |= bit(slot & 63)


@inlined
def recall(search: Search, depth: int) -> None:
    """Add to the conflict why the decisions refuted at this depth were."""
    width = len(search.conflict)
    for word in range(width):
        search.conflict[word] |= search.reasons[depth * width + word]


@inlined
def forget_reasons(search: Search, depth: int) -> None:
    """Nothing has been refuted at this depth yet."""
    width = len(search.conflict)
    for word in range(width):
        search.reasons[depth * width + word] = ZERO


@kernel
def remember(network: Network, search: Search, depth: int, who: int) -> None:
    """Keep the conflict as the reason why a decision is refuted at this depth."""
    if who >= 0:
        _include(search, who)
    else:
        slot = network.squares[~who, AT_SLOT]
        other = network.places[network.slots[slot, PLACES] + network.squares[~who, AT_INDEX], CROSSING]
        _include(search, slot)
        if other >= 0:
            _include(search, other)
    width = len(search.conflict)
    for word in range(width):
        search.reasons[depth * width + word] |= search.conflict[word]


@kernel
def jump_back(network: Network, state: State, search: Search) -> bool:
    """Undo the last decision if it changed no slot of the conflict, without refuting it; False if it did."""
    depth = state.control[DEPTH]
    if depth == 0 or search.progress[REFUTED] == NOBODY or not _is_local(network, state, search):
        return False
    if _touches(network, state, search, state.levels[depth - 1], search.settled[depth]):
        return False
    pop_level(state)
    depth -= 1
    search.progress[JUMPS] += 1
    if depth > 0 and _touches(network, state, search, search.settled[depth], state.control[TRAIL_TOP]):
        recall(search, depth)
    tell_jump(state, search, depth, trace.EMPTY)
    return True


@inlined
def _is_local(network: Network, state: State, search: Search) -> bool:
    """Tell whether conflicts are looked for: only slots, not demands or a worth, have a say."""
    is_asked = search.settings[BACKJUMP] != 0 and len(network.demands) == 0
    return bool(is_asked and state.worth[ASKED] == 0)


@inlined
def _touches(network: Network, state: State, search: Search, begin: int, end: int) -> bool:
    """Tell whether a section of the trail changed a slot of the conflict."""
    first = size_address(network, NOUGHT)
    last = first + slot_count(network)
    for entry in range(begin, end):
        address = as_int(state.trail[2 * entry])
        if first <= address < last:
            slot = address - first
            if search.conflict[slot >> 6] & bit(slot & 63) != ZERO:
                return True
    return False


@kernel
def tell_jump(state: State, search: Search, depth: int, refuted: int) -> None:
    """Record that a decision was undone, and may come back as it was; `refuted` others have failed there, or 0."""
    who, what = search.decisions[depth, 0], search.decisions[depth, 1]
    slot, row, square, mask = who, what, trace.NONE, ZERO
    if who < 0:
        slot, row, square, mask = trace.NONE, trace.NONE, ~who, bit(what)
    trace.record(state, trace.JUMP, slot, row, square, refuted, trace.EMPTY, trace.NONE, mask)
