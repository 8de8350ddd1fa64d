"""The terminal behind the screen, even after it was closed, and the parsing of its keys."""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TextIO, cast

from textual import constants
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.message import Message

from xwtui.lazy import lazy_pattern

_ESCAPE = "\x1b"
_PASTE_BEGINS = f"{_ESCAPE}[200~"
_WHERE_TO_LOOK = lazy_pattern(r"\x1b\[20[01]~|\x1b(?![\[O])", re.DOTALL)
"""The start or end of a paste, and an escape that does not start a known key sequence."""


class LastingTerminal:
    """A terminal's file that accepts all output after the terminal is gone.

    Textual writes in a thread with a short queue. An error would end that thread, and the program would block
    forever on the full queue instead of ending.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.encoding = file.encoding

    def write(self, text: str) -> int:
        """Write text, or drop it if the terminal is gone."""
        with contextlib.suppress(OSError):
            return self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()


@contextlib.contextmanager
def lasting_terminal() -> Iterator[None]:
    """Make Textual write to a `LastingTerminal` in place of the process's stderr.

    If stderr is redirected, say to a file, stdout is the terminal.
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


class PlainEscapes(XTermParser):
    """Parses keys, but treats an escape followed directly by a character as two keys, as they were typed.

    Most terminals send Esc as the byte that also starts the sequences of other keys. Textual takes what follows
    within a tenth of a second as part of such a sequence, and the Esc is lost: over a slow line the next key
    arrives along with it. `is_key` returns whether a combination of Alt and a character is bound; such a
    combination stays one key.
    """

    def __init__(self, is_key: Callable[[str], bool], debug: bool = False) -> None:
        self._is_key = is_key
        self._held, self._since = "", 0.0
        self._is_pasted = False
        super().__init__(debug)

    def feed(self, data: str) -> Iterable[Message]:
        """Yield the keys in new input, including a held-back escape; an empty string ends the input."""
        if not data:
            yield from super().feed(data)
            return
        data, self._held = self._held + data, ""
        if data.endswith(_ESCAPE):  # what follows decides what it means
            data, self._held, self._since = data[:-1], _ESCAPE, monotonic()
        begin = 0
        for found in _WHERE_TO_LOOK.finditer(data):
            yield from self._read(data[begin : found.start()])
            begin = found.start()
            if len(found[0]) > 1:
                self._is_pasted = found[0] == _PASTE_BEGINS
                continue
            begin = found.end()
            if not self._is_pasted:  # in a paste it is not a key, and would end the paste for Textual
                character = (data + self._held)[begin]
                if self._is_key(_with_alt(character)):
                    begin += 1
                    yield Key(_with_alt(character), character)
                else:
                    yield Key("escape", _ESCAPE)
        yield from self._read(data[begin:])

    def _read(self, data: str) -> Iterable[Message]:
        """Parse text between escapes. Enter typed before Textual had set up the terminal arrives as a newline."""
        if data:
            is_enter = not self._is_pasted and not self._is_key("ctrl+j")
            yield from super().feed(data.replace("\n", "\r") if is_enter else data)

    def tick(self) -> Iterable[Message]:
        """Yield the keys that have waited long enough."""
        if self._held and not self._is_pasted and monotonic() - self._since >= constants.ESCAPE_DELAY:
            self._held = ""
            yield Key("escape", _ESCAPE)
        yield from super().tick()


def _with_alt(character: str) -> str:
    """Return Textual's name of Alt and a character."""
    return f"alt+shift+{character.lower()}" if character.isupper() else f"alt+{character}"


@contextlib.contextmanager
def plain_escapes(is_key: Callable[[str], bool]) -> Iterator[None]:
    """Make Textual parse keys with `PlainEscapes`, except on Windows, where it reads keys differently."""
    if sys.platform == "win32":
        yield
        return
    from textual.drivers import linux_driver, web_driver  # noqa: PLC0415  (not on every system)

    drivers = [vars(linux_driver), vars(web_driver)]
    before = [driver["XTermParser"] for driver in drivers]
    for driver in drivers:
        driver["XTermParser"] = lambda debug=False: PlainEscapes(is_key, debug)
    try:
        yield
    finally:
        for driver, parser in zip(drivers, before, strict=True):
            driver["XTermParser"] = parser


def open_terminals() -> tuple[int, ...]:
    """Return the numbers of the standard streams that are terminals now; a closed one no longer is."""
    return tuple(number for number in (0, 1, 2) if os.isatty(number))


def is_monochrome() -> bool:
    """Whether terminfo describes the terminal as having no colors; an unknown terminal is assumed to have them."""
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
