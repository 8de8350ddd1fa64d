"""Medians, failures, penalised means and survival, against what a person would reckon by hand."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.racing.races import order_of
from xwtui.racing.report import median_text
from xwtui.racing.summary import RankedSummaries, settled_shares, summarise
from xwtui.racing.task import RaceStart, RaceView, RunState, Standing

BUDGET = 10.0
ENDS = [state for state in RunState if state.is_over]


@st.composite
def runs(draw: st.DrawFn) -> list[Standing]:
    """Some runs that are over, with times of few values, so that they meet."""
    found = []
    for seed in range(draw(st.integers(0, 8))):
        state = draw(st.sampled_from(ENDS))
        seconds = BUDGET if state is RunState.OUT_OF_TIME else draw(st.sampled_from([0.5, 1.0, 2.0, 4.0, 8.0]))
        nodes, score = draw(st.integers(0, 9)), draw(st.sampled_from([None, 40.0, 50.5]))
        found.append(Standing("x", seed, state, seconds, nodes=nodes, backtracks=2 * nodes, mean_score=score))
    return found


def naive_median(values: Sequence[float]) -> float | None:
    """The middle of the values in order, or the mean of the two in the middle; None where that is endless."""
    if not values:
        return None
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return None if math.inf in (low, high) else (low + high) / 2


@given(runs())
def test_medians_and_failures(found: list[Standing]) -> None:
    summary = summarise("x", found, BUDGET)
    settled = [run for run in found if run.state in (RunState.FILLED, RunState.IMPOSSIBLE)]
    outside = [run for run in found if run.state in (RunState.REFUSED, RunState.STOPPED)]
    failed = [run for run in found if run not in settled and run not in outside]
    assert (summary.settled, summary.counted) == (len(settled), len(settled) + len(failed))
    assert sum(summary.failures.values()) == len(failed)
    assert summary.refused + summary.stopped == len(outside)
    assert all(summary.failures[state] == sum(run.state is state for run in failed) for state in summary.failures)
    times = [run.search_seconds for run in settled] + [math.inf] * len(failed)
    assert summary.median_seconds == naive_median(times)
    assert summary.median_nodes == naive_median([run.nodes for run in settled])
    assert summary.median_backtracks == naive_median([run.backtracks for run in settled])
    penalised = [20.0 if time == math.inf else time for time in times]
    assert summary.penalised_seconds == (pytest.approx(sum(penalised) / len(penalised)) if penalised else None)


def test_a_median_that_is_a_failure_is_told_as_one() -> None:
    lost = Standing("x", 0, RunState.OUT_OF_TIME, BUDGET)
    won = Standing("x", 1, RunState.FILLED, 1.0)
    assert median_text(summarise("x", [lost, won], BUDGET), BUDGET) == "> 10"
    assert median_text(summarise("x", [lost, won, won], BUDGET), BUDGET) == "1.00"


def test_the_best_come_first_and_move_while_the_race_goes_on() -> None:
    order = order_of("xwtui", "trie", "sat", seeds=2, seconds=BUDGET)
    ends = {"xwtui": RunState.FILLED, "trie": RunState.CRASHED, "sat": RunState.REFUSED}

    def view(over: int) -> RaceView:
        def standing(number: int, start: RaceStart) -> Standing:
            name, seconds = str(start.entrant), 100.0 if number == 3 else 1.0
            return Standing(name, start.seed, ends[name] if number < over else RunState.WAITING, seconds)

        return RaceView(order, tuple(standing(*each) for each in enumerate(order.starts)))

    kept, seen = RankedSummaries(), []
    for over in range(len(order.starts) + 1):
        found = kept.follow(view(over))
        assert (
            found
            == RankedSummaries().follow(view(over))
            == sorted(
                (summarise(name, view(over).of(name), BUDGET) for name in view(over).entrants),
                key=lambda one: math.inf if one.penalised_seconds is None else one.penalised_seconds,
            )
        )
        seen.append([one.entrant for one in found])
    assert seen[1] == ["xwtui", "trie", "sat"]
    assert seen[-1] == ["trie", "xwtui", "sat"], "a run of a hundred seconds is worse than two that fail"


@given(runs().filter(lambda found: all(run.state is not RunState.STOPPED for run in found)))
def test_survival_without_stopped_runs_is_a_plain_share(found: list[Standing]) -> None:
    took_part = [run for run in found if run.state is not RunState.REFUSED]
    steps = settled_shares(found)
    for time in (0.4, 0.5, 1.0, 3.0, 8.0, 10.0):
        share = max((step.share for step in steps if step.seconds <= time), default=0.0)
        settled = [run for run in took_part if run.state.is_settled and run.search_seconds <= time]
        assert share == pytest.approx(len(settled) / len(took_part) if took_part else 0.0)


def naive_survival(found: Sequence[Standing], time: float) -> float:
    """Kaplan and Meier from the definition: the chances to last through each moment, multiplied."""
    lasts = 1.0
    for moment in (0.5, 1.0, 2.0, 4.0, 8.0, 10.0):
        if moment > time:
            break
        never = (RunState.GAVE_UP, RunState.CRASHED, RunState.FOUL)
        at_risk = [
            run
            for run in found
            if run.state is not RunState.REFUSED and (run.state in never or run.search_seconds >= moment)
        ]
        ended = [run for run in at_risk if run.state.is_settled and run.search_seconds == moment]
        if at_risk:
            lasts *= (len(at_risk) - len(ended)) / len(at_risk)
    return 1 - lasts


@given(runs())
def test_survival_with_stopped_runs(found: list[Standing]) -> None:
    steps = settled_shares(found)
    for time in (0.4, 0.5, 1.0, 3.0, 8.0, 10.0):
        share = max((step.share for step in steps if step.seconds <= time), default=0.0)
        assert share == pytest.approx(naive_survival(found, time))
    assert [step.seconds for step in steps] == sorted({step.seconds for step in steps})


def test_a_run_that_is_stopped_counts_as_long_as_it_was_seen() -> None:
    won = [Standing("x", 0, RunState.FILLED, 1.0), Standing("x", 1, RunState.FILLED, 4.0)]
    stopped = Standing("x", 2, RunState.STOPPED, 2.0)
    assert [step.share for step in settled_shares([*won, stopped])] == pytest.approx([1 / 3, 1.0])
    lost = replace(stopped, state=RunState.CRASHED)
    assert [step.share for step in settled_shares([*won, lost])] == pytest.approx([1 / 3, 2 / 3])
