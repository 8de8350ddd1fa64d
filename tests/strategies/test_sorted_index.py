from hypothesis import given

from tests.engine.small_problems import small_grids, word_lists
from tests.strategies.judging import strategy_of
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.board import Board, fits
from xwtui.strategies.sorted_index import SortedIndexSearch, SortedWords

ORDERS = ["hardest", "fewest", "rows"]
SORTS = ["roomiest", "shuffled", "alphabetical", "scored"]


def joined(board: Board) -> list[list[str]]:
    """For each slot the words that fit, less those with a letter that a crossing has lost, until none goes."""
    left = [
        [word for word in slot.words if fits(board.pattern(number), word)]
        for number, slot in enumerate(board.slots)
    ]
    goes = True
    while goes:
        goes = False
        for number, words in enumerate(left):
            kept = [
                word
                for word in words
                if all(
                    any(other[one.other_at] == word[one.at] for other in left[one.slot])
                    for one in board.crossings[number]
                )
            ]
            goes, left[number] = goes or kept != words, kept
    return left


@given(small_grids(4, rebuses=False), word_lists(4))
def test_leaps_come_by_all_that_can_be(grid: Grid, words: dict[str, int]) -> None:
    strategy = strategy_of("sorted-index", grid, words)
    assert isinstance(strategy, SortedIndexSearch)
    index, board = SortedWords(strategy.board), strategy.board
    expected = joined(board)
    slots = strategy.open_slots()
    hopeless = index.join(slots)
    assert (hopeless is None) is all(expected[slot] for slot in slots)
    for number, slot in enumerate(board.slots):
        if hopeless is None and number in slots:
            assert sorted(index.joined(number)) == sorted(expected[number])
            assert index.sizes[number] == len(expected[number])
        assert index.count(number) == sum(fits(board.pattern(number), word) for word in slot.words)


def test_of_many_words_letters_are_asked_for_one_by_one() -> None:
    """Words beyond those of which letters are read off: what is allowed is the same by either way."""
    words = {a + b + c + d: 1 for a in "ABCDEF" for b in "GHI" for c in "ABCDEFGH" for d in "GHIJKLMNOPQR"}
    strategy = strategy_of("sorted-index", grid_from_text("#.##\n#.##\n....\n#.##"), words)
    assert isinstance(strategy, SortedIndexSearch)
    index = SortedWords(strategy.board)
    assert index.join(strategy.open_slots()) is None
    assert sorted(index.sizes.values()) == [len(words) // 4, len(words)]
    across = [slot.name for slot in strategy.board.slots].index("2A")
    assert index.crossing_letters(across) == {1: "GH"}


def test_the_smallest_range_comes_first() -> None:
    strategy = strategy_of("sorted-index", grid_from_text("Q..\n###\n..."), {"QUA": 1, "ABC": 1, "BCD": 1})
    next(iter(strategy.run()))
    assert [(rank.name, rank.figures) for rank in strategy.ranking] == [("1A", "1 word"), ("2A", "3 words")]
