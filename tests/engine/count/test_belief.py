"""Beliefs: exact where entries cross in trees, near the truth on small grids, never out of their bounds."""

import math
from collections import Counter as Tally
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples, is_deep
from tests.naive.engine import naive_fills, read_answer
from xwtui.engine.count.belief import Beliefs, believe
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid

TREES = [
    "...\n.#.\n.##",
    ".#.\n...\n.#.",
    "..#..\n#.#.#\n#...#\n##.##\n#...#",
    ".....\n#####\n#...#",
    "...#...\n#.###.#\n#.###.#",
]


def some_words(seed: int) -> dict[str, int]:
    """Words of up to five letters, enough for most grids."""
    rng = Random(seed)
    return {"".join(rng.choices("ABCD", k=length)): 50 for length in (2, 3, 4, 5) for _ in range(6 * length)}


def truth(grid: Grid, words: dict[str, int], *, allow_repeats: bool) -> tuple[int, Tally[object]]:
    """The number of fills, and how many have each content in a square and each word in an entry."""
    fills, having = 0, Tally[object]()
    for fill in naive_fills(grid, words, allow_repeats=allow_repeats):
        fills += 1
        having.update(fill.items())
        having.update((slot.name, read_answer(fill, slot)) for slot in grid.slots)
    return fills, having


@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("seed", range(4 if is_deep() else 1))
def test_beliefs_are_exact_on_trees(text: str, seed: int) -> None:
    grid, words = grid_from_text(text), some_words(seed)
    fills, having = truth(grid, words, allow_repeats=True)
    assert fills > 0
    problem = problem_of(grid, words, allow_repeats=True)
    beliefs = believe(problem, seconds=None)
    assert beliefs.converged
    assert beliefs.log10_bethe == pytest.approx(math.log10(fills), abs=0.01)
    for square, position in enumerate(problem.positions):
        for content, share in beliefs.square_shares(square).items():
            assert share == pytest.approx(having[position, content] / fills, abs=0.01)
    for slot in grid.slots:
        for word, share in beliefs.word_shares(slot.name).items():
            assert share == pytest.approx(having[slot.name, word] / fills, abs=0.01)


def test_shares_are_near_the_truth_on_squares_full_of_loops() -> None:
    """On 3x3 squares of many words the mean error of a letter's share is under 3 %, the estimate within a half."""
    errors: list[float] = []
    for seed in range(3 if is_deep() else 1):
        rng = Random(seed)
        words = {"".join(rng.choices("ABCD", k=3)): 50 for _ in range(30)}
        grid = Grid.blank(3, 3)
        fills, having = truth(grid, words, allow_repeats=True)
        assert fills > 20
        beliefs = believe(problem_of(grid, words, allow_repeats=True), seconds=None)
        assert beliefs.log10_bethe == pytest.approx(math.log10(fills), abs=0.5)
        for square, position in enumerate(beliefs.problem.positions):
            shares = beliefs.square_shares(square)
            letters = [Content.of(letter) for letter in "ABCD"]
            errors += [abs(shares.get(letter, 0.0) - having[position, letter] / fills) for letter in letters]
    assert sum(errors) / len(errors) < 0.03


def check_bounds(beliefs: Beliefs) -> None:
    """Shares are shares, sum to 1, and are 0 for what propagation rules out."""
    problem = beliefs.problem
    for slot in range(len(problem.slot_names)):
        rows = beliefs.row_shares(slot)
        alive = set(problem.rows_left(problem.root.state, slot).tolist())
        assert all(0.0 <= share <= 1.0 for share in rows.tolist())
        assert all(share == 0.0 for row, share in enumerate(rows.tolist()) if row not in alive)
        assert rows.sum() == pytest.approx(1.0)
    for square in range(len(problem.positions)):
        shares = beliefs.square_shares(square)
        assert sum(shares.values()) == pytest.approx(1.0)
        assert list(shares.values()) == sorted(shares.values(), reverse=True)


@examples(40)
@given(small_grids(), word_lists(), st.booleans())
def test_beliefs_keep_their_bounds(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    beliefs = believe(problem, seconds=None)
    if problem.root.is_possible:
        assert beliefs.log10_bethe is not None
        assert math.isfinite(beliefs.log10_bethe)
        check_bounds(beliefs)
        return
    assert beliefs.log10_bethe is None
    assert not any(beliefs.row_shares(slot).any() for slot in range(len(problem.slot_names)))
    assert not any(beliefs.square_shares(square) for square in range(len(problem.positions)))


def test_cancelled_beliefs_say_that_they_have_not_come_to_rest() -> None:
    words = some_words(1)
    beliefs = believe(problem_of(Grid.blank(3, 3), words), seconds=0.0)
    assert beliefs.log10_bethe is not None
    assert math.isfinite(beliefs.log10_bethe)
