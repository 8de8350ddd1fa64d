"""The live fill: after each change a fill that agrees with all that stands and is near the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.session.jobs.fills.kept_fills import standing_squares
from xwtui.session.jobs.fills.swapping import keeping, pencil_of
from xwtui.session.jobs.job import JobContext, LiveJob, Reporter
from xwtui.session.messages import LiveFillReady
from xwtui.session.problem_specification import ProblemSpecification

with lazy_imports():
    from xwtui.engine.repair.repair import follow

_SECONDS = 10.0
"""How long a fill is looked for; most are found in some hundredths of one."""
_DELAY = 0.004
"""Seconds after a change: before all else that nobody has asked for."""

_THREADS = 2
"""The second one helps where little is not enough, and the whole grid is filled anew."""

_PATIENCE_SECONDS = 0.015
"""How long a fill is looked for, as most are found before, until what of the last one agrees is shown alone."""

_NONE_WITH_PENCIL = "none keeps all of the pencil; `fill` replaces part of it"
"""What is said where fills that are counted replace pencil, which the live fill does not."""


class _LiveRequest(NamedTuple):
    """A puzzle to fill."""

    revision: int
    specification: ProblemSpecification

    def ready(
        self,
        squares: Mapping[Position, Content],
        reason: str = "",
        *,
        is_searching: bool = False,
        proves_no_fill: bool = False,
    ) -> LiveFillReady:
        grid = self.specification.grid
        empty = {at: content for at, content in squares.items() if grid[at].content is None}
        return LiveFillReady(self.revision, empty, reason, is_searching, proves_no_fill)


class _Meanwhile:
    """Shows what agrees of the last fill once the whole has been looked for long enough."""

    def __init__(self, show: Callable[[Mapping[Position, Content]], None]) -> None:
        self._show = show
        self._agreed: Mapping[Position, Content] | None = None
        self._due = perf_counter() + _PATIENCE_SECONDS

    def keep(self, agreed: Mapping[Position, Content]) -> None:
        self._agreed = agreed

    def look(self) -> None:
        """Show it if it is time."""
        if self._agreed is not None and perf_counter() >= self._due:
            self._show(self._agreed)
            self._agreed = None


class LiveFillJob(LiveJob[_LiveRequest, LiveFillReady]):
    """Fills the newest puzzle anew as long as it is on; the last fill is where the next one begins."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "live fill", "the live fill failed", delay=_DELAY)
        self._last: Mapping[Position, Content] = {}

    def start(self, revision: int, specification: ProblemSpecification) -> None:
        """Fill a puzzle; LiveFillReady tells the fill, or that none agrees with what stands."""
        self.ask(_LiveRequest(revision, specification), self.latest)

    def begin_with(self, squares: Mapping[Position, Content]) -> None:
        """Begin with a fill that is known, as if it had been the last one."""
        self._last = squares

    def work(self, request: _LiveRequest, reporter: Reporter[LiveFillReady]) -> LiveFillReady | None:
        """Fill, and show what agrees of the last fill where that takes a while."""
        context, asked, is_stopped = self.context, request.specification, reporter.is_stopped
        if not context.engine.wait_for_improving(is_stopped):
            return None
        try:
            problem = context.problems.problem(asked)
        except EngineError as error:
            return request.ready({}, str(error))
        standing = standing_squares(asked.grid)
        pencil = pencil_of(problem, standing)
        kept = keeping(problem, pencil) if pencil else problem
        meanwhile = _Meanwhile(lambda squares: reporter.tell(request.ready(squares, is_searching=True)))

        def is_over() -> bool:
            meanwhile.look()
            return is_stopped()

        found = follow(
            kept,
            {**self._last, **standing},
            Budget(_SECONDS, threads=_THREADS, stop=is_over),
            agreed=meanwhile.keep,
        )
        if found.outcome is Outcome.FILLED:
            self._last = found.squares
        is_refuted = found.outcome is Outcome.IMPOSSIBLE and not pencil
        reasons = {
            Outcome.IMPOSSIBLE: _NONE_WITH_PENCIL
            if pencil
            else f"there is none {problem.task.proof_terms} (proved)",
            Outcome.UNKNOWN: f"none was found in {_SECONDS:.0f} s",
        }
        reason = reasons.get(found.outcome, "")
        return request.ready(found.squares, reason, proves_no_fill=is_refuted)

    def message(self, request: _LiveRequest, view: LiveFillReady, *, is_last: bool) -> LiveFillReady:
        return view
