"""Signals that stop the program: Ctrl+C, SIGTERM (`timeout`, job queues), SIGHUP (the terminal was closed).

By default, Ctrl+C raises KeyboardInterrupt and the other two raise `Terminated`. Inside `interrupt_flag`, the
first signal only sets a flag, so that what was found so far can be reported and written. This module also keeps
track of threads that are ending until they have ended, so that a caller can wait for all of them.
"""

import enum
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from xwtui.errors import XwtuiError

Handler = Callable[[int, FrameType | None], None]

_SIGHUP = getattr(signal, "SIGHUP", None)  # Windows does not have it
_ENDING = tuple(number for number in (signal.SIGTERM, _SIGHUP) if number is not None)
_STREAMS = (0, 1, 2)
_RESEND_SECONDS = 0.01
"""Seconds until a signal is sent again whose exception Python discarded."""

_received: list[int] = []
"""Signals received since `handling_signals` began, in order, for the whole process."""

_threads: set[threading.Thread] = set()
_threads_lock = threading.Lock()


class Terminated(SystemExit):
    """SIGTERM or SIGHUP ends the program, with the exit status that a shell reports for the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(status_of(number))


def status_of(number: int) -> int:
    """Return the exit status of a program ended by a signal."""
    return 128 + number


def stopping_signal() -> int:
    """Return the first signal received, or SIGINT if none was recorded, since Python handles that one itself."""
    return _received[0] if _received else signal.SIGINT


def stopped_by() -> str:
    """Return what stopped the program, in words."""
    number = stopping_signal()
    return "Ctrl+C" if number == signal.SIGINT else signal.Signals(number).name


def is_termination_requested() -> bool:
    """Whether SIGTERM or SIGHUP was received."""
    return any(number in _ENDING for number in _received)


def stopping_error() -> BaseException:
    """Return the exception behind a set flag: Terminated after SIGTERM or SIGHUP, else KeyboardInterrupt."""
    return next((Terminated(number) for number in _received if number in _ENDING), KeyboardInterrupt())


@contextmanager
def handling_signals() -> Iterator[None]:
    """Raise Terminated on SIGTERM and SIGHUP within the context, so that resources are closed as after errors.

    A closing terminal sends SIGHUP more than once, often along with SIGTERM, so a SIGHUP that follows another
    signal raises nothing. Outside the main thread this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _received.clear()
    terminals = [number for number in _STREAMS if os.isatty(number)]

    def end(number: int, frame: FrameType | None) -> None:
        is_first = not _received
        _received.append(number)
        _detach_closed(terminals)
        if is_first or number != _SIGHUP:
            raise Terminated(number)

    with _handled_by(end, _ENDING), _resending_discarded():
        yield


@contextmanager
def preserving_termination() -> Iterator[None]:
    """Raise Terminated even if a library turns the exception of SIGTERM or SIGHUP into an error of its own."""
    before = len(_received)
    try:
        yield
    except (XwtuiError, OSError):  # these are still reported: perhaps something could not be written
        raise
    except Exception as error:
        if any(number in _ENDING for number in _received[before:]):
            raise stopping_error() from error
        raise


@contextmanager
def interrupt_flag(on_first: Callable[[], object] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Within the context, the first Ctrl+C only calls `on_first` and sets a flag.

    The yielded function returns the flag. SIGTERM and SIGHUP do the same as Ctrl+C, so that what was found so far
    is not lost. A second Ctrl+C raises KeyboardInterrupt and a second SIGTERM raises Terminated, as outside the
    context.
    """
    pressed = threading.Event()
    terminals = [number for number in _STREAMS if os.isatty(number)]
    here: set[int] = set()

    def raise_flag(number: int, frame: FrameType | None) -> None:
        is_again = number in here
        here.add(number)
        _received.append(number)
        _detach_closed(terminals)
        if is_again and number == signal.SIGINT:
            raise KeyboardInterrupt
        if is_again and number == signal.SIGTERM:
            raise Terminated(number)
        if not pressed.is_set():
            pressed.set()
            on_first()

    with _handled_by(raise_flag, (signal.SIGINT, *_ENDING)):
        yield pressed.is_set


@contextmanager
def _resending_discarded() -> Iterator[None]:
    """Send a signal again if Python discarded its exception, as it does in `__del__` and weakref callbacks."""
    before = sys.unraisablehook

    def resend(dropped: "sys.UnraisableHookArgs") -> None:
        match dropped.exc_value:
            case Terminated(code=int(status)):
                number = status - status_of(0)
            case KeyboardInterrupt():
                number = signal.SIGINT
            case _:
                before(dropped)
                return
        _received[:] = [one for one in _received if one != number]
        # raised here, it would be discarded once more
        again = threading.Timer(_RESEND_SECONDS, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()

    sys.unraisablehook = resend
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def _handled_by(handler: Handler, numbers: tuple[int, ...]) -> Iterator[None]:
    """Handle signals with a function within the context, except signals that are ignored.

    `nohup` starts a program with SIGHUP ignored, and a shell without job control starts background jobs with
    SIGINT ignored. A handler for those would let a signal end the program that its caller has shielded it from.
    """
    before = {number: signal.getsignal(number) for number in numbers}
    handled = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in handled:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in handled.items():
            signal.signal(number, old)


def _detach_closed(terminals: list[int]) -> None:
    """Redirect streams whose terminal is closed to the null device, as writing to them would be an error."""
    for number in terminals:
        if not os.isatty(number):
            with suppress(OSError):
                null_device = os.open(os.devnull, os.O_RDWR)
                os.dup2(null_device, number)
                os.close(null_device)


class Exit(enum.IntEnum):
    """Exit statuses of the commands."""

    OK = 0
    """Done; for `fill`: filled."""
    IMPOSSIBLE = 1
    """`fill`: proved that there is no fill; `check`: there are findings."""
    BAD_INPUT = 2
    """Wrong usage, or a file that cannot be read or written."""
    UNKNOWN = 3
    """`fill`: neither a fill nor a proof at the deadline; `count --exact`: no exact count."""
    HUNG_UP = 129
    """Stopped by SIGHUP: the terminal was closed."""
    INTERRUPTED = 130
    """Stopped with Ctrl+C. Commands return it for any signal, and the shell turns it into that signal's status."""
    BROKEN_PIPE = 141
    """The reader of the output went away; no message is printed."""
    TERMINATED = 143
    """Stopped by SIGTERM."""


def register_ending(threads: Iterable[threading.Thread]) -> None:
    """Register threads that are ending, for `wait_for_ending`, without waiting for them here."""
    with _threads_lock:
        _threads.update(threads)
        _threads.difference_update([one for one in _threads if not one.is_alive()])


def wait_for_ending() -> None:
    """Wait for all registered threads; one that is compiling may take a while."""
    for one in tuple(_threads):
        one.join()
    register_ending(())
