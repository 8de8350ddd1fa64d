"""`xwtui`, `xwtui repl`: start the faces."""

import sys
from pathlib import Path

from xwtui.cli.exits import Exit
from xwtui.errors import XwtuiError
from xwtui.repl.start import start_repl


def open_repl(puzzle: Path | None) -> Exit:
    """Hold a dialogue on the terminal or over a pipe."""
    start_repl(puzzle)
    return Exit.OK


def open_screen(puzzle: Path | None) -> Exit:
    """Open the screen; raises XwtuiError where there is no terminal for it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise XwtuiError(
            "the screen needs a terminal; without one use `xwtui fill`, `count`, `check` or `convert`, "
            "`xwtui run SCRIPT`, or `xwtui repl` with lines on stdin"
        )
    from xwtui.tui.start import start_screen

    start_screen(puzzle)
    return Exit.OK
