"""Theme answers and tags."""

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.words.strategies import scored_words, words
from xwtui.model.alphabet import ENGLISH
from xwtui.words import compiled_lists
from xwtui.words.alphabets import find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import noting_folds
from xwtui.words.reader import MOST_TAGS, read_word_list
from xwtui.words.theme_answers import read_answers
from xwtui.words.word_list import WordList

LINES = "LO[CAT]ION SCOUT;60\nDéjà [VU] café;50\nPLAIN;40\n"
ANSWERS = ("LO[CAT]IONSCOUT", "DEJA[VU]CAFE", "PLAIN")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_in_other_encodings_keep_their_rebus_squares(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(LINES.encode(encoding))
    assert read_answers([str(path)], ENGLISH) == ANSWERS


def test_a_packed_file_keeps_its_rebus_squares(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(gzip.compress(LINES.encode()))
    assert read_answers([str(path)], ENGLISH) == ANSWERS


def test_words_and_files_are_read_in_an_alphabet_and_what_it_lacks_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_text("MÅNE;50\nÉcu;40\nX[Å]Z;30\n")
    with noting_folds() as folds:
        assert read_answers([str(path), "Bålé"], find_alphabet("swedish")) == ("MÅNE", "ECU", "X[Å]Z", "BÅLE")
    assert folds == {"É": "E"}
    with noting_folds() as folds:
        assert read_answers([str(path)], ENGLISH) == ("MANE", "ECU", "X[A]Z")
    assert folds == {"Å": "A", "É": "E"}


def test_digraphs_of_the_alphabet_take_one_square(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_text("IJSBEER;50\n")
    assert read_answers([str(path), "ijs"], find_alphabet("dutch")) == ("[IJ]SBEER", "[IJ]S")


tags = st.sampled_from(["abbreviation", "name", "x-ray"])
tagged_words = st.dictionaries(tags, st.frozensets(words, max_size=8), max_size=3)


def read(text: str) -> WordList:
    return read_word_list(text.encode(), "mine.dict").word_list


def test_the_third_field_tags_a_word() -> None:
    word_list = read("USSR;40;abbreviation,name\nOBOE;60\nanna;50;Name\nÉCU;30; abbreviation ;2020\n")
    assert dict(word_list) == {"USSR": 40, "OBOE": 60, "ANNA": 50, "ECU": 30}
    assert word_list.tags("USSR") == ("abbreviation", "name")
    assert word_list.tags("ANNA") == ("name",)
    assert word_list.tags("ECU") == ("abbreviation",)
    assert word_list.tags("OBOE") == word_list.tags("TUBA") == word_list.tags("OBOES") == ()


@pytest.mark.parametrize("field", ["", "a note on it", "name,", "12", "Ré", "x" * 31, "a;b;c"[1:]])
def test_a_third_field_of_another_form_is_ignored(field: str) -> None:
    word_list = read(f"USSR;40;{field}\nOBOE;60\n")
    assert dict(word_list) == {"USSR": 40, "OBOE": 60}
    assert word_list.tag_rows == {}


def test_tabs_part_the_fields_too() -> None:
    assert read("USSR\t40\tname\nOBOE\t60\n").tags("USSR") == ("name",)


def test_a_word_that_stands_twice_has_all_its_tags() -> None:
    word_list = read("USSR;40;name\nussr;50;abbreviation\nU.S.S.R.;30;state\n")
    assert word_list.score("USSR") == 50
    assert word_list.tags("USSR") == ("abbreviation", "name", "state")


def test_a_third_field_that_is_another_one_on_each_line_does_not_fill_the_memory() -> None:
    word_list = read("".join(f"WORD{number};50;t{number}\n" for number in range(1000)))
    assert len(word_list) == 1000
    assert len(word_list.tag_rows) == MOST_TAGS


@given(scored_words, tagged_words)
def test_tags_agree_with_a_dictionary(scores: dict[str, int], by_tag: Mapping[str, frozenset[str]]) -> None:
    word_list = WordList.from_scores("mine", scores, by_tag)
    for word in scores:
        assert word_list.tags(word) == tuple(sorted(tag for tag, marked in by_tag.items() if word in marked))


@given(scored_words, tagged_words, scored_words, tagged_words, st.integers(0, 100))
def test_a_lexicon_finds_the_rows_of_all_layers(
    first: dict[str, int],
    first_tags: Mapping[str, frozenset[str]],
    second: dict[str, int],
    second_tags: Mapping[str, frozenset[str]],
    minimum: int,
) -> None:
    layers = [WordList.from_scores("a", first, first_tags), WordList.from_scores("b", second, second_tags)]
    lexicon = Lexicon.build(layers, minimum_score=minimum)
    for tag in ("abbreviation", "name", "x-ray"):
        marked = (first_tags.get(tag, frozenset()) & first.keys()) | (
            second_tags.get(tag, frozenset()) & second.keys()
        )
        assert all((tag in lexicon.tags_of(word)) == (word in marked) for word in (*first, *second))
        assert (tag in lexicon.tags) == bool(marked)
        for length in range(2, 7):
            expected = [word in marked for word in lexicon.table(length).words()]
            assert lexicon.tagged(tag, length).tolist() == expected


@given(scored_words, tagged_words, tagged_words)
def test_fingerprints_tell_tags_apart(
    scores: dict[str, int], first: Mapping[str, frozenset[str]], second: Mapping[str, frozenset[str]]
) -> None:
    one, other = WordList.from_scores("a", scores, first), WordList.from_scores("b", scores, second)
    assert (one.fingerprint == other.fingerprint) == all(one.tags(word) == other.tags(word) for word in scores)


def test_compiled_lists_keep_the_tags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "tagged.dict", tmp_path / "cache"
    path.write_text(
        "".join(f"WORD{n};50;{'name' if n % 3 else 'abbreviation,name'}\n" for n in range(5000)), encoding="ascii"
    )
    fresh = open_word_list(path, cache).word_list
    monkeypatch.setattr(
        compiled_lists, "read_word_list", lambda data, name: pytest.fail("the list was read again")
    )
    kept = open_word_list(path, cache).word_list
    assert kept.fingerprint == fresh.fingerprint
    assert kept.tags("WORD3") == ("abbreviation", "name")
    assert kept.tags("WORD4999") == ("name",)
