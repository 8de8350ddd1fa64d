"""The grids with a heavy tail are what they are said to be, and are summed up grid by grid."""

import pytest

from bench.tails import HALVES, POSITIONS, TailFigures, halves, tails
from xwtui.grids.profiles import find_profile, judge
from xwtui.model.statistics import LayoutFigures


def test_every_grid_is_legal_under_its_profile_and_of_66_to_72_words() -> None:
    kept = tails()
    assert len({tail.grid for tail in kept}) == len({tail.name for tail in kept}) == len(kept)
    for name, grid in kept:
        assert not judge(grid, find_profile(name.rsplit("-", 2)[0])), name
        assert 66 <= LayoutFigures.of(grid).words <= 72


def test_half_of_them_are_for_choosing_and_half_for_judging() -> None:
    parts = halves(tails())
    assert list(parts) == list(HALVES)
    assert not {tail.name for tail in parts["choosing"]} & {tail.name for tail in parts["judging"]}
    assert abs(len(parts["choosing"]) - len(parts["judging"])) <= 1


def test_policies_differ() -> None:
    assert len(set(POSITIONS.values())) == len(POSITIONS)


def test_a_run_at_the_limit_is_told_as_unfilled() -> None:
    found = TailFigures.of([[1, 10, 100], [10, 10, 10]], limit=100)
    assert found.mean == pytest.approx(10)
    assert (found.arithmetic, found.unfilled, found.runs) == (23.5, 1, 6)
    assert found.spread == pytest.approx((8.2) ** 0.5)
    assert found.tame == 1
