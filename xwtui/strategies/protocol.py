"""What every strategy is: a search made from a task, its options and a seed, that tells what it does.

The events are those of the fill engine, so whoever shows, counts or records a search needs to know
no strategy by name.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from time import perf_counter
from typing import ClassVar

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import THE_END, Event, EventKind, LikelyWord, Outcome, Rank, Thoughts, Until
from xwtui.engine.events.timeline import Stretch, ToldEvents
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable

with lazy_imports():
    from xwtui.engine.problem.task import Task

_YES = "yes"
_NO = "no"


@dataclass(frozen=True)
class Option:
    """One option: a choice among words, or, with `bounds`, a whole number."""

    name: str
    default: str
    help: str
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    """The least and the greatest number."""
    is_entry: bool = False
    """Whether it names an entry, such as 17A."""

    @classmethod
    def choice(cls, name: str, choices: Sequence[str], help: str) -> Option:
        """A choice among words, the first one if none is given."""
        return cls(name, str(choices[0]), help, tuple(map(str, choices)))

    @classmethod
    def switch(cls, name: str, is_on: bool, help: str) -> Option:
        """A choice between yes and no."""
        return cls(name, _YES if is_on else _NO, help, (_YES, _NO))

    @classmethod
    def number(cls, name: str, default: int, least: int, greatest: int, help: str) -> Option:
        return cls(name, str(default), help, bounds=(least, greatest))

    @classmethod
    def entry(cls, name: str, default: str, help: str) -> Option:
        """An entry such as 17A, or the word for whichever is meant without one."""
        return cls(name, default, help, (default,), is_entry=True)

    @property
    def expected(self) -> str:
        if self.is_entry:
            return f"{self.default}, or an entry such as 17A"
        if self.bounds is not None:
            return f"a whole number from {self.bounds[0]:,} to {self.bounds[1]:,}"
        return ", ".join(self.choices[:-1]) + f" or {self.choices[-1]}"

    def read(self, strategy: str, text: str) -> str:
        """The value as it is kept; raises EngineError for one that the option does not take."""
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
"""For strategies that have a compiled twin."""


@dataclass(frozen=True)
class OptionValues:
    """The value of each option of one strategy."""

    texts: Mapping[str, str]

    @classmethod
    def of(cls, strategy: str, options: Sequence[Option], given: Mapping[str, str] | None = None) -> OptionValues:
        """The given values and the defaults of the others; raises EngineError for unknown options and values."""
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
"""Words that are told beside the one that was tried last."""


@dataclass(slots=True)
class Counters:
    """What a search has taken so far."""

    nodes: int = 0
    """Decisions."""
    backtracks: int = 0
    """Decisions undone because what followed failed; those jumped over do not count."""
    restarts: int = 0
    placements: int = 0
    """Letters placed one by one, as Cambon counts them: each legal letter tried; 0 for searches by word."""
    fills: int = 0
    deepest: int = 0
    """The most decisions that were in force at once."""

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
    """How often a search has looked words or letters up, and how long its lists took for that."""

    asked: int
    """How many look-ups it has asked for."""
    made: int
    """How many of them went to the lists; the others were remembered."""
    seconds: float
    """How long the lists took for those that were made."""


class Proof(NamedTuple):
    """That a task has no fill, as programs can check it that know nothing of how it was found."""

    steps: str
    """In DRAT: each clause follows from those before it, the last one is empty; or a certificate of the engine."""
    formula: str = ""
    """That of a proof in DRAT, in DIMACS, the variables named in comments; empty for a certificate."""


class WordLookUp(NamedTuple):
    """What a strategy stands on, in a constructor's words."""

    kind: str
    """How it keeps its words."""
    asked: str
    """What it asks for."""


class Decision(NamedTuple):
    """One decision in force: an entry has a word, or a square a content."""

    slot: str | None
    square: Position | None
    chosen: str
    """The word as it is read, or the content in its text form."""
    left: tuple[str, ...]
    """What else may be tried there, the next one first; empty where the search keeps no such list."""
    contents: tuple[Content, ...] = ()
    """What the decision puts on each of its squares."""

    @property
    def name(self) -> str:
        """The entry or the square."""
        return self.slot or str(self.square)


class Strategy(ABC):
    """One search, stepped by whoever takes its events.

    A subclass declares its name and options, and writes `search`. It may raise EngineError where
    it cannot take a task on. The same task, values and seed make the same search.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """What it does, in a line."""
    source: ClassVar[str]
    """Where it is published."""
    index: ClassVar[WordLookUp]
    """What it looks its words up in."""
    options: ClassVar[tuple[Option, ...]] = ()
    enters_races: ClassVar[bool] = True
    """Whether a race of all strategies has it; otherwise it has to be named."""
    proof_suffix: ClassVar[str] = ""
    """How the name of a file ends that holds its `proof`; empty where it writes none."""
    places_letters: ClassVar[bool] = False
    """Whether it places letter after letter, so that `counters.placements` means something."""

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        """Take a task on; `values` are those of `options`, as `OptionValues.of` makes them."""
        self.task = task
        self.values = values
        self.seed = seed
        self.counted = Counters()
        """What the events tell; `counters` is what to read."""
        self.outcome = Outcome.RUNNING
        """FILLED while a fill stands on the board, what came of it all at the end, else RUNNING."""
        self.reason = ""
        """Why there is no fill, or why the search gave up, in a constructor's words; else empty."""
        self.is_over = False
        """Whether `run` has no more events."""
        self.beginning: Mapping[Position, Content] = {}
        """What stands in pencil, where the search is to begin with that."""
        self.incumbent: Mapping[Position, Content] = {}
        """The best fill so far of a search that `improves`; empty before the first, and for all others."""
        self.rounds = 0
        """How often it has tried to find a better one."""
        self.is_recorded = False
        self._told = 0
        self._steps: Generator[Event | None] | None = None
        self._happened: list[Event] = []

    @property
    def counters(self) -> Counters:
        """What the search has taken so far."""
        return self.counted

    @property
    def proof(self) -> Proof | None:
        """The proof that there is no fill, of a search that writes one and has come to it."""
        return None

    def keep_proof(self) -> None:  # noqa: B027  (most that write proofs do so anyway)
        """See to it that there is a `proof` in the end, before it begins; raises EngineError where none can be."""

    @property
    def lookups(self) -> Lookups | None:
        """What its look-ups took; None where it does not count them."""
        return None

    @property
    def seconds_beside(self) -> float:
        """How long threads of its own have worked for it; 0 where it works in its caller's alone."""
        return 0.0

    @property
    def is_complete(self) -> bool:
        """Whether it finds every fill with these values, if it goes on to the end; one that does not says so."""
        return True

    @property
    def proves_impossible(self) -> bool:
        """Whether an end without a fill proves that there is none."""
        return self.is_complete

    @property
    def improves(self) -> bool:
        """Whether each fill is better than the one before, so that the search goes on while there is time.

        What it has come to then is its `incumbent`, which stands on the board at the end.
        """
        return False

    @property
    @abstractmethod
    def squares(self) -> Mapping[Position, Content]:
        """What stands on the board now, the given squares too."""

    @property
    @abstractmethod
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in force, the first one first."""

    @property
    def depth(self) -> int:
        return len(self.decisions)

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """How many words each entry can still take, where the strategy knows that."""
        return {}

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The best candidates for the last decision's place, best first; empty where the order is fixed."""
        return ()

    def begin_with(self, squares: Mapping[Position, Content]) -> None:
        """Let the search begin with what stands: each decision takes it first where it may, and others later.

        Of a finished grid that makes the decisions which would have led there. To be called before it runs.
        """
        self.beginning = squares

    @abstractmethod
    def search(self) -> Iterator[Event | None]:
        """Yield what happens, one event after the other, until there is nothing left to try.

        A subclass yields SOLVED with the whole fill in `squares` and, asked for more events, goes on to
        the next fill; it yields no IMPOSSIBLE: `run` does. Where nothing happens for long it yields None now and
        then, so that whoever waits can look at the clock.
        """

    def run(self) -> Iterator[Event]:
        """The events from here on; whoever calls it again goes on where the search stands.

        After SOLVED `squares` is that fill. Where the search proves that there is none, IMPOSSIBLE is last.
        """
        return (event for event in self.steps() if event is not None)

    def steps(self) -> Iterator[Event | None]:
        """The same, with None where the search goes on though nothing has happened."""
        if self._steps is None:
            self._steps = self._run()
        return self._steps

    def advance(self, budget: Budget = NO_LIMIT, until: Until = THE_END) -> Event | None:
        """Go on until a budget of seconds or progress is spent, to a fill, the end or an event; returns that."""
        deadline, last = budget.deadline, math.inf if budget.nodes is None else self.progress + budget.nodes
        for event in self.steps():
            if event is not None and until.is_met_by(event):
                return event
            is_spent = self.progress >= last or perf_counter() >= deadline
            if is_spent or self.outcome is Outcome.FILLED:
                break
        return None

    def close(self) -> None:
        """End the search where it stands, so that nothing of it is kept but by who looks at it."""
        if self._steps is not None:
            self._steps.close()

    @property
    def progress(self) -> int:
        """How far the search has come, in a unit of its own: here, its events."""
        return self._told

    @property
    def has_ended(self) -> bool:
        """Whether it is at its end, or stands at a fill that it was to find."""
        return self.is_over or (self.outcome is not Outcome.RUNNING and not self.improves)

    @property
    def dead_end(self) -> str:
        """An entry or square that nothing is left for before anything is decided; empty if none is known."""
        return next((name for name, size in self.domain_sizes.items() if size == 0), "")

    def record(self) -> None:
        """Keep what happens from here on for `take_recorded`."""
        self.is_recorded = True

    def take_recorded(self) -> tuple[Stretch, int]:
        """The events since the last call, in order; and how many before them are lost, for there were too many."""
        happened, self._happened = self._happened, []
        return ToldEvents(happened), 0

    def think(self) -> Thoughts:
        """What the last decision went by, where places are ranked, and what is to be tried there next."""
        if not self.decisions:
            return Thoughts(ranking=self.ranking, is_of_last=True)
        last, score = self.decisions[-1], self.task.lexicon.score
        others = tuple(LikelyWord(word, score(word) or 0, 0.0) for word in last.left[:MOST_OTHERS])
        return Thoughts(self.ranking, tried=last.name, chosen=last.chosen, others=others, is_of_last=True)

    def first_fill(self) -> Mapping[Position, Content] | None:
        """Run to the next fill, however long it takes; None where the search ends without."""
        if any(event.kind is EventKind.SOLVED for event in self.run()):
            return dict(self.squares)
        return None

    def _noted(self, event: Event) -> Event:
        self._told += 1
        if self.is_recorded:
            self._happened.append(event)
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
            yield self._noted(event)
        self.is_over = True
        if self.counted.fills:
            self.outcome = Outcome.FILLED
        elif self.proves_impossible:
            self.outcome = Outcome.IMPOSSIBLE
            self.reason = (
                self.reason
                or f"searched all {self.counters.nodes:,} nodes: no fill exists {self.task.proof_terms}"
            )
            yield self._noted(Event(EventKind.IMPOSSIBLE, 0))
        else:
            self.outcome = Outcome.UNKNOWN
            self.reason = (
                self.reason or f"{self.name} gave up; that proves nothing, because it does not search everywhere"
            )
