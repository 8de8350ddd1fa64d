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
    from xwtui.engine.settings import Settings

_ORDERS: Mapping[str, tuple[float, int]] = {
    "blend": (0.2, 30),
    "room": (0.0, 30),
    "score": (10.0, 1_000_000_000),
}
"""What a point of score is worth beside the logarithm of the room, and after how many backtracks half as much."""
_DECISIONS = {
    "turns": "IN_TURNS",
    "words": "ON_WORDS",
    "squares": "ON_SQUARES",
    "squares-at-last": "SQUARES_AT_LAST",
}
_RESTARTS = {"geometric": "GEOMETRIC", "luby": "LUBY", "nested": "NESTED", "never": "GEOMETRIC"}


class XwtuiEngine(Strategy):
    """xwtui's own search: propagation by bit-sets, entries by learned weights, words by the room that they leave.

    The one strategy that looks ahead by rules for the whole grid, and places rebus squares.

    By default it restarts and jumps back, and so ends with its first fill, or with a proof that there is none;
    with `all=yes` it does neither, and finds every fill.
    """

    name = "xwtui"
    summary = "the fill engine: propagates, learns which crossings are hard, restarts, jumps back"
    source = "Demeulenaere et al., CP 2016 (Compact-Table); Boussemart et al., ECAI 2004 (weights)"
    options = (
        Option.switch("all", False, "go on after a fill to all others, without restarts and jumps"),
        Option.choice("order", tuple(_ORDERS), "which words come first: by score, by the room that they leave"),
        Option.number("noise", 20, 0, 1000, "how much chance mixes up the order of the words, in percent"),
        Option.choice("decide", tuple(_DECISIONS), "words, letters of squares, or both in turns"),
        Option.choice("restart", tuple(_RESTARTS), "how the runs between restarts grow"),
        Option.number("patience", 400, 1, 1_000_000, "dead ends before the first restart"),
        Option.switch("jump", True, "whether dead ends jump back over decisions that they do not depend on"),
        Option.switch("blame", True, "whether all crossings that emptied an entry are blamed, not the last alone"),
    )

    @property
    def is_complete(self) -> bool:
        """Whether it goes on to all fills."""
        return self.values.is_on("all")

    @cached_property
    def filler(self) -> Filler:
        """The search itself; made when first asked for, which loads the engine."""
        from xwtui.engine.filler import Filler  # noqa: PLC0415  (loads numba)
        from xwtui.engine.problem import Problem  # noqa: PLC0415

        return Filler(Problem.of(self.task), seed=self.seed, settings=self._settings())

    def _settings(self) -> Settings:
        """What the options come to; with `all` nothing may forget what was passed over."""
        from xwtui.engine.settings import NEVER, Branching, Restarts, Settings  # noqa: PLC0415

        values, wants_all = self.values, self.values.is_on("all")
        restart = "never" if wants_all else values.word("restart")
        score_weight, score_patience = _ORDERS[values.word("order")]
        return Settings(
            noise=values.number("noise") / 100,
            score_weight=score_weight,
            score_patience=score_patience,
            branching=Branching[_DECISIONS[values.word("decide")]],
            restarts=Restarts[_RESTARTS[restart]],
            first_restart=NEVER if restart == "never" else values.number("patience"),
            backjump=values.is_on("jump") and not wants_all,
            shared_blame=values.is_on("blame"),
        )

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
            Decision(who, None, what, (), contents)
            if isinstance(who, str)
            else Decision(None, who, what, (), contents)
            for (who, what), contents in zip(self.filler.decisions(), self.filler.decided_contents(), strict=True)
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
            found = self.filler.advance(seconds=seconds)
            self.counted.fills += found is Outcome.FILLED
            self.is_over = found is Outcome.IMPOSSIBLE
        else:
            self.is_over = True
        self.outcome = Outcome.FILLED if self.is_over and self.counted.fills else self.filler.outcome
        self.reason = "" if self.counted.fills else self.filler.reason
        return self.outcome

    def _may_go_on(self) -> bool:
        """Pass over a fill that was found, if others are asked for; False at the end."""
        if self.filler.outcome is Outcome.FILLED and self.is_complete:
            self.filler.pass_over_fill()
        return not self.filler.outcome.is_final
