"""`xwtui` as a real process, in a terminal, or within this process."""

import codecs
import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from click.testing import CliRunner

from tests.interrupting import with_signals
from xwtui.start import shell

PATIENCE = 300
"""Seconds after which a process counts as hung; long enough for the engine's first compile."""


NO_UNICODE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale with ASCII encoding, which Python must not override."""


def user_folders(home: Path) -> dict[str, str]:
    """Return an environment with separate user folders; the cache with compiled kernels stays shared."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment.pop("NO_COLOR", None)
    if "XDG_CACHE_HOME" in os.environ:
        environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]
    for name in ("STATE", "CONFIG", "DATA"):
        environment[f"XDG_{name}_HOME"] = str(home / name.lower())
    return environment


def xwtui_process(
    *arguments: str | Path,
    environment: Mapping[str, str],
    stdin: str | bytes = b"",
    folder: Path | None = None,
    status: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `xwtui` to its end in a process of its own, with pipes for stdin, stdout and stderr.

    If `status` is given, the process must exit with it.
    """
    typed = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(
        command(*arguments),
        input=typed,
        capture_output=True,
        env=dict(environment),
        cwd=folder,
        timeout=PATIENCE,
        check=False,
    )
    return _ended(done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"), status)


def _ended(
    given: Any, status: int, out: str, error: str, expected: int | None
) -> subprocess.CompletedProcess[str]:
    assert expected in (None, status), (status, out, error)
    return subprocess.CompletedProcess(given, status, out, error)


def xwtui(
    *arguments: str | Path,
    environment: Mapping[str, str],
    stdin: str | bytes = b"",
    folder: Path | None = None,
    status: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `xwtui` in this process: faster, for tests that need neither signals nor real streams."""
    with contextlib.chdir(folder or Path.cwd()):
        given = [str(argument) for argument in arguments]
        result = CliRunner().invoke(shell, given, stdin, dict(environment), prog_name="xwtui")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return _ended(arguments, result.exit_code, result.stdout, result.stderr, status)


def command(*arguments: str | Path) -> list[str]:
    """Return the command line of `xwtui` with this Python."""
    return [sys.executable, "-m", "xwtui", *map(str, arguments)]


_WHERE_IS_THE_CURSOR = b"\x1b[6n"
"""A cursor position request; a terminal answers with row and column."""


class Terminal:
    """A process whose stdin, stdout and stderr are a terminal of 24 rows by 100 columns, of type `term`."""

    def __init__(
        self,
        *arguments: str | Path,
        environment: Mapping[str, str],
        folder: Path | None = None,
        stdout: IO[bytes] | None = None,
        stderr: IO[bytes] | None = None,
        term: str = "xterm",
        is_own: bool = True,
    ) -> None:
        """Start it. `stdout` or `stderr`, if given, are files instead of the terminal.

        Without `is_own` it is not the session's controlling terminal, so closing it sends no signal.
        """
        self.seen = ""
        """All output so far."""
        self._read_up_to = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._last_bytes = b""
        self._is_closed = False
        own, others = pty.openpty()
        termios.tcsetwinsize(own, (24, 100))
        self._file = own
        self.process = subprocess.Popen(
            with_signals(command(*arguments)),
            stdin=others,
            stdout=others if stdout is None else stdout,
            stderr=others if stderr is None else stderr,
            env={**environment, "TERM": term},
            cwd=folder,
            start_new_session=is_own,
        )
        os.close(others)

    def expect(self, text: str) -> None:
        """Wait for a text after the last expected one; fail if the process ends first."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.seen.find(text, self._read_up_to)) < 0:
            assert time.monotonic() < deadline, f"no {text!r} in {self.seen[-2000:]!r}"
            assert self._read(), f"the process ended without {text!r}: {self.seen[-2000:]!r}"
        self._read_up_to = found + len(text)

    @property
    def expected(self) -> str:
        """All output up to the end of the last expected text; more may have come in the same read."""
        return self.seen[: self._read_up_to]

    def _read(self, seconds: float = 1) -> bool:
        if not select.select([self._file], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._file, 65536)
        except OSError:
            return False
        self.seen += self._decoder.decode(data)
        recent = self._last_bytes + data
        self._last_bytes = recent[1 - len(_WHERE_IS_THE_CURSOR) :]  # a request may come in two reads
        for _ in range(recent.count(_WHERE_IS_THE_CURSOR)):
            os.write(self._file, b"\x1b[1;1R")
        return bool(data)

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Read output until a condition holds; a program whose output nobody reads blocks."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"not {what}: {self.seen[-2000:]!r}"
            assert self._read(), f"the process ended before: {what}"

    def read_for(self, seconds: float) -> None:
        """Read output for some seconds, or until the process ends."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self._read(left):
            pass

    def press(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    def interrupt(self) -> None:
        """Press Ctrl+C outside raw mode."""
        os.killpg(self.process.pid, signal.SIGINT)

    def close(self) -> int:
        """Close the terminal, as closing its window does; return the exit status of its program."""
        os.close(self._file)
        self._is_closed = True
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill the process without cleanup, and read its remaining output."""
        self.process.kill()
        self.process.wait()
        while self._read():
            pass

    def end(self) -> int:
        """Wait for the end and return the exit status."""
        deadline = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < deadline, f"still running: {self.seen[-2000:]!r}"
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        if not self._is_closed:
            os.close(self._file)
