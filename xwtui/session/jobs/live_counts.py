"""What is known of the puzzle as it stands, and the counter that goes on with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xwtui.engine.counting.estimate import Estimate
    from xwtui.engine.counting.estimator import Counter
    from xwtui.engine.options import SlotOptions
    from xwtui.engine.problem import Problem
    from xwtui.engine.prospects.letters import LetterTable


@dataclass(frozen=True)
class LiveCounts:
    """The figures of one revision; `stale` where the puzzle has changed since.

    `options` and `estimate` come one after the other; `propagated` tells whether the options
    are after propagation, or of the patterns alone while the engine loads; `letters` come last.
    """

    revision: int = -1
    options: Mapping[str, SlotOptions] = field(default_factory=dict)
    estimate: Estimate | None = None
    reason: str = ""
    propagated: bool = False
    stale: bool = True
    letters: LetterTable | None = None


class CounterHolder:
    """The counter of the problem counted last, so that no run of it is lost; one thread uses it at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem: Problem | None = None
        self._counter: Counter | None = None

    @contextmanager
    def counter(self, problem: Problem) -> Iterator[Counter]:
        """The counter of a problem, for a slice of counting."""
        from xwtui.engine.counting.estimator import Counter  # noqa: PLC0415  (loads numba)

        with self._lock:
            if self._counter is None or self._problem is not problem:
                self._problem, self._counter = problem, Counter(problem)
            yield self._counter
