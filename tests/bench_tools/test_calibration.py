"""The known counts are right: listing and transfer matrix agree with the naive count; verdicts are told right."""

from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench.calibration.cases import corpus
from bench.calibration.listing import listed_fills
from bench.calibration.measure import SEEDS, Interval, Verdict, judge
from bench.calibration.report import page, share_held
from bench.calibration.spread import Spread, scattered
from bench.calibration.transfer import strip_fills
from tests.examples import examples, is_deep
from tests.naive.engine import naive_fills
from xwtui.formats.grid_text import grid_from_text

GRIDS = ("...\n...\n...", "....\n#...\n...#", "..#.\n....\n.#..", ".[AB].\n...\n...", "A..\n.[B/CA].\n...")


def some_words(seed: int) -> list[str]:
    chance = Random(seed)
    return sorted({"".join(chance.choices("ABC", k=chance.randint(2, 4))) for _ in range(30)})


@pytest.mark.parametrize("text", GRIDS)
@pytest.mark.parametrize("allow_repeats", [True, False])
def test_listing_counts_what_plain_backtracking_counts(text: str, allow_repeats: bool) -> None:
    for seed in range(5):
        words = some_words(seed)
        grid = grid_from_text(text)
        naive = sum(1 for _ in naive_fills(grid, dict.fromkeys(words, 1), allow_repeats=allow_repeats))
        assert listed_fills(grid, words, allow_repeats=allow_repeats, most=10**6) == naive


@pytest.mark.parametrize("text", GRIDS[:3])
def test_a_transfer_matrix_counts_what_listing_counts(text: str) -> None:
    for seed in range(8):
        words = some_words(seed)
        listed = listed_fills(grid_from_text(text), words, allow_repeats=True, most=10**6)
        assert strip_fills(text.split("\n"), words) == listed


@examples(25)
@given(
    st.lists(st.text(".#", min_size=6, max_size=6), min_size=2, max_size=3),
    st.lists(st.text("AB", min_size=2, max_size=6), max_size=40, unique=True),
)
def test_a_transfer_matrix_counts_the_fills_of_short_strips(rows: list[str], words: list[str]) -> None:
    grid = grid_from_text("\n".join([*rows, "######"][:3]))
    assume(set(grid.open_positions()) == {at for slot in grid.slots for at in slot.positions})
    naive = sum(1 for _ in naive_fills(grid, dict.fromkeys(words, 1), allow_repeats=True))
    assert strip_fills(rows, words) == naive


def test_cases_are_always_the_same_and_the_exact_counter_is_right_about_them() -> None:
    number = 3 if is_deep() else 1
    cases = list(islice(corpus(), number))
    assert cases == list(islice(corpus(), number))
    for case in cases:
        verdict = judge(case, seed=1)
        assert verdict.exact == case.fills
        assert verdict.right == (True,) * SEEDS


def test_seeds_scatter_and_a_count_without_an_interval_is_left_out() -> None:
    problem = next(corpus()).problem()
    spread = scattered("a case", problem, seeds=2, seconds=0.0)
    assert spread == Spread("a case", (), (), ())


def test_the_page_tells_how_many_intervals_hold() -> None:
    case = next(corpus())
    holding, missing = Interval(0.0, -0.1, 0.1), Interval(0.5, 0.4, 0.6)
    verdict = Verdict(case, 0.1, -0.1, (holding, missing, holding, holding), case.fills, None)
    wrong = Verdict(case, 0.1, -0.1, (missing,), case.fills + 1, None)
    assert verdict.held == 3
    assert share_held([verdict]) == 0.75
    text = page([verdict, wrong], [Spread("15x15", (60.0, 60.2), (0.5, 0.7), (8, 10))])
    assert "60% of 5" in text
    assert "3 of 5 answers hold the truth (60%)" in text
    assert "3 of 4" in text
    assert "WRONG" in text
    assert "| 10^60.10 |        0.14 |          0.60 |    9 |" in text
