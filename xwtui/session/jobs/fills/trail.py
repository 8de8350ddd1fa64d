"""The trail of an argued search: what its branch takes for granted, and which branch comes when that is exhausted.

A branch is the part of all fills that has the decisions of the trail, and has not what it rules out. Once it
is exhausted, so is its last decision beside the others: it turns round, into a thing ruled out, and what
was ruled out after it, which held only beside it, is forgotten. So every fill that is not forbidden belongs to
exactly one branch, until no decision is left to turn round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import RecordedDecision
from xwtui.engine.problem.task import Assumptions
from xwtui.errors import VerbError
from xwtui.model import Content, Grid, Position


class Stand(NamedTuple):
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
        """Whether the place is a single square."""
        return len(self.squares) == 1 and str(self.squares[0][0]) == self.place

    @property
    def contents(self) -> tuple[Content, ...]:
        """What is on the squares, in order."""
        return tuple(content for _, content in self.squares)

    def is_same(self, other: Stand) -> bool:
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
class Trail:
    """What a branch takes for granted, in the order in which it came to be."""

    stands: tuple[Stand, ...] = ()
    """Decisions, and what was exhausted beside those before it."""
    locked: tuple[Stand, ...] = ()
    """Decisions that no branch takes back."""
    forbidden: tuple[Stand, ...] = ()
    """What no branch has."""

    @property
    def decisions(self) -> tuple[Stand, ...]:
        """What is decided, the first one first."""
        return (*self.locked, *(stand for stand in self.stands if stand.holds))

    @property
    def assumptions(self) -> Assumptions:
        """The part of all fills that the branch is."""
        entries: dict[str, set[tuple[Content, ...]]] = {}
        squares: dict[Position, set[Content]] = {}
        for stand in (*self.forbidden, *self.stands):
            if not stand.holds and stand.is_square:
                squares.setdefault(stand.squares[0][0], set()).add(stand.squares[0][1])
            elif not stand.holds:
                entries.setdefault(stand.place, set()).add(stand.contents)
        return Assumptions(
            {at: content for stand in self.decisions for at, content in stand.squares},
            {name: frozenset(rows) for name, rows in entries.items()},
            {at: frozenset(contents) for at, contents in squares.items()},
        )

    def with_decisions(self, decisions: Iterable[Stand]) -> Trail:
        """The trail with further decisions."""
        return replace(self, stands=(*self.stands, *decisions))

    def before(self, place: str) -> Trail:
        """The trail up to the decision about a place; all of it where there is none."""
        for number, stand in enumerate(self.stands):
            if stand.holds and stand.place == place:
                return replace(self, stands=self.stands[:number])
        return self

    def decision(self, place: str) -> Stand | None:
        """The decision about a place."""
        return next((stand for stand in self.decisions if stand.place == place), None)

    def is_locked(self, place: str) -> bool:
        """Whether the decision about a place is locked."""
        return any(stand.place == place for stand in self.locked)

    def is_exhausted(self, stand: Stand) -> bool:
        """Whether this was searched to its end, beside what stands."""
        return any(not other.holds and other.is_same(stand) for other in self.stands)

    def forbidding(self, stands: Iterable[Stand]) -> Trail:
        """The trail with some things forbidden in every branch."""
        return replace(self, forbidden=(*self.forbidden, *(stand._replace(holds=False) for stand in stands)))

    def all_locked(self) -> Trail:
        """The trail whose decisions no branch takes back."""
        ruled_out = tuple(stand for stand in self.stands if not stand.holds)
        return Trail(ruled_out, self.decisions, self.forbidden)

    def turned(self) -> tuple[Trail, Stand] | None:
        """The trail of the next branch once this one is exhausted, and what turned round; None at the end."""
        for number in range(len(self.stands) - 1, -1, -1):
            stand = self.stands[number]
            if stand.holds:
                return replace(self, stands=(*self.stands[:number], stand._replace(holds=False))), stand
        return None

    def conflicts(self) -> Iterator[str]:
        """What of the decisions cannot be, because it is forbidden, or something else stands there."""
        standing: dict[Position, Content] = {}
        for stand in self.decisions:
            if any(other.is_same(stand) for other in self.forbidden):
                yield f"{stand} is forbidden"
            for at, content in stand.squares:
                if standing.setdefault(at, content) != content:
                    yield f"{stand} contradicts {standing[at]} at {at}, which stands"


def stands_of(decisions: Iterable[RecordedDecision], grid: Grid) -> tuple[Stand, ...]:
    """Decisions as a time line tells them; raises VerbError where that does not tell every square."""
    return tuple(_stand_of(decision, grid) for decision in decisions)


def _stand_of(decision: RecordedDecision, grid: Grid) -> Stand:
    written = dict(decision.squares)
    slot = grid.entries_by_name.get(decision.subject)
    positions = slot.positions if slot is not None else tuple(written)
    squares = tuple((at, content) for at in positions if (content := written.get(at) or grid[at].content))
    if len(squares) < len(positions) or not squares:
        raise VerbError(
            f"which squares {decision.subject} = {decision.choice} took then is not known: argue at the end"
        )
    return Stand(decision.subject, decision.choice, squares)
