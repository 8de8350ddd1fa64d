"""A terminal that runs xwtui, and the delay from a key press to its visible effect."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

from bench.fillers import clock

_PATIENCE = 300.0
"""Timeout in seconds for expected output; long enough for the engine's first compile."""
_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Zu~]|O[A-Z])|.", re.DOTALL)
_SECONDS_A_KEY = 0.05


class Keyboard:
    """`xwtui GRID` in a terminal of a given size."""

    def __init__(
        self,
        grid: Path,
        environment: Mapping[str, str],
        size: tuple[int, int] = (80, 24),
        folder: Path | None = None,
    ) -> None:
        own, others = pty.openpty()
        columns, rows = size
        termios.tcsetwinsize(own, (rows, columns))
        self._file = own
        self._process = subprocess.Popen(
            [sys.executable, "-m", "xwtui", str(grid)],
            stdin=others,
            stdout=others,
            stderr=others,
            env={**os.environ, **environment, "TERM": "xterm-256color"},
            cwd=folder,
            start_new_session=True,
        )
        self.process = self._process.pid
        os.close(others)

    def press(self, keys: str, effect: str, seconds: float = _PATIENCE) -> float:
        """Press keys and return the seconds until `effect`, text that was not on the screen before, is written.

        If the clock is processor time, time during which the screen's thread was runnable but had no processor
        (from Linux schedstat) is subtracted. Raises TimeoutError if the effect does not appear.
        """
        self.rest(0)
        waited = self._waited
        begun = perf_counter()
        os.write(self._file, keys.encode())
        taken = self._expect(effect, begun, seconds)
        return taken - (self._waited - waited) if clock.is_processor_time() else taken

    @property
    def _waited(self) -> float:
        """Seconds that the screen's thread has waited for a processor."""
        schedule = Path(f"/proc/{self.process}/task/{self.process}/schedstat")
        return int(schedule.read_text().split()[1]) / 1e9 if schedule.exists() else 0.0

    def write(self, keys: str) -> None:
        """Send keys in one write."""
        with contextlib.suppress(OSError):  # the program has ended
            os.write(self._file, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal, as a user resizes a window."""
        termios.tcsetwinsize(self._file, (rows, columns))
        if self.status is None:
            os.kill(self.process, signal.SIGWINCH)

    @property
    def status(self) -> int | None:
        """Exit status, or None while the program runs."""
        return self._process.poll()

    def play(self, keys: str) -> None:
        """Press keys one after the other without waiting for their effect."""
        for key in _KEY.findall(keys):
            self.write(key)
            self.rest(_SECONDS_A_KEY)

    def expect(self, text: str) -> None:
        """Wait until a text is written."""
        self._expect(text, perf_counter(), _PATIENCE)

    def _expect(self, text: str, begun: float, seconds: float) -> float:
        wanted, seen = text.encode(), b""
        while wanted not in seen:
            left = begun + seconds - perf_counter()
            if left <= 0 or not select.select([self._file], [], [], left)[0]:
                raise TimeoutError(f"no {text!r} was written in {seconds:.0f} s")
            seen += os.read(self._file, 65536)
        return perf_counter() - begun

    def rest(self, seconds: float) -> str:
        """Read for some seconds and return the output."""
        end, seen = perf_counter() + seconds, b""
        with contextlib.suppress(OSError):  # the program has ended
            while select.select([self._file], [], [], max(0.0, end - perf_counter()))[0]:
                seen += os.read(self._file, 65536)
        return seen.decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the program and close the terminal."""
        self._process.kill()
        self._process.wait()
        os.close(self._file)
