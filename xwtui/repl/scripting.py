"""`xwtui run`: runs the lines of a script, up to the first error or failed fill."""

import io
import sys
from collections.abc import Iterator
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import TextIO

from xwtui.engine.events.event import Outcome
from xwtui.errors import XwtuiError
from xwtui.interrupts import Exit, Terminated, interrupt_flag, stopped_by
from xwtui.memory import note_loaded
from xwtui.printing import warn
from xwtui.reading import read_at_most
from xwtui.repl.dialogue import closing_safely, puzzles_reporting_to
from xwtui.repl.line_runner import Inbox, LineRunner
from xwtui.repl.lines import numbered_lines
from xwtui.repl.output import Output
from xwtui.repl.transcript import SUFFIX
from xwtui.session.fill_answer import STATUSES
from xwtui.session.open_puzzles import OpenPuzzles
from xwtui.session.session import Session
from xwtui.session.settings import load_settings
from xwtui.session.verbs.registry import LONGEST_LINE
from xwtui.text import printable

STDIN = "-"
"""The script name that means stdin."""

LARGEST_SCRIPT = 16 * 1024 * 1024
"""Maximum size of a script file in bytes."""

_NO_FILL = {
    Exit.IMPOSSIBLE: "there is no complete fill",
    Exit.UNKNOWN: "time ran out with no answer",
}


def run_script(script: str) -> Exit:
    """Run a script of verbs, one per line; returns the exit status, and reports on stderr the line that ended it.

    A line that seeks a fill and finds none ends the script with the status of the shell's own `fill`; a line
    stopped by a signal ends it with INTERRUPTED. Raises XwtuiError, with the line number, at the first error, and
    OSError if the script cannot be read. Unsaved changes of a successful script are discarded, as running it again
    makes them again; otherwise they can be recovered.
    """
    note_loaded()
    inbox = Inbox()
    settings = load_settings()
    puzzles = puzzles_reporting_to(inbox, lambda listener: Session(listener, settings=settings))
    path = Path(script)
    with closing_safely(puzzles):
        stream = _opened(script)
        # file names are relative to the folder of a transcript, and to the current folder for other scripts
        with chdir(path.parent) if path.suffix == SUFFIX else nullcontext():
            puzzles.current.start()
            status = _run_lines(stream, script, puzzles, inbox)
            if status is Exit.OK:
                for session in puzzles.sessions:
                    session.discard_changes()
    return status


def _run_lines(stream: TextIO, script: str, puzzles: OpenPuzzles, inbox: Inbox) -> Exit:
    runner = LineRunner(puzzles, inbox, Output(), is_patient=True)
    name = "stdin" if script == STDIN else printable(script, 200)
    for number, line in numbered_lines(_pieces(stream, name), LONGEST_LINE):
        where = f"{name} line {number}"
        try:
            ended = runner.run(line, grid_after_edits=False)
        except XwtuiError as error:
            raise XwtuiError(f"{where}: {error}") from error
        except KeyboardInterrupt:
            warn(f"{where}: stopped by {stopped_by()}")
            return Exit.INTERRUPTED
        except Terminated:
            # Put results into the journal before printing, which may fail for lack of a reader.
            with interrupt_flag():
                for session in puzzles.sessions:
                    session.stop()
            warn(f"{where}: stopped by {stopped_by()}")
            return Exit.INTERRUPTED
        run, status = ended.run, Exit.OK  # OK also if no fill was requested, or if none is required
        if run and ended.reply.is_strict and run.outcome not in (Outcome.RUNNING, Outcome.CANCELLED):
            # the status that this line would have as a shell command
            status = STATUSES.get(run.verdict, Exit.UNKNOWN)
        if status is not Exit.OK:
            warn(f"{where}: {line.split()[0]}: {_NO_FILL[status]}; --no-strict lets the script continue")
            return status
        if ended.reply.quit:
            break
    return Exit.OK


def _pieces(stream: TextIO, name: str) -> Iterator[str]:
    """Yield the lines of the file, an endless one only in part, enough to refuse it."""
    try:
        while line := stream.readline(LONGEST_LINE + 2):
            yield line.rstrip("\n")
    except UnicodeDecodeError as error:
        raise XwtuiError(f"{name} is not UTF-8 text (byte {error.start + 1} is invalid)") from None


def _opened(script: str) -> TextIO:
    if script == STDIN:
        return sys.stdin
    data = read_at_most(Path(script), LARGEST_SCRIPT + 1)
    if len(data) > LARGEST_SCRIPT:
        raise XwtuiError(f"{printable(script, 200)} is too large: a script has at most {LARGEST_SCRIPT >> 20} MB")
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig")
