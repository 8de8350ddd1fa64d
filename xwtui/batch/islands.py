"""Breeding on islands: each breeds a population for a round, then the best wander to the next island of a ring.

An island's round is a task, about the population that it begins with. So the tasks of a round can be made once
those before it are done, each from the results of its own island and of the one before it in the ring; what a
batch comes to depends on its plan alone, not on how many processes do it, or in what order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xwtui.batch.results import POPULATION_FIGURE
from xwtui.batch.store import BatchStore
from xwtui.batch.tasks import BatchKind, BatchTask, Subject, TaskSettings, canonical

_WANDERERS = 2
"""So many of an island's best go on to the next one as well."""

Population = Sequence[Mapping[str, Any]]
"""Layouts as `island_subjects.bred_values` writes them, the best first."""


def asked_of_island(wanted: str, population: Population) -> str:
    """What an island is told: the layouts that are wanted, and those that it begins with."""
    return canonical({"wanted": wanted, "population": list(population)})


class IslandRounds:
    """Makes the tasks of a batch of islands, as soon as those are done that they come from."""

    def __init__(self, store: BatchStore) -> None:
        """Take a batch of islands; raises BatchError where its file is damaged."""
        self._store = store
        plan = store.island_plan
        assert plan is not None
        self._plan = plan
        self._names: dict[tuple[int, int], str] = {}
        """What the task of a round and an island is called."""
        self._populations: dict[tuple[int, int], Population] = {}
        """What it has come to, where that is known."""

    def grow(self) -> list[BatchTask]:
        """Add all tasks that can be made by now; returns those that had not been made before, done or not."""
        plan, made = self._plan, list[BatchTask]()
        for turn in range(plan.rounds):
            for island in range(plan.islands):
                if (turn, island) not in self._names:
                    population = self._start_of(turn, island)
                    if population is not None:
                        made.append(self._add(turn, island, population))
        return made

    def _start_of(self, turn: int, island: int) -> Population | None:
        """The layouts that an island begins a round with; None while those are missing that they come from."""
        if turn == 0:
            return []
        own = self._end_of(turn - 1, island)
        near = self._end_of(turn - 1, (island - 1) % self._plan.islands)
        if own is None or near is None:
            return None
        known = [one["rows"] for one in own]
        return [*own, *(one for one in near[:_WANDERERS] if one["rows"] not in known)]

    def _end_of(self, turn: int, island: int) -> Population | None:
        """The layouts that an island ended a round with; None where it has not, or came to nothing."""
        if (turn, island) not in self._populations:
            figures = self._store.figures_of(self._names.get((turn, island), ""))
            if POPULATION_FIGURE in figures:
                self._populations[turn, island] = figures[POPULATION_FIGURE]
        return self._populations.get((turn, island))

    def _add(self, turn: int, island: int, population: Population) -> BatchTask:
        plan = self._plan
        seed = plan.seed + turn * plan.islands + island
        asked = asked_of_island(plan.wanted, population)
        settings = TaskSettings(0.0, count=plan.generations)
        place = f"{plan.title}: round {turn + 1}" + (f", island {island + 1}" if turn else "")
        self._store.add((), [Subject(place, asked, plan.vocabulary)], [seed], [settings])
        task = BatchTask(BatchKind.BREED, asked, plan.vocabulary, seed, settings)
        self._names[turn, island] = task.name
        return task
