"""Quotas, links and keys of words against all fills asked one by one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.demanding import demand_lists, demanding
from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.engine.state_checks import check_state
from tests.engine.test_filler import BY_SQUARES, HASTY
from tests.naive_engine import check_fill, naive_fills
from tests.naive_quotas import Demand
from xwtui.engine.enumeration import FillEnumeration
from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.engine.settings import WORKERS, Settings
from xwtui.model import Grid


@st.composite
def demanding_grids(draw: st.DrawFn) -> tuple[Grid, dict[str, int], list[Demand]]:
    """A small grid, words, and demands."""
    grid, words = draw(small_grids(4)), draw(word_lists(4))
    return grid, words, draw(demand_lists(grid, sorted(words)))


@settings(max_examples=400)
@given(demanding_grids(), st.booleans())
def test_the_exact_count_is_that_of_the_fills_that_obey(
    asked: tuple[Grid, dict[str, int], list[Demand]], allow_repeats: bool
) -> None:
    grid, words, demands = asked
    problem = demanding(problem_of(grid, words, allow_repeats=allow_repeats), demands)
    expected = [
        fill
        for fill in naive_fills(grid, words, allow_repeats=allow_repeats)
        if all(demand.obeyed(grid, fill) for demand in demands)
    ]
    counted = 0
    if problem.root.is_possible:
        enumeration = FillEnumeration(problem)
        while not enumeration.advance():
            pass
        counted = enumeration.fills
    else:
        assert problem.root.reason
    assert counted == len(expected)


@settings(max_examples=400)
@given(demanding_grids(), st.sampled_from([*WORKERS, HASTY, BY_SQUARES]), st.integers(0, 5))
def test_the_filler_obeys_and_its_proofs_are_right(
    asked: tuple[Grid, dict[str, int], list[Demand]], steering: Settings, seed: int
) -> None:
    grid, words, demands = asked
    problem = demanding(problem_of(grid, words), demands)
    filler = Filler(problem, seed=seed, settings=steering)
    outcome = filler.advance(nodes=1_000_000)
    exists = any(all(demand.obeyed(grid, fill) for demand in demands) for fill in naive_fills(grid, words))
    assert outcome is (Outcome.FILLED if exists else Outcome.IMPOSSIBLE)
    if exists:
        check_fill(grid, filler.fill(), words)
        assert all(demand.obeyed(grid, filler.fill()) for demand in demands)


@settings(max_examples=100)
@given(demanding_grids(), st.integers(0, 3))
def test_steps_make_the_same_search_and_name_every_event(
    asked: tuple[Grid, dict[str, int], list[Demand]], seed: int
) -> None:
    grid, words, demands = asked
    problem = demanding(problem_of(grid, words), demands)
    whole = Filler(problem, seed=seed, settings=HASTY)
    whole.advance(nodes=1_000_000)
    stepped = Filler(problem, seed=seed, settings=HASTY)
    while (event := stepped.step()) is not None:
        text = event.describe()
        assert "None" not in text
        check_state(stepped)
    assert stepped.outcome is whole.outcome
    assert stepped.fill() == whole.fill()
    assert stepped.statistics.nodes == whole.statistics.nodes
