"""The search: complete, with two-way branching (a decision, then its denial), in slices.

It is a machine with three phases, so that it can rest between any two events and go on later
exactly as if it had not: the result does not depend on how the slices are cut.
"""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import bit, count_bits
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.search.backtracking import (
    explain,
    forget_conflict,
    forget_reasons,
    has_nothing_left,
    jump_back,
    leave,
    recall,
    remember,
    restart,
)
from xwtui.engine.kernels.search.branch import choose_decision
from xwtui.engine.kernels.search.decisions import (
    BACKTRACKS,
    BY_SQUARES,
    CONFLICT,
    DEEPEST,
    NOBODY,
    NODES,
    PHASE,
    REFUTED,
    RESTART_AT,
    SECTION,
    TRIED,
    Search,
    blame,
    deny,
    impose,
    options_of,
    tell_refutation,
)
from xwtui.engine.kernels.state import (
    DEPTH,
    INTERRUPTED,
    PAUSED,
    TRAIL_TOP,
    WIPED_OUT,
    State,
    has_room,
    pop_level,
    push_level,
    square_mask,
)

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
        if control[PAUSED] != 0:
            return AT_EVENT
        if not has_room(state):
            return TRAIL_FULL
        phase = progress[PHASE]
        if phase == PROPAGATE:
            outcome = propagate(network, state)
            if outcome == WIPED_OUT:
                blame(network, state, search)
                progress[CONFLICT] = progress[TRIED]
                explain(network, state, search)
                progress[PHASE] = BACK_UP
            elif outcome != INTERRUPTED:
                progress[PHASE] = DECIDE
        elif phase == BACK_UP:
            if not _back_up(network, state, search):
                return IMPOSSIBLE
        elif progress[BACKTRACKS] >= progress[RESTART_AT]:
            restart(state, search)
            progress[PHASE] = PROPAGATE
        elif progress[NODES] >= last_node:
            return RUNNING
        else:
            if not choose_decision(network, state, search):
                trace.record_end(state, trace.SOLVED)
                progress[PHASE] = DONE
                return FILLED
            _decide(network, state, search)
            progress[PHASE] = PROPAGATE


@kernel
def _back_up(network: Network, state: State, search: Search) -> bool:
    """Take back a decision after a dead end, or all; False where none is left, so that there is no fill."""
    progress = search.progress
    if has_nothing_left(state, search):
        restart(state, search)
        progress[PHASE] = PROPAGATE
        return True
    if jump_back(network, state, search) or leave(state, search):
        return True
    if state.control[DEPTH] == 0:
        trace.record_end(state, trace.IMPOSSIBLE)
        progress[PHASE] = DONE
        return False
    if _goes_symbol_by_symbol(network, state, search):
        progress[PHASE] = DECIDE if _next_symbol(network, state, search) else BACK_UP
    else:
        _refute(network, state, search)
        progress[PHASE] = PROPAGATE
    return True


@kernel
def _decide(network: Network, state: State, search: Search) -> None:
    """Impose the decision that was chosen, one level deeper."""
    progress = search.progress
    if progress[REFUTED] == NOBODY:
        search.settled[state.control[DEPTH]] = state.control[TRAIL_TOP]
        search.refutations[state.control[DEPTH]] = 0
    push_level(state)
    depth = state.control[DEPTH]
    progress[SECTION] = state.control[TRAIL_TOP]
    forget_reasons(search, depth)
    progress[NODES] += 1
    progress[DEEPEST] = max(progress[DEEPEST], depth)
    who = search.decisions[depth - 1, 0]
    progress[TRIED] = who
    progress[REFUTED] = NOBODY
    if progress[CONFLICT] >= 0:
        progress[CONFLICT] = NOBODY
    impose(network, state, who, search.decisions[depth - 1, 1])


@kernel
def _refute(network: Network, state: State, search: Search) -> None:
    """Undo the last decision and deny it: its slot or square has another option at least."""
    progress = search.progress
    pop_level(state)
    depth = state.control[DEPTH]
    who, what = search.decisions[depth, 0], search.decisions[depth, 1]
    remember(network, search, depth, who)
    progress[SECTION] = state.control[TRAIL_TOP]
    progress[BACKTRACKS] += 1
    progress[REFUTED] = progress[TRIED] = who
    search.refutations[depth] += 1
    options = options_of(network, state, who)
    deny(network, state, who, what)
    target = search.decisions[depth - 1, 0] if depth > 0 else trace.START
    tell_refutation(state, who, what, options, target)


@inlined
def _goes_symbol_by_symbol(network: Network, state: State, search: Search) -> bool:
    """Tell whether the last decision is one of many on a square, which are tried in turn."""
    depth = state.control[DEPTH] - 1
    is_free = depth > 0 and len(network.constraints) == 0
    return bool(is_free and search.progress[BY_SQUARES] != 0 and search.decisions[depth, 0] < 0)


@kernel
def _next_symbol(network: Network, state: State, search: Search) -> bool:
    """Undo the last decision, on a square; False where all its symbols have been tried.

    What follows from the loss of one symbol is not looked for: another one is tried at once. On the
    hard published grids that ends proofs sooner.
    """
    progress = search.progress
    pop_level(state)
    depth = state.control[DEPTH]
    who, what = search.decisions[depth, 0], search.decisions[depth, 1]
    search.denied[depth] |= bit(what)
    progress[BACKTRACKS] += 1
    progress[REFUTED] = who
    left = count_bits(square_mask(network, state, ~who) & ~search.denied[depth])
    tell_refutation(state, who, what, left + 1, search.decisions[depth - 1, 0])
    remember(network, search, depth, who)
    if left == 0:
        forget_conflict(search)
        recall(search, depth)
    return left > 0
