"""A word list, and text as words: normalised, spelled, cut."""

import pickle
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import words as naive_words
from tests.words.strategies import scored_words, words
from xwtui.errors import WordListError
from xwtui.model.alphabet import Alphabet
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, KNOWN_LETTERS
from xwtui.text import ELLIPSIS, printable, typed
from xwtui.words.alphabets import find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import codes_word, enumeration_of, is_word, normalise, word_codes
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


@given(st.text(st.characters()), st.integers(1, 20))
def test_any_text_is_shown_within_its_limit_and_without_controls(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert shown.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert len(shown) <= limit
    assert len(text) <= limit or shown.endswith(ELLIPSIS)


def test_plain_text_stays_as_it_is() -> None:
    assert printable("Crème brûlée 日本") == "Crème brûlée 日本"


def test_controls_and_direction_marks_are_escaped() -> None:
    assert printable("a\x1b[2Jb\u202ec\nd") == "a\\x1b[2Jb\\u202ec\\nd"


FAMILY = "👩\u200d👩\u200d👧"
PRIDE = "🏳\ufe0f\u200d🌈"


@pytest.mark.parametrize("text", [FAMILY, f"{PRIDE} is one flag", "नि\u200dष्ठा", "می\u200cخواهم"])
def test_what_joins_characters_into_one_sign_stays(text: str) -> None:
    assert typed(text) == text
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\u200d👩", "👩"),
        ("👩\u200d", "👩"),
        ("👩\u200d\u200d👩", "👩👩"),
        ("👩\u200d\x1b\u202e👩", "👩\u200d👩"),
        ("pay\u200dpal", "paypal"),
        ("a\x07b\x1b[2J\n ", "ab[2J"),
        ("👩 \u200d 👩", "👩  👩"),
    ],
)
def test_what_joins_nothing_goes_with_the_control_characters(text: str, kept: str) -> None:
    assert typed(text) == kept


@given(st.text(st.sampled_from(["👩", "\u200d", "\u200c", "a", "\x1b", "\u202e", " ", "é"])))
def test_typed_text_has_nothing_more_to_lose(text: str) -> None:
    assert typed(typed(text)) == typed(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Crème brûlée", "CREMEBRULEE"),
        (unicodedata.normalize("NFD", "Crème brûlée"), "CREMEBRULEE"),
        ("oreo", "OREO"),
        ("don't", "DONT"),
        ("don’t", "DONT"),
        ("R2-D2", "R2D2"),
        ("AT&T", "ATT"),
        ("Straße", "STRASSE"),
        ("STRAẞE", "STRASSE"),
        ("Æon flux", "AEONFLUX"),
        ("œuvre", "OEUVRE"),
        ("Łódź", "LODZ"),
        ("Þórr", "THORR"),
        ("Øresund", "ORESUND"),
        ("Đà Nẵng", "DANANG"),
        ("ﬁn", "FIN"),
        ("Ａ１", "A1"),
        ("İzmir ılık", "IZMIRILIK"),
        ("ʻokina", "OKINA"),
        ("soft\u00adhyphen", "SOFTHYPHEN"),
        ("tab\tand\nline", "TABANDLINE"),
        ("50¢", "50"),
        ("catch 22", "CATCH22"),
    ],
)
def test_a_text_becomes_the_word_it_spells(text: str, word: str) -> None:
    assert normalise(text) == word


@pytest.mark.parametrize("text", ["Ωmega", "слово", "日本", "אב", "a\u0660b"])
def test_other_alphabets_are_refused(text: str) -> None:
    with pytest.raises(WordListError, match="which English lacks"):
        normalise(text)


@pytest.mark.parametrize("text", ["a\x1b[31mb", "a\0b", "a\x07", "a\udc80b", "a\ue000b"])
def test_control_and_private_characters_are_refused_and_not_shown(text: str) -> None:
    with pytest.raises(WordListError, match="which no word can have") as caught:
        normalise(text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["", " ", "--", "¡!", "\u00ad"])
def test_nothing_left_is_refused(text: str) -> None:
    with pytest.raises(WordListError, match="no letters or digits"):
        normalise(text)


def test_a_message_is_short_for_a_long_text() -> None:
    with pytest.raises(WordListError) as caught:
        normalise("Ω" * 100_000)
    assert len(str(caught.value)) < 200


def word_or_message(text: str) -> tuple[str, str]:
    try:
        return normalise(text), ""
    except WordListError as error:
        return "", str(error)


@given(st.text())
def test_any_text_gives_a_word_or_a_message(text: str) -> None:
    word, message = word_or_message(text)
    assert bool(word) != bool(message)
    assert message.isprintable()
    assert set(word) <= set(ENGLISH_LETTERS + DIGITS)
    assert not word or normalise(word) == word


@given(st.text(KNOWN_LETTERS, min_size=1))
def test_codes_are_the_word_again(word: str) -> None:
    codes = word_codes(word)
    assert codes.dtype == np.uint8
    assert codes.tolist() == [KNOWN_LETTERS.index(character) for character in word]
    assert codes_word(codes) == word


@pytest.mark.parametrize("text", ["a", "A B", "€", "?", "A\0"])
def test_codes_are_for_normalised_words_only(text: str) -> None:
    assert not is_word(text)
    with pytest.raises(WordListError):
        word_codes(text)
