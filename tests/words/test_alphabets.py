"""Alphabets: the letters of puzzles and lists, what becomes of others, and how words come in their order."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.errors import PuzzleError, WordListError
from xwtui.model.alphabet import ENGLISH, MOST_SYMBOLS, Alphabet, alphabet_fields, alphabet_of
from xwtui.model.letters import KNOWN_LETTERS, capital, small
from xwtui.words import alphabets
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.finding import WordQuery, find_words
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import decode, encode, normalise, normalise_answer, noting_folds, spell
from xwtui.words.reader import FoldedLetter, read_word_list
from xwtui.words.word_list import WordList

NAMES = alphabet_names()
every_alphabet = pytest.mark.parametrize("name", NAMES)


def test_all_that_ships_are_found_and_english_is_first() -> None:
    assert NAMES[0] == "english"
    assert {"swedish", "german", "german-ae", "spanish", "spanish-ch-ll", "french", "portuguese"} < {*NAMES}
    assert {"dutch", "dutch-i-j", "danish", "norwegian", "polish", "czech", "greek", "cyrillic"} < {*NAMES}
    assert find_alphabet("English ") == ENGLISH


@every_alphabet
def test_an_alphabet_is_data_with_room_in_a_square(name: str) -> None:
    alphabet = find_alphabet(name)
    assert alphabet_of(name, alphabet_fields(alphabet)) == alphabet
    assert len(alphabet.symbols) + len(alphabet.digraphs) <= MOST_SYMBOLS
    assert all(capital(small(letter)) == letter for letter in alphabet.symbols if letter.isalpha())


@every_alphabet
def test_its_own_words_stay_as_they_are(name: str) -> None:
    alphabet = find_alphabet(name)
    word = alphabet.symbols
    assert spell(word.lower(), alphabet) == (word, ())
    assert decode(encode(word)) == word


@given(st.sampled_from(NAMES), st.text(st.characters(max_codepoint=0x52F), min_size=1, max_size=12))
def test_what_is_spelled_is_of_the_alphabet_and_spells_itself(name: str, text: str) -> None:
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
def test_letters_that_it_lacks_are_written_by_convention(
    name: str, text: str, word: str, folded: dict[str, str]
) -> None:
    assert spell(text, find_alphabet(name)) == (word, tuple(folded.items()))


def test_a_letter_without_any_form_is_refused_with_the_letters_that_there_are() -> None:
    with pytest.raises(
        WordListError, match="'Ж', which Swedish lacks: its words are spelled with A-Z Å Ä Ö and 0-9"
    ):
        normalise("ЖУК", find_alphabet("swedish"))
    with pytest.raises(WordListError, match="'A', which Greek lacks"):
        normalise("A", find_alphabet("greek"))


def test_folds_are_noted_for_whoever_asks() -> None:
    with noting_folds() as folds:
        assert normalise("Niño") == "NINO"
        with noting_folds() as inner:
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
def test_what_is_no_alphabet_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        alphabet_of("x", fields)


def test_an_alphabet_of_ones_own_goes_before_those_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_list_tells_its_alphabet_and_what_was_folded(tmp_path: Path) -> None:
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
        read = open_word_list(path, tmp_path / "cache", alphabet=alphabet)
        assert read.folded == (english if alphabet == ENGLISH else swedish).folded
        assert ("MÅNE" in read.word_list) == (alphabet != ENGLISH)
        assert read.alphabet == "swedish"


@given(st.data())
def test_words_of_one_score_come_in_the_order_of_the_alphabet(data: st.DataObject) -> None:
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


def test_the_traditional_order_has_digraphs_as_letters() -> None:
    words = ["CUNA", "CHAL", "LUNA", "LLAVE", "ÑU", "NUDO", "OSO"]
    key = find_alphabet("spanish-ch-ll").sort_key
    assert sorted(words, key=key) == ["CUNA", "CHAL", "LUNA", "LLAVE", "NUDO", "ÑU", "OSO"]
