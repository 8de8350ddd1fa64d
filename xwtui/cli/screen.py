"""`xwtui [PUZZLE]`: opens the screen, where there is a terminal and a puzzle to show."""

import sys
from pathlib import Path

from xwtui.errors import XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.reading import is_pipe
from xwtui.text import printable


def open_screen(puzzle: Path | None) -> int:
    """Run the screen; returns its exit status.

    Raises PuzzleFormatError, before the terminal is touched, where the puzzle cannot be read, and XwtuiError
    where it comes from a pipe or, naming the ways to work without a screen, where there is no terminal.
    """
    if puzzle is not None and is_pipe(puzzle):
        raise XwtuiError(
            f"{printable(str(puzzle), 200)} is a pipe, and the screen opens files; "
            "`xwtui convert` makes a file of what comes out of it"
        )
    if puzzle is not None:
        read_puzzle(puzzle)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise XwtuiError(
            "the screen needs a terminal; without one use `xwtui fill`, `count`, `check` or `convert`, "
            "`xwtui run SCRIPT`, or `xwtui repl` with lines on stdin"
        )
    from xwtui.tui.app import run_screen  # noqa: PLC0415  (what went wrong is told without loading textual)

    return run_screen(puzzle)
