import pytest
from hypothesis import given

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.strategies.judging import judge, strategy_of
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import ANY_EVENT, EventKind, Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.xwtui_engine import XwtuiEngine

WORDS = dict.fromkeys(["CAT", "COT", "ATE", "TEN", "CON", "OTE", "TEE", "NET"], 50)


def test_by_default_it_ends_with_its_first_fill() -> None:
    strategy = judge("xwtui", grid_from_text("...\n...\n..."), WORDS, allow_repeats=True)
    assert (strategy.outcome, strategy.counters.fills, strategy.is_complete) == (Outcome.FILLED, 1, False)


def test_full_speed_comes_to_the_same_fills_as_single_steps() -> None:
    grid = grid_from_text("...\n...\n...")
    stepped = judge("xwtui:all=yes", grid, WORDS, allow_repeats=True)
    running = strategy_of("xwtui:all=yes", grid, WORDS, allow_repeats=True)
    while not running.is_over:
        running.advance(Budget(1.0))
    assert running.counters == stepped.counters
    assert running.outcome is stepped.outcome is Outcome.FILLED


def test_decisions_tell_what_is_in_force() -> None:
    strategy = strategy_of("xwtui", grid_from_text("...\n...\n..."), WORDS, allow_repeats=True)
    event = next(iter(strategy.run()))
    [decision] = strategy.decisions
    assert (decision.slot, decision.chosen) == (event.slot, event.word)
    assert strategy.domain_sizes[str(event.slot)] >= 1


SETTINGS = (
    "order=room",
    "order=score",
    "noise=300",
    "decide=words",
    "decide=squares",
    "decide=squares-at-last",
    "restart=luby,patience=1",
    "restart=nested,patience=2",
    "restart=never",
    "jump=no",
    "blame=no",
)


@pytest.mark.parametrize("setting", SETTINGS)
@examples(20)
@given(small_grids(4), word_lists(4))
def test_every_setting_settles_small_grids(setting: str, grid: Grid, words: dict[str, int]) -> None:
    by_default, set_so = (judge(name, grid, words) for name in ("xwtui", f"xwtui:{setting}"))
    assert set_so.outcome is by_default.outcome


def test_by_score_the_first_word_is_one_of_the_best() -> None:
    words = {a + b + c: 100 if a == "Z" else 1 for a in "ABZ" for b in "ABZ" for c in "ABZ"}
    grid = grid_from_text("...\n###\n...")
    strategy = strategy_of("xwtui:order=score,noise=0", grid, words)
    decided = [event.word for event in strategy.run() if event.kind is EventKind.DECIDE]
    assert decided
    assert all(word is not None and word.startswith("Z") for word in decided)


def test_a_problem_that_is_laid_out_is_searched_as_the_filler_does() -> None:
    words = {a + b + c + d: 50 for a in "ABCD" for b in "AEB" for c in "ACD" for d in "ABE"}
    problem = problem_of(grid_from_text("....\n....\n....\n...."), words)
    search, filler = XwtuiEngine.on(problem, 7), Filler(problem, seed=7)
    while search.outcome is Outcome.RUNNING:
        search.advance(until=ANY_EVENT)
    assert filler.advance(nodes=1_000_000) is search.outcome
    assert dict(search.squares) == dict(filler.fill())
    assert search.counters.nodes == filler.statistics.nodes


def test_a_search_after_another_begins_with_what_that_has_learnt() -> None:
    words = dict.fromkeys(["ABC", "BCD", "CDE", "XYZ", "ZZA", "AXB", "BYC", "CZD"], 1)
    problem = problem_of(grid_from_text("...\n...\n..."), words)
    first = XwtuiEngine.on(problem)
    first.advance(Budget(1.0))
    second = XwtuiEngine.on(problem, 1, after=first)
    assert second.filler.square_weights.tolist() == first.filler.square_weights.tolist()
