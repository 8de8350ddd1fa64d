"""Word search: an order maintained as words arrive, and the indexes behind it."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.generators import patterns, scored_words, scores, scores_and_patterns, words
from tests.generators import scores as any_score
from tests.naive import words as naive_words
from xwtui.errors import PuzzleError, WordListError
from xwtui.words import finding
from xwtui.words.expressions import Automaton, PatternTooHardError, expression_tree
from xwtui.words.finding import FoundWord, WordQuery, find_words
from xwtui.words.kept_order import KeptOrder
from xwtui.words.lexicon import Lexicon
from xwtui.words.rebus_finding import find_rebus
from xwtui.words.sorted_index import GivenWords, SortedIndex
from xwtui.words.trie import PatternNode, Trie
from xwtui.words.word_list import WordList

steps = st.lists(st.tuples(st.sampled_from("ABCDEFG"), st.integers(0, 4), st.booleans()), max_size=30)


def in_order(rows: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(rows.items(), key=lambda row: row[1])


@given(steps)
def test_rows_that_arrive_and_move_stay_sorted(steps: list[tuple[str, int, bool]]) -> None:
    kept, rows = KeptOrder[int](lambda row: row), dict[str, int]()
    for key, row, is_offer in steps:
        if is_offer:
            is_better = key not in rows or row < rows[key]
            assert kept.offer(key, row) is is_better
            rows[key] = row if is_better else rows[key]
        else:
            kept.put(key, row)
            rows[key] = row
        assert list(kept.items()) == in_order(rows)
        assert list(kept) == [row for _, row in in_order(rows)]
        assert kept.first(3) == list(kept)[:3]
        assert (len(kept), kept.get(key)) == (len(rows), rows[key])


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_only_the_requested_number_is_kept(rows: list[int], most: int) -> None:
    kept = KeptOrder[int](lambda row: row, most)
    for row in rows:
        kept.add(row)
    assert list(kept) == sorted(rows)[:most]


LETTERS = "ABC9"
alike = st.text(LETTERS, min_size=1, max_size=7)
listed = st.dictionaries(alike, any_score, max_size=50)
gapped = st.text(LETTERS + "?*", min_size=1, max_size=7)
pieces = st.sampled_from(
    [
        *("A", "B", ".", "[AB]", "[^A]", "[^]9]", "(AB|C)", "A?", "B{2}", "C+", ".*", "(?!AB)", "^", "BC"),
        *("(?:A|[9-C])", "(|B)", "A{1,2}", "[BC]{,2}", ".{2,}", "A*?", "B?+", "{", "{}", "A{,}", "|"),
        *(
            "[AB]++",
            "C*+",
            "[BC]{1,2}+",
            "(AB)?+",
            "(?=.*C)",
            "(?!.*B.*A)",
            "(?:(?!BC).)*",
            "(?=A(?!B)|B)",
            "(?!)",
            r"(.)\1",
            r"(?:(.)\1)+",
            r"(..?).*\1",
        ),
    ]
)
EVERYTHING = 1_000
SHORT_WORDS = sorted("".join(letters) for length in (1, 2, 3, 4) for letters in product("ABC", repeat=length))


def lexicon_of(scores: dict[str, int]) -> Lexicon:
    return Lexicon.build([WordList.from_scores("mine", scores)])


def found(scores: dict[str, int], query: WordQuery, limit: int = EVERYTHING) -> list[str]:
    told = find_words(lexicon_of(scores), query, limit)
    assert len(told.words) == min(told.matches, limit)
    return [one.word for one in told.words]


def fitting(matcher: Automaton) -> list[str]:
    lexicon = lexicon_of(dict.fromkeys(SHORT_WORDS, 50))
    tables = [lexicon.table(length) for length in lexicon.lengths]
    return [word for table in tables for word in table.take(matcher.fits(table.letters)).words()]


@given(listed, st.lists(st.lists(gapped, min_size=1, max_size=2).map(tuple), max_size=2), st.integers(1, 4))
def test_patterns_agree_with_a_scan(scores: dict[str, int], choices: list[tuple[str, ...]], limit: int) -> None:
    expected = [
        word
        for word in naive_words.best_first(scores)
        if all(any(naive_words.fits_gaps(word, one) for one in choice) for choice in choices)
    ]
    assert found(scores, WordQuery(tuple(choices))) == expected
    assert found(scores, WordQuery(tuple(choices)), limit) == expected[:limit]


@given(listed, st.text(LETTERS + "?*", min_size=1, max_size=6))
def test_anagrams_agree_with_a_scan(scores: dict[str, int], letters: str) -> None:
    expected = [word for word in naive_words.best_first(scores) if naive_words.is_anagram(word, letters)]
    assert found(scores, WordQuery(anagrams=(letters,))) == expected


@given(listed, st.lists(pieces, min_size=1, max_size=4).map("".join))
def test_expressions_agree_with_matching_each_word(scores: dict[str, int], pattern: str) -> None:
    try:
        query = WordQuery(matches=(pattern,))
    except PuzzleError:
        reject()
    expected = [word for word in naive_words.best_first(scores) if re.fullmatch(pattern, word)]
    assert found(scores, query) == expected


LOOKS = ["(?!.*B).*", "(?=.*A)(?=.*B)(?!.*C).*", "(?:(?!AB).)*", "A(?=B|C(?!A)).*", "[AB]++C?+.*", "(?=(?=A)B).*"]
LARGE = [".*[AX].{10}[CX].*", ".*[AX].{30}[CX].{30}.*"]


@pytest.mark.parametrize("pattern", [*LOOKS, *LARGE, r"(.)\1.*"])
def test_patterns_too_complex_for_an_automaton_use_the_library(pattern: str) -> None:
    with pytest.raises(PatternTooHardError):
        Automaton(expression_tree(pattern))
    words = [*SHORT_WORDS, "A" * 24, "BA" + "B" * 10 + "C", "BAC" * 4, "B" + "A" * 10 + "C"]
    scores = dict.fromkeys(words, 50)
    expected = [word for word in naive_words.best_first(scores) if re.fullmatch(pattern, word)]
    assert found(scores, WordQuery(matches=(pattern,))) == expected


@pytest.mark.parametrize("pattern", [".*[AB].{1,2}[BC].*", "A{,2}(B|CA)*", ".?" * 20 + "A" * 2, "(|A)C+"])
def test_an_automaton_accepts_what_its_pattern_does(pattern: str) -> None:
    assert sorted(fitting(Automaton(expression_tree(pattern)))) == [
        word for word in SHORT_WORDS if re.fullmatch(pattern, word)
    ]


@given(listed, st.sampled_from(["A", "AB", "BAB", "C9C", "AA"]), st.integers(1, 4), st.integers(1, 7))
def test_rebus_answers_agree_with_a_scan(scores: dict[str, int], text: str, least: int, limit: int) -> None:
    squares = range(least, 8)
    sections = find_rebus(lexicon_of(scores), text, text, WordQuery(), squares, limit)
    expected = naive_words.rebus_forms(scores, text)
    assert [one.squares for one in sections] == sorted(taken for taken in expected if taken in squares)
    for section in sections:
        forms = expected[section.squares]
        assert section.matches == len(forms)
        assert [(one.answer, one.places) for one in section.answers] == forms[:limit]


def test_spellings_of_a_long_word_are_counted_and_the_first_listed() -> None:
    (section,) = find_rebus(lexicon_of({"A" * 40: 50}), "AA", "AA", WordQuery(), range(30, 31), 2)
    assert (section.squares, section.matches) == (30, comb(30, 10))
    assert [one.places for one in section.answers] == [tuple(range(1, 11)), (*range(1, 10), 11)]


LOOK = "(?!.*AB).*"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (WordQuery((("XY*",),), matches=(LOOK,)), []),
        (WordQuery((("C*",),), matches=(LOOK,)), ["CBA", "CC"]),
        (WordQuery(matches=(LOOK, r"(.).*\1", "[CD].*")), ["CC", "DAD"]),
        (WordQuery(matches=("C.*", ".*C")), ["CC"]),
        (WordQuery(matches=("..", "...")), []),
        (WordQuery(anagrams=("BC*", "AB?")), ["CAB", "CBA"]),
    ],
)
def test_all_expressions_and_letters_must_fit(query: WordQuery, expected: list[str]) -> None:
    assert found(dict.fromkeys(["CAB", "CBA", "CC", "DAD", "AA"], 50), query) == expected


def test_all_conditions_must_hold() -> None:
    scores = {"CATALOG": 50, "CATTLE": 60, "LOCATE": 70, "SCATTER": 20, "CAT": 90, "DOG": 30}
    assert found(scores, WordQuery((("*CAT*",), ("C*", "*R")), shortest=4)) == ["CATTLE", "CATALOG", "SCATTER"]
    assert found(scores, WordQuery((("*CAT*",),), longest=6, matches=(".*E",))) == ["LOCATE", "CATTLE"]
    assert found(scores, WordQuery(anagrams=("TAC",))) == ["CAT"]
    assert found(scores, WordQuery()) == naive_words.best_first(scores)
    assert find_words(lexicon_of(scores), WordQuery(), 1) == (6, (FoundWord("CAT", 90),))


@pytest.mark.parametrize("pattern", ["a", "A B", "€", "A\x1b[2J", "A" * 201, "A[B"])
def test_invalid_patterns_are_refused(pattern: str) -> None:
    for query in ({"gapped": ((pattern,),)}, {"anagrams": (pattern,)}):
        with pytest.raises(WordListError, match="not a pattern") as caught:
            WordQuery(**query)
        assert str(caught.value).isprintable()
    with pytest.raises(PuzzleError):
        WordQuery(matches=("(A*)*B",))


def test_low_and_banned_words_are_not_found() -> None:
    words = WordList.from_scores("mine", {"OREO": 40, "ETUI": 60, "EPEE": 39})
    lexicon = Lexicon.build([words], minimum_score=40, banned=["ETUI"])
    assert find_words(lexicon, WordQuery((("????",),)), 10).words == (FoundWord("OREO", 40),)
    assert lexicon.matches("????") == ["OREO"]


@given(scores_and_patterns())
def test_a_pattern_agrees_with_a_scan(drawn: tuple[dict[str, int], list[str]]) -> None:
    scores, patterns = drawn
    lexicon = lexicon_of(scores)
    for pattern in patterns:
        expected = naive_words.matches(scores, pattern)
        assert lexicon.matches(pattern) == list(lexicon.best(pattern)) == expected
        assert lexicon.count(pattern) == len(expected)


def test_the_time_limit_covers_words_of_all_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 1))
    monkeypatch.setattr(finding, "process_time", lambda: float(next(clock)))
    short, longer = (
        lexicon_of(dict.fromkeys(words, 50)) for words in (["TO", "TEN"], ["TO", "TEN", "TENT", "TENTS"])
    )
    query = "(?!.*QQ)T.*"
    assert find_words(short, WordQuery(matches=(query,)), 10).matches == 2
    with pytest.raises(WordListError, match="takes too long to try on all words"):
        find_words(longer, WordQuery(matches=(query,)), 10)


@pytest.mark.parametrize("pattern", ["", "a?", "A.", "A*", "€", "A\x1b[2J", "?" * 9 + "\n"])
def test_every_index_refuses_invalid_patterns(pattern: str) -> None:
    lexicon = lexicon_of({"OREO": 50})
    for look_up in (lexicon.matches, lexicon.best):
        with pytest.raises(WordListError, match="not a pattern") as caught:
            look_up(pattern)
        assert str(caught.value).isprintable()


def test_patterns_of_any_length_are_answered() -> None:
    lexicon = lexicon_of({"OREO": 50})
    assert lexicon.matches("A" * 1_000_000) == lexicon.matches("?" * 1_000_000) == []


LIVE = pytest.mark.parametrize("make", [SortedIndex, Trie])
changes = st.lists(st.tuples(st.booleans(), words, scores), max_size=12)


def changed(
    given_words: dict[str, int], made: list[tuple[bool, str, int]], *indexes: SortedIndex | Trie
) -> naive_words.NaiveIndex:
    """Apply changes to some indexes, with queries in between, and to a naive one, which is returned."""
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
def test_a_sorted_index_finds_positions(
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


@given(scored_words, changes, words, st.booleans())
def test_a_sorted_index_finds_the_best_words_with_a_prefix(
    given_words: dict[str, int], made: list[tuple[bool, str, int]], word: str, is_prepared: bool
) -> None:
    index = SortedIndex(GivenWords(given_words))
    if is_prepared:
        index.prepare()
    naive = changed(given_words, made, index)
    best = sorted(naive.begins(word[:1]), key=lambda one: (-naive.scores[one], one))
    assert index.best(word[:1], 3) == best[:3]
    assert index.best("", 99) == sorted(naive.begins(""), key=lambda one: (-naive.scores[one], one))[:99]


@given(scored_words, st.dictionaries(words, st.none() | scores, max_size=12), st.booleans())
def test_a_sorted_index_applies_many_changes_at_once(
    given_words: dict[str, int], made: dict[str, int | None], is_prepared: bool
) -> None:
    index = SortedIndex(GivenWords(given_words))
    if is_prepared:
        index.prepare()
    scores = {word: score for word, score in {**given_words, **made}.items() if score is not None}
    index.follow(GivenWords(scores), made)
    assert list(index.begins("")) == sorted(scores, key=lambda word: (len(word), word))
    assert {word: index.score(word) for word in (*given_words, *made)} == {
        word: scores.get(word) for word in (*given_words, *made)
    }


@given(scored_words, changes, st.text("ABZ0?", max_size=5))
def test_a_trie_lists_letters(given_words: dict[str, int], made: list[tuple[bool, str, int]], row: str) -> None:
    trie = Trie(GivenWords(given_words))
    naive = changed(given_words, made, trie)
    assert sorted(trie.inside(row)) == sorted(naive.inside(row))
    for length in (2, 3):
        assert list(trie.made_of(row, length)) == naive.made_of(row, length)
        assert list(trie.in_order(row.replace("?", ""), length)) == naive.in_order(row.replace("?", ""), length)
        within = [word for word in naive.of(length) if set(word) <= {"A", "0"}]
        assert list(trie.spelled([{"A", "0"}] * length)) == within


@LIVE
def test_a_missing_word_has_no_score(make: Callable[[GivenWords], Any]) -> None:
    index = make(GivenWords({"OREO": 50}))
    index.rescore("OREO", 70)
    assert index.score("OREO") == 70
    with pytest.raises(WordListError, match="ETUI is not among the words"):
        index.rescore("ETUI", 70)


def test_a_sorted_index_refuses_unsupported_queries() -> None:
    index = SortedIndex(GivenWords({"OREO": 50}))
    with pytest.raises(WordListError, match="there are 1 words of 4 letters"):
        index.nth(4, 1)
    with pytest.raises(WordListError, match="not of one length"):
        index.between("OREO", "ETUIS")


@given(st.lists(st.text("ABC", min_size=4, max_size=4), unique=True), st.permutations(range(4)), st.booleans())
def test_a_pattern_node_has_its_words_in_any_order_of_places(
    given_words: list[str], places: list[int], keeps: bool
) -> None:
    pattern, node = ["?"] * 4, PatternNode(given_words, keeps=keeps)
    for at in places:
        fitting = naive_words.matches(dict.fromkeys(given_words, 0), "".join(pattern))
        assert sorted(node.words) == sorted(fitting)
        assert node.counts(at) == Counter(word[at] for word in fitting)
        assert sorted(node.having(at, "B").words) == [word for word in sorted(fitting) if word[at] == "B"]
        pattern[at] = "A"
        node = node.having(at, "A")


def test_trie_nodes_stay_correct_after_many_removals() -> None:
    scores = {a + b + c: 1 for a in "ABCD" for b in "ABCD" for c in "ABCD"}
    trie = Trie(GivenWords(scores))
    node = trie.root(3).branches["A"].branches["B"]
    assert (node.count, sorted(node.branches)) == (4, ["A", "B", "C", "D"])
    for word in scores:
        trie.remove(word)
    assert trie.root(3).count == 0
    trie.add("ABC", 1)
    assert list(trie.matches("A??")) == ["ABC"]
