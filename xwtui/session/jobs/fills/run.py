"""What every run of the filler is to the job that runs it."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from xwtui.engine.budget import Budget, never
from xwtui.engine.events.event import Outcome
from xwtui.errors import VerbError
from xwtui.model import Content, Position
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import ArgumentRefused, FillEnded, FillProgress
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem
    from xwtui.session.recording import Recording
    from xwtui.strategies.protocol import Strategy

RunMessage = FillProgress | FillEnded | ArgumentRefused

NOTHING_WATCHED = "no search has been watched yet: `step` or `fill` begins one"
NOTHING_TO_SEARCH = (
    "nothing is empty, so there is nothing to search: `clear pencil` empties it, `refill` fills it anew"
)
SEARCH_IS_OVER = "this search is over, and cannot be argued with; `step` begins another one"

DEPTH_SAMPLES = 40
"""How many depths a view tells, for a sparkline."""


class FoundFill(NamedTuple):
    """A fill that a run has found: its squares, and the scores of its answers as the review has them."""

    squares: Mapping[Position, Content]
    mean_score: float
    lowest_score: int
    note: str = ""
    """What there is to say of it, such as `the start`."""

    @classmethod
    def of(cls, problem: Problem, squares: Mapping[Position, Content], note: str = "") -> FoundFill:
        """A fill of a problem; its scores count all answers that a list has, those that were given among them."""
        from xwtui.engine.problem.told_answers import scores_of_fill  # noqa: PLC0415  (loads numpy)

        scores = scores_of_fill(problem.task, squares)
        return cls(squares, scores.mean or 0.0, scores.lowest or 0, note)


def _nothing(*_: object) -> None:
    return


@dataclass(frozen=True)
class RunControl:
    """What a run has to heed while it works, and where it tells how it stands."""

    is_stopped: IsStopped
    """Whether nobody wants the run any more."""
    post: Callable[[RunMessage], None]
    rest: Callable[[], None] = _nothing
    """Called where the run stands still and nobody waits for it."""
    changed: threading.Condition = field(default_factory=threading.Condition)
    """Notified where the run is stopped, or has another goal."""


_NOBODY = RunControl(never, _nothing)


class FillRun(ABC):
    """A fill, or several, in the thread of the fill job, until it ends or is stopped.

    Each kind of run says what the work is; most can be stopped with what they have, and not be stepped.
    """

    is_stepped: ClassVar[bool] = False
    """Whether it stands still between the orders that `go` gives it."""
    recording: Recording | None = None
    """What it has done, where that is recorded."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        self.options = options
        self.seed = seed
        self.view: RunView | None = None
        """How it stood when it last told."""
        self._control = _NOBODY
        self._begun = time.perf_counter()

    def work(self, problem: Problem, control: RunControl) -> RunView | None:
        """Fill, in the caller's thread; returns how it ended, or None where it was stopped first."""
        self._control = control
        self._begun = time.perf_counter()
        view = self.fill(problem)
        self.view = view or self.view
        return view

    @abstractmethod
    def fill(self, problem: Problem) -> RunView | None:
        """Do the work, up to its end or until `is_stopped`, and return how it ended."""

    @property
    def is_active(self) -> bool:
        """Whether it goes on, rather than stand still."""
        return True

    @property
    def best(self) -> RunView | None:
        """What is worth keeping if it is stopped now; None where that is nothing."""
        return None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills to choose from that it has found, the best first."""
        return ()

    def go(self, goal: Goal) -> None:
        """Go on as far as the goal says; raises VerbError where that cannot be said."""
        raise VerbError(f"this runs to its end and cannot be stepped ({self.options.mode.value}); `stop` it first")

    def is_stopped(self) -> bool:
        """Whether nobody wants it any more."""
        return self._control.is_stopped()

    @property
    def budget(self) -> Budget:
        """What it may take."""
        options = self.options
        return Budget(options.seconds, threads=options.threads, seed=self.seed, stop=self.is_stopped)

    @property
    def seconds(self) -> float:
        """How long it has worked, loading and compiling not counted."""
        return time.perf_counter() - self._begun

    def so_far(self, outcome: Outcome, reason: str = "") -> RunView:
        """A view with what every run tells."""
        return RunView(
            outcome,
            seconds=self.seconds,
            reason=reason,
            seed=self.seed,
            threads=self.options.threads,
            mode=self.options.mode,
        )

    def tell(self, view: RunView) -> None:
        """Tell how it stands, unless nobody listens any more."""
        if not self.is_stopped():
            self.view = view
            self._control.post(FillProgress(view))


class EndedSearch(NamedTuple):
    """A search that is over, with all that it takes to walk it."""

    options: FillOptions
    seed: int
    last: RunView
    """How it stood at its end."""
    recording: Recording | None = None
    """What it did; None where that is to be made again."""
    problem: Problem | None = None
    """What it searched; None for one that comes from a file."""
    progress: int = 0
    """How far it came, in the unit of its strategy."""


def view_of(search: Strategy) -> RunView:
    """A search as it stands, but for events and time."""
    counters = search.counters
    return RunView(
        outcome=search.outcome,
        squares=dict(search.squares),
        nodes=counters.nodes,
        backtracks=counters.backtracks,
        restarts=counters.restarts,
        depth=search.depth,
        deepest=counters.deepest,
        domain_sizes=dict(search.domain_sizes),
        reason=search.reason,
        placements=counters.placements if search.places_letters else None,
        lookups=search.lookups,
    )


def ended_fill(problem: Problem, view: RunView, options: FillOptions, is_stopped: IsStopped) -> RunView:
    """How a plain fill ends: with stems apart where that can be, and with better words where it chooses them.

    These take some hundredths of a second, and no compiling. Of a part of the grid, the entries that cross it have
    a say, but full ones get no worse for it.
    """
    if view.outcome is not Outcome.FILLED or options.strategy:
        return view
    from xwtui.engine.improve.plain_fill import finished  # noqa: PLC0415  (loads numba)
    from xwtui.engine.warmup import is_warm  # noqa: PLC0415

    first_only = not (options.chooses_words and is_warm(counting=False, improving=True))
    begun = time.perf_counter()
    squares = finished(
        problem,
        view.squares,
        Budget(options.seconds, seed=view.seed, stop=is_stopped).after(view.seconds),
        first_only=first_only,
    )
    took = time.perf_counter() - begun
    return replace(
        view, squares=squares, seconds=view.seconds + took, better_words_seconds=0.0 if first_only else took
    )


def with_shared_stems(run: FillRun, problem: Problem, view: RunView) -> RunView:
    """How a run ends, with the entries that share a stem where it has looked for a fill that keeps them apart."""
    from xwtui.engine.improve.plain_fill import shared_stems  # noqa: PLC0415  (loads numba)

    options = run.options
    is_plain = not (options.strategy or run.recording or view.arguments or options.mode.leaves_a_choice)
    if not is_plain or options.mode is Mode.PARTIAL or not view.to_write:
        return view
    shared = shared_stems(problem.task, {**options.start, **view.squares})
    if options.mode.is_of_entry:
        moved = {one.entry for one in view.changes}
        shared = tuple(one for one in shared if not moved.isdisjoint(one.entries))
    return replace(view, shared_stems=shared)


def stopped(run: FillRun) -> RunView:
    """How a run ends that is stopped: with the best that it has, or with nothing."""
    best = run.best
    return replace(best, outcome=Outcome.CANCELLED) if best is not None else stopped_without(run)


def stopped_without(run: FillRun) -> RunView:
    """How a run ends that is stopped without what it has found."""
    view = run.view if run.view is not None else RunView(Outcome.CANCELLED)
    return replace(view, outcome=Outcome.CANCELLED, squares={}, paused=False)
