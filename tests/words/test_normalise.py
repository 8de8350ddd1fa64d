"""Text as words: normalised, spelled, cut."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.errors import WordListError
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, KNOWN_LETTERS
from xwtui.text import ELLIPSIS, printable, typed
from xwtui.words.normalise import codes_word, is_word, normalise, word_codes


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
