"""The live fill: after each change a fill that agrees with all that stands and is near the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.model import Content, Position
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.fills.kept_fills import standing_squares
from xwtui.session.jobs.fills.swapping import keeping, pencil_of
from xwtui.session.jobs.scheduler import IsStopped, Priority
from xwtui.session.messages import JobFailed, LiveFillReady
from xwtui.session.problem_specification import ProblemSpecification

_SECONDS = 10.0
"""How long a fill is looked for; most are found in some hundredths of one."""
_DELAY = 0.004
"""Seconds after a change: before all else that nobody has asked for."""

_THREADS = 2
"""The second one helps where little is not enough, and the whole grid is filled anew."""

_PATIENCE_SECONDS = 0.015
"""How long a fill is looked for, as most are found before, until what of the last one agrees is shown alone."""

_NONE_WITH_PENCIL = "none keeps all that is in pencil; `fill` replaces part of it"
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
        """What there is to show of a fill."""
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
        """Take note of what agrees."""
        self._agreed = agreed

    def look(self) -> None:
        """Show it if it is time."""
        if self._agreed is not None and perf_counter() >= self._due:
            self._show(self._agreed)
            self._agreed = None


class LiveFillJob:
    """Fills the newest puzzle anew as long as it is on; the last fill is where the next one begins."""

    def __init__(self, context: JobContext) -> None:
        self.is_on = False
        """Whether it fills at all."""
        self._context = context
        self._latest: LiveFillReady | None = None
        self._last: Mapping[Position, Content] = {}
        self._worker = context.scheduler.worker("live fill", self._fill, self._fail, Priority.LIVE, delay=_DELAY)

    @property
    def view(self) -> LiveFillReady | None:
        """What there is to show of the puzzle as it is; None while that is looked for, or it is off."""
        latest = self._latest
        is_now = self.is_on and latest is not None and latest.revision == self._context.snapshot().revision
        return latest if is_now else None

    def start(self, revision: int, specification: ProblemSpecification) -> None:
        """Fill a puzzle; LiveFillReady tells the fill, or that none agrees with what stands."""
        self._worker.submit(_LiveRequest(revision, specification))

    def begin_with(self, squares: Mapping[Position, Content]) -> None:
        """Begin with a fill that is known, as if it had been the last one."""
        self._last = squares

    def stop(self) -> bool:
        """Let go of what is being filled, and of what was shown; returns False, for nobody has asked for it."""
        self._latest = None
        self._worker.interrupt()
        return False

    def _fill(self, request: _LiveRequest, is_stopped: IsStopped) -> None:
        context, asked = self._context, request.specification
        if not context.engine.wait_for_improving(is_stopped):
            return
        from xwtui.engine.repair.repair import follow  # noqa: PLC0415  (loads numba)

        try:
            problem = context.problems.problem(asked)
        except EngineError as error:
            self._tell(request.ready({}, str(error)), is_stopped)
            return
        standing = standing_squares(asked.grid)
        pencil = pencil_of(problem, standing)
        kept = keeping(problem, pencil) if pencil else problem
        meanwhile = _Meanwhile(lambda squares: self._tell(request.ready(squares, is_searching=True), is_stopped))

        def is_over() -> bool:
            meanwhile.look()
            return is_stopped()

        found = follow(
            kept,
            {**self._last, **standing},
            seconds=_SECONDS,
            threads=_THREADS,
            cancelled=is_over,
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
        self._tell(request.ready(found.squares, reason, proves_no_fill=is_refuted), is_stopped)

    def _tell(self, latest: LiveFillReady, is_stopped: IsStopped) -> None:
        if not is_stopped():
            self._latest = latest
            self._context.post(latest)

    def _fail(self, message: str) -> None:
        self._context.post(JobFailed(f"the live fill failed: {message}"))
