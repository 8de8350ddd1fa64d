"""Restarts: when they are due, and what they leave behind.

Policies: geometric (Walsh, Search in a Small World, IJCAI 1999); Luby (Luby, Sinclair, Zuckerman,
Optimal Speedup of Las Vegas Algorithms, 1993); nested (Biere, PicoSAT Essentials, JSAT 2008).
"""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.broadening import broaden
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.search_state import (
    BACKTRACKS,
    BRANCHING,
    BY_SQUARES,
    CONFLICT,
    FIRST_STRIDE,
    IN_TURNS,
    LUBY,
    NESTED,
    NO_RESTART,
    NOBODY,
    OUTER_STRIDE,
    REFUTED,
    RESTART_AT,
    RESTART_POLICY,
    RESTART_STRIDE,
    RESTARTS,
    SQUARES_AT_LAST,
    STRIDE_GROWTH,
    TURN_AT,
    Search,
)
from xwtui.engine.kernels.state import DEPTH, State
from xwtui.engine.kernels.trail import pop_level


@kernel
def restart(state: State, search: Search) -> None:
    """Go back to the root; the weights are what the search has learnt."""
    progress = search.progress
    trace.record_end(state, trace.RESTART)
    while state.control[DEPTH] > 0:
        pop_level(state)
    progress[RESTARTS] += 1
    broaden(search)
    progress[CONFLICT] = progress[REFUTED] = NOBODY
    takes_turns = search.settings[BRANCHING] in (IN_TURNS, SQUARES_AT_LAST)
    if not takes_turns or not _take_turns(search):
        _plan_next(search)


@inlined
def _take_turns(search: Search) -> bool:
    """Hand over to squares, or back to words; False for neither.

    Squares have as many backtracks as there were so far, or keep the search for good. These begin
    with even weights: those that words have learnt make proofs longer.
    """
    progress = search.progress
    if progress[BY_SQUARES] != 0:
        progress[BY_SQUARES] = 0
        progress[TURN_AT] = 2 * progress[BACKTRACKS]
        progress[RESTART_AT] = progress[BACKTRACKS] + progress[RESTART_STRIDE]
        return True
    if progress[BACKTRACKS] < progress[TURN_AT]:
        return False
    progress[BY_SQUARES] = 1
    if search.settings[BRANCHING] == IN_TURNS:
        progress[RESTART_AT] = 2 * progress[BACKTRACKS]
    else:
        progress[RESTART_AT] = NO_RESTART
        for number in range(len(search.weights)):
            search.weights[number] = 1.0
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
