"""The fill engine as a strategy: one search of it, stepped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from xwtui.engine.event import Event, EventKind
from xwtui.engine.outcome import Outcome
from xwtui.model import Content, Position
from xwtui.strategies.options import Option
from xwtui.strategies.protocol import Counters, Decision, Strategy

if TYPE_CHECKING:
    from xwtui.engine.filler import Filler


class XwtuiEngine(Strategy):
    """xwtui's own search: propagation by bit-sets, entries by learned weights, words by the room that they leave.

    The one strategy that knows rules. By default it restarts and jumps back, and so ends with its
    first fill, or with a proof that there is none; with `all=yes` it does neither, and finds every fill.
    """

    name = "xwtui"
    summary = "the fill engine: propagates, learns which crossings are hard, restarts, jumps back"
    source = "Demeulenaere et al., CP 2016 (Compact-Table); Boussemart et al., ECAI 2004 (weights)"
    options = (Option.switch("all", False, "go on after a fill to all others, without restarts and jumps"),)

    @property
    def is_complete(self) -> bool:
        """Whether it goes on to all fills."""
        return self.values.is_on("all")

    @cached_property
    def filler(self) -> Filler:
        """The search itself; made when first asked for, which loads the engine."""
        from xwtui.engine.filler import Filler  # noqa: PLC0415  (loads numba)
        from xwtui.engine.problem import Problem  # noqa: PLC0415
        from xwtui.engine.settings import NEVER, Settings  # noqa: PLC0415

        settings = Settings(first_restart=NEVER, backjump=False) if self.values.is_on("all") else None
        return Filler(Problem.of(self.task), seed=self.seed, settings=settings)

    @property
    def counters(self) -> Counters:
        """What the search has taken so far."""
        statistics = self.filler.statistics
        return Counters(statistics.nodes, statistics.backtracks, statistics.restarts, fills=self.counted.fills)

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The squares that the decisions and propagation leave one content."""
        return self.filler.current()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in force; what is left in their place is not kept, for others follow from propagation."""
        return tuple(
            Decision(who, None, what, ()) if isinstance(who, str) else Decision(None, who, what, ())
            for who, what in self.filler.decisions()
        )

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """How many words each entry can still take."""
        return dict(zip(self.filler.problem.slot_names, self.filler.domain_sizes(), strict=True))

    @property
    def proves_impossible(self) -> bool:
        """Always: the search is complete up to its first fill."""
        return True

    def search(self) -> Iterator[Event]:
        """Step the engine."""
        while self._may_go_on():
            event = self.filler.step()
            if event is None or event.kind is EventKind.IMPOSSIBLE:
                break
            yield event
        self.reason = "" if self.counted.fills else self.filler.reason

    def advance(self, seconds: float) -> Outcome:
        """Go on at the engine's full speed."""
        if not self.is_over and self._may_go_on():
            self.outcome = self.filler.advance(seconds=seconds)
            self.counted.fills += self.outcome is Outcome.FILLED
            self.is_over = self.outcome is Outcome.IMPOSSIBLE
        if self.is_over and self.counted.fills:
            self.outcome = Outcome.FILLED
        self.reason = "" if self.counted.fills else self.filler.reason
        return self.outcome

    def _may_go_on(self) -> bool:
        """Pass over a fill that was found, if others are asked for; False at the end."""
        if self.filler.outcome is Outcome.FILLED and self.is_complete:
            self.filler.pass_over_fill()
        return not self.filler.outcome.is_final
