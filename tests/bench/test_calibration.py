"""The known counts are right: listing and transfer matrix agree with the naive count; verdicts are told right."""

from itertools import islice
from random import Random

import pytest

from tests.bench.calibration.cases import corpus
from tests.bench.calibration.listing import listed_fills
from tests.bench.calibration.measure import Verdict, judge
from tests.bench.calibration.report import page, share_held
from tests.bench.calibration.transfer import strip_fills
from tests.naive_engine import naive_fills
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


def test_cases_are_always_the_same_and_the_exact_counter_is_right_about_them() -> None:
    cases = list(islice(corpus(), 3))
    assert cases == list(islice(corpus(), 3))
    for case in cases:
        verdict = judge(case, seed=1)
        assert verdict.exact == case.fills
        assert verdict.is_right


def test_the_page_tells_how_many_intervals_hold() -> None:
    case = next(corpus())
    truth = Verdict(case, 0, 0, 0, None, None, case.fills, None).truth
    assert truth is not None
    holds = Verdict(case, 0.1, -0.1, 0.0, truth - 0.1, truth + 0.1, case.fills, None)
    misses = Verdict(case, 0.1, -0.1, 0.5, truth + 0.4, truth + 0.6, case.fills + 1, None)
    assert share_held([holds, misses, holds, holds]) == 0.75
    text = page([holds, misses])
    assert "50% of 2" in text
    assert "1 of 2 answers hold the truth (50%)" in text
    assert " NO |" in text
    assert "WRONG" in text
