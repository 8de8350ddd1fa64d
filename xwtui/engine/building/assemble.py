"""Assembling the kernels' arrays: a network from slots and tables, and a state to search it with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.demands.layout import lay_out_demands
from xwtui.engine.demands.quotas import NO_DEMANDS, Demands
from xwtui.engine.kernels.bound import WORTH_SIZE
from xwtui.engine.kernels.network import (
    CROSSING,
    DOMAIN,
    INDEX,
    LENGTH,
    LETTERS,
    MATES,
    PLACE_COLUMNS,
    PLACES,
    REQUIRED,
    ROWS,
    SLOT_COLUMNS,
    SQUARE,
    SUPPORTS,
    SYMBOL_COUNT,
    SYMBOLS,
    TABLE,
    TABLE_COLUMNS,
    WIDTH,
    Network,
)
from xwtui.engine.kernels.state import CONTROL_SIZE, EVENT_COLUMNS, STOP_SLOT, State

if TYPE_CHECKING:
    from xwtui.engine.building.tables import Table

Scalar = TypeVar("Scalar", bound=np.generic)

EVENT_RING = 4096
"""Events that a trace keeps between two looks at it."""

_STEERED = np.zeros(0, np.int64)
"""What tells a network whose kernels see to demands and to worth from a plain one."""

_TRAIL_LEVELS = 6
"""Whole copies of the memory that a fresh trail has room for; it grows when needed."""


def assemble_network(
    slot_squares: Sequence[Sequence[int]],
    slot_tables: Sequence[Table],
    rivals: NDArray[np.bool_],
    required: Sequence[bool],
    demands: Demands = NO_DEMANDS,
) -> Network:
    """Lay slots, tables, squares and demands out in flat arrays, from the numbers of each slot's squares.

    `rivals` (slots, slots) tells which slots may not have the same answer. Slots that are not
    `required` need no decision.
    """
    tables = tuple({id(table): table for table in slot_tables}.values())
    number = {id(table): index for index, table in enumerate(tables)}
    place_starts = _starts([len(squares) for squares in slot_squares])
    places = np.full((int(place_starts[-1]), PLACE_COLUMNS), -1, np.int64)
    places[:, SQUARE] = [square for squares in slot_squares for square in squares]
    _cross(places, place_starts)
    slot_rows = np.zeros((len(slot_squares) + 1, SLOT_COLUMNS), np.int64)
    slot_rows[:-1, TABLE] = [number[id(table)] for table in slot_tables]
    slot_rows[:, PLACES] = place_starts
    slot_rows[:, DOMAIN] = _starts([table.width for table in slot_tables])
    slot_rows[1:, MATES] = rivals.sum(axis=1).cumsum()
    slot_rows[:-1, REQUIRED] = required
    demanded = lay_out_demands(demands, slot_tables, tables, places)
    return Network(
        **_joined(tables)._asdict(),
        tables=_table_rows(tables),
        slots=slot_rows,
        places=places,
        squares=first_slots(places, place_starts, int(places[:, SQUARE].max(initial=-1)) + 1),
        mates=rivals.nonzero()[1],
        demands=demanded.demands,
        quota_rows=demanded.quota_rows,
        keys=demanded.keys,
        steering=None if demands.is_empty else _STEERED,
    )


def steered(network: Network) -> Network:
    """The same network, for kernels that see to demands and to worth, too."""
    return network._replace(steering=_STEERED)


class _Joined(NamedTuple):
    """The fields of a network that hold all tables, one after the other; nobody writes into them."""

    letters: NDArray[np.uint8]
    supports: NDArray[np.uint64]
    row_words: NDArray[np.int32]
    row_scores: NDArray[np.uint8]
    row_appeals: NDArray[np.uint8]
    rows_by_word: NDArray[np.int32]


@lru_cache(maxsize=1)
def _joined(tables: tuple[Table, ...]) -> _Joined:
    """Join tables; the same ones are asked for after every edit that gives no entry whole."""
    return _Joined(
        letters=_join([table.symbols.reshape(-1) for table in tables], np.uint8),
        supports=_join([table.supports for table in tables], np.uint64),
        row_words=_join([table.words for table in tables], np.int32),
        row_scores=_join([table.scores for table in tables], np.uint8),
        row_appeals=_join([table.appeals for table in tables], np.uint8),
        rows_by_word=_join([table.rows_by_word for table in tables], np.int32),
    )


def _table_rows(tables: Sequence[Table]) -> NDArray[np.int64]:
    rows = np.zeros((len(tables) + 1, TABLE_COLUMNS), np.int64)
    rows[:, LETTERS] = _starts([table.symbols.size for table in tables])
    rows[:, SUPPORTS] = _starts([table.supports.size for table in tables])
    rows[:, ROWS] = _starts([table.rows for table in tables])
    rows[:-1, LENGTH] = [table.symbols.shape[1] for table in tables]
    rows[:-1, SYMBOL_COUNT] = [table.symbol_count for table in tables]
    rows[:-1, WIDTH] = [table.width for table in tables]
    return rows


def _join(arrays: list[NDArray[Scalar]], dtype: type[Scalar]) -> NDArray[Scalar]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)


def _starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Where each of some consecutive pieces starts, and where the last ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def _cross(places: NDArray[np.int64], place_starts: NDArray[np.int64]) -> None:
    """Tell each of two places on one square the slot of the other, and the square's index along it."""
    by_square = np.argsort(places[:, SQUARE], kind="stable")
    squares = places[by_square, SQUARE]
    pairs = np.flatnonzero(squares[1:] == squares[:-1])
    one, other = by_square[pairs], by_square[pairs + 1]
    for place, crossing in ((one, other), (other, one)):
        slots = np.searchsorted(place_starts, crossing, side="right") - 1
        places[place, CROSSING] = slots
        places[place, INDEX] = crossing - place_starts[slots]


def first_slots(places: NDArray[np.int64], place_starts: NDArray[np.int64], squares: int) -> NDArray[np.int64]:
    """For each square, the first slot through it and its index along that slot."""
    _, first = np.unique(places[:, SQUARE], return_index=True)
    slots = np.searchsorted(place_starts, first, side="right") - 1
    return np.stack([slots, first - place_starts[slots]], axis=1).reshape(squares, 2)


def fresh_state(network: Network) -> State:
    """Make the zeroed arrays of a state, for `start_state` to fill."""
    slots, squares = len(network.slots) - 1, len(network.squares)
    words = int(network.slots[-1, DOMAIN])
    cells = words + 2 * slots + squares
    control = np.zeros(CONTROL_SIZE, np.int64)
    control[STOP_SLOT] = -1
    return State(
        memory=np.zeros(cells, np.uint64),
        stamps=np.zeros(cells, np.int32),
        trail=np.empty(2 * cells * _TRAIL_LEVELS, np.uint64),
        levels=np.zeros(slots + squares + 1, np.int64),
        sparse=np.zeros(words, np.int32),
        residues=np.zeros(len(network.places) * SYMBOLS, np.int32),
        seen=np.zeros(len(network.places), np.uint64),
        pending=np.zeros(slots, np.uint64),
        shown=np.zeros(int(network.tables[:, LENGTH].max(initial=0)), np.uint64),
        queue=np.zeros(slots, np.int64),
        control=control,
        events=np.empty((EVENT_RING, EVENT_COLUMNS), np.int64),
        worth=np.zeros(WORTH_SIZE + 2 * slots, np.int64),
    )


def copy_state(state: State) -> State:
    """Copy a state at rest (no level open), with a trail of its own."""
    unread = {name: np.empty_like(getattr(state, name)) for name in ("trail", "events")}
    return State(**{name: array.copy() for name, array in state._asdict().items() if name not in unread}, **unread)


def with_longer_trail(state: State) -> State:
    """The same state with twice the room on its trail."""
    trail = np.empty(2 * len(state.trail), np.uint64)
    trail[: len(state.trail)] = state.trail
    return state._replace(trail=trail)
