"""The runs of a line of squares some of which are known: how many words fit each, and how cheaply it is parted."""

import math

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.bits import ALL, count_bits
from xwtui.engine.kernels.compiler.compiled import entry_point

OPEN_SQUARE, UNDECIDED_SQUARE, BLOCK_SQUARE = 0, 1, 2
"""What is known of a square in a parting."""


@entry_point
def count_runs(
    supports: NDArray[np.uint64],
    shape: NDArray[np.int64],
    codes: NDArray[np.int64],
    before: NDArray[np.int64],
    places: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the words of one length that fit each run of a line which takes so many letters.

    `supports` (length, symbols, width; flat) are the words with a symbol at a place, as the bits of a table;
    `shape` (4,) is length, symbols, rows and width. `codes` are the letters of the line, -1 where one is open,
    `before` (squares + 1,) how many letters come before each square. `places` (length,) is scratch; `counts`
    (squares x (squares + 1)) takes the count by where a run starts and its squares.
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
def parting_cost(
    costs: NDArray[np.float64], walls: NDArray[np.int64], best: NDArray[np.float64], forbidden: float
) -> float:
    """What the runs of a line cost at least, whatever blocks it is parted by; `forbidden` where it cannot be.

    `costs` (squares x (squares + 1)) says what each run costs by where it starts and its squares; one of
    `forbidden` is none. `walls` (squares,) says which squares are open, which are blocks, and which may be either.
    `best` (squares + 2,) is scratch.
    """
    squares = len(walls)
    for place in range(squares + 2):
        best[place] = math.inf
    best[0] = 0.0  # at [n], squares before n are done and the one before n is a block or the edge
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
