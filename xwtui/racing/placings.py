"""The referee's view of new rebus squares: which a rule asks for, and whether they are as many as it asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xwtui.model import Content, Direction, Position
from xwtui.model.rules import RebusPlacing
from xwtui.racing.course import Course


def asked_rebuses(course: Course, at: Position) -> set[Content]:
    """The rebus contents that the rules let a square have that is not given."""
    rules = course.task.rules
    if at in rules.squares:
        return set(rules.squares[at])
    return {
        content
        for placing in rules.of(RebusPlacing)
        if all(_may_hold(course, mirror, placing) for mirror in _mirrors(course, at, placing))
        for content in placing.contents
    }


def wrong_placings(course: Course, fill: Mapping[Position, Content]) -> Iterator[str]:
    """The placings whose new squares are too few or too many, lack a content, or lie without symmetry."""
    for placing in course.task.rules.of(RebusPlacing):
        new = {at for at in course.squares if fill[at] in placing.contents and _is_free(course, at)}
        used = {fill[at] for at in new}
        if not placing.least <= len(new) <= placing.most or (placing.each and used != set(placing.contents)):
            yield f"asked for: {placing.words}; new are {len(new)}"
        for at in sorted(new):
            for mirror in sorted(_mirrors(course, at, placing)):
                if mirror not in new and not _holds(course, mirror, placing):
                    yield f"{at} holds {fill[at]}, and {mirror} does not mirror it"


def _mirrors(course: Course, at: Position, placing: RebusPlacing) -> frozenset[Position]:
    """The square, with its images where the placing is symmetric."""
    grid = course.task.grid
    return course.task.symmetry.orbit(at, grid.height, grid.width) if placing.symmetric else frozenset((at,))


def _is_free(course: Course, at: Position) -> bool:
    """Whether a square is the filler's, and in two entries."""
    grid = course.task.grid
    return at not in course.task.given and all(grid.slot_at(at, direction) for direction in Direction)


def _holds(course: Course, at: Position, placing: RebusPlacing) -> bool:
    """Whether a square is given with one of the contents."""
    return course.task.given.get(at) in placing.contents


def _may_hold(course: Course, at: Position, placing: RebusPlacing) -> bool:
    return _is_free(course, at) or _holds(course, at, placing)
