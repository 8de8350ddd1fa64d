"""Choices: of some ways, each a row of squares with what they are to hold, one at least is taken.

`Network.choices` is empty where there are none. Else it holds how many choices there are; for each, where its
list of ways starts, and where the last list ends; the lists, which hold where each way starts; where the last
way ends; and the ways, two cells for each square: the square, and the symbols that it may hold there. All starts
are places in `choices`.

A way is taken if its squares can hold nothing else, and possible if each can and it is not ruled out. The memory
keeps which are, a cell for each way behind the squares' symbols: ZERO for one that is.

A way is decided on by its first open square: `what` has the symbol there in its low bits, and the way above them.
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
"""Where in a decision on a square the way begins, whose symbol it is; 0 where it is about the square alone."""
SYMBOL_BITS = (1 << WAY_SHIFT) - 1

NEVER = -1
"""What `open_squares` tells of a way that is not possible."""


@inlined
def choice_count(network: Network) -> int:
    """The number of choices."""
    return as_int(network.choices[0]) if len(network.choices) > 0 else 0


@inlined
def first_way(network: Network, choice: int) -> int:
    """Where the list of a choice's ways starts; that of the next choice ends it."""
    return as_int(network.choices[1 + choice])


@inlined
def _address(network: Network, way: int) -> int:
    """Where the memory keeps whether a way, told by its place in the lists, is ruled out."""
    return mask_address(network, len(network.squares)) + way - as_int(network.choices[1])


@inlined
def rule_out(network: Network, state: State, way: int) -> None:
    """Let a way be no longer possible."""
    write(state, _address(network, way), ZERO)


@inlined
def allow(network: Network, state: State, way: int) -> None:
    """Let a way be possible again."""
    write(state, _address(network, way), ALL)


@kernel
def open_squares(network: Network, state: State, way: int) -> int:
    """How many squares of a way could hold something else; NEVER if the way cannot be taken."""
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
def was_passed(network: Network, state: State, way: int) -> bool:
    """Whether a way was ruled out and is taken all the same."""
    if state.memory[_address(network, way)] != ZERO:
        return False
    for place in range(network.choices[way], network.choices[way + 1], WAY_COLUMNS):
        mask = square_mask(network, state, as_int(network.choices[place]))
        if mask & ~np.uint64(network.choices[place + 1]) != ZERO:
            return False
    return True


@kernel
def first_open(network: Network, state: State, way: int) -> tuple[int, int]:
    """The first square of a way that could hold something else, and the symbol that it has there; -1 for none."""
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
    """Leave the squares of a possible way only what they hold there."""
    for place in range(network.choices[way], network.choices[way + 1], WAY_COLUMNS):
        square = as_int(network.choices[place])
        narrow_square(
            network, state, square, square_mask(network, state, square) & np.uint64(network.choices[place + 1])
        )


@kernel
def keep_choices(network: Network, state: State) -> bool:
    """Take the last possible way of each choice; False where a choice has none left.

    False, too, where one is taken that was passed over, if the fills of such ways have been gone through.
    """
    for choice in range(choice_count(network)):
        possible, last, is_taken = 0, -1, False
        for way in range(first_way(network, choice), first_way(network, choice + 1)):
            if state.control[states.PASSES_WAYS] != 0 and was_passed(network, state, way):
                states.tell_unmet(state, keys_constraint(network) + 1 + choice)
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
            states.tell_unmet(state, keys_constraint(network) + 1 + choice)
            return False
        if possible == 1:
            for place in range(network.choices[last], network.choices[last + 1], WAY_COLUMNS):
                square, symbols = as_int(network.choices[place]), np.uint64(network.choices[place + 1])
                narrow_for(network, state, keys_constraint(network) + 1 + choice, square, symbols)
    return True
