"""The exact number of fills: listed one by one, or walked letter by letter, whichever ends first.

The grid falls into parts that do not depend on each other; the counts of the parts multiply. A part is counted in
two ways at once, and the first to end tells: letter walks remember what they have counted, and are
quick where fills are many; enumeration propagates each choice, and is quick where they are few. With
constraints on the whole grid, a selection, or words beyond number there is one part and enumeration alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.count.letter_count import LetterCount
from xwtui.engine.count.parts import OpenPart, open_parts
from xwtui.engine.fill.workers import Workers, never
from xwtui.engine.kernels.count.enumerate import (
    DESCENDING,
    ENUMERATED,
    FILLS,
    NODES,
    TOTALS_SIZE,
    TRAIL_FULL,
    Enumeration,
    enumerate_fills,
)
from xwtui.engine.kernels.network import REQUIRED, SYMBOLS, TABLE, Network
from xwtui.engine.problem.arrays import with_longer_trail
from xwtui.engine.problem.problem import Problem

_NODES_A_SLICE = 1_000


class FillEnumeration:
    """A search through all fills of a problem whose root is possible, or of some of its slots."""

    def __init__(self, problem: Problem, slots: Collection[int] | None = None, *, tallies: bool = False) -> None:
        """`slots` must be independent of the others; with `tallies`, the letters of the fills are counted, too."""
        depths = len(problem.slots) + 1
        self._network = problem.network if slots is None else _requiring(problem.network, slots)
        self._state = problem.new_state()
        self._place = Enumeration(
            slots=np.zeros(depths, np.int64),
            rows=np.full(depths, -1, np.int64),
            totals=np.zeros(TOTALS_SIZE, np.int64),
            tally=np.zeros(len(problem.positions) * SYMBOLS * tallies, np.int64),
        )
        self._place.totals[DESCENDING] = 1

    def advance(self, nodes: int = _NODES_A_SLICE) -> bool:
        """Go on for so many nodes at most; True when all fills are counted."""
        outcome = enumerate_fills(self._network, self._state, self._place, nodes)
        if outcome == TRAIL_FULL:
            self._state = with_longer_trail(self._state)
        return outcome == ENUMERATED

    @property
    def fills(self) -> int:
        """The fills counted so far."""
        return int(self._place.totals[FILLS])

    @property
    def tally(self) -> NDArray[np.int64]:
        """(squares, symbols) in how many of them each square has each symbol."""
        return self._place.tally.reshape(-1, SYMBOLS)

    @property
    def nodes(self) -> int:
        """The words tried so far."""
        return int(self._place.totals[NODES])


def _requiring(network: Network, slots: Collection[int]) -> Network:
    """A network in which these slots alone must be decided."""
    rows = network.slots.copy()
    rows[:, REQUIRED] = 0
    rows[list(slots), REQUIRED] = 1
    return replace(network, slots=rows)


_WORDS_A_SLICE = 25
_WORDS_AT_FIRST = 2_000
"""Words that enumeration may try before a letter walk is laid out."""
_LETTERS_A_SLICE = 100_000
_LETTERS_FOR_A_WORD = 3_000
"""Letters placed for each word that enumeration tries: it has about a quarter of the time."""
_LETTERS_A_NODE = 1_000
_MOST_WORDS = 150_000
"""Words of all open slots together, those of slots with the same words once, above which letter walks are
hopeless, and laying them out takes long."""
_IDLE_SECONDS = 0.002
_SECONDS_A_REPORT = 0.1


@dataclass(frozen=True)
class ExactProgress:
    """How far an exact count has come."""

    lower: int
    """Fills there are at least."""
    nodes: int
    """Words and letters tried."""
    parts_done: int
    parts: int
    share: float
    """How much of the present part is done, 0 to 1; pieces of work differ in size."""

    @property
    def counted(self) -> float:
        """How much is done of all parts, if these are alike, 0 to 1."""
        return (self.parts_done + self.share) / self.parts if self.parts > self.parts_done else 1.0


@dataclass(frozen=True)
class ExactCount:
    """The number of fills, or what was found of it in the time."""

    count: int | None
    """The exact number of fills; None if the count did not end."""
    lower: int
    """Fills there are at least."""
    seconds: float
    """What this call took."""
    nodes: int
    """Words and letters tried."""
    is_complete: bool


def exact_count(
    problem: Problem,
    *,
    seconds: float | None = None,
    threads: int = 1,
    cancelled: Callable[[], bool] = never,
    progress: Callable[[ExactProgress], None] | None = None,
) -> ExactCount:
    """Count the fills of a problem exactly, for so many seconds at most; the count is the same with any threads.

    `progress` is called in the caller's thread, some ten times a second.
    """
    return Counting(problem).go_on(seconds=seconds, threads=threads, cancelled=cancelled, progress=progress)


class Counting:
    """An exact count that can be stopped and gone on with."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._parts: list[_PartCount] | None = None
        self._nodes = 0

    def go_on(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        cancelled: Callable[[], bool] = never,
        progress: Callable[[ExactProgress], None] | None = None,
    ) -> ExactCount:
        """Count for so many seconds, or nodes (a word, or a thousand letters, each), at most."""
        begin = time.perf_counter()
        deadline = math.inf if seconds is None else begin + seconds
        last_effort = math.inf if nodes is None else self.effort + nodes
        reporter = _Reporter(self, progress)
        if self._parts is None:
            self._parts = _parts_of(self._problem)
        for part in self._parts:
            left = None if seconds is None else deadline - time.perf_counter()
            if part.is_done or (left is not None and left <= 0) or self.effort >= last_effort or cancelled():
                continue
            workers = Workers(threads, left, cancelled, reporter.look)
            part.count(workers, lambda: self.effort >= last_effort)
            if part.is_done and part.fills == 0:
                break
        return self._result(time.perf_counter() - begin)

    def rest(self) -> None:
        """Hold only what is counted: what letter walks remember is found again where counting goes on."""
        for part in self._parts or ():
            part.rest()

    def _result(self, seconds: float) -> ExactCount:
        is_complete = self.is_done
        lower = self.lower
        return ExactCount(lower if is_complete else None, lower, seconds, self.nodes, is_complete)

    @property
    def is_done(self) -> bool:
        """Whether the count is exact: all parts are counted, or one that has no fill."""
        if not self._problem.root.is_possible:
            return True
        parts = self._parts
        if parts is None:
            return False
        return all(part.is_done for part in parts) or any(part.is_done and part.fills == 0 for part in parts)

    @property
    def lower(self) -> int:
        """Fills there are at least."""
        if self._parts is None or not self._problem.root.is_possible:
            return 0
        return math.prod(part.fills**part.copies for part in self._parts)

    @property
    def nodes(self) -> int:
        """Words and letters tried."""
        return sum(part.words + part.letters for part in self._parts or ())

    @property
    def effort(self) -> int:
        """Words tried, and one more for each thousand letters."""
        return sum(part.words + part.letters // _LETTERS_A_NODE for part in self._parts or ())

    @property
    def progress(self) -> ExactProgress:
        """How far it has come."""
        parts = self._parts or []
        share = next((part.share for part in parts if not part.is_done), 1.0)
        done = sum(part.is_done for part in parts)
        return ExactProgress(self.lower, self.nodes, done, len(parts), share)


class _Reporter:
    """Tells how far a count has come, not too often."""

    def __init__(self, counting: Counting, progress: Callable[[ExactProgress], None] | None) -> None:
        self._counting = counting
        self._progress = progress
        self._told = time.perf_counter()

    def look(self) -> None:
        now = time.perf_counter()
        if self._progress is not None and now - self._told >= _SECONDS_A_REPORT:
            self._told = now
            self._progress(self._counting.progress)


def _parts_of(problem: Problem) -> list[_PartCount]:
    """The parts to count, those with fewest squares first; one of those that are alike."""
    if not problem.root.is_possible:
        return []
    sizes = problem.domain_sizes(problem.root.state)
    words = sum(
        size for _, size in {*zip(problem.network.slots[:-1, TABLE].tolist(), sizes, strict=True)} if size > 1
    )
    if not problem.constraints.is_empty or not all(problem.is_required) or words > _MOST_WORDS:
        return [_PartCount(problem, None)]
    alike: dict[tuple[object, ...], list[OpenPart]] = {}
    for part in open_parts(problem, problem.root.state):
        alike.setdefault(part.likeness, []).append(part)
    return [_PartCount(problem, parts[0], len(parts)) for parts in alike.values()]


class _PartCount:
    """The count of one part; of the whole problem, if `part` is None."""

    def __init__(self, problem: Problem, part: OpenPart | None, copies: int = 1) -> None:
        """`copies` is how many parts are like it, itself counted."""
        self.copies = copies
        self._problem = problem
        self._part = part
        slots = None if part is None else [slot.number for slot in part.slots]
        self._enumeration = FillEnumeration(problem, slots)
        self._is_enumerated = False
        self._walk: LetterCount | None = None

    def count(self, workers: Workers, is_enough: Callable[[], bool]) -> None:
        """Go on until the part is counted, the workers is over or it is enough."""
        while not (self.is_done or is_enough() or workers.is_over(0)):
            if self._walk is not None:
                self._walk.employ(workers.threads)
                workers.run(partial(self._work, workers, self._walk, is_enough))
            elif self._part is not None and self.words >= _WORDS_AT_FIRST:
                self._lay_out(workers, self._part)
            else:
                self._enumerate()
        if self.is_done:
            self.rest()

    def rest(self) -> None:
        """Hold nothing of what a letter walk remembers."""
        if self._walk is not None:
            self._walk.employ(0)

    def _lay_out(self, workers: Workers, part: OpenPart) -> None:
        """Lay a letter walk out; where that cannot be done, leave the part to enumeration."""
        self._walk = LetterCount.of(part, self._problem.positions.__getitem__, lambda: workers.is_over(0))
        if self._walk is None and not workers.is_over(0):
            self._part = None

    def _work(self, workers: Workers, walk: LetterCount, is_enough: Callable[[], bool], worker: int) -> None:
        """Walk; the caller's thread enumerates in between."""
        while not (self.is_done or is_enough() or workers.is_over(worker)):
            if worker == 0 and self.words * _LETTERS_FOR_A_WORD < walk.letters:
                self._enumerate()
            elif not walk.advance(worker, _LETTERS_A_SLICE):
                time.sleep(_IDLE_SECONDS)

    def _enumerate(self) -> None:
        self._is_enumerated = self._enumeration.advance(_WORDS_A_SLICE)

    @property
    def is_done(self) -> bool:
        """Whether `fills` is the exact count."""
        return self._is_enumerated or (self._walk is not None and self._walk.is_done)

    @property
    def fills(self) -> int:
        """The fills counted so far."""
        if self._is_enumerated or self._walk is None:
            return self._enumeration.fills
        return self._walk.fills if self._walk.is_done else max(self._walk.fills, self._enumeration.fills)

    @property
    def words(self) -> int:
        """The words that enumeration has tried."""
        return self._enumeration.nodes

    @property
    def letters(self) -> int:
        """The letters that walkers have placed."""
        return 0 if self._walk is None else self._walk.letters

    @property
    def share(self) -> float:
        """How much is done, 0 to 1."""
        return 0.0 if self._walk is None else self._walk.share
