"""How estimates are said."""

from xwtui.engine.count.estimate import Estimate, Instrument, about


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
    assert estimate.describe() == "no estimate yet: no sample came to a fill, which proves nothing"


def test_rules_about_the_grid_are_named_where_a_figure_does_not_know_of_them() -> None:
    rough = Estimate(Instrument.PAIRWISE, 38.42, under_rules=True)
    assert rough.describe() == "fills ≈ 10^38 but for the rules (rough estimate)"
    none = Estimate(Instrument.PARTICLES, None, runs=4, under_rules=True)
    assert none.describe() == "no estimate yet: no sample kept the rules, which proves nothing"
    met = Estimate(Instrument.PARTICLES, 38.42, 37.9, 38.8, runs=6, under_rules=True)
    assert met.describe() == "fills ≈ 10^38.4 (37.9–38.8)"


def test_a_rough_estimate_below_one_fill_claims_nothing() -> None:
    assert Estimate(Instrument.PAIRWISE, -164.0).describe() == "probably no fill (estimate)"


def test_a_count_that_goes_on_says_how_much_is_counted() -> None:
    estimate = Estimate(Instrument.PAIRWISE, 2.0, at_least=1204, counted=0.034)
    assert estimate.describe() == "about 100 fills (rough estimate); 1,204 at least; 3.4% counted"
