"""How a run of the race stands, or how it ended."""

from __future__ import annotations

import enum


class State(enum.Enum):
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


_UNDER_WAY = frozenset({State.WAITING, State.PREPARING, State.RUNNING})
_SETTLED = frozenset({State.FILLED, State.IMPOSSIBLE})
_FAILURES = frozenset({State.GAVE_UP, State.OUT_OF_TIME, State.FOUL, State.CRASHED})
