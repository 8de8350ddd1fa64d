"""How many dead ends lie between restarts, by each policy; and how words and squares take turns."""

from dataclasses import replace

import pytest

from tests.engine.fill.test_filler import BY_WORDS
from tests.engine.fill.test_portfolio import endless_problem
from tests.known import known
from xwtui.engine.events.event import EventKind
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import WORKERS, Branching, Restarts, SearchSettings
from xwtui.engine.kernels.search.decisions import NO_RESTART, RESTART_AT, RESTART_STRIDE
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.xwtui_engine import XwtuiEngine


def strides(settings: SearchSettings, runs: int) -> list[int]:
    """How many dead ends each of the first runs was to have, and had at the least."""
    filler = Filler(endless_problem(), settings=settings)
    planned: list[int] = []
    begin = 0
    while len(planned) < runs:
        planned.append(int(filler._search.progress[RESTART_STRIDE]))
        assert filler.run_until([EventKind.RESTART]) is not None
        assert filler.statistics.backtracks >= begin + planned[-1]
        begin = filler.statistics.backtracks
    return planned


@pytest.mark.parametrize(
    ("policy", "growth", "expected"),
    [
        (Restarts.GEOMETRIC, 1.5, [4, 7, 11, 17, 26]),
        (Restarts.LUBY, 1.0, [4, 4, 8, 4, 4, 8, 16, 4, 4, 8, 4, 4, 8, 16, 32, 4]),
        (Restarts.NESTED, 2.0, [4, 4, 9, 4, 9, 19, 4, 9, 19, 39, 4]),
    ],
)
def test_each_policy_restarts_when_it_says(policy: Restarts, growth: float, expected: list[int]) -> None:
    settings = replace(BY_WORDS, restarts=policy, first_restart=4, restart_growth=growth)
    assert strides(settings, len(expected)) == expected


def test_a_search_restarts_soon_once_and_then_by_its_policy() -> None:
    assert (WORKERS[0].first_run, WORKERS[0].first_restart) == (100, 400)
    filler = Filler(
        endless_problem(), settings=replace(BY_WORDS, first_run=5, first_restart=40, restart_growth=1.5)
    )
    ends: list[int] = []
    while len(ends) < 3:
        assert filler.run_until([EventKind.RESTART]) is not None
        ends.append(filler.statistics.backtracks)
    assert ends[0] in range(5, 40)
    assert ends[1] - ends[0] in range(61, 92)
    assert ends[2] - ends[1] in range(92, 139)


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ("", 100),
        ("patience=40", 10),
        ("patience=1", 1),
        ("restart=luby,patience=40", 40),
        ("restart=never", NO_RESTART),
    ],
)
def test_growing_runs_begin_with_a_quarter_of_the_patience(options: str, first: int) -> None:
    strategy = StrategyChoice.parse(f"xwtui:{options}" if options else "xwtui").make(endless_problem().task, 1)
    assert isinstance(strategy, XwtuiEngine)
    assert strategy.filler.search.progress[RESTART_AT] == first


def test_squares_take_turns_with_words_for_as_many_dead_ends_as_there_were() -> None:
    settings = replace(BY_WORDS, branching=Branching.IN_TURNS, first_restart=10, first_turn=25, restart_growth=1.0)
    filler = Filler(endless_problem(), settings=settings)
    turns: list[tuple[bool, int]] = []
    while len(turns) < 9 and (event := filler.run_until([EventKind.DECIDE])) is not None:
        is_square = event.slot is None
        if not turns or turns[-1][0] != is_square:
            turns.append((is_square, filler.statistics.backtracks))
    assert [is_square for is_square, _ in turns] == [False, True] * 4 + [False]
    begins = [begin for is_square, begin in turns if is_square]
    ends = [begin for is_square, begin in turns if not is_square][1:]
    for begin, end in zip(begins, ends, strict=True):
        assert end >= 2 * begin
    for end, begin in zip(ends, begins[1:], strict=False):
        assert begin >= 2 * end


def test_squares_at_last_keep_the_search_without_a_restart() -> None:
    settings = replace(
        BY_WORDS, branching=Branching.SQUARES_AT_LAST, first_restart=10, first_turn=25, restart_growth=1.0
    )
    filler = Filler(endless_problem(), settings=settings)
    restarts: list[int] = []
    while filler.run_until([EventKind.RESTART], nodes=1000) is not None:
        restarts.append(filler.statistics.backtracks)
    assert len(restarts) > 1
    assert all(begin < 25 for begin in restarts[:-1])
    assert restarts[-1] >= 25
    for _ in range(50):
        event = known(filler.run_until([EventKind.DECIDE]))
        assert event.slot is None
