"""Problems derived from another one: narrowed to fewer symbols, or relaxed by releasing some entries.

A narrowed problem has the same slots, squares and rows, and another root. A released entry keeps its number but
loses its crossings and mates, and takes a placeholder word. Minimum requirements of a whole fill (wanted words,
letters, mirrored rebuses) do not apply to part of one; maximum limits do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.altered_words import PLAIN
from xwtui.engine.problem.arrays import domain, domain_sizes, square_masks, started_state
from xwtui.engine.problem.constraints import NO_CONSTRAINTS, GlobalConstraints
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.tables import Table


def narrow(problem: Problem, allowed: Mapping[int, int]) -> Problem:
    """Return a problem, which must be possible, with only some symbols allowed, as bits, by square."""
    state = started_state(problem.network)
    masks = square_masks(problem.network, state)
    for square, mask in allowed.items():
        masks[square] &= np.uint64(mask)
    return problem.rooted_at(state)


_NO_WORD = -1
"""The id of the placeholder word."""


class Relaxer:
    """Creates relaxations of one problem. Thread-safe."""

    def __init__(self, problem: Problem) -> None:
        self._is_given = np.array(problem.task.are_given(problem.slots), bool)
        self._take(_with_placeholders(problem, _at_most(problem.constraints)))
        if not self.relax(np.flatnonzero(~self._is_given).tolist(), {}).root.is_possible:
            self._take(_with_placeholders(problem, NO_CONSTRAINTS))

    def _take(self, problem: Problem) -> None:
        """Use a problem whose tables end with a placeholder word."""
        self._problem = problem
        self._slot_of_place = _owners(problem.network.slots[:, net.PLACES])
        self._slot_of_mate = _owners(problem.network.slots[:, net.MATES])

    def relax(self, loose: Collection[int], kept: Mapping[int, int]) -> Problem:
        """Return the problem with some slots released and some squares' symbols kept, its root propagated.

        `kept` gives the code of each kept square. Squares, slots and rows keep their numbers.
        """
        is_loose = np.zeros(len(self._problem.slots), bool)
        is_loose[list(loose)] = True
        network = self._cut(is_loose)
        state = started_state(network)
        for slot, table in enumerate(self._problem.tables):
            _settle_placeholder(network, state, slot, table.rows - 1, stays=bool(is_loose[slot]))
        # Squares are kept only if an entry that is not released goes through them.
        masks = square_masks(network, state)
        in_use = network.places[~is_loose[self._slot_of_place], net.SQUARE]
        for square in set(in_use.tolist()) & kept.keys():
            masks[square] &= np.uint64(1 << kept[square])
        return replace(self._problem, network=network).rooted_at(state)

    def _cut(self, is_loose: NDArray[np.bool_]) -> Network:
        """Return the network without the crossings and mates of released slots."""
        network, owner = self._problem.network, self._slot_of_place
        places, slots = network.places.copy(), network.slots.copy()
        crossing = places[:, net.CROSSING]
        crosses_loose = (crossing >= 0) & is_loose[crossing]
        moves = is_loose[owner] & (places[:, net.SHARING] >= 0) & (~crosses_loose | (crossing < owner))
        places[is_loose[owner] | crosses_loose, net.CROSSING :] = -1
        squares = len(network.squares)
        places[moves, net.SQUARE] = np.arange(squares, squares + int(moves.sum()))
        holder, mate = self._slot_of_mate, network.mates
        are_rivals = ~(is_loose[holder] | is_loose[mate] | (self._is_given[holder] & self._is_given[mate]))
        slots[1:, net.MATES] = np.cumsum(np.bincount(holder[are_rivals], minlength=len(is_loose)))
        # For each square, the first slot through it and its index along that slot.
        _, first = np.unique(places[:, net.SQUARE], return_index=True)
        first_slots, starts = owner[first], slots[:, net.PLACES]
        first_in = np.stack([first_slots, first - starts[first_slots]], axis=1)
        return replace(network, places=places, slots=slots, mates=mate[are_rivals], squares=first_in)


def _with_placeholders(problem: Problem, constraints: GlobalConstraints) -> Problem:
    """Return the problem with other constraints, and a last row in each table that no constraint counts."""
    extended = {id(table): _with_placeholder(table) for table in problem.tables}
    tables = tuple(extended[id(table)] for table in problem.tables)
    cardinalities = tuple(
        replace(cardinality, rows=tuple(np.append(rows, False) for rows in cardinality.rows))
        for cardinality in constraints.slot_cardinalities
    )
    return problem.rebuilt_with(constraints._replace(slot_cardinalities=cardinalities), tables)


def _with_placeholder(table: Table) -> Table:
    extended = Table.of_rows(
        np.append(table.symbols, np.zeros((1, table.symbols.shape[1]), np.uint8), axis=0),
        np.append(table.words, np.int32(_NO_WORD)),
        np.append(table.scores, np.uint8(0)),
        table.lengths,
        np.append(table.appeals, np.uint8(0)),
        marks=None if table.marks is None else np.append(table.marks, np.uint8(PLAIN)),
        is_plain=table.is_plain,
    )
    return replace(extended, is_whole=table.is_whole, has_best_alone=table.has_best_alone)


def _at_most(constraints: GlobalConstraints) -> GlobalConstraints:
    """Return the part of the constraints that also applies to a partial fill."""
    return GlobalConstraints(
        tuple(each._replace(least=0) for each in constraints.square_cardinalities if each.most < NO_LIMIT),
        tuple(replace(each, least=0) for each in constraints.slot_cardinalities if each.most < NO_LIMIT),
        word_keys=constraints.word_keys,
    )


def _owners(starts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the index of the piece that each element belongs to, given where the pieces start."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _settle_placeholder(network: Network, state: State, slot: int, row: int, *, stays: bool) -> None:
    """Before the first propagation, restrict a slot to its last row, or to all other rows."""
    rows, sizes, bit = domain(network, state, slot), domain_sizes(network, state), np.uint64(1 << (row & 63))
    if stays:
        rows[:] = 0
        rows[-1] = bit
        sizes[slot] = 1
    else:
        rows[-1] &= ~bit
        sizes[slot] -= np.uint64(1)
