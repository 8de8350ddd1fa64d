"""Hunspell dictionaries: their forms, and the lists that are built of them with what they tell."""

from pathlib import Path

import pytest

from tests.known import known
from xwtui.errors import WordListError
from xwtui.words.alphabets import find_alphabet
from xwtui.words.hunspell import LANGUAGES, Language, build, find_language, list_lines, read_forms
from xwtui.words.reader import read_word_list

DICTIONARY = Path(__file__).with_name("hunspell") / "xx_XX.dic"
OURS = Language("xx", "swedish", ("xx_XX.dic",), "ours", "our own")


def test_forms_are_words_with_suffixes_one_upon_another() -> None:
    forms = {form.text: form.is_base for form in read_forms(DICTIONARY)}
    assert {text for text, is_base in forms.items() if not is_base} == {
        "måner",
        "flickor",
        "års",
        "årsens",
        "gröto",
    }
    assert {"måne", "flicka", "år", "rå", "gröte", "Åsa", "stam", "USA"} < forms.keys()
    assert not {"fel", "del", "rået", "l'flicka"} & forms.keys()


def test_scores_are_what_the_dictionary_tells() -> None:
    built = known(build(OURS, DICTIONARY, find_alphabet("swedish")))
    assert built.scores == {
        **dict.fromkeys(["MÅNE", "FLICKA", "ÅR", "RÅ", "GRÖTE", "STAM"], 60),
        **dict.fromkeys(["MÅNER", "FLICKOR", "ÅRS", "ÅRSENS"], 50),
        "GRÖTO": 35,
        "ÅSA": 30,
        "OHARA": 30,
        "USA": 20,
        "SVOR": 10,
    }
    assert built.passed_over == 2
    read = read_word_list(
        "\n".join(list_lines(built, OURS, DICTIONARY)).encode(), "xx", alphabet=find_alphabet("swedish")
    )
    assert dict(read.word_list) == built.scores
    assert (read.alphabet, read.folded, read.bad_count, read.is_guessed) == ("swedish", (), 0, False)


def test_a_capital_is_no_name_where_nouns_have_one() -> None:
    german = Language("xx", "swedish", (), "", "", has_capital_nouns=True)
    built = known(build(german, DICTIONARY, find_alphabet("swedish")))
    assert built.scores["ÅSA"] == 60


def test_a_text_of_words_and_other_codings_and_forms_of_flags(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("niño\nñu\n3D\n", encoding="utf-8")
    assert [form.text for form in read_forms(tmp_path / "plain.txt")] == ["niño", "ñu", "3D"]
    rules = "SET ISO8859-1\nFLAG long\nAF 1\nAF AaBb\nSFX Aa Y 1\nSFX Aa 0 s .\nSFX Bb Y 1\nSFX Bb (( x .\n"
    (tmp_path / "old.aff").write_text(rules, encoding="latin-1")
    (tmp_path / "old.dic").write_text("1\nseñor/1\n", encoding="latin-1")
    assert {form.text for form in read_forms(tmp_path / "old.dic")} == {"señor", "señors"}
    (tmp_path / "old.aff").write_text("SET UTF-8\nFLAG num\nSFX 12 Y 1\nSFX 12 0 s .\n", encoding="utf-8")
    (tmp_path / "old.dic").write_text("1\nrat/7,12\n", encoding="utf-8")
    assert {form.text for form in read_forms(tmp_path / "old.dic")} == {"rat", "rats"}


def test_what_cannot_be_built_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match=r"x\.aff cannot be read"):
        list(read_forms(tmp_path / "x.dic"))
    (tmp_path / "x.aff").write_bytes(b"SET UTF-8\n")
    (tmp_path / "x.dic").write_bytes(b"1\n\xff\xfe\n")
    with pytest.raises(WordListError, match="is not text in UTF-8"):
        list(read_forms(tmp_path / "x.dic"))
    (tmp_path / "x.dic").write_bytes(b"1\n3D\n")
    with pytest.raises(WordListError, match="has no words in Swedish"):
        build(OURS, tmp_path / "x.dic", find_alphabet("swedish"))
    with pytest.raises(WordListError, match="there is no language 'xx'; there are sv"):
        find_language("xx")
    with pytest.raises(WordListError, match="no dictionary of xx is installed: use `apt install ours`"):
        _ = Language("xx", "swedish", ("no-such.dic",), "ours", "").source
    assert build(OURS, DICTIONARY, find_alphabet("swedish"), lambda: True) is None


def test_every_language_has_its_alphabet() -> None:
    for language in LANGUAGES.values():
        assert find_alphabet(language.alphabet).language == language.alphabet
        assert find_language(language.alphabet.upper()) is language
