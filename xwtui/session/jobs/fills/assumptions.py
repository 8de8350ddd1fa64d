"""What the branches of an argued search take for granted, and which branch comes when one is exhausted.

A branch is the part of all fills that has its decisions, and has not what it rules out. Once it is exhausted, so
is its last decision beside the others: it turns round, into a thing ruled out, and what was ruled out after it,
which held only beside it, is forgotten. So every fill that is not forbidden belongs to exactly one branch, until
no decision is left to turn round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.events.event import Event, EventKind, LikelyWord, Thoughts
from xwtui.engine.events.timeline import RecordedDecision
from xwtui.engine.problem.task import Assumptions, Task
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position

with lazy_imports():
    from xwtui.engine.fill.filler import Filler
    from xwtui.engine.fill.thoughts import likely_words
    from xwtui.engine.problem.problem import Problem
    from xwtui.strategies.protocol import Strategy

_OTHERS = 60
"""Words that are told beside the one that was tried last."""


class BranchDecision(NamedTuple):
    """An entry or a square that has something, or that has it not."""

    place: str
    """The entry's name, or the square's."""
    choice: str
    """The word as it is read, or the content in its text form."""
    squares: tuple[tuple[Position, Content], ...]
    """Every square of the place with its content."""
    holds: bool = True

    @property
    def is_square(self) -> bool:
        return len(self.squares) == 1 and str(self.squares[0][0]) == self.place

    @property
    def contents(self) -> tuple[Content, ...]:
        return tuple(content for _, content in self.squares)

    def is_same(self, other: BranchDecision) -> bool:
        """Whether both are about the same contents of the same place."""
        return self.place == other.place and self.contents == other.contents

    def told(self, kind: EventKind, depth: int, *, after: int = 0, other: str | None = None) -> Event:
        """The event that this is decided, or taken back."""
        if self.is_square:
            return Event(kind, depth, None, None, self.squares[0][0], 0, after, other, (self.choice,))
        return Event(kind, depth, self.place, self.choice, None, 0, after, other)

    def __str__(self) -> str:
        """`17A = OREAD`."""
        return f"{self.place} = {self.choice}"


@dataclass(frozen=True)
class BranchAssumptions:
    """What a branch takes for granted, in the order in which it came to be."""

    made: tuple[BranchDecision, ...] = ()
    """Decisions, and what was exhausted beside those before it."""
    locked: tuple[BranchDecision, ...] = ()
    """Decisions that no branch takes back."""
    forbidden: tuple[BranchDecision, ...] = ()
    """What no branch has."""

    @property
    def decisions(self) -> tuple[BranchDecision, ...]:
        return (*self.locked, *(decision for decision in self.made if decision.holds))

    @property
    def assumptions(self) -> Assumptions:
        """The part of all fills that the branch is."""
        entries: dict[str, set[tuple[Content, ...]]] = {}
        squares: dict[Position, set[Content]] = {}
        for decision in (*self.forbidden, *self.made):
            if not decision.holds and decision.is_square:
                squares.setdefault(decision.squares[0][0], set()).add(decision.squares[0][1])
            elif not decision.holds:
                entries.setdefault(decision.place, set()).add(decision.contents)
        return Assumptions(
            {at: content for decision in self.decisions for at, content in decision.squares},
            {name: frozenset(rows) for name, rows in entries.items()},
            {at: frozenset(contents) for at, contents in squares.items()},
        )

    def with_decisions(self, decisions: Iterable[BranchDecision]) -> BranchAssumptions:
        return replace(self, made=(*self.made, *decisions))

    def before(self, place: str) -> BranchAssumptions:
        """What is assumed up to the decision about a place; all of it where there is none."""
        for number, decision in enumerate(self.made):
            if decision.holds and decision.place == place:
                return replace(self, made=self.made[:number])
        return self

    def decision(self, place: str) -> BranchDecision | None:
        return next((decision for decision in self.decisions if decision.place == place), None)

    def is_locked(self, place: str) -> bool:
        return any(decision.place == place for decision in self.locked)

    def is_exhausted(self, decision: BranchDecision) -> bool:
        """Whether this was searched to its end, beside the decisions."""
        return any(not other.holds and other.is_same(decision) for other in self.made)

    def forbidding(self, refused: Iterable[BranchDecision]) -> BranchAssumptions:
        return replace(
            self, forbidden=(*self.forbidden, *(decision._replace(holds=False) for decision in refused))
        )

    def all_locked(self) -> BranchAssumptions:
        ruled_out = tuple(decision for decision in self.made if not decision.holds)
        return BranchAssumptions(ruled_out, self.decisions, self.forbidden)

    def turned(self) -> tuple[BranchAssumptions, BranchDecision] | None:
        """What the next branch assumes once this one is exhausted, and what turned round; None at the end."""
        for number in range(len(self.made) - 1, -1, -1):
            decision = self.made[number]
            if decision.holds:
                return replace(self, made=(*self.made[:number], decision._replace(holds=False))), decision
        return None

    def conflicts(self) -> Iterator[str]:
        """What of the decisions cannot be, because it is forbidden, or something else stands there."""
        standing: dict[Position, Content] = {}
        for decision in self.decisions:
            if any(other.is_same(decision) for other in self.forbidden):
                yield f"{decision} is forbidden"
            for at, content in decision.squares:
                if standing.setdefault(at, content) != content:
                    yield f"{decision} contradicts {standing[at]} at {at}"


def decisions_of(search: Strategy) -> tuple[BranchDecision, ...]:
    """The decisions of a search that are in force, the first one first."""
    grid = search.task.grid
    return tuple(
        BranchDecision(made.name, made.chosen, tuple(zip(positions, made.contents, strict=True)))
        for made in search.decisions
        for positions in [(made.square,) if made.square is not None else grid.entry(made.name).positions]
    )


def recorded_decisions(decisions: Iterable[RecordedDecision], grid: Grid) -> tuple[BranchDecision, ...]:
    """Decisions as a time line tells them; raises VerbError where that does not tell every square."""
    return tuple(_recorded_decision(decision, grid) for decision in decisions)


def _recorded_decision(decision: RecordedDecision, grid: Grid) -> BranchDecision:
    written = dict(decision.squares)
    slot = grid.entries_by_name.get(decision.subject)
    positions = slot.positions if slot is not None else tuple(written)
    squares = tuple((at, content) for at in positions if (content := written.get(at) or grid[at].content))
    if len(squares) < len(positions) or not squares:
        raise VerbError(
            f"the squares of {decision.subject} = {decision.choice} at that point are unknown: argue at the end"
        )
    return BranchDecision(decision.subject, decision.choice, squares)


class ProblemParts:
    """The problem that is argued about, and its parts."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def task(self, assumed: BranchAssumptions) -> Task:
        """The part of all fills that is left by what is assumed."""
        task, left = self.problem.task, assumed.assumptions
        standing = {**task.assumptions.standing, **left.standing}
        return replace(task, assumptions=replace(left, standing=standing))

    def part(self, assumed: BranchAssumptions) -> Problem:
        """The same, laid out; slots, squares and rows are those of the whole."""
        return replace(self.problem, task=self.task(assumed)) if assumed != BranchAssumptions() else self.problem

    def place(self, name: str) -> str:
        """An entry or a square as it is named; raises VerbError for what a fill does not decide on."""
        wanted = name.strip().upper()
        if wanted in self.problem.slot_numbers:
            return wanted
        square = str(Position.parse(name.strip().lower())) if wanted[:1] == "R" and "C" in wanted else ""
        if square in map(str, self.problem.positions):
            return square
        raise VerbError(f"{wanted}: expected an entry such as 17A or a square such as r3c4")

    def decisions_for(self, place: str, choice: str) -> list[BranchDecision]:
        """Every way in which a place may have a word or a content, by its rules and words alone."""
        problem = self.problem
        slot = problem.slot_numbers.get(place)
        if slot is None:
            at = Position.parse(place)
            content = Content.parse(choice)
            mask = problem.masks(problem.root.state)[problem.positions.index(at)]
            is_allowed = content in problem.symbols.contents and mask >> problem.symbols.code(content) & 1
            return [BranchDecision(place, choice, ((at, content),))] if is_allowed else []
        rows = [row for row, word in enumerate(problem.words(slot)) if word == choice]
        contents, table = problem.symbols.contents, problem.tables[slot].symbols
        positions = problem.slots[slot].positions
        return [
            BranchDecision(
                place, choice, tuple(zip(positions, (contents[code] for code in table[row].tolist()), strict=True))
            )
            for row in rows
        ]

    def alternatives(self, assumed: BranchAssumptions, place: str, most: int) -> tuple[LikelyWord, ...]:
        """What a place can have in a part of all fills, as far as propagation sees; the likeliest first."""
        part = self.part(assumed)
        if not part.root.is_possible:
            return ()
        if place in part.slot_numbers:
            return likely_words(Filler(part), place, most)
        mask = part.masks(part.root.state)[part.positions.index(Position.parse(place))]
        return tuple(LikelyWord(str(content), 0, 0.0) for content in part.symbols.in_mask(mask))[:most]

    def with_others(self, thoughts: Thoughts, assumed: BranchAssumptions) -> Thoughts:
        """What a search thinks, and what else may be tried where it has decided last, unless that is locked."""
        if not assumed.decisions or assumed.is_locked(assumed.decisions[-1].place):
            return thoughts
        last = assumed.decisions[-1]
        others = thoughts.others if thoughts.tried == last.place else ()
        if not others:
            found = self.alternatives(assumed.before(last.place), last.place, _OTHERS)
            others = tuple(one for one in found if one.word != last.choice)
        return replace(thoughts, tried=last.place, chosen=last.choice, others=others)
