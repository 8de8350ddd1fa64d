"""A best by another objective, which leads the way to the one that is asked for.

Raising the mean alone soon ends where no region holds a better one; lifting the lowest entries first, even
where the mean falls for a while, leads on to better means.
"""

from __future__ import annotations

from dataclasses import replace

from xwtui.engine.improving.objective import Aim, Objective
from xwtui.engine.improving.shared_best import SharedBest
from xwtui.engine.improving.standing import Standing
from xwtui.engine.improving.worth import Worth

_PATIENCE = 150
"""Rounds without a better fill after which the guide is left."""


class GuidingBest(SharedBest):
    """Improves the lowest score first, and offers every fill to its goal as well."""

    def __init__(self, goal: SharedBest) -> None:
        super().__init__(Worth(goal.worth.problem, Objective.lowest()), None, None)
        self._goal = goal
        self._last = 0

    @staticmethod
    def leads_to(objective: Objective) -> bool:
        """Whether an objective is better reached this way: those that sum scores alone."""
        return objective.aim in (Aim.MEAN, Aim.FLATTENED)

    @property
    def is_stopped(self) -> bool:
        """Whether all are to end, or the guide has come to its end."""
        return self.stop.is_set() or self._goal.is_stopped

    def offer(self, standing: Standing) -> bool:
        """Take a whole fill if it is better by either objective; tell whether it was by the guide's."""
        self._goal.offer(replace(standing, rank=self._goal.worth.rank(standing.rows, standing.symbols)))
        if super().offer(standing):
            self._last = self._goal.rounds
            return True
        return False

    def _keep(self, standing: Standing) -> None:
        """The goal keeps what is reported."""

    def count_round(self) -> bool:
        """Count a round of the goal; False where it has had enough, or has gone without success for long."""
        return self._goal.rounds - self._last <= _PATIENCE and self._goal.count_round()

    def tighten(self, effort: int) -> None:
        """Take the goal's bound down."""
        self._goal.tighten(effort)

    def prove(self, standing: Standing | None) -> None:
        """Take note of a proof; that there is no fill at all goes for the goal, too."""
        super().prove(standing)
        if standing is None:
            self._goal.prove(None)
