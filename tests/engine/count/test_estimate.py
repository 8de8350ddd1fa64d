"""How estimates are said, and their intervals: published quantiles, and coverage on draws of known mean."""

import math
import random
from itertools import product

import pytest

from tests.engine.small_problems import lexicon_of
from tests.known import known
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.count.estimator import Counter, lognormal_mean_interval, student_t_quantile
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid
from xwtui.wording import about


def test_exact_counts_are_said_as_such() -> None:
    assert Estimate(Instrument.EXACT, 3.08, exact=1204).describe() == "exactly 1,204 fills (proved)"
    assert Estimate(Instrument.EXACT, 0.0, exact=1).describe() == "exactly 1 fill (proved)"


def test_zero_is_said_with_its_proof() -> None:
    estimate = Estimate(Instrument.EXACT, None, exact=0)
    assert estimate.zero_proved
    assert estimate.describe() == "no fill (proved)"


def test_a_rough_estimate_is_marked() -> None:
    estimate = Estimate(Instrument.PAIRWISE, 38.42)
    assert estimate.rough
    assert estimate.describe() == "fills ≈ 10^38 (rough estimate)"


def test_a_refined_estimate_shows_its_interval() -> None:
    estimate = Estimate(Instrument.PARTICLES, 38.42, 37.9, 38.8, runs=6)
    assert not estimate.rough
    assert estimate.describe() == "fills ≈ 10^38.4 (37.9–38.8)"


def test_small_estimates_are_told_in_figures() -> None:
    assert Estimate(Instrument.BETHE, 38.42).describe() == "fills ≈ 10^38.4 (estimate)"
    assert Estimate(Instrument.BETHE, 0.62).describe() == "about 4 fills (estimate)"
    assert Estimate(Instrument.PAIRWISE, 0.0).describe() == "about 1 fill (rough estimate)"
    assert Estimate(Instrument.PARTICLES, 3.1, 3.0, 3.2).describe() == "about 1,300 fills (1,000 to 1,600)"
    assert [about(log10) for log10 in (-1.0, 0.0, 2.0, 3.98, 38.42)] == ["< 1", "≈1", "≈100", "≈9,600", "≈10^38.4"]


def test_no_survivor_is_no_proof() -> None:
    estimate = Estimate(Instrument.PARTICLES, None, runs=4)
    assert not estimate.zero_proved
    assert estimate.describe() == "no estimate yet: none of the samples was completed (this proves nothing)"


def test_rules_about_the_grid_are_named_where_a_figure_does_not_know_of_them() -> None:
    rough = Estimate(Instrument.PAIRWISE, 38.42, under_rules=True)
    assert rough.describe() == "fills ≈ 10^38 without the rules (rough estimate)"
    none = Estimate(Instrument.PARTICLES, None, runs=4, under_rules=True)
    assert none.describe() == "no estimate yet: none of the samples obeyed the rules (this proves nothing)"
    met = Estimate(Instrument.PARTICLES, 38.42, 37.9, 38.8, runs=6, under_rules=True)
    assert met.describe() == "fills ≈ 10^38.4 (37.9–38.8)"


def test_a_rough_estimate_below_one_fill_claims_nothing() -> None:
    assert Estimate(Instrument.PAIRWISE, -164.0).describe() == "probably no fill (estimate)"


def test_a_count_that_goes_on_says_how_much_is_counted() -> None:
    estimate = Estimate(Instrument.PAIRWISE, 2.0, at_least=1204, counted=0.034)
    assert estimate.describe() == "about 100 fills (rough estimate); at least 1,204; 3.4% counted"


@pytest.mark.parametrize(
    ("degrees_of_freedom", "published"),
    [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_student_t_quantiles_are_the_published_ones(degrees_of_freedom: int, published: float) -> None:
    assert student_t_quantile(degrees_of_freedom) == pytest.approx(published, rel=0.002)


def test_fewer_than_three_draws_give_no_interval() -> None:
    assert lognormal_mean_interval([30.0, 31.0]) is None
    assert lognormal_mean_interval([], zero_draws=10) is None


def test_equal_draws_give_a_point() -> None:
    interval = known(lognormal_mean_interval([12.5] * 4))
    assert interval == pytest.approx((12.5, 12.5, 12.5))


def test_zero_draws_lower_the_mean_and_widen_the_interval() -> None:
    draws = [10.0, 10.1, 10.2, 10.1]
    without, with_zeros = lognormal_mean_interval(draws), lognormal_mean_interval(draws, zero_draws=4)
    assert without is not None
    assert with_zeros is not None
    assert with_zeros.mean == pytest.approx(without.mean - math.log10(2))
    assert with_zeros.high - with_zeros.low > without.high - without.low


@pytest.mark.parametrize("spread", [0.3, 1.0, 2.0])
def test_the_interval_holds_the_mean_in_nine_cases_of_ten(spread: float) -> None:
    draw = random.Random(7)
    held = 0
    for _ in range(400):
        logs = [(draw.gauss(0.0, spread) - spread**2 / 2) / math.log(10) for _ in range(8)]
        interval = known(lognormal_mean_interval(logs))
        held += interval.low <= 0.0 <= interval.high
    assert held >= 360


class Endless(Counter):
    """A counter whose exact counts never end; it notes the seconds that they are given."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.given: list[float | None] = []

    def exact(self, budget: Budget = NO_LIMIT, progress: object = None) -> Estimate | None:
        self.given.append(budget.seconds)
        return None


def test_an_interval_does_not_wait_for_the_exact_count() -> None:
    words = dict.fromkeys((a + b + c for a in "ABC" for b in "ABC" for c in "ABC"), 50)
    counter = Endless(Problem.build(Grid.blank(3, 3), lexicon_of(words), allow_repeats=True))
    counting = counter.estimates(Budget(1_000))
    assert counter.is_countable
    estimate = next(one for one in counting if not one.rough)
    assert counter.given == [100]
    assert estimate.runs >= 3
    assert not next(counting).rough
    assert counter.given[:2] == [100, 400]


def test_without_a_limit_a_count_goes_on_until_it_is_exact_or_nobody_waits_for_it() -> None:
    words = lexicon_of(dict.fromkeys((a + b + c for a in "ABC" for b in "ABC" for c in "ABC"), 50))
    counter = Endless(Problem.build(Grid.blank(3, 3), words, allow_repeats=True))
    waited_for = next(one for one in counter.estimates(NO_LIMIT) if None in counter.given)
    assert not waited_for.rough
    assert counter.given == [0.5, 2.0, None]
    many = lexicon_of(dict.fromkeys(("".join(word) for word in product("ABCDEF", repeat=4)), 50))
    counter = Endless(Problem.build(Grid.blank(4, 4), many, allow_repeats=True))
    assert not counter.is_countable
    *_, last = counter.estimates(Budget(stop=lambda: counter.runs >= 12))
    assert last.runs >= 12
