import io
import re
import time

import pytest

from xwtui.printing.paint import Span, Style, paint, wants_colours
from xwtui.printing.status_line import StatusLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_colours_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_colours(Terminal())
    assert not wants_colours(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colours(Terminal())


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colours(Terminal())


@pytest.mark.parametrize("style", list(Style))
def test_every_style_ends_what_it_begins(style: Style) -> None:
    painted = paint([Span("Ab", style)], colours=True)
    assert "Ab" in painted
    assert painted == "Ab" or painted.endswith("\x1b[0m")
    assert "\x1b" not in paint([Span("Ab", style)], colours=False)


def test_progress_stays_off_pipes() -> None:
    stream = io.StringIO()
    with StatusLine(stream, delay=0) as status:
        status.show("filling")
    assert stream.getvalue() == ""


def test_progress_leaves_a_clean_line() -> None:
    stream = Terminal()
    with StatusLine(stream, delay=0) as status:
        status.show("filling")
    assert re.fullmatch(r"\rfilling, \d+ s\r +\r", stream.getvalue())


def test_progress_beats_while_nothing_new_is_shown() -> None:
    stream = Terminal()
    with StatusLine(stream, delay=0.05) as status:
        status.show("compiling")
        assert stream.getvalue() == ""
        while "compiling, " not in stream.getvalue():
            time.sleep(0.01)


def test_what_is_quick_shows_no_progress() -> None:
    stream = Terminal()
    with StatusLine(stream, delay=3600) as status:
        status.show("filling")
    assert stream.getvalue() == ""


def test_a_long_line_is_cut_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    StatusLine(stream, delay=0).show("x" * 100)
    assert stream.getvalue() == "\r" + "x" * 19
