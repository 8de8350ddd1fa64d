"""Default signal handling for subprocesses in tests, even if the test runner's caller ignores signals."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_START = (
    "import fcntl, os, signal, sys, termios; "
    "signal.signal(signal.SIGINT, signal.SIG_DFL); signal.signal(signal.SIGHUP, signal.SIG_DFL); "
    "os.isatty(0) and os.getsid(0) == os.getpid() and fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


@contextmanager
def handled_by(number: signal.Signals, handler: Any) -> Iterator[None]:
    """Handle a signal with this handler within the block, even if the block fails."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def with_signals(command: list[str]) -> list[str]:
    """Wrap a command so that signals act as in a terminal; `nohup` and `&` make child processes ignore them.

    The terminal of a new session becomes its controlling terminal, so that closing it sends SIGHUP.
    """
    return [sys.executable, "-I", "-S", "-c", _START, *command]


def without_signals(command: list[str], *numbers: signal.Signals) -> list[str]:
    """Wrap a command so that it ignores some signals, as under `nohup`."""
    ignored = "".join(f"signal.signal({int(number)}, signal.SIG_IGN); " for number in numbers)
    return [sys.executable, "-I", "-S", "-c", _START.replace("os.execv(", f"{ignored}os.execv("), *command]
