"""Threads that were told to end, known until they have, so that a caller can be left with none of them."""

from __future__ import annotations

import threading
from collections.abc import Iterable

_ending: set[threading.Thread] = set()
_lock = threading.Lock()


def let_end(threads: Iterable[threading.Thread]) -> None:
    """Note threads that were told to end, for `wait_for_ending`; nobody waits for them here."""
    with _lock:
        _ending.update(threads)
        _ending.difference_update([one for one in _ending if not one.is_alive()])


def wait_for_ending() -> None:
    """Wait until all threads that were told to end have; a compiler among them takes its time."""
    for one in tuple(_ending):
        one.join()
    let_end(())
