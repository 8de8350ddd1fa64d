"""What the letters of a square are worth, by the words that are possible in the entries through it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xwtui.strategies.bitmaps import Bitmaps
from xwtui.strategies.board import Board

_SCORE_BITS = 7
"""Scores are 0 to 100."""


class LetterScores:
    """The scores of letters; what one entry adds is kept while its possible words stay the same."""

    def __init__(self, board: Board, bitmaps: Bitmaps, *, sums_scores: bool) -> None:
        """A letter counts for each word that has it, or for the word's score."""
        self._board = board
        self._bitmaps = bitmaps
        self._sums_scores = sums_scores
        self._kept: dict[int, tuple[int, list[dict[str, int]]]] = {}

    def of(self, square: int, words: Sequence[int]) -> dict[str, int]:
        """The score of each letter that a square may take, a product over its slots.

        `words` are the possible ones of each slot of the board.
        """
        weights = [self._weights(slot, words[slot])[at] for slot, at in self._board.places[square]]
        scores = dict(weights[0])
        for others in weights[1:]:
            scores = {letter: score * others[letter] for letter, score in scores.items() if letter in others}
        return scores

    def _weights(self, slot: int, words: int) -> list[dict[str, int]]:
        """What the letters weigh at each place of a slot."""
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
        """For each slot and each binary digit of a score, the words whose scores have it."""
        made: dict[int, list[int]] = {}
        for number, slot in enumerate(self._board.slots):
            if id(slot.words) not in made:
                scores = [self._board.score(self._board.read(number, word)) for word in reversed(slot.words)]
                made[id(slot.words)] = [
                    int("".join(str(score >> bit & 1) for score in scores) or "0", 2) for bit in range(_SCORE_BITS)
                ]
        return [made[id(slot.words)] for slot in self._board.slots]
