"""What is in use is made once, by whoever asks first, and forgotten with its last user."""

import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from xwtui.words.sharing import Shared


class Thing:
    """Something large."""


def test_those_who_ask_at_once_get_one() -> None:
    shared: Shared[str, Thing] = Shared()
    made: list[int] = []
    barrier = Barrier(4)

    def make() -> Thing:
        made.append(1)
        return Thing()

    def ask() -> Thing:
        barrier.wait()
        return shared.get("a", make)

    with ThreadPoolExecutor(4) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(4)]]
    assert len(set(map(id, found))) == len(made) == 1
    found.clear()
    gc.collect()
    assert shared.in_use() == ()


def test_another_key_does_not_wait() -> None:
    shared: Shared[str, Thing] = Shared()
    begun, may_end = Event(), Event()

    def slowly() -> Thing:
        begun.set()
        may_end.wait()
        return Thing()

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(shared.get, "slow", slowly)
        begun.wait()
        assert shared.get("quick", Thing) is not None
        may_end.set()
        assert slow.result() is not None


def test_what_could_not_be_made_is_made_next_time() -> None:
    shared: Shared[str, Thing] = Shared()

    def fails() -> Thing:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shared.get("a", fails)
    assert shared.get("a", Thing) is not None
