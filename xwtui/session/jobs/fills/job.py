"""A run that cannot be stepped: it works in a thread until it is done, and may be stopped with what it has."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xwtui.errors import VerbError
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.running import FoundFill, RunOwner
from xwtui.session.jobs.worker import stand_back, what_failed
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem
    from xwtui.session.recording import Recording


class Job(ABC):
    """Poses its problem, works, and reports to its owner; each kind of job says what the work is."""

    thread_name: ClassVar[str]
    tape: Recording | None = None
    """Nothing: it cannot be stepped."""

    def __init__(self, owner: RunOwner, order: FillOptions, *, seed: int, idle: threading.Condition) -> None:
        self.view: RunView | None = None
        self.order = order
        self.seed = seed
        self._owner = owner
        self._idle = idle
        self._is_dropped = False
        self._is_over = False
        self._begun = time.perf_counter()
        self._thread = threading.Thread(target=self._run, name=self.thread_name, daemon=True)

    @abstractmethod
    def work(self, problem: Problem) -> RunView:
        """Do the work, up to its end or until `is_dropped`, and return how it ended."""

    @property
    def best(self) -> RunView | None:
        """What is worth keeping if it is stopped now."""
        return None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills to choose from that it has found."""
        return ()

    def begin(self) -> None:
        """Start."""
        self._thread.start()

    @property
    def is_active(self) -> bool:
        """Whether it goes on."""
        return not self._is_over and not self._is_dropped

    def is_dropped(self) -> bool:
        """Whether nobody wants it any more."""
        return self._is_dropped

    def go(self, goal: Goal) -> None:
        """Raise VerbError: it runs to its end."""
        raise VerbError(f"this runs to its end and cannot be stepped ({self.order.mode.value}); `stop` it first")

    def drop(self) -> None:
        """End it, soon and without a report."""
        with self._idle:
            self._is_dropped = True
            self._idle.notify_all()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        self._thread.join(seconds)

    @property
    def seconds(self) -> float:
        """How long it has worked, loading and compiling not counted."""
        return time.perf_counter() - self._begun

    def tell(self, view: RunView) -> None:
        """Tell how it stands, unless nobody listens any more."""
        if not self._is_dropped:
            self.view = view
            self._owner.run_moved(self, view)

    def _run(self) -> None:
        stand_back()
        try:
            problem = self._owner.pose(self.order, self.is_dropped)
            if problem is not None:
                self._begun = time.perf_counter()
                view = self.work(problem)
                if not self._is_dropped:
                    self.view = view
                    self._owner.run_ended(self, view)
        except Exception as error:
            if not self._is_dropped:
                self._owner.run_failed(self, what_failed(error))
        finally:
            with self._idle:
                self._is_over = True
                self._idle.notify_all()
