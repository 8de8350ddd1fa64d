"""Previews after each change: a fill near the last one, or the best completions of the blocks."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import NamedTuple, TypeVar

from xwtui.dataclasses import replace
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError, PuzzleError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position, Puzzle
from xwtui.model.statistics import LayoutFigures
from xwtui.session.jobs.fills.kept_fills import current_contents
from xwtui.session.jobs.fills.swapping import pencil_of, with_pencil_kept
from xwtui.session.jobs.job import Job, JobContext, Reporter, Request
from xwtui.session.jobs.scheduler import Priority
from xwtui.session.messages import LayoutHint, LayoutHintsReady, LiveFillReady
from xwtui.session.problem_holders import same_problem

with lazy_imports():
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.problem.reasons import untried_ways
    from xwtui.engine.problem.task import Task
    from xwtui.engine.repair.repair import follow
    from xwtui.engine.what_if.ranking import Ranking
    from xwtui.grids.layouts import LayoutWanted, completions
    from xwtui.grids.profiles import profile_of
    from xwtui.model.block_changes import BlockChange
    from xwtui.wording import how_sure


LiveView = TypeVar("LiveView", bound=LiveFillReady | LayoutHintsReady)


class LiveJob(Job[Request, LiveView]):
    """A job that follows each change of the puzzle while it is on; no one has requested its results."""

    def __init__(self, context: JobContext, name: str, failure: str, *, delay: float) -> None:
        super().__init__(context, name, failure, priority=Priority.LIVE, delay=delay)
        self.is_on = False
        """Whether the job is switched on."""

    @property
    def view(self) -> LiveView | None:
        """The preview for the current puzzle; None while it is being computed or the job is off."""
        latest = self.latest
        is_now = self.is_on and latest is not None and latest.revision == self.context.snapshot().revision
        return latest if is_now else None

    def stop(self) -> bool:
        """Stop, and drop the preview; returns False, because no one requested the work."""
        self.worker.interrupt()
        with self.lock:
            self.latest = None
        return False


# Live fill

_FILL_SECONDS = 10.0
"""Time limit of a fill; most are found in some hundredths of a second."""
_FILL_DELAY = 0.004
"""Seconds to wait after a change; less than other unrequested work waits."""

_THREADS = 2
"""The second thread helps if a small change is not enough and the whole grid must be filled again."""

_PATIENCE_SECONDS = 0.015
"""Time after which, without a new fill, the agreeing part of the last fill is shown; most fills take less."""

_NONE_WITH_PENCIL = "no fill keeps all of the pencil"
_PENCIL_REPLACED = f"{_NONE_WITH_PENCIL}; `fill` replaces part of it"
"""The message if a fill is known that replaces pencil, which the live fill does not do."""


class _LiveRequest(NamedTuple):
    """A puzzle to fill."""

    revision: int
    task: Task

    def ready(
        self,
        squares: Mapping[Position, Content],
        reason: str = "",
        *,
        is_searching: bool = False,
        proves_no_fill: bool = False,
    ) -> LiveFillReady:
        grid = self.task.grid
        empty = {at: content for at, content in squares.items() if grid[at].content is None}
        return LiveFillReady(self.revision, empty, reason, is_searching, proves_no_fill)


class LiveFillJob(LiveJob[_LiveRequest, LiveFillReady]):
    """Refills the newest puzzle while it is on, each time starting from the last fill."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "live fill", "the live fill failed", delay=_FILL_DELAY)
        self._last: Mapping[Position, Content] = {}

    def start(self, revision: int, task: Task) -> None:
        """Fill a puzzle; LiveFillReady reports the fill, or that none agrees with the grid."""
        self.ask(_LiveRequest(revision, task), self.latest)

    def start_from(self, squares: Mapping[Position, Content]) -> None:
        """Start from a known fill, as if it had been the last one."""
        self._last = squares

    def work(self, request: _LiveRequest, reporter: Reporter[LiveFillReady]) -> LiveFillReady | None:
        """Find a fill; if that takes a while, show the part of the last fill that agrees."""
        context, task, is_stopped = self.context, request.task, reporter.is_stopped
        if not context.engine.wait(is_stopped, EnginePart.IMPROVING):
            return None
        try:
            problem = context.problems.problem(task)
        except EngineError as error:
            return request.ready({}, str(error))
        current = current_contents(task.grid)
        pencil = pencil_of(problem, current)
        kept = with_pencil_kept(problem, pencil) if pencil else problem
        unshown: Mapping[Position, Content] | None = None
        due = perf_counter() + _PATIENCE_SECONDS

        def keep(agreed: Mapping[Position, Content]) -> None:
            nonlocal unshown
            unshown = agreed

        def is_over() -> bool:
            nonlocal unshown
            if unshown is not None and perf_counter() >= due:
                reporter.report(request.ready(unshown, is_searching=True))
                unshown = None
            return is_stopped()

        near, budget = {**self._last, **current}, Budget(_FILL_SECONDS, threads=_THREADS, stop=is_over)
        found = follow(kept, near, budget, agreed=keep)
        if found.outcome is Outcome.FILLED:
            self._last = found.squares
        if found.outcome is not Outcome.IMPOSSIBLE:
            late = f"no fill was found in {_FILL_SECONDS:.0f} s" if found.outcome is Outcome.UNKNOWN else ""
            return request.ready(found.squares, late)
        others = follow(problem, near, budget._replace(stop=is_stopped)) if pencil else found
        if others.outcome is not Outcome.IMPOSSIBLE:
            is_replaced = others.outcome is Outcome.FILLED
            return request.ready({}, _PENCIL_REPLACED if is_replaced else _NONE_WITH_PENCIL)
        without = untried_ways(problem)
        none = f"there is no fill {problem.task.proof_terms} ({how_sure(without)})"
        return request.ready({}, none, proves_no_fill=without is None)


# Layout hints

BARS_REFUSED = "hints add blocks, but this grid uses bars"
"""The message for a grid with bars."""
MOST_HINTS = 9
_HINT_SECONDS = 4.0
"""Time limit for completions; the first ones come after some hundredths of a second."""
_HINT_DELAY = 0.05
"""Seconds to wait after a change, so that setting several blocks in a row is not slowed down."""


class _HintRequest(NamedTuple):
    """A puzzle whose layout is to be completed."""

    revision: int
    puzzle: Puzzle
    task: Task

    def is_equivalent(self, other: _HintRequest | None) -> bool:
        """Whether the other request has the same completions."""
        return (
            other is not None
            and (self.puzzle.profile, self.puzzle.symmetry) == (other.puzzle.profile, other.puzzle.symmetry)
            and self.puzzle.grid == other.puzzle.grid
            and same_problem(self.task, other.task)
        )


class LayoutHintJob(LiveJob[_HintRequest, LayoutHintsReady]):
    """Completes the layout of the newest puzzle while it is on; one of its hints is shown."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "layout hints", "the hints failed", delay=_HINT_DELAY)
        self._chosen: BlockChange | None = None
        """The hint that the user selected; it stays shown while others are found."""
        self._answered: _HintRequest | None = None
        """The request to which `latest` is the complete answer."""

    def start(self, revision: int, puzzle: Puzzle, task: Task) -> None:
        """Complete a puzzle's layout; LayoutHintsReady reports the hints as they are found."""
        self.ask(_HintRequest(revision, puzzle, task), self.latest)

    def show(self, number: int) -> None:
        """Show another hint; numbers count from 0 and wrap around."""
        with self.lock:
            latest = self.view
            if latest is None or not latest.hints:
                return
            self._chosen = latest.hints[number % len(latest.hints)].change
            self.latest = latest = self._with_chosen(latest)
        self.context.post(latest)

    def stop(self) -> bool:
        """Stop, and drop the hints; returns False, because no one requested the work."""
        with self.lock:
            self._answered = self._chosen = None
        return super().stop()

    def work(self, request: _HintRequest, reporter: Reporter[LayoutHintsReady]) -> LayoutHintsReady | None:
        """Find completions, unless they are the same as for the last puzzle."""
        latest = self.latest
        if latest is not None and request.is_equivalent(self._answered):
            return replace(latest, revision=request.revision)
        self._chosen = None
        is_stopped = reporter.is_stopped
        if not self.context.engine.wait(is_stopped, EnginePart.COUNTING, EnginePart.DRAWING):
            return None
        puzzle, grid = request.puzzle, request.puzzle.grid
        message = LayoutHintsReady(request.revision)
        try:
            if grid.bars:
                raise PuzzleError(BARS_REFUSED)
            wanted = LayoutWanted(grid.height, grid.width, profile_of(puzzle), puzzle.symmetry)
            wanted.check_blocks()
            found = completions(
                request.task,
                wanted,
                Budget(_HINT_SECONDS, stop=is_stopped),
                found=lambda ranking: reporter.report(replace(message, hints=_hints(puzzle, ranking))),
            )
        except (PuzzleError, EngineError) as error:
            return replace(message, reason=str(error), is_complete=True)
        return replace(message, hints=_hints(puzzle, found), is_complete=True)

    def keep(self, request: _HintRequest, view: LayoutHintsReady) -> None:
        self._answered = request if view.is_complete else None
        self.latest = self._with_chosen(view)

    def message(self, request: _HintRequest, view: LayoutHintsReady, *, is_last: bool) -> LayoutHintsReady:
        return self._with_chosen(view)

    def _with_chosen(self, ready: LayoutHintsReady) -> LayoutHintsReady:
        shown = (number for number, hint in enumerate(ready.hints) if hint.change == self._chosen)
        return replace(ready, shown=next(shown, 0))


def _hints(puzzle: Puzzle, ranking: Ranking[BlockChange]) -> tuple[LayoutHint, ...]:
    return tuple(
        LayoutHint(one.what, LayoutFigures.of(one.what.on(puzzle.grid)), one.outlook)
        for one in ranking.items[:MOST_HINTS]
    )
