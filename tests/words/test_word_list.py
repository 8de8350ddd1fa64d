"""A word list, and how its words are written."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.naive import words as naive_words
from tests.words.strategies import scored_words, words
from xwtui.model.alphabet import Alphabet
from xwtui.words.alphabets import find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import enumeration_of
from xwtui.words.reader import read_word_list
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


LIST = "ICE CREAM;60\nRE-SIGN;50\nRESIGN;50\nO'CLOCK;40\nABLE;70\nNOT ABLE;30\nNO TABLE;20\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("ice cream", "3,5"),
        ("jack-in-the-box", "4-2-3-3"),
        ("o’clock", "1'5"),
        ("rock 'n' roll", "4,1,4"),
        ("R & B", "1,1"),
        ("U.S.A.", "1.1.1"),
        ("crème brûlée", "5,6"),
        ("ice_cream!", "3,5"),
        ("ÉTÉ ☃ AB", "3,2"),
        ("able", None),
        (" able ", None),
        ("'tis", None),
        ("what?", None),
    ],
)
def test_parts(written: str, expected: str | None) -> None:
    found = enumeration_of(written)
    assert (found and str(found)) == expected


def test_a_digraph_is_one_letter() -> None:
    spanish: Alphabet = find_alphabet("spanish-ch-ll")
    assert str(enumeration_of("coche cama", spanish)) == "4,4"
    assert enumeration_of("mac hino", spanish) is None


def told(lexicon: Lexicon, word: str) -> list[str]:
    return [str(each) for each in lexicon.enumerations(word)]


def test_a_list_keeps_how_its_words_are_written() -> None:
    words = read_word_list(LIST.encode(), "mine").word_list
    other = read_word_list(b"ICECREAM;10\nNOTA BLE;5\n", "other").word_list
    for layer in (words, pickle.loads(pickle.dumps(words))):
        lexicon = Lexicon.build([other, layer])
        assert told(lexicon, "ICECREAM") == ["3,5"]
        assert told(lexicon, "NOTABLE") == ["4,3", "2,5", "3,4"]
        assert told(lexicon, "RESIGN") == ["2-4"]
        assert told(lexicon, "ABLE") == told(lexicon, "NONE") == []
    assert words.fingerprint == read_word_list(LIST.replace(" ", "").encode(), "mine").word_list.fingerprint


def test_a_list_without_such_words_keeps_nothing() -> None:
    assert not read_word_list(b"ABLE;70\nAXLE;50\n", "plain").word_list.parted_rows


def test_a_compiled_list_has_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.words.compiled_lists.SMALLEST_COMPILED", 0)
    path, cache = tmp_path / "mine.txt", tmp_path / "cache"
    path.write_text("USSR;40;abbreviation\n" + LIST, encoding="utf-8")
    for _ in range(2):
        words = open_word_list(path, cache).word_list
        assert (words.enumerations("ICECREAM"), words.tags("USSR")) == (("3,5",), ("abbreviation",))
        assert words.enumerations("OCLOCK") == ("1'5",)
        del words
    assert len(list(cache.iterdir())) == 1
