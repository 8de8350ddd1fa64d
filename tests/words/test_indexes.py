from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import words as naive_words
from tests.words.strategies import patterns, scored_words, scores, scores_and_patterns, words
from xwtui.errors import WordListError
from xwtui.words import sorted_index
from xwtui.words.lexicon import Lexicon
from xwtui.words.sorted_index import GivenWords, SortedIndex
from xwtui.words.trie import Trie
from xwtui.words.word_list import WordList


def lexicon_of(scores: dict[str, int]) -> Lexicon:
    return Lexicon.build([WordList.from_scores("mine", scores)])


@given(scores_and_patterns())
def test_a_pattern_agrees_with_a_scan(drawn: tuple[dict[str, int], list[str]]) -> None:
    scores, patterns = drawn
    lexicon = lexicon_of(scores)
    for pattern in patterns:
        expected = naive_words.matches(scores, pattern)
        assert lexicon.matches(pattern) == list(lexicon.best(pattern)) == expected
        assert lexicon.count(pattern) == len(expected)


def test_every_pattern_of_a_word_finds_it_and_its_like() -> None:
    scores = {"HEART": 50, "HEARS": 60, "CHART": 70, "BEAST": 10, "OREO": 40}
    for mask in range(32):
        pattern = "".join(letter if mask >> at & 1 else "?" for at, letter in enumerate("HEART"))
        assert lexicon_of(scores).matches(pattern) == naive_words.matches(scores, pattern)


def test_matches_are_best_first_then_alphabetical() -> None:
    lexicon = lexicon_of({"B2": 50, "A9": 50, "BA": 50, "AA": 10, "ZZ": 90})
    assert lexicon.matches("??") == ["ZZ", "A9", "BA", "B2", "AA"]


@pytest.mark.parametrize("pattern", ["", "a?", "A.", "A*", "€", "A\x1b[2J", "?" * 9 + "\n"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    lexicon = lexicon_of({"OREO": 50})
    for look_up in (lexicon.matches, lexicon.best):
        with pytest.raises(WordListError, match="not a pattern") as caught:
            look_up(pattern)
        assert str(caught.value).isprintable()


def test_banned_and_low_words_are_not_found() -> None:
    words = WordList.from_scores("mine", {"OREO": 40, "ETUI": 60, "EPEE": 39})
    assert Lexicon.build([words], minimum_score=40, banned=["ETUI"]).matches("????") == ["OREO"]


def test_a_pattern_of_any_length_is_answered() -> None:
    lexicon = lexicon_of({"OREO": 50})
    assert lexicon.matches("A" * 1_000_000) == lexicon.matches("?" * 1_000_000) == []


LIVE = pytest.mark.parametrize("make", [SortedIndex, Trie])
changes = st.lists(st.tuples(st.booleans(), words, scores), max_size=12)


def changed(
    given_words: dict[str, int], made: list[tuple[bool, str, int]], *indexes: SortedIndex | Trie
) -> naive_words.NaiveIndex:
    """Make changes to some indexes, which are asked something in between, and to a naive one."""
    naive = naive_words.NaiveIndex(given_words)
    for number, (is_there, word, score) in enumerate(made):
        for index in indexes:
            if is_there:
                index.add(word, score)
            else:
                index.remove(word)
            if number % 2:
                assert index.count(word) == is_there
        naive.scores.pop(word, None)
        if is_there:
            naive.scores[word] = score
    return naive


@given(scored_words, changes, patterns, st.text("ABZ0", max_size=3))
def test_live_indexes_agree_with_a_scan(
    given_words: dict[str, int], made: list[tuple[bool, str, int]], pattern: str, letters: str
) -> None:
    indexes = SortedIndex(GivenWords(given_words)), Trie(GivenWords(given_words))
    naive = changed(given_words, made, *indexes)
    for index in indexes:
        assert len(index) == len(naive.scores)
        for one in (pattern, "?" * len(pattern), *naive.scores):
            assert list(index.matches(one)) == naive.matches(one)
            assert index.count(one) == len(naive.matches(one))
            assert index.score(one) == naive.scores.get(one)
        assert list(index.begins(letters)) == naive.begins(letters)
        assert list(index.begins(letters, 3)) == [word for word in naive.begins(letters) if len(word) == 3]


@given(scored_words, changes, patterns, words)
def test_a_sorted_index_knows_places(
    given_words: dict[str, int], made: list[tuple[bool, str, int]], pattern: str, word: str
) -> None:
    index = SortedIndex(GivenWords(given_words))
    naive = changed(given_words, made, index)
    alike = naive.of(len(word))
    assert [index.nth(len(word), place) for place in range(len(alike))] == alike
    before, after = [one for one in alike if one < word], [one for one in alike if one > word]
    assert index.neighbours(word) == (before[-1] if before else None, after[0] if after else None)
    other = pattern.replace("?", "B")[: len(word)].ljust(len(word), "A")
    low, high = sorted([word, other])
    assert index.between(word, other) == sum(low < one < high for one in alike)


@given(scored_words, changes, words, st.sampled_from([0, 2, 1000]), st.booleans())
def test_a_sorted_index_knows_the_best_that_begin_so(
    given_words: dict[str, int], made: list[tuple[bool, str, int]], word: str, few: int, is_prepared: bool
) -> None:
    index = SortedIndex(GivenWords(given_words))
    if is_prepared:
        index.prepare()
    naive = changed(given_words, made, index)
    best = sorted(naive.begins(word[:1]), key=lambda one: (-naive.scores[one], one))
    with patch.object(sorted_index, "_FEW", few):
        assert index.best(word[:1], 3) == best[:3]
        assert index.best("", 99) == sorted(naive.begins(""), key=lambda one: (-naive.scores[one], one))[:99]


@given(scored_words, changes, st.text("ABZ0?", max_size=5))
def test_a_trie_knows_letters(given_words: dict[str, int], made: list[tuple[bool, str, int]], row: str) -> None:
    trie = Trie(GivenWords(given_words))
    naive = changed(given_words, made, trie)
    assert sorted(trie.inside(row)) == sorted(naive.inside(row))
    for length in (2, 3):
        assert list(trie.made_of(row, length)) == naive.made_of(row, length)
        assert list(trie.in_order(row.replace("?", ""), length)) == naive.in_order(row.replace("?", ""), length)
        within = [word for word in naive.of(length) if set(word) <= {"A", "0"}]
        assert list(trie.spelled([{"A", "0"}] * length)) == within


@LIVE
def test_what_is_not_there_has_no_score(make: Callable[[GivenWords], Any]) -> None:
    index = make(GivenWords({"OREO": 50}))
    index.rescore("OREO", 70)
    assert index.score("OREO") == 70
    with pytest.raises(WordListError, match="ETUI is not among the words"):
        index.rescore("ETUI", 70)


def test_a_sorted_index_says_what_it_cannot_know() -> None:
    index = SortedIndex(GivenWords({"OREO": 50}))
    with pytest.raises(WordListError, match="there are 1 words of 4 letters"):
        index.nth(4, 1)
    with pytest.raises(WordListError, match="not of one length"):
        index.between("OREO", "ETUIS")


def test_the_nodes_of_a_trie_stay_right_when_many_words_go() -> None:
    scores = {a + b + c: 1 for a in "ABCD" for b in "ABCD" for c in "ABCD"}
    trie = Trie(GivenWords(scores))
    node = trie.root(3).branches["A"].branches["B"]
    assert (node.count, sorted(node.branches)) == (4, ["A", "B", "C", "D"])
    for word in scores:
        trie.remove(word)
    assert trie.root(3).count == 0
    trie.add("ABC", 1)
    assert list(trie.matches("A??")) == ["ABC"]
