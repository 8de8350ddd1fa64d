"""The terminal that the screen is written to, also after it has been closed."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO, cast


class LastingTerminal:
    """A terminal's file that takes everything once the terminal is gone.

    Textual writes in a thread with a short queue. An error would end that thread, and the program would
    wait for room in the queue for ever instead of ending.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.encoding = file.encoding

    def write(self, text: str) -> int:
        """Write a text, or drop it where nobody can see it."""
        with contextlib.suppress(OSError):
            return self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Write what is held back, likewise."""
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """The number of the file."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether it is, or was, a terminal."""
        return self._file.isatty()


@contextlib.contextmanager
def lasting_terminal() -> Iterator[None]:
    """Let Textual write to a `LastingTerminal`; it takes the process's own stderr for the terminal.

    Where that goes elsewhere, to a file say, stdout is the terminal.
    """
    before = sys.__stderr__
    streams = [stream for stream in (before, sys.__stdout__) if stream is not None]
    terminal = next((stream for stream in streams if stream.isatty()), None)
    if terminal is not None:
        sys.__stderr__ = cast(TextIO, LastingTerminal(terminal))  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        sys.__stderr__ = before  # type: ignore[misc]


def open_terminals() -> tuple[int, ...]:
    """Those of the standard streams, by number, that are a terminal now; a closed one is none any more."""
    return tuple(number for number in (0, 1, 2) if os.isatty(number))


def is_monochrome() -> bool:
    """Whether the terminal is described as one without colours; one that nobody describes has them."""
    if os.environ.get("COLORTERM"):
        return False
    try:
        import curses  # noqa: PLC0415  (not on every system)
    except ImportError:
        return False
    try:
        curses.setupterm(fd=1)
    except curses.error:
        return False
    return curses.tigetnum("colors") <= 1
