"""Text from elsewhere cannot reach the terminal with anything but text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.errors import PuzzleFormatError
from xwtui.formats.plain_text import clean_line, clean_text, decode
from xwtui.model.puzzle import LONGEST_TEXT


@given(st.text())
def test_no_control_character_survives(text: str) -> None:
    for character in clean_line(text, "it"):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean_text(clean_text(text, "it"), "it") == clean_text(text, "it")
    assert clean_line(clean_line(text, "it"), "it") == clean_line(text, "it")


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("one\r\ntwo\tthree", "one two three"),
        ("a\x9b31mb", "a31mb"),
        ("\u202etxet", "txet"),
        ("nul\0nul", "nulnul"),
        ("👩‍👧 kept", "👩‍👧 kept"),
    ],
)
def test_lines(dirty: str, clean: str) -> None:
    assert clean_line(dirty, "it") == clean


def test_notes_keep_their_lines() -> None:
    assert clean_text("one\r\n\r\ntwo \x1b[2J\rthree\n\n", "it") == "one\n\ntwo\nthree"


def test_a_text_has_an_end() -> None:
    assert len(clean_line("x" * LONGEST_TEXT, "the title")) == LONGEST_TEXT
    with pytest.raises(PuzzleFormatError, match="the title has 10,001 characters"):
        clean_line("x" * (LONGEST_TEXT + 1), "the title")


@pytest.mark.parametrize("data", ["é".encode(), b"\xef\xbb\xbf\xc3\xa9", "é".encode("utf-16")])
def test_encodings_that_are_read(data: bytes) -> None:
    assert decode(data) == "é"


@pytest.mark.parametrize(
    ("data", "message"), [(b"ab\xe9", "byte 3"), (b"a\0b", "binary"), (b"\xff\xfea", "wrong")]
)
def test_encodings_that_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        decode(data)
