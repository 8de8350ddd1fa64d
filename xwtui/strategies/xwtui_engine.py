"""The fill engine as a strategy: a single search, stepped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import blake2b

from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import THE_END, Decision, DecisionReport, Event, EventKind, Outcome, Until
from xwtui.engine.events.timeline import EventSequence
from xwtui.engine.fill.search_settings import NEVER, Branching, Restarts, SearchSettings
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.strategies.protocol import Counters, Option, OptionValues, Proof, Strategy, WordLookUp
from xwtui.worded import in_words

with lazy_imports():
    from xwtui.engine.fill.filler import Filler, decision_report_of
    from xwtui.engine.kernels import state
    from xwtui.engine.problem.problem import Problem

_ORDERS: Mapping[str, tuple[float, int]] = {
    "blend": (0.2, 30),
    "room": (0.0, 30),
    "score": (10.0, 1_000_000_000),
}
"""The weight of a score point relative to the logarithm of the room, and the backtracks until it halves."""
_RING = 65_536
"""Ring buffer size for events between two reads of a recorded search: it makes some 20,000 in a slice."""
_NO_END = 1 << 62


class XwtuiEngine(Strategy):
    """xwtui's own search: bitset propagation, entries by learned weights, words by the room that they leave.

    The only strategy that propagates rules for the whole grid and places rebus squares.

    By default it restarts and backjumps, and so ends with its first fill or with a proof that there is none. With
    `all=yes` it does neither, and finds every fill.
    """

    name = DEFAULT_STRATEGY
    summary = "the fill engine: propagates, learns which crossings are hard, restarts, jumps back"
    source = "Demeulenaere et al., CP 2016 (Compact-Table); Boussemart et al., ECAI 2004 (weights)"
    index = WordLookUp("bitsets, compiled", "the words of an entry that can still have a symbol at a square")
    options = (
        Option.switch("all", False, "find all fills, without restarts and jumps"),
        Option.choice("order", tuple(_ORDERS), "order words by score, by the room they leave, or by both"),
        Option.number("noise", 20, 0, 1000, "how much chance changes the order of the words, in percent"),
        Option.choice("decide", tuple(Branching), "decide words, letters of squares, or both in turns"),
        Option.choice("restart", (*Restarts, "never"), "how the runs between restarts grow"),
        Option.number("patience", 400, 1, 1_000_000, "dead ends before the first restart; a quarter if geometric"),
        Option.switch("jump", True, "jump back over decisions that a dead end does not depend on"),
        Option.switch("blame", True, "blame every crossing that emptied an entry, not only the last"),
        Option.switch("fullest", True, "after a restart, first try the words of the fullest grid so far"),
    )

    proof_suffix = ".proof"
    _keeps_proof = False

    @cached_property
    def _filled(self) -> set[bytes]:
        """Hashes of earlier fills, if one may be read as other answers and so be found again."""
        return set()

    @property
    def is_complete(self) -> bool:
        return self.values.is_on("all")

    @classmethod
    def on(cls, problem: Problem, seed: int = 0, *, after: XwtuiEngine | None = None) -> XwtuiEngine:
        """Return a default search of a built problem, starting with the weights learned by the one `after`."""
        search = cls(problem.task, OptionValues.of(cls.name, cls.options), seed)
        search.__dict__["problem"] = problem
        if after is not None:
            search.filler.search.weights[:] = after.filler.search.weights
        if not problem.root.is_possible:
            search._end()
        return search

    @cached_property
    def problem(self) -> Problem:
        """The fill problem of the task, built on first use, which loads the engine."""
        return Problem.of(self.task)

    @cached_property
    def filler(self) -> Filler:
        """The search itself, created on first use, which loads the engine."""
        settings, trace, certify = self._settings(), self.is_recorded, self._keeps_proof
        return Filler(self.problem, seed=self.seed, settings=settings, trace=trace, ring=_RING, certify=certify)

    def _settings(self) -> SearchSettings:
        """Return the search settings for the options; with `all`, nothing may discard what was passed over."""
        values, wants_all = self.values, self.values.is_on("all")
        restart = "never" if wants_all else values.word("restart")
        score_weight, score_patience = _ORDERS[values.word("order")]
        return SearchSettings(
            noise=values.number("noise") / 100,
            score_weight=score_weight,
            score_patience=score_patience,
            branching=Branching(values.word("decide")),
            restarts=Restarts.GEOMETRIC if restart == "never" else Restarts(restart),
            first_run=max(values.number("patience") // 4, 1) if restart == "geometric" else None,
            first_restart=NEVER if restart == "never" else values.number("patience"),
            backjump=values.is_on("jump") and not wants_all,
            shared_blame=values.is_on("blame"),
            fullest_first=values.is_on("fullest"),
        )

    @property
    def counters(self) -> Counters:
        took, fills = self.filler.statistics, self.counted.fills
        return Counters(took.nodes, took.backtracks, took.restarts, fills=fills, deepest=took.deepest)

    @property
    def depth(self) -> int:
        return self.filler.statistics.depth

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The squares that the decisions and propagation have fixed."""
        return self.filler.current()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.filler.decisions()

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        return dict(zip(self.filler.problem.slot_names, self.filler.domain_sizes(), strict=True))

    @property
    def proves_impossible(self) -> bool:
        """Always: the search is complete up to its first fill."""
        return True

    def search(self) -> Iterator[Event]:
        while self._may_go_on():
            event = self.filler.step()
            if event is None or event.kind is EventKind.IMPOSSIBLE:
                break
            if event.kind is not EventKind.SOLVED or self._is_new():
                yield event
        self.reason = "" if self.counted.fills else in_words(self.filler.reason)

    def advance(self, budget: Budget = NO_LIMIT, until: Until = THE_END) -> Event | None:
        """Run at the engine's full speed, or nearly so if an event was requested."""
        if self.is_over or not self._may_go_on():
            self._end()
            return None
        event, nodes = None, _NO_END if budget.nodes is None else budget.nodes
        if until == THE_END:
            self.filler.advance(nodes, budget.seconds)
        else:
            slot = until.entry if until.entry in self.problem.slot_numbers else None
            event = self.filler.run_until(until.kinds, slot=slot, nodes=nodes, seconds=budget.seconds)
        self.outcome = self.filler.outcome
        if self.outcome is Outcome.FILLED and not self._is_new():
            self.outcome, event = Outcome.RUNNING, None
        self.counted.fills += self.outcome is Outcome.FILLED
        if self.outcome is Outcome.IMPOSSIBLE:
            self._end()
        else:
            self.reason = "" if self.counted.fills else in_words(self.filler.reason)
        return event

    @property
    def progress(self) -> int:
        return self.filler.statistics.nodes

    @property
    def dead_end(self) -> str:
        problem = self.problem
        if problem.root.is_possible:
            return ""
        control = problem.root.state.control
        slot, square = int(control[state.FAILED_SLOT]), int(control[state.FAILED_SQUARE])
        if slot >= 0:
            return problem.slots[slot].name
        return str(problem.positions[square]) if square >= 0 else ""

    def record(self) -> None:
        self.is_recorded = True
        if "filler" in self.__dict__:
            self.filler.record()

    def keep_proof(self) -> None:
        """Write a certificate; raises EngineError for a task that the certificate checker does not support."""
        self._keeps_proof = True
        self.__dict__.pop("filler", None)
        assert self.filler.certificate is not None

    @property
    def proof(self) -> Proof | None:
        if self.outcome is not Outcome.IMPOSSIBLE or self.filler.certificate is None:
            return None
        made = [f"{name}={text}" for name, text in self.values.texts.items()]
        return Proof(self.filler.certificate.text(f"{self.name}:{','.join(made)} seed {self.seed}"))

    def take_recorded(self) -> tuple[EventSequence, int]:
        """Return the events since the last call, decoded on access, and how many before them were dropped."""
        recorded = self.filler.take_recorded()
        return recorded, recorded.missed

    def report_decision(self) -> DecisionReport:
        return decision_report_of(self.filler)

    def _end(self) -> None:
        """Mark the search as over; if impossibility was proved at once, nothing was searched."""
        self.is_over = True
        self.outcome = Outcome.FILLED if self.counted.fills else self.filler.outcome
        self.reason = "" if self.counted.fills else in_words(self.filler.reason)

    def _is_new(self) -> bool:
        """Whether the fill is not just another reading of the squares of an earlier one."""
        if not (self.is_complete and self.task.treatments):
            return True
        squares = " ".join(map(str, self.filler.fill().values()))
        fill, before = blake2b(squares.encode(), digest_size=16).digest(), len(self._filled)
        self._filled.add(fill)
        return len(self._filled) > before

    def _may_go_on(self) -> bool:
        """Exclude the fill just found, if all fills are requested; return False at the end."""
        if self.filler.outcome is Outcome.FILLED and self.is_complete:
            self.filler.reject_fill()
        return not self.filler.outcome.is_final
