"""Hints while one draws: after each change of the grid, the best completions of its blocks."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import EngineError, PuzzleError
from xwtui.model import Puzzle
from xwtui.model.statistics import LayoutFigures
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.scheduler import IsStopped, Priority
from xwtui.session.messages import JobFailed, LayoutHint, LayoutHintsReady
from xwtui.session.problem_specification import ProblemSpecification

if TYPE_CHECKING:
    from xwtui.engine.what_if.ranking import Ranking
    from xwtui.model.block_changes import BlockChange

BARS_REFUSED = "hints complete blocks, and bars part the entries of this grid"
"""What is said of a grid with bars."""
MOST_HINTS = 9
_SECONDS = 4.0
"""How long completions are looked for; the first ones come after some hundredths of one."""
_DELAY = 0.05
"""Seconds after a change: a constructor who sets several blocks in a row waits for none of them."""


class _HintRequest(NamedTuple):
    """A puzzle whose layout is to be completed."""

    revision: int
    puzzle: Puzzle
    specification: ProblemSpecification

    def asks_the_same(self, other: _HintRequest | None) -> bool:
        """Whether another one has the same completions."""
        return (
            other is not None
            and (self.puzzle.profile, self.puzzle.symmetry) == (other.puzzle.profile, other.puzzle.symmetry)
            and self.puzzle.grid == other.puzzle.grid
            and self.specification.is_same(other.specification)
        )


class LayoutHintJob:
    """Completes the layout of the newest puzzle as long as it is on; one of the hints is the one to be shown."""

    def __init__(self, context: JobContext) -> None:
        self.is_on = False
        """Whether there are hints at all."""
        self._context = context
        self._latest: LayoutHintsReady | None = None
        self._chosen: BlockChange | None = None
        """The one that was asked for, which stays shown while others are found."""
        self._lock = Lock()
        self._answered: _HintRequest | None = None
        """What `_latest` is all that there is of."""
        self._worker = context.scheduler.worker(
            "layout hints", self._work, self._fail, Priority.LIVE, delay=_DELAY
        )

    @property
    def view(self) -> LayoutHintsReady | None:
        """What there is to show of the puzzle as it is; None while that is looked for, or it is off."""
        latest = self._latest
        is_now = self.is_on and latest is not None and latest.revision == self._context.snapshot().revision
        return latest if is_now else None

    def start(self, revision: int, puzzle: Puzzle, specification: ProblemSpecification) -> None:
        """Complete a puzzle's layout; LayoutHintsReady tells the hints, at first the first ones."""
        self._worker.submit(_HintRequest(revision, puzzle, specification))

    def show(self, number: int) -> None:
        """Let another hint be the one to be shown, counted from 0 and round and round."""
        with self._lock:
            latest = self.view
            if latest is not None and latest.hints:
                self._chosen = latest.hints[number % len(latest.hints)].change
                self._tell(latest)

    def stop(self) -> bool:
        """Let go of the work and of what was shown; returns False, for nobody has asked for it."""
        self._worker.interrupt()
        with self._lock:
            self._latest = self._answered = self._chosen = None
        return False

    def _work(self, request: _HintRequest, is_stopped: IsStopped) -> None:
        context, latest = self._context, self._latest
        if latest is not None and request.asks_the_same(self._answered):
            self._unless(is_stopped, latest._replace(revision=request.revision), answers=request)
            return
        self._chosen = None
        engine = context.engine
        if not engine.wait_for_counting(is_stopped) or not engine.wait_for_drawing(is_stopped):
            return
        from xwtui.grids.layouts import LayoutWanted, completions  # noqa: PLC0415  (loads numba)
        from xwtui.grids.profiles import profile_of  # noqa: PLC0415

        puzzle, grid = request.puzzle, request.puzzle.grid
        told = LayoutHintsReady(request.revision)
        try:
            if grid.bars:
                raise PuzzleError(BARS_REFUSED)
            wanted = LayoutWanted(grid.height, grid.width, profile_of(puzzle), puzzle.symmetry)
            wanted.check_blocks()
            found = completions(
                request.specification.task(),
                wanted,
                seconds=_SECONDS,
                cancelled=is_stopped,
                found=lambda ranking: self._unless(is_stopped, told._replace(hints=_hints(puzzle, ranking))),
            )
        except (PuzzleError, EngineError) as error:
            self._unless(is_stopped, told._replace(reason=str(error), is_complete=True), answers=request)
            return
        self._unless(is_stopped, told._replace(hints=_hints(puzzle, found), is_complete=True), answers=request)

    def _unless(
        self, is_stopped: IsStopped, ready: LayoutHintsReady, *, answers: _HintRequest | None = None
    ) -> None:
        with self._lock:
            if not is_stopped():
                self._answered = answers
                self._tell(ready)

    def _tell(self, ready: LayoutHintsReady) -> None:
        shown = (number for number, hint in enumerate(ready.hints) if hint.change == self._chosen)
        self._latest = ready._replace(shown=next(shown, 0))
        self._context.post(self._latest)

    def _fail(self, message: str) -> None:
        self._context.post(JobFailed(f"the hints failed: {message}"))


def _hints(puzzle: Puzzle, ranking: Ranking[BlockChange]) -> tuple[LayoutHint, ...]:
    return tuple(
        LayoutHint(one.what, LayoutFigures.of(one.what.on(puzzle.grid)), one.outlook)
        for one in ranking.items[:MOST_HINTS]
    )
