"""The search: complete, with two-way branching (a decision, then its negation), run in slices.

It is a state machine with three phases. It can pause between any two events and resume exactly as if it had not
paused, so the result does not depend on the slicing.

From a dead end it retreats by backjumps, by the breadth limit and by restarts.

Backjumping, over decisions that a dead end does not depend on.

After Prosser: Hybrid Algorithms for the Constraint Satisfaction Problem, Computational Intelligence 1993. A dead
end's conflict is a set of slots that cannot all be filled in the current state. The conflict of a propagation is
read off the trail: the slots changed since the decision or negation that started it, and the slot that was wiped
out. No other slot took part. A decision that changed no slot of the conflict had no part in it, so its remaining
options need not be tried. In a grid that falls apart into regions, a dead end of one region is therefore not
repeated for every fill of another. Conflicts are bit-sets of slots. The conflict of a decision's negation is kept
for its level in `Search.reasons` until the next decision on that level.

The breadth limit: a run abandons a decision after a few of its options have been refuted.

After Ginsberg, Harvey: Iterative Broadening, Artificial Intelligence 55 (1992). If the roomiest words of an entry
have all failed, the mistake is usually further up, and the hundreds of other words would fail the same way. The
first run of a search tries them all, so that quick proofs are found. Later runs abandon a decision after as many
refutations as the breadth allows. The breadth grows with each run, and faster after a run that exhausted its
options before its restart was due. A run that has abandoned anything proves nothing: the root loses no option
through it. Conflicts do not account for what was abandoned, so jumps go farther back than is proved, which pays.

Restarts, and what the next run does differently. If pairs of squares may differ, every other run lets no more
differ than necessary, which finds fills sooner. Such a run counts as one that has abandoned something.

Policies: geometric (Walsh, Search in a Small World, IJCAI 1999); Luby (Luby, Sinclair, Zuckerman, Optimal Speedup
of Las Vegas Algorithms, 1993); nested (Biere, PicoSAT Essentials, JSAT 2008).
"""

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import TYPED_ZERO, ZERO, as_int, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, CROSSING, PLACES, Network, size_address, slot_count
from xwtui.engine.kernels.propagate.bound import IS_ACTIVE
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search.choose import choose_decision
from xwtui.engine.kernels.search.decisions import Search
from xwtui.engine.kernels.state import NONE, State, has_room, pairs_below, pop_level, push_level, square_mask


@kernel
def explain(network: Network, state: State, search: Search) -> None:
    """Compute the conflict of a wipe-out, if backjumping applies."""
    conflict = search.conflict
    clear_conflict(search)
    if not _is_local(network, state, search):
        return
    first = size_address(network, TYPED_ZERO)
    last = first + slot_count(network)
    entry = state.control[states.TRAIL_TOP]
    while entry > search.progress[deciding.SECTION]:
        entry -= 1
        address = as_int(state.trail[2 * entry])
        entry -= pairs_below(state, entry)
        if first <= address < last:
            conflict[(address - first) >> 6] |= bit((address - first) & 63)
    _include(search, state.control[states.FAILED_SLOT])
    if search.progress[deciding.REFUTED] != deciding.NOBODY:
        add_reasons(search, state.control[states.DEPTH])


@inlined
def clear_conflict(search: Search) -> None:
    """Clear the conflict."""
    for word in range(len(search.conflict)):
        search.conflict[word] = ZERO


@inlined
def _include(search: Search, slot: int) -> None:
    search.conflict[slot >> 6] |= bit(slot & 63)


@inlined
def add_reasons(search: Search, depth: int) -> None:
    """Add the reasons of the decisions refuted at this depth to the conflict."""
    width = len(search.conflict)
    for word in range(width):
        search.conflict[word] |= search.reasons[depth * width + word]


@inlined
def clear_reasons(search: Search, depth: int) -> None:
    """Clear the reasons at this depth."""
    width = len(search.conflict)
    for word in range(width):
        search.reasons[depth * width + word] = ZERO


@kernel
def save_reason(network: Network, search: Search, depth: int, variable: int) -> None:
    """Keep the conflict as the reason why a decision is refuted at this depth."""
    if variable >= 0:
        _include(search, variable)
    else:
        slot = network.squares[~variable, AT_SLOT]
        other = network.places[network.slots[slot, PLACES] + network.squares[~variable, AT_INDEX], CROSSING]
        _include(search, slot)
        if other >= 0:
            _include(search, other)
    width = len(search.conflict)
    for word in range(width):
        search.reasons[depth * width + word] |= search.conflict[word]


@kernel
def jump_back(network: Network, state: State, search: Search) -> bool:
    """Undo the last decision, unrefuted, if it changed no slot of the conflict; False if it changed one."""
    depth = state.control[states.DEPTH]
    if depth == 0 or search.progress[deciding.REFUTED] == deciding.NOBODY or not _is_local(network, state, search):
        return False
    if _touches(network, state, search, state.levels[depth - 1], search.settled[depth]):
        return False
    pop_level(state)
    depth -= 1
    search.progress[deciding.JUMPS] += 1
    if depth > 0 and _touches(network, state, search, search.settled[depth], state.control[states.TRAIL_TOP]):
        add_reasons(search, depth)
    record_jump(state, search, depth, states.EMPTY)
    return True


@inlined
def _is_local(network: Network, state: State, search: Search) -> bool:
    """Whether conflicts are computed: only if neither global constraints nor a required worth take part."""
    is_asked = search.settings[deciding.BACKJUMP] != 0 and len(network.constraints) == 0
    return bool(is_asked and state.worth[IS_ACTIVE] == 0)


@inlined
def _touches(network: Network, state: State, search: Search, begin: int, end: int) -> bool:
    """Whether a section of the trail changed a slot of the conflict."""
    first = size_address(network, TYPED_ZERO)
    last = first + slot_count(network)
    while end > begin:
        end -= 1
        address = as_int(state.trail[2 * end])
        end -= pairs_below(state, end)
        if first <= address < last:
            slot = address - first
            if search.conflict[slot >> 6] & bit(slot & 63) != ZERO:
                return True
    return False


@kernel
def record_jump(state: State, search: Search, depth: int, refuted: int) -> None:
    """Record an undone decision that may be made again; `refuted` others have failed at its depth, or 0."""
    variable, value = search.decisions[depth, 0], search.decisions[depth, 1]
    slot, row, square, mask = variable, value, NONE, ZERO
    if variable < 0:
        slot, row, square, mask = NONE, NONE, ~variable, bit(value)
    states.record(state, states.JUMP, slot, row, square, refuted, states.EMPTY, NONE, mask)


_STEPS = 5
"""Number of runs ended by their restart after which the breadth grows by one."""
_LEAP = 4
"""The breadth grows by one part in this many after a run that exhausted its options."""


@inlined
def widen_breadth(search: Search) -> None:
    """Set the breadth of the next run, in steps."""
    progress = search.progress
    if progress[deciding.BREADTH] == 0:
        progress[deciding.BREADTH] = _STEPS * search.settings[deciding.FIRST_BREADTH]
    elif progress[deciding.BACKTRACKS] < progress[deciding.RESTART_AT]:
        progress[deciding.BREADTH] += progress[deciding.BREADTH] // _LEAP
    else:
        progress[deciding.BREADTH] += 1
    progress[deciding.HAS_ABANDONED] = 0


@kernel
def abandon_decision(state: State, search: Search) -> bool:
    """Undo the last decision, unrefuted, if its depth has had its share of refutations; False if not."""
    progress, depth = search.progress, state.control[states.DEPTH] - 1
    refuted = search.refutations[max(depth, 0)]
    is_narrow = progress[deciding.BREADTH] != 0 and progress[deciding.BY_SQUARES] == 0
    if depth <= 0 or not is_narrow or _STEPS * refuted < progress[deciding.BREADTH]:
        return False
    pop_level(state)
    progress[deciding.JUMPS] += 1
    progress[deciding.HAS_ABANDONED] = 1
    record_jump(state, search, depth, refuted)
    return True


@kernel
def restart(state: State, search: Search) -> None:
    """Return to the root; the weights carry over what the search has learned."""
    progress = search.progress
    states.record_end(state, states.RESTART)
    while state.control[states.DEPTH] > 0:
        pop_level(state)
    progress[deciding.RESTARTS] += 1
    widen_breadth(search)
    if state.control[states.TIGHT] != 0:
        progress[deciding.HAS_ABANDONED] = as_int(state.control[states.TIGHT] == states.IS_LOOSE)
        state.control[states.TIGHT] = states.IS_TIGHT if progress[deciding.HAS_ABANDONED] != 0 else states.IS_LOOSE
    progress[deciding.CONFLICT] = progress[deciding.REFUTED] = deciding.NOBODY
    takes_turns = search.settings[deciding.BRANCHING] in (deciding.IN_TURNS, deciding.SQUARES_AT_LAST)
    if not takes_turns or not _take_turns(search):
        _plan_next(search)


@inlined
def _take_turns(search: Search) -> bool:
    """Switch to squares, or back to words; False if neither.

    Squares get as many backtracks as there have been so far, or (SQUARES_AT_LAST) the rest of the search. In the
    latter case all weights are reset to 1: those learned from words make proofs longer.
    """
    progress = search.progress
    if progress[deciding.BY_SQUARES] != 0:
        progress[deciding.BY_SQUARES] = 0
        progress[deciding.TURN_AT] = 2 * progress[deciding.BACKTRACKS]
        progress[deciding.RESTART_AT] = progress[deciding.BACKTRACKS] + progress[deciding.RESTART_STRIDE]
        return True
    if progress[deciding.BACKTRACKS] < progress[deciding.TURN_AT]:
        return False
    progress[deciding.BY_SQUARES] = 1
    if search.settings[deciding.BRANCHING] == deciding.IN_TURNS:
        progress[deciding.RESTART_AT] = 2 * progress[deciding.BACKTRACKS]
    else:
        progress[deciding.RESTART_AT] = deciding.NO_RESTART
        for number in range(len(search.weights)):
            search.weights[number] = 1.0
    return True


@kernel
def _plan_next(search: Search) -> None:
    """Set when the next restart is due."""
    progress, settings = search.progress, search.settings
    policy, stride = settings[deciding.RESTART_POLICY], progress[deciding.RESTART_STRIDE]
    if policy == deciding.LUBY:
        stride = settings[deciding.FIRST_STRIDE] * _luby(progress[deciding.RESTARTS] + 1)
    else:
        stride = stride * settings[deciding.STRIDE_GROWTH] // 1000 + 1
        if policy == deciding.NESTED and stride > progress[deciding.OUTER_STRIDE]:
            progress[deciding.OUTER_STRIDE] = (
                progress[deciding.OUTER_STRIDE] * settings[deciding.STRIDE_GROWTH] // 1000 + 1
            )
            stride = settings[deciding.FIRST_STRIDE]
    progress[deciding.RESTART_STRIDE] = stride
    progress[deciding.RESTART_AT] = progress[deciding.BACKTRACKS] + stride


@kernel
def _luby(run: int) -> int:
    """Return the length of a run, counted from 1: 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ..."""
    while True:
        length = 1
        while 2 * length - 1 < run:
            length *= 2
        if 2 * length - 1 == run:
            return length
        run -= length - 1


# Phases.
PROPAGATE = 0
DECIDE = 1
BACK_UP = 2
DONE = 3

# Results of a slice.
RUNNING = 0
FILLED = 1
IMPOSSIBLE = 2
TRAIL_FULL = 3
"""The trail must be lengthened before the next slice."""
AT_EVENT = 4
"""A traced event requested a pause."""


@entry_point
def advance(network: Network, state: State, search: Search, last_node: int) -> int:
    """Search until this total number of nodes is reached, or until there is a result."""
    control, progress = state.control, search.progress
    while True:
        if control[states.PAUSED] != 0:
            return AT_EVENT
        if not has_room(state):
            return TRAIL_FULL
        phase = progress[deciding.PHASE]
        if phase == PROPAGATE:
            outcome = propagate(network, state)
            if outcome == states.WIPED_OUT:
                deciding.blame(network, state, search)
                progress[deciding.CONFLICT] = progress[deciding.TRIED]
                explain(network, state, search)
                progress[deciding.PHASE] = BACK_UP
            elif outcome != states.INTERRUPTED:
                progress[deciding.PHASE] = DECIDE
        elif phase == BACK_UP:
            if not _back_up(network, state, search):
                return IMPOSSIBLE
        elif progress[deciding.BACKTRACKS] >= progress[deciding.RESTART_AT]:
            restart(state, search)
            progress[deciding.PHASE] = PROPAGATE
        elif progress[deciding.NODES] >= last_node:
            return RUNNING
        else:
            if search.settings[deciding.FULLEST_FIRST] != 0:
                deciding.save_fullest(network, state, search)
            if not choose_decision(network, state, search):
                states.record_end(state, states.SOLVED)
                progress[deciding.PHASE] = DONE
                return FILLED
            _decide(network, state, search)
            progress[deciding.PHASE] = PROPAGATE


@kernel
def _back_up(network: Network, state: State, search: Search) -> bool:
    """Retreat from a dead end by one decision or to the root; False if none is left: there is no fill."""
    progress = search.progress
    if progress[deciding.HAS_ABANDONED] != 0 and state.control[states.DEPTH] <= 1:  # decisions were abandoned
        restart(state, search)
        progress[deciding.PHASE] = PROPAGATE
        return True
    if jump_back(network, state, search) or abandon_decision(state, search):
        return True
    if state.control[states.DEPTH] == 0:
        states.record_end(state, states.IMPOSSIBLE)
        progress[deciding.PHASE] = DONE
        return False
    if _goes_symbol_by_symbol(network, state, search):
        progress[deciding.PHASE] = DECIDE if _next_symbol(network, state, search) else BACK_UP
    else:
        _refute(network, state, search)
        progress[deciding.PHASE] = PROPAGATE
    return True


@kernel
def _decide(network: Network, state: State, search: Search) -> None:
    """Impose the chosen decision, one level deeper."""
    progress = search.progress
    if progress[deciding.REFUTED] == deciding.NOBODY:
        search.settled[state.control[states.DEPTH]] = state.control[states.TRAIL_TOP]
        search.refutations[state.control[states.DEPTH]] = 0
    push_level(state)
    depth = state.control[states.DEPTH]
    progress[deciding.SECTION] = state.control[states.TRAIL_TOP]
    clear_reasons(search, depth)
    progress[deciding.NODES] += 1
    progress[deciding.DEEPEST] = max(progress[deciding.DEEPEST], depth)
    variable = search.decisions[depth - 1, 0]
    progress[deciding.TRIED] = variable
    progress[deciding.REFUTED] = deciding.NOBODY
    if progress[deciding.CONFLICT] >= 0:
        progress[deciding.CONFLICT] = deciding.NOBODY
    deciding.impose(network, state, variable, search.decisions[depth - 1, 1])


@kernel
def _refute(network: Network, state: State, search: Search) -> None:
    """Undo the last decision and negate it. Its slot or square has at least one other option."""
    progress = search.progress
    pop_level(state)
    depth = state.control[states.DEPTH]
    variable, value = search.decisions[depth, 0], search.decisions[depth, 1]
    save_reason(network, search, depth, variable)
    progress[deciding.SECTION] = state.control[states.TRAIL_TOP]
    progress[deciding.BACKTRACKS] += 1
    progress[deciding.REFUTED] = progress[deciding.TRIED] = variable
    search.refutations[depth] += 1
    options = deciding.options_of(network, state, variable)
    deciding.deny(network, state, variable, value)
    target = search.decisions[depth - 1, 0] if depth > 0 else states.START
    deciding.record_refutation(state, variable, value, options, target)


@inlined
def _goes_symbol_by_symbol(network: Network, state: State, search: Search) -> bool:
    """Whether the last decision is one of several on a square whose symbols are tried in turn."""
    depth = state.control[states.DEPTH] - 1
    is_free = depth > 0 and len(network.constraints) == 0
    return bool(is_free and search.progress[deciding.BY_SQUARES] != 0 and search.decisions[depth, 0] < 0)


@kernel
def _next_symbol(network: Network, state: State, search: Search) -> bool:
    """Undo the last decision, on a square; False if all its symbols have been tried.

    The removal of the symbol is not propagated: another symbol is tried at once. This shortens proofs on the hard
    published grids.
    """
    progress = search.progress
    pop_level(state)
    depth = state.control[states.DEPTH]
    variable, value = search.decisions[depth, 0], search.decisions[depth, 1]
    search.denied[depth] |= bit(value)
    progress[deciding.BACKTRACKS] += 1
    progress[deciding.REFUTED] = variable
    left = count_bits(square_mask(network, state, ~variable) & ~search.denied[depth])
    deciding.record_refutation(state, variable, value, left + 1, search.decisions[depth - 1, 0])
    save_reason(network, search, depth, variable)
    if left == 0:
        clear_conflict(search)
        add_reasons(search, depth)
    return left > 0
