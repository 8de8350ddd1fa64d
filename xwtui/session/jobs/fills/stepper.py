"""What a search in a thread steps: any strategy, the engine among them, or a branch of an argued search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from xwtui.engine.events.event import Event, EventKind, LikelyWord, Outcome
from xwtui.engine.events.timeline import Stretch
from xwtui.errors import VerbError
from xwtui.model import Content, Position
from xwtui.session.goals import Goal, SearchArgument, Stop
from xwtui.session.jobs.fills.trail import Stand, Trail
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.events.event import Thoughts
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task
    from xwtui.strategies.protocol import Proof, Strategy
    from xwtui.strategies.xwtui_engine import XwtuiEngine


NOTHING: Mapping[Position, Content] = MappingProxyType({})
"""What a search begins with that begins with an empty grid."""


class Recorder(Protocol):
    """Who takes what a search does."""

    def take(self, stretch: Stretch, *, missed: int = 0) -> None:
        """Take events in order, before which so many were lost."""


class Stepper(Protocol):
    """A search that goes on by slices; used from its own thread alone."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal; returns that."""

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""

    @property
    def progress(self) -> int:
        """How far it has come, in a unit of its own."""

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to where another search of this kind had come; returns whether it is there."""

    @property
    def incumbent(self) -> Mapping[Position, Content]:
        """The best fill so far of a search that goes on to better ones; empty where there is none."""

    @property
    def rounds(self) -> int:
        """How often it has tried to find a better one."""

    @property
    def proof(self) -> Proof | None:
        """Why there is no fill, of a search that writes proofs and has come to that."""

    def begin_recording(self) -> None:
        """Keep what happens from now on for `record`; what happened before is not kept."""

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""

    def decisions(self) -> tuple[Stand, ...]:
        """The decisions in force, the first one first."""

    def look(self) -> RunView:
        """How it stands, but for events and time."""

    def think(self) -> Thoughts:
        """What it would decide next, and why."""

    def argue(self, argument: SearchArgument, past: Sequence[Stand] | None) -> None:
        """Go on as a constructor says, from here or from where the search stood in the past.

        Raises VerbError where that cannot be.
        """

    def close(self) -> None:
        """Let go of what the search holds; it does not go on after this."""


class StrategyStepper:
    """A strategy's search, up to its first fill."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""
        return self._strategy.has_ended

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""
        return not self.is_over

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal; returns that."""
        strategy = self._strategy
        if goal.steps is not None:
            return self.step(seconds)
        if goal.stop is Stop.ENTRY:
            return strategy.run_until((), entry=goal.entry, seconds=seconds)
        kind = goal.stop.event_kind if goal.stop is not None else None
        if kind in (EventKind.BACKTRACK, EventKind.RESTART) or (kind is not None and strategy.improves):
            return strategy.run_until((kind,), seconds=seconds)
        strategy.advance(seconds)
        return None

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""
        return self._strategy.run_until(seconds=seconds) if self.can_go_on else None

    @property
    def progress(self) -> int:
        """How far it has come, in the strategy's unit."""
        return self._strategy.progress

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to where another search of this kind had come; returns whether it is there."""
        return self._strategy.catch_up(progress, seconds)

    @property
    def incumbent(self) -> Mapping[Position, Content]:
        """The best fill so far of a search that goes on to better ones."""
        return self._strategy.incumbent

    @property
    def rounds(self) -> int:
        """How often it has tried to find a better one."""
        return self._strategy.rounds

    @property
    def proof(self) -> Proof | None:
        """Why there is no fill, of a search that writes proofs and has come to that."""
        return self._strategy.proof

    def begin_recording(self) -> None:
        """Keep what happens from now on."""
        self._strategy.record()

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""
        stretch, missed = self._strategy.take_recorded()
        recorder.take(stretch, missed=missed)

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
            deepest=counters.deepest,
            domain_sizes=dict(strategy.domain_sizes),
            reason=strategy.reason,
            placements=counters.placements if strategy.places_letters else None,
            lookups=strategy.lookups,
        )

    def think(self) -> Thoughts:
        """What it would decide next or has decided last, and why."""
        return self._strategy.think()

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
        """The entry or square that nothing is left for before it decides anything; empty if that is not known."""
        return self._strategy.dead_end

    def close(self) -> None:
        """Let go of what the search holds."""
        self._strategy.close()

    def decisions(self) -> tuple[Stand, ...]:
        """Its decisions in force, the first one first."""
        grid = self._strategy.task.grid
        return tuple(
            Stand(made.name, made.chosen, tuple(zip(positions, made.contents, strict=True)))
            for made in self._strategy.decisions
            for positions in [(made.square,) if made.square is not None else grid.entry(made.name).positions]
        )

    def ranked(self) -> tuple[str, ...]:
        """At its beginning: the places that it would decide first, or that it ranks when it does; it may go on."""
        thoughts = self.think()
        if thoughts.is_of_last:
            self._strategy.run_until((EventKind.DECIDE,))
            thoughts = self.think()
        return tuple(rank.name for rank in thoughts.ranking)


class Ground:
    """The problem that is argued about."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def task(self, trail: Trail) -> Task:
        """The part of all fills that a trail leaves."""
        task, assumed = self.problem.task, trail.assumptions
        standing = {**task.assumptions.standing, **assumed.standing}
        return replace(task, assumptions=replace(assumed, standing=standing))

    def part(self, trail: Trail) -> Problem:
        """The same, laid out; slots, squares and rows are those of the whole."""
        return replace(self.problem, task=self.task(trail)) if trail != Trail() else self.problem

    def place(self, name: str) -> str:
        """An entry or a square as it is named; raises VerbError for what a fill does not decide on."""
        wanted = name.strip().upper()
        if wanted in self.problem.slot_numbers:
            return wanted
        square = str(Position.parse(name.strip().lower())) if wanted[:1] == "R" and "C" in wanted else ""
        if square in map(str, self.problem.positions):
            return square
        raise VerbError(f"{wanted}: an entry such as 17A, or a square such as r3c4, is expected")

    def stands(self, place: str, choice: str) -> list[Stand]:
        """Every way in which a place may have a word or a content, by its rules and words alone."""
        problem = self.problem
        slot = problem.slot_numbers.get(place)
        if slot is None:
            at = Position.parse(place)
            content = Content.parse(choice)
            mask = problem.masks(problem.root.state)[problem.positions.index(at)]
            is_allowed = content in problem.symbols.contents and mask >> problem.symbols.code(content) & 1
            return [Stand(place, choice, ((at, content),))] if is_allowed else []
        rows = [row for row, word in enumerate(problem.words(slot)) if word == choice]
        contents, table = problem.symbols.contents, problem.tables[slot].symbols
        positions = problem.slots[slot].positions
        return [
            Stand(
                place, choice, tuple(zip(positions, (contents[code] for code in table[row].tolist()), strict=True))
            )
            for row in rows
        ]

    def alternatives(self, trail: Trail, place: str, most: int) -> tuple[LikelyWord, ...]:
        """What a place can have in a part of all fills, as far as propagation sees; the likeliest first."""
        from xwtui.engine.fill.filler import Filler  # noqa: PLC0415  (loads numba)
        from xwtui.engine.fill.recorded import likely_words  # noqa: PLC0415

        part = self.part(trail)
        if not part.root.is_possible:
            return ()
        if place in part.slot_numbers:
            return likely_words(Filler(part), place, most)
        mask = part.masks(part.root.state)[part.positions.index(Position.parse(place))]
        return tuple(LikelyWord(str(content), 0, 0.0) for content in part.symbols.in_mask(mask))[:most]


class Branches(Protocol):
    """Who begins the search of a branch."""

    ground: Ground
    is_recorded: bool
    """Whether the searches that begin from now on are recorded."""

    def open(self, trail: Trail) -> StrategyStepper:
        """The search of the part that a trail leaves, at its beginning; raises EngineError for none."""


class SearchBranches:
    """Searches by one strategy; those of the engine each begin with what the one before has learnt."""

    def __init__(
        self,
        problem: Problem,
        strategy: str,
        seed: int,
        *,
        start: Mapping[Position, Content] = NOTHING,
        begins_with_pencil: bool = False,
        is_recorded: bool = True,
        keeps_proof: bool = False,
    ) -> None:
        """`strategy` as it is written, empty for the engine as it is.

        One that improves begins with what stands (`start`) where that is a finished grid; others where asked to.
        """
        from xwtui.strategies.registry import StrategyChoice  # noqa: PLC0415  (loads all strategies)

        self.ground = Ground(problem)
        self.is_recorded = is_recorded
        self._choice = StrategyChoice.parse(strategy) if strategy else None
        self._seed = seed
        is_finished = all(at in start for slot in problem.grid.entries for at in slot.positions)
        self._start = start
        self._begins = begins_with_pencil, is_finished
        self._keeps_proof = keeps_proof
        self._last: XwtuiEngine | None = None

    def open(self, trail: Trail) -> StrategyStepper:
        """The search of the part that a trail leaves, at its beginning; raises EngineError for none."""
        from xwtui.strategies.xwtui_engine import XwtuiEngine  # noqa: PLC0415

        search: Strategy
        if self._choice is not None:
            search = self._choice.make(self.ground.task(trail), self._seed)
            is_asked, is_finished = self._begins
            if is_asked or (search.improves and is_finished):
                search.begin_with(self._start)
        else:
            search = self._last = XwtuiEngine.on(self.ground.part(trail), self._seed, after=self._last)
        if self.is_recorded:
            search.record()
        if self._keeps_proof and trail == Trail():
            search.keep_proof()
        return StrategyStepper(search)
