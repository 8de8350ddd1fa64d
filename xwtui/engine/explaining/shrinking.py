"""Smallest subsets that still have a property: what is left cannot spare a member.

QuickXplain: Junker, "QUICKXPLAIN: Preferred explanations and relaxations for over-constrained
problems", AAAI 2004. It asks about k log(n / k) times for k members out of n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Member = TypeVar("Member")


def shrink(members: Sequence[Member], has_property: Callable[[Sequence[Member]], bool]) -> list[Member]:
    """A smallest subset of the members that has a property which all of them together have.

    For a property that larger sets keep, no member of the result can be left out; members at the
    front are left out first.
    """
    if has_property(()):
        return []
    return _shrink([], False, list(members), has_property)


def _shrink(
    kept: list[Member], has_grown: bool, members: list[Member], has_property: Callable[[Sequence[Member]], bool]
) -> list[Member]:
    """The members needed beside those that are kept."""
    if has_grown and has_property(kept):
        return []
    if len(members) == 1:
        return members
    middle = len(members) // 2
    front, back = members[:middle], members[middle:]
    from_front = _shrink(kept + back, True, front, has_property)
    from_back = _shrink(kept + from_front, bool(from_front), back, has_property)
    return from_front + from_back


def spare(members: Sequence[Member], has_property: Callable[[Sequence[Member]], bool]) -> list[Member]:
    """Leave out one member after the other, as long as the rest has the property."""
    left = list(members)
    for member in members:
        rest = [other for other in left if other is not member]
        if has_property(rest):
            left = rest
    return left
