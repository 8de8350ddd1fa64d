"""The protocol of all strategies: a search made from a task, options and a seed, reported as events.

The events are those of the fill engine, so code that shows, counts or records a search does not depend on any
particular strategy.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from time import perf_counter
from typing import ClassVar, NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import (
    THE_END,
    Decision,
    DecisionReport,
    Event,
    EventKind,
    LikelyWord,
    Outcome,
    Rank,
    Until,
)
from xwtui.engine.events.timeline import DecodedEvents, EventSequence
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.text import printable

with lazy_imports():
    from xwtui.engine.problem.task import Task

_YES = "yes"
_NO = "no"


@dataclass(frozen=True)
class Option:
    """One option: a choice among words, or a whole number if it has `bounds`."""

    name: str
    default: str
    help: str
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    """The lowest and highest number."""
    is_entry: bool = False
    """Whether the value names an entry, such as 17A."""

    @classmethod
    def choice(cls, name: str, choices: Sequence[str], help: str) -> Option:
        """Return an option that is a choice among words; the first is the default."""
        return cls(name, str(choices[0]), help, tuple(map(str, choices)))

    @classmethod
    def switch(cls, name: str, is_on: bool, help: str) -> Option:
        """Return an option that is yes or no."""
        return cls(name, _YES if is_on else _NO, help, (_YES, _NO))

    @classmethod
    def number(cls, name: str, default: int, least: int, greatest: int, help: str) -> Option:
        return cls(name, str(default), help, bounds=(least, greatest))

    @classmethod
    def entry(cls, name: str, default: str, help: str) -> Option:
        """Return an option that is an entry such as 17A, or a default word that stands for no particular entry."""
        return cls(name, default, help, (default,), is_entry=True)

    @property
    def expected(self) -> str:
        if self.is_entry:
            return f"{self.default}, or an entry such as 17A"
        if self.bounds is not None:
            return f"a whole number from {self.bounds[0]:,} to {self.bounds[1]:,}"
        return ", ".join(self.choices[:-1]) + f" or {self.choices[-1]}"

    def read(self, strategy: str, text: str) -> str:
        """Return the normalized value; raises EngineError if it is invalid."""
        value = text.strip().lower()
        if self.bounds is not None:
            is_right = value.isascii() and value.isdigit() and len(value) < 19
            is_right = is_right and self.bounds[0] <= int(value) <= self.bounds[1]
        else:
            is_entry = self.is_entry and re.fullmatch(r"[1-9]\d{0,3}[ad]", value) is not None
            is_right = value in self.choices or is_entry
        if not is_right:
            raise EngineError(f"{strategy}: {self.name} is {self.expected}, not {printable(text, 30)!r}")
        return str(int(value)) if self.bounds is not None else value


COMPILED = Option.switch("compiled", False, "take the same steps in compiled code, and show only the fills")
"""For strategies that also exist in compiled form."""


@dataclass(frozen=True)
class OptionValues:
    """The value of every option of one strategy."""

    texts: Mapping[str, str]

    @classmethod
    def of(cls, strategy: str, options: Sequence[Option], given: Mapping[str, str] | None = None) -> OptionValues:
        """Return the given values with defaults for the rest; raises EngineError for unknown options or values."""
        declared = {option.name: option for option in options}
        texts = {option.name: option.default for option in options}
        for name, text in (given or {}).items():
            if name not in declared:
                known = ", ".join(declared) if declared else "none"
                raise EngineError(f"{strategy} has no option {printable(name, 30)!r}; it has {known}")
            texts[name] = declared[name].read(strategy, text)
        return cls(texts)

    def word(self, name: str) -> str:
        return self.texts[name]

    def number(self, name: str) -> int:
        return int(self.texts[name])

    def is_on(self, name: str) -> bool:
        return self.texts[name] == _YES


MOST_OTHERS = 60
"""Number of untried words shown along with the current one."""


@dataclass(slots=True)
class Counters:
    """Running totals of a search."""

    nodes: int = 0
    """Decisions."""
    backtracks: int = 0
    """Decisions undone because the search below them failed; decisions skipped by a backjump do not count."""
    restarts: int = 0
    placements: int = 0
    """Letters placed one by one, as Cambon counts them: each legal letter tried. 0 for word-by-word searches."""
    fills: int = 0
    deepest: int = 0
    """The largest number of decisions in force at once."""

    def note(self, event: Event) -> None:
        self.deepest = max(self.deepest, event.depth)
        match event.kind:
            case EventKind.DECIDE:
                self.nodes += 1
                self.placements += event.slot is None
            case EventKind.BACKTRACK:
                self.backtracks += 1
            case EventKind.RESTART:
                self.restarts += 1
            case EventKind.SOLVED:
                self.fills += 1


class Lookups(NamedTuple):
    """How often a search looked up words or letters, and how much time that took."""

    asked: int
    """Look-ups requested."""
    made: int
    """Look-ups that reached the lists; the others were cached."""
    seconds: float
    """Time spent in the lists."""


class Proof(NamedTuple):
    """A proof that a task has no fill, in a form that independent programs can check."""

    steps: str
    """In DRAT, where each clause follows from the earlier ones and the last is empty; or a certificate of the
    engine."""
    formula: str = ""
    """The formula of a DRAT proof, in DIMACS with the variables named in comments; empty for a certificate."""


class WordLookUp(NamedTuple):
    """How a strategy looks up words, described for a constructor."""

    kind: str
    """The data structure that holds the words."""
    asked: str
    """The queries it answers."""


class Strategy(ABC):
    """A search that runs as its caller consumes its events.

    A subclass declares its name and options, and implements `search`. Its constructor may raise EngineError if it
    cannot handle the task. The same task, values and seed give the same search.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """A one-line description."""
    source: ClassVar[str]
    """The publication."""
    index: ClassVar[WordLookUp]
    """How it looks up words."""
    options: ClassVar[tuple[Option, ...]] = ()
    enters_races: ClassVar[bool] = True
    """Whether it takes part in a race of all strategies; otherwise it must be named."""
    proof_suffix: ClassVar[str] = ""
    """File suffix of its `proof`; empty if it writes none."""
    places_letters: ClassVar[bool] = False
    """Whether it places single letters, so that `counters.placements` is meaningful."""

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        """Set up the search; `values` are those of `options`, as `OptionValues.of` makes them."""
        self.task = task
        self.values = values
        self.seed = seed
        self.counted = Counters()
        """Totals over the events; read `counters` instead."""
        self.outcome = Outcome.RUNNING
        """FILLED while the board holds a fill, the overall outcome at the end, and RUNNING otherwise."""
        self.reason = ""
        """Why there is no fill, or why the search gave up, worded for a constructor; otherwise empty."""
        self.is_over = False
        """Whether `run` has no more events."""
        self.initial_contents: Mapping[Position, Content] = {}
        """The pencil to start from, if any."""
        self.incumbent: Mapping[Position, Content] = {}
        """The best fill so far, if the search `improves` its fills; otherwise, and before the first fill, empty.
        """
        self.rounds = 0
        """How many attempts to improve the fill were made."""
        self.is_recorded = False
        self._event_count = 0
        self._steps: Generator[Event | None] | None = None
        self._recorded_events: list[Event] = []

    @property
    def counters(self) -> Counters:
        """Running totals of the search."""
        return self.counted

    @property
    def proof(self) -> Proof | None:
        """The proof that there is no fill, if the search writes proofs and has finished one."""
        return None

    def keep_proof(self) -> None:  # noqa: B027  (most that write proofs do so anyway)
        """Ensure that the search will write a `proof`; call before it starts. Raises EngineError if it cannot."""

    @property
    def lookups(self) -> Lookups | None:
        """The cost of its look-ups, or None if it does not count them."""
        return None

    @property
    def thread_seconds(self) -> float:
        """Seconds worked in threads of its own; 0 if it works only in its caller's thread."""
        return 0.0

    @property
    def is_complete(self) -> bool:
        """Whether the search with these values, run to its end, finds every fill."""
        return True

    @property
    def proves_impossible(self) -> bool:
        """Whether ending without a fill proves that there is none."""
        return self.is_complete

    @property
    def improves(self) -> bool:
        """Whether each fill is better than the previous one, so that the search continues while there is time.

        The result so far is its `incumbent`, which is on the board at the end.
        """
        return False

    @property
    @abstractmethod
    def squares(self) -> Mapping[Position, Content]:
        """The contents on the board now, including the given squares."""

    @property
    @abstractmethod
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in force, first one first."""

    @property
    def depth(self) -> int:
        return len(self.decisions)

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """The size of each entry's domain, if the strategy knows it."""
        return {}

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The entries or squares compared for the last decision, best first; empty if the order is fixed."""
        return ()

    def start_from(self, squares: Mapping[Position, Content]) -> None:
        """Start from existing contents: each decision tries them first where they are allowed.

        For a finished grid this makes the decisions that would have led to it. Call it before the search runs.
        """
        self.initial_contents = squares

    @abstractmethod
    def search(self) -> Iterator[Event | None]:
        """Yield the events of the search until nothing is left to try.

        A subclass yields SOLVED with the whole fill in `squares` and, if more events are requested, continues to
        the next fill. It does not yield IMPOSSIBLE; `run` does. In long stretches without events it occasionally
        yields None, so that the caller can check the time.
        """

    def run(self) -> Iterator[Event]:
        """Return the remaining events; a second call continues the same search.

        After SOLVED, `squares` is that fill. If the search proves that there is no fill, IMPOSSIBLE is the last
        event.
        """
        return (event for event in self.steps() if event is not None)

    def steps(self) -> Iterator[Event | None]:
        """Like `run`, with a None whenever the search continues without an event."""
        if self._steps is None:
            self._steps = self._run()
        return self._steps

    def advance(self, budget: Budget = NO_LIMIT, until: Until = THE_END) -> Event | None:
        """Run until the budget is spent, or to a fill, the end or a requested event, which is returned."""
        deadline, last = budget.deadline, math.inf if budget.nodes is None else self.progress + budget.nodes
        for event in self.steps():
            if event is not None and until.is_met_by(event):
                return event
            is_spent = self.progress >= last or perf_counter() >= deadline
            if is_spent or self.outcome is Outcome.FILLED:
                break
        return None

    def close(self) -> None:
        """End the search in its current state, and release its generator."""
        if self._steps is not None:
            self._steps.close()

    @property
    def progress(self) -> int:
        """Progress of the search in a unit of its own, by default its events."""
        return self._event_count

    @property
    def has_ended(self) -> bool:
        """Whether it is at its end, or has the fill that it was looking for."""
        return self.is_over or (self.outcome is not Outcome.RUNNING and not self.improves)

    @property
    def dead_end(self) -> str:
        """An entry or square with an empty domain before any decision; an empty string if none is known."""
        return next((name for name, size in self.domain_sizes.items() if size == 0), "")

    def record(self) -> None:
        """Record the events from now on, for `take_recorded`."""
        self.is_recorded = True

    def take_recorded(self) -> tuple[EventSequence, int]:
        """Return the events since the last call, in order, and how many before them were dropped for space."""
        recorded, self._recorded_events = self._recorded_events, []
        return DecodedEvents(recorded), 0

    def report_decision(self) -> DecisionReport:
        """Return the ranking behind the last decision, if any, and the words to be tried there next."""
        if not self.decisions:
            return DecisionReport(ranking=self.ranking, is_of_last=True)
        last, score = self.decisions[-1], self.task.lexicon.score
        others = tuple(LikelyWord(word, score(word) or 0, 0.0) for word in last.left[:MOST_OTHERS])
        return DecisionReport(self.ranking, tried=last.name, chosen=last.chosen, others=others, is_of_last=True)

    def first_fill(self) -> Mapping[Position, Content] | None:
        """Run to the next fill, however long it takes; return None if the search ends without one."""
        if any(event.kind is EventKind.SOLVED for event in self.run()):
            return dict(self.squares)
        return None

    def _counted_event(self, event: Event) -> Event:
        self._event_count += 1
        if self.is_recorded:
            self._recorded_events.append(event)
        return event

    def _run(self) -> Generator[Event | None]:
        for event in self.search():
            if event is None:
                self.outcome = Outcome.RUNNING
                yield None
                continue
            self.counted.note(event)
            is_fill = event.kind is EventKind.SOLVED
            self.outcome = Outcome.FILLED if is_fill else Outcome.RUNNING
            if is_fill and self.improves:
                self.incumbent = dict(self.squares)
            yield self._counted_event(event)
        self.is_over = True
        if self.counted.fills:
            self.outcome = Outcome.FILLED
        elif self.proves_impossible:
            self.outcome = Outcome.IMPOSSIBLE
            self.reason = (
                self.reason
                or f"searched all {self.counters.nodes:,} nodes: no fill exists {self.task.proof_terms}"
            )
            yield self._counted_event(Event(EventKind.IMPOSSIBLE, 0))
        else:
            self.outcome = Outcome.UNKNOWN
            self.reason = (
                self.reason or f"{self.name} gave up; that proves nothing, because it does not search everywhere"
            )
