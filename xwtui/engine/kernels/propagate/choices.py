"""Choices: disjunctions over ways. A way lists squares with the symbols they may hold; at least one way is taken.

`Network.choices` is empty if there are none. Otherwise it contains, in this order: the number of choices; for each
choice, where its list of ways starts, followed by where the last list ends; the lists, which hold where each way
starts, followed by where the last way ends; and the ways, with two cells for each square: the square, and the
symbols that it may hold there, as bits. All starts are indices into `choices`.

A way is taken if its squares can hold nothing else. It is possible if each square can hold one of its symbols and
the way is not ruled out. `State.memory` records which ways are ruled out, in one cell for each way after the
squares' masks: ZERO for a way that is ruled out.

The decision for a way is made on its first open square: the low bits of the value are the symbol there, and the
high bits are the way.
"""

import numpy as np

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ALL, ZERO, as_int, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Network, mask_address
from xwtui.engine.kernels.propagate.constraints import keys_constraint, narrow_for
from xwtui.engine.kernels.state import State, narrow_square, square_mask, write

WAY_COLUMNS = 2

WAY_SHIFT = 8
"""Lowest bit of the way in a decision on a square. The way is 0 if the decision is about the square alone."""
SYMBOL_BITS = (1 << WAY_SHIFT) - 1

NEVER = -1
"""Result of `open_squares` for a way that is not possible."""


@inlined
def choice_count(network: Network) -> int:
    """Return the number of choices."""
    return as_int(network.choices[0]) if len(network.choices) > 0 else 0


@inlined
def first_way(network: Network, choice: int) -> int:
    """Return where the list of a choice's ways starts. The start of the next choice's list is its end."""
    return as_int(network.choices[1 + choice])


@inlined
def _address(network: Network, way: int) -> int:
    """Return where the memory records whether a way, given by its index in the lists, is ruled out."""
    return mask_address(network, len(network.squares)) + way - as_int(network.choices[1])


@inlined
def rule_out(network: Network, state: State, way: int) -> None:
    """Rule a way out."""
    write(state, _address(network, way), ZERO)


@inlined
def allow(network: Network, state: State, way: int) -> None:
    """Make a way possible again."""
    write(state, _address(network, way), ALL)


@kernel
def open_squares(network: Network, state: State, way: int) -> int:
    """Return how many squares of a way could hold something else; NEVER if the way cannot be taken."""
    found = 0
    if state.memory[_address(network, way)] == ZERO:
        return NEVER
    for place in range(network.choices[way], network.choices[way + 1], WAY_COLUMNS):
        mask = square_mask(network, state, as_int(network.choices[place]))
        symbols = np.uint64(network.choices[place + 1])
        if mask & symbols == ZERO:
            return NEVER
        if mask & ~symbols != ZERO:
            found += 1
    return found


@kernel
def takes_excluded_way(network: Network, state: State, way: int) -> bool:
    """Whether a way is taken although it was ruled out."""
    if state.memory[_address(network, way)] != ZERO:
        return False
    for place in range(network.choices[way], network.choices[way + 1], WAY_COLUMNS):
        mask = square_mask(network, state, as_int(network.choices[place]))
        if mask & ~np.uint64(network.choices[place + 1]) != ZERO:
            return False
    return True


@kernel
def first_open(network: Network, state: State, way: int) -> tuple[int, int]:
    """Return the first square of a way that could hold something else, and its symbol there; -1 if none."""
    for place in range(network.choices[way], network.choices[way + 1], WAY_COLUMNS):
        square, symbols = as_int(network.choices[place]), np.uint64(network.choices[place + 1])
        mask = square_mask(network, state, square)
        if mask & ~symbols != ZERO:
            return square, lowest_bit(mask & symbols)
    return -1, -1


@kernel
def is_met(network: Network, state: State, choice: int) -> bool:
    """Whether one of a choice's ways is taken."""
    for way in range(first_way(network, choice), first_way(network, choice + 1)):
        if open_squares(network, state, way) == 0:
            return True
    return False


@kernel
def take_way(network: Network, state: State, way: int) -> None:
    """Restrict the squares of a possible way to the symbols that it allows."""
    for place in range(network.choices[way], network.choices[way + 1], WAY_COLUMNS):
        square = as_int(network.choices[place])
        narrow_square(
            network, state, square, square_mask(network, state, square) & np.uint64(network.choices[place + 1])
        )


@kernel
def propagate_choices(network: Network, state: State) -> bool:
    """Take the last possible way of each choice; False if a choice has none left.

    With EXCLUDES_WAYS, also False if an excluded way is taken all the same, since its fills have been enumerated.
    """
    for choice in range(choice_count(network)):
        possible, last, is_taken = 0, -1, False
        for way in range(first_way(network, choice), first_way(network, choice + 1)):
            if state.control[states.EXCLUDES_WAYS] != 0 and takes_excluded_way(network, state, way):
                states.record_unmet(state, keys_constraint(network) + 1 + choice)
                return False
        for way in range(first_way(network, choice), first_way(network, choice + 1)):
            left = open_squares(network, state, way)
            if left == 0:
                is_taken = True
                break
            if left != NEVER:
                possible += 1
                last = way
        if is_taken:
            continue
        if possible == 0:
            states.record_unmet(state, keys_constraint(network) + 1 + choice)
            return False
        if possible == 1:
            for place in range(network.choices[last], network.choices[last + 1], WAY_COLUMNS):
                square, symbols = as_int(network.choices[place]), np.uint64(network.choices[place + 1])
                narrow_for(network, state, keys_constraint(network) + 1 + choice, square, symbols)
    return True
