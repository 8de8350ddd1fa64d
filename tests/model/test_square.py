"""What a square holds, and how it is written."""

import pytest
from hypothesis import given

from tests.generators import contents
from xwtui.errors import PuzzleError
from xwtui.model import BLOCK, OPEN, VOID, Content, Direction, Ink, Square


@given(contents())
def test_content_is_read_as_it_is_written(content: Content) -> None:
    assert Content.parse(str(content)) == content
    assert Content.parse(f" {str(content).lower()} ") == content


@pytest.mark.parametrize(
    ("text", "across", "down"),
    [
        ("a", "A", "A"),
        ("7", "7", "7"),
        ("[HEART]", "HEART", "HEART"),
        ("heart", "HEART", "HEART"),
        ("[X/TIMES]", "X", "TIMES"),
        ("x/y", "X", "Y"),
        ("ABCDEFGHIJKL", "ABCDEFGHIJKL", "ABCDEFGHIJKL"),
    ],
)
def test_forms_that_constructors_write(text: str, across: str, down: str) -> None:
    content = Content.parse(text)
    assert (content.reading(Direction.ACROSS), content.reading(Direction.DOWN)) == (across, down)


REFUSED = {
    "": "one letter or digit",
    "[]": "one letter or digit",
    "?": r"^\? is no letter or digit: no square holds '\?'",
    "X/": "not none",
    "/X": "not none",
    "X/Y/Z": "one / at most",
    "[HEART": r"^\[ is no letter or digit",
    "€": "€ is no letter or digit",
    "日": "日 is no letter or digit",
    "A B": "' ' is no letter or digit",
    "A&B": "^& is no letter or digit: no square holds 'A&B'",
    "ABCDEFGHIJKLM": "up to 12 letters or digits, and ABCDEFGHIJKLM has 13",
}


@pytest.mark.parametrize("text", list(REFUSED))
def test_other_text_is_no_content_and_what_is_wrong_is_named(text: str) -> None:
    with pytest.raises(PuzzleError, match=REFUSED[text]):
        Content.parse(text)


@pytest.mark.parametrize("text", ["A", "7", "HEART", "X/TIMES", "X/O"])
def test_the_text_of_a_square_has_no_brackets(text: str) -> None:
    assert Content.parse(text).text == text


def test_a_rebus_is_more_than_one_plain_character() -> None:
    assert not Content.of("A").is_rebus
    assert Content.of("AB").is_rebus
    assert Content("A", "B").is_rebus
    assert Content("A", "B").is_schroedinger
    assert not Content.of("AB").is_schroedinger


def test_a_fill_keeps_pen_and_locked_and_not_pencil() -> None:
    kept = {ink: Square(content=Content.of("A"), ink=ink).is_given for ink in Ink}
    assert kept == {Ink.PENCIL: False, Ink.PEN: True, Ink.LOCKED: True}
    assert not Square(ink=Ink.LOCKED).is_given


def test_only_an_open_square_takes_letters() -> None:
    assert (OPEN.is_open, BLOCK.is_open, VOID.is_open) == (True, False, False)
