"""Fills in other alphabets: their letters are symbols, digraphs take one square; judged by a naive twin."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from xwtui.engine.candidates.find import candidates_left
from xwtui.engine.count.exact import exact_count
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.symbols import Symbols, plain_symbols
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

Units = tuple[str, ...]


def lexicon_of(words: Sequence[str], alphabet: Alphabet) -> Lexicon:
    return Lexicon.build([WordList.from_scores("list", dict.fromkeys(words, 50))], alphabet=alphabet)


def naive_fills(words: Sequence[str], alphabet: Alphabet) -> list[tuple[Units, ...]]:
    """The fills of three rows of three squares, by trying all rows."""
    known = {tuple(alphabet.units(word)): word for word in words}
    rows = [units for units in known if len(units) == 3]
    return [
        three
        for three in permutations(rows, 3)
        if len({*three, *zip(*three, strict=True)}) == 6
        and all(down in known for down in zip(*three, strict=True))
    ]


@st.composite
def words_of(draw: st.DrawFn) -> tuple[Alphabet, list[str]]:
    """An alphabet, and words of a few of its letters with which a small grid is likely to have fills."""
    alphabet = find_alphabet(draw(st.sampled_from(alphabet_names())))
    few = draw(st.lists(st.sampled_from(alphabet.letters), min_size=2, max_size=3, unique=True))
    letters = st.sampled_from([*few, *alphabet.digraphs])
    words = st.lists(letters, min_size=3, max_size=3).map("".join)
    return alphabet, draw(st.lists(words, min_size=6, max_size=20, unique=True))


@examples(60)
@given(words_of())
def test_all_fills_are_those_of_the_naive_twin(case: tuple[Alphabet, list[str]]) -> None:
    alphabet, words = case
    problem = Problem.build(Grid.blank(3, 3), lexicon_of(words, alphabet))
    assert exact_count(problem).count == len(naive_fills(words, alphabet))


@pytest.mark.parametrize("strategy", ["double-trie", "qxw-cells", "emogic-words", "emogic-letters"])
def test_strategies_put_digraphs_into_one_square(strategy: str) -> None:
    alphabet = find_alphabet("spanish-ch-ll")
    words = ["CHAL", "ALLCH", "LCHA", "CHALL", "LALL", "ALCH", "LLA", "ALL", "ÑAL"]
    expected = {"/".join("".join(row) for row in fill) for fill in naive_fills(words, alphabet)}
    running = StrategyChoice.parse(strategy).make(Task(Grid.blank(3, 3), lexicon_of(words, alphabet)), 1)
    found = set()
    for event in running.run():
        if event.kind.value == "solved":
            squares = running.squares
            found.add("/".join("".join(squares[at].across for at in row) for row in _rows(Grid.blank(3, 3))))
    assert found <= expected
    assert (not running.is_complete) or found == expected


def _rows(grid: Grid) -> list[list[Position]]:
    return [[at for at in grid.positions() if at.row == row] for row in range(grid.height)]


def test_digraphs_are_never_split_but_where_a_hand_has_split_them() -> None:
    alphabet = find_alphabet("dutch")
    lexicon = lexicon_of(["BIJOU", "BIJLA", "IJSJE", "BIJ", "RIJK"], alphabet)
    for row, expected in {
        ".....": [],
        "....": ["BIJLA", "BIJOU", "IJSJE"],
        "BIJ..": ["BIJLA", "BIJOU"],
        "BI...": [],
        "B[IJ]..": ["BIJLA", "BIJOU"],
        "...": ["RIJK"],
    }.items():
        problem = Problem.build(grid_from_text("\n".join([row, "#" * row_squares(row)] * 2)), lexicon)
        assert sorted(one.word for one in candidates_left(problem, "1A")) == expected, row


def row_squares(row: str) -> int:
    """The squares of a row of grid text."""
    return len(row.replace("[IJ]", "I"))


def test_english_symbols_are_the_codes_of_its_letters() -> None:
    plain = plain_symbols(ENGLISH)
    letters = lexicon_of(["AXLE", "Q1"], ENGLISH).table(4).letters
    assert plain.of_letters(letters) is letters
    assert plain.of_text("AZ09") == bytes([0, 25, 26, 35])


def test_words_with_letters_of_another_alphabet_are_left_out() -> None:
    problem = Problem.build(grid_from_text("...\n###\n..."), lexicon_of(["MÅN", "MAN"], ENGLISH))
    assert [one.word for one in candidates_left(problem, "1A")] == ["MAN"]


def test_a_letter_of_another_alphabet_that_stands_is_kept() -> None:
    problem = Problem.build(grid_from_text("MÅN\n.#.\nAHA"), lexicon_of(["MAA", "NAA", "AHA"], ENGLISH))
    assert problem.words(problem.slot_numbers["1A"]) == ["MÅN"]


def test_letters_digits_and_rebuses_share_the_symbols_of_a_square() -> None:
    slovak = find_alphabet("slovak")
    rebuses = [Content.of(first + second) for first in "AB" for second in "ABCDEFG"]
    most = 64 - len(slovak.symbols)
    assert len(Symbols.of_contents(rebuses[:most], slovak).contents) == 64
    with pytest.raises(
        EngineError, match=rf"beside the {len(slovak.symbols)} letters and digits of Slovak, .* handle {most}"
    ):
        Symbols.of_contents(rebuses[: most + 1], slovak)
