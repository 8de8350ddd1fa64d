"""Writers that a screen or REPL runs in another process: the libraries for print would take 20 MB of its memory.

That process serves one request after the other. It ends once nothing was printed for a while, or with
this process, however that ends.
"""

import importlib
import pickle
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Written, printed_on
from xwtui.memory import is_long_lived, kept_while_used
from xwtui.model import Puzzle
from xwtui.named_tuples import NamedTuple


class Printing(NamedTuple):
    """A puzzle to write, and the writer: a function of a module of this package, with its options."""

    module: str
    function: str
    options: Mapping[str, bool]
    puzzle: Puzzle
    lossy: bool
    paper: str

    def write(self) -> Written:
        """Write the puzzle in this process; raises PuzzleFormatError."""
        writer = getattr(importlib.import_module(f"xwtui.formats.{self.module}"), self.function)
        with printed_on(self.paper):
            written: Written = writer(self.puzzle, self.lossy, **self.options)
        return written

    def write_apart(self) -> Written:
        """Write it in the other process, or here if that is impossible; raises PuzzleFormatError."""
        if not (is_long_lived() and Path(sys.executable or "").stem.startswith("python")):
            return self.write()
        try:
            answer = _printer().answer(self)
        except (OSError, EOFError, pickle.PickleError):
            _printer.cache_clear()
            return self.write()
        if isinstance(answer, PuzzleFormatError):
            raise answer
        return answer


class _Printer:
    """The other process."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def answer(self, printing: Printing) -> Written | PuzzleFormatError:
        """Write a puzzle there; raises OSError, EOFError or PickleError if the process has died."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(printing, self._process.stdin)
        self._process.stdin.flush()
        answer: Written | PuzzleFormatError = pickle.load(self._process.stdout)
        return answer

    def __del__(self) -> None:
        with self._process:
            self._process.kill()


@kept_while_used
@cache
def _printer() -> _Printer:
    command = [sys.executable, "-P", "-m", __name__]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    # Ctrl+C belongs to the face
    return _Printer(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing, start_new_session=True))


def main() -> None:
    """Answer requests from standard input until it ends."""
    while True:
        try:
            printing: Printing = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer: Written | PuzzleFormatError = printing.write()
        except PuzzleFormatError as error:
            answer = error
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
