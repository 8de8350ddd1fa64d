from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.judging import strategy_of, trail_of
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.strategies.abstract_form import PermutedIndex, greedy_order, read_constraints, solve

README = ((0, 1, 3, 6, 7, 11), (2, 3, 4, 5), (7, 8, 9, 10))
"""The example of the text."""


def test_the_example_of_the_text() -> None:
    assert greedy_order(README) == [0, 1, 2]
    found = list(solve(README, ["shaken", "dark", "king", "hate", "Etón", "eggs"]))
    assert "".join(found[0]) == "SHDARKKETONN"
    assert not list(solve(README, ["SHAKEN", "DARK", "KING"]))


def test_numbers_are_names_alone() -> None:
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
def test_solutions_are_all_that_there_are(lists: list[list[int]], words: list[str], allow_repeats: bool) -> None:
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


def test_the_longest_list_is_first_where_letters_are_given_too() -> None:
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


def test_constraints_are_read_from_json() -> None:
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
def test_wrong_constraints_say_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(EngineError, match=message.replace("[", r"\[")):
        read_constraints(text)


def test_a_missing_word_is_found_at_its_turn() -> None:
    strategy = strategy_of(
        "permuted-index", grid_from_text("..##\n....\n.###\n####"), {"CAT": 9, "OTHE": 5, "AB": 1}
    )
    assert trail_of(strategy)[:2] == [
        "decide 3A = OTHE, 1 option",
        "1D has no options left: r2c1 allows none of A",
    ]
    assert strategy.outcome is Outcome.IMPOSSIBLE


def test_answers_repeat_as_in_crossword_composer_and_that_is_told() -> None:
    grid, words = grid_from_text("...\n...\n..."), dict.fromkeys(["ABC", "BCD", "CDE"], 1)
    strategy = strategy_of("permuted-index", grid, words)
    assert strategy.first_fill() is not None
    assert not strategy.is_complete
    assert strategy.reason == "ABC, BCD and CDE twice"
    assert strategy_of("permuted-index", grid, words, allow_repeats=True).is_complete
    assert strategy_of("permuted-index:repeats=no", grid, words).first_fill() is None
