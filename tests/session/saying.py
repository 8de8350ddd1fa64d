"""Helpers that run lines in a session and wait for its messages, and a process that holds a file open."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tests.known import known
from tests.writing import written
from xwtui.errors import VerbError
from xwtui.model import Content, Position, edits
from xwtui.session.answers import VerbAnswer
from xwtui.session.messages import JobFailed, LexiconReady, Message
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def said(bench: Session, *lines: str) -> str:
    """Run lines and return the answer to the last."""
    return "\n".join([run_line(bench, line) for line in lines][-1].lines)


def refuses(
    bench: Session, line: str, words: str | None, error: type[Exception] | tuple[type[Exception], ...] = VerbError
) -> None:
    """Check that a line is refused, with a message that matches `words` if given."""
    with pytest.raises(error, match=words):
        run_line(bench, line)


def found(bench: Session, line: str) -> VerbAnswer:
    """Return the answer of a line after all jobs it starts have ended."""
    reply = run_line(bench, line)
    assert bench.wait(PATIENCE_SECONDS)
    assert reply.answer is not None
    return reply.answer()


Answer = TypeVar("Answer", bound=VerbAnswer)


def found_as(kind: type[Answer], bench: Session, line: str) -> Answer:
    """Return the same answer, checked to be of one type."""
    answer = found(bench, line)
    assert isinstance(answer, kind)
    return answer


def do(bench: Session, line: str) -> None:
    """Run a line and wait for what it starts."""
    assert run_line(bench, line).started
    assert bench.wait(PATIENCE_SECONDS)


def rows(bench: Session) -> tuple[str, ...]:
    """Return the rows of the grid, `?` for an empty square."""
    return tuple("".join(str(square.content or "?") for square in row) for row in bench.puzzle.grid.rows())


def squares(text: str) -> dict[Position, Content]:
    """Parse nine letters, row by row; `?` for an empty square."""
    return {
        Position(index // 3, index % 3): Content.of(letter) for index, letter in enumerate(text) if letter != "?"
    }


def pencil(bench: Session, text: str) -> None:
    """Write nine letters in pencil, as a fill does."""
    bench.edit("pencil", lambda puzzle: edits.write_fill(puzzle, squares(text)))


CORNER = Position(0, 0)


def write(bench: Session, letter: str, position: Position = CORNER) -> None:
    bench.edit(f"write {letter}", lambda puzzle: edits.set_square(puzzle, position, Content.of(letter)))


def run_of(bench: Session) -> RunView:
    """Return the current or last run."""
    return known(bench.jobs.fill.view)


def timed_out(bench: Session, line: str, seconds: float, is_enough: Callable[[RunView], bool]) -> RunView:
    """Run a search that its time limit ends; on a busy machine again, with more time, until it has done enough."""
    while True:
        do(bench, f"{line} --time {seconds}")
        if is_enough(run_of(bench)):
            return run_of(bench)
        assert seconds < PATIENCE_SECONDS
        seconds *= 4


@contextmanager
def opened(journals: Path) -> Iterator[Session]:
    """Open a session that is closed at the end of the block, and leaves no work."""
    session = Session(Ear(), journal_folder=journals)
    try:
        yield session
    finally:
        session.discard_changes()
        session.close()


def killed(session: Session) -> None:
    """Leave the session's journal and its lock on the file as a killed process does; it writes no more to them."""
    with session._lock:
        session.document._holds_file = False
        session.document.journal.close()
        session.document.presence.release()


def on_three_by_three(bench: Session, words: str, folder: Path) -> Session:
    """Open a blank 3x3 grid with a word list of just these words, stored in `folder`."""
    mine = written(folder / "mine.txt", words)
    said(bench, "new 3 --force", f"words {mine}")
    return bench


PATIENCE_SECONDS = 300.0
"""Timeout for awaited messages; only a broken program takes this long."""

M = TypeVar("M")


class Ear:
    """Collects messages from any thread."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._heard = threading.Condition()

    def __call__(self, message: Message) -> None:
        with self._heard:
            self.messages.append(message)
            self._heard.notify_all()

    def of(self, kind: type[M]) -> list[M]:
        """Return all messages of a type so far."""
        return [message for message in list(self.messages) if isinstance(message, kind)]

    def wait_for(self, kind: type[M], wanted: Callable[[M], bool] = lambda _: True) -> M:
        """Return the first matching message of a type; fail on a timeout, or if a job fails first."""

        def found() -> M | None:
            return next((m for m in self.messages if isinstance(m, kind) and wanted(m)), None)

        def is_decided() -> bool:
            return found() is not None or bool(self.of(JobFailed))

        with self._heard:
            self._heard.wait_for(is_decided, PATIENCE_SECONDS)
            message = found()
        assert message is not None, f"no such {kind.__name__}; heard {self.messages}"
        return message

    def forget(self) -> None:
        with self._heard:
            self.messages.clear()


def once_loaded(bench: Session, ear: Ear) -> None:
    """Wait for the words and the engine, and drop the messages so far."""
    bench.wait_until_ready(PATIENCE_SECONDS)
    ear.wait_for(LexiconReady)
    ear.forget()


HOLDS = """
import sys, time
from pathlib import Path
from xwtui.session.presence import Presence
presence = Presence(Path(sys.argv[1]), Path(sys.argv[2]))
print(presence.other, flush=True)
time.sleep(600)
"""


@contextmanager
def open_elsewhere(path: Path, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run another process that has a file open."""
    command = [sys.executable, "-c", HOLDS, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "None\n"
            yield process
        finally:
            process.kill()
