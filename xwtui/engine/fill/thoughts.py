"""How the engine stands before its next decision: which entry or square comes next, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import MOST, LikelyWord, Rank, Thoughts
from xwtui.engine.kernels.network import CROSSING, INDEX, PLACES, SQUARE
from xwtui.engine.kernels.search.decisions import (
    BACKTRACKS,
    BY_SQUARES,
    CONFLICT,
    FULLEST,
    FULLEST_FIRST,
    LOYALTY,
    RESTARTS,
    SCORE_PATIENCE,
    SCORE_WEIGHT,
    UNIT,
)
from xwtui.lazy import lazy_imports
from xwtui.model import Position

with lazy_imports():
    from xwtui.engine.fill.filler import Filler

_NO_CROSSING = 1e-6
"""As in kernels/search/decisions.py."""
_SYMBOLS = 64
_BEFORE_ALL = 1 << 62


class _Standing(NamedTuple):
    """A slot or a square in the choice: the least value is next."""

    value: float
    name: str
    options: int
    weight: float
    slot: int
    loyalty: float = 1.0
    """How many times it counts because it has just failed."""

    @property
    def figures(self) -> str:
        if self.loyalty == 1.0:
            return f"{self.options:,} / {self.weight:.1f} = {self.value:,.1f}"
        return f"{self.options:,} / ({self.weight:.1f} × {self.loyalty:g}) = {self.value:,.1f}"


def thoughts_of(filler: Filler) -> Thoughts:
    """How the engine stands before its next decision; nothing where no fill exists, or all is decided.

    Where rules for the whole grid ask for something, that may come first: the ranking is of what comes otherwise.
    """
    if filler.outcome.is_final:
        return Thoughts(blame=blame_of(filler))
    by_squares = bool(filler.search.progress[BY_SQUARES])
    standing = _squares(filler) if by_squares else _slots(filler)
    ranked = sorted(standing, key=attrgetter("value"))[:MOST]
    ranking = tuple(Rank(one.name, one.figures) for one in ranked)
    words = _likely(filler, ranked[0].slot) if ranked and not by_squares else ()
    return Thoughts(ranking, words, blame_of(filler))


def likely_words(filler: Filler, entry: str, most: int = MOST) -> tuple[LikelyWord, ...]:
    """The words that an entry can still take, those first that it would take first if chance had no say."""
    return _likely(filler, filler.problem.slot_numbers[entry], most)


def blame_of(filler: Filler) -> Mapping[Position, float]:
    """How much each square was to blame for dead ends so far, as a share of the most blamed one, 0 to 1."""
    weights = filler.square_weights - 1.0
    most = float(weights.max(initial=0.0))
    shares = np.clip(weights / most, 0.0, 1.0) if most > 0 else np.zeros(len(weights))
    return dict(zip(filler.problem.positions, shares.tolist(), strict=True))


def _slots(filler: Filler) -> Iterator[_Standing]:
    """The undecided slots: their words by the blame of open crossings (kernels/search/decisions.py)."""
    problem, network = filler.problem, filler.problem.network
    sizes, weights = problem.domain_sizes(filler.state), filler.square_weights.tolist()
    crossings, squares = network.places[:, CROSSING].tolist(), network.places[:, SQUARE].tolist()
    starts = network.slots[:, PLACES].tolist()
    conflict, loyalty = int(filler.search.progress[CONFLICT]), filler.search.settings[LOYALTY] / UNIT
    for slot, size in enumerate(sizes):
        if size > 1 and problem.is_required[slot]:
            places = range(starts[slot], starts[slot + 1])
            open_places = (place for place in places if crossings[place] >= 0 and sizes[crossings[place]] > 1)
            weight = _NO_CROSSING + sum(weights[squares[place]] for place in open_places)
            times = loyalty if slot == conflict else 1.0
            yield _Standing(size / weight / times, problem.slots[slot].name, size, weight, slot, times)


def _squares(filler: Filler) -> Iterator[_Standing]:
    """The open squares: their letters by their blame."""
    problem, weights = filler.problem, filler.square_weights.tolist()
    for square, mask in enumerate(problem.masks(filler.state)):
        if mask.bit_count() > 1:
            value = mask.bit_count() / weights[square]
            yield _Standing(value, str(problem.positions[square]), mask.bit_count(), weights[square], -1)


def _likely(filler: Filler, slot: int, most: int = MOST) -> tuple[LikelyWord, ...]:
    """The words that a slot would take first but for chance, by room and appeal (kernels/search/choose.py).

    The one that it has in the fullest partial fill is before all others, once that counts.
    """
    problem, table = filler.problem, filler.problem.tables[slot]
    rows = problem.rows_left(filler.state, slot)
    room = _room(filler, slot)
    settings, progress = filler.search.settings, filler.search.progress
    patience = int(settings[SCORE_PATIENCE])
    point = int(settings[SCORE_WEIGHT]) * patience // (patience + int(progress[BACKTRACKS]))
    roomy = room[np.arange(room.shape[0]), table.symbols[rows]].sum(axis=1)
    weights = roomy + point * table.appeals[rows].astype(np.int64)
    if settings[FULLEST_FIRST] and progress[RESTARTS] and len(filler.answers()) <= progress[FULLEST]:
        weights[rows == filler.search.fullest[slot]] = _BEFORE_ALL
    best = np.argsort(-weights, kind="stable")[:most].tolist()
    return tuple(
        LikelyWord(
            problem.word(slot, int(rows[place])),
            problem.score(slot, int(rows[place])),
            float(roomy[place]) / (UNIT * math.log(10)),
        )
        for place in best
    )


def _room(filler: Filler, slot: int) -> NDArray[np.int64]:
    """For each place of a slot and symbol, the logarithm, fixed-point, of the crossing words with it there."""
    problem, network = filler.problem, filler.problem.network
    first, last = network.slots[slot : slot + 2, PLACES].tolist()
    masks, sizes = problem.masks(filler.state), problem.domain_sizes(filler.state)
    room = np.zeros((last - first, _SYMBOLS), np.int64)
    for place in range(first, last):
        other = int(network.places[place, CROSSING])
        is_open = masks[int(network.places[place, SQUARE])].bit_count() > 1
        if other >= 0 and is_open and sizes[other] > 1:
            index = int(network.places[place, INDEX])
            symbols = problem.tables[other].symbols[problem.rows_left(filler.state, other), index]
            counts = np.maximum(np.bincount(symbols, minlength=_SYMBOLS), 1)
            room[place - first] = np.rint(np.log(counts) * UNIT)
    return room
