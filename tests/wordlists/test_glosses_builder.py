"""The script that makes the file of glosses, on a WordNet of three synsets."""

from pathlib import Path

import pytest
from builder.glosses import write_glosses

from xwtui.clues.glosses import Form, Glosses, PartOfSpeech

LICENCE = "  1 This is a line of the licence.\n"
NOUNS = (
    '00000001 06 n 02 axle 0 axle_tree 0 000 | a shaft on which a wheel rotates; "an axle; a bar"  \n'
    "00000002 06 n 01 Axle(p) 1 000 | a village  \n"
)
VERBS = '00000003 30 v 01 axle 0 000 01 + 02 00 | turn: "they axled"  \n'


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "usr" / "share" / "wordnet"
    folder.mkdir(parents=True)
    files = {
        "data.noun": LICENCE + NOUNS,
        "data.verb": LICENCE + VERBS,
        "data.adj": "",
        "data.adv": "",
        "index.noun": f"{LICENCE}axle n 2 1 @ 2 1 00000001 00000002  \naxle_tree n 1 0 1 0 00000001  \n",
        "index.verb": "axle v 1 0 1 1 00000003  \n",
        "index.adj": "",
        "index.adv": "",
        "noun.exc": "axlen axle\n",
        "verb.exc": "axle axle\n",
        "adj.exc": "",
        "adv.exc": "",
        "cntlist.rev": "axle%2:30:00:: 1 7\naxle%1:06:00:: 1 2\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return tmp_path


def test_what_is_written_is_read(package: Path, tmp_path: Path) -> None:
    target = tmp_path / "glosses.zip"
    assert write_glosses(package, target) == (2, 3)
    glosses = Glosses(target)
    (own,) = glosses.definitions("AXLE")
    assert [(sense.part, sense.words, sense.gloss) for sense in own.senses] == [
        (PartOfSpeech.VERB, ("axle",), "turn"),
        (PartOfSpeech.NOUN, ("axle", "axle tree"), "a shaft on which a wheel rotates"),
        (PartOfSpeech.NOUN, ("Axle",), "a village"),
    ], "what was met most often comes first"
    assert [(one.base, one.form) for one in glosses.definitions("AXLEN")] == [("AXLE", Form.PLURAL)]
    assert [one.base for one in glosses.definitions("AXLETREES")] == ["AXLETREE"]


def test_the_same_sources_give_the_same_file(package: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_glosses(package, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
