"""Ctrl+C while a line is waited for: a watched search stands still, any other job is stopped."""

import signal
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from prompt_toolkit.completion import DummyCompleter
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.known import known
from xwtui.interrupts import Terminated, heeding_signals
from xwtui.model import Puzzle
from xwtui.repl.line_runner import Inbox, LineRunner
from xwtui.repl.lines import PromptLines
from xwtui.repl.output import Output
from xwtui.session.messages import FillProgress, Message
from xwtui.session.open_puzzles import OpenPuzzles
from xwtui.session.session import Session


class Impatient:
    """Presses Ctrl+C once the search has told something."""

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
def test_a_watched_search_stands_still_and_a_fill_is_stopped(
    line: str, stands: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = Inbox()
    heard: list[Message] = []

    def hear(message: Message) -> None:
        heard.append(message)
        inbox.hear(message)

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
    """Gets a signal while the prompt's loop reads it in a task, of which an error is logged and no more."""

    async def load(self) -> AsyncGenerator[str, None]:
        signal.raise_signal(signal.SIGTERM)
        yield "fill"


def test_a_signal_amid_the_prompts_work_ends_it_without_a_word(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with create_pipe_input() as pipe, heeding_signals():
        lines = PromptLines(
            DummyCompleter(), EndedHistory(), str, terminal_input=pipe, terminal_output=DummyOutput()
        )
        with pytest.raises(Terminated):
            lines.next_line("> ")
    signal.signal(signal.SIGTERM, before)
    assert not caplog.records
    assert "Traceback" not in "".join(capfd.readouterr())
