"""The exact number of fills: enumeration with propagation, separately for each independent part of the grid.

The grid is split into parts that do not depend on each other. Their counts multiply, and equivalent parts are
counted once. With constraints on the whole grid, a selection, or very many words, there is only one part.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit, never
from xwtui.engine.kernels.count import enumerate as kernels
from xwtui.engine.kernels.network import REQUIRED, SYMBOLS, TABLE, Network
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.arrays import with_longer_trail
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.tables import Table
from xwtui.model import Content, Position

_NODES_PER_SLICE, _SECONDS_PER_SLICE = 250, 0.005
"""Limits of a slice: stopping a count waits for one, and in an open 15×15 grid a node takes some milliseconds."""


class FillEnumeration:
    """A search through all fills of a problem whose root is possible, or of some of its slots."""

    def __init__(
        self,
        problem: Problem,
        slots: Collection[int] | None = None,
        copies: int = 1,
        *,
        tallies: bool = False,
    ) -> None:
        """`slots` must be independent of the others.

        `copies` is how many such parts there are, including this one. With `tallies`, the letters of the fills are
        counted too.
        """
        self.copies = copies
        self.is_done = False
        depths = len(problem.slots) + 1
        self._problem = problem
        self._network = problem.network if slots is None else _requiring(problem.network, slots)
        self._state = problem.new_state()
        self._split = list(problem.squares.opposites) if tallies else []
        self._place = kernels.Enumeration(
            slots=np.zeros(depths, np.int64),
            rows=np.full(depths, -1, np.int64),
            totals=np.zeros(kernels.TOTALS_SIZE, np.int64),
            tally=np.zeros(len(problem.positions) * SYMBOLS * tallies, np.int64),
            pairs=np.array(self._split, np.int64).reshape(-1),
            pair_tally=np.zeros(len(self._split) * SYMBOLS * SYMBOLS, np.int64),
        )
        self._place.totals[kernels.DESCENDING] = 1
        self._nodes_a_slice = 8

    def advance_slice(self, most_nodes: float = math.inf) -> bool:
        """Continue for some milliseconds; True once all fills are counted."""
        begun = perf_counter()
        self.advance(int(min(self._nodes_a_slice, most_nodes)))
        is_quick = perf_counter() - begun < _SECONDS_PER_SLICE
        self._nodes_a_slice = min(2 * self._nodes_a_slice, _NODES_PER_SLICE) if is_quick else 1
        return self.is_done

    def advance(self, nodes: int = _NODES_PER_SLICE) -> bool:
        """Continue for at most this many nodes; True once all fills are counted."""
        outcome = kernels.enumerate_fills(self._network, self._state, self._place, nodes)
        if outcome == kernels.TRAIL_FULL:
            self._state = with_longer_trail(self._state)
        self.is_done = outcome == kernels.ENUMERATED
        return self.is_done

    @property
    def fills(self) -> int:
        return int(self._place.totals[kernels.FILLS])

    @property
    def tally(self) -> Iterator[tuple[Position, Counter[Content]]]:
        """Yield the number of fills with each content of a position: twice for a hole, once for a split one."""
        contents, positions = self._problem.symbols.contents, self._problem.positions
        halves = {number for pair in self._split for number in pair}
        for number, counts in enumerate(self._place.tally.reshape(-1, SYMBOLS)):
            if number not in halves:
                codes = np.flatnonzero(counts).tolist()
                yield positions[number], Counter({contents[code]: counts[code].item() for code in codes})
        for (number, _), table in zip(
            self._split, self._place.pair_tally.reshape(-1, SYMBOLS, SYMBOLS), strict=True
        ):
            held = (
                (contents[one], contents[other], table[one, other].item()) for one, other in np.argwhere(table)
            )
            yield (
                positions[number],
                Counter({Content(one.across, other.down): count for one, other, count in held}),
            )

    @property
    def nodes(self) -> int:
        """Number of words tried so far."""
        return int(self._place.totals[kernels.NODES])

    @property
    def share(self) -> float:
        """Share of the words of the first slot that are finished, 0 to 1."""
        if not self.nodes:
            return 0.0
        rows = self._problem.rows_left(self._problem.root.state, int(self._place.slots[0]))
        return float(np.searchsorted(rows, self._place.rows[0]) / len(rows))


def _requiring(network: Network, slots: Collection[int]) -> Network:
    rows = network.slots.copy()
    rows[:, REQUIRED] = 0
    rows[list(slots), REQUIRED] = 1
    return replace(network, slots=rows)


_MOST_WORDS = 150_000
"""Above this many words in all open slots, the same ones counted once, finding the parts takes too long."""


@dataclass(frozen=True)
class ExactProgress:
    """The progress of an exact count."""

    lower: int
    """A lower bound on the number of fills."""
    nodes: int
    """Number of words tried."""
    parts_done: int
    parts: int
    share: float
    """Progress of the current part, 0 to 1; its steps differ in size."""

    @property
    def counted(self) -> float:
        """Progress over all parts, 0 to 1, if they are of equal size."""
        return (self.parts_done + self.share) / self.parts if self.parts > self.parts_done else 1.0


@dataclass(frozen=True)
class ExactCount:
    """The number of fills, or a lower bound if time ran out."""

    count: int | None
    """The exact number of fills; None if the count did not finish."""
    lower: int
    """A lower bound on the number of fills."""
    seconds: float
    """Time taken by this call."""
    nodes: int
    """Number of words tried."""
    is_complete: bool


def exact_count(
    problem: Problem,
    *,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
    progress: Callable[[ExactProgress], None] | None = None,
) -> ExactCount:
    """Count the fills exactly within a time limit; `progress` is called about ten times a second."""
    return Counting(problem).resume(Budget(seconds, stop=cancelled), progress)


class Counting:
    """An exact count that can be paused and continued."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._parts: list[FillEnumeration] | None = None

    def resume(
        self, budget: Budget = NO_LIMIT, progress: Callable[[ExactProgress], None] | None = None
    ) -> ExactCount:
        """Count within a budget; a node is a word tried."""
        limit = TimeLimit(budget if progress is None else budget.reporting(lambda: progress(self.progress)))
        last_node = math.inf if budget.nodes is None else self.nodes + budget.nodes
        if self._parts is None:
            self._parts = _parts_of(self._problem)
        while not (self.is_done or self.nodes >= last_node or limit.is_over()):
            next(part for part in self._parts if not part.is_done).advance_slice(last_node - self.nodes)
        lower = self.lower
        return ExactCount(lower if self.is_done else None, lower, limit.seconds, self.nodes, self.is_done)

    @property
    def is_done(self) -> bool:
        """Whether the count is exact: all parts are counted, or one that has no fill."""
        if not self._problem.root.is_possible:
            return True
        parts = self._parts
        if parts is None:
            return False
        return all(part.is_done for part in parts) or any(part.is_done and part.fills == 0 for part in parts)

    @property
    def lower(self) -> int:
        """A lower bound on the number of fills."""
        if self._parts is None or not self._problem.root.is_possible:
            return 0
        return math.prod(part.fills**part.copies for part in self._parts)

    @property
    def nodes(self) -> int:
        """Number of words tried."""
        return sum(part.nodes for part in self._parts or ())

    @property
    def progress(self) -> ExactProgress:
        parts = self._parts or []
        share = next((part.share for part in parts if not part.is_done), 1.0)
        done = sum(part.is_done for part in parts)
        return ExactProgress(self.lower, self.nodes, done, len(parts), share)


def _parts_of(problem: Problem) -> list[FillEnumeration]:
    """Return the parts to count, those with the fewest squares first; equivalent parts only once."""
    if not problem.root.is_possible:
        return []
    sizes = problem.domain_sizes(problem.root.state)
    words = sum(
        size for _, size in {*zip(problem.network.slots[:-1, TABLE].tolist(), sizes, strict=True)} if size > 1
    )
    if not problem.constraints.is_empty or not all(problem.is_required) or words > _MOST_WORDS:
        return [FillEnumeration(problem)]
    found = open_parts(problem, problem.root.state)
    alike: dict[tuple[object, ...], list[OpenPart]] = {}
    for part in found:
        alike.setdefault(part.equivalence_key if len(found) > 1 else (), []).append(part)
    return [
        FillEnumeration(problem, [slot.number for slot in parts[0].slots], len(parts)) for parts in alike.values()
    ]


_SLOT_BITS = 16


class OpenSlot(NamedTuple):
    """A slot with several words left; `squares` is the numbers of all its squares."""

    number: int
    squares: tuple[int, ...]
    table: Table
    rows: NDArray[np.int64]
    """Shape (rows left,)."""

    @property
    def words(self) -> NDArray[np.int32]:
        """The id of each row's word; shape (rows left,)."""
        return self.table.words[self.rows]


class OpenPart(NamedTuple):
    """Slots that must be counted together."""

    slots: tuple[OpenSlot, ...]
    squares: int
    """How many of their squares are open."""

    @property
    def equivalence_key(self) -> tuple[object, ...]:
        """A key that is equal for parts with the same fills on different squares."""
        numbers: dict[int, int] = {}
        return tuple(
            (
                tuple(numbers.setdefault(square, len(numbers)) for square in slot.squares),
                len(slot.rows),
                slot.table.symbols[slot.rows].tobytes(),
                slot.words.tobytes(),
            )
            for slot in self.slots
        )


def open_parts(problem: Problem, state: State) -> list[OpenPart]:
    """Split the open slots of a propagated state into independent parts, those with the fewest squares first.

    Two entries belong to one part if they share an open square, or if they could have the same word although
    answers must differ.
    """
    slots = list(_open_slots(problem, state))
    is_open = [mask & (mask - 1) != 0 for mask in problem.masks(state)]
    group = list(range(len(slots)))
    first_at: dict[int, int] = {}
    for number, slot in enumerate(slots):
        for square in slot.squares:
            if is_open[square]:
                _join(group, number, first_at.setdefault(square, number))
    is_one = len({_root(group, number) for number in group}) <= 1
    for one, other in _sharing_a_word([] if is_one or problem.task.allow_repeats else slots):
        _join(group, one, other)
    parts: dict[int, list[OpenSlot]] = {}
    for number, slot in enumerate(slots):
        parts.setdefault(_root(group, number), []).append(slot)
    made = [
        OpenPart(
            tuple(part), sum(is_open[square] for square in {square for slot in part for square in slot.squares})
        )
        for part in parts.values()
    ]
    return sorted(made, key=lambda part: part.squares)


def _open_slots(problem: Problem, state: State) -> Iterator[OpenSlot]:
    for number, size in enumerate(problem.domain_sizes(state)):
        if size > 1:
            squares = tuple(problem.slot_squares[number].tolist())
            yield OpenSlot(number, squares, problem.tables[number], problem.rows_left(state, number))


def _sharing_a_word(slots: Sequence[OpenSlot]) -> list[list[int]]:
    """Return pairs of slots that could take the same word: enough pairs to connect all that could."""
    uses = [slot.words.astype(np.int64) << _SLOT_BITS | number for number, slot in enumerate(slots)]
    ordered = np.unique(np.concatenate([np.zeros(0, np.int64), *uses]))
    words, slots_of = ordered >> _SLOT_BITS, ordered & ((1 << _SLOT_BITS) - 1)
    are_same = words[1:] == words[:-1]
    is_pair = np.zeros((len(slots), len(slots)), np.bool_)
    is_pair[slots_of[:-1][are_same], slots_of[1:][are_same]] = True
    joined: list[list[int]] = np.argwhere(is_pair).tolist()
    return joined


def _root(group: list[int], member: int) -> int:
    while group[member] != member:
        group[member] = group[group[member]]
        member = group[member]
    return member


def _join(group: list[int], one: int, other: int) -> None:
    group[_root(group, one)] = _root(group, other)
