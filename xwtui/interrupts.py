"""Ctrl+C, or being told to end, during a search: the search is asked to stop, and says how far it came."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_flag(pressed_first: Callable[[], object] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Within the context the first Ctrl+C only raises a flag, which the yielded function tells, and makes a call.

    So does SIGTERM, which `timeout` and job queues send: what was found so far is not lost. The
    second raises KeyboardInterrupt, as Ctrl+C does outside.
    """
    pressed = threading.Event()

    def raise_flag(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        pressed_first()

    before = {number: signal.signal(number, raise_flag) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield pressed.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
