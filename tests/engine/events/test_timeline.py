"""The timeline compared with the search it records, and events as the kernels wrote them."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import HARD_GRID, HARD_WORDS, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import Decisions, DecodedEvents, Timeline
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import Branching, SearchSettings
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position


@examples(60)
@given(small_grids(4, rebuses=False), word_lists(4), st.integers(0, 3))
def test_standing_decisions_match_the_search(grid: Grid, words: dict[str, int], seed: int) -> None:
    """After every event the decisions are as many as the search is deep, and what they write is on its grid."""
    _check(Filler(problem_of(grid, words), seed=seed), grid)


@pytest.mark.parametrize("seed", range(3))
def test_it_follows_a_hard_search_through_jumps_and_restarts(seed: int) -> None:
    """The same for searches with many undone decisions."""
    _check(Filler(problem_of(HARD_GRID, HARD_WORDS), seed=seed), HARD_GRID, most=3_000)


def _check(filler: Filler, grid: Grid, most: int = 100_000) -> None:
    timeline = Timeline(grid)
    seen = []
    while (event := filler.step()) is not None and len(timeline) < most:
        timeline.append(event)
        moment = timeline.at(len(timeline) - 1)
        seen.append(moment)
        if event.kind not in (EventKind.WIPE_OUT, EventKind.JUMP):
            assert len(moment.decisions) == filler.statistics.depth, event.describe()
        if event.kind is EventKind.DECIDE:
            current = filler.current()
            assert all(current.get(at, content) == content for at, content in moment.squares.items())
    for number in Random(1).sample(range(len(seen)), k=min(40, len(seen))):
        assert timeline.at(number) == seen[number]


def _decide(depth: int, entry: str, word: str) -> Event:
    return Event(EventKind.DECIDE, depth, entry, word, before=2)


def test_decisions_are_pushed_and_popped() -> None:
    """A word, a crossing word, and back to before the first."""
    timeline = Timeline(Grid.blank(3, 3))
    timeline.extend(
        [
            _decide(1, "1A", "BAG"),
            _decide(2, "1D", "BIT"),
            Event(EventKind.WIPE_OUT, 2, "2D"),
            Event(EventKind.BACKTRACK, 1, "1D", "BIT", after=1, other="1A"),
            Event(EventKind.RESTART, 0, before=1),
        ]
    )
    assert [len(timeline.at(number).decisions) for number in range(5)] == [1, 2, 2, 1, 0]
    moment = timeline.at(2)
    assert moment.squares[Position(2, 0)] == Content.of("T")
    assert moment.decision_depth == {
        Position(0, 0): 1,
        Position(0, 1): 1,
        Position(0, 2): 1,
        Position(1, 0): 2,
        Position(2, 0): 2,
    }
    assert moment.decision_age[Position(0, 1)] == 2
    assert moment.decision_age[Position(2, 0)] == 1


def test_old_events_are_dropped_and_the_rest_stays_correct() -> None:
    """A long search keeps its latest events, each with the decisions at that time."""
    timeline = Timeline(Grid.blank(3, 3), most=600)
    timeline.append(_decide(1, "1A", "BAG"))
    for number in range(5_000):
        word = "ICE" if number % 2 else "ACE"
        timeline.append(_decide(2, "4A", word))
        timeline.append(Event(EventKind.BACKTRACK, 1, "4A", word, after=1, other="1A"))
    assert len(timeline) == 10_001
    assert timeline.first + 256 >= 10_001 - 600
    with pytest.raises(IndexError):
        timeline.at(timeline.first - 1)
    for number in (timeline.first, timeline.first + 1, 10_000):
        decisions = timeline.at(number).decisions
        assert decisions[0].choice == "BAG"
        assert len(decisions) == 2 - (timeline.event(number).kind is EventKind.BACKTRACK)


def test_the_next_wanted_event_is_found() -> None:
    """The next backtrack; after the last one there is none."""
    timeline = Timeline(Grid.blank(3, 3))
    back = Event(EventKind.BACKTRACK, 0, "1A", "BAG", other=None)
    timeline.extend([_decide(1, "1A", "BAG"), back, _decide(1, "1A", "BIT"), back])

    def is_back(event: Event) -> bool:
        return event.kind is EventKind.BACKTRACK

    assert timeline.find(1, is_back) == 3
    assert timeline.find(3, is_back) is None


def test_squares_that_were_given_are_not_written() -> None:
    """A word through a given rebus writes the letters around it; a word that needs a new rebus writes none."""
    grid = grid_from_text("S[WE]..\n####\n....")
    timeline = Timeline(grid)
    timeline.extend([_decide(1, "1A", "SWEET"), _decide(2, "5A", "TOOLONG")])
    first, second = timeline.at(1).decisions
    assert dict(first.squares) == {Position(0, 2): Content.of("E"), Position(0, 3): Content.of("T")}
    assert second.squares == ()


HASTY = SearchSettings(first_restart=3, restart_growth=1.1)
BY_SQUARES = SearchSettings(branching=Branching.ON_SQUARES, first_restart=20)


@pytest.mark.parametrize("search_settings", [HASTY, BY_SQUARES])
def test_recording_in_slices_matches_recording_one_by_one(search_settings: SearchSettings) -> None:
    """Events, and decisions after each event, do not depend on the slices."""
    problem = problem_of(HARD_GRID, HARD_WORDS)
    told, recorded = Timeline(HARD_GRID), Timeline(HARD_GRID)
    stepped = Filler(problem, seed=1, settings=search_settings)
    while len(told) < 6_000:
        stepped.reject_fill()
        event = known(stepped.step())
        told.append(event)
    sliced = Filler(problem, seed=1, settings=search_settings, trace=True, ring=20_000)
    while len(recorded) < 6_000:
        sliced.reject_fill()
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


def test_steps_take_only_reported_events() -> None:
    """One kernel move may record several events; each is taken only when it is reported."""
    problem = problem_of(HARD_GRID, HARD_WORDS)
    filler = Filler(problem, seed=1, ring=20_000)
    for _ in range(300):
        filler.reject_fill()
        event = filler.step()
        taken = filler.take_recorded()
        assert [taken[index] for index in range(len(taken))] == [event]


def test_events_are_found_without_reading_the_others() -> None:
    """Search by kind and by entry matches a scan of every event."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1, trace=True, ring=20_000)
    for _ in range(40):
        filler.reject_fill()
        filler.advance(nodes=10)
    events = filler.take_recorded()
    every = [events[index] for index in range(len(events))]
    told = DecodedEvents(every)
    for kinds, entry in (((EventKind.BACKTRACK,), None), ((), "6A"), ((EventKind.JUMP,), "1A"), ((), None)):
        assert events.about(kinds, entry) == told.about(kinds, entry)
    assert events.about((EventKind.DECIDE,), None)


def test_a_small_ring_buffer_loses_events_and_reports_it() -> None:
    """Overwritten events are counted as missed. The timeline restarts after them, and numbers continue."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1, trace=True, ring=100)
    timeline = Timeline(HARD_GRID)
    for _ in range(40):
        filler.reject_fill()
        filler.advance(nodes=20)
    events = filler.take_recorded()
    assert (len(events), events.missed > 0) == (100, True)
    timeline.join(events, missed=events.missed)
    assert (timeline.first, len(timeline)) == (events.missed, events.missed + 100)
    assert timeline.event(timeline.first) == events[0]


class CountingEvents:
    """A run of equal decisions that counts how often an event is read."""

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

    def without_last(self) -> CountingEvents:
        return CountingEvents(self._count - 1)

    def after(self, decisions: Decisions, number: int, count: int, grid: Grid) -> Decisions:
        return decisions


def test_a_million_events_take_bounded_memory_and_are_not_read() -> None:
    """A fast search costs the timeline only the latest runs; viewing a moment reads one event of them."""
    timeline = Timeline(Grid.blank(3, 3), most=100_000)
    for _ in range(40):
        timeline.join(CountingEvents(25_000))
    assert (len(timeline), CountingEvents.read) == (1_000_000, 0)
    assert 100_000 <= len(timeline) - timeline.first <= 125_000
    timeline.at(950_000)
    assert CountingEvents.read == 1
