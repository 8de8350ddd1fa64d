"""The candidates of an entry as a list whose rows are made when looked at: there are tens of thousands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray
from sortedcontainers import SortedList

from xwtui.engine.candidates.estimate import (
    SURE_POWERS,
    CandidateEstimate,
    CandidateOrder,
    first_rank,
    told_word,
)


class ListedWords:
    """The words of the rows of a table."""

    def __init__(self, words: Sequence[str], scores: NDArray[np.float64], answers: Sequence[str] = ()) -> None:
        """`scores` are 0 where a word has none; `answers`, if any, are those that enter another word, or empty."""
        self.words, self.scores, self.answers = words, scores, answers

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Where each word has its first row."""
        return dict(zip(reversed(self.words), reversed(range(len(self.words))), strict=True))

    @cached_property
    def longest(self) -> int:
        """Characters of the longest, as they are shown."""
        if self.answers:
            return max(len(told_word(*told)) for told in zip(self.answers, self.words, strict=True))
        return max(map(len, self.words), default=0)


class CandidateRows(Sequence[CandidateEstimate]):
    """Candidates in an order, as far as was known of them at one moment; it never changes."""

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
        """Of each row: its word, whether it may stand, its room (NaN while unknown) and whether that is unsure.

        `make` makes a row; `order` are those that are listed, all of them if it is not given; `known` is what
        stands in the place of what would be made.
        """
        self._listed, self._is_alive, self._log10 = listed, is_alive, log10
        self._is_unsure, self._make = is_unsure, make
        self._order = np.arange(len(is_alive)) if order is None else order
        self._known = known or {}

    @classmethod
    def of(cls, made: Sequence[CandidateEstimate]) -> CandidateRows:
        """Candidates that are made already; itself, where it is one."""
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
        """How many of them may still stand."""
        return int(np.count_nonzero(self._is_alive[self._order]))

    @property
    def longest(self) -> int:
        """Characters of the longest word of the entry, as it is shown."""
        return self._listed.longest

    def dead_words(self) -> frozenset[str]:
        """The words that no fill has."""
        words = self._listed.words
        return frozenset(words[row] for row in self._order[~self._is_alive[self._order]].tolist())

    def place(self, word: str) -> int | None:
        """Where a word stands; None where it is not listed."""
        row = self.row(word)
        if row is None:
            return None
        found = np.flatnonzero(self._order == row)
        return int(found[0]) if len(found) else None

    def beginning(self, letters: str) -> CandidateRows:
        """Those whose words begin so."""
        words = self._listed.words
        return self.listing([row for row in self._order.tolist() if words[row].startswith(letters)])

    def without(self, banned: Collection[str]) -> CandidateRows:
        """Those that enter no banned answer."""
        words, answers = self._listed.words, self._listed.answers
        return self.listing(
            [row for row in self._order.tolist() if ((answers and answers[row]) or words[row]) not in banned]
        )

    def in_order(self, order: CandidateOrder) -> CandidateRows:
        """The same, dead ones last: by score as in the table, or by room."""
        rows = np.sort(self._order)
        if order is not CandidateOrder.SCORE:
            rows = rows[np.argsort(-self.firsts(order)[rows], kind="stable")]
        is_alive = self._is_alive[rows]
        return self.listing(np.concatenate([rows[is_alive], rows[~is_alive]]))

    @cached_property
    def rooms(self) -> tuple[float, float]:
        """The least and the most room that is known; 0 where none is."""
        known = self._log10[~np.isnan(self._log10)]
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)

    def firsts(self, order: CandidateOrder) -> NDArray[np.float64]:
        """What rows are sorted by first; those of unknown room count as leaving less than any other."""
        least, most = self.rooms
        room = np.where(np.isnan(self._log10), least - SURE_POWERS, self._log10)
        return first_rank(room, self._listed.scores, most, order, self._is_unsure.astype(np.float64))

    def ranks(self, order: CandidateOrder) -> Iterator[tuple[bool, float, int]]:
        """What the rows that are listed are sorted by: whether they are dead, by room, and as in the table."""
        dead, firsts = ~self._is_alive[self._order], -self.firsts(order)[self._order]
        return zip(dead.tolist(), firsts.tolist(), self._order.tolist(), strict=True)

    def row(self, word: str) -> int | None:
        return self._listed.rows.get(word)

    def renewed(self, estimates: Iterable[CandidateEstimate]) -> CandidateRows:
        """The same with what is known now of some words, which stay where they are."""
        known = dict(self._known)
        is_alive, log10, is_unsure = self._is_alive.copy(), self._log10.copy(), self._is_unsure.copy()
        for one in estimates:
            if (row := self.row(one.word)) is not None:
                known[row] = one
                is_alive[row], log10[row] = one.alive, np.nan if one.log10 is None else one.log10
                is_unsure[row] = not one.is_sure
        return CandidateRows(self._listed, is_alive, log10, is_unsure, self._make, self._order, known)

    def listing(self, rows: Sequence[int] | NDArray[np.intp]) -> CandidateRows:
        """Some rows of the table, in this order."""
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


class RoomOrder:
    """Candidates by room while more gets known of it: a word moves, and nothing is sorted anew.

    The ranks themselves are kept in order, each made once: for 30,000 rows no slower than to sort anew.
    """

    def __init__(self, rows: CandidateRows, order: CandidateOrder) -> None:
        self._rows, self._order = rows, order
        self._least, self._most = rows.rooms
        self._ranks = {rank[-1]: rank for rank in rows.in_order(order).ranks(order)}
        self._kept = SortedList(self._ranks.values())

    def renewed(self, estimates: Sequence[CandidateEstimate]) -> CandidateRows:
        """All with what is known now of some words, which have moved to their places."""
        self._rows = self._rows.renewed(estimates)
        for one in estimates:
            row = self._rows.row(one.word)
            if row in self._ranks:
                room = self._least - SURE_POWERS if one.log10 is None else one.log10
                first = first_rank(room, float(one.score or 0), self._most, self._order, float(not one.is_sure))
                self._kept.remove(self._ranks[row])
                self._ranks[row] = rank = (not one.alive, -first, row)
                self._kept.add(rank)
        return self._rows.listing([row for _, _, row in self._kept])
