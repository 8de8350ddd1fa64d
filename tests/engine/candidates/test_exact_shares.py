"""Exact shares of letters against all fills of small problems of every kind."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of
from tests.examples import examples
from tests.naive.worlds import World, random_world
from xwtui.engine.candidates.options import exact_letter_table, letter_table
from xwtui.engine.count.belief import believe
from xwtui.model import Content, Grid, Position
from xwtui.session.wording import share_words


def naive_shares(world: World) -> dict[Position, dict[Content, float]]:
    """How all fills share the squares that are not given."""
    fills, found = world.fills, dict[Position, dict[Content, float]]()
    for at in {at for path in world.paths.values() for at, _ in path}:
        if fills and not world.grid[at].is_given:
            held = Counter(fill[at] for fill in fills)
            found[at] = {content: count / len(fills) for content, count in held.items()}
    return found


@examples(200)
@given(st.integers(0, 1 << 32))
def test_shares_are_those_of_all_fills(seed: int) -> None:
    world = random_world(Random(seed))
    letters = exact_letter_table(world.problem, seconds=None)
    assert letters is not None
    assert letters.fills == len(world.fills)
    assert letters.shares == naive_shares(world)
    assert letters.forced == {at: next(iter(held)) for at, held in naive_shares(world).items() if len(held) == 1}


def test_without_time_nothing_is_called_exact() -> None:
    words = [first + second + third for first in "ABCD" for second in "ABCD" for third in "ABCD"]
    problem = problem_of(Grid.blank(3, 3), dict.fromkeys(words, 50))
    assert exact_letter_table(problem, seconds=0) is None
    estimated = letter_table(believe(problem))
    assert not estimated.is_exact
    shares = next(iter(estimated.shares.values()))
    assert share_words(shares, is_exact=estimated.is_exact).startswith("about ")


def test_an_estimate_never_says_all_or_none() -> None:
    shares = {Content.of("I"): 0.9999999, Content.of("A"): 0.0000001}
    assert share_words(shares, is_exact=False) == "about I >99%  A <1%"
