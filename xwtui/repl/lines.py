"""Sources of the REPL's lines: a terminal prompt with completion and history, or a pipe."""

import io
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output

from xwtui.interrupts import interrupt_flag, stopping_error
from xwtui.lazy import lazy_pattern
from xwtui.resources import repl_history_file
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import LONGEST_LINE

if sys.platform != "win32":
    import termios
    import tty

_LONGEST_READ = LONGEST_LINE + 2


class VerbCompleter(Completer):
    """Completes verbs, entries, files and candidates."""

    def __init__(self, in_front: Callable[[], Session]) -> None:
        self._in_front = in_front

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        before = document.text_before_cursor
        for offer in complete(self._in_front(), before):
            yield Completion(offer.text, start_position=offer.start - len(before), display_meta=offer.description)


class _ForgivingFileHistory(FileHistory):
    """A file history that drops lines, rather than failing, on a full or read-only disk."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def open_history(path: Path | None = None) -> History:
    """Return the history from a file, or an in-memory one if the file cannot be used."""
    file = path or repl_history_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.read_bytes()
    except OSError:
        return InMemoryHistory()
    return _ForgivingFileHistory(file)


_CONTINUED = "… "
_OPEN_QUOTE = lazy_pattern(r'(?:^|\s)"[^"]*$')


def is_continued(line: str) -> bool:
    """Whether a line is continued: it ends with an odd number of backslashes."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def numbered_lines(pieces: Iterable[str], longest: int) -> Iterator[tuple[int, str]]:
    """Yield a script's lines with the number of each one's first piece, joining pieces continued by a backslash.

    A comment is never continued, nor is a line of more than `longest` characters.
    """
    joined, first = "", 0
    for number, piece in enumerate(pieces, start=1):
        first = first or number
        joined += piece
        if is_continued(joined) and not joined.lstrip().startswith("#") and len(joined) <= longest:
            joined = joined[:-1]
            continue
        yield first, joined
        joined, first = "", 0
    if first:
        yield first, joined


def is_unfinished(text: str) -> bool:
    """Whether more input is expected: after a backslash, or inside quotes until an empty line."""
    return is_continued(text) or (not text.endswith("\n") and _OPEN_QUOTE.search(text) is not None)


def lines_of(text: str) -> list[str]:
    """Return the lines of verbs in typed or pasted text, joining continued lines, inside quotes with a space."""
    lines: list[str] = []
    joined: str | None = None
    for piece in text.splitlines():
        whole = piece if joined is None else joined + piece
        if is_continued(whole):
            joined = whole[:-1]
        elif piece and is_unfinished(whole):
            joined = f"{whole} "
        else:
            lines.append(whole.rstrip(" ") if joined is not None else whole)
            joined = None
    return [*lines, joined.rstrip(" ")] if joined is not None else lines


class Lines(Protocol):
    """A source of lines; both methods raise EOFError at its end and KeyboardInterrupt on Ctrl+C."""

    is_interactive: bool

    def next_line(self, prompt: str) -> str: ...

    def answer(self, question: str) -> str:
        """Ask a question, without completion and history."""


class PromptLines:
    """Lines typed at a prompt, with completion, history, and a toolbar below."""

    is_interactive = True

    def __init__(
        self,
        completer: Completer,
        history: History,
        toolbar: Callable[[], str],
        *,
        colours: bool = True,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        depth = None if colours else ColorDepth.DEPTH_1_BIT
        self._session: PromptSession[str] = PromptSession(
            completer=completer,
            complete_while_typing=False,
            history=history,
            auto_suggest=AutoSuggestFromHistory(),
            bottom_toolbar=toolbar,
            enable_suspend=True,
            color_depth=depth,
            input=terminal_input,
            output=terminal_output,
        )
        self._pasted: deque[str] = deque()
        """Lines pasted along with one that was run, which are still to be run."""
        self._questions: PromptSession[str] = PromptSession(
            input=terminal_input, output=terminal_output, enable_suspend=True
        )

    def next_line(self, prompt: str) -> str:
        if not self._pasted:
            text = _typed(self._session, prompt)
            while is_unfinished(text):
                text += f"\n{_typed(self._session, _CONTINUED)}"
            self._pasted.extend(lines_of(text) or [""])
        return self._pasted.popleft()

    def answer(self, question: str) -> str:
        return _typed(self._questions, question)

    def refresh(self) -> None:
        """Redraw the toolbar; thread-safe."""
        with suppress(RuntimeError):  # the prompt may end just before this call
            self._session.app.invalidate()


def _typed(session: PromptSession[str], prompt: str) -> str:
    """Read a line at a prompt. A signal exits it cleanly, as exceptions raised inside its event loop are lost."""
    app = session.app

    def end() -> None:
        if app.future is not None and not app.future.done():
            app.exit(exception=EOFError)

    def wake() -> None:
        with suppress(RuntimeError):  # the loop has ended
            if app.loop is not None:
                app.loop.call_soon_threadsafe(end)

    with interrupt_flag(wake) as is_signaled:
        try:
            return session.prompt(prompt, pre_run=lambda: end() if is_signaled() else None)
        finally:
            if is_signaled():
                raise stopping_error()


@contextmanager
def without_echo() -> Iterator[None]:
    """Turn off the terminal's echo in the context, so that typeahead appears only at the next prompt.

    Otherwise the terminal would show it at once, amid a job's output, and deliver it only line by line. The
    original mode is restored for the shell while the process is suspended.
    """
    if sys.platform == "win32":
        yield
        return
    before = termios.tcgetattr(sys.stdin)

    def suspend(number: int, _: object) -> None:
        now = termios.tcgetattr(sys.stdin)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # execution continues here
        signal.signal(number, suspend)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, now)

    tty.setcbreak(sys.stdin, termios.TCSADRAIN)
    others = signal.getsignal(signal.SIGTSTP)
    if others is not signal.SIG_IGN:  # otherwise no shell is there to resume it
        signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, others)
        with suppress(termios.error):  # the terminal is closed
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


class PipedLines:
    """Lines from a file or a pipe; no prompt is printed."""

    is_interactive = False

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stdin if stream is None else stream
        if isinstance(self._stream, io.TextIOWrapper):
            self._stream.reconfigure(errors="replace")  # an undecodable byte affects only its own line

    def next_line(self, prompt: str) -> str:
        """Return the next line, joined with its continuation lines."""
        for _, line in numbered_lines(self._read(), _LONGEST_READ):
            return line
        raise EOFError

    def _read(self) -> Iterator[str]:
        """Yield the lines of the stream, an overlong one only in part, enough to refuse it."""
        while line := self._stream.readline(_LONGEST_READ):
            piece = line
            while piece and not piece.endswith("\n"):
                piece = self._stream.readline(_LONGEST_READ)
            yield line.rstrip("\r\n")

    def answer(self, question: str) -> str:
        raise EOFError
