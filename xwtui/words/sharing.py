"""Sharing of large objects, such as the word lists and lexicons of open puzzles, among all their users."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class Shared(Generic[Key, Made]):
    """A weak cache: objects in use, by key; nothing is kept that nobody uses. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._in_use: WeakValueDictionary[Key, Made] = WeakValueDictionary()
        self._making: dict[Key, Lock] = {}

    def get(self, key: Key, make: Callable[[], Made]) -> Made:
        """Return the object for a key, made by `make` if none is in use; other keys are not blocked meanwhile."""
        with self._lock:
            made = self._in_use.get(key)
            if made is not None:
                return made
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                made = self._in_use.get(key)
            if made is None:
                try:
                    made = make()
                finally:
                    with self._lock:
                        self._making.pop(key, None)
                        if made is not None:
                            self._in_use[key] = made
        return made

    def in_use(self) -> tuple[Key, ...]:
        with self._lock:
            return tuple(self._in_use)
