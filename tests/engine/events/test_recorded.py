"""Events as the kernels wrote them, judged by the same events told one by one."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import pytest

from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS
from tests.engine.small_problems import problem_of
from tests.known import known
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import Standing, Timeline, ToldEvents
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import Branching, SearchSettings
from xwtui.model import Grid

HASTY = SearchSettings(first_restart=3, restart_growth=1.1)
BY_SQUARES = SearchSettings(branching=Branching.ON_SQUARES, first_restart=20)


@pytest.mark.parametrize("steering", [HASTY, BY_SQUARES])
def test_what_is_recorded_in_slices_is_what_is_told_one_by_one(steering: SearchSettings) -> None:
    """The same events, the same decisions in force after each of them, whatever the slices."""
    problem = problem_of(HARD_GRID, HARD_WORDS)
    told, recorded = Timeline(HARD_GRID), Timeline(HARD_GRID)
    stepped = Filler(problem, seed=1, settings=steering)
    while len(told) < 6_000:
        stepped.pass_over_fill()
        event = known(stepped.step())
        told.append(event)
    sliced = Filler(problem, seed=1, settings=steering, trace=True, ring=20_000)
    while len(recorded) < 6_000:
        sliced.pass_over_fill()
        sliced.advance(nodes=7)
        events = sliced.take_recorded()
        assert events.missed == 0
        recorded.join(events)
    shared = 6_000
    kinds = {told.event(number).kind for number in range(shared)}
    assert {EventKind.DECIDE, EventKind.BACKTRACK, EventKind.RESTART} <= kinds
    for number in [*Random(1).sample(range(shared), k=200), shared - 1]:
        assert recorded.at(number) == told.at(number)
        assert recorded.depth(number) == told.depth(number)
    restarts = [number for number in range(shared) if told.event(number).kind is EventKind.RESTART]
    assert not told.at(restarts[0]).decisions


def test_steps_take_only_what_was_told() -> None:
    """One move of the kernel may record several events; each comes when it is told."""
    problem = problem_of(HARD_GRID, HARD_WORDS)
    filler = Filler(problem, seed=1, ring=20_000)
    for _ in range(300):
        filler.pass_over_fill()
        event = filler.step()
        taken = filler.take_recorded()
        assert [taken[index] for index in range(len(taken))] == [event]


def test_events_are_found_without_reading_the_others() -> None:
    """Of a kind, and of an entry: what a look at every event finds."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1, trace=True, ring=20_000)
    for _ in range(40):
        filler.pass_over_fill()
        filler.advance(nodes=10)
    events = filler.take_recorded()
    every = [events[index] for index in range(len(events))]
    told = ToldEvents(every)
    for kinds, entry in (((EventKind.BACKTRACK,), None), ((), "6A"), ((EventKind.JUMP,), "1A"), ((), None)):
        assert events.about(kinds, entry) == told.about(kinds, entry)
    assert events.about((EventKind.DECIDE,), None)


def test_a_small_ring_loses_events_and_says_so() -> None:
    """What was overwritten is missed: the time line begins anew after it, with the numbers going on."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1, trace=True, ring=100)
    timeline = Timeline(HARD_GRID)
    for _ in range(40):
        filler.pass_over_fill()
        filler.advance(nodes=20)
    events = filler.take_recorded()
    assert (len(events), events.missed > 0) == (100, True)
    timeline.join(events, missed=events.missed)
    assert (timeline.first, len(timeline)) == (events.missed, events.missed + 100)
    assert timeline.event(timeline.first) == events[0]


class CountingEvents:
    """A stretch of equal decisions that counts how often one of them is read."""

    read = 0

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Event:
        CountingEvents.read += 1
        return Event(EventKind.DECIDE, 1, "1A", "BAG", before=2)

    def depth(self, index: int) -> int:
        return 1

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        return []

    def moved(self, depth: int, start: str | None) -> CountingEvents:
        return self

    def but_last(self) -> CountingEvents:
        return CountingEvents(self._count - 1)

    def after(self, standing: Standing, number: int, count: int, grid: Grid) -> Standing:
        return standing


def test_a_million_events_are_bounded_and_are_not_read() -> None:
    """A fast search costs a time line nothing but the latest stretches; a moment reads one event of them."""
    timeline = Timeline(Grid.blank(3, 3), most=100_000)
    for _ in range(40):
        timeline.join(CountingEvents(25_000))
    assert (len(timeline), CountingEvents.read) == (1_000_000, 0)
    assert 100_000 <= len(timeline) - timeline.first <= 125_000
    timeline.at(950_000)
    assert CountingEvents.read == 1
