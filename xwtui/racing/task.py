"""What is raced, who starts, for how long, on how many cores; and how a race stands, run by run."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from functools import cached_property

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Puzzle
from xwtui.named_tuples import NamedTuple
from xwtui.racing import DEFAULT_SECONDS, MOST_ENTRANTS
from xwtui.strategies import DEFAULT_STRATEGY

with lazy_imports():
    from xwtui.engine.problem.task import Task
    from xwtui.engine.warmup import warm_up
    from xwtui.strategies.registry import STRATEGIES, StrategyChoice


@dataclass(frozen=True, eq=False)
class RaceTask:
    """One grid with its words and rules, the same for every run; it can be sent to another process."""

    puzzle: Puzzle
    engine_task: Task
    """What the puzzle asks with these words."""

    @cached_property
    def squares(self) -> frozenset[Position]:
        """The squares that entries have, which is what a fill must fill."""
        return frozenset(at for slot in self.engine_task.grid.entries for at in slot.positions)


class RaceStart(NamedTuple):
    """One run: an entrant with a seed."""

    entrant: StrategyChoice
    seed: int


@dataclass(frozen=True)
class RaceOrder:
    """Every entrant runs once with every seed, for so many seconds of its own processor time each."""

    entrants: tuple[StrategyChoice, ...]
    seeds: tuple[int, ...]
    seconds: float = DEFAULT_SECONDS
    cores: int = 1

    @property
    def starts(self) -> tuple[RaceStart, ...]:
        """All runs, seed after seed, so that what is seen early is about all entrants."""
        return tuple(RaceStart(entrant, seed) for seed in self.seeds for entrant in self.entrants)


def read_entrants(texts: Iterable[str]) -> tuple[StrategyChoice, ...]:
    """Read entrants, several in a text with commas between them; all that enter races if none is named.

    A comma goes on with an entrant's options where `name=value` follows:
    `xwtui,emogic-letters:walk=snake,supply=chain` are two. Raises EngineError for what cannot be
    read, and where there are too many.
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


def seeds_from(first: int, count: int) -> tuple[int, ...]:
    """So many seeds, one after the other."""
    return tuple(range(first, first + count))


def load_words(task: RaceTask) -> None:
    """Make the tables of the words that the entries may take, before a clock runs."""
    asked = task.engine_task
    lengths = {len(slot) for slot in asked.grid.entries}
    for lexicon in (asked.lexicon, *asked.own_lists.values()):
        for length in lexicon.lengths:
            if length in lengths:
                lexicon.table(length)


def load_engines(task: RaceTask, entrants: Iterable[StrategyChoice]) -> None:
    """Load the engine, if any entrant is one of it; compiles it where that has not been done on this machine."""
    if any(entrant.name == DEFAULT_STRATEGY for entrant in entrants):
        warm_up(counting=False, improving=task.engine_task.rules.is_about_grid)


class RunState(enum.Enum):
    """The value is its name in tables and reports."""

    WAITING = "waiting"
    PREPARING = "preparing"
    """Laying the grid out in its own way."""
    RUNNING = "running"
    FILLED = "filled"
    """With a fill that the referee has found legal."""
    IMPOSSIBLE = "impossible"
    """With a proof that there is no fill."""
    GAVE_UP = "gave up"
    """Its search was over, with neither a fill nor a proof."""
    OUT_OF_TIME = "out of time"
    FOUL = "foul"
    """With a fill that the referee rejects, or a proof that another's fill refutes."""
    CRASHED = "crashed"
    REFUSED = "refused"
    """It does not take such a task on; neither a success nor a failure."""
    STOPPED = "stopped"
    """The race was ended before the run was; neither a success nor a failure."""

    @property
    def is_over(self) -> bool:
        return self not in _UNDER_WAY

    @property
    def is_settled(self) -> bool:
        """Whether the question was answered: with a fill, or with a proof that there is none."""
        return self in _SETTLED

    @property
    def is_failure(self) -> bool:
        """Whether it ended without an answer, by no one else's doing."""
        return self in _FAILURES


_UNDER_WAY = frozenset({RunState.WAITING, RunState.PREPARING, RunState.RUNNING})
_SETTLED = frozenset({RunState.FILLED, RunState.IMPOSSIBLE})
_FAILURES = frozenset({RunState.GAVE_UP, RunState.OUT_OF_TIME, RunState.FOUL, RunState.CRASHED})


@dataclass(frozen=True)
class Standing:
    """One run at one moment; all times are seconds of its own processor time."""

    entrant: str
    """The strategy with its options, as it is typed."""
    seed: int
    state: RunState = RunState.WAITING
    search_seconds: float = 0.0
    """From the task to the end; loading the words and compiling the engine are not in it."""
    prepare_seconds: float = 0.0
    """How many of these went by before the first turn of the search."""
    nodes: int = 0
    """Decisions."""
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    """Decisions in force."""
    squares: int = 0
    """Squares of entries that have content, given ones too."""
    all_squares: int = 0
    mean_score: float | None = None
    """Of the entries that are whole and listed; None where there is none."""
    lowest_score: int | None = None
    reason: str = ""
    """Why there is no fill, in a constructor's words; else empty."""
    grid: tuple[str, ...] = ()
    """The rows of a legal fill, as grid text."""


@dataclass(frozen=True)
class RaceView:
    """Every run, in the order of `RaceOrder.starts`; `seconds` is how long the race took by the clock."""

    order: RaceOrder
    standings: tuple[Standing, ...]
    seconds: float = 0.0
    is_stopped: bool = False
    """Whether it was ended before all runs were over."""

    @classmethod
    def at_start(cls, order: RaceOrder, all_squares: int) -> RaceView:
        """Before the first turn, of a grid with so many squares in entries."""
        waiting = (Standing(str(one.entrant), one.seed, all_squares=all_squares) for one in order.starts)
        return cls(order, tuple(waiting))

    def stopped(self) -> RaceView:
        """The same with the runs that are not over stopped."""
        if self.is_over:
            return self
        standings = (one if one.state.is_over else replace(one, state=RunState.STOPPED) for one in self.standings)
        return replace(self, standings=tuple(standings), is_stopped=True)

    @property
    def is_over(self) -> bool:
        return all(one.state.is_over for one in self.standings)

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(map(str, self.order.entrants))

    def of(self, entrant: str) -> tuple[Standing, ...]:
        """The runs of one entrant, by its name, in the order of the seeds."""
        return tuple(one for one in self.standings if one.entrant == entrant)
