"""The signals of a terminal in tests, whatever the caller of the tests has made this process ignore."""

import signal
import sys

_START = (
    "import fcntl, os, signal, sys, termios; "
    "signal.signal(signal.SIGINT, signal.SIG_DFL); signal.signal(signal.SIGHUP, signal.SIG_DFL); "
    "os.isatty(0) and os.getsid(0) == os.getpid() and fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


def with_signals(command: list[str]) -> list[str]:
    """The command line that runs a command as on a terminal: `nohup` and `&` in a script make children deaf.

    The terminal of a new session becomes its own, so that closing it sends SIGHUP.
    """
    return [sys.executable, "-I", "-S", "-c", _START, *command]


def without_signals(command: list[str], *numbers: signal.Signals) -> list[str]:
    """The command line that runs a command with some signals ignored, as `nohup` does."""
    ignored = "".join(f"signal.signal({int(number)}, signal.SIG_IGN); " for number in numbers)
    return [sys.executable, "-I", "-S", "-c", _START.replace("os.execv(", f"{ignored}os.execv("), *command]
