"""Keys of words, which share letters in a row or a stem; what is kept of words for the next problem is bounded."""

from itertools import combinations
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.constraints import runs
from xwtui.engine.problem import word_stock
from xwtui.engine.problem.constraints import WordKeys
from xwtui.engine.problem.rule_constraints import WordGroup, root_keys, substring_keys
from xwtui.engine.problem.segmentation import FREE
from xwtui.engine.problem.word_stock import word_stock_of
from xwtui.model.rules import NO_ENTRY_RULES, MinimumScore
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import word_codes
from xwtui.words.repeat_rows import KnownWords
from xwtui.words.repeats import Roots
from xwtui.words.word_list import WordList


def grouped(words: list[str]) -> list[WordGroup]:
    """The words by length, their places in the list as identities."""
    return [
        (
            np.array([number for number, word in enumerate(words) if len(word) == length], np.int32),
            np.array([word_codes(word) for word in words if len(word) == length], np.uint8),
        )
        for length in sorted({len(word) for word in words})
    ]


def known(words: list[str]) -> KnownWords:
    return KnownWords(letters for _, letters in grouped(words))


def keys_of(keys: WordKeys, number: int) -> set[int]:
    """The keys of a word."""
    return set(keys.keys[keys.words == number].tolist())


@given(st.lists(st.text("ABC", min_size=1, max_size=7), unique=True, max_size=8), st.integers(1, 5))
def test_words_share_a_key_if_they_share_letters_in_a_row(words: list[str], length: int) -> None:
    keys = substring_keys(grouped(words), length)
    for (first, word), (second, other) in combinations(enumerate(words), 2):
        assert bool(keys_of(keys, first) & keys_of(keys, second)) == bool(runs(length)(word) & runs(length)(other))
    assert all(len(keys_of(keys, number)) == len(runs(length)(word)) for number, word in enumerate(words))


ENDINGS = st.sampled_from(
    [
        "",
        "S",
        "ES",
        "IES",
        "VES",
        "ED",
        "IED",
        "ER",
        "ERS",
        "ING",
        "YING",
        "E",
        "Y",
        "F",
        "FE",
        "IE",
        "I",
        "IS",
        "U",
        "US",
    ]
)


LISTED_TEXT = """
    BALING LEAVES LEAF ABI ABIS CREATE STATE NOSE NOSES NOSEIN HEART SWEET PIECE CAKE AGAIN ARMED DATA BASE NORM AL
    MOTHER MOTH TABLE ABLE HAPPY FLAT DECIDE EXTEND WITH DISMISS MISSAL MISSALS POLICE OFFICER ICER
    BOYCOTT ATTACK TACK
"""
LISTED = LISTED_TEXT.split()
PIECES = [
    *(
        "CREAT",
        "STAT",
        "NOSE",
        "NOSES",
        "HEART",
        "SWEET",
        "PIECE",
        "CAKE",
        "ARMED",
        "DATA",
        "BASE",
        "MOTH",
        "GAIN",
    ),
    *("ION", "OR", "IN", "TO", "A", "OF", "THE", "UN", "DIS", "ER", "S", "LY", "ABLE", "ILITY", "HAPPI", "NESS"),
    *("AL", "NORM", "EST", "FLAT", "TEST", "ITY", "DECI", "EXTEN", "SION", "WITH", "UP"),
    *("MISS", "POLICE", "OFF", "ICER", "AT", "TACK", "BOYCOTT", "ED"),
]


@given(
    st.lists(st.tuples(st.text("ABEILNSXY", max_size=4), ENDINGS).map("".join), unique=True, max_size=12),
    st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join), max_size=8),
    st.lists(st.sets(st.sampled_from(["BALE", "BAL", "SAYING", "LEAVES", "LEAF"])), max_size=2),
)
def test_the_roots_of_all_words_at_once_are_those_found_one_by_one(
    words: list[str], built: list[str], groups: list[set[str]]
) -> None:
    words = list(filter(None, dict.fromkeys([*words, *built, *LISTED])))
    keys = root_keys(grouped(words), known(words), groups)
    roots = Roots(set(words).__contains__, groups)
    for (first, word), (second, other) in combinations(enumerate(words), 2):
        assert len(keys_of(keys, first) & keys_of(keys, second)) == len(roots.of(word) & roots.of(other))
    assert all(len(keys_of(keys, number)) == len(roots.of(word)) for number, word in enumerate(words))


def test_words_share_a_key_if_they_share_a_stem_or_a_group() -> None:
    words = ["BAKE", "BAKED", "OBOE", "OBOES", "MICE", "MOUSE", "STOPPED", "STOP", "CAT"]
    keys = root_keys(grouped(words), known(words), [{"MICE", "MOUSE"}])
    sharing = {
        (words[first], words[second])
        for first, second in combinations(range(len(words)), 2)
        if keys_of(keys, first) & keys_of(keys, second)
    }
    assert sharing == {("BAKE", "BAKED"), ("OBOE", "OBOES"), ("MICE", "MOUSE"), ("STOPPED", "STOP")}


WORDS = {"CAB": 50, "ACE": 60, "BED": 70, "DECK": 40}
CHOICES = (FREE,) * 3


def lexicon(minimum_score: int = 0) -> Lexicon:
    return Lexicon.build([WordList.from_scores("small", WORDS)], minimum_score=minimum_score)


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_stock, "_kept", type(word_stock._kept)())


def test_few_lists_are_kept_and_those_used_last() -> None:
    for score in range(10):
        word_stock_of(lexicon(score), {}, ())
    assert len(word_stock._kept) == word_stock._STOCKS_KEPT
    last = word_stock_of(lexicon(9), {}, ())
    assert word_stock_of(lexicon(9), {}, ()) is last


def test_what_is_made_of_words_is_kept_up_to_a_size_and_while_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    stock = word_stock_of(lexicon(), {}, ())
    rules = [NO_ENTRY_RULES.with_all(MinimumScore, [MinimumScore(score)]) for score in range(20)]
    used = stock.table(CHOICES, 0, rules[0])
    monkeypatch.setattr(word_stock, "_BYTES_KEPT", 3 * used.bytes)
    gone = ref(stock.table(CHOICES, 0, rules[1]))
    last = [stock.table(CHOICES, 0, asked) for asked in rules[2:]][-1]
    for kept in (stock._tables, stock._words, stock._searches):
        assert 0 < sum(one.bytes for one in kept.values()) <= 3 * used.bytes
    assert stock.table(CHOICES, 0, rules[-1]) is last
    assert stock.table(CHOICES, 0, rules[0]) is used
    assert gone() is None
