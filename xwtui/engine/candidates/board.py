"""The candidates of one entry and all that is known of each, row by row of the entry's table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateStanding
from xwtui.engine.candidates.options import answers_behind, is_unlisted
from xwtui.engine.count.belief import Beliefs
from xwtui.engine.kernels.network import CROSSING, PLACES, SQUARE
from xwtui.engine.kernels.propagate.propagate import NOBODY, SURVIVES, UNTRIED
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content, Position


@dataclass(eq=False)
class CandidateBoard:
    """What the stages find out, each in its own array; `estimates` puts it together, word by word."""

    problem: Problem
    slot: int
    words: list[str] = field(init=False)
    killers: NDArray[np.int32] | None = None
    """(rows,) SURVIVES, NOBODY, or the slot that runs empty; None before propagation."""
    log10: NDArray[np.float64] | None = None
    """(rows,) about how many fills have a row; -inf for none; None before belief propagation."""
    refined: dict[str, float] = field(default_factory=dict)
    """The same by word, reckoned with the word in place."""
    fills: dict[str, Mapping[Position, Content]] = field(default_factory=dict)
    hopeless: set[str] = field(default_factory=set)
    """Words that a complete search has found no fill for."""

    def __post_init__(self) -> None:
        self.words = self.problem.words(self.slot)

    def propagate(self) -> None:
        """Tell by the root which rows are dead, and which crossing has lost their letters."""
        table = self.problem.tables[self.slot]
        self.killers = np.full(table.rows, NOBODY, np.int32)
        if not self.problem.root.is_possible:
            return
        state, network = self.problem.root.state, self.problem.network
        masks = np.array(self.problem.masks(state), np.uint64)
        first = int(network.slots[self.slot, PLACES])
        for index in range(table.symbols.shape[1]):
            crossing = int(network.places[first + index, CROSSING])
            if crossing >= 0:
                mask = masks[int(network.places[first + index, SQUARE])]
                is_lost = (mask >> table.symbols[:, index].astype(np.uint64)) & np.uint64(1) == 0
                self.killers[is_lost & (self.killers == NOBODY)] = crossing
        self.killers[self.problem.rows_left(state, self.slot)] = SURVIVES

    def believe(self, beliefs: Beliefs, log10_total: float | None) -> None:
        """Take each row's share of so many fills; None: of the Bethe estimate."""
        shares = beliefs.row_shares(self.slot)
        log10_total = beliefs.log10_bethe if log10_total is None else log10_total
        with np.errstate(divide="ignore"):
            self.log10 = np.log10(shares) + (0.0 if log10_total is None else log10_total)

    def estimates(self) -> tuple[CandidateEstimate, ...]:
        """Each word once, in the order of the table: best score first."""
        scores = self._scores
        killers = [UNTRIED] * len(self.words) if self.killers is None else self.killers.tolist()
        log10 = [-math.inf] * len(self.words) if self.log10 is None else self.log10.tolist()
        if self.problem.tables[self.slot].is_plain:
            return tuple(self._estimate(*row) for row in zip(self.words, scores, killers, log10, strict=True))
        return tuple(
            self._estimate(
                word,
                scores[rows[0]],
                _best_killer(killers[row] for row in rows),
                _summed(log10[row] for row in rows),
            )
            for word, rows in self._rows.items()
        )

    def estimate(self, word: str) -> CandidateEstimate:
        """What is known of one word, from all its rows; raises KeyError if it is no candidate."""
        rows = self._rows[word]
        killers = [UNTRIED] if self.killers is None else self.killers[rows].tolist()
        log10 = [-math.inf] if self.log10 is None else self.log10[rows].tolist()
        return self._estimate(word, self._scores[rows[0]], _best_killer(killers), _summed(log10))

    def _estimate(self, word: str, score: int | None, killer: int, log10: float) -> CandidateEstimate:
        known = self._known(word, score, killer, log10)
        return replace(known, answer=self._answers[word]) if word in self._answers else known

    @cached_property
    def _answers(self) -> Mapping[str, str]:
        return answers_behind(self.problem, self.slot, self.words)

    def _known(self, word: str, score: int | None, killer: int, log10: float) -> CandidateEstimate:
        if killer == UNTRIED:
            return CandidateEstimate(word, score, CandidateStanding.MATCHES)
        if killer != SURVIVES or word in self.hopeless:
            named = killer >= 0 and killer != self.slot
            return CandidateEstimate(
                word, score, CandidateStanding.DEAD, self.problem.slots[killer].name if named else None
            )
        fill = self.fills.get(word)
        standing = CandidateStanding.SURVIVES if fill is None else CandidateStanding.PROVED
        known = self.refined.get(word, None if log10 == -np.inf else log10)
        return CandidateEstimate(word, score, standing, None, known, word in self.refined, fill)

    def row(self, word: str) -> int | None:
        """The likeliest row of a word that may still stand; None if there is none."""
        if self.killers is None:
            return None
        alive = [row for row in self.rows_of(word) if self.killers[row] == SURVIVES]
        if not alive or word in self.hopeless:
            return None
        return max(alive, key=lambda row: 0.0 if self.log10 is None else float(self.log10[row]))

    def rows_of(self, word: str) -> Sequence[int]:
        """All rows of a word; none if it is no candidate."""
        return self._rows.get(word, ())

    @cached_property
    def _scores(self) -> list[int | None]:
        """The score of each row; none for an answer that is given whole and in no list."""
        if is_unlisted(self.problem, self.slot, self.words):
            return [None]
        return list(self.problem.tables[self.slot].scores.tolist())

    @cached_property
    def _rows(self) -> Mapping[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row, word in enumerate(self.words):
            rows.setdefault(word, []).append(row)
        return rows


def _best_killer(killers: Iterable[int]) -> int:
    """Which slot kills all rows of a word; SURVIVES where one of them stands."""
    told = list(killers)
    return SURVIVES if SURVIVES in told else max(told)


def _summed(log10: Iterable[float]) -> float:
    """The logarithm of a sum of powers of ten."""
    powers = list(log10)
    most = max(powers)
    return most if most == -math.inf else most + math.log10(sum(10.0 ** (power - most) for power in powers))
