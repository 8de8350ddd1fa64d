"""Word lists and alphabets: normalizing, spelling and truncating text, and treatment of other letters."""

import pickle
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import scored_words, words
from tests.naive import words as naive_words
from xwtui.errors import PuzzleError, WordListError
from xwtui.model.alphabet import ENGLISH, MOST_SYMBOLS, Alphabet, alphabet_fields, alphabet_of
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, KNOWN_LETTERS, are_known, capital, small
from xwtui.text import ELLIPSIS, printable, typed
from xwtui.words import alphabets
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.finding import WordQuery, find_words
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import (
    codes_word,
    decode,
    encode,
    enumeration_of,
    normalise,
    normalise_answer,
    recording_folds,
    spell,
    word_codes,
)
from xwtui.words.reader import FoldedLetter, read_word_list
from xwtui.words.word_list import WordList


@given(scored_words)
def test_a_list_contains_what_it_was_made_of(scores: dict[str, int]) -> None:
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
def test_lookup_agrees_with_a_dictionary(scores: dict[str, int], word: str) -> None:
    word_list = WordList.from_scores("mine", scores)
    assert word_list.score(word) == scores.get(word)
    assert (word in word_list) == (word in scores)
    assert all(word_list.score(listed) == score for listed, score in scores.items())


@pytest.mark.parametrize("text", ["", "a", "aa", "A?", "ÉA", "A\0", "B" * 1000])
def test_non_words_are_not_in_a_list(text: str) -> None:
    word_list = WordList.from_scores("mine", {"AA": 1, "B": 2})
    assert word_list.score(text) is None
    assert text not in word_list
    assert 7 not in word_list


@given(scored_words, scored_words)
def test_fingerprints_depend_on_contents(first: dict[str, int], second: dict[str, int]) -> None:
    one, other = WordList.from_scores("a", first), WordList.from_scores("b", second)
    assert (one.fingerprint == other.fingerprint) == (first == second)


def test_a_list_is_immutable() -> None:
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
def test_words_split_into_parts(written: str, expected: str | None) -> None:
    found = enumeration_of(written)
    assert (found and str(found)) == expected


def test_a_digraph_is_one_letter() -> None:
    spanish: Alphabet = find_alphabet("spanish-ch-ll")
    assert str(enumeration_of("coche cama", spanish)) == "4,4"
    assert enumeration_of("mac hino", spanish) is None


def told(lexicon: Lexicon, word: str) -> list[str]:
    return [str(each) for each in lexicon.enumerations(word)]


def test_a_list_stores_how_its_words_are_written() -> None:
    words = read_word_list(LIST.encode(), "mine").word_list
    other = read_word_list(b"ICECREAM;10\nNOTA BLE;5\n", "other").word_list
    for layer in (words, pickle.loads(pickle.dumps(words))):
        lexicon = Lexicon.build([other, layer])
        assert told(lexicon, "ICECREAM") == ["3,5"]
        assert told(lexicon, "NOTABLE") == ["4,3", "2,5", "3,4"]
        assert told(lexicon, "RESIGN") == ["2-4"]
        assert told(lexicon, "ABLE") == told(lexicon, "NONE") == []
    assert words.fingerprint == read_word_list(LIST.replace(" ", "").encode(), "mine").word_list.fingerprint


def test_a_list_without_special_spellings_stores_none() -> None:
    assert not read_word_list(b"ABLE;70\nAXLE;50\n", "plain").word_list.parted_rows


def test_a_compiled_list_stores_spellings_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.words.compiled_lists.SMALLEST_COMPILED", 0)
    path, cache = tmp_path / "mine.txt", tmp_path / "cache"
    monkeypatch.setattr("xwtui.words.compiled_lists.cache_folder", lambda: cache)
    path.write_text("USSR;40;abbreviation\n" + LIST, encoding="utf-8")
    for _ in range(2):
        words = open_word_list(path).word_list
        assert (words.enumerations("ICECREAM"), words.tags("USSR")) == (("3,5",), ("abbreviation",))
        assert words.enumerations("OCLOCK") == ("1'5",)
        del words
    assert len(list(cache.iterdir())) == 1


@given(st.text(st.characters()), st.integers(1, 20))
def test_displayed_text_is_truncated_and_has_no_control_characters(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert shown.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert len(shown) <= limit
    assert len(text) <= limit or shown.endswith(ELLIPSIS)


def test_plain_text_is_unchanged_and_control_characters_are_escaped() -> None:
    assert printable("Crème brûlée 日本") == "Crème brûlée 日本"
    assert printable("a\x1b[2Jb\u202ec\nd") == "a\\x1b[2Jb\\u202ec\\nd"


FAMILY = "👩\u200d👩\u200d👧"
PRIDE = "🏳\ufe0f\u200d🌈"


@pytest.mark.parametrize("text", [FAMILY, f"{PRIDE} is one flag", "नि\u200dष्ठा", "می\u200cخواهم"])
def test_joiners_inside_one_symbol_are_kept(text: str) -> None:
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
def test_joiners_without_effect_are_removed(text: str, kept: str) -> None:
    assert typed(text) == kept


@given(st.text(st.sampled_from(["👩", "\u200d", "\u200c", "a", "\x1b", "\u202e", " ", "é"])))
def test_cleaning_typed_text_is_idempotent(text: str) -> None:
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


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["Ωmega", "слово", "日本", "אב", "a\u0660b", "Ω" * 100_000], "which English lacks"),
        (["a\x1b[31mb", "a\0b", "a\x07", "a\udc80b", "a\ue000b"], "which no word can have"),
        (["", " ", "--", "¡!", "\u00ad"], "no letters or digits"),
    ],
)
def test_text_without_a_word_is_refused_in_a_displayable_message(texts: list[str], message: str) -> None:
    for text in texts:
        with pytest.raises(WordListError, match=message) as caught:
            normalise(text)
        assert str(caught.value).isprintable()
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
def test_codes_convert_back_to_the_word(word: str) -> None:
    codes = word_codes(word)
    assert codes.dtype == np.uint8
    assert codes.tolist() == [KNOWN_LETTERS.index(character) for character in word]
    assert codes_word(codes) == word


@pytest.mark.parametrize("text", ["a", "A B", "€", "?", "A\0"])
def test_codes_are_for_normalised_words_only(text: str) -> None:
    assert not are_known(text)
    with pytest.raises(WordListError):
        word_codes(text)


NAMES = alphabet_names()
every_alphabet = pytest.mark.parametrize("name", NAMES)


def test_all_shipped_alphabets_are_found_and_english_is_first() -> None:
    assert NAMES[0] == "english"
    assert {"swedish", "german", "german-ae", "spanish", "spanish-ch-ll", "french", "portuguese"} < {*NAMES}
    assert {"dutch", "dutch-i-j", "danish", "norwegian", "polish", "czech", "greek", "cyrillic"} < {*NAMES}
    assert find_alphabet("English ") == ENGLISH


@every_alphabet
def test_an_alphabet_is_data_that_fits_in_a_square(name: str) -> None:
    alphabet = find_alphabet(name)
    assert alphabet_of(name, alphabet_fields(alphabet)) == alphabet
    assert len(alphabet.symbols) + len(alphabet.digraphs) <= MOST_SYMBOLS
    assert all(capital(small(letter)) == letter for letter in alphabet.symbols if letter.isalpha())


@every_alphabet
def test_words_in_the_alphabet_are_unchanged(name: str) -> None:
    alphabet = find_alphabet(name)
    word = alphabet.symbols
    assert spell(word.lower(), alphabet) == (word, ())
    assert decode(encode(word)) == word


@given(st.sampled_from(NAMES), st.text(st.characters(max_codepoint=0x52F), min_size=1, max_size=12))
def test_spelled_text_is_in_the_alphabet_and_idempotent(name: str, text: str) -> None:
    alphabet = find_alphabet(name)
    try:
        word, folded = spell(text, alphabet)
    except WordListError:
        return
    assert word
    assert set(word) <= set(alphabet.symbols)
    assert spell(word, alphabet) == (word, ())
    lost = {capital(c) for c in text if c.isalpha()} - {letter for letter, _ in folded} - set(alphabet.symbols)
    assert not {letter for letter in lost if len(letter) == 1 and letter in KNOWN_LETTERS}, "folded in silence"


@pytest.mark.parametrize(
    ("name", "text", "word", "folded"),
    [
        ("english", "Måne", "MANE", {"Å": "A"}),
        ("swedish", "Måne", "MÅNE", {}),
        ("swedish", "idé, Müller", "IDEMYLLER", {"É": "E", "Ü": "Y"}),
        ("danish", "Ångström", "ÅNGSTRØM", {"Ö": "Ø"}),
        ("german", "Größe", "GRÖSSE", {"ß": "SS"}),
        ("german-ae", "Größe", "GROESSE", {"Ö": "OE", "ß": "SS"}),
        ("spanish", "niñó", "NIÑO", {"Ó": "O"}),
        ("french", "l'œuvre", "LOEUVRE", {"Œ": "OE"}),
        ("dutch", "ĳs", "IJS", {}),
        ("greek", "ρυθμός", "ΡΥΘΜΟΣ", {"Ό": "Ο"}),
        ("cyrillic", "ёж", "ЕЖ", {"Ё": "Е"}),
        ("polish", "żółw", "ŻÓŁW", {}),
    ],
)
def test_other_letters_are_written_by_convention(name: str, text: str, word: str, folded: dict[str, str]) -> None:
    assert spell(text, find_alphabet(name)) == (word, tuple(folded.items()))


def test_a_letter_without_a_form_is_refused_with_the_available_letters() -> None:
    with pytest.raises(
        WordListError, match="'Ж', which Swedish lacks: its words are spelled with A-Z Å Ä Ö and 0-9"
    ):
        normalise("ЖУК", find_alphabet("swedish"))
    with pytest.raises(WordListError, match="'A', which Greek lacks"):
        normalise("A", find_alphabet("greek"))


def test_folds_are_recorded_on_request() -> None:
    with recording_folds() as folds:
        assert normalise("Niño") == "NINO"
        with recording_folds() as inner:
            assert normalise("Måne") == "MANE"
    assert folds == {"Ñ": "N"}
    assert inner == {"Å": "A"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [("Chile", "[CH]ILE"), ("la llave", "LA [LL]AVE"), ("[C]hile", "[C]HILE"), ("x/times", "X/TIMES")],
)
def test_digraphs_of_an_answer_take_one_square(text: str, answer: str) -> None:
    assert normalise_answer(text, find_alphabet("spanish-ch-ll")) == answer
    assert normalise_answer("Chile") == "CHILE"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"title": "X"}, "an alphabet has a `title`"),
        ({"title": "X", "letters": "A A"}, "repeated or impossible"),
        ({"title": "X", "letters": "A 1"}, "repeated or impossible"),
        ({"title": "X", "letters": "A a"}, "repeated or impossible"),
        ({"title": "X", "letters": "A CH"}, "lacks letters of 'CH'"),
        ({"title": "X", "letters": "A B", "folds": {"A": "B"}}, "cannot write 'B' for 'A'"),
        ({"title": "X", "letters": "A B", "folds": {"C": "D"}}, "cannot write 'D' for 'C'"),
        ({"title": "X\x1b", "letters": "A B"}, "a lowercase name"),
        (
            {"title": "X", "letters": " ".join(KNOWN_LETTERS[36:100])},
            "74 letters and digits; the filler supports at most 64",
        ),
    ],
)
def test_invalid_alphabets_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        alphabet_of("x", fields)


def test_user_alphabets_take_precedence_over_shipped_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabets, "user_alphabets_folder", lambda: tmp_path)
    (tmp_path / "swedish.toml").write_text('title = "Mine"\nletters = "A B Å"\n', encoding="utf-8")
    (tmp_path / "broken.toml").write_text("title", encoding="utf-8")
    assert find_alphabet("swedish") == Alphabet("swedish", "Mine", ("A", "B", "Å"))
    assert "broken" in alphabet_names()
    with pytest.raises(WordListError, match=r"broken\.toml"):
        find_alphabet("broken")
    for name in ("klingon", "../profiles/mini", ""):
        with pytest.raises(WordListError, match="there is no alphabet"):
            find_alphabet(name)


def test_a_list_reports_its_alphabet_and_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.words.compiled_lists.cache_folder", lambda: tmp_path / "cache")
    data = "# alphabet: swedish\nMåne;50\nÅl\nidé\nmane;60\nЖук\n".encode()
    english = read_word_list(data, "sv")
    assert dict(english.word_list) == {"AL": 50, "IDE": 50, "MANE": 60}
    assert english.alphabet == "swedish"
    assert english.folded == (FoldedLetter("Å", "A", 2), FoldedLetter("É", "E", 1))
    assert [bad.number for bad in english.bad_lines] == [6]
    swedish = read_word_list(data, "sv", alphabet=find_alphabet("swedish"))
    assert dict(swedish.word_list) == {"ÅL": 50, "IDE": 50, "MANE": 60, "MÅNE": 50}
    path = tmp_path / "sv.txt"
    path.write_bytes(data + b"".join(b"AA%c%c\n" % (65 + n // 26, 65 + n % 26) for n in range(600)) * 30)
    for alphabet in (ENGLISH, find_alphabet("swedish")) * 2:
        read = open_word_list(path, alphabet=alphabet)
        assert read.folded == (english if alphabet == ENGLISH else swedish).folded
        assert ("MÅNE" in read.word_list) == (alphabet != ENGLISH)
        assert read.alphabet == "swedish"


@given(st.data())
def test_words_of_equal_score_are_in_alphabet_order(data: st.DataObject) -> None:
    alphabet = find_alphabet(
        data.draw(st.sampled_from(["swedish", "danish", "spanish", "german", "czech", "greek"]))
    )
    letters = "".join(each for each in alphabet.symbols if each not in "0123456789")
    words = data.draw(st.lists(st.text(letters, min_size=3, max_size=3), min_size=2, unique=True))
    lexicon = Lexicon.build([WordList.from_scores("list", dict.fromkeys(words, 50))], alphabet=alphabet)
    found = [one.word for one in find_words(lexicon, WordQuery((("*",),)), 99).words]
    assert found == lexicon.table(3).words() == sorted(words, key=alphabet.sort_key)
    assert all(_before(one, other, letters) for one, other in pairwise(found))
    pattern = f"?{words[0][1]}?"
    assert lexicon.matches(pattern) == [word for word in found if word[1] == words[0][1]]


def _before(one: Sequence[str], other: Sequence[str], letters: str) -> bool:
    return [*map(letters.index, one)] < [*map(letters.index, other)]


def test_traditional_order_treats_digraphs_as_letters() -> None:
    words = ["CUNA", "CHAL", "LUNA", "LLAVE", "ÑU", "NUDO", "OSO"]
    key = find_alphabet("spanish-ch-ll").sort_key
    assert sorted(words, key=key) == ["CUNA", "CHAL", "LUNA", "LLAVE", "NUDO", "ÑU", "OSO"]
