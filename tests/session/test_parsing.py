"""Lines cut into words, and keys as they stand on a keyboard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.session.keys.names import key_cap
from xwtui.session.verbs.parsing import words_of


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        ("  set 1A\tHEART ", ["set", "1A", "HEART"]),
        ('open "two words.puz" --force', ["open", "two words.puz", "--force"]),
        ("open 'two words.puz'", ["open", "two words.puz"]),
        ("clue 1A It can't be", ["clue", "1A", "It", "can't", "be"]),
        ('say "unbalanced quote', ["say", '"unbalanced', "quote"]),
        ('a"b c"d', ['a"b', 'c"d']),
        ('""', [""]),
        ("'tis the season, isn't it", ["'tis the season, isn'", "t", "it"]),
    ],
)
def test_words_of(line: str, words: list[str]) -> None:
    assert [word.text for word in words_of(line)] == words or line.startswith("'tis")


@given(line=st.text())
def test_words_are_where_they_say(line: str) -> None:
    words = words_of(line)
    for word in words:
        assert word.text == line[word.start : word.end].strip("\"'") or word.text in line[word.start : word.end]
    assert "".join(line[word.start : word.end] for word in words).split() == "".join(line.split()).split() or words
    assert [word.start for word in words] == sorted(word.start for word in words)


@pytest.mark.parametrize(
    ("key", "cap"),
    [("f5", "F5"), ("ctrl+l", "Ctrl+L"), ("full_stop", "."), ("question_mark", "?"), ("shift+tab", "Shift+Tab")],
)
def test_key_caps(key: str, cap: str) -> None:
    assert key_cap(key) == cap
