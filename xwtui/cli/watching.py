"""`xwtui watch`: a recorded search, on the screen or as a list of its events."""

import sys
from pathlib import Path

from xwtui.cli.exits import Exit
from xwtui.engine.events.trace_file import read_trace
from xwtui.session.wording import numbered_event


def run_watch(path: Path, *, as_list: bool) -> int:
    """Show a trace, or list its events where there is no terminal; raises EngineError for no trace."""
    if as_list or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _, events = read_trace(path)
        for number, event in enumerate(events):
            print(numbered_event(number, event))
        return Exit.OK
    from xwtui.session.recording import read_recording  # noqa: PLC0415  (a bad file is told before any screen)

    read_recording(path)
    from xwtui.tui.app import run_screen  # noqa: PLC0415

    return run_screen(None, trace=path)
