"""One line of progress that rewrites itself: on a terminal only, and only for what takes long."""

import shutil
import threading
import time
from types import TracebackType
from typing import Self, TextIO

LONG_SECONDS = 0.5
"""What takes longer than this tells how far it is."""
_REDRAW_SECONDS = 0.1
_BEAT_SECONDS = 0.5


class StatusLine:
    """Progress on a stream; a context manager that leaves a clean line behind.

    The line tells the seconds that have passed and is drawn anew as they do, also while
    nothing new is shown. Nothing is written where the stream is no terminal, or is none any
    more. `show` may be called from any thread.
    """

    def __init__(self, stream: TextIO, delay: float = LONG_SECONDS) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._begun = time.monotonic()
        self._not_before = self._begun + delay
        self._text = ""
        self._width = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def show(self, text: str) -> None:
        """Replace the line, at most ten times a second and not in the first half second."""
        with self._lock:
            self._text = text
            self._draw()

    def clear(self) -> None:
        """Take the line away."""
        with self._lock:
            if self._width:
                self._write("")

    def _draw(self) -> None:
        now = time.monotonic()
        if not self._is_terminal or not self._text or now < self._not_before:
            return
        self._not_before = now + _REDRAW_SECONDS
        columns = max(shutil.get_terminal_size().columns - 1, 10)
        self._write(f"{self._text}, {now - self._begun:.0f} s"[:columns])

    def _write(self, text: str) -> None:
        try:
            self._stream.write("\r" + text.ljust(self._width) + ("" if text else "\r"))
            self._stream.flush()
        except OSError:  # the terminal is closed: there is nobody to tell, and the work goes on
            self._is_terminal = False
        self._width = len(text)

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT_SECONDS):
            with self._lock:
                if not self._ended.is_set():
                    self._draw()

    def __enter__(self) -> Self:
        if self._is_terminal:
            threading.Thread(target=self._beat, name="status", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self.clear()
