"""The constraint network that kernels read: word tables, slots, places and crossings, as arrays.

Nothing here changes during a search. Rows of a table are words, by descending score; a row is a
sequence of symbols, one a square (a rebus square is one symbol). A support is the bit-set of the
rows that have a symbol at an index: bit b of word w stands for row 64 w + b. A place is a square
as a slot has it; a crossing square is two places. Where two slots that cross may differ, each has a square of its
own there, and the crossing is in name only: see propagate/pairs.py.
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
"""Symbols that a square's mask can tell apart."""
PLAIN_SYMBOLS = 36
"""Symbols from here up are rebuses."""
COLUMNS = 8
"""Symbols of a row that are read at once: behind the last row come so many more."""
FIRST_ROWS = 32
"""Rows of a bit-set that are looked at one by one, before all of it is."""

# Columns of Network.tables.
LETTERS = 0
"""Where a table's first row starts in `letters`."""
SUPPORTS = 1
"""Where its first bit-set starts in `supports`: they go by index along the row, then by symbol."""
ROWS = 2
"""Where it starts in `row_words`, `row_scores` and `rows_by_word`; the next table's start ends it."""
LENGTH = 3
"""Squares of a row."""
SYMBOL_COUNT = 4
"""Symbols that have bit-sets; the table has no symbol from here up."""
WIDTH = 5
"""64-bit words of one bit-set."""
BIT_SETS = 6
"""How many bit-sets the tables before it have."""
IS_PLAIN = 7
"""1 if each of its words has one row."""
TABLE_COLUMNS = 8

# Columns of Network.slots.
TABLE = 0
PLACES = 1
"""Where a slot's places start; the next slot's start ends them."""
DOMAIN = 2
"""Where its domain starts in the state's memory."""
MATES = 3
"""Where its mates start."""
REQUIRED = 4
"""1 if a fill must decide on its word; 0 if it is there only to forbid what it cannot take."""
SLOT_COLUMNS = 5

# Columns of Network.places.
SQUARE = 0
CROSSING = 1
"""The crossing slot, or -1 where the square is unchecked."""
INDEX = 2
"""The square's index along the crossing slot."""
SHARING = 3
"""The crossing slot where it has the same square, else -1."""
PLACE_COLUMNS = 4

# Columns of Network.squares.
AT_SLOT = 0
"""The first slot through a square."""
AT_INDEX = 1
"""The square's index along it."""
SQUARE_COLUMNS = 2


@dataclass(frozen=True, eq=False)
class Network(
    Assembled,
    columns={"tables": TABLE_COLUMNS, "slots": SLOT_COLUMNS, "places": PLACE_COLUMNS, "squares": SQUARE_COLUMNS},
    is_fixed=True,
):
    """Tables, slots and places; the arrays over rows are flat, table after table."""

    letters: Bytes
    """Symbols of all rows, row after row."""
    supports: Bits
    """Bit-sets of rows."""
    row_counts: Ints
    """How many rows each bit-set has; in their order."""
    first_rows: Ints
    """The first rows of each bit-set, FIRST_ROWS of them if it has so many."""
    row_words: Ints
    """Identity of each row's word: equal in two tables if, and only if, the word is."""
    row_scores: Bytes
    """Score of each row, 0 to 100."""
    row_appeals: Bytes
    """What a search weighs for it: the score, raised or lowered by the constructor's preferences, 0 to 150."""
    rows_by_word: Ints
    """Rows of each table in the order of their word identities."""
    tables: Longs
    """(tables + 1, 7); the last row holds the ends."""
    slots: Longs
    """(slots + 1, 5); the last row holds the ends."""
    places: Longs
    """(places, 4)."""
    squares: Longs
    """(squares, 2)."""
    mates: Longs
    """The slots that could take a word that a slot could take, too (none if repeats are allowed)."""
    constraints: Longs
    """Cardinalities, links and chains, empty where there are none; see propagate/constraints.py on these three."""
    cardinality_rows: Bits
    """Bit-sets of the rows that cardinalities on slots and classes of chains count."""
    keys: Ints
    """Keys of words, of which no two answers may share one."""
    choices: Longs
    """Choices among ways, empty where there are none: see propagate/choices.py."""
    pairs: Longs
    """Pairs of squares that may differ, empty where there are none: see propagate/pairs.py."""
    steering: Longs | None
    """None in a plain network: for it the kernels are compiled without those that see to constraints and
    to worth, which would take three times as long. Else an array, whose content does not matter."""

    @cached_property
    def longest(self) -> int:
        """The squares of the longest slot."""
        return int(self.tables[:, LENGTH].max(initial=0))

    @cached_property
    def ways(self) -> int:
        """The ways of all choices."""
        return int(self.choices[1 + self.choices[0]] - self.choices[1]) if len(self.choices) else 0


@inlined
def slot_count(network: Network) -> int:
    """The number of slots."""
    return len(network.slots) - 1


@inlined
def every_place(network: Network, slot: int) -> int:
    """All places of a slot, as bits."""
    return (1 << as_int(network.slots[slot + 1, PLACES] - network.slots[slot, PLACES])) - 1


@inlined
def limit_address(network: Network, slot: int) -> int:
    """Where the memory keeps how many words of a slot's domain are live."""
    return as_int(network.slots[len(network.slots) - 1, DOMAIN]) + slot


@inlined
def size_address(network: Network, slot: int) -> int:
    """Where the memory keeps how many rows a slot's domain has."""
    slots = len(network.slots) - 1
    return as_int(network.slots[slots, DOMAIN]) + slots + slot


@inlined
def mask_address(network: Network, square: int) -> int:
    """Where the memory keeps the symbols that a square can still take."""
    slots = len(network.slots) - 1
    return as_int(network.slots[slots, DOMAIN]) + 2 * slots + square
