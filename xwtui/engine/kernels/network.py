"""The constraint network that kernels read: word tables, slots, places and crossings, as arrays.

It does not change during a search. Rows of a table are words, by descending score. A row is a sequence of symbols,
one for each square; the content of a rebus square is one symbol. A support is the bit-set of the rows that have a
symbol at an index: bit b of word w stands for row 64 w + b. A place is a square as part of a slot, so a crossing
square is two places. If two crossing slots may differ, each has its own square there, and they cross in name only:
see propagate/pairs.py.
"""

from functools import cached_property

import numpy as np

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels.bits import as_int
from xwtui.engine.kernels.compiler.compiled import inlined
from xwtui.engine.kernels.compiler.records import Array, Assembled

Bits = Array[np.uint64]
Ints = Array[np.int32]
Longs = Array[np.int64]
Bytes = Array[np.uint8]

SYMBOLS = 64
"""Number of symbols that a square's mask can represent."""
PLAIN_SYMBOLS = 36
"""Symbols from here on are rebuses."""
COLUMNS = 8
"""Symbols of a row that are read at once; the last row is padded with as many."""
FIRST_ROWS = 32
"""Rows of a bit-set that are tested one by one before the whole bit-set is searched."""

# Columns of Network.tables.
LETTERS = 0
"""Where a table's first row starts in `letters`."""
SUPPORTS = 1
"""Where its first bit-set starts in `supports`: ordered by index along the row, then by symbol."""
ROWS = 2
"""Where it starts in `row_words`, `row_scores` and `rows_by_word`; it ends where the next table starts."""
LENGTH = 3
"""Number of squares in a row."""
SYMBOL_COUNT = 4
"""Number of symbols with bit-sets; the table has no symbol from here on."""
WIDTH = 5
"""Width of one bit-set, in 64-bit words."""
BIT_SETS = 6
"""Number of bit-sets in the tables before it."""
IS_PLAIN = 7
"""1 if each of its words has exactly one row."""
TABLE_COLUMNS = 8

# Columns of Network.slots.
TABLE = 0
PLACES = 1
"""Where a slot's places start; they end where the next slot's start."""
DOMAIN = 2
"""Where its domain starts in the state's memory."""
MATES = 3
"""Where its mates start."""
REQUIRED = 4
"""1 if a fill must decide its word; 0 if the slot only forbids letters that none of its words allow."""
SLOT_COLUMNS = 5

# Columns of Network.places.
SQUARE = 0
CROSSING = 1
"""The crossing slot, or -1 if the square is unchecked."""
INDEX = 2
"""The square's index along the crossing slot."""
SHARING = 3
"""The crossing slot if it shares the same square, else -1."""
PLACE_COLUMNS = 4

# Columns of Network.squares.
AT_SLOT = 0
"""The first slot through a square."""
AT_INDEX = 1
"""The square's index along that slot."""
SQUARE_COLUMNS = 2


@dataclass(frozen=True, eq=False)
class Network(
    Assembled,
    columns={"tables": TABLE_COLUMNS, "slots": SLOT_COLUMNS, "places": PLACE_COLUMNS, "squares": SQUARE_COLUMNS},
    is_fixed=True,
):
    """Tables, slots and places. Arrays over rows are flat, table after table."""

    letters: Bytes
    """Symbols of all rows, row after row."""
    supports: Bits
    """Bit-sets of rows."""
    row_counts: Ints
    """Number of rows in each bit-set, in their order."""
    first_rows: Ints
    """The first rows of each bit-set, up to FIRST_ROWS of them."""
    row_words: Ints
    """Id of each row's word: equal ids mean equal words, across tables too."""
    row_scores: Bytes
    """Score of each row, 0 to 100."""
    row_appeals: Bytes
    """Score that the search uses, 0 to 150: adjusted by the constructor's preferences."""
    rows_by_word: Ints
    """Rows of each table, sorted by word id."""
    tables: Longs
    """Shape (tables + 1, 8); the last row holds the ends."""
    slots: Longs
    """Shape (slots + 1, 5); the last row holds the ends."""
    places: Longs
    """Shape (places, 4)."""
    squares: Longs
    """Shape (squares, 2)."""
    mates: Longs
    """For each slot, the other slots that share a possible word with it; empty if repeats are allowed."""
    constraints: Longs
    """Cardinalities, links and chains; empty if there are none. See propagate/constraints.py."""
    cardinality_rows: Bits
    """Bit-sets of the rows that cardinalities on slots and classes of chains count (propagate/constraints.py)."""
    keys: Ints
    """Keys of words; no two answers may share one. See propagate/constraints.py."""
    choices: Longs
    """Choices among ways; empty if there are none. See propagate/choices.py."""
    pairs: Longs
    """Pairs of squares that may differ; empty if there are none. See propagate/pairs.py."""
    constraint_flag: Longs | None
    """None in a plain network, else an array whose content does not matter.

    For None the kernels are compiled without global constraints and worth. With them, compiling takes three times
    as long.
    """

    @cached_property
    def longest(self) -> int:
        """Number of squares in the longest slot."""
        return int(self.tables[:, LENGTH].max(initial=0))

    @cached_property
    def ways(self) -> int:
        """Number of ways in all choices."""
        return int(self.choices[1 + self.choices[0]] - self.choices[1]) if len(self.choices) else 0


@inlined
def slot_count(network: Network) -> int:
    """Return the number of slots."""
    return len(network.slots) - 1


@inlined
def every_place(network: Network, slot: int) -> int:
    """Return all places of a slot, as bits."""
    return (1 << as_int(network.slots[slot + 1, PLACES] - network.slots[slot, PLACES])) - 1


@inlined
def limit_address(network: Network, slot: int) -> int:
    """Return the address of a domain's number of live words in the memory."""
    return as_int(network.slots[len(network.slots) - 1, DOMAIN]) + slot


@inlined
def size_address(network: Network, slot: int) -> int:
    """Return the address of a domain's size in the memory."""
    slots = len(network.slots) - 1
    return as_int(network.slots[slots, DOMAIN]) + slots + slot


@inlined
def mask_address(network: Network, square: int) -> int:
    """Return the address of a square's mask in the memory."""
    slots = len(network.slots) - 1
    return as_int(network.slots[slots, DOMAIN]) + 2 * slots + square
