"""The candidates of an entry as a lazy list, because there are tens of thousands of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.candidates.estimate import (
    SURE_POWERS,
    CandidateEstimate,
    CandidateOrder,
    primary_key,
    shown_word,
)


class ListedWords:
    """The words of a table's rows."""

    def __init__(self, words: Sequence[str], scores: NDArray[np.float64], answers: Sequence[str] = ()) -> None:
        """`scores` are 0 for words without one; `answers`, if any, has one for each row, "" if it is the word."""
        self.words, self.scores, self.answers = words, scores, answers

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The first row of each word."""
        return dict(zip(reversed(self.words), reversed(range(len(self.words))), strict=True))

    @cached_property
    def longest(self) -> int:
        """Length of the longest word as displayed."""
        if self.answers:
            return max(len(shown_word(*told)) for told in zip(self.answers, self.words, strict=True))
        return max(map(len, self.words), default=0)


class CandidateRows(Sequence[CandidateEstimate]):
    """Candidates in some order, as known at one moment. Immutable."""

    def __init__(
        self,
        listed: ListedWords,
        is_alive: NDArray[np.bool_],
        log10: NDArray[np.float64],
        is_unsure: NDArray[np.bool_],
        make: Callable[[int], CandidateEstimate],
        order: NDArray[np.intp] | None = None,
        known: Mapping[int, CandidateEstimate] | None = None,
    ) -> None:
        """For each row: its word, whether it is possible, its room (NaN if unknown) and whether that is unsure.

        `make` creates a candidate from a row. `order` is the rows to list, by default all. `known` has candidates
        that replace created ones.
        """
        self._listed, self._is_alive, self._log10 = listed, is_alive, log10
        self._is_unsure, self._make = is_unsure, make
        self._order = np.arange(len(is_alive)) if order is None else order
        self._known = known or {}

    @classmethod
    def of(cls, made: Sequence[CandidateEstimate]) -> CandidateRows:
        """Wrap existing candidates; returns the same object if it already is a CandidateRows."""
        if isinstance(made, CandidateRows):
            return made
        scores = np.array([one.score or 0 for one in made], np.float64)
        answers = [one.answer for one in made] if any(one.answer for one in made) else ()
        listed = ListedWords([one.word for one in made], scores, answers)
        is_alive = np.array([one.alive for one in made], np.bool_)
        log10 = np.array([np.nan if one.log10 is None else one.log10 for one in made], np.float64)
        is_unsure = np.array([not one.is_sure for one in made], np.bool_)
        return cls(listed, is_alive, log10, is_unsure, made.__getitem__)

    @cached_property
    def alive(self) -> int:
        """How many of them are still possible."""
        return int(np.count_nonzero(self._is_alive[self._order]))

    @property
    def longest(self) -> int:
        """Length of the entry's longest word as displayed."""
        return self._listed.longest

    def dead_words(self) -> frozenset[str]:
        """Return the words that no fill contains."""
        words = self._listed.words
        return frozenset(words[row] for row in self._order[~self._is_alive[self._order]].tolist())

    def place(self, word: str) -> int | None:
        """Return the index of a word; None if it is not listed."""
        row = self.row(word)
        if row is None:
            return None
        found = np.flatnonzero(self._order == row)
        return int(found[0]) if len(found) else None

    def starting_with(self, letters: str) -> CandidateRows:
        """Return the candidates whose words start with these letters."""
        words = self._listed.words
        return self.listing([row for row in self._order.tolist() if words[row].startswith(letters)])

    def without(self, banned: Collection[str]) -> CandidateRows:
        """Return the candidates whose answers are not banned."""
        words, answers = self._listed.words, self._listed.answers
        return self.listing(
            [row for row in self._order.tolist() if ((answers and answers[row]) or words[row]) not in banned]
        )

    def in_order(self, order: CandidateOrder) -> CandidateRows:
        """Return the candidates sorted by score, as in the table, or by room; dead ones last."""
        rows = np.sort(self._order)
        if order is not CandidateOrder.SCORE:
            rows = rows[np.argsort(-self._primary_keys(order)[rows], kind="stable")]
        is_alive = self._is_alive[rows]
        return self.listing(np.concatenate([rows[is_alive], rows[~is_alive]]))

    def _primary_keys(self, order: CandidateOrder) -> NDArray[np.float64]:
        """Return the primary sort key of all rows; unknown room counts as less than any other."""
        is_unknown = np.isnan(self._log10)
        known = self._log10[~is_unknown]
        least, most = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        room = np.where(is_unknown, least - SURE_POWERS, self._log10)
        return primary_key(room, self._listed.scores, most, order, self._is_unsure.astype(np.float64))

    def row(self, word: str) -> int | None:
        return self._listed.rows.get(word)

    def updated(self, estimates: Iterable[CandidateEstimate]) -> CandidateRows:
        """Return the candidates with newer estimates of some words, in the same order."""
        known = dict(self._known)
        is_alive, log10, is_unsure = self._is_alive.copy(), self._log10.copy(), self._is_unsure.copy()
        for one in estimates:
            if (row := self.row(one.word)) is not None:
                known[row] = one
                is_alive[row], log10[row] = one.alive, np.nan if one.log10 is None else one.log10
                is_unsure[row] = not one.is_sure
        return CandidateRows(self._listed, is_alive, log10, is_unsure, self._make, self._order, known)

    def listing(self, rows: Sequence[int] | NDArray[np.intp]) -> CandidateRows:
        """Return these rows of the table, in this order."""
        order = np.asarray(rows, np.intp)
        return CandidateRows(
            self._listed, self._is_alive, self._log10, self._is_unsure, self._make, order, self._known
        )

    @overload
    def __getitem__(self, place: int) -> CandidateEstimate: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[CandidateEstimate]: ...

    def __getitem__(self, place: int | slice) -> CandidateEstimate | Sequence[CandidateEstimate]:
        if isinstance(place, slice):
            return [self._made(row) for row in self._order[place].tolist()]
        return self._made(int(self._order[place]))

    def _made(self, row: int) -> CandidateEstimate:
        known = self._known.get(row)
        return self._make(row) if known is None else known

    def __len__(self) -> int:
        return len(self._order)
