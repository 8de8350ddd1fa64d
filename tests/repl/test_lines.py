"""Sources of lines, several or endless ones; and Ctrl+C while waiting for a line."""

import io
import os
import random
import signal
import termios
import tty
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from prompt_toolkit.completion import DummyCompleter
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.examples import is_deep
from tests.interrupting import handled_by
from tests.known import known
from tests.repl.conftest import CTRL_D, Talk, held
from xwtui.interrupts import Terminated, handling_signals
from xwtui.model import Puzzle
from xwtui.repl.dialogue import Dialogue, puzzles_reporting_to
from xwtui.repl.line_runner import Inbox, LineRunner
from xwtui.repl.lines import PipedLines, PromptLines, is_unfinished, lines_of, numbered_lines, without_echo
from xwtui.repl.output import Output
from xwtui.session.messages import FillProgress, Message
from xwtui.session.open_puzzles import OpenPuzzles
from xwtui.session.session import Session

PASTE = "\x1b[200~{}\x1b[201~"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("set 1A ABC", ["set 1A ABC"]),
        ("set 1A ABC\nundo\n", ["set 1A ABC", "undo"]),
        ("set 1A \\\nABC\nundo", ["set 1A ABC", "undo"]),
        ("title C:\\\\\nundo", ["title C:\\\\", "undo"]),
        ('open "a\nb.ipuz"\nundo', ['open "a b.ipuz"', "undo"]),
        ('title "a\n', ['title "a']),
        ('title "a\n\nundo', ['title "a', "undo"]),
        ("title Don't\nundo", ["title Don't", "undo"]),
        ("set 1A \\", ["set 1A"]),
    ],
)
def test_lines_are_split_and_joined(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("set 1A \\", True),
        ("title \\\\", False),
        ('clue 1A "Yes', True),
        ('clue 1A "Yes"', False),
        ('clue 1A 5" long', False),
        ("clue 1A 'Tis", False),
        ('clue 1A "Yes\n', False),
        ('clue 1A "Yes\nand', True),
    ],
)
def test_an_open_quote_or_backslash_continues_the_line(text: str, more: bool) -> None:
    assert is_unfinished(text) == more


def test_a_backslash_continues_a_line_at_the_prompt_and_over_a_pipe(typed: Talk, piped: Talk) -> None:
    assert typed("set 1A \\\rABC\rsave\r" + CTRL_D).rows()[0] == "ABC"
    assert piped("set 1A \\", "DEF", "save").rows()[0] == "DEF"
    assert typed('title "My\rlong title"\r' + CTRL_D + CTRL_D).session.puzzle.title == "My long title"


def test_lines_have_the_number_of_their_first_part_and_comments_end_there() -> None:
    pieces = ["set 1A \\", "ABC", "# a comment \\", "check", "undo \\"]
    assert list(numbered_lines(pieces, 100)) == [
        (1, "set 1A ABC"),
        (3, "# a comment \\"),
        (4, "check"),
        (5, "undo "),
    ]
    assert list(numbered_lines(["a" * 9 + "\\", "b"], 5)) == [(1, "a" * 9 + "\\"), (2, "b")]


def test_pasted_lines_are_run_one_by_one(typed: Talk) -> None:
    said = typed(PASTE.format("set 1A ABC\nsymmetry none\nlock 1A\n") + "\r" + CTRL_D + CTRL_D)
    assert said.rows()[0] == "A'B'C'"
    assert said.text.index("symmetry") < said.text.index("locked: 1A")


def odd_lines(seed: int, count: int) -> list[bytes]:
    rng = random.Random(seed)
    makers = [
        lambda: rng.randbytes(rng.randrange(60)).replace(b"\n", b""),
        lambda: b"clue 1A " + rng.choice([b'"', b"'", b'"a', b"\\", b"\x1b[2J\x07", b"\xff\xfe"]),
        lambda: rng.choice([b"title ", b"set ", b"change ", b"help "]) + b'A{["' * rng.choice([1, 25_000]),
        lambda: bytes(rng.choice(range(32)) for _ in range(9)).replace(b"\n", b""),
        lambda: rng.choice([b"select ", b"show --size ", b"transcript "]) + rng.randbytes(5).replace(b"\n", b""),
    ]
    return [rng.choice(makers)() for _ in range(count)]


@pytest.mark.parametrize("seed", range(40 if is_deep() else 2))
def test_no_line_ends_the_dialogue(
    seed: int, mini: Path, journals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random bytes, unclosed quotes, lines of 100 KB and control characters, followed by an ordinary line."""
    monkeypatch.chdir(tmp_path)
    data = b"\n".join([*odd_lines(seed, 150), b"", b"title The end", b""])
    said = held(journals, mini, lambda *_: PipedLines(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")))
    assert said.session.puzzle.title == "The end"
    assert [line for line in said.text.split("\n") if not line.isprintable()] == []


def test_memory_of_closed_puzzles_is_freed_before_each_line(mini: Path, other: Path, journals: Path) -> None:
    inbox, looks = Inbox(), list[int]()
    puzzles = puzzles_reporting_to(inbox, lambda listener: Session(listener, journal_folder=journals))
    lines = PipedLines(io.StringIO(f"tab open {other}\ntab close --force\n"))
    try:
        output = Output(io.StringIO())
        Dialogue(puzzles, inbox, lines, output, free_memory=lambda: looks.append(len(puzzles.sessions))).run(mini)
        assert looks == [1, 2, 1]
    finally:
        puzzles.end()


def test_invalid_bytes_affect_only_their_line() -> None:
    lines = PipedLines(io.TextIOWrapper(io.BytesIO(b"a\xffb\nundo\n"), encoding="utf-8"))
    assert [lines.next_line(""), lines.next_line("")] == ["a\ufffdb", "undo"]
    with pytest.raises(EOFError):
        lines.next_line("")


class Impatient:
    """Presses Ctrl+C after the search's first message."""

    def __init__(self, bench: Session, inbox: Inbox) -> None:
        self._wait = bench.wait
        self._inbox = inbox
        self.pressed = 0

    def __call__(self, timeout: float | None = None) -> bool:
        if not self.pressed and self._inbox.latest.run is not None:
            self.pressed += 1
            raise KeyboardInterrupt
        return self._wait(timeout)


@pytest.mark.parametrize(("line", "stands"), [("watch --speed 50", True), ("fill", False)])
def test_ctrl_c_pauses_a_watched_search_and_stops_a_fill(
    line: str, stands: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = Inbox()
    heard: list[Message] = []

    def hear(message: Message) -> None:
        heard.append(message)
        inbox.receive(message)

    puzzles = OpenPuzzles(
        lambda listener: Session(listener, journal_folder=tmp_path / "journals"), lambda _, message: hear(message)
    )
    bench = puzzles.current
    bench.new(Puzzle.blank(9, 9))
    bench.wait_until_ready(300)
    impatient = Impatient(bench, inbox)
    monkeypatch.setattr(bench, "wait", impatient)
    runner = LineRunner(puzzles, inbox, Output(), is_patient=False)
    try:
        runner.run(line, grid_after_edits=False)
    except KeyboardInterrupt:
        assert not stands
    else:
        assert stands
    assert impatient.pressed == 1
    assert any(isinstance(message, FillProgress) for message in heard)
    run = known(bench.jobs.fill.view)
    assert run.paused is stands
    bench.discard_changes()
    bench.close()


class EndedHistory(InMemoryHistory):
    """Receives a signal while the prompt's event loop reads it in a task, whose exceptions are only logged."""

    async def load(self) -> AsyncGenerator[str, None]:
        signal.raise_signal(signal.SIGTERM)
        yield "fill"


def test_a_signal_inside_the_prompt_ends_it_silently(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        handled_by(signal.SIGTERM, signal.SIG_DFL),
        create_pipe_input() as pipe,
        handling_signals(),
    ):
        lines = PromptLines(
            DummyCompleter(), EndedHistory(), str, terminal_input=pipe, terminal_output=DummyOutput()
        )
        with pytest.raises(Terminated):
            lines.next_line("> ")
    assert not caplog.records
    assert "Traceback" not in "".join(capfd.readouterr())


def test_the_terminal_echoes_while_the_repl_is_suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    seen: list[bool] = []

    def echoes() -> bool:
        return bool(termios.tcgetattr(theirs)[3] & termios.ECHO)

    def suspended(process: int, number: int) -> None:
        seen.append(echoes())
        tty.setraw(theirs)  # a shell may leave the terminal in any mode

    monkeypatch.setattr("os.kill", suspended)
    with handled_by(signal.SIGTSTP, signal.SIG_DFL), os.fdopen(theirs, "r") as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        with without_echo():
            signal.raise_signal(signal.SIGTSTP)
            seen.append(echoes())
            assert termios.tcgetattr(theirs)[3] & termios.ISIG, "as it was left"
        seen.append(echoes())
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        with without_echo():
            signal.raise_signal(signal.SIGTSTP)
            assert signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN, "no shell would let it go on"
    os.close(ours)
    assert seen == [True, False, True]
