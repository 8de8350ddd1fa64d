"""The input of a race (task, entrants, limits) and its state, run by run."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from xwtui.batch.races import DEFAULT_SECONDS, MOST_ENTRANTS
from xwtui.dataclasses import dataclass, replace
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Puzzle
from xwtui.strategies import DEFAULT_STRATEGY

with lazy_imports():
    from xwtui.engine.problem.task import Task
    from xwtui.engine.warmup import warm_up
    from xwtui.strategies.registry import STRATEGIES, StrategyChoice


@dataclass(frozen=True, eq=False)
class RaceTask:
    """One grid with its words and rules, the same for every run; picklable."""

    puzzle: Puzzle
    engine_task: Task
    """The puzzle as a task with these words."""

    @cached_property
    def squares(self) -> frozenset[Position]:
        """The squares of entries, which a fill must fill."""
        return frozenset(at for slot in self.engine_task.grid.entries for at in slot.positions)


class RaceStart(NamedTuple):
    """One run: an entrant with a seed."""

    entrant: StrategyChoice
    seed: int


@dataclass(frozen=True)
class RaceOrder:
    """The plan: every entrant runs once with every seed, each with this limit of its own processor seconds."""

    entrants: tuple[StrategyChoice, ...]
    seeds: tuple[int, ...]
    seconds: float = DEFAULT_SECONDS
    cores: int = 1

    @property
    def starts(self) -> tuple[RaceStart, ...]:
        """All runs, seed by seed, so that early results cover all entrants."""
        return tuple(RaceStart(entrant, seed) for seed in self.seeds for entrant in self.entrants)


def read_entrants(texts: Iterable[str]) -> tuple[StrategyChoice, ...]:
    """Parse entrants, separated by commas within a text; by default all strategies that enter races.

    A comma followed by `name=value` continues an entrant's options: `xwtui,emogic-letters:walk=snake,supply=chain`
    is two entrants. Raises EngineError for text that cannot be parsed, and for too many entrants.
    """
    named: list[str] = []
    for text in texts:
        begun = len(named)
        for part in text.split(","):
            if len(named) > begun and "=" in part and ":" not in part:
                named[-1] = f"{named[-1]},{part}"
            elif part.strip():
                named.append(part)
    if not named or [name.lower() for name in named] == ["all"]:
        named = [name for name, strategy in STRATEGIES.items() if strategy.enters_races]
    choices = [StrategyChoice.parse(name) for name in named]
    entrants = tuple({str(choice): choice for choice in choices}.values())
    if len(entrants) > MOST_ENTRANTS:
        raise EngineError(f"{len(entrants)} strategies are too many for one race; the limit is {MOST_ENTRANTS}")
    return entrants


def load_words(task: RaceTask) -> None:
    """Build the tables of words for the entries before any clock runs."""
    engine_task = task.engine_task
    lengths = {len(slot) for slot in engine_task.grid.entries}
    for lexicon in (engine_task.lexicon, *engine_task.own_lists.values()):
        for length in lexicon.lengths:
            if length in lengths:
                lexicon.table(length)


def load_engines(task: RaceTask, entrants: Iterable[StrategyChoice]) -> None:
    """Load the engine if it is among the entrants, compiling it if necessary."""
    if any(entrant.name == DEFAULT_STRATEGY for entrant in entrants):
        warm_up(counting=False, improving=task.engine_task.rules.is_about_grid)


class RunState(enum.Enum):
    """The state of a run; the value is its name in tables and reports."""

    WAITING = "waiting"
    PREPARING = "preparing"
    """Preparing the grid in its own way."""
    RUNNING = "running"
    FILLED = "filled"
    """Found a fill that the referee accepts."""
    IMPOSSIBLE = "impossible"
    """Proved that there is no fill."""
    GAVE_UP = "gave up"
    """Its search ended with neither a fill nor a proof."""
    OUT_OF_TIME = "out of time"
    FOUL = "foul"
    """Returned a fill that the referee rejects, or a proof that another's fill refutes."""
    CRASHED = "crashed"
    REFUSED = "refused"
    """It does not support the task; neither a success nor a failure."""
    STOPPED = "stopped"
    """The race ended before the run did; neither a success nor a failure."""

    @property
    def is_over(self) -> bool:
        return self not in _UNDER_WAY

    @property
    def is_settled(self) -> bool:
        """Whether the question was answered: with a fill, or with a proof that there is none."""
        return self in _SETTLED

    @property
    def is_failure(self) -> bool:
        """Whether it ended without an answer of its own accord."""
        return self in _FAILURES


_UNDER_WAY = frozenset({RunState.WAITING, RunState.PREPARING, RunState.RUNNING})
_SETTLED = frozenset({RunState.FILLED, RunState.IMPOSSIBLE})
_FAILURES = frozenset({RunState.GAVE_UP, RunState.OUT_OF_TIME, RunState.FOUL, RunState.CRASHED})


@dataclass(frozen=True)
class RunStatus:
    """One run at one moment; all times are seconds of its own processor time."""

    entrant: str
    """The strategy with its options, as typed."""
    seed: int
    state: RunState = RunState.WAITING
    search_seconds: float = 0.0
    """From receiving the task to the end, without loading the words and compiling the engine."""
    prepare_seconds: float = 0.0
    """The part of that before the first turn of the search."""
    nodes: int = 0
    """Number of decisions."""
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    """Number of decisions in force."""
    squares: int = 0
    """Number of filled squares in entries, including given ones."""
    all_squares: int = 0
    mean_score: float | None = None
    """Of the complete, listed entries; None if there are none."""
    lowest_score: int | None = None
    reason: str = ""
    """Why there is no fill, in a constructor's words; else empty."""
    grid: tuple[str, ...] = ()
    """The rows of a legal fill, as grid text."""


@dataclass(frozen=True)
class RaceView:
    """Every run, in the order of `RaceOrder.starts`; `seconds` is the elapsed wall-clock time."""

    order: RaceOrder
    statuses: tuple[RunStatus, ...]
    seconds: float = 0.0
    is_stopped: bool = False
    """Whether it was ended before all runs were over."""

    @classmethod
    def at_start(cls, order: RaceOrder, all_squares: int) -> RaceView:
        """Return the view before the first turn, for a grid with this many squares in entries."""
        waiting = (RunStatus(str(one.entrant), one.seed, all_squares=all_squares) for one in order.starts)
        return cls(order, tuple(waiting))

    def stopped(self) -> RaceView:
        """Return the same view with unfinished runs stopped."""
        if self.is_over:
            return self
        statuses = (one if one.state.is_over else replace(one, state=RunState.STOPPED) for one in self.statuses)
        return replace(self, statuses=tuple(statuses), is_stopped=True)

    @property
    def is_over(self) -> bool:
        return all(one.state.is_over for one in self.statuses)

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(map(str, self.order.entrants))

    def of(self, entrant: str) -> tuple[RunStatus, ...]:
        """Return the runs of one entrant, by name, in the order of the seeds."""
        return tuple(one for one in self.statuses if one.entrant == entrant)
