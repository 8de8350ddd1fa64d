"""Particles that plant contents required by rules; the mean of their runs is compared with naive counts."""

from collections.abc import Callable, Iterator
from itertools import islice
from math import log10
from random import Random

import pytest

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, selection_case, whole_grid_case
from tests.engine.small_problems import fills_counted
from tests.examples import is_deep
from tests.naive.agreeing import TooManyTriesError
from tests.naive.rules import Case, fills
from tests.ruled import ruled
from xwtui.engine.budget import never
from xwtui.engine.count.belief import believe
from xwtui.engine.count.estimate import Instrument
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.particles import ParticleRun, Populations
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

RUNS = 12


def planted_cases(seed: int) -> Iterator[tuple[Problem, int]]:
    """Yield problems with planted contents and their numbers of fills, at least two."""
    rng = Random(seed)
    while True:
        case = rng.choice([placing_case, whole_grid_case])(rng)
        problem = problem_of(case)
        if not problem.root.is_possible or not problem.constraints.has_minimums:
            continue
        try:
            count = sum(1 for _ in fills(case, most_tries=30_000))
        except TooManyTriesError:
            continue
        if count > 1 and run_of(problem, 0).planted:
            yield problem, count


def run_of(problem: Problem, seed: int) -> ParticleRun:
    return ParticleRun(problem, believe(problem), 16, seed=seed)


def fills_said(problem: Problem, seed: int) -> float:
    run = run_of(problem, seed)
    while not run.advance():
        pass
    log10_fills = run.log10_fills()
    return 0.0 if log10_fills is None else 10**log10_fills


def test_planting_runs_average_to_the_naive_count() -> None:
    ratios = [
        sum(fills_said(problem, seed) for seed in range(RUNS)) / RUNS / count
        for problem, count in islice(planted_cases(5), 16 if is_deep() else 8)
    ]
    assert 0.9 < sum(ratios) / len(ratios) < 1.1


def test_the_interval_under_rules_covers_the_naive_count() -> None:
    cases = list(islice(planted_cases(6), 16))
    held = 0
    for problem, count in cases:
        estimate = ParticlesOnly(problem).refine(runs=RUNS)
        if estimate.exact is not None:
            assert estimate.exact == count
            held += 1
        elif estimate.low is not None and estimate.high is not None:
            assert estimate.instrument is Instrument.PARTICLES
            held += estimate.low - 1e-9 <= log10(count) <= estimate.high + 1e-9
    assert held >= 0.9 * len(cases)


class ParticlesOnly(Counter):
    """A counter that uses particles even for small cases."""

    @property
    def is_countable(self) -> bool:
        return False


def test_a_rare_letter_is_planted_and_a_common_one_left_to_chance() -> None:
    words = [a + b + c for a in "ABC" for b in "ABC" for c in "ABC"] + ["DAB", "BDA", "ABD", "CAD", "DCC", "CDB"]
    lexicon = Lexicon.build([WordList.from_scores("words", dict.fromkeys(words, 50))])
    four_squares = grid_from_text("\n".join(["...#..."] * 3 + ["#######"] + ["...#..."] * 3))
    for letters, planted in (("D", 1), ("A", 0), ("AD", 1)):
        problem = Problem.build(four_squares, lexicon, rules=ruled(letters=letters), allow_repeats=True)
        assert run_of(problem, 1).planted == planted


CASES = 12
MANY_RUNS = 8


def mean_of_runs(problem: Problem) -> float:
    """Return the mean of several independent runs, each an unbiased estimate."""
    populations = Populations(problem, believe(problem), 30, seed=0)
    populations.advance(1, MANY_RUNS, never)
    return sum(10**log10 for log10 in populations.log10_fills if log10 is not None) / MANY_RUNS


@pytest.mark.parametrize("make", [local_case, placing_case, whole_grid_case, selection_case])
def test_particle_runs_average_to_the_exact_count(make: Callable[[Random], Case]) -> None:
    rng = Random(11)
    ratios: list[float] = []
    while len(ratios) < CASES:
        problem = problem_of(make(rng))
        count = fills_counted(problem)
        if count > 1:
            ratios.append(mean_of_runs(problem) / count)
    assert 0.9 < sum(ratios) / len(ratios) < 1.1


@pytest.mark.parametrize("make", [placing_case, whole_grid_case, selection_case])
def test_a_count_marked_exact_is_exact(make: Callable[[Random], Case]) -> None:
    rng = Random(12)
    for _ in range(60):
        problem = problem_of(make(rng))
        estimate = Counter(problem).quick()
        if estimate.exact is not None:
            assert estimate.exact == fills_counted(problem)
