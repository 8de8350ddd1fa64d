"""What words mean, and what inflected ones are made of."""

import zipfile
from pathlib import Path

import pytest

from xwtui.clues.glosses import Form, Glosses, PartOfSpeech, shipped_glosses
from xwtui.errors import WordListError
from xwtui.resources import glosses_file


@pytest.mark.parametrize(
    ("word", "base", "form"),
    [
        ("AXLE", "AXLE", None),
        ("AXLES", "AXLE", Form.PLURAL),
        ("OXEN", "OX", Form.PLURAL),
        ("FIREMEN", "FIREMAN", Form.PLURAL),
        ("WENT", "GO", Form.PAST),
        ("CARRIED", "CARRY", Form.PAST),
        ("CARRIES", "CARRY", Form.THIRD_PERSON),
        ("PLANNING", "PLAN", Form.ING),
        ("BAKED", "BAKE", Form.PAST),
        ("HAPPIEST", "HAPPY", Form.SUPERLATIVE),
        ("BETTER", "GOOD", Form.COMPARATIVE),
        ("WORST", "BAD", Form.SUPERLATIVE),
        ("WERE", "BE", Form.OTHER),
        ("KICKEDTHEBUCKET", "KICKTHEBUCKET", Form.PAST),
        ("WISDOMTEETH", "WISDOMTOOTH", Form.PLURAL),
    ],
)
def test_words_and_their_bases(word: str, base: str, form: Form | None) -> None:
    found = {(one.base, one.form): one.senses for one in shipped_glosses().definitions(word)}
    assert found[base, form]


@pytest.mark.parametrize("word", ["XQZW", "", "A" * 200, "ZZ", "1"])
def test_what_wordnet_does_not_have(word: str) -> None:
    assert all(one.senses for one in shipped_glosses().definitions(word))


def test_the_commonest_sense_comes_first_with_its_words() -> None:
    (definition, *_) = shipped_glosses().definitions("CAR")
    sense = definition.senses[0]
    assert sense.part is PartOfSpeech.NOUN
    assert sense.words[:2] == ("car", "auto")
    assert sense.gloss.startswith("a motor vehicle with four wheels")


def test_every_number_leads_to_a_sense() -> None:
    """The file as a whole: each word is found by itself, each sense has a gloss."""
    glosses = shipped_glosses()
    with zipfile.ZipFile(glosses_file()) as archive:
        names = [name for name in archive.namelist() if name.startswith("words/Q")]
        words = [line.split("\t")[0] for name in names for line in archive.read(name).decode().splitlines()]
    assert len(words) > 500
    for word in words:
        (own, *_) = glosses.definitions(word)
        assert own.form is None
        assert all(sense.gloss for sense in own.senses), word


def test_quotes_are_plain() -> None:
    glosses = [sense.gloss for one in shipped_glosses().definitions("BETTER") for sense in one.senses]
    assert any(gloss.startswith('(comparative of "good")') for gloss in glosses)
    assert not any("`" in gloss for gloss in glosses)


def test_a_file_that_is_missing_or_damaged(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="cannot read the glosses"):
        Glosses(tmp_path / "none.zip").definitions("AXLE")
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    with pytest.raises(WordListError, match="cannot read the glosses"):
        Glosses(tmp_path / "bad.zip").definitions("AXLE")
