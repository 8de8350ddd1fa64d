"""What is known of the puzzle as it stands, and the fill problem that it poses."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xwtui.model import Grid

if TYPE_CHECKING:
    from xwtui.engine.estimate import Estimate
    from xwtui.engine.options import SlotOptions
    from xwtui.engine.problem import Problem
    from xwtui.words.lexicon import Lexicon


@dataclass(frozen=True)
class Analysis:
    """The figures of one revision; `stale` where the puzzle has changed since.

    `options` and `estimate` come one after the other; `propagated` tells whether the options
    are after propagation, or of the patterns alone while the engine loads.
    """

    revision: int = -1
    options: Mapping[str, SlotOptions] = field(default_factory=dict)
    estimate: Estimate | None = None
    reason: str = ""
    propagated: bool = False
    stale: bool = True


class ProblemHolder:
    """The last fill problem posed, shared by all that ask about the same grid and words."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[Grid, Lexicon] | None = None
        self._problem: Problem | None = None

    def problem(self, grid: Grid, lexicon: Lexicon) -> Problem:
        """The problem of a grid; raises EngineError where the engine cannot take it on."""
        from xwtui.engine.problem import Problem  # noqa: PLC0415  (loads numba)

        with self._lock:
            if self._problem is None or self._key is None or self._key[0] != grid or self._key[1] is not lexicon:
                self._problem = Problem.build(grid, lexicon)
                self._key = (grid, lexicon)
            return self._problem
