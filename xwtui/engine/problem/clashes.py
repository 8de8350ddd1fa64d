"""Squares that clash, as a constraint of a problem and as the kernels' arrays hold it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.propagate.clashes import CLASH_COLUMNS, PAIR_COLUMNS


class Clashes(NamedTuple):
    """Of some pairs of squares so many clash, and all others agree; or their letters spell a message."""

    pairs: tuple[tuple[int, int], ...]
    """Numbers of squares, row by row, those of the across entry first."""
    letters: int
    """The symbols that can clash, as bits."""
    least: int
    most: int
    allowed: tuple[tuple[int, int], ...] | None = None
    """The symbols that may clash, two by two; None for any."""
    steps: tuple[tuple[int, int], ...] = ()
    """For each letter of a message the symbols of both squares, as bits."""
    message: str = ""
    given: int = 0
    """Pairs that are given."""

    @property
    def fewest(self) -> int:
        """How many clash at most where no more are to than must."""
        return min(max(self.least, self.given), self.most)

    def counted(self, masks: Sequence[int]) -> tuple[list[int], list[int]]:
        """The pairs that clash for certain, and those that may, by the symbols left in each square."""
        must: list[int] = []
        can: list[int] = []
        for pair, (one, other) in enumerate(self.pairs):
            across, down = masks[one], masks[other]
            must += [] if across & down else [pair]
            can += [pair] if self._can_clash(across & self.letters, down & self.letters) else []
        return must, can

    def _can_clash(self, across: int, down: int) -> bool:
        if self.allowed is None:
            return bool(across and down) and (across | down).bit_count() > 1
        return any(across >> one & 1 and down >> other & 1 for one, other in self.allowed)


def clash_records(clashes: Sequence[Clashes]) -> NDArray[np.int64]:
    """The records of clashes, as `kernels/propagate/clashes.py` tells; nothing where there are none."""
    cells: list[int] = []
    for asked in clashes:
        allowed = asked.allowed or ()
        steps = [(signed(one), signed(other)) for one, other in asked.steps]
        following = len(cells) + CLASH_COLUMNS + PAIR_COLUMNS * (len(asked.pairs) + len(allowed) + len(steps))
        cells += [following, len(asked.pairs), len(allowed), len(steps)]
        cells += [asked.least, asked.most, asked.fewest, 0 if asked.allowed == () else signed(asked.letters)]
        cells += [cell for pair in (*asked.pairs, *allowed, *steps) for cell in pair]
    return np.array(cells, np.int64)


def signed(mask: int) -> int:
    """A mask of 64 bits as the signed number that has the same bits."""
    return mask - (mask >> 63 << 64)
