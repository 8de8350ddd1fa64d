"""The search's own arrays, and how its decisions are chosen, imposed and refuted.

A decision is a pair of integers. `(slot, row)` assigns a row to a slot. `(~square, symbol)`, whose first number is
negative, assigns a symbol to a square, or the whole way that is encoded above the symbol (propagate/choices.py).
Each decision is imposed one level deeper. If that ends in a dead end, the decision is refuted: the row is removed
from the slot, the symbol from the square, or the way from its choice.

The variable ordering is dom/wdeg: the slot or square with the smallest ratio of domain size to the weight of its
crossings comes next (Boussemart, Hemery, Lecoutre, Sais: Boosting Systematic Search by Weighting Constraints, ECAI
2004). For a slot the logarithm of the domain size is used: sizes differ by factors of thousands and would drown
out the weights (docs/switches-notes.md). Here weights belong to crossings: the ones whose lost symbols emptied a
slot in one revision share the blame equally, and all weights fade by about 1 % with each dead end. The slot that
has just failed is abandoned only for one that is better by a given factor (Balafoutis, Stergiou: Adaptive
Branching for Constraint Satisfaction Problems, ECAI 2010).

The fullest partial fill over all runs is kept across restarts. From the second run on, a slot tries its row from
that fill first. This is phase saving with the best phase as the target (Pipatsrisawat, Darwiche: A Lightweight
Component Caching Scheme for Satisfiability Solvers, SAT 2007; Biere, Fleury: Chasing Target Phases, POS 2020).
"""

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, bit, count_bits, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.compiler.records import Array, Block
from xwtui.engine.kernels.network import Bits, Longs, Network, size_address, slot_count
from xwtui.engine.kernels.propagate.choices import SYMBOL_BITS, WAY_SHIFT, rule_out, take_way
from xwtui.engine.kernels.state import NONE, State, square_mask

Floats = Array[np.float64]

UNIT_BITS = 16
UNIT = 1 << UNIT_BITS
"""One, in the fixed-point numbers used for weights: their sums are equal on every machine."""

# Places in Search.progress.
PHASE = 0
NODES = 1
"""Decisions made since the start."""
BACKTRACKS = 2
RESTARTS = 3
DEEPEST = 4
"""Highest number of decisions in force so far."""
RESTART_AT = 5
"""Total number of backtracks at which the next restart is due."""
RESTART_STRIDE = 6
"""Backtracks between the last restart and the next one."""
OUTER_STRIDE = 7
"""The outer bound of NESTED restarts."""
CONFLICT = 8
"""The slot or ~square tried last before the last dead end, or NOBODY. A slot is cleared at the next decision."""
TRIED = 9
"""The slot or ~square decided or refuted last."""
REFUTED = 10
"""The slot or ~square refuted last since the last decision, or NOBODY."""
BY_SQUARES = 11
"""Whether this run branches on squares."""
TURN_AT = 12
"""Total number of backtracks after which it is the squares' turn."""
SECTION = 13
"""Height of the trail when the current propagation began."""
JUMPS = 14
"""Decisions undone without being refuted."""
BREADTH = 15
"""Refutations at a depth after which its decision is abandoned, in steps; 0 for no limit. See search.py."""
HAS_ABANDONED = 16
"""Whether this run has abandoned a decision that may be part of a fill."""
FULLEST = 17
"""Number of slots with one row in the fullest partial fill so far, `Search.fullest`."""
PROGRESS_SIZE = 18

# Places in Search.settings.
NOISE = 0
"""Share of Gumbel noise in a word's weight, fixed-point."""
SCORE_WEIGHT = 1
"""What a point of score is worth, in units of the logarithm of room, fixed-point."""
SCORE_PATIENCE = 2
"""Number of backtracks after which a point of score is worth half."""
FIRST_STRIDE = 3
"""Backtracks before the first restart."""
STRIDE_GROWTH = 4
"""Factor applied to the stride at each restart, in thousandths; above 1000, so that every search ends."""
BRANCHING = 5
"""ON_WORDS, ON_SQUARES, IN_TURNS or SQUARES_AT_LAST."""
FADING = 6
"""Share of all weights that each dead end takes away, fixed-point."""
SHARED_BLAME = 7
"""Whether all crossings that emptied a slot are blamed, or only the last one."""
LAST_CONFLICT = 8
"""Whether a square that failed comes before any other."""
LOYALTY = 9
"""Factor, fixed-point, by which another slot must be better for the slot just refuted to be abandoned."""
RESTART_POLICY = 10
"""GEOMETRIC, LUBY or NESTED."""
FIRST_TURN = 11
"""Backtracks on words before the squares' first turn, for IN_TURNS and SQUARES_AT_LAST."""
BACKJUMP = 12
"""Whether dead ends jump back over decisions that they do not depend on."""
FIRST_BREADTH = 13
"""Refutations after which a decision is abandoned, from the second run on; 0 for no limit."""
FULLEST_FIRST = 14
"""Whether a slot tries its row of the fullest partial fill first, from the second run on."""
SETTINGS_SIZE = 15

# Branching: what is decided.
ON_WORDS = 0
ON_SQUARES = 1
IN_TURNS = 2
"""Words, then squares for as many backtracks, and so on."""
SQUARES_AT_LAST = 3
"""Words, then squares without any restart."""

NOBODY = -(1 << 31)
"""No slot and no ~square."""

NO_RESTART = 1 << 60
"""A number of backtracks that is never reached."""

# Restart policies.
GEOMETRIC = 0
"""Each run is longer than the last by a factor."""
LUBY = 1
"""Runs of 1, 1, 2, 1, 1, 2, 4, ... times the first stride."""
NESTED = 2
"""Runs grow by a factor up to a bound; each time the bound is reached, it grows by the same factor."""

DECISION_COLUMNS = 2

# Columns of Search.probes.
VARIABLE = 0
VALUE = 1
WEIGHT = 2
PROBE_COLUMNS = 3

PROBES = 8
"""Number of candidate decisions that are probed for a global constraint."""


class Search(Block, columns={"decisions": DECISION_COLUMNS, "probes": PROBE_COLUMNS}):
    """The arrays that one search owns."""

    decisions: Longs
    """Shape (slots + squares + 1, 2): the decision at each depth."""
    denied: Bits
    """Shape (slots + squares + 1,): symbols already refuted for the square decided at each depth, as bits."""
    conflict: Bits
    """The slots that the current dead end depends on, as bits."""
    reasons: Bits
    """Shape (slots + squares + 1, width of `conflict`), flat: why decisions were refuted at each depth."""
    settled: Longs
    """Shape (slots + squares + 1,): height of the trail at each depth before anything was refuted there."""
    refutations: Longs
    """Shape (slots + squares + 1,): decisions refuted at each depth since the last fresh decision there."""
    weights: Floats
    """A weight for each square, then the amount that the next blame adds."""
    fullest: Longs
    """Shape (slots,): each slot's row in the fullest partial fill so far, or -1 if it has none."""
    random: Bits
    settings: Longs
    progress: Longs
    room: Longs
    """Scratch, shape (longest slot or 2, 64), flat: logarithm of the number of crossing words with each symbol."""
    probes: Longs
    """Scratch, shape (PROBES, 3): candidate decisions and their weights."""


@kernel
def options_of(network: Network, state: State, variable: int) -> int:
    """Return the number of options: rows of a slot or symbols of a square."""
    if variable < 0:
        return count_bits(square_mask(network, state, ~variable))
    return as_int(state.memory[size_address(network, variable)])


@kernel
def impose(network: Network, state: State, variable: int, value: int) -> None:
    """Impose a decision that is possible, and record it."""
    options = options_of(network, state, variable)
    if variable < 0:
        symbol = bit(value & SYMBOL_BITS)
        states.narrow_square(network, state, ~variable, symbol)
        states.record(state, states.DECIDE, NONE, NONE, ~variable, options, states.SINGLE, NONE, symbol)
        if value > SYMBOL_BITS:
            take_way(network, state, value >> WAY_SHIFT)
    else:
        states.assign_row(network, state, variable, value)
        states.record(state, states.DECIDE, variable, value, NONE, options, states.SINGLE, NONE, ZERO)


@kernel
def deny(network: Network, state: State, variable: int, value: int) -> bool:
    """Remove a possible row or symbol, returning False if it was the last one; or rule out a way."""
    if variable >= 0:
        return states.remove_row(network, state, variable, value)
    if value > SYMBOL_BITS:
        rule_out(network, state, value >> WAY_SHIFT)
        return True
    left = square_mask(network, state, ~variable) & ~bit(value)
    if left == ZERO:
        return False
    states.narrow_square(network, state, ~variable, left)
    return True


@kernel
def record_refutation(state: State, variable: int, value: int, options: int, target: int) -> None:
    """Record a backtrack to a slot, ~square or START, out of a decision that had this many options."""
    if variable < 0:
        left = options if value > SYMBOL_BITS else options - 1
        symbol = bit(value & SYMBOL_BITS)
        states.record(state, states.BACKTRACK, NONE, NONE, ~variable, options, left, target, symbol)
    else:
        states.record(state, states.BACKTRACK, variable, value, NONE, options, options - 1, target, ZERO)


LOG_TWO = 45426
"""Natural logarithm of 2, fixed-point."""

LOGARITHMS = np.rint(np.log(np.maximum(np.arange(1024), 1)) * UNIT).astype(np.int32)
"""Natural logarithms of integers, fixed-point, with that of 0 taken as 0."""


@inlined
def logarithm(number: int) -> int:
    """Return the natural logarithm of an integer, fixed-point: exact below 1024, else within 0.2 %."""
    doublings = 0
    while number >= len(LOGARITHMS):
        number >>= 1
        doublings += 1
    return as_int(LOGARITHMS[at(number)]) + doublings * LOG_TWO


_TOO_HEAVY = 1e100
_NO_CROSSING = 1e-6
"""The weight of a slot with no open crossing. It can wait."""


@kernel
def blame(network: Network, state: State, search: Search) -> None:
    """Share one amount of weight among the crossings that together emptied a slot."""
    weights = search.weights
    last = len(weights) - 1
    first = network.slots[state.control[states.FAILED_SLOT], net.PLACES]
    places = np.uint64(state.control[states.FAILED_PLACES])
    if search.settings[SHARED_BLAME] == 0 and state.control[states.FAILED_SQUARE] >= 0:
        weights[state.control[states.FAILED_SQUARE]] += weights[last]
        places = ZERO
    share = weights[last] / max(count_bits(places), 1)
    while places != ZERO:
        weights[network.places[first + lowest_bit(places), net.SQUARE]] += share
        places &= places - ONE
    weights[last] /= 1.0 - search.settings[FADING] / UNIT
    if weights[last] > _TOO_HEAVY:
        for index in range(len(weights)):
            weights[index] /= _TOO_HEAVY


@kernel
def next_slot(network: Network, state: State, search: Search) -> int:
    """Choose the undecided slot with the smallest log(domain size) / weight, or -1 if all are decided."""
    conflict = search.progress[CONFLICT]
    loyalty = search.settings[LOYALTY] / UNIT
    best, least = -1, np.inf
    for slot in range(slot_count(network)):
        size = state.memory[size_address(network, slot)]
        if size > np.uint64(1) and network.slots[slot, net.REQUIRED] != 0:
            weight = _NO_CROSSING
            for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
                other = network.places[place, net.CROSSING]
                if other >= 0 and state.memory[size_address(network, other)] > np.uint64(1):
                    weight += search.weights[network.places[place, net.SQUARE]]
            value = logarithm(as_int(size)) / weight
            if slot == conflict:
                value /= loyalty
            if value < least:
                best, least = slot, value
    return best


@kernel
def save_fullest(network: Network, state: State, search: Search) -> None:
    """Save the rows of the decided slots, after propagation, if there are more of them than ever before."""
    count = 0
    for slot in range(slot_count(network)):
        count += as_int(state.memory[size_address(network, slot)] == ONE)
    if count > search.progress[FULLEST]:
        search.progress[FULLEST] = count
        for slot in range(slot_count(network)):
            is_decided = state.memory[size_address(network, slot)] == ONE
            search.fullest[slot] = states.first_row(network, state, slot) if is_decided else -1


@inlined
def saved_row(network: Network, state: State, search: Search, slot: int) -> int:
    """Return the slot's row in the fullest partial fill if still possible; -1 if not, or in the first run."""
    row = search.fullest[slot]
    if search.progress[RESTARTS] == 0 or row < 0 or not states.has_row(network, state, slot, row):
        return -1
    return as_int(row)


@kernel
def next_square(network: Network, state: State, search: Search) -> int:
    """Choose the open square with the smallest ratio of symbols to weight in a required slot, or -1."""
    best, least = -1, np.inf
    for square in range(len(network.squares)):
        mask = square_mask(network, state, square)
        if not is_single(mask):
            value = np.float64(count_bits(mask)) / search.weights[square]
            if value < least and _is_required(network, square):
                best, least = square, value
    return best


@inlined
def _is_required(network: Network, square: int) -> bool:
    """Whether a slot through the square must be decided."""
    slot = network.squares[square, net.AT_SLOT]
    other = network.places[network.slots[slot, net.PLACES] + network.squares[square, net.AT_INDEX], net.CROSSING]
    return bool(network.slots[slot, net.REQUIRED] != 0 or (other >= 0 and network.slots[other, net.REQUIRED] != 0))
