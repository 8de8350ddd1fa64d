"""Word tables: for each slot, the rows of symbols that its squares can take, and their bit-sets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.supports import build_supports
from xwtui.engine.symbols import PLAIN_CHARACTERS, Symbols
from xwtui.model import Content, Slot
from xwtui.words.lexicon import Lexicon

Pattern = Sequence[Content | None]
"""The given contents along a slot, None where a square is open."""

_LEXICONS_KEPT = 3
_LETTERS = 26

_ROW_BITS = 24
"""A word's identity is its length, shifted by so many bits, plus its row in the lexicon's table."""

_FIRST_UNLISTED = 127 << _ROW_BITS
"""Identities from here up are for given answers that no list has."""


@dataclass(frozen=True)
class Table:
    """Rows by descending score; `symbols` (rows, squares), `words` and `scores` (rows,) and bit-sets."""

    symbols: NDArray[np.uint8]
    words: NDArray[np.int32]
    scores: NDArray[np.uint8]
    supports: NDArray[np.uint64]
    symbol_count: int
    rows_by_word: NDArray[np.int32]

    @classmethod
    def of_rows(cls, symbols: NDArray[np.uint8], words: NDArray[np.int32], scores: NDArray[np.uint8]) -> Table:
        """Build the bit-sets of some rows."""
        rows, length = symbols.shape
        highest = int(symbols.max(initial=0))
        symbol_count = next(count for count in (_LETTERS, len(PLAIN_CHARACTERS), highest + 1) if count > highest)
        supports = np.zeros(length * symbol_count * -(-rows // 64), np.uint64)
        build_supports(symbols.flatten(), length, symbol_count, supports)
        rows_by_word = np.argsort(words, kind="stable").astype(np.int32)
        return cls(symbols, words, scores, supports, symbol_count, rows_by_word)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.words)

    @property
    def width(self) -> int:
        """64-bit words of one bit-set."""
        return -(-self.rows // 64)


class LexiconTables:
    """The tables of a lexicon's words for slots without given squares, made when first asked for."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._tables: dict[int, Table] = {}

    def table(self, length: int) -> Table:
        """All allowed words of a length."""
        found = self._tables.get(length)
        if found is None:
            letters, scores = self.lexicon.table(length)
            found = self._tables[length] = Table.of_rows(letters, self.word_ids(length), scores)
        return found

    def word_ids(self, length: int) -> NDArray[np.int32]:
        """The identities of the words of a length, in the lexicon's order."""
        first = length << _ROW_BITS
        return np.arange(first, first + len(self.lexicon.table(length).scores), dtype=np.int32)


_kept: OrderedDict[str, LexiconTables] = OrderedDict()
_lock = Lock()


def lexicon_tables(lexicon: Lexicon) -> LexiconTables:
    """The tables of a lexicon, kept for the few used last."""
    with _lock:
        tables = _kept.pop(lexicon.fingerprint, None) or LexiconTables(lexicon)
        _kept[lexicon.fingerprint] = tables
        while len(_kept) > _LEXICONS_KEPT:
            _kept.popitem(last=False)
        return tables


def given_table(
    tables: LexiconTables,
    symbols: Symbols,
    slot: Slot,
    given: Pattern,
    unlisted: dict[str, int],
) -> Table:
    """The table of a slot that has given squares: every word that fits them, a rebus taken as one square.

    An entry that is given whole has that answer, listed or not; `unlisted` numbers those that are not.
    """
    readings = [content.reading(slot.direction) if content else None for content in given]
    word_length = sum(1 if reading is None else len(reading) for reading in readings)
    letters, scores = tables.lexicon.table(word_length)
    rows, columns = _match(letters, readings)
    words, row_scores = tables.word_ids(word_length)[rows], scores[rows]
    shown = letters[rows][:, columns]
    if len(rows) == 0 and None not in readings:
        answer = "".join(reading for reading in readings if reading)
        number = unlisted.setdefault(answer, _FIRST_UNLISTED + len(unlisted))
        words, row_scores = np.array([number], np.int32), np.zeros(1, np.uint8)
        shown = np.zeros((1, len(columns)), np.uint8)
    for index, content in enumerate(given):
        if content is not None:
            shown[:, index] = symbols.code(content)
    return Table.of_rows(shown, words, row_scores)


def _match(letters: NDArray[np.uint8], readings: Sequence[str | None]) -> tuple[NDArray[np.intp], list[int]]:
    """The rows that have the readings in their places, and the column where each square begins."""
    fits = np.ones(len(letters), bool)
    columns: list[int] = []
    column = 0
    for reading in readings:
        columns.append(column)
        for character in reading or "":
            fits &= letters[:, column] == PLAIN_CHARACTERS.index(character)
            column += 1
        column += reading is None
    return np.flatnonzero(fits), columns
