import pytest
from hypothesis import given

from tests.naive import words as naive_words
from tests.words.strategies import scores_and_patterns
from xwtui.errors import WordListError
from xwtui.words.indexes import BitsetIndex
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


def lexicon_of(scores: dict[str, int]) -> Lexicon:
    return Lexicon.build([WordList.from_scores("mine", scores)])


@given(scores_and_patterns())
def test_an_index_agrees_with_a_scan(drawn: tuple[dict[str, int], list[str]]) -> None:
    scores, patterns = drawn
    index = BitsetIndex(lexicon_of(scores))
    for pattern in patterns:
        expected = naive_words.matches(scores, pattern)
        assert list(index.matches(pattern)) == expected
        assert index.count(pattern) == len(expected)


def test_every_pattern_of_a_word_finds_it_and_its_like() -> None:
    scores = {"HEART": 50, "HEARS": 60, "CHART": 70, "BEAST": 10, "OREO": 40}
    index = BitsetIndex(lexicon_of(scores))
    for mask in range(32):
        pattern = "".join(letter if mask >> at & 1 else "?" for at, letter in enumerate("HEART"))
        assert list(index.matches(pattern)) == naive_words.matches(scores, pattern)
        assert index.count(pattern) == len(index.matches(pattern))


def test_matches_are_best_first_then_alphabetical() -> None:
    index = BitsetIndex(lexicon_of({"B2": 50, "A9": 50, "BA": 50, "AA": 10, "ZZ": 90}))
    assert list(index.matches("??")) == ["ZZ", "A9", "BA", "B2", "AA"]


@pytest.mark.parametrize("pattern", ["", "a?", "A.", "A*", "€", "A\x1b[2J", "?" * 9 + "\n"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    index = BitsetIndex(lexicon_of({"OREO": 50}))
    for look_up in (index.matches, index.count):
        with pytest.raises(WordListError, match="no pattern") as caught:
            look_up(pattern)
        assert str(caught.value).isprintable()


def test_banned_and_low_words_are_not_found() -> None:
    words = WordList.from_scores("mine", {"OREO": 40, "ETUI": 60, "EPEE": 39})
    index = BitsetIndex(Lexicon.build([words], minimum_score=40, banned=["ETUI"]))
    assert list(index.matches("????")) == ["OREO"]


def test_a_pattern_of_any_length_is_answered() -> None:
    index = BitsetIndex(lexicon_of({"OREO": 50}))
    assert index.count("A" * 1_000_000) == 0
    assert list(index.matches("?" * 1_000_000)) == []
