"""How a race stands, run by run: what every face shows and every report tells."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from xwtui.racing.task import RaceOrder


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
        """Whether nothing more will come."""
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
        """Whether every run is over."""
        return all(one.state.is_over for one in self.standings)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the entrants, as they are typed."""
        return tuple(map(str, self.order.entrants))

    def of(self, entrant: str) -> tuple[Standing, ...]:
        """The runs of one entrant, by its name, in the order of the seeds."""
        return tuple(one for one in self.standings if one.entrant == entrant)
