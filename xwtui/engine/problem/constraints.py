"""The global constraints of a problem: what no single entry or square can answer for.

Cardinalities count squares or entries, links tie two squares together, and word keys keep answers apart
that have something in common. `constraint_layout.py` lays them out for the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NO_LIMIT = 1 << 20
"""The `most` of a cardinality that has none."""


@dataclass(frozen=True)
class SquareCardinality:
    """Of some squares, between `least` and `most` hold one of some symbols."""

    name: str
    """What the squares hold, such as `HEART`, or `HEART or CLUB`, or `Q`."""
    squares: tuple[int, ...]
    """Numbers of squares, as in `Problem.positions`, each once."""
    symbols: int
    """A bit for each symbol, as in `Symbols`."""
    least: int = 0
    most: int = NO_LIMIT


@dataclass(frozen=True, eq=False)
class SlotCardinality:
    """Between `least` and `most` slots take one of some rows."""

    name: str
    """What the entries have, such as `a wanted word`, or `the tag abbreviation`."""
    rows: tuple[NDArray[np.bool_], ...]
    """For each slot, whether each row of its table is one of them."""
    least: int = 0
    most: int = NO_LIMIT


@dataclass(frozen=True)
class Link:
    """One square holds one of some symbols if, and only if, another does."""

    name: str
    """What they hold, such as `HEART`."""
    first: int
    second: int
    symbols: int


@dataclass(frozen=True, eq=False)
class WordKeys:
    """Keys of words, of which no two answers may share one, however they go through rebus squares."""

    name: str
    """What two answers with a key in common do: `share a stem`, or `share 5 letters in a row`."""
    words: NDArray[np.int32]
    """Identities of words, as in `Table.words`; a word may be there several times."""
    keys: NDArray[np.int32]
    """A key of each of them, from 0 up."""


@dataclass(frozen=True)
class GlobalConstraints:
    """All global constraints of a problem; the empty one constraints nothing."""

    square_cardinalities: tuple[SquareCardinality, ...] = ()
    slot_cardinalities: tuple[SlotCardinality, ...] = ()
    links: tuple[Link, ...] = ()
    word_keys: tuple[WordKeys, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is demanded."""
        return not (self.square_cardinalities or self.slot_cardinalities or self.links or self.word_keys)

    @property
    def asks_for_more(self) -> bool:
        """Whether a whole fill must have something that is not asked of a part of one: so many, or mirrors."""
        least = [cardinality.least for cardinality in self.square_cardinalities] + [
            cardinality.least for cardinality in self.slot_cardinalities
        ]
        return bool(self.links) or any(least)


NO_CONSTRAINTS = GlobalConstraints()
