"""Sessions that a test leaves open, as a simulated kill does: closed at its end, with all their threads."""

import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import pytest

from xwtui import interrupts
from xwtui.session.session import Session

_PATIENCE = 120.0
"""Seconds after which a thread counts as hung."""

_made: WeakSet[Session] = WeakSet()
_make = Session.__init__


def _make_and_note(session: Session, *args: Any, **kwargs: Any) -> None:
    _make(session, *args, **kwargs)
    _made.add(session)


Session.__init__ = _make_and_note  # type: ignore[method-assign, assignment]


@contextmanager
def sessions_closed() -> Iterator[None]:
    """Close every session made in the block, and wait for all threads that are ending.

    Otherwise they would go on searching, writing files and calling patched functions during later tests.
    """
    before = WeakSet(_made)
    yield
    for session in [one for one in _made if one not in before and not one._is_closed]:
        session._is_closed = True  # whoever listened may be gone
        session.close()
    for thread in tuple(interrupts._threads):
        if thread is not threading.current_thread():
            thread.join(_PATIENCE)
            if thread.is_alive():
                interrupts._threads.discard(thread)
                pytest.fail(f"the thread {thread.name} does not end: {_place_of(thread)}")
    interrupts.register_ending(())


def _place_of(thread: threading.Thread) -> str:
    frame = sys._current_frames().get(thread.ident or 0)
    return "".join(traceback.format_stack(frame))
