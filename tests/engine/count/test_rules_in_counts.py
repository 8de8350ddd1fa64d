"""Estimates obey the rules, too: the mean of many particle runs is the exact count, whatever is asked."""

from collections.abc import Callable
from random import Random

import pytest

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, selection_case, whole_grid_case
from tests.naive.rules import Case
from xwtui.engine.budget import never
from xwtui.engine.count.belief import believe
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.count.particles import Populations
from xwtui.engine.problem.problem import Problem

CASES = 12
RUNS = 8


def exact_count(problem: Problem) -> int:
    """The number of fills, which enumeration gives exactly."""
    if not problem.root.is_possible:
        return 0
    enumeration = FillEnumeration(problem)
    assert enumeration.advance(nodes=1_000_000)
    return enumeration.fills


def mean_of_runs(problem: Problem) -> float:
    """The mean of some independent runs, each an estimate without bias."""
    populations = Populations(problem, believe(problem), 30, seed=0)
    populations.advance(1, RUNS, never)
    return sum(10**log10 for log10 in populations.log10_fills if log10 is not None) / RUNS


@pytest.mark.parametrize("make", [local_case, placing_case, whole_grid_case, selection_case])
def test_particle_runs_have_the_exact_count_as_their_mean(make: Callable[[Random], Case]) -> None:
    rng = Random(11)
    ratios: list[float] = []
    while len(ratios) < CASES:
        problem = problem_of(make(rng))
        count = exact_count(problem)
        if count > 1:
            ratios.append(mean_of_runs(problem) / count)
    assert 0.9 < sum(ratios) / len(ratios) < 1.1


@pytest.mark.parametrize("make", [placing_case, whole_grid_case, selection_case])
def test_a_count_that_is_called_exact_is(make: Callable[[Random], Case]) -> None:
    rng = Random(12)
    for _ in range(60):
        problem = problem_of(make(rng))
        estimate = Counter(problem).quick()
        if estimate.exact is not None:
            assert estimate.exact == exact_count(problem)
