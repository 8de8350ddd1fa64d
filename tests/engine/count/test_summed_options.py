"""Copeland's measure: the options of the entries, added up."""

from hypothesis import given

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import naive_propagation
from xwtui.engine.candidates.options import summed_options
from xwtui.model import Grid


@examples(50)
@given(small_grids(4), word_lists(4))
def test_it_is_what_naive_propagation_leaves(grid: Grid, words: dict[str, int]) -> None:
    left = naive_propagation(grid, words)
    expected = 0 if left is None else sum(map(len, left.values()))
    assert summed_options(problem_of(grid, words)) == expected
