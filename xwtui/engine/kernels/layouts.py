"""Layout generation by simulated annealing: blocks appear, vanish and move together with their mirror images.

The cost of a layout is the sum of the costs of its runs, plus a cost for each count outside its limits. A flip
changes the runs of only two lines, so a step takes about a microsecond (Kirkpatrick, Gelatt, Vecchi, "Optimization
by simulated annealing", Science 1983).

For a line some of whose squares are known, this module also counts the words that fit each run and finds the
cheapest way to split the line into runs.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.bits import ALL, count_bits, random_word, uniform
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel

OPEN_SQUARE, UNDECIDED_SQUARE, BLOCK_SQUARE = 0, 1, 2
"""What is known of a square when a line is split into runs."""


@entry_point
def count_runs(
    supports: NDArray[np.uint64],
    shape: NDArray[np.int64],
    codes: NDArray[np.int64],
    before: NDArray[np.int64],
    places: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the words of one length that fit each run of a line with that many letters.

    `supports` (length, symbols, width; flat) are the bit-sets of the words with a symbol at a position, as in a
    table. `shape` (4,) is length, symbols, rows and width. `codes` are the letters of the line, -1 where one is
    open. `before` (squares + 1,) is how many letters come before each square. `places` (length,) is scratch.
    `counts` (squares x (squares + 1)) receives the counts, indexed by where a run starts and by its number of
    squares.
    """
    length, symbols, rows, width = shape[0], shape[1], shape[2], shape[3]
    squares = len(before) - 1
    for start in range(squares):
        end = start
        while end < squares and before[end] - before[start] < length:
            end += 1
        if before[end] - before[start] != length:
            continue
        given = 0
        can_fit = rows > 0
        for place in range(length):
            code = codes[before[start] + place]
            if code >= symbols:
                can_fit = False
            elif code >= 0:
                places[given] = (place * symbols + code) * width
                given += 1
        fitting = 0
        if can_fit and given == 0:
            fitting = rows
        elif can_fit:
            for word in range(width):
                bits = ALL
                for index in range(given):
                    bits &= supports[places[index] + word]
                fitting += count_bits(bits)
        counts[start, end - start] = fitting


@entry_point
def split_cost(
    costs: NDArray[np.float64], walls: NDArray[np.int64], best: NDArray[np.float64], forbidden: float
) -> float:
    """Return the least cost of a line's runs over all ways to place its blocks; `forbidden` if there is none.

    `costs` (squares x (squares + 1)) is the cost of each run, indexed by where it starts and by its number of
    squares; a run that costs `forbidden` is not allowed. `walls` (squares,) says which squares are open, which are
    blocks, and which are undecided. `best` (squares + 2,) is scratch.
    """
    squares = len(walls)
    best[:] = math.inf
    best[0] = 0.0  # best[n]: squares before n are done, and square n - 1 is a block or off the edge
    for start in range(squares + 1):
        if best[start] >= forbidden:
            continue
        if start < squares and walls[start] != OPEN_SQUARE:
            best[start + 1] = min(best[start + 1], best[start])
        for end in range(start + 1, squares + 1):
            if walls[end - 1] == BLOCK_SQUARE:
                break
            run = costs[start, end - start]
            if run < forbidden and (end == squares or walls[end] != OPEN_SQUARE):
                best[end + 1] = min(best[end + 1], best[start] + run)
    least: float = min(best[squares], best[squares + 1], forbidden)
    return least


Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

FORBIDDEN = 40.0
"""Cost of a run that a layout may not have; runs that cost less are allowed."""
LARGEST_ORBIT = 4

# Indices into LayoutState.totals, and rows of LayoutSpace.limits except the last.
WORDS = 0
BLOCKS = 1
THREES = 2
CHEATERS = 3
BARRED_RUNS = 4
"""Number of forbidden runs."""
TOTALS = 5

_OUTSIDE = 3.0
"""Cost of each entry or block too many or too few."""
_SHORTEST_WORD = 2
_THREE = 3


class LayoutSpace(NamedTuple):
    """The possible layouts and their costs. N is the number of squares, side the longer of height and width."""

    shape: Longs
    """(2,) height and width."""
    orbits: Longs
    """(orbits x 4) squares that change together, numbered row by row from 0; padded with -1."""
    orbit_of: Longs
    """(N,) the orbit of a square; -1 for a square that never changes."""
    costs: Floats
    """(2 x side x side x (side + 1)) cost of a run, by direction (0: across), line, start and squares."""
    limits: Longs
    """(4 x 2) the fewest and the most words, blocks, entries of three squares, and cheaters."""
    cheater_cost: Floats
    """(1,) cost of each cheater, even within the limits."""


class LayoutState(NamedTuple):
    """The current layout, and the best one so far."""

    walls: Bytes
    """(N,) 1 for a block."""
    best: Bytes
    """(N,)"""
    totals: Longs
    """(TOTALS,)"""
    before: Longs
    """(TOTALS,) the totals before a step."""
    stack: Longs
    """(N,) scratch."""
    seen: Bytes
    """(N,) scratch."""
    random: NDArray[np.uint64]
    """(1,)"""


@entry_point
def anneal(space: LayoutSpace, state: LayoutState, steps: int, hot: float, cold: float) -> float:
    """Change a layout step by step; return the cost of the cheapest legal, connected one, `state.best`, or inf."""
    runs = _begin(space, state)
    cost = runs + _limit_cost(space, state)
    best = math.inf
    if _is_legal(space, state) and _is_connected(space, state):
        best = cost
        for square in range(len(state.walls)):
            state.best[square] = state.walls[square]
    orbits = np.uint64(len(space.orbits))
    cooling = (cold / hot) ** (1.0 / steps)
    heat = hot
    for _ in range(steps):
        heat *= cooling
        first = int(random_word(state.random) % orbits)
        second = _move_target(space, state, first)
        for place in range(TOTALS):
            state.before[place] = state.totals[place]
        change = _flip_orbit(space, state, first)
        if second >= 0:
            change += _flip_orbit(space, state, second)
        changed = runs + change + _limit_cost(space, state)
        if changed <= cost or uniform(state.random) < math.exp((cost - changed) / heat):
            runs += change
            cost = changed
            if cost < best - 1e-9 and _is_legal(space, state) and _is_connected(space, state):
                best = cost
                for square in range(len(state.walls)):
                    state.best[square] = state.walls[square]
        else:
            _undo_flip(space, state, first)
            if second >= 0:
                _undo_flip(space, state, second)
            for place in range(TOTALS):
                state.totals[place] = state.before[place]
    return best


@kernel
def _begin(space: LayoutSpace, state: LayoutState) -> float:
    """Compute a layout's totals; return the cost of its runs."""
    height, width = space.shape[0], space.shape[1]
    for place in range(TOTALS):
        state.totals[place] = 0
    cost = 0.0
    for row in range(height):
        cost += _line(space, state, 0, row, 1)
    for column in range(width):
        cost += _line(space, state, 1, column, 1)
    for square in range(height * width):
        state.totals[BLOCKS] += state.walls[square]
        state.totals[CHEATERS] += _is_cheater(space, state, square // width, square % width)
    return cost


@kernel
def _line(space: LayoutSpace, state: LayoutState, direction: int, line: int, sign: int) -> float:
    """Return the cost of a line's runs, and add their counts to the totals, multiplied by `sign`."""
    height, width = space.shape[0], space.shape[1]
    side = max(height, width)
    squares = width if direction == 0 else height
    stride = 1 if direction == 0 else width
    at = line * width if direction == 0 else line
    base = (direction * side + line) * side
    start = -1
    cost = 0.0
    for index in range(squares + 1):
        if index < squares and state.walls[at] == 0:
            if start < 0:
                start = index
        elif start >= 0:
            length = index - start
            price = space.costs[(base + start) * (side + 1) + length]
            cost += price
            if length >= _SHORTEST_WORD:
                state.totals[WORDS] += sign
            if length == _THREE:
                state.totals[THREES] += sign
            if price >= FORBIDDEN:
                state.totals[BARRED_RUNS] += sign
            start = -1
        at += stride
    return cost


@kernel
def _is_wall(space: LayoutSpace, state: LayoutState, row: int, column: int) -> bool:
    height, width = space.shape[0], space.shape[1]
    if row < 0 or column < 0 or row >= height or column >= width:
        return True
    return bool(state.walls[row * width + column] != 0)


@kernel
def _is_cheater(space: LayoutSpace, state: LayoutState, row: int, column: int) -> int:
    """Return 1 for a cheater: a block whose removal keeps the number of entries, since it separates no runs."""
    height, width = space.shape[0], space.shape[1]
    if row < 0 or column < 0 or row >= height or column >= width or state.walls[row * width + column] == 0:
        return 0
    parts_row = not _is_wall(space, state, row, column - 1) and not _is_wall(space, state, row, column + 1)
    parts_column = not _is_wall(space, state, row - 1, column) and not _is_wall(space, state, row + 1, column)
    return 0 if parts_row or parts_column else 1


@kernel
def _cheaters_near(space: LayoutSpace, state: LayoutState, row: int, column: int) -> int:
    return (
        _is_cheater(space, state, row, column)
        + _is_cheater(space, state, row - 1, column)
        + _is_cheater(space, state, row + 1, column)
        + _is_cheater(space, state, row, column - 1)
        + _is_cheater(space, state, row, column + 1)
    )


@kernel
def _flip_orbit(space: LayoutSpace, state: LayoutState, orbit: int) -> float:
    """Flip the squares of an orbit, one after another; return the change in the cost of the runs."""
    width = space.shape[1]
    change = 0.0
    for place in range(LARGEST_ORBIT):
        square = space.orbits[orbit, place]
        if square >= 0:
            row, column = square // width, square % width
            change -= _line(space, state, 0, row, -1) + _line(space, state, 1, column, -1)
            state.totals[CHEATERS] -= _cheaters_near(space, state, row, column)
            state.walls[square] ^= np.uint8(1)
            change += _line(space, state, 0, row, 1) + _line(space, state, 1, column, 1)
            state.totals[CHEATERS] += _cheaters_near(space, state, row, column)
            state.totals[BLOCKS] += 1 if state.walls[square] else -1
    return change


@kernel
def _undo_flip(space: LayoutSpace, state: LayoutState, orbit: int) -> None:
    for place in range(LARGEST_ORBIT):
        square = space.orbits[orbit, place]
        if square >= 0:
            state.walls[square] ^= np.uint8(1)


@kernel
def _move_target(space: LayoutSpace, state: LayoutState, orbit: int) -> int:
    """Return the orbit of an open neighbor for a block to move to, with probability 3/4; else -1."""
    square = space.orbits[orbit, 0]
    if state.walls[square] == 0:
        return -1
    draw = int(random_word(state.random) & np.uint64(31))
    if draw >= 24:
        return -1
    width = space.shape[1]
    way = draw % 8 + (1 if draw % 8 >= 4 else 0)  # the nine squares except the middle one
    row, column = square // width + way // 3 - 1, square % width + way % 3 - 1
    if _is_wall(space, state, row, column):
        return -1
    other = space.orbit_of[row * width + column]
    return -1 if other == orbit else other


@kernel
def _limit_cost(space: LayoutSpace, state: LayoutState) -> float:
    """Return the cost of the counts outside their limits, and of all cheaters."""
    missed = 0
    for place in range(BARRED_RUNS):
        count = state.totals[place]
        missed += max(0, space.limits[place, 0] - count) + max(0, count - space.limits[place, 1])
    return float(_OUTSIDE * missed + space.cheater_cost[0] * state.totals[CHEATERS])


@kernel
def _is_legal(space: LayoutSpace, state: LayoutState) -> bool:
    """Whether no run is forbidden and all counts are within their limits."""
    for place in range(BARRED_RUNS):
        if not space.limits[place, 0] <= state.totals[place] <= space.limits[place, 1]:
            return False
    return bool(state.totals[BARRED_RUNS] == 0)


@kernel
def _is_connected(space: LayoutSpace, state: LayoutState) -> bool:
    """Whether all open squares are connected; False if there are none."""
    height, width = space.shape[0], space.shape[1]
    first = -1
    for square in range(height * width):
        state.seen[square] = state.walls[square]
        if state.walls[square] == 0:
            first = square
    if first < 0:
        return False
    state.stack[0], state.seen[first] = first, 1
    top, reached = 1, 1
    while top > 0:
        top -= 1
        square = state.stack[top]
        row, column = square // width, square % width
        for way in range(4):
            near_row = row + (1 if way == 0 else 0) - (1 if way == 1 else 0)
            near_column = column + (1 if way == 2 else 0) - (1 if way == 3 else 0)
            if _is_wall(space, state, near_row, near_column):
                continue
            near = near_row * width + near_column
            if state.seen[near] == 0:
                state.seen[near], state.stack[top] = 1, near
                top += 1
                reached += 1
    return bool(reached == height * width - state.totals[BLOCKS])
