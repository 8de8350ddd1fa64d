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
from xwtui.workbench.settings import load_settings
from xwtui.workbench.workbench import Workbench
from xwtui.workbench.worker import SECONDS_A_TURN


def start_repl(puzzle: Path | None) -> None:
    """Hold a dialogue until the constructor quits; raises PuzzleFormatError where the puzzle cannot be read."""
    sys.setswitchinterval(SECONDS_A_TURN)
    bulletin = Bulletin()
    workbench = Workbench(bulletin.hear, settings=load_settings())
    with closing_safely(workbench):
        Dialogue(workbench, bulletin, _lines(workbench, bulletin), Output()).hold(puzzle)


@contextmanager
def closing_safely(workbench: Workbench) -> Iterator[None]:
    """Close a workbench at the end; what a run has found when SIGTERM or SIGHUP comes is unsaved work."""
    try:
        yield
    except Terminated:
        with interrupt_flag():
            workbench.stop()
        raise
    finally:
        workbench.close()


def _lines(workbench: Workbench, bulletin: Bulletin) -> Lines:
    """A prompt where both ends are a terminal, plain lines elsewhere."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return PipedLines()
    lines = PromptLines(
        VerbCompleter(workbench),
        open_history(),
        lambda: toolbar_text(workbench, bulletin),
        colours=wants_colours(sys.stdout),
    )
    bulletin.refresh = lines.refresh
    return lines
