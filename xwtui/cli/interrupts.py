"""Ctrl+C during a search: the search is asked to stop, and says how far it came."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_flag(pressed_first: Callable[[], object] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Within the context the first Ctrl+C only raises a flag, which the yielded function tells, and makes a call.

    A second Ctrl+C raises KeyboardInterrupt, as it does outside.
    """
    pressed = threading.Event()

    def raise_flag(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        pressed_first()

    before = signal.signal(signal.SIGINT, raise_flag)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
