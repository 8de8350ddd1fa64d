"""A search that is over, or comes from a file, walked once more without running again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from xwtui.engine.event import Event
from xwtui.engine.outcome import Outcome
from xwtui.engine.watching.thoughts import Thoughts
from xwtui.errors import VerbError
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.arguing.argument import Argument
from xwtui.session.jobs.fills.arguing.trail import Stand
from xwtui.session.jobs.fills.running import RunOwner
from xwtui.session.jobs.fills.search import Search
from xwtui.session.jobs.fills.stepper import Recorder, Stepper
from xwtui.session.recording import Recording
from xwtui.session.run_view import RunView


class Replay(Search):
    """Walks a tape; at its end it stands still, for there is nothing more."""

    def __init__(
        self, owner: RunOwner, tape: Recording, last: RunView, goal: Goal, *, idle: threading.Condition
    ) -> None:
        """Walk a tape whose search stood as `last` tells at its end."""
        super().__init__(owner, FillOptions(), goal, seed=tape.seed, idle=idle)
        self.tape = tape
        self._last = last

    def go(self, goal: Goal) -> None:
        """Walk on as far as the goal says; raises VerbError where one stands at the end already."""
        if not (goal.is_in_record or self._is_in_past):
            raise VerbError(
                "this search is over: `back` and `goto` walk in it, `stop` leaves it, `fill` begins another"
            )
        super().go(goal)

    def _make_stepper(self) -> Stepper:
        return Finished(self._last)


class Finished:
    """Nothing more to step."""

    is_over = False
    """It has no end to tell: that has been told."""
    can_go_on = False

    def __init__(self, last: RunView) -> None:
        self._last = last

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Nothing happens."""
        return None

    def step(self, seconds: float) -> Event | None:
        """Nothing happens."""
        return None

    def record(self, recorder: Recorder) -> None:
        """There is nothing to record."""

    def argue(self, argument: Argument, past: Sequence[Stand] | None) -> None:
        """Refuse: nothing goes on from there."""
        raise VerbError("this search is over, and cannot be argued with; `step` begins another one")

    def look(self) -> RunView:
        """How the search stood at its end."""
        return replace(self._last, outcome=Outcome.RUNNING)

    def think(self) -> Thoughts:
        """Nothing: there is no more to decide."""
        return Thoughts()
