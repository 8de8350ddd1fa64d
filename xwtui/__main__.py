"""The program: `xwtui`, which is `python -m xwtui`."""

import signal
import sys
from typing import NoReturn

from xwtui.memory import begin_process


def main() -> NoReturn:
    """Run the `xwtui` command; never returns."""
    try:
        begin_process()
        from xwtui import start  # noqa: PLC0415  what is loaded with it is no garbage

        start.main()
    except KeyboardInterrupt:  # before there is a command that says so
        sys.exit(128 + signal.SIGINT)
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # all is said, and Python would say where it was


if __name__ == "__main__":
    main()
