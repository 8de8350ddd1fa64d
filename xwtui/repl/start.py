"""Starts the REPL on whatever stdin and stdout are."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from xwtui.interrupts import Terminated, interrupt_flag
from xwtui.printing import wants_colours
from xwtui.repl.bulletin import Bulletin
from xwtui.repl.completer import VerbCompleter
from xwtui.repl.dialogue import Dialogue
from xwtui.repl.history import open_history
from xwtui.repl.lines import Lines, PipedLines, PromptLines
from xwtui.repl.output import Output
from xwtui.repl.toolbar import toolbar_text
from xwtui.session.jobs.scheduler import SECONDS_A_TURN
from xwtui.session.session import Session
from xwtui.session.settings import load_settings


def start_repl(puzzle: Path | None) -> None:
    """Hold a dialogue until the constructor quits; raises PuzzleFormatError where the puzzle cannot be read."""
    sys.setswitchinterval(SECONDS_A_TURN)
    bulletin = Bulletin()
    session = Session(bulletin.hear, settings=load_settings())
    with closing_safely(session):
        Dialogue(session, bulletin, _lines(session, bulletin), Output()).hold(puzzle)


@contextmanager
def closing_safely(session: Session) -> Iterator[None]:
    """Close a session at the end; what a run has found when SIGTERM or SIGHUP comes is unsaved work."""
    try:
        yield
    except Terminated:
        with interrupt_flag():
            session.stop()
        raise
    finally:
        session.close()


def _lines(session: Session, bulletin: Bulletin) -> Lines:
    """A prompt where both ends are a terminal, plain lines elsewhere."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return PipedLines()
    lines = PromptLines(
        VerbCompleter(session),
        open_history(),
        lambda: toolbar_text(session, bulletin),
        colours=wants_colours(sys.stdout),
    )
    bulletin.refresh = lines.refresh
    return lines
