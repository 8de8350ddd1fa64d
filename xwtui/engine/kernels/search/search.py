"""The search: complete, with two-way branching (a decision, then its denial), in slices.

It is a machine with three phases, so that it can rest between any two events and go on later
exactly as if it had not: the result does not depend on how the slices are cut.

It goes back from a dead end by jumps, by the breadth limit and by restarts.

Jumping back over decisions that a dead end does not depend on.

After Prosser: Hybrid Algorithms for the Constraint Satisfaction Problem, Computational Intelligence
1993. A dead end's conflict is a set of slots that cannot all be filled as they stand. Propagation's
conflict is read off the trail: the slots that it changed since the decision or denial that it followed,
and the one that ran empty; no other took part. A decision that changed none of a conflict's slots had no
part in it, so what it left undone need not be tried: in a grid that falls into parts, a dead end of
one part is not met again for every fill of another. Conflicts are bit-sets of slots; that of a
decision's denial stands for its level in `Search.reasons` until the next decision on that level.

The breadth limit: a decision is left, for this run, after a few of its options have been refuted.

After Ginsberg, Harvey: Iterative Broadening, Artificial Intelligence 55 (1992). Where the roomiest words of an
entry have all failed, the mistake lies further up as a rule, and the hundreds that are left would repeat it.
The first run of a search tries them all, so that what is soon proved is; later ones leave what has failed as
often as the breadth says, which grows with each, by more where a run had nothing left to try before
its restart was due. A run that has left anything proves nothing: the root loses no option by it. Nor do
conflicts speak for what was left: jumps go back farther than is proved, which pays.

Restarts: when they are due, and what they leave behind. Where pairs of squares may differ, every other run has
no more differ than it must, which is found sooner; it has left the rest, as above.

Policies: geometric (Walsh, Search in a Small World, IJCAI 1999); Luby (Luby, Sinclair, Zuckerman,
Optimal Speedup of Las Vegas Algorithms, 1993); nested (Biere, PicoSAT Essentials, JSAT 2008).
"""

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, CROSSING, PLACES, Network, size_address, slot_count
from xwtui.engine.kernels.propagate.bound import ASKED
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search.choose import choose_decision
from xwtui.engine.kernels.search.decisions import Search
from xwtui.engine.kernels.state import NONE, State, has_room, pairs_below, pop_level, push_level, square_mask


@kernel
def explain(network: Network, state: State, search: Search) -> None:
    """Find the conflict of a wipe-out, where it is to be found."""
    conflict = search.conflict
    forget_conflict(search)
    if not _is_local(network, state, search):
        return
    first = size_address(network, NOUGHT)
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
        recall(search, state.control[states.DEPTH])


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
    depth = state.control[states.DEPTH]
    if depth == 0 or search.progress[deciding.REFUTED] == deciding.NOBODY or not _is_local(network, state, search):
        return False
    if _touches(network, state, search, state.levels[depth - 1], search.settled[depth]):
        return False
    pop_level(state)
    depth -= 1
    search.progress[deciding.JUMPS] += 1
    if depth > 0 and _touches(network, state, search, search.settled[depth], state.control[states.TRAIL_TOP]):
        recall(search, depth)
    tell_jump(state, search, depth, states.EMPTY)
    return True


@inlined
def _is_local(network: Network, state: State, search: Search) -> bool:
    """Tell whether conflicts are looked for: only slots, not constraints or a worth, have a say."""
    is_asked = search.settings[deciding.BACKJUMP] != 0 and len(network.constraints) == 0
    return bool(is_asked and state.worth[ASKED] == 0)


@inlined
def _touches(network: Network, state: State, search: Search, begin: int, end: int) -> bool:
    """Tell whether a section of the trail changed a slot of the conflict."""
    first = size_address(network, NOUGHT)
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
def tell_jump(state: State, search: Search, depth: int, refuted: int) -> None:
    """Record that a decision was undone, and may come back as it was; `refuted` others have failed there, or 0."""
    who, what = search.decisions[depth, 0], search.decisions[depth, 1]
    slot, row, square, mask = who, what, NONE, ZERO
    if who < 0:
        slot, row, square, mask = NONE, NONE, ~who, bit(what)
    states.record(state, states.JUMP, slot, row, square, refuted, states.EMPTY, NONE, mask)


_STEPS = 5
"""Runs that come to their restart, after which the breadth is one more."""
_LEAP = 4
"""The breadth grows by one part in so many after a run that had nothing left to try."""


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
    progress[deciding.HAS_LEFT] = 0


@kernel
def leave(state: State, search: Search) -> bool:
    """Undo the last decision without refuting it, if its depth has had its share of refutations; False if not."""
    progress, depth = search.progress, state.control[states.DEPTH] - 1
    refuted = search.refutations[max(depth, 0)]
    is_narrow = progress[deciding.BREADTH] != 0 and progress[deciding.BY_SQUARES] == 0
    if depth <= 0 or not is_narrow or _STEPS * refuted < progress[deciding.BREADTH]:
        return False
    pop_level(state)
    progress[deciding.JUMPS] += 1
    progress[deciding.HAS_LEFT] = 1
    tell_jump(state, search, depth, refuted)
    return True


@kernel
def restart(state: State, search: Search) -> None:
    """Go back to the root; the weights are what the search has learnt."""
    progress = search.progress
    states.record_end(state, states.RESTART)
    while state.control[states.DEPTH] > 0:
        pop_level(state)
    progress[deciding.RESTARTS] += 1
    widen_breadth(search)
    if state.control[states.TIGHT] != 0:
        progress[deciding.HAS_LEFT] = as_int(state.control[states.TIGHT] == states.IS_LOOSE)
        state.control[states.TIGHT] = states.IS_TIGHT if progress[deciding.HAS_LEFT] != 0 else states.IS_LOOSE
    progress[deciding.CONFLICT] = progress[deciding.REFUTED] = deciding.NOBODY
    takes_turns = search.settings[deciding.BRANCHING] in (deciding.IN_TURNS, deciding.SQUARES_AT_LAST)
    if not takes_turns or not _take_turns(search):
        _plan_next(search)


@inlined
def _take_turns(search: Search) -> bool:
    """Hand over to squares, or back to words; False for neither.

    Squares have as many backtracks as there were so far, or keep the search for good. These begin
    with even weights: those that words have learnt make proofs longer.
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
    """The length of a run, counted from 1, in the sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ..."""
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

# What a slice came to.
RUNNING = 0
FILLED = 1
IMPOSSIBLE = 2
TRAIL_FULL = 3
"""The trail is to be lengthened before the next slice."""
AT_EVENT = 4
"""A traced event asked for a pause."""


@entry_point
def advance(network: Network, state: State, search: Search, last_node: int) -> int:
    """Search until so many nodes have been made in all, or until something comes of it."""
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
                deciding.keep_fullest(network, state, search)
            if not choose_decision(network, state, search):
                states.record_end(state, states.SOLVED)
                progress[deciding.PHASE] = DONE
                return FILLED
            _decide(network, state, search)
            progress[deciding.PHASE] = PROPAGATE


@kernel
def _back_up(network: Network, state: State, search: Search) -> bool:
    """Take back a decision after a dead end, or all; False where none is left, so that there is no fill."""
    progress = search.progress
    if progress[deciding.HAS_LEFT] != 0 and state.control[states.DEPTH] <= 1:  # there are others, left before
        restart(state, search)
        progress[deciding.PHASE] = PROPAGATE
        return True
    if jump_back(network, state, search) or leave(state, search):
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
    """Impose the decision that was chosen, one level deeper."""
    progress = search.progress
    if progress[deciding.REFUTED] == deciding.NOBODY:
        search.settled[state.control[states.DEPTH]] = state.control[states.TRAIL_TOP]
        search.refutations[state.control[states.DEPTH]] = 0
    push_level(state)
    depth = state.control[states.DEPTH]
    progress[deciding.SECTION] = state.control[states.TRAIL_TOP]
    forget_reasons(search, depth)
    progress[deciding.NODES] += 1
    progress[deciding.DEEPEST] = max(progress[deciding.DEEPEST], depth)
    who = search.decisions[depth - 1, 0]
    progress[deciding.TRIED] = who
    progress[deciding.REFUTED] = deciding.NOBODY
    if progress[deciding.CONFLICT] >= 0:
        progress[deciding.CONFLICT] = deciding.NOBODY
    deciding.impose(network, state, who, search.decisions[depth - 1, 1])


@kernel
def _refute(network: Network, state: State, search: Search) -> None:
    """Undo the last decision and deny it: its slot or square has another option at least."""
    progress = search.progress
    pop_level(state)
    depth = state.control[states.DEPTH]
    who, what = search.decisions[depth, 0], search.decisions[depth, 1]
    remember(network, search, depth, who)
    progress[deciding.SECTION] = state.control[states.TRAIL_TOP]
    progress[deciding.BACKTRACKS] += 1
    progress[deciding.REFUTED] = progress[deciding.TRIED] = who
    search.refutations[depth] += 1
    options = deciding.options_of(network, state, who)
    deciding.deny(network, state, who, what)
    target = search.decisions[depth - 1, 0] if depth > 0 else states.START
    deciding.tell_refutation(state, who, what, options, target)


@inlined
def _goes_symbol_by_symbol(network: Network, state: State, search: Search) -> bool:
    """Tell whether the last decision is one of many on a square, which are tried in turn."""
    depth = state.control[states.DEPTH] - 1
    is_free = depth > 0 and len(network.constraints) == 0
    return bool(is_free and search.progress[deciding.BY_SQUARES] != 0 and search.decisions[depth, 0] < 0)


@kernel
def _next_symbol(network: Network, state: State, search: Search) -> bool:
    """Undo the last decision, on a square; False where all its symbols have been tried.

    What follows from the loss of one symbol is not looked for: another one is tried at once. On the
    hard published grids that ends proofs sooner.
    """
    progress = search.progress
    pop_level(state)
    depth = state.control[states.DEPTH]
    who, what = search.decisions[depth, 0], search.decisions[depth, 1]
    search.denied[depth] |= bit(what)
    progress[deciding.BACKTRACKS] += 1
    progress[deciding.REFUTED] = who
    left = count_bits(square_mask(network, state, ~who) & ~search.denied[depth])
    deciding.tell_refutation(state, who, what, left + 1, search.decisions[depth - 1, 0])
    remember(network, search, depth, who)
    if left == 0:
        forget_conflict(search)
        recall(search, depth)
    return left > 0
