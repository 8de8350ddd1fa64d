"""One line of progress that rewrites itself: on a terminal only, and only for what takes long."""

import shutil
import threading
import time
from types import TracebackType
from typing import Self, TextIO

LONG_SECONDS = 0.5
"""What takes longer than this tells how far it is."""
_REDRAW_SECONDS = 0.1


class StatusLine:
    """Progress on a stream; a context manager that leaves a clean line behind.

    Nothing is written where the stream is no terminal. `show` may be called from any thread.
    """

    def __init__(self, stream: TextIO, delay: float = LONG_SECONDS) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._not_before = time.monotonic() + delay
        self._width = 0
        self._lock = threading.Lock()

    def show(self, text: str) -> None:
        """Replace the line, at most ten times a second and not in the first half second."""
        if not self._is_terminal:
            return
        with self._lock:
            now = time.monotonic()
            if now < self._not_before:
                return
            self._not_before = now + _REDRAW_SECONDS
            columns = max(shutil.get_terminal_size().columns - 1, 10)
            self._write(text[:columns])

    def clear(self) -> None:
        """Take the line away."""
        with self._lock:
            if self._width:
                self._write("")
                self._width = 0

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width) + ("" if text else "\r"))
        self._stream.flush()
        self._width = len(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
