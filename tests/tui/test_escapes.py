"""Esc is a key of its own wherever a terminal sends it, however what it sends is cut into pieces."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants
from textual.events import Key, Paste
from textual.message import Message

from tests.examples import examples
from xwtui.tui import terminal
from xwtui.tui.terminal import PlainEscapes

SENT = {
    "escape": "\x1b",
    "a": "a",
    "colon": ":",
    "enter": "\r",
    "up": "\x1b[A",
    "f1": "\x1bOP",
    "f5": "\x1b[15~",
    "ctrl+right": "\x1b[1;5C",
    "space": " ",
}


def told(messages: Iterable[Message]) -> list[str]:
    return [
        message.text if isinstance(message, Paste) else message.key
        for message in messages
        if isinstance(message, Key | Paste)
    ]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time; it stands until a test moves it."""
    now = [0.0]
    monkeypatch.setattr(terminal, "monotonic", lambda: now[0])
    return now


@examples(300)
@given(st.lists(st.sampled_from(sorted(SENT)), max_size=12), st.data())
def test_keys_come_as_they_were_typed_however_they_are_cut(keys: list[str], data: st.DataObject) -> None:
    sent = "".join(SENT[key] for key in [*keys, "a"])
    cuts = sorted(data.draw(st.sets(st.integers(1, len(sent)))) | {0, len(sent)})
    parser = PlainEscapes(lambda key: False)
    read = [key for begin, end in pairwise(cuts) for key in told(parser.feed(sent[begin:end]))]
    assert read == [*keys, "a"]


def test_an_escape_that_nothing_follows_is_told_after_a_moment(clock: list[float]) -> None:
    parser = PlainEscapes(lambda key: False)
    assert told(parser.feed("a\x1b")) == ["a"]
    assert told(parser.tick()) == []
    clock[0] += constants.ESCAPE_DELAY
    assert told(parser.tick()) == ["escape"]
    assert told(parser.tick()) == []
    assert told(parser.feed("[")) == ["left_square_bracket"]


def test_alt_and_a_letter_stays_a_key_where_it_does_something() -> None:
    parser = PlainEscapes({"alt+x", "alt+shift+y"}.__contains__)
    assert told(parser.feed("\x1bx\x1ba\x1bY\x1by")) == ["alt+x", "escape", "a", "alt+shift+y", "escape", "y"]


def test_enter_is_enter_as_it_comes_before_the_terminal_is_set_up() -> None:
    """A terminal makes a line's end of it until it is told to leave keys alone."""
    pasted = "\x1b[200~one\ntwo\x1b[201~"
    assert told(PlainEscapes(lambda key: False).feed(f"a\n{pasted}\n")) == ["a", "enter", "one\ntwo", "enter"]
    assert told(PlainEscapes({"ctrl+j"}.__contains__).feed("a\n")) == ["a", "ctrl+j"]


def test_an_escape_in_what_is_pasted_is_no_key() -> None:
    parser = PlainEscapes(lambda key: False)
    assert told(parser.feed("\x1b[200~one\x1btwo\x1b[201~\x1bx")) == ["onetwo", "escape", "x"]
