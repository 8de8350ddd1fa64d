"""What the screen needs of the terminal."""

import sys

from xwtui.errors import XwtuiError


def require_terminal() -> None:
    """Raise XwtuiError, naming the ways to work without a screen, where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise XwtuiError(
            "the screen needs a terminal; without one use `xwtui fill`, `count`, `check` or `convert`, "
            "`xwtui run SCRIPT`, or `xwtui repl` with lines on stdin"
        )
