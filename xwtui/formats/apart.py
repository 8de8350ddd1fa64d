"""Writers that a screen or REPL runs in another process: the libraries for print would take 20 MB of its memory.

That process serves one request after the other. It ends once nothing was printed for a while, or with this one,
however that ends.
"""

import importlib
import pickle
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Written, printed_on
from xwtui.memory import is_long_lived, kept_while_used
from xwtui.model import Puzzle

_lock = Lock()


def write(
    module: str, function: str, options: Mapping[str, bool], puzzle: Puzzle, lossy: bool, paper: str
) -> Written:
    """Write a puzzle by a function of a module of this package; raises PuzzleFormatError."""
    writer = getattr(importlib.import_module(f"xwtui.formats.{module}"), function)
    with printed_on(paper):
        written: Written = writer(puzzle, lossy, **options)
    return written


def write_apart(*printing: Any) -> Written:
    """Do as `write` in the other process if this one is long-lived, or here if that is impossible."""
    if is_long_lived():
        try:
            answer = _answer(printing)
        except (OSError, EOFError, pickle.PickleError):
            _printer.cache_clear()
        else:
            if isinstance(answer, PuzzleFormatError):
                raise answer
            return answer
    return write(*printing)


def _answer(printing: tuple[Any, ...]) -> Written | PuzzleFormatError:
    with _lock:
        process = _printer()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(printing, process.stdin)
        process.stdin.flush()
        answer: Written | PuzzleFormatError = pickle.load(process.stdout)
        return answer


class _Printer(subprocess.Popen[bytes]):
    def __del__(self) -> None:
        with suppress(AttributeError), self:  # it may not have started
            self.kill()


@kept_while_used
@cache
def _printer() -> _Printer:
    if not Path(sys.executable or "").stem.startswith("python"):
        raise OSError("another program embeds Python")
    command, pipe = [sys.executable, "-P", "-m", __name__], subprocess.PIPE
    # Ctrl+C belongs to the face
    return _Printer(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True)


def main() -> None:
    """Answer requests from standard input until it ends."""
    with suppress(EOFError):
        while True:
            printing = pickle.load(sys.stdin.buffer)
            try:
                answer: Written | PuzzleFormatError = write(*printing)
            except PuzzleFormatError as error:
                answer = error
            pickle.dump(answer, sys.stdout.buffer)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
