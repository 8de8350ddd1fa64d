"""Strategies over a sorted index, permuted indexes and a trie, and the letter walks."""

from collections import deque
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids, word_lists
from tests.published_data import published_lexicon
from tests.strategies.judging import all_fills, judge, strategy_of, trail_of
from xwtui.engine.events.event import Outcome
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Grid, Position
from xwtui.strategies.abstract_form import PermutedIndex, greedy_order, read_constraints, solve
from xwtui.strategies.backtracker import OpenChoice
from xwtui.strategies.board import Board, fits
from xwtui.strategies.letter_walks import LETTER_WALKS, Rectangle, letter_walk
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.sorted_index import SortedIndexSearch, SortedWords

ORDERS = ["hardest", "fewest", "rows"]
SORTS = ["roomiest", "shuffled", "alphabetical", "scored"]


def joined(board: Board) -> list[list[str]]:
    """Return for each slot the words that fit, after enforcing arc consistency with crossings."""
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


@given(small_grids(4, rebuses=False), word_lists(4), st.randoms(use_true_random=False))
def test_leapfrog_joins_find_possible_letters_after_decisions_and_undos(
    grid: Grid, words: dict[str, int], chance: Random
) -> None:
    strategy = strategy_of("sorted-index", grid, words)
    assert isinstance(strategy, SortedIndexSearch)
    index, board = strategy.sorted_words, strategy.board
    for _ in range(8):
        expected, slots = joined(board), strategy.open_slots()
        hopeless = index.join(slots, strategy.stack)
        assert (hopeless is None) is all(expected[slot] for slot in slots)
        for number, slot in enumerate(board.slots):
            assert index.count(number) == sum(fits(board.pattern(number), word) for word in slot.words)
        for number in slots if hopeless is None else ():
            assert sorted(index.joined(number)) == sorted(expected[number])
            assert index.sizes[number] == len(expected[number])
        for _ in range(chance.randint(0, len(strategy.stack))):
            strategy.undo()
        if hopeless is None and slots and index.join(strategy.open_slots(), strategy.stack) is None:
            chosen = chance.choice(strategy.open_slots())
            word = chance.choice(list(index.joined(chosen)))
            strategy.choose(OpenChoice(chosen, None, "", deque([word])))


def test_letters_of_large_domains_are_queried_one_by_one() -> None:
    """Beyond the limit for enumerating words; both methods allow the same letters."""
    words = {a + b + c + d: 1 for a in "ABCDEF" for b in "GHI" for c in "ABCDEFGH" for d in "GHIJKLMNOPQR"}
    strategy = strategy_of("sorted-index", grid_from_text("#.##\n#.##\n....\n#.##"), words)
    assert isinstance(strategy, SortedIndexSearch)
    index = SortedWords(strategy.board)
    assert index.join(strategy.open_slots(), []) is None
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
def test_row_by_row_matches_the_straight_walk(words: str, placements: int, fills: int) -> None:
    strategy = StrategyChoice.parse("double-trie:order=rows").make(
        Task(Grid.blank(5, 5), published_lexicon(words), True)
    )
    assert len(all_fills(strategy)) == fills
    assert strategy.counters.placements == placements


def test_branching_on_the_square_with_fewest_letters_saves_placements() -> None:
    words = dict.fromkeys(["ABC", "ACB", "BAC", "BCA", "CAB", "CBA", "ABA", "BAB", "CAC", "ACC"], 1)
    found = [
        judge(f"double-trie:order={order},letters=shuffled", Grid.blank(3, 3), words) for order in TRIE_ORDERS
    ]
    rows, fewest, anywhere, _ = (one.counters.placements for one in found)
    assert anywhere < fewest < rows


def test_given_letters_prune_from_the_first_square() -> None:
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
    """Return for each square the earlier squares of its slots."""
    needed: dict[Position, list[Position]] = {}
    for slot in grid.slots:
        for index, at in enumerate(slot.positions):
            needed.setdefault(at, []).extend(slot.positions[:index])
    return needed


@pytest.mark.parametrize("name", WALK_ORDERS)
def test_the_walks_of_a_square_match_cambons(name: str) -> None:
    grid = Grid.blank(4, 4)
    walk = letter_walk(name, Rectangle(4, 4), before(grid), before(grid), Random(0))
    rows = [" ".join(f"{walk.index(Position(row, column)) + 1:02}" for column in range(4)) for row in range(4)]
    assert "/".join(rows) == WALK_ORDERS[name]


@given(small_grids(6, rebuses=False), st.sampled_from(LETTER_WALKS), st.integers(0, 9))
def test_every_square_comes_once_after_its_predecessors(grid: Grid, name: str, seed: int) -> None:
    needed = before(grid)
    walk = letter_walk(name, Rectangle(grid.height, grid.width), needed, needed, Random(seed))
    assert sorted(walk) == sorted(needed)
    turns = {at: turn for turn, at in enumerate(walk)}
    assert all(turns[one] < turns[at] for at, others in needed.items() for one in others)


@pytest.mark.parametrize(("height", "width"), [(3, 7), (7, 3)])
def test_walks_cover_rectangular_grids(height: int, width: int) -> None:
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


def test_random_walks_need_not_follow_rows() -> None:
    grid = Grid.blank(3, 3)
    seconds = {
        letter_walk("random", Rectangle(3, 3), before(grid), before(grid), Random(seed))[1] for seed in range(20)
    }
    assert seconds == {Position(0, 0).step(direction) for direction in Direction}


README = ((0, 1, 3, 6, 7, 11), (2, 3, 4, 5), (7, 8, 9, 10))
"""The example in its documentation."""


def test_the_documented_example() -> None:
    assert greedy_order(README) == [0, 1, 2]
    found = list(solve(README, ["shaken", "dark", "king", "hate", "Etón", "eggs"]))
    assert "".join(found[0]) == "SHDARKKETONN"
    assert not list(solve(README, ["SHAKEN", "DARK", "KING"]))


def test_numbers_are_only_names() -> None:
    swapped = [[{5: 7, 7: 5}.get(square, square) for square in squares] for squares in README]
    words = ["SHAKEN", "DARK", "KING", "HATE", "ETON", "EGGS"]
    there = {
        tuple(letters[{5: 7, 7: 5}.get(square, square)] for square in range(12))
        for letters in solve(swapped, words)
    }
    assert there == set(solve(README, words))


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3, unique=True), min_size=1, max_size=4),
    st.lists(st.text("AB", min_size=1, max_size=3), max_size=8),
    st.booleans(),
)
def test_solutions_are_complete(lists: list[list[int]], words: list[str], allow_repeats: bool) -> None:
    squares = sorted({square for one in lists for square in one})

    def reads(letters: tuple[str, ...]) -> Sequence[str]:
        return ["".join(letters[squares.index(square)] for square in one) for one in lists]

    expected = {
        letters
        for letters in product("AB", repeat=len(squares))
        if set(reads(letters)) <= set(words) and (allow_repeats or len(set(reads(letters))) == len(lists))
    }
    found = list(solve(lists, words, allow_repeats=allow_repeats))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_the_order_follows_overlap_then_length() -> None:
    assert greedy_order([(0, 1), (2, 3, 4), (5, 6, 7, 8), (0, 5), (1, 6, 9)]) == [2, 4, 0, 3, 1]


def test_the_longest_list_is_first_even_with_given_letters() -> None:
    grid = grid_from_text("CA.####\n.######\n.....##")
    strategy = strategy_of("permuted-index", grid, {"CAT": 9, "CUP": 9, "PLANE": 9, "CANAL": 1})
    assert trail_of(strategy)[:3] == [
        "decide 2A = PLANE, 2 options",
        "decide 1D = CUP, 1 option",
        "decide 1A = CAT, 1 option",
    ]


def test_an_index_puts_known_letters_first() -> None:
    index = PermutedIndex((4, 5, 6, 7, 8), {5, 8}, ["SPOON", "SPAIN", "OPERA", "APRON"])
    assert index.words({5: "P", 8: "N"}) == ["SPOON", "SPAIN", "APRON"]
    assert index.words({5: "P", 8: "S"}) == []


def test_constraints_are_parsed_from_json() -> None:
    assert read_constraints("[[0, 1, 3], [2, 3, 4]]") == ((0, 1, 3), (2, 3, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[0, 1", "the constraints are not JSON"),
        ("[" * 100_000, "the constraints are not JSON"),
        ('{"a": 1}', "constraints are a list of lists"),
        ("[1, 2]", "constraints are a list of lists"),
        ("[[1, true]]", "word 1: its squares are whole numbers from 0 to 9,999"),
        ("[[1], [2, -1]]", "word 2: its squares"),
        ("[" + "[1]," * 500 + "[1]]", "at most 500 words are allowed, not 501"),
        ("[[]]", "word 1: its squares"),
        ("[[1, 2, 1]]", "word 1 has a square twice"),
    ],
)
def test_invalid_constraints_name_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(EngineError, match=message.replace("[", r"\[")):
        read_constraints(text)


def test_a_missing_word_is_found_when_reached() -> None:
    strategy = strategy_of(
        "permuted-index", grid_from_text("..##\n....\n.###\n####"), {"CAT": 9, "OTHE": 5, "AB": 1}
    )
    assert trail_of(strategy)[:2] == [
        "decide 3A = OTHE, 1 option",
        "1D has no options left: r2c1 allows none of A",
    ]
    assert strategy.outcome is Outcome.IMPOSSIBLE


def test_answers_repeat_as_in_crossword_composer_which_is_reported() -> None:
    grid, words = grid_from_text("...\n...\n..."), dict.fromkeys(["ABC", "BCD", "CDE"], 1)
    strategy = strategy_of("permuted-index", grid, words)
    assert strategy.first_fill() is not None
    assert not strategy.is_complete
    assert strategy.reason == "ABC, BCD and CDE twice"
    assert strategy_of("permuted-index", grid, words, allow_repeats=True).is_complete
    assert strategy_of("permuted-index:repeats=no", grid, words).first_fill() is None
