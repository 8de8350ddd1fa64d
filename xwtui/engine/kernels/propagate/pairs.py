"""Pairs of squares, one in an across slot and one in a down slot, that agree or differ.

A pair agrees if both squares hold the same symbol. It differs if they hold two letters that are allowed together:
a table constraint over both squares. Each constraint is of one of two kinds. Either a number of its pairs differs
and all others agree (a cardinality), or the letters of those that differ spell a message, step by step in the
order of the pairs (a regular constraint).

`Network.pairs` is empty if there are none. Otherwise it holds a sequence of records: a header, the two squares of
each pair, the allowed pairs of different symbols (none: any are allowed), and for each step of the message the
symbols that the two squares may hold, as two masks.

No state is kept between two checks. When propagation reaches its fixpoint, each pair is checked for whether it
must agree, must differ or may do either, and both squares are pruned accordingly.
"""

import numpy as np

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.propagate.choices import choice_count
from xwtui.engine.kernels.propagate.constraints import blame_square, keys_constraint, narrow_for
from xwtui.engine.kernels.state import State, square_mask

# Header of a record.
NEXT = 0
"""Where the next record starts."""
COUNT = 1
"""Number of pairs."""
ALLOWED = 2
"""Number of allowed pairs of different symbols; 0 allows any two letters."""
STEPS = 3
"""Number of steps of the message; 0 for no message."""
LEAST = 4
MOST = 5
FEWEST = 6
"""Replaces MOST in a tight run, except at its root."""
LETTERS = 7
"""The symbols of pairs that can differ, as bits."""
HEADER = 8

PAIR_COLUMNS = 2


@kernel
def propagate_pairs(network: Network, state: State) -> bool:
    """Propagate all pairs, with an empty queue on entry; False if a constraint on them cannot be met."""
    record, number = 0, 0
    while record < len(network.pairs):
        constraint = keys_constraint(network) + 1 + choice_count(network) + number
        if network.pairs[record + STEPS] > 0:
            if not _propagate_message(network, state, record, constraint):
                return False
        elif not _propagate_count(network, state, record, constraint):
            return False
        record = as_int(network.pairs[record + NEXT])
        number += 1
    return True


@inlined
def square_of(network: Network, record: int, pair: int, side: int) -> int:
    """Return a square of a pair: side 0 is across, side 1 down."""
    return as_int(network.pairs[record + HEADER + PAIR_COLUMNS * pair + side])


@inlined
def _step_symbols(network: Network, record: int, step: int, side: int) -> np.uint64:
    """Return the symbols that a step of the message requires of the square on a side."""
    cells = network.pairs
    start = record + HEADER + PAIR_COLUMNS * (cells[record + COUNT] + cells[record + ALLOWED])
    return np.uint64(cells[start + PAIR_COLUMNS * step + side])


@inlined
def _are_nonempty(one: np.uint64, other: np.uint64) -> bool:
    return bool(min(one, other) != ZERO)


@kernel
def differing(network: Network, record: int, across: np.uint64, down: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the symbols of two squares that are allowed with a different symbol of the other square."""
    cells = network.pairs
    letters = np.uint64(cells[record + LETTERS])
    across &= letters
    down &= letters
    allowed = cells[record + ALLOWED]
    if allowed > 0:
        one, other = ZERO, ZERO
        start = record + HEADER + PAIR_COLUMNS * cells[record + COUNT]
        for place in range(start, start + PAIR_COLUMNS * allowed, PAIR_COLUMNS):
            first, second = bit(cells[place]), bit(cells[place + 1])
            if across & first != ZERO and down & second != ZERO:
                one |= first
                other |= second
        return one, other
    one = across & ~down if is_single(down) else across
    other = down & ~across if is_single(across) else down
    return (one, other) if _are_nonempty(one, other) else (ZERO, ZERO)


@kernel
def _counted(network: Network, state: State, record: int) -> tuple[int, int, int, bool]:
    """Return how many pairs must differ and how many can, and the across square of the last that must, or -1.

    The last value is whether that pair's only ways to differ are forbidden. In that case counting stops there.
    """
    must, can, last = 0, 0, -1
    for pair in range(network.pairs[record + COUNT]):
        across = square_mask(network, state, square_of(network, record, pair, 0))
        down = square_mask(network, state, square_of(network, record, pair, 1))
        one, _ = differing(network, record, across, down)
        can += 1 if one != ZERO else 0
        if across & down == ZERO:
            must += 1
            last = square_of(network, record, pair, 0)
            if one == ZERO:
                return must, can, last, True
    return must, can, last, False


@kernel
def _propagate_count(network: Network, state: State, record: int, constraint: int) -> bool:
    """Count the pairs that must and can differ; if the number is at a bound, settle the open pairs."""
    cells = network.pairs
    is_tight = state.control[states.TIGHT] == states.IS_TIGHT and state.control[states.DEPTH] > 0
    least, most = cells[record + LEAST], cells[record + (FEWEST if is_tight else MOST)]
    must, can, last, is_barred = _counted(network, state, record)
    if is_barred or must > most or can < least:
        states.record_unmet(state, constraint)
        if is_barred or must > most:
            blame_square(network, state, last)
        return False
    for pair in range(cells[record + COUNT]):
        first, second = square_of(network, record, pair, 0), square_of(network, record, pair, 1)
        across, down = square_mask(network, state, first), square_mask(network, state, second)
        one, other = differing(network, record, across, down)
        alike = across & down
        if _are_nonempty(alike, one):
            if must == most:
                one, other = ZERO, ZERO
            elif can == least:
                alike = ZERO
        narrow_for(network, state, constraint, first, one | alike)
        narrow_for(network, state, constraint, second, other | alike)
    return True


@kernel
def _propagate_message(network: Network, state: State, record: int, constraint: int) -> bool:
    """Run through the pairs forward, storing how many letters may be spelled, then backward, keeping what can end.

    How many letters may be spelled before a pair is a mask, one bit for each number.
    """
    cells = network.pairs
    pairs, end = cells[record + COUNT], bit(cells[record + STEPS])
    spelled = ONE
    for pair in range(pairs):
        across = square_mask(network, state, square_of(network, record, pair, 0))
        down = square_mask(network, state, square_of(network, record, pair, 1))
        state.chain[pair] = spelled
        after = spelled if across & down != ZERO else ZERO
        left = spelled & (end - ONE)
        while left != ZERO:
            step = lowest_bit(left)
            left &= left - ONE
            one, _ = _at_step(network, record, step, across, down)
            if one != ZERO:
                after |= bit(step + 1)
        spelled = after
    ahead = spelled & end
    if ahead == ZERO:
        states.record_unmet(state, constraint)
        return False
    for pair in range(pairs - 1, -1, -1):
        first, second = square_of(network, record, pair, 0), square_of(network, record, pair, 1)
        across, down = square_mask(network, state, first), square_mask(network, state, second)
        spelled = state.chain[pair]
        alike = across & down if spelled & ahead != ZERO else ZERO
        before = spelled & ahead if alike != ZERO else ZERO
        firsts, seconds = alike, alike
        left = spelled & (ahead >> ONE)
        while left != ZERO:
            step = lowest_bit(left)
            left &= left - ONE
            one, other = _at_step(network, record, step, across, down)
            if one != ZERO:
                before |= bit(step)
                firsts |= one
                seconds |= other
        ahead = before
        narrow_for(network, state, constraint, first, firsts)
        narrow_for(network, state, constraint, second, seconds)
    return True


@inlined
def _at_step(
    network: Network, record: int, step: int, across: np.uint64, down: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the symbols of two squares that can spell a letter of the message."""
    return differing(
        network,
        record,
        across & _step_symbols(network, record, step, 0),
        down & _step_symbols(network, record, step, 1),
    )


@kernel
def is_undecided(network: Network, state: State, record: int) -> bool:
    """Whether more pairs must differ than do so far, and it is open which."""
    must, can, _, _ = _counted(network, state, record)
    return bool(must < network.pairs[record + LEAST] < can)


@kernel
def spelling_symbols(
    network: Network, record: int, across: np.uint64, down: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the symbols of two squares that can differ, and with a message, spell one of its letters."""
    steps = network.pairs[record + STEPS]
    if steps == 0:
        return differing(network, record, across, down)
    firsts, seconds = ZERO, ZERO
    for step in range(steps):
        one, other = _at_step(network, record, step, across, down)
        firsts |= one
        seconds |= other
    return firsts, seconds
