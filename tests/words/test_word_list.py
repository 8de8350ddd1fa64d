import numpy as np
import pytest
from hypothesis import given

from tests.naive import words as naive_words
from tests.words.strategies import scored_words, words
from xwtui.words.word_list import WordList


@given(scored_words)
def test_a_list_holds_what_it_was_made_of(scores: dict[str, int]) -> None:
    word_list = WordList.from_scores("mine", scores)
    assert dict(word_list) == scores
    assert len(word_list) == len(scores)
    assert word_list.lengths == tuple(sorted({len(word) for word in scores}))


@given(scored_words)
def test_tables_are_alphabetical_letters_before_digits(scores: dict[str, int]) -> None:
    word_list = WordList.from_scores("mine", scores)
    for length in range(2, 7):
        table = word_list.table(length)
        expected = sorted((word for word in scores if len(word) == length), key=naive_words.alphabetically)
        assert table.words() == expected
        assert table.scores.tolist() == [scores[word] for word in expected]
        assert table.letters.shape == (len(expected), length)
        assert table.letters.dtype == table.scores.dtype == np.uint8
        assert table.letters.flags.c_contiguous


@given(scored_words, words)
def test_look_up_agrees_with_a_dictionary(scores: dict[str, int], word: str) -> None:
    word_list = WordList.from_scores("mine", scores)
    assert word_list.score(word) == scores.get(word)
    assert (word in word_list) == (word in scores)
    assert all(word_list.score(listed) == score for listed, score in scores.items())


@pytest.mark.parametrize("text", ["", "a", "aa", "A?", "ÉA", "A\0", "B" * 1000])
def test_what_is_no_word_is_not_in_a_list(text: str) -> None:
    word_list = WordList.from_scores("mine", {"AA": 1, "B": 2})
    assert word_list.score(text) is None
    assert text not in word_list
    assert 7 not in word_list


@given(scored_words, scored_words)
def test_fingerprints_tell_contents_apart(first: dict[str, int], second: dict[str, int]) -> None:
    one, other = WordList.from_scores("a", first), WordList.from_scores("b", second)
    assert (one.fingerprint == other.fingerprint) == (first == second)


def test_a_list_cannot_be_changed() -> None:
    table = WordList.from_scores("mine", {"OREO": 40}).table(4)
    with pytest.raises(ValueError, match="read-only"):
        table.letters[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        table.scores[0] = 1
