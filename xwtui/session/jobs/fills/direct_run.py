"""A run that cannot be stepped: it works until it is done, and may be stopped with what it has."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.run import FoundFill, Turn
from xwtui.session.messages import FillProgress
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem
    from xwtui.session.recording import Recording


class DirectRun(ABC):
    """Works on its problem and tells how far it is; each kind of run says what the work is."""

    recording: Recording | None = None
    """Nothing: it cannot be stepped."""
    is_active = True

    def __init__(self, options: FillOptions, seed: int) -> None:
        self.options = options
        self.seed = seed
        self.view: RunView | None = None
        self._turn: Turn | None = None
        self._begun = time.perf_counter()

    def work(self, problem: Problem, turn: Turn) -> RunView:
        """Fill, in the caller's thread; returns how it ended, with the best it has where it was stopped."""
        self._turn = turn
        self._begun = time.perf_counter()
        self.view = self.fill(problem)
        return self.view

    @abstractmethod
    def fill(self, problem: Problem) -> RunView:
        """Do the work, up to its end or until `is_stopped`, and return how it ended."""

    @property
    def best(self) -> RunView | None:
        """What is worth keeping if it is stopped now."""
        return None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills to choose from that it has found."""
        return ()

    def go(self, goal: Goal) -> None:
        """Raise VerbError: it runs to its end."""
        raise VerbError(f"this runs to its end and cannot be stepped ({self.options.mode.value}); `stop` it first")

    def is_stopped(self) -> bool:
        """Whether nobody wants it any more."""
        return self._turn is not None and self._turn.is_stopped()

    @property
    def seconds(self) -> float:
        """How long it has worked, loading and compiling not counted."""
        return time.perf_counter() - self._begun

    def tell(self, view: RunView) -> None:
        """Tell how it stands, unless nobody listens any more."""
        if self._turn is not None and not self._turn.is_stopped():
            self.view = view
            self._turn.post(FillProgress(view))
