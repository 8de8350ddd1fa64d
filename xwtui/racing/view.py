"""The race as a whole, at one moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xwtui.racing.order import RaceOrder
from xwtui.racing.standing import Standing
from xwtui.racing.state import State


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
        """Before the first turn, on a course of so many squares."""
        waiting = (Standing(str(one.entrant), one.seed, all_squares=all_squares) for one in order.starts)
        return cls(order, tuple(waiting))

    def stopped(self) -> RaceView:
        """The same with the runs that are not over stopped."""
        if self.is_over:
            return self
        standings = (one if one.state.is_over else replace(one, state=State.STOPPED) for one in self.standings)
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
