"""Counting the fills of one part of a grid by letter walks: a job for each way to begin, several walkers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

import numpy as np

from xwtui.engine.count.parts import OpenPart, best_order
from xwtui.engine.count.walk_layout import TooLarge, digits_needed, fresh_memory, fresh_place, lay_out, with_room
from xwtui.engine.kernels.count.letter_walk import count_subtree, settle
from xwtui.engine.kernels.count.walk_arrays import (
    CHILD,
    DIGIT_BITS,
    ENTER,
    FUTURE,
    HERE,
    LEVEL,
    MODE,
    OTHER_LEVEL,
    OTHER_SLOT,
    ROOT,
    SIBLING,
    SLOT,
    STEPS_DONE,
    TOP,
    USED_COUNT,
    Memory,
    Place,
    Walk,
)
from xwtui.engine.kernels.network import Bits
from xwtui.model import Position

MEMORY_BYTES = 48 << 20
"""What all walkers together may remember."""

_JOBS = 128
"""Ways to begin, about; more than walkers, so that all have work to the end."""
_DEEPEST_JOB = 8
_MOST_NODES = 4_000_000
_HOPELESS_LOG2 = 130.0
"""Estimated work beyond which nobody lays a walk out; the estimate overshoots by far."""

Beginning: TypeAlias = tuple[int, ...]
"""The letters on the first squares of the walk, as bits."""


class LetterCount:
    """The count of one part; walkers may work on it in threads of their own."""

    def __init__(self, walk: Walk, digits: int) -> None:
        self._walk = walk
        self._digits = digits
        self._lock = Lock()
        self._walkers: list[_Walker] = []
        self._total = 0
        self._past_letters = 0
        """Those that walkers had placed who are there no more."""
        jobs = _beginnings(walk, fresh_place(walk, digits))
        self._waiting = deque(jobs)
        self._jobs = self._unfinished = len(jobs)

    @classmethod
    def of(
        cls, part: OpenPart, position_of: Callable[[int], Position], stopped: Callable[[], bool]
    ) -> LetterCount | None:
        """Lay a part out for counting; None if it is too large, or when stopped."""
        order = best_order(part, position_of)
        if order.log2_work > _HOPELESS_LOG2 or stopped():
            return None
        try:
            walk = lay_out(part, order, nodes=_MOST_NODES, stopped=stopped)
        except TooLarge:
            return None
        return cls(walk, digits_needed(part))

    def employ(self, walkers: int) -> None:
        """Have so many walkers; the work that others had begun is done anew. Nobody may be walking.

        What a walker remembers goes with it.
        """
        for walker in self._walkers[walkers:]:
            self._past_letters += walker.letters
            if walker.job is not None:
                self._waiting.appendleft(walker.job)
        del self._walkers[walkers:]
        while len(self._walkers) < walkers:
            self._walkers.append(_Walker(self._walk, self._digits, MEMORY_BYTES // walkers))

    def advance(self, worker: int, letters: int) -> bool:
        """Let one walker place so many letters; False where it had nothing to do."""
        walker = self._walkers[worker]
        if walker.job is None:
            with self._lock:
                if not self._waiting:
                    return False
                walker.begin(self._waiting.popleft())
        found = walker.advance(letters)
        if found is not None:
            with self._lock:
                self._total += found
                self._unfinished -= 1
        return True

    @property
    def is_done(self) -> bool:
        """Whether `fills` is the exact count."""
        return self._unfinished == 0

    @property
    def fills(self) -> int:
        """The fills of the jobs done so far."""
        return self._total

    @property
    def share(self) -> float:
        """The part of the jobs that is done, 0 to 1."""
        return 1 - self._unfinished / self._jobs if self._jobs else 1.0

    @property
    def letters(self) -> int:
        """The letters placed so far."""
        return self._past_letters + sum(walker.letters for walker in self._walkers)


class _Walker:
    """One who counts job after job, and remembers what it has counted."""

    def __init__(self, walk: Walk, digits: int, most_bytes: int) -> None:
        self.job: Beginning | None = None
        self._walk = walk
        self._place = fresh_place(walk, digits)
        self._memory: Memory = fresh_memory(digits, most_bytes)

    def begin(self, job: Beginning) -> None:
        """Take a job."""
        self.job = job
        _stand(self._walk, self._place, job)

    def advance(self, letters: int) -> int | None:
        """Place so many letters at most; returns the count of the job when it is done."""
        is_done = count_subtree(self._walk, self._place, self._memory, letters)
        self._memory = with_room(self._memory)
        if not is_done:
            return None
        self.job = None
        return _as_number(self._place.value)

    @property
    def letters(self) -> int:
        """The letters placed so far."""
        return int(self._place.control[STEPS_DONE])


def _as_number(digits: Bits) -> int:
    return sum(int(digit) << DIGIT_BITS * place for place, digit in enumerate(digits))


def _stand(walk: Walk, place: Place, beginning: Beginning) -> bool:
    """Place the first letters and stand before the next square; False where nothing goes with them."""
    place.nodes[:] = walk.slots[:-1, ROOT]
    place.used[:] = 0
    place.control[USED_COUNT] = 0
    place.control[TOP] = place.control[HERE] = len(beginning)
    place.control[MODE] = ENTER
    return all(settle(walk, place, square, np.uint64(letter)) for square, letter in enumerate(beginning))


def _beginnings(walk: Walk, place: Place) -> list[Beginning]:
    """The ways to begin: longer and longer ones until they are many, as long as the walk does not part."""
    beginnings: list[Beginning] = [()]
    for square in range(_DEEPEST_JOB):
        if len(beginnings) >= _JOBS or walk.squares[square, CHILD] < 0:
            break
        if walk.squares[walk.squares[square, CHILD], SIBLING] >= 0:
            break
        longer = [
            (*beginning, letter)
            for beginning in beginnings
            if _stand(walk, place, beginning)
            for letter in _letters(walk, place, square)
        ]
        beginnings = [beginning for beginning in longer if _stand(walk, place, beginning)]
    return beginnings


def _letters(walk: Walk, place: Place, square: int) -> list[int]:
    """The letters that both slots through a square allow, as bits."""
    row = walk.squares[square]
    mask = int(walk.futures[walk.nodes[place.nodes[row[SLOT]], FUTURE] + row[LEVEL]])
    if row[OTHER_SLOT] >= 0:
        mask &= int(walk.futures[walk.nodes[place.nodes[row[OTHER_SLOT]], FUTURE] + row[OTHER_LEVEL]])
    return [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]
