"""Portfolios: one thread is reproducible, several race, and all stop on request."""

import sys
import threading
from collections.abc import Container
from functools import partial

import pytest

from tests.engine.small_problems import ALL_WORDS, HARD_GRID, HARD_WORDS, endless_problem, problem_of
from tests.naive.engine import check_fill
from xwtui.engine.budget import SECONDS_PER_SLICE, Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.portfolio import Progress, fill
from xwtui.engine.fill.search_settings import Branching, SearchSettings
from xwtui.engine.kernels.search.decisions import NODES, STRIDE_GROWTH
from xwtui.engine.kernels.search.search import RUNNING
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid


def test_one_thread_finds_the_same_fill_again() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    first, again = fill(problem, Budget(seed=7)), fill(problem, Budget(seed=7))
    assert first.outcome is Outcome.FILLED
    assert (first.squares, first.answers, first.statistics.nodes) == (
        again.squares,
        again.answers,
        again.statistics.nodes,
    )
    assert (first.seed, first.threads, first.worker) == (7, 1, 0)
    check_fill(HARD_GRID, first.squares, HARD_WORDS)


def test_the_winner_of_a_race_can_be_reproduced_alone() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    result = fill(problem, Budget(seed=3, threads=3))
    assert result.outcome is Outcome.FILLED
    check_fill(HARD_GRID, result.squares, HARD_WORDS)
    alone = Filler(problem, seed=3, worker=result.worker)
    alone.advance(nodes=1_000_000)
    assert alone.fill() == result.squares
    assert result.threads == 3


def test_impossible_is_proved_with_a_reason() -> None:
    for threads in (1, 2):
        result = fill(problem_of(grid_from_text("...\n###\n...\n"), {"CAT": 1}), Budget(threads=threads))
        assert result.outcome is Outcome.IMPOSSIBLE
        assert str(result.reason) == "1A and 2A would both be CAT"
        assert not result.squares
        assert not result.answers


def test_a_deadline_ends_in_unknown() -> None:
    for threads in (1, 2):
        result = fill(endless_problem(), Budget(seconds=0.05, threads=threads))
        assert result.outcome is Outcome.UNKNOWN
        assert result.squares == {}
        assert result.reason is None


def test_cancelling_stops_all_workers() -> None:
    before = set(threading.enumerate())
    for threads in (1, 3):
        looks = iter([False, False, False, True])
        result = fill(endless_problem(), Budget(threads=threads, stop=partial(next, looks)))
        assert result.outcome is Outcome.CANCELLED
        assert set(threading.enumerate()) <= before


@pytest.mark.parametrize(("worker", "threads"), [(0, 1), (0, 3), (1, 3), (2, 3)])
@pytest.mark.parametrize(("error", "told"), [(MemoryError(), "MemoryError;"), (ValueError("cells"), "cells;")])
def test_a_failure_in_any_thread_is_reported_and_stops_all(
    monkeypatch: pytest.MonkeyPatch, worker: int, threads: int, error: Exception, told: str
) -> None:
    before = set(threading.enumerate())
    advance = Filler.advance
    victims: list[Filler] = []

    def die(filler: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        if filler not in victims:
            victims.append(filler)
        if victims.index(filler) == worker:
            raise error
        return advance(filler, nodes, seconds)

    monkeypatch.setattr(Filler, "advance", die)
    with pytest.raises(EngineError, match=told):
        fill(endless_problem(), Budget(threads=threads))
    assert set(threading.enumerate()) <= before


def test_the_head_start_is_measured_in_nodes_not_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a slice covers a single node, the first worker alone fills an easy grid."""
    problem = problem_of(Grid.blank(4, 4), ALL_WORDS)
    wanted = fill(problem, Budget(seed=5)).squares
    advance = Filler.advance
    workers: set[Filler] = set()

    def slow(filler: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        workers.add(filler)
        return advance(filler, 1)

    monkeypatch.setattr(Filler, "advance", slow)
    assert fill(problem, Budget(seed=5, threads=3)).squares == wanted
    assert len(workers) == 1


def test_no_worker_exceeds_a_slice_before_checking_for_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    advance = Filler.advance
    asked: list[float | None] = []

    def note(filler: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        asked.append(seconds)
        return advance(filler, nodes, seconds)

    monkeypatch.setattr(Filler, "advance", note)
    fill(endless_problem(), Budget(threads=3, seconds=600, stop=lambda: len(asked) > 3))
    assert all(seconds is not None and seconds <= SECONDS_PER_SLICE for seconds in asked)


@pytest.mark.parametrize("slowdown", [1, 3])
@pytest.mark.parametrize("milliseconds_a_node", [0.01, 0.03, 0.2])
def test_slices_adapt_to_the_time_per_node(
    monkeypatch: pytest.MonkeyPatch, milliseconds_a_node: float, slowdown: int
) -> None:
    """Nodes get slower and slower within the slice, and the rest of the portfolio still stops within 50 ms."""
    filler = Filler(endless_problem())
    progress, now = filler.search.progress, [0.0]

    def run_kernel(_network: object, state: object, _search: object, last_node: int) -> tuple[int, object]:
        cost = milliseconds_a_node / 1000 * (slowdown if now[0] > SECONDS_PER_SLICE / 2 else 1)
        now[0] += cost * (last_node - int(progress[NODES]))
        progress[NODES] = last_node
        return RUNNING, state

    monkeypatch.setattr("xwtui.engine.fill.filler.run_kernel", run_kernel)
    monkeypatch.setattr("xwtui.engine.fill.filler.perf_counter", lambda: now[0])
    filler.advance(seconds=SECONDS_PER_SLICE)
    assert SECONDS_PER_SLICE <= now[0] < 0.05


def test_progress_shows_the_search() -> None:
    seen: list[Progress] = []
    fill(endless_problem(), Budget(stop=lambda: len(seen) >= 2), progress=seen.append)
    assert [look.statistics.nodes for look in seen] == sorted(look.statistics.nodes for look in seen)
    assert all(content is not None for look in seen for content in look.squares.values())


def test_nothing_to_fill_is_filled() -> None:
    result = fill(problem_of(Grid.blank(3, 3), {"CAT": 1, "AAA": 1}, allow_repeats=True), Budget(seconds=5))
    assert result.outcome is Outcome.FILLED


def slices_of_the_second_thread(monkeypatch: pytest.MonkeyPatch, far: Container[int]) -> list[Filler]:
    """Return the search run in each slice of the second thread, if the proof is far after the slices in `far`."""
    searches: list[Filler] = []

    def note(filler: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        if filler.search.random[0] != leader.search.random[0]:
            searches.append(filler)
        return Outcome.RUNNING

    problem = endless_problem()
    leader = Filler(problem)
    monkeypatch.setattr("xwtui.engine.fill.portfolio._HEAD_START", 0)  # these searches visit no node
    monkeypatch.setattr(Filler, "advance", note)
    monkeypatch.setattr(Filler, "is_far_from_proof", property(lambda filler: len(searches) in far))
    fill(problem, Budget(threads=2, stop=lambda: len(searches) > 20))
    return searches


def test_a_search_far_from_its_proof_yields_most_of_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = slices_of_the_second_thread(monkeypatch, range(2, sys.maxsize))
    own, beside = searches[0], searches[3]
    assert searches[:11] == [own, own, own, *3 * [beside], own, *3 * [beside], own]


def test_a_search_that_nears_its_proof_regains_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = slices_of_the_second_thread(monkeypatch, range(2, 10))
    assert set(searches[10:20]) == {searches[0]}


def test_a_search_that_shares_a_thread_can_be_reproduced_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    advance = Filler.advance
    problem = problem_of(HARD_GRID, HARD_WORDS)
    idle = {int(Filler(problem, seed=3, worker=worker).search.random[0]) for worker in (0, 1)}

    def advance_beside(filler: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        return Outcome.RUNNING if int(filler.search.random[0]) in idle else advance(filler, nodes, seconds)

    monkeypatch.setattr("xwtui.engine.fill.portfolio._HEAD_START", 0)  # the idle ones visit no node
    monkeypatch.setattr(Filler, "advance", advance_beside)
    monkeypatch.setattr(Filler, "is_far_from_proof", property(lambda filler: True))
    result = fill(problem, Budget(seed=3, threads=2))
    monkeypatch.undo()
    assert (result.outcome, result.worker) == (Outcome.FILLED, 3)
    alone = Filler(problem, seed=3, worker=3)
    alone.advance(nodes=1_000_000)
    assert alone.fill() == result.squares


def test_an_ending_proof_is_far_at_first_and_near_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five entries that do not cross, and four words."""
    monkeypatch.setattr("xwtui.engine.fill.filler._LONG_SEARCH", 1)
    monkeypatch.setattr("xwtui.engine.fill.filler._FIRST_DECISIONS", 2)
    words = dict(list(ALL_WORDS.items())[:4])
    problem = problem_of(grid_from_text("\n".join(["....", "####"] * 5)), words)
    settings = SearchSettings(branching=Branching.SQUARES_AT_LAST, first_restart=1, first_turn=0)
    filler, looks = Filler(problem, settings=settings), list[bool]()
    while not filler.advance(nodes=1).is_final:
        looks.append(filler.is_far_from_proof)
    assert filler.outcome is Outcome.IMPOSSIBLE
    assert True in looks
    assert not looks[-1]


def test_a_timeout_within_the_head_start_ends_in_unknown() -> None:
    assert fill(endless_problem(), Budget(seconds=0.0, threads=3)).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_the_caller_is_not_a_search_failure(threads: int) -> None:
    def fail(_: object) -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fill(endless_problem(), Budget(threads=threads), progress=fail)


def test_restart_growth_is_passed_to_the_kernel() -> None:
    assert SearchSettings(restart_growth=1.5).as_array()[STRIDE_GROWTH] == 1500
