"""The stretches that a time line is made of: events in order, and what stands after some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from xwtui.engine.event import Event, EventKind
from xwtui.engine.watching.moment import Standing, after
from xwtui.model import Grid

EVENTS_A_BLOCK = 256
"""Events of a block that was told one by one, at most."""


class Stretch(Protocol):
    """Some events of a search, in order."""

    def __len__(self) -> int:
        """How many."""

    def __getitem__(self, index: int, /) -> Event:
        """One of them."""

    def depth(self, index: int) -> int:
        """The depth of one of them."""

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        """The indices of those of these kinds, or about this entry."""

    def moved(self, depth: int, start: str | None) -> Stretch:
        """The events as those of a search that begins so much deeper, where `start` was decided last."""

    def but_last(self) -> Stretch:
        """The events without the last one."""

    def after(self, standing: Standing, number: int, count: int, grid: Grid) -> Standing:
        """The decisions in force after its first `count` events, the first of which has this number."""


class ToldEvents:
    """Events as they are."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events = list(events)

    def __len__(self) -> int:
        """How many."""
        return len(self.events)

    def __getitem__(self, index: int) -> Event:
        """One of them."""
        return self.events[index]

    def depth(self, index: int) -> int:
        """The depth of one of them."""
        return self.events[index].depth

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        """The indices of those of these kinds, or about this entry."""
        return [
            index
            for index, event in enumerate(self.events)
            if event.kind in kinds or (entry is not None and event.slot == entry)
        ]

    def moved(self, depth: int, start: str | None) -> ToldEvents:
        """The events as those of a search that begins so much deeper, where `start` was decided last."""
        return ToldEvents(event.moved(depth, start) for event in self.events)

    def but_last(self) -> ToldEvents:
        """The events without the last one."""
        return ToldEvents(self.events[:-1])

    def after(self, standing: Standing, number: int, count: int, grid: Grid) -> Standing:
        """The decisions in force after its first `count` events."""
        return after(standing, self.events[:count], number, grid)
