"""The searches of the branches of an argued search, and what may be had at a place of a branch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from xwtui.engine.events.event import LikelyWord
from xwtui.errors import VerbError
from xwtui.model import Content, Position
from xwtui.session.jobs.fills.stepper import StrategyStepper
from xwtui.session.jobs.fills.trail import Stand, Trail

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task
    from xwtui.strategies.protocol import Strategy
    from xwtui.strategies.xwtui_engine import XwtuiEngine


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
        from xwtui.engine.fill.why_next import likely_words  # noqa: PLC0415

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

    def __init__(self, problem: Problem, strategy: str, seed: int, *, is_recorded: bool = True) -> None:
        """`strategy` as it is written, empty for the engine as it is."""
        from xwtui.strategies.registry import StrategyChoice  # noqa: PLC0415  (loads all strategies)

        self.ground = Ground(problem)
        self.is_recorded = is_recorded
        self._choice = StrategyChoice.parse(strategy) if strategy else None
        self._seed = seed
        self._last: XwtuiEngine | None = None

    def open(self, trail: Trail) -> StrategyStepper:
        """The search of the part that a trail leaves, at its beginning; raises EngineError for none."""
        from xwtui.strategies.xwtui_engine import XwtuiEngine  # noqa: PLC0415

        search: Strategy
        if self._choice is not None:
            search = self._choice.make(self.ground.task(trail), self._seed)
        else:
            search = self._last = XwtuiEngine.on(self.ground.part(trail), self._seed, after=self._last)
        if self.is_recorded:
            search.record()
        return StrategyStepper(search)
