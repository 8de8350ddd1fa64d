"""Iterative broadening: a decision is left, for this run, after a few of its options have been refuted.

After Ginsberg, Harvey: Iterative Broadening, Artificial Intelligence 55 (1992). Where the roomiest words of an
entry have all failed, the mistake lies further up as a rule, and the hundreds that are left would repeat it.
The first run of a search tries them all, so that what is soon proved is; later ones leave what has failed as
often as the breadth says, which grows with each, by more where a run had nothing left to try before
its restart was due. A run that has left anything proves nothing: the root loses no option by it. Nor do
conflicts speak for what was left: jumps go back farther than is proved, which pays.
"""

from xwtui.engine.kernels.backjump import tell_jump
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.search_state import (
    BACKTRACKS,
    BREADTH,
    BY_SQUARES,
    FIRST_BREADTH,
    HAS_LEFT,
    JUMPS,
    RESTART_AT,
    Search,
)
from xwtui.engine.kernels.state import DEPTH, State
from xwtui.engine.kernels.trail import pop_level

_STEPS = 5
"""Runs that come to their restart, after which the breadth is one more."""
_LEAP = 4
"""The breadth grows by one part in so many after a run that had nothing left to try."""


@inlined
def broaden(search: Search) -> None:
    """Set the breadth of the next run, in steps."""
    progress = search.progress
    if progress[BREADTH] == 0:
        progress[BREADTH] = _STEPS * search.settings[FIRST_BREADTH]
    elif progress[BACKTRACKS] < progress[RESTART_AT]:
        progress[BREADTH] += progress[BREADTH] // _LEAP
    else:
        progress[BREADTH] += 1
    progress[HAS_LEFT] = 0


@inlined
def has_nothing_left(state: State, search: Search) -> bool:
    """Tell whether a run is back at its first decision, and cannot refute that: it has left others."""
    return bool(search.progress[HAS_LEFT] != 0 and state.control[DEPTH] <= 1)


@kernel
def leave(state: State, search: Search) -> bool:
    """Undo the last decision without refuting it, if its depth has had its share of refutations; False if not."""
    progress, depth = search.progress, state.control[DEPTH] - 1
    refuted = search.refutations[max(depth, 0)]
    is_narrow = progress[BREADTH] != 0 and progress[BY_SQUARES] == 0
    if depth <= 0 or not is_narrow or _STEPS * refuted < progress[BREADTH]:
        return False
    pop_level(state)
    progress[JUMPS] += 1
    progress[HAS_LEFT] = 1
    tell_jump(state, search, depth, refuted)
    return True
