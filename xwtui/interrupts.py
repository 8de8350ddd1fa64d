"""What tells the program to stop: Ctrl+C, SIGTERM (`timeout`, job queues), SIGHUP (the terminal is closed).

Where nothing else is said, Ctrl+C raises KeyboardInterrupt and the other two raise `Terminated`. Within
`interrupt_flag` the first of them only raises a flag, so that what was found so far is told and written. Threads
that were told to end are known here until they have, so that a caller can be left with none of them.
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

_SIGHUP = getattr(signal, "SIGHUP", None)  # Windows has none
_ENDING = tuple(number for number in (signal.SIGTERM, _SIGHUP) if number is not None)
_STREAMS = (0, 1, 2)
_MOMENT = 0.01
"""Seconds after which a signal comes again that came where Python drops what is raised."""

_came: list[int] = []
"""The signals that came since the program began to heed them, in order; they are the whole process's."""

_threads: set[threading.Thread] = set()
_threads_lock = threading.Lock()


class Terminated(SystemExit):
    """SIGTERM or SIGHUP: the program is to end, with the status that a shell gives to the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(status_of(number))


def status_of(number: int) -> int:
    """The exit status of a program that a signal has ended."""
    return 128 + number


def stopping_signal() -> int:
    """The signal that came first; SIGINT where none was noted, for Python handles that one itself."""
    return _came[0] if _came else signal.SIGINT


def stopped_by() -> str:
    """What has stopped the program, in words."""
    number = stopping_signal()
    return "Ctrl+C" if number == signal.SIGINT else signal.Signals(number).name


def has_been_told_to_end() -> bool:
    """Whether SIGTERM or SIGHUP came."""
    return any(number in _ENDING for number in _came)


def stopping_error() -> BaseException:
    """What a flag that was raised stands for: Terminated where SIGTERM or SIGHUP came, else KeyboardInterrupt."""
    return next((Terminated(number) for number in _came if number in _ENDING), KeyboardInterrupt())


@contextmanager
def heeding_signals() -> Iterator[None]:
    """Within the context SIGTERM and SIGHUP raise Terminated, so that what is open is closed as after an error.

    A closing terminal sends SIGHUP more than once, and with it SIGTERM comes often: SIGHUP raises nothing where
    any came before. In another thread than the main one nothing is heeded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _came.clear()
    terminals = [number for number in _STREAMS if os.isatty(number)]

    def end(number: int, frame: FrameType | None) -> None:
        is_first = not _came
        _came.append(number)
        _leave_dead(terminals)
        if is_first or number != _SIGHUP:
            raise Terminated(number)

    with _handled_by(end, _ENDING), _coming_again():
        yield


@contextmanager
def ending_as_told() -> Iterator[None]:
    """Raise Terminated even where a library turns what SIGTERM or SIGHUP raised into an error of its own."""
    before = len(_came)
    try:
        yield
    except (XwtuiError, OSError):  # these are told, even then: perhaps nothing could be written
        raise
    except Exception as error:
        if any(number in _ENDING for number in _came[before:]):
            raise stopping_error() from error
        raise


@contextmanager
def interrupt_flag(pressed_first: Callable[[], object] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Within the context the first Ctrl+C only raises a flag, which the yielded function tells, and makes a call.

    So do SIGTERM and SIGHUP: what was found so far is not lost. A second Ctrl+C raises KeyboardInterrupt and
    a second SIGTERM raises Terminated, as they do outside.
    """
    pressed = threading.Event()
    terminals = [number for number in _STREAMS if os.isatty(number)]
    here: set[int] = set()

    def raise_flag(number: int, frame: FrameType | None) -> None:
        is_again = number in here
        here.add(number)
        _came.append(number)
        _leave_dead(terminals)
        if is_again and number == signal.SIGINT:
            raise KeyboardInterrupt
        if is_again and number == signal.SIGTERM:
            raise Terminated(number)
        if not pressed.is_set():
            pressed.set()
            pressed_first()

    with _handled_by(raise_flag, (signal.SIGINT, *_ENDING)):
        yield pressed.is_set


@contextmanager
def _coming_again() -> Iterator[None]:
    """Let a signal come again whose exception Python has dropped, as it does in `__del__` and for weakrefs."""
    before = sys.unraisablehook

    def look(dropped: "sys.UnraisableHookArgs") -> None:
        match dropped.exc_value:
            case Terminated(code=int(status)):
                number = status - status_of(0)
            case KeyboardInterrupt():
                number = signal.SIGINT
            case _:
                before(dropped)
                return
        _came[:] = [one for one in _came if one != number]
        again = threading.Timer(_MOMENT, os.kill, (os.getpid(), number))  # here it would be dropped once more
        again.daemon = True
        again.start()

    sys.unraisablehook = look
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def _handled_by(handler: Handler, numbers: tuple[int, ...]) -> Iterator[None]:
    """Let a function handle signals within the context, but for those that are ignored.

    `nohup` starts a program with SIGHUP ignored, and a shell without job control what it runs in the background
    with SIGINT ignored; a handler over that would let the program end by what its caller has kept from it.
    """
    before = {number: signal.getsignal(number) for number in numbers}
    heard = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in heard:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in heard.items():
            signal.signal(number, old)


def _leave_dead(terminals: list[int]) -> None:
    """Put nothing in the place of those streams whose terminal is closed: writing there would be an error."""
    for number in terminals:
        if not os.isatty(number):
            with suppress(OSError):
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, number)
                os.close(nowhere)


class Exit(enum.IntEnum):
    """What a command's exit status says."""

    OK = 0
    """Done; for `fill`: filled."""
    IMPOSSIBLE = 1
    """`fill`: proved that there is no fill; `check`: there are findings."""
    BAD_INPUT = 2
    """Wrong use, or a file that cannot be read or written."""
    UNKNOWN = 3
    """`fill`: neither a fill nor a proof at the deadline; `count --exact`: no exact count."""
    HUNG_UP = 129
    """Stopped by SIGHUP: the terminal was closed."""
    INTERRUPTED = 130
    """Stopped with Ctrl+C; a command returns it for any signal, and the shell says which one it was."""
    BROKEN_PIPE = 141
    """Whoever read the output went away; said quietly."""
    TERMINATED = 143
    """Stopped by SIGTERM."""


def let_end(threads: Iterable[threading.Thread]) -> None:
    """Note threads that were told to end, for `wait_for_ending`; nobody waits for them here."""
    with _threads_lock:
        _threads.update(threads)
        _threads.difference_update([one for one in _threads if not one.is_alive()])


def wait_for_ending() -> None:
    """Wait until all threads that were told to end have; a compiler among them takes its time."""
    for one in tuple(_threads):
        one.join()
    let_end(())
