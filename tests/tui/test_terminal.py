"""The terminal: closed, unusual, ended by a signal; and split escape sequences."""

import errno
import io
import re
import signal
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants
from textual.events import Key, Paste, Resize
from textual.message import Message

from bench.signals import CLOSED, FACES, KILL, SIGNALS, run_once
from tests.examples import examples, is_deep
from tests.shell.process import NO_UNICODE, Terminal
from tests.tui.still import Stage
from xwtui.model import Puzzle
from xwtui.resources import puzzles_folder
from xwtui.session.recovery import find_recoveries
from xwtui.tui import terminal
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.terminal import LastingTerminal, PlainEscapes

RUNS = 300 if is_deep() else 1


@pytest.mark.parametrize("number", range(RUNS))
@pytest.mark.parametrize("face", FACES)
def test_a_signal_at_a_random_moment_damages_nothing(face: str, number: int, tmp_path: Path) -> None:
    ending = run_once(Random(number), tmp_path, [face], [*SIGNALS, KILL, CLOSED])
    assert not ending.failure, ending


async def test_a_terminal_reply_during_exit_is_harmless(on: Stage) -> None:
    """Textual's queue is closed by then, and the reply reports the terminal's size."""
    on.app.exit()
    reply = ReplyScreen("check", ["no findings"])
    on.app.push_screen(reply)
    reply.post_message(Resize(on.app.size, on.app.size))


async def test_an_editor_mounted_during_exit_is_harmless(on: Stage, small: Puzzle) -> None:
    on.app.exit()
    on.app.begin(small)


_F5, _CTRL_G, _CTRL_Q = "\x1b[15~", "\x07", "\x11"


class _Gone(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.EIO, "Input/output error")

    def flush(self) -> None:
        raise OSError(errno.EIO, "Input/output error")


def test_output_to_a_closed_terminal_is_ignored() -> None:
    terminal = LastingTerminal(_Gone())
    assert terminal.write("abc") == 3
    terminal.flush()


def _is_better(seen: str) -> bool:
    """Whether the run's line shows a mean above the initial one."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    return any(mean != start for mean, start in re.findall(r"mean ([\d.]+) *\(from ([\d.]+),", plain))


@pytest.mark.parametrize("closes", [True, False], ids=["closed", "SIGTERM"])
def test_a_better_fill_is_kept_when_the_screen_is_forced_to_end(
    tmp_path: Path, environment: Mapping[str, str], *, closes: bool
) -> None:
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_bytes((puzzles_folder() / "templates" / "15x15-01.txt").read_bytes())
    with Terminal(puzzle, environment=environment) as terminal:
        terminal.expect("fills ≈")
        terminal.press(_F5)
        terminal.expect("nodes")
        terminal.press(_CTRL_G)
        terminal.wait_for(lambda: _is_better(terminal.seen), "a better fill")
        if closes:
            status = terminal.close()
        else:
            terminal.process.send_signal(signal.SIGTERM)
            status = terminal.end()
    assert status == 128 + (signal.SIGHUP if closes else signal.SIGTERM)
    journal = Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal"
    (kept,) = find_recoveries(journal)
    assert kept.label == "improve"


def test_the_screen_ends_with_its_terminal_even_without_a_signal(
    small_file: Path, environment: Mapping[str, str]
) -> None:
    with Terminal(small_file, environment=environment, is_own=False) as terminal:
        terminal.expect("ENTRIES")
        terminal.press("Q")
        terminal.expect(" QED")
        assert terminal.close() == 128 + signal.SIGHUP
    assert find_recoveries(Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal")


def test_the_screen_works_with_stderr_redirected_to_a_file(
    small_file: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with log.open("wb") as stderr, Terminal(small_file, environment=environment, stderr=stderr) as terminal:
        terminal.expect("ENTRIES")
        terminal.press(_CTRL_Q)
        assert terminal.end() == 0
    assert log.read_bytes() == b""


def test_a_line_only_terminal_is_directed_to_the_repl(small_file: Path, environment: Mapping[str, str]) -> None:
    with Terminal(small_file, environment=environment, term="dumb") as terminal:
        assert terminal.end() == 2
    assert f"xwtui repl {small_file}" in terminal.seen
    assert "\x1b" not in terminal.seen
    assert len(terminal.seen.splitlines()) == 1


def test_blocks_are_visible_without_colors(small_file: Path, environment: Mapping[str, str]) -> None:
    plain = {name: value for name, value in environment.items() if name != "COLORTERM"}
    with Terminal(small_file, environment=plain, term="vt100") as terminal:
        terminal.expect("ENTRIES")
        terminal.press(_CTRL_Q)
        assert terminal.end() == 0
    assert re.search(r"\x1b\[([\d;]*;)?7(;[\d;]*)?m {3}\x1b", terminal.seen), "three cells turned over"
    assert not re.search(r"\x1b\[([\d;]*;)?[34][0-8][;m]", terminal.seen), "no colour"


def test_the_screen_uses_ascii_if_necessary(small_file: Path, environment: Mapping[str, str]) -> None:
    with Terminal(small_file, environment={**environment, **NO_UNICODE}) as terminal:
        terminal.expect("ENTRIES")
        terminal.press(_CTRL_Q)
        assert terminal.end() == 0
    assert terminal.seen.isascii()
    assert "+1--+2--+3--" in re.sub(r"\x1b\[[0-9;]*m", "", terminal.seen)


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
    """A clock that advances only when a test sets it."""
    now = [0.0]
    monkeypatch.setattr(terminal, "monotonic", lambda: now[0])
    return now


@examples(300)
@given(st.lists(st.sampled_from(sorted(SENT)), max_size=12), st.data())
def test_keys_are_decoded_however_their_bytes_are_split(keys: list[str], data: st.DataObject) -> None:
    sent = "".join(SENT[key] for key in [*keys, "a"])
    cuts = sorted(data.draw(st.sets(st.integers(1, len(sent)))) | {0, len(sent)})
    parser = PlainEscapes(lambda key: False)
    read = [key for begin, end in pairwise(cuts) for key in told(parser.feed(sent[begin:end]))]
    assert read == [*keys, "a"]


def test_a_lone_escape_is_reported_after_a_delay(clock: list[float]) -> None:
    parser = PlainEscapes(lambda key: False)
    assert told(parser.feed("a\x1b")) == ["a"]
    assert told(parser.tick()) == []
    clock[0] += constants.ESCAPE_DELAY
    assert told(parser.tick()) == ["escape"]
    assert told(parser.tick()) == []
    assert told(parser.feed("[")) == ["left_square_bracket"]


def test_alt_with_a_letter_stays_a_key_if_it_is_bound() -> None:
    parser = PlainEscapes({"alt+x", "alt+shift+y"}.__contains__)
    assert told(parser.feed("\x1bx\x1ba\x1bY\x1by")) == ["alt+x", "escape", "a", "alt+shift+y", "escape", "y"]


def test_enter_works_before_the_terminal_is_set_up() -> None:
    """The terminal sends a newline until it is put into raw mode."""
    pasted = "\x1b[200~one\ntwo\x1b[201~"
    assert told(PlainEscapes(lambda key: False).feed(f"a\n{pasted}\n")) == ["a", "enter", "one\ntwo", "enter"]
    assert told(PlainEscapes({"ctrl+j"}.__contains__).feed("a\n")) == ["a", "ctrl+j"]


def test_an_escape_in_a_paste_is_not_a_key() -> None:
    parser = PlainEscapes(lambda key: False)
    assert told(parser.feed("\x1b[200~one\x1btwo\x1b[201~\x1bx")) == ["onetwo", "escape", "x"]
