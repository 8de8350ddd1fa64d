"""The best fill so far, which the threads of an improver share."""

from __future__ import annotations

from math import inf
from threading import Event as Flag
from threading import Lock
from time import perf_counter

from xwtui.engine.improving.improvement import Improvement
from xwtui.engine.improving.objective import Aim
from xwtui.engine.improving.priced_bound import PricedBound
from xwtui.engine.improving.standing import NONE, Standing
from xwtui.engine.improving.worth import Worth, lowest_of, mean

_BOUND_SHARE = 10
"""One in so many nodes, at most, goes into a better bound."""


class SharedBest:
    """Takes better fills from any thread, and keeps them all."""

    def __init__(self, worth: Worth, seconds: float | None, rounds: int | None) -> None:
        self.worth = worth
        self.bound = worth.bound()
        """In the objective's unit; whoever proves a better one may set it."""
        self.stop = Flag()
        """Set when all are to end."""
        self.is_proved = False
        """Whether it is proved that no better fill exists (or none at all, while there is none)."""
        self.rounds = 0
        self._most_rounds = self._turn_ends = inf if rounds is None else rounds
        self.seconds_allowed = inf if seconds is None else seconds
        self._begin = perf_counter()
        self._lock = Lock()
        self._standing: Standing | None = None
        self._kept: list[Improvement] = []
        self._priced = PricedBound(worth) if worth.objective.is_sum else None

    @property
    def seconds(self) -> float:
        """Since the start."""
        return perf_counter() - self._begin

    @property
    def is_stopped(self) -> bool:
        """Whether all are to end."""
        return self.stop.is_set()

    @property
    def standing(self) -> Standing | None:
        """The best fill, None while there is none."""
        return self._standing

    @property
    def kept(self) -> tuple[Improvement, ...]:
        """Every fill that was better than all before."""
        with self._lock:
            return tuple(self._kept)

    def offer(self, standing: Standing) -> bool:
        """Take a whole fill if it is better; tell whether it was."""
        with self._lock:
            if self._standing is not None and standing.rank <= self._standing.rank:
                return False
            self._standing = standing
            self._keep(standing)
            return True

    def _keep(self, standing: Standing) -> None:
        """Keep a fill that is better than all before, for the report."""
        self._kept.append(self._improvement(standing))

    def allow(self, rounds: int) -> None:
        """Let so many more refills begin, as far as there may be more."""
        self._turn_ends = min(self.rounds + rounds, self._most_rounds)

    @property
    def is_over(self) -> bool:
        """Whether all are to end, or there have been as many refills as there may be."""
        return self.is_stopped or self.rounds >= self._most_rounds

    def count_round(self) -> bool:
        """Count a refill that is to begin; False where there have been enough."""
        with self._lock:
            if self.rounds >= self._turn_ends:
                return False
            self.rounds += 1
            return True

    def tighten(self, effort: int) -> None:
        """Take the bound down while that has taken less than a share of an effort in nodes; for one thread.

        A best fill that adds up to the bound is proved to be the best, unless something else breaks ties.
        """
        priced, best, worth = self._priced, self._standing, self.worth
        if priced is None or best is None or priced.is_settled or priced.effort * _BOUND_SHARE > effort:
            return
        total = priced.step(worth.sum_of(best.rows))
        better = min if worth.objective.higher_is_better else max
        self.bound = better(self.bound, worth.value_of_sum(total))
        if worth.objective.aim is not Aim.FEWER_BELOW and total <= worth.sum_of(best.rows):
            self.prove(best)

    def prove(self, standing: Standing | None) -> None:
        """Take note that nothing is better than this fill, and stop if it is still the best."""
        with self._lock:
            if standing is self._standing:
                self.is_proved = True
                self.stop.set()

    def _improvement(self, standing: Standing) -> Improvement:
        worth = self.worth
        scores = worth.scores(standing.rows)
        listed = worth.listed_scores(standing.rows)
        return Improvement(
            squares=standing.squares(worth.problem),
            answers=standing.answers(worth.problem),
            value=worth.value(scores, [1 << symbol for symbol in standing.symbols.tolist() if symbol != NONE]),
            mean_score=mean(listed),
            lowest_score=lowest_of(listed),
            bound=self.bound,
            seconds=self.seconds,
            round=self.rounds,
        )
