"""Several fills that differ, compared with all fills of small grids; fullest partial fills, kept over restarts."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.engine.fill.test_filler import BY_WORDS
from tests.engine.problem.rule_cases import problem_of as problem_of_case
from tests.engine.problem.rule_cases import selection_case
from tests.engine.small_problems import (
    HARD_GRID,
    HARD_WORDS,
    endless_problem,
    hash_of,
    lexicon_of,
    problem_of,
    small_grids,
    word_lists,
)
from tests.examples import examples
from tests.known import known
from tests.naive.agreeing import TooManyTriesError
from tests.naive.engine import check_fill, given_content, naive_fills
from tests.naive.rules import partial_fills
from xwtui.engine.budget import Budget, never
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.fill import diverse
from xwtui.engine.fill.diverse import DiverseResult, RankedFill, RemainingFills, diverse_fills
from xwtui.engine.fill.filler import Filler, decision_report_of
from xwtui.engine.fill.search_settings import SearchSettings
from xwtui.engine.kernels.search.decisions import FULLEST, FULLEST_FIRST
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.xwtui_engine import XwtuiEngine

Squares = dict[Position, Content]


def differing(first: Squares, second: Squares) -> int:
    return sum(first[position] != second[position] for position in first)


def least_difference(grid: Grid, share: float) -> int:
    """Return the minimum number of squares in which two fills differ: a share of those that are not given."""
    entries = {position for slot in grid.slots for position in slot.positions}
    free = sum(given_content(grid, position) is None for position in entries)
    return max(1, next(count for count in range(free + 1) if count >= share * free - 1e-9))


def check_result(grid: Grid, result: DiverseResult, words: dict[str, int], share: float) -> None:
    fills = [dict(fill.squares) for fill in result.fills]
    for fill in result.fills:
        check_fill(grid, fill.squares, words)
    assert result.squares == least_difference(grid, share)
    assert all(differing(*pair) >= result.squares for pair in combinations(fills, 2))
    means = [fill.mean_score for fill in result.fills]
    assert means == sorted(means, reverse=True)


@examples(200)
@given(
    small_grids(4), word_lists(4), st.integers(1, 6), st.sampled_from([0, 0.1, 0.34, 0.5, 1]), st.integers(0, 3)
)
def test_fills_differ_and_a_shortfall_is_proved(
    grid: Grid, words: dict[str, int], count: int, share: float, seed: int
) -> None:
    words = dict(list(words.items())[:25])
    result = diverse_fills(problem_of(grid, words), Budget(seed=seed), count=count, difference=share)
    check_result(grid, result, words, share)
    assert result.outcome is (Outcome.FILLED if len(result.fills) == count else Outcome.IMPOSSIBLE)
    assert bool(result.reason) == (result.outcome is Outcome.IMPOSSIBLE)
    if result.outcome is Outcome.IMPOSSIBLE:
        fills = [dict(fill.squares) for fill in result.fills]
        for other in naive_fills(grid, words):
            assert any(differing(other, fill) < result.squares for fill in fills), "another fill differs enough"


@pytest.mark.parametrize("threads", [1, 2])
def test_five_fills_that_differ_in_half_their_squares(threads: int) -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    result = diverse_fills(problem, Budget(seed=2, threads=threads), count=5, difference=0.5)
    assert result.outcome is Outcome.FILLED
    assert len(result.fills) == 5
    check_result(HARD_GRID, result, HARD_WORDS, 0.5)


def test_one_thread_is_reproducible_and_reports_each_fill() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    told: list[RankedFill] = []
    first = diverse_fills(problem, Budget(seed=1), count=4, difference=0.4, found=told.append)
    again = diverse_fills(problem, Budget(seed=1), count=4, difference=0.4)
    assert first.fills == again.fills
    assert sorted(told, key=lambda fill: -fill.mean_score) == list(first.fills)


def test_scores_exclude_given_entries() -> None:
    grid = grid_from_text("CAT\n###\n...\n")
    result = diverse_fills(problem_of(grid, {"DOG": 30, "COW": 60, "CAT": 90}), count=3, difference=1)
    assert [(fill.answers["2A"], fill.mean_score, fill.lowest_score) for fill in result.fills] == [("COW", 60, 60)]
    assert str(result.reason) == "no other fill differs from this one in at least 3 squares: all were tried"


def test_a_selection_differs_within_itself() -> None:
    grid = grid_from_text("...\n###\n...\n")
    row = frozenset(Position(0, column) for column in range(3))
    problem = Problem.build(grid, lexicon_of({"CAT": 50, "DOG": 50, "TEN": 50}), selection=row)
    result = diverse_fills(problem, count=3, difference=0.5)
    assert {fill.answers["1A"] for fill in result.fills} == {"CAT", "DOG", "TEN"}
    assert all(fill.squares.keys() == row for fill in result.fills)


def test_the_reason_for_a_shortfall_is_given() -> None:
    late = diverse_fills(endless_problem(), Budget(seconds=0.05), count=2, difference=0.5)
    assert (late.outcome, late.fills) == (Outcome.UNKNOWN, ())
    assert str(late.reason) == "found 0 of 2 before the time ran out"
    stopped = diverse_fills(endless_problem(), Budget(stop=lambda: True, threads=2), count=2, difference=0.5)
    assert stopped.outcome is Outcome.CANCELLED
    none = diverse_fills(problem_of(grid_from_text("Q.J\n###\n...\n"), {"CAT": 1}), count=2, difference=0.5)
    assert (none.outcome, str(none.reason)) == (Outcome.IMPOSSIBLE, "1A: no word fits Q?J")


def test_the_difference_must_be_between_0_and_1() -> None:
    with pytest.raises(EngineError, match=r"from 0 to 1; 1\.5 is outside"):
        diverse_fills(problem_of(HARD_GRID, HARD_WORDS), count=2, difference=1.5)


HASTY = replace(BY_WORDS, first_restart=6, restart_growth=1.1)
FORGETFUL = replace(HASTY, fullest_first=False)


@cache
def problem() -> Problem:
    """Return a grid that takes about ten runs of this size."""
    letters = (letter for length in (5, 6) for letter in product("AEST", repeat=length))
    words = {word: 50 for word in map("".join, letters) if hash_of(word) % 28 == 0}
    return problem_of(grid_from_text(".....#\n......\n......\n......\n......\n#.....\n"), words)


def searching(seed: int, settings: SearchSettings = HASTY) -> Filler:
    return Filler(problem(), seed=seed, settings=settings, trace=True, ring=20_000)


def kept(filler: Filler) -> Mapping[str, str]:
    rows = enumerate(filler.search.fullest.tolist())
    return {problem().slot_names[slot]: problem().word(slot, row) for slot, row in rows if row >= 0}


def decisions(filler: Filler) -> list[Event]:
    """Return the decisions among the events since the last call."""
    events = filler.take_recorded()
    every = (events[number] for number in range(len(events)))
    return [event for event in every if event.kind is EventKind.DECIDE]


def test_the_kept_partial_fill_is_the_fullest_and_guides_decisions() -> None:
    """Node by node: it is the first of the fullest states before a decision, and decisions take words from it."""
    followed = first_run = 0
    for seed in range(6):
        filler, fullest = searching(seed), dict[str, str]()
        while not filler.outcome.is_final:
            standing, is_later = filler.answers(), filler.statistics.restarts > 0
            fullest = dict(standing) if len(standing) > len(fullest) else fullest
            possible = [
                set(problem().rows_left(filler.state, slot).tolist()) for slot in range(len(problem().slots))
            ]
            report = decision_report_of(filler)
            filler.advance(nodes=1)
            assert (kept(filler), filler.search.progress[FULLEST]) == (fullest, len(fullest))
            for made in decisions(filler):
                assert made.slot is not None
                slot = problem().slot_numbers[made.slot]
                if is_later and filler.search.fullest[slot] in possible[slot]:
                    assert made.word == fullest[made.slot] == report.words[0].word
                    followed += 1
                first_run += not is_later
        assert filler.outcome is Outcome.FILLED
        assert kept(filler) == filler.answers()
    assert followed > 50
    assert first_run > 30


@pytest.mark.parametrize("seed", range(4))
def test_the_first_run_is_unchanged_and_forgetting_changes_the_next(seed: int) -> None:
    runs = [searching(seed, settings) for settings in (HASTY, FORGETFUL)]
    first = [_decisions_until_restart(filler) for filler in runs]
    assert first[0] == first[1]
    for filler in runs:
        filler.advance(nodes=1_000_000)
    assert decisions(runs[0]) != decisions(runs[1])
    assert kept(runs[1]) == {}


def _decisions_until_restart(filler: Filler) -> list[Event]:
    assert filler.run_until([EventKind.RESTART]) is not None
    return decisions(filler)


def test_slices_steps_and_traces_make_the_same_search() -> None:
    for seed in range(3):
        whole, sliced, untraced = searching(seed), searching(seed), Filler(problem(), seed=seed, settings=HASTY)
        whole.advance(nodes=1_000_000)
        untraced.advance(nodes=1_000_000)
        while not sliced.outcome.is_final:
            decision_report_of(sliced)
            sliced.step()
            sliced.advance(nodes=2)
        assert whole.statistics.restarts > 2
        assert decisions(whole) == decisions(sliced)
        assert whole.answers() == sliced.answers() == untraced.answers()
        assert kept(whole) == kept(sliced) == kept(untraced)


def test_the_strategy_option_is_on_by_default() -> None:
    def strategy(options: str) -> XwtuiEngine:
        made = StrategyChoice.parse(f"xwtui{options}").make(problem().task, 1)
        assert isinstance(made, XwtuiEngine)
        return made

    for options, is_on in (("", True), (":fullest=yes", True), (":fullest=no", False)):
        assert bool(strategy(options).filler.search.settings[FULLEST_FIRST]) is is_on


@examples(150)
@given(st.integers(0, 1 << 32))
@example(233)
def test_every_fill_of_a_selection_is_passed_once(seed: int) -> None:
    """All fills that neighboring entries can complete are found, and none that leaves one of them no word."""
    case = selection_case(Random(seed))
    chosen = known(case.selection)
    with suppress(TooManyTriesError):
        loose, strict = partial_fills(case, most_tries=100_000)
        found: list[frozenset[tuple[Position, Content]]] = []

        def take(filler: Filler) -> bool:
            found.append(frozenset(filler.fill().items()))
            return True

        remaining = RemainingFills(problem_of_case(case), take, seed=seed)
        while not remaining.advance(1_000, never):
            pass
        assert len(found) == len(set(found))
        least, most = (
            {frozenset((at, content) for (at, _), content in one.items() if at in chosen) for one in fills}
            for fills in (strict, loose)
        )
        assert least <= set(found) <= most


def test_nodes_of_parts_without_a_fill_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Filler] = []
    found: list[Filler] = []

    def filler(problem: Problem, *, seed: int) -> Filler:
        made.append(Filler(problem, seed=seed))
        return made[-1]

    def take(one: Filler) -> bool:
        found.append(one)
        return True

    monkeypatch.setattr(diverse, "Filler", filler)
    remaining = RemainingFills(problem_of(HARD_GRID, HARD_WORDS), take, seed=1)
    for _ in range(400):
        remaining.advance(100, never)
    assert sum(one.statistics.nodes for one in found) < remaining.nodes
    assert remaining.nodes == sum(one.statistics.nodes for one in made)
