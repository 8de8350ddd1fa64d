"""The symbols of a problem, and its word tables: for each slot, the rows of symbols that its squares can take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import FIRST_ROWS
from xwtui.engine.kernels.setup import build_supports
from xwtui.errors import EngineError
from xwtui.model import Content, Direction

PLAIN_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PLAIN_MASK = (1 << len(PLAIN_CHARACTERS)) - 1
"""The symbols that are plain characters, as bits."""
MOST_REBUSES = 64 - len(PLAIN_CHARACTERS)
"""Different rebus contents that one grid can have: a square's symbols are the bits of one word."""

PLAIN_CONTENTS = tuple(map(Content.of, PLAIN_CHARACTERS))
_PLAIN_CONTENT_OF_MASK = {1 << code: content for code, content in enumerate(PLAIN_CONTENTS)}


@dataclass(frozen=True)
class Symbols:
    """The code of each content, 0 to 63: plain characters first, then the rebus contents."""

    rebuses: tuple[Content, ...]

    @classmethod
    def of_contents(cls, contents: Iterable[Content]) -> Symbols:
        """Collect the rebus contents among those in play; raises EngineError for more than 28."""
        rebuses = tuple(dict.fromkeys(content for content in contents if content.is_rebus))
        if len(rebuses) > MOST_REBUSES:
            extra = ", ".join(str(content) for content in rebuses[MOST_REBUSES:][:5])
            raise EngineError(
                f"the grid has {len(rebuses)} different rebus squares, and the filler can tell "
                f"{MOST_REBUSES} apart; {extra} would be too many"
            )
        return cls(rebuses)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        """The content of each code."""
        return (*PLAIN_CONTENTS, *self.rebuses)

    @cached_property
    def content_of_mask(self) -> Mapping[int, Content]:
        """The content of each mask with one bit."""
        rebuses = {1 << code: content for code, content in enumerate(self.rebuses, len(PLAIN_CHARACTERS))}
        return _PLAIN_CONTENT_OF_MASK | rebuses if rebuses else _PLAIN_CONTENT_OF_MASK

    @cached_property
    def _codes(self) -> dict[Content, int]:
        return {content: code for code, content in enumerate(self.contents)}

    def code(self, content: Content) -> int:
        """The code of a content of this problem."""
        return self._codes[content]

    def mask(self, contents: Iterable[Content]) -> int:
        """The codes of contents, as bits."""
        mask = 0
        for content in contents:
            mask |= 1 << self._codes[content]
        return mask

    def spell(self, codes: Iterable[int], direction: Direction) -> str:
        """Read a row of symbols as the word that it spells in a direction."""
        return "".join(self.contents[code].reading(direction) for code in codes)

    def in_mask(self, mask: int) -> Iterator[Content]:
        """The contents whose bits are set in a square's mask."""
        return (content for code, content in enumerate(self.contents) if mask >> code & 1)


_LETTERS = 26


@dataclass(frozen=True, eq=False)
class Table:
    """Rows by descending score; `symbols` (rows, squares), `words` and `scores` (rows,) and bit-sets.

    A word that falls into the squares in several ways has a row for each.
    """

    symbols: NDArray[np.uint8]
    words: NDArray[np.int32]
    scores: NDArray[np.uint8]
    supports: NDArray[np.uint64]
    row_counts: NDArray[np.int32]
    """How many rows each bit-set has."""
    first_rows: NDArray[np.int32]
    """The first FIRST_ROWS rows of each bit-set."""
    symbol_count: int
    rows_by_word: NDArray[np.int32]
    lengths: tuple[int, ...]
    """How many characters the words have."""
    appeals: NDArray[np.uint8]
    """(rows,) how dear each word is to the filler: its score, but for preferences."""

    @classmethod
    def of_rows(
        cls,
        symbols: NDArray[np.uint8],
        words: NDArray[np.int32],
        scores: NDArray[np.uint8],
        lengths: tuple[int, ...],
        appeals: NDArray[np.uint8] | None = None,
    ) -> Table:
        """Build the bit-sets of some rows; `appeals` are the scores if they are not given."""
        rows, length = symbols.shape
        highest = int(symbols.max(initial=0))
        symbol_count = next(count for count in (_LETTERS, len(PLAIN_CHARACTERS), highest + 1) if count > highest)
        bit_sets = length * symbol_count
        supports = np.zeros(bit_sets * -(-rows // 64), np.uint64)
        counts, first_rows = np.zeros(bit_sets, np.int32), np.zeros(bit_sets * FIRST_ROWS, np.int32)
        build_supports(symbols.flatten(), length, symbol_count, supports, counts, first_rows)
        rows_by_word = np.argsort(words, kind="stable").astype(np.int32)
        appeals = scores if appeals is None else appeals
        return cls(
            symbols, words, scores, supports, counts, first_rows, symbol_count, rows_by_word, lengths, appeals
        )

    @cached_property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.words)

    @cached_property
    def width(self) -> int:
        """64-bit words of one bit-set."""
        return -(-self.rows // 64)

    @property
    def is_plain(self) -> bool:
        """Whether there are no rebus symbols in it, and so one row for each word."""
        return self.symbol_count <= len(PLAIN_CHARACTERS)

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        arrays = (self.symbols, self.words, self.scores, self.supports, self.first_rows, self.rows_by_word)
        return sum(array.nbytes for array in arrays)
