"""Bitmaps of words by symbol and place: the look-up of strategies that decide word by word.

A set of words is a Python integer whose lowest bit is the first word, the one with the best score. Python's
integers are unbounded, and `&`, `|` and `bit_count` are fast on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress

from xwtui.strategies.board import EMPTY, Board

_CACHED_PATTERNS = 4096


class WordBitmaps:
    """The bitmaps of some words of one length, built column by column on demand."""

    def __init__(self, words: tuple[str, ...]) -> None:
        """Take spellings, best one first."""
        self.words = words
        self.every = (1 << len(words)) - 1
        """The set of all words."""
        self._columns: dict[int, Mapping[str, int]] = {}
        self.fitting = lru_cache(_CACHED_PATTERNS)(self._fitting)
        """Returns the words that fit a pattern."""

    def column(self, at: int) -> Mapping[str, int]:
        """Return, for each symbol at a place, the words with it."""
        if at not in self._columns:
            symbols = "".join([word[at] for word in reversed(self.words)])
            self._columns[at] = {symbol: _bits(symbols, symbol) for symbol in sorted(set(symbols))}
        return self._columns[at]

    def having(self, at: int, symbols: Collection[str]) -> int:
        """Return the words that have one of the given symbols at a place."""
        column = self.column(at)
        having = 0
        for symbol in symbols:
            having |= column.get(symbol, 0)
        return having

    def symbols(self, words: int, at: int) -> list[str]:
        """Return the symbols that a set of words has at a place, in order."""
        return [symbol for symbol, having in self.column(at).items() if words & having]

    def spelled(self, words: int) -> Iterator[str]:
        """Yield a set of words, best one first."""
        return compress(self.words, map("1".__eq__, reversed(f"{words:b}")))

    def bits(self, words: Collection[str]) -> int:
        wanted = set(words)
        return int("".join("1" if word in wanted else "0" for word in reversed(self.words)) or "0", 2)

    def _fitting(self, pattern: str) -> int:
        fitting = self.every
        for at, symbol in enumerate(pattern):
            if symbol != EMPTY:
                fitting &= self.column(at).get(symbol, 0)
        return fitting


class Bitmaps:
    """The bitmaps of all slots of a board, combined with its contents."""

    def __init__(self, board: Board) -> None:
        """Build the bitmaps; slots with the same words share them."""
        self._board = board
        made: dict[int, WordBitmaps] = {}
        for slot in board.slots:
            if id(slot.words) not in made:
                made[id(slot.words)] = WordBitmaps(slot.words)
        self.of = tuple(made[id(slot.words)] for slot in board.slots)
        """The bitmaps of each slot."""

    def fitting(self, slot: int) -> int:
        """Return a slot's words that fit its current contents."""
        return self.of[slot].fitting(self._board.pattern(slot))

    def symbols(self, slot: int, at: int) -> list[str]:
        return self.of[slot].symbols(self.fitting(slot), at)

    def surviving(self, slot: int) -> int:
        """Return the fitting words that leave a word to every crossing slot."""
        left = self.fitting(slot)
        for at, other, other_at in self._board.crossings[slot]:
            if self._board.symbols[self._board.slots[slot].squares[at]] == EMPTY:
                left &= self.of[slot].having(at, self.symbols(other, other_at))
        return left

    def shortage(self, slot: int, *, looks_ahead: bool) -> tuple[int, int | None, list[str]] | None:
        """Return the square that rules out a slot's last words, filled squares first; None if words are left.

        Also returns the slot that crosses there, and the symbols that those words have there. With `looks_ahead`,
        an empty square allows only symbols that its crossing slot has.
        """
        board, bitmaps = self._board, self.of[slot]
        squares = board.slots[slot].squares
        crossings = {crossing.at: crossing for crossing in board.crossings[slot]}
        left = bitmaps.every
        for at in sorted(range(len(squares)), key=lambda at: board.symbols[squares[at]] == EMPTY):
            current, crossing = board.symbols[squares[at]], crossings.get(at)
            if current != EMPTY:
                narrowed = left & bitmaps.having(at, current)
            elif crossing and looks_ahead:
                narrowed = left & bitmaps.having(at, self.symbols(crossing.slot, crossing.other_at))
            else:
                continue
            if not narrowed:
                return squares[at], crossing.slot if crossing else None, bitmaps.symbols(left, at)
            left = narrowed
        return None


def _bits(symbols: str, symbol: str) -> int:
    """Return a bit for each place where a symbol stands, with the last place as the lowest bit."""
    marks: defaultdict[int, str] = defaultdict(lambda: "0", {ord(symbol): "1"})
    return int(symbols.translate(marks), 2)


_SCORE_BITS = 7
"""Scores are 0 to 100."""


class LetterScores:
    """Scores of letters; an entry's contribution is cached while its possible words stay the same."""

    def __init__(self, board: Board, bitmaps: Bitmaps, *, sums_scores: bool) -> None:
        """A letter scores one for each word that has it or, with `sums_scores`, the word's score."""
        self._board = board
        self._bitmaps = bitmaps
        self._sums_scores = sums_scores
        self._kept: dict[int, tuple[int, list[dict[str, int]]]] = {}

    def of(self, square: int, words: Sequence[int]) -> dict[str, int]:
        """Return the score of each letter of a square: a product over its slots, from every slot's `words`."""
        weights = [self._weights(slot, words[slot])[at] for slot, at in self._board.places[square]]
        scores = dict(weights[0])
        for others in weights[1:]:
            scores = {letter: score * others[letter] for letter, score in scores.items() if letter in others}
        return scores

    def _weights(self, slot: int, words: int) -> list[dict[str, int]]:
        known, weights = self._kept.get(slot, (0, []))
        if known != words or not weights:
            columns = map(self._bitmaps.of[slot].column, range(len(self._board.slots[slot].squares)))
            weights = [
                {letter: self._weigh(slot, words & having) for letter, having in column.items() if words & having}
                for column in columns
            ]
            self._kept[slot] = words, weights
        return weights

    def _weigh(self, slot: int, words: int) -> int:
        if not self._sums_scores:
            return words.bit_count()
        return sum((words & digit).bit_count() << bit for bit, digit in enumerate(self._digits[slot]))

    @cached_property
    def _digits(self) -> list[list[int]]:
        """For each slot and each binary digit of the scores, the words with that digit set."""
        made: dict[int, list[int]] = {}
        for number, slot in enumerate(self._board.slots):
            if id(slot.words) not in made:
                scores = [self._board.score(self._board.read(number, word)) for word in reversed(slot.words)]
                made[id(slot.words)] = [
                    int("".join(str(score >> bit & 1) for score in scores) or "0", 2) for bit in range(_SCORE_BITS)
                ]
        return [made[id(slot.words)] for slot in self._board.slots]
