"""Lines of verbs said to a session, what it answers, and what then stands in its grid."""

from pathlib import Path
from typing import TypeVar

import pytest

from tests.known import known
from tests.session.listening import PATIENCE_SECONDS
from tests.writing import written
from xwtui.errors import VerbError
from xwtui.session.answers import VerbAnswer
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def said(bench: Session, *lines: str) -> str:
    """The answer to the last of some lines."""
    return "\n".join([run_line(bench, line) for line in lines][-1].lines)


def refuses(
    bench: Session,
    line: str,
    words: str | None,
    error: type[Exception] | tuple[type[Exception], ...] = VerbError,
) -> None:
    """Hold that a line is refused, in words that match these where some are told."""
    with pytest.raises(error, match=words):
        run_line(bench, line)


def found(bench: Session, line: str) -> VerbAnswer:
    """What a line finds out, once all is over that it starts."""
    reply = run_line(bench, line)
    assert bench.wait(PATIENCE_SECONDS)
    return known(reply.answer)()


Answer = TypeVar("Answer", bound=VerbAnswer)


def found_as(kind: type[Answer], bench: Session, line: str) -> Answer:
    """The same, an answer of a kind."""
    answer = found(bench, line)
    assert isinstance(answer, kind)
    return answer


def do(bench: Session, line: str) -> None:
    """Run a line and wait for what it starts."""
    assert run_line(bench, line).started
    assert bench.wait(PATIENCE_SECONDS)


def rows(bench: Session) -> tuple[str, ...]:
    """The rows of the grid, `?` for an empty square."""
    return tuple("".join(str(square.content or "?") for square in row) for row in bench.puzzle.grid.rows())


def on_three_by_three(bench: Session, words: str, folder: Path) -> Session:
    """The session with a blank 3x3 grid, and a list of just these words, which is kept in a folder."""
    mine = written(folder / "mine.txt", words)
    said(bench, "new 3 --force", f"words {mine}")
    return bench
