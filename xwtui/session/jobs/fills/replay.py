"""A search that is over, or comes from a file, walked once more without looking for anything new."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.engine.events.event import Event, Outcome, Thoughts
from xwtui.errors import VerbError
from xwtui.model import Content, Position
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal, SearchArgument
from xwtui.session.jobs.fills.run import SEARCH_IS_OVER, EndedSearch, Turn
from xwtui.session.jobs.fills.search import SteppedSearch
from xwtui.session.jobs.fills.stepper import NOTHING, Recorder
from xwtui.session.jobs.fills.trail import Stand
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem


class Replay(SteppedSearch):
    """Walks a recording, which is made again from the seed of the search where there is none.

    At its end it stands still, for there is nothing more.
    """

    is_replay = True

    def __init__(self, ended: EndedSearch, goal: Goal, *, changed: threading.Condition) -> None:
        super().__init__(FillOptions(strategy=ended.options.strategy), goal, seed=ended.seed, changed=changed)
        self.ended = ended
        self.recording = ended.recording
        self.problem = ended.problem

    def go(self, goal: Goal) -> None:
        """Walk on as far as the goal says; raises VerbError where one stands at the end already."""
        if not (goal.is_in_record or self._is_in_past):
            raise VerbError(
                "this search is over: `back` and `goto` walk in it, `stop` leaves it, `fill` begins another"
            )
        super().go(goal)

    def work(self, problem: Problem | None, turn: Turn) -> RunView | None:
        """Walk as far as each goal says; ends where it is stopped."""
        self._turn = turn
        if self.recording is None:
            goal = self._goal
            assert problem is not None
            finished = _Finished(self.ended.last, self.ended.progress)
            self._made_again(finished, goal if goal is not None else Goal()).close()
            if self.recording is None:
                return None
        return self._search(_Finished(self.ended.last, self.ended.progress))


class _Finished:
    """Nothing more to step."""

    is_over = False
    """It has no end to tell: that has been told."""
    can_go_on = False
    incumbent: Mapping[Position, Content] = NOTHING
    """What it has found has been told."""
    rounds = 0
    proof = None

    def __init__(self, last: RunView, progress: int) -> None:
        self._last = last
        self.progress = progress

    def close(self) -> None:
        """Nothing is held."""

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Nothing happens."""
        return None

    def step(self, seconds: float) -> Event | None:
        """Nothing happens."""
        return None

    def catch_up(self, progress: int, seconds: float) -> bool:
        """It is there."""
        return True

    def begin_recording(self) -> None:
        """There is nothing to record."""

    def record(self, recorder: Recorder) -> None:
        """There is nothing to record."""

    def decisions(self) -> tuple[Stand, ...]:
        """None is known."""
        return ()

    def argue(self, argument: SearchArgument, past: Sequence[Stand] | None) -> None:
        """Refuse: nothing goes on from there."""
        raise VerbError(SEARCH_IS_OVER)

    def look(self) -> RunView:
        """How the search stood at its end."""
        return replace(self._last, outcome=Outcome.RUNNING)

    def think(self) -> Thoughts:
        """Nothing: there is no more to decide."""
        return Thoughts()
