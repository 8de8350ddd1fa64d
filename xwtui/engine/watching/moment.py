"""What stood on the grid after one event of a search: the decisions in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from xwtui.engine.event import Event, EventKind
from xwtui.model import Content, Grid, Position


@dataclass(frozen=True, slots=True)
class Decision:
    """A word in an entry, or a content in a square, that the search had chosen."""

    depth: int
    number: int
    """The number of its event."""
    subject: str
    """The entry's name, or the square's."""
    choice: str
    squares: tuple[tuple[Position, Content], ...]
    """What it puts on the grid."""


@dataclass(frozen=True)
class Moment:
    """The search after one of its events."""

    number: int
    """The number of the event, from 0 at the start of the search."""
    event: Event
    decisions: tuple[Decision, ...]
    """Those in force, the first one first."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """What the decisions put on the grid."""
        return {at: content for decision in self.decisions for at, content in decision.squares}

    @property
    def decision_depth(self) -> Mapping[Position, int]:
        """For each of those squares, the depth of the first decision that filled it."""
        depths: dict[Position, int] = {}
        for depth, decision in enumerate(self.decisions, 1):
            for at, _ in decision.squares:
                depths.setdefault(at, depth)
        return depths

    @property
    def decision_age(self) -> Mapping[Position, int]:
        """For each of those squares, how many events ago it was filled."""
        ages: dict[Position, int] = {}
        for decision in self.decisions:
            for at, _ in decision.squares:
                ages.setdefault(at, self.number - decision.number)
        return ages


Standing = tuple[Decision, ...]
"""The decisions in force, the first one first."""


def decision_of(event: Event, number: int, grid: Grid) -> Decision:
    """The decision that an event of that kind tells."""
    subject = event.slot or str(event.crossing)
    choice = event.word or "".join(event.wanted)
    return Decision(event.depth, number, subject, choice, written_by(event, grid))


def after(standing: Standing, events: Iterable[Event], number: int, grid: Grid) -> Standing:
    """The decisions in force after some events more, the first of them with this number."""
    for place, event in enumerate(events, number):
        match event.kind:
            case EventKind.DECIDE:
                below = tuple(decision for decision in standing if decision.depth < event.depth)
                standing = (*below, decision_of(event, place, grid))
            case EventKind.BACKTRACK | EventKind.JUMP:
                standing = _taken_back(standing, event)
            case EventKind.RESTART:
                standing = tuple(decision for decision in standing if decision.depth <= event.after)
            case EventKind.ARGUE:
                standing = tuple(decision for decision in standing if decision.depth <= event.depth)
    return standing


def _taken_back(standing: Standing, event: Event) -> Standing:
    """The decisions left: those up to a depth, or all but the one that is taken out from below it."""
    subject = event.slot or str(event.crossing)
    taken = next((one for one in standing if one.subject == subject and one.depth <= event.depth), None)
    if taken is None:
        return tuple(decision for decision in standing if decision.depth <= event.depth)
    below = (decision for decision in standing if decision.depth < taken.depth)
    above = (replace(decision, depth=decision.depth - 1) for decision in standing if decision.depth > taken.depth)
    return (*below, *above)


def written_by(event: Event, grid: Grid) -> tuple[tuple[Position, Content], ...]:
    """The squares that a decision writes; none for a word that goes through new rebus squares."""
    if event.slot is None:
        if event.crossing is None or not event.wanted:
            return ()
        return ((event.crossing, Content.parse(event.wanted[0])),)
    slot = grid.slots_by_name.get(event.slot)
    if slot is None or event.word is None:
        return ()
    contents = _contents(event.word, [grid[at].content if grid[at].is_given else None for at in slot.positions])
    if contents is None:
        return ()
    given = {at for at in slot.positions if grid[at].is_given}
    return tuple((at, content) for at, content in zip(slot.positions, contents, strict=True) if at not in given)


def _contents(word: str, given: list[Content | None]) -> list[Content] | None:
    """A word cut into squares, around given contents; None where it cannot be one letter a square elsewhere."""
    longer = len(word) - sum(1 if content is None else len(content.across) for content in given)
    if longer:
        return None
    contents: list[Content] = []
    rest = word
    for content in given:
        size = 1 if content is None else len(content.across)
        contents.append(content or Content.of(rest[:1]))
        rest = rest[size:]
    return contents
