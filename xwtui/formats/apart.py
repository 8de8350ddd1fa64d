"""Writing for print in another process, for a screen or REPL: its libraries would take 20 MB of their memory.

That process serves one request after the other. It ends once nothing was printed for a while, or with this one,
however that ends.
"""

import atexit
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import PAPER, Written, printed_on
from xwtui.memory import is_long_lived, kept_while_used

_lock = Lock()


def written_apart(write: Callable[..., Written], *arguments: Any, **options: Any) -> Written | None:
    """Return the result of a function in the other process, or None if it is to be called here.

    Raises PuzzleFormatError if the function does.
    """
    if not is_long_lived():
        return None
    try:
        with _lock:
            process = _printer()
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump((PAPER.get(), write, arguments, options), process.stdin)
            process.stdin.flush()
            answer: Written | PuzzleFormatError = pickle.load(process.stdout)
    except (OSError, EOFError, pickle.PickleError):
        _printer.cache_clear()
        return None
    if isinstance(answer, PuzzleFormatError):
        raise answer
    return answer


class _Printer(subprocess.Popen[bytes]):
    def __del__(self) -> None:
        with suppress(AttributeError, OSError), self:  # it may not have started, or have died
            self.kill()


@kept_while_used
@cache
def _printer() -> _Printer:
    if not Path(sys.executable or "").stem.startswith("python"):
        raise OSError("another program embeds Python")
    command, pipe = [sys.executable, "-P", "-m", __name__], subprocess.PIPE
    # Ctrl+C belongs to the face
    return _Printer(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True)


atexit.register(_printer.cache_clear)


if __name__ == "__main__":
    with suppress(EOFError):
        while True:
            paper, write, arguments, options = pickle.load(sys.stdin.buffer)
            try:
                with printed_on(paper):
                    pickle.dump(write(*arguments, **options), sys.stdout.buffer)
            except PuzzleFormatError as error:
                pickle.dump(error, sys.stdout.buffer)
            sys.stdout.flush()
