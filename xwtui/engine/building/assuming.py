"""Taking out of a fresh state what the assumptions of a task rule out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import DOMAIN

if TYPE_CHECKING:
    from xwtui.engine.kernels.state import State
    from xwtui.engine.problem import Problem
    from xwtui.model import Content


def assume(problem: Problem, state: State) -> str:
    """Narrow squares and entries of a state made by `start_state`, every slot of which is queued.

    Returns what cannot be, in words, where nothing is left; else the empty string.
    """
    assumed = problem.task.assumptions
    if assumed.is_empty:
        return ""
    masks, squares = _masks(problem, state), {position: at for at, position in enumerate(problem.positions)}
    for position, content in assumed.standing.items():
        if position in squares:
            masks[squares[position]] &= _bits(problem, [content])
            if not masks[squares[position]]:
                return f"{position} cannot be {content}"
    for position, contents in assumed.squares.items():
        if position in squares:
            masks[squares[position]] &= ~_bits(problem, contents)
            if not masks[squares[position]]:
                return f"{position} can be nothing else"
    for name, rows in assumed.entries.items():
        slot = problem.slot_numbers.get(name)
        if slot is not None and not _without(problem, state, slot, rows):
            return f"{name} can be nothing else"
    return ""


def _masks(problem: Problem, state: State) -> NDArray[np.uint64]:
    """The symbols that each square can still take, as bits; a view of the state."""
    network = problem.network
    return state.memory[int(network.slots[-1, DOMAIN]) + 2 * (len(network.slots) - 1) :]


def _bits(problem: Problem, contents: Iterable[Content]) -> np.uint64:
    """Contents as bits, but for those that no square of the problem may hold."""
    known = problem.symbols.contents
    return np.uint64(problem.symbols.mask(content for content in contents if content in known))


def _without(problem: Problem, state: State, slot: int, rows: Iterable[tuple[Content, ...]]) -> bool:
    """Take rows with some contents out of a slot; False where none is left."""
    network, known, table = problem.network, problem.symbols.contents, problem.tables[slot].symbols
    size = int(network.slots[-1, DOMAIN]) + len(network.slots) - 1 + slot
    for contents in rows:
        if all(content in known for content in contents):
            codes = [problem.symbols.code(content) for content in contents]
            for row in np.flatnonzero((table == codes).all(axis=1)).tolist():
                word, mark = int(network.slots[slot, DOMAIN]) + (row >> 6), np.uint64(1 << (row & 63))
                if state.memory[word] & mark:
                    state.memory[word] &= ~mark
                    state.memory[size] -= np.uint64(1)
    return bool(state.memory[size])
