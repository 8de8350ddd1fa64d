"""A problem some of whose squares may hold less: the same slots, squares and rows, and another root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.building.assemble import fresh_state
from xwtui.engine.building.search_arrays import fresh_search
from xwtui.engine.kernels.network import DOMAIN, Network
from xwtui.engine.kernels.search import IMPOSSIBLE, advance
from xwtui.engine.kernels.state import State
from xwtui.engine.kernels.supports import start_state
from xwtui.engine.problem import Problem, Root
from xwtui.engine.settings import WORKERS


def narrow(problem: Problem, allowed: Mapping[int, int]) -> Problem:
    """The problem with only some symbols allowed (a bit each) in some squares, by their numbers.

    The problem's own root is possible; that of the new one may not be.
    """
    network = problem.network
    narrowed = replace(problem)
    state = fresh_state(network)
    start_state(network, state, True)
    masks = square_masks(network, state)
    for square, mask in allowed.items():
        masks[square] &= np.uint64(mask)
    return with_root(narrowed, state)


def square_masks(network: Network, state: State) -> NDArray[np.uint64]:
    """The symbols that each square can still take, as bits; a view of the state."""
    return state.memory[int(network.slots[-1, DOMAIN]) + 2 * (len(network.slots) - 1) :]


def with_root(problem: Problem, state: State) -> Problem:
    """A fresh problem, given its root: a state made by `start_state`, changed before any propagation."""
    search = fresh_search(problem.network, WORKERS[0], 0, 0)
    is_possible = advance(problem.network, state, search, 0) != IMPOSSIBLE
    vars(problem)["root"] = Root(state, is_possible, "")
    return problem
