"""Entry point of the program, for both `xwtui` and `python -m xwtui`."""

import signal
import sys
from typing import NoReturn

from xwtui.memory import begin_process


def main() -> NoReturn:
    """Run the `xwtui` command; never returns."""
    try:
        begin_process()
        from xwtui import start  # noqa: PLC0415  after garbage collection is throttled

        start.main()
    except KeyboardInterrupt:  # raised before a command is running that would report it
        sys.exit(128 + signal.SIGINT)
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            # everything has been reported; the default handler would print a traceback
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
