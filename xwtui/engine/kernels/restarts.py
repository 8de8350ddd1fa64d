"""Restarts, and the nogoods that they leave behind.

Policies: geometric (Walsh, Search in a Small World, IJCAI 1999); Luby (Luby, Sinclair, Zuckerman,
Optimal Speedup of Las Vegas Algorithms, 1993); nested (Biere, PicoSAT Essentials, JSAT 2008).
"""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.decisions import deny, holds, is_possible
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.nogoods import (
    add_literal,
    close_nogood,
    has_nogood_room,
    nogood_literal_row,
    nogood_literal_slot,
    open_nogood,
)
from xwtui.engine.kernels.search_state import (
    BACKTRACKS,
    BRANCHING,
    BY_SQUARES,
    CONFLICT,
    FIRST_STRIDE,
    IN_TURNS,
    LONGEST_NOGOOD,
    LUBY,
    NESTED,
    NOBODY,
    OUTER_STRIDE,
    REFUTATIONS,
    REFUTED,
    RESTART_AT,
    RESTART_POLICY,
    RESTART_STRIDE,
    RESTARTS,
    STRIDE_GROWTH,
    TURN_AT,
    Search,
)
from xwtui.engine.kernels.state import DEPTH, State
from xwtui.engine.kernels.trail import pop_level


@kernel
def restart(network: Network, state: State, search: Search) -> bool:
    """Go back to the root with a nogood for each refuted decision; False where that empties a slot."""
    progress = search.progress
    trace.record_end(state, trace.RESTART)
    while state.control[DEPTH] > 0:
        pop_level(state)
    progress[RESTARTS] += 1
    progress[CONFLICT] = progress[REFUTED] = NOBODY
    if search.settings[BRANCHING] != IN_TURNS or not _take_turns(search):
        _plan_next(search)
    refutations = progress[REFUTATIONS]
    progress[REFUTATIONS] = 0
    for index in range(refutations):
        depth = search.refutations[index, 0]
        if depth < search.settings[LONGEST_NOGOOD] and has_nogood_room(state, depth + 1):
            who, what = search.refutations[index, 1], search.refutations[index, 2]
            if not _keep(network, state, search, depth, who, what):
                return False
    return True


@inlined
def _take_turns(search: Search) -> bool:
    """Hand over to squares for as many backtracks as there were so far, or back to words; False for neither."""
    progress = search.progress
    if progress[BY_SQUARES] != 0:
        progress[BY_SQUARES] = 0
        progress[TURN_AT] = 2 * progress[BACKTRACKS]
        progress[RESTART_AT] = progress[BACKTRACKS] + progress[RESTART_STRIDE]
        return True
    if progress[BACKTRACKS] < progress[TURN_AT]:
        return False
    progress[BY_SQUARES] = 1
    progress[RESTART_AT] = 2 * progress[BACKTRACKS]
    return True


@kernel
def _plan_next(search: Search) -> None:
    """Set when the next restart is due."""
    progress, settings = search.progress, search.settings
    policy, stride = settings[RESTART_POLICY], progress[RESTART_STRIDE]
    if policy == LUBY:
        stride = settings[FIRST_STRIDE] * _luby(progress[RESTARTS] + 1)
    else:
        stride = stride * settings[STRIDE_GROWTH] // 1000 + 1
        if policy == NESTED and stride > progress[OUTER_STRIDE]:
            progress[OUTER_STRIDE] = progress[OUTER_STRIDE] * settings[STRIDE_GROWTH] // 1000 + 1
            stride = settings[FIRST_STRIDE]
    progress[RESTART_STRIDE] = stride
    progress[RESTART_AT] = progress[BACKTRACKS] + stride


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


@kernel
def _keep(network: Network, state: State, search: Search, depth: int, who: int, what: int) -> bool:
    """Keep the nogood of the first decisions and a refuted one; False where that proves that no fill exists.

    A nogood with a decision on a square is dropped, unless nothing else of it is left open.
    """
    nogood = open_nogood(state)
    squares = 0
    for level in range(-1, depth):
        if level >= 0:
            who, what = search.decisions[level, 0], search.decisions[level, 1]
        if not is_possible(network, state, who, what):
            return True
        if not holds(network, state, who, what):
            add_literal(state, nogood, who, what)
            squares += who < 0
    literals = state.nogoods[nogood]
    if literals >= 2:
        if squares == 0:
            close_nogood(state, nogood)
        return True
    if literals == 0:
        return False
    return deny(network, state, nogood_literal_slot(state, nogood, 0), nogood_literal_row(state, nogood, 0))
