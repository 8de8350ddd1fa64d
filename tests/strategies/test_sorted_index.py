"""The strategies over a sorted index and a trie, and the walks by letters."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids, word_lists
from tests.published_data import published_lexicon
from tests.strategies.judging import all_fills, judge, strategy_of, trail_of
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Grid, Position
from xwtui.strategies.board import Board, fits
from xwtui.strategies.letter_walks import LETTER_WALKS, Rectangle, letter_walk
from xwtui.strategies.registry import StrategyChoice
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


TRIE_ORDERS = ["rows", "fewest", "anywhere", "hardest"]


@pytest.mark.parametrize(
    ("words", "placements", "fills"),
    [("berghel_rankin_134.txt", 9_501, 72), ("berghel_rankin_128_nosol.txt", 4_750, 0)],
)
def test_row_by_row_it_places_what_the_straight_walk_places(words: str, placements: int, fills: int) -> None:
    strategy = StrategyChoice.parse("double-trie:order=rows").make(
        Task(Grid.blank(5, 5), published_lexicon(words), True)
    )
    assert len(all_fills(strategy)) == fills
    assert strategy.counters.placements == placements


def test_the_square_with_the_fewest_letters_saves_placements() -> None:
    words = dict.fromkeys(["ABC", "ACB", "BAC", "BCA", "CAB", "CBA", "ABA", "BAB", "CAC", "ACC"], 1)
    found = [
        judge(f"double-trie:order={order},letters=shuffled", Grid.blank(3, 3), words) for order in TRIE_ORDERS
    ]
    rows, fewest, anywhere, _ = (one.counters.placements for one in found)
    assert anywhere < fewest < rows


def test_given_letters_bite_from_the_first_square_on() -> None:
    words = dict.fromkeys(["CAT", "DOG", "COG", "CDC", "AOO", "TGG"], 1)
    strategy = strategy_of("double-trie:order=rows", grid_from_text("..T\n###\n..."), words)
    trail = trail_of(strategy)
    assert trail[:2] == ["decide r1c1 = C, 1 option", "decide r1c2 = A, 1 option"]
    assert not any("r1c3" in told for told in trail), "a given letter is no decision"


def test_the_best_squares_are_ranked() -> None:
    strategy = strategy_of("double-trie:order=fewest", grid_from_text("..#\n..#\n###"), {"AB": 1, "BC": 1})
    next(iter(strategy.run()))
    [rank] = strategy.ranking
    assert (rank.name, rank.figures) == ("r1c1", "2 letters")


WALK_ORDERS = {
    "straight": "01 02 03 04/05 06 07 08/09 10 11 12/13 14 15 16",
    "switch": "01 02 03 04/05 08 09 10/06 11 13 14/07 12 15 16",
    "snake": "01 02 05 10/03 04 06 11/07 08 09 12/13 14 15 16",
    "sik-sak": "01 02 04 07/03 05 08 11/06 09 12 14/10 13 15 16",
    "slalom": "01 03 04 10/02 05 09 11/06 08 12 15/07 13 14 16",
}


def before(grid: Grid) -> dict[Position, list[Position]]:
    """For each square of a slot, those that come before it in its slots."""
    needed: dict[Position, list[Position]] = {}
    for slot in grid.slots:
        for index, at in enumerate(slot.positions):
            needed.setdefault(at, []).extend(slot.positions[:index])
    return needed


@pytest.mark.parametrize("name", WALK_ORDERS)
def test_the_walks_of_a_square_are_cambons(name: str) -> None:
    grid = Grid.blank(4, 4)
    walk = letter_walk(name, Rectangle(4, 4), before(grid), before(grid), Random(0))
    rows = [" ".join(f"{walk.index(Position(row, column)) + 1:02}" for column in range(4)) for row in range(4)]
    assert "/".join(rows) == WALK_ORDERS[name]


@given(small_grids(6, rebuses=False), st.sampled_from(LETTER_WALKS), st.integers(0, 9))
def test_every_square_comes_once_and_after_those_before_it(grid: Grid, name: str, seed: int) -> None:
    needed = before(grid)
    walk = letter_walk(name, Rectangle(grid.height, grid.width), needed, needed, Random(seed))
    assert sorted(walk) == sorted(needed)
    turns = {at: turn for turn, at in enumerate(walk)}
    assert all(turns[one] < turns[at] for at, others in needed.items() for one in others)


@pytest.mark.parametrize(("height", "width"), [(3, 7), (7, 3)])
def test_walks_cover_oblong_grids(height: int, width: int) -> None:
    grid = Grid.blank(height, width)
    for name in LETTER_WALKS:
        walk = letter_walk(name, Rectangle(height, width), before(grid), before(grid), Random(1))
        assert len(walk) == len(set(walk)) == height * width


def test_random_walks_differ_by_seed() -> None:
    grid = Grid.blank(5, 5)
    walks = {
        tuple(letter_walk("random", Rectangle(5, 5), before(grid), before(grid), Random(seed)))
        for seed in range(5)
    }
    assert len(walks) == 5


def test_random_walks_need_not_go_by_rows() -> None:
    grid = Grid.blank(3, 3)
    seconds = {
        letter_walk("random", Rectangle(3, 3), before(grid), before(grid), Random(seed))[1] for seed in range(20)
    }
    assert seconds == {Position(0, 0).step(direction) for direction in Direction}
