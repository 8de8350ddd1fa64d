"""Word keys: words that share a run of letters or a stem."""

import tracemalloc
from collections.abc import Callable
from itertools import combinations
from typing import TypeVar

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.constraints import runs
from xwtui.engine.problem.constraints import WordKeys, key_lists
from xwtui.engine.problem.rule_constraints import WordGroup, root_keys, substring_keys
from xwtui.engine.problem.tables import Table
from xwtui.words.normalise import word_codes
from xwtui.words.repeat_rows import KnownWords
from xwtui.words.repeats import Roots


def grouped(words: list[str]) -> list[WordGroup]:
    """Group the words by length; their ids are their positions in the list."""
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
    return set(keys.keys[keys.words == number].tolist())


@given(st.lists(st.text("ABC", min_size=1, max_size=7), unique=True, max_size=8), st.integers(1, 5))
def test_words_share_a_key_if_they_share_a_run_of_letters(words: list[str], length: int) -> None:
    keys = substring_keys(grouped(words), length)
    for (first, word), (second, other) in combinations(enumerate(words), 2):
        assert bool(keys_of(keys, first) & keys_of(keys, second)) == bool(runs(length)(word) & runs(length)(other))
    assert all(len(keys_of(keys, number)) == len(runs(length)(word)) for number, word in enumerate(words))


def test_keys_are_found_with_little_extra_memory() -> None:
    """A large list has more than a million, and a second problem may be laid out at the same time."""
    letters = np.random.default_rng(1).integers(10, 36, (20_000, 9), np.uint8)
    groups = [(np.arange(len(letters), dtype=np.int32), letters)]
    found, peak = with_peak(lambda: substring_keys(groups, 5))
    assert peak < 4 * found.bytes
    table = Table.of_rows(letters, groups[0][0], np.zeros(len(letters), np.uint8), (9,))
    lists, peak = with_peak(lambda: key_lists([found], [table], [table]))
    assert peak < 3 * lists.nbytes


Found = TypeVar("Found")


def with_peak(find: Callable[[], Found]) -> tuple[Found, int]:
    """Return the result and the peak memory in bytes."""
    tracemalloc.start()
    try:
        found = find()
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


ENDINGS_TEXT = "S ES IES VES ED IED ER ERS ING YING E Y F FE IE I IS U US"
ENDINGS = st.sampled_from(["", *ENDINGS_TEXT.split()])
LISTED_TEXT = """
    BALING LEAVES LEAF ABI ABIS CREATE STATE NOSE NOSES NOSEIN HEART SWEET PIECE CAKE AGAIN ARMED DATA BASE NORM AL
    MOTHER MOTH TABLE ABLE HAPPY FLAT DECIDE EXTEND WITH DISMISS MISSAL MISSALS POLICE OFFICER ICER
    BOYCOTT ATTACK TACK
"""
LISTED = LISTED_TEXT.split()
PIECES_TEXT = """
    CREAT STAT NOSE NOSES HEART SWEET PIECE CAKE ARMED DATA BASE MOTH GAIN ION OR IN TO A OF THE UN DIS ER S LY
    ABLE ILITY HAPPI NESS AL NORM EST FLAT TEST ITY DECI EXTEN SION WITH UP MISS POLICE OFF ICER AT TACK BOYCOTT ED
"""
PIECES = PIECES_TEXT.split()


@given(
    st.lists(st.tuples(st.text("ABEILNSXY", max_size=4), ENDINGS).map("".join), unique=True, max_size=12),
    st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join), max_size=8),
    st.lists(st.sets(st.sampled_from(["BALE", "BAL", "SAYING", "LEAVES", "LEAF"])), max_size=2),
)
def test_stems_found_in_bulk_match_those_found_one_by_one(
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
