"""How lists write their words: in which parts, and that it is kept with them."""

import pickle
from pathlib import Path

import pytest

from xwtui.model.alphabet import Alphabet
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list
from xwtui.words.store import open_word_list
from xwtui.words.written_parts import enumeration_of

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
    monkeypatch.setattr("xwtui.words.store.SMALLEST_COMPILED", 0)
    path, cache = tmp_path / "mine.txt", tmp_path / "cache"
    path.write_text("USSR;40;abbreviation\n" + LIST, encoding="utf-8")
    for _ in range(2):
        words = open_word_list(path, cache).word_list
        assert (words.enumerations("ICECREAM"), words.tags("USSR")) == (("3,5",), ("abbreviation",))
        assert words.enumerations("OCLOCK") == ("1'5",)
        del words
    assert len(list(cache.iterdir())) == 1
