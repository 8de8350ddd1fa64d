import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids, word_lists
from tests.strategies.judging import judge, strategy_of, trail_of
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.board import EMPTY, Board, fits
from xwtui.strategies.sorted_index import SortedIndexSearch, SortedWords

ORDERS = ["hardest", "fewest", "rows"]
SORTS = ["roomiest", "shuffled", "alphabetical", "scored"]


@given(small_grids(4), word_lists(4), st.booleans(), st.sampled_from(ORDERS), st.sampled_from(SORTS))
def test_all_fills_are_found(
    grid: Grid, words: dict[str, int], allow_repeats: bool, order: str, sort: str
) -> None:
    judge(f"sorted-index:order={order},words={sort}", grid, words, allow_repeats=allow_repeats)


def joined(board: Board, slot: int) -> list[str]:
    """The words of a slot that fit and leave each crossing of an empty square one, all of them tried."""
    pattern, squares = board.pattern(slot), board.slots[slot].squares
    return sorted(
        word
        for word in board.slots[slot].words
        if fits(pattern, word)
        and all(
            any(fits(_with(board.pattern(one.slot), one.other_at, word[one.at]), other) for other in words)
            for one in board.crossings[slot]
            if board.symbols[squares[one.at]] == EMPTY
            for words in [board.slots[one.slot].words]
        )
    )


def _with(pattern: str, at: int, letter: str) -> str:
    return pattern[:at] + letter + pattern[at + 1 :]


@given(small_grids(4, rebuses=False), word_lists(4))
def test_leaps_come_by_all_that_can_be(grid: Grid, words: dict[str, int]) -> None:
    strategy = strategy_of("sorted-index", grid, words)
    assert isinstance(strategy, SortedIndexSearch)
    index = SortedWords(strategy.board)
    for number, slot in enumerate(strategy.board.slots):
        assert list(index.joined(number)) == joined(strategy.board, number)
        pattern = strategy.board.pattern(number)
        assert index.count(number) == sum(fits(pattern, word) for word in slot.words)


@pytest.mark.parametrize("order", ORDERS)
def test_a_seed_makes_one_search(order: str) -> None:
    words = {a + b + c: 1 for a in "ABCD" for b in "ABE" for c in "ACD"}
    grid = grid_from_text("...\n...\n...")
    trails = [trail_of(strategy_of(f"sorted-index:order={order}", grid, words, seed=seed)) for seed in (1, 1, 2)]
    assert trails[0] == trails[1] != trails[2]


def test_the_smallest_range_comes_first() -> None:
    strategy = strategy_of("sorted-index", grid_from_text("Q..\n###\n..."), {"QUA": 1, "ABC": 1, "BCD": 1})
    next(iter(strategy.run()))
    assert [(rank.name, rank.figures) for rank in strategy.ranking] == [("1A", "1 word"), ("2A", "3 words")]
