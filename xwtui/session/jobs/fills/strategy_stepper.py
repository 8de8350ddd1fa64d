"""A classic strategy as what a search in a thread steps."""

from __future__ import annotations

from time import perf_counter

from xwtui.engine.events.event import Event, EventKind, LikelyWord, Outcome, Thoughts
from xwtui.engine.events.timeline import ToldEvents
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.arguing.trail import Stand
from xwtui.session.jobs.fills.stepper import Recorder
from xwtui.session.run_view import RunView
from xwtui.strategies.protocol import Strategy

_OTHERS = 60
"""Words that are told beside the one that was tried last."""


class StrategyStepper:
    """A strategy's search, up to its first fill."""

    def __init__(self, strategy: Strategy, *, is_recorded: bool = True) -> None:
        self._strategy = strategy
        self._is_recorded = is_recorded
        self._events: list[Event] = []
        self._told = 0
        self._deepest = 0

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""
        return self._strategy.is_over or self._strategy.outcome is not Outcome.RUNNING

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""
        return not self.is_over

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that the goal may stop at; returns that."""
        if goal.steps is not None:
            return self.step(seconds)
        deadline = perf_counter() + seconds
        while self.can_go_on and perf_counter() < deadline:
            event = self.step(seconds)
            if event is not None and goal.is_reached(event, 0):
                return event
        return None

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there, however long that takes; None if the search is over."""
        event = next(self._strategy.run(), None) if self.can_go_on else None
        if event is not None:
            if self._is_recorded:
                self._events.append(event)
            self._told += 1
            self._deepest = max(self._deepest, event.depth)
            if event.kind is EventKind.IMPOSSIBLE:
                next(self._strategy.run(), None)
        return event

    @property
    def progress(self) -> int:
        """Its events."""
        return self._told

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to so many events; returns whether it is there."""
        deadline = perf_counter() + seconds
        while self.can_go_on and self._told < progress and perf_counter() < deadline:
            self.step(seconds)
        return not self.can_go_on or self._told >= progress

    def begin_recording(self) -> None:
        """Keep events from now on."""
        self._is_recorded = True

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""
        recorder.take(ToldEvents(self._events))
        self._events = []

    @property
    def is_exhausted(self) -> bool:
        """Whether it has ended without a fill."""
        return self._strategy.is_over and self._strategy.outcome is not Outcome.FILLED

    @property
    def is_proved(self) -> bool:
        """Whether that proves that there is none."""
        return self._strategy.outcome is Outcome.IMPOSSIBLE

    @property
    def dead_end(self) -> str:
        """The first entry that has no word left, where the strategy tells how many each has."""
        return next((name for name, size in self._strategy.domain_sizes.items() if size == 0), "")

    def decisions(self) -> tuple[Stand, ...]:
        """Its decisions in force, the first one first."""
        grid = self._strategy.task.grid
        return tuple(
            Stand(made.name, made.chosen, tuple(zip(positions, made.contents, strict=True)))
            for made in self._strategy.decisions
            for positions in [(made.square,) if made.square is not None else grid.slot(made.name).positions]
        )

    def ranked(self) -> tuple[str, ...]:
        """The places that it ranks at its first decision, which it makes; none if it ranks nothing."""
        for event in self._strategy.run():
            if event.kind is EventKind.DECIDE:
                return tuple(rank.name for rank in self._strategy.ranking)
        return ()

    def look(self) -> RunView:
        """How it stands, but for events and time."""
        strategy, counters = self._strategy, self._strategy.counters
        return RunView(
            outcome=strategy.outcome,
            squares=dict(strategy.squares),
            nodes=counters.nodes,
            backtracks=counters.backtracks,
            restarts=counters.restarts,
            depth=strategy.depth,
            deepest=self._deepest,
            domain_sizes=dict(strategy.domain_sizes),
            reason=strategy.reason,
            placements=counters.placements if strategy.places_letters else None,
        )

    def think(self) -> Thoughts:
        """What its last choice went by, where it ranks entries or squares, and what it would try there next."""
        ranking = self._strategy.ranking
        decided = self._strategy.decisions
        if not decided:
            return Thoughts(ranking=ranking, is_of_last=True)
        last, score = decided[-1], self._strategy.task.lexicon.score
        others = tuple(LikelyWord(word, score(word) or 0, 0.0) for word in last.left[:_OTHERS])
        return Thoughts(ranking, tried=last.name, chosen=last.chosen, others=others, is_of_last=True)
