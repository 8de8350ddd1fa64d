"""The global demands of a problem: what no single entry or square can answer for.

Quotas count squares or entries, links tie two squares together, and word keys keep answers apart
that have something in common. `demand_layout.py` lays them out for the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NO_LIMIT = 1 << 20
"""The `most` of a quota that has none."""


@dataclass(frozen=True)
class SquareQuota:
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
class SlotQuota:
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
class Demands:
    """All global demands of a problem; the empty one demands nothing."""

    square_quotas: tuple[SquareQuota, ...] = ()
    slot_quotas: tuple[SlotQuota, ...] = ()
    links: tuple[Link, ...] = ()
    word_keys: tuple[WordKeys, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is demanded."""
        return not (self.square_quotas or self.slot_quotas or self.links or self.word_keys)

    @property
    def asks_for_more(self) -> bool:
        """Whether a whole fill must have something that is not asked of a part of one: so many, or mirrors."""
        least = [quota.least for quota in self.square_quotas] + [quota.least for quota in self.slot_quotas]
        return bool(self.links) or any(least)


NO_DEMANDS = Demands()
