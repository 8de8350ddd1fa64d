"""Hints while one draws: after each change of the grid, the best completions of its blocks."""

from __future__ import annotations

from typing import NamedTuple

from xwtui.engine.budget import Budget
from xwtui.errors import EngineError, PuzzleError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.model.statistics import LayoutFigures
from xwtui.session.jobs.job import JobContext, LiveJob, Reporter
from xwtui.session.messages import LayoutHint, LayoutHintsReady
from xwtui.session.problem_specification import ProblemSpecification

with lazy_imports():
    from xwtui.engine.what_if.ranking import Ranking
    from xwtui.grids.layouts import LayoutWanted, completions
    from xwtui.grids.profiles import profile_of
    from xwtui.model.block_changes import BlockChange

BARS_REFUSED = "hints add blocks, but this grid uses bars"
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


class LayoutHintJob(LiveJob[_HintRequest, LayoutHintsReady]):
    """Completes the layout of the newest puzzle as long as it is on; one of the hints is the one to be shown."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "layout hints", "the hints failed", delay=_DELAY)
        self._chosen: BlockChange | None = None
        """The one that was asked for, which stays shown while others are found."""
        self._answered: _HintRequest | None = None
        """What `latest` is all that there is of."""

    def start(self, revision: int, puzzle: Puzzle, specification: ProblemSpecification) -> None:
        """Complete a puzzle's layout; LayoutHintsReady tells the hints, at first the first ones."""
        self.ask(_HintRequest(revision, puzzle, specification), self.latest)

    def show(self, number: int) -> None:
        """Let another hint be the one to be shown, counted from 0 and round and round."""
        with self.lock:
            latest = self.view
            if latest is None or not latest.hints:
                return
            self._chosen = latest.hints[number % len(latest.hints)].change
            self.latest = latest = self._with_chosen(latest)
        self.context.post(latest)

    def stop(self) -> bool:
        """Let go of the work and of what was shown; returns False, for nobody has asked for it."""
        with self.lock:
            self._answered = self._chosen = None
        return super().stop()

    def work(self, request: _HintRequest, reporter: Reporter[LayoutHintsReady]) -> LayoutHintsReady | None:
        """Find completions, unless those of the last puzzle are the same."""
        latest = self.latest
        if latest is not None and request.asks_the_same(self._answered):
            return latest._replace(revision=request.revision)
        self._chosen = None
        engine, is_stopped = self.context.engine, reporter.is_stopped
        if not engine.wait_for_counting(is_stopped) or not engine.wait_for_drawing(is_stopped):
            return None
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
                Budget(_SECONDS, stop=is_stopped),
                found=lambda ranking: reporter.tell(told._replace(hints=_hints(puzzle, ranking))),
            )
        except (PuzzleError, EngineError) as error:
            return told._replace(reason=str(error), is_complete=True)
        return told._replace(hints=_hints(puzzle, found), is_complete=True)

    def keep(self, request: _HintRequest, view: LayoutHintsReady) -> None:
        self._answered = request if view.is_complete else None
        self.latest = self._with_chosen(view)

    def message(self, request: _HintRequest, view: LayoutHintsReady, *, is_last: bool) -> LayoutHintsReady:
        return self._with_chosen(view)

    def _with_chosen(self, ready: LayoutHintsReady) -> LayoutHintsReady:
        """Hints of which the chosen one is shown, or the first."""
        shown = (number for number, hint in enumerate(ready.hints) if hint.change == self._chosen)
        return ready._replace(shown=next(shown, 0))


def _hints(puzzle: Puzzle, ranking: Ranking[BlockChange]) -> tuple[LayoutHint, ...]:
    return tuple(
        LayoutHint(one.what, LayoutFigures.of(one.what.on(puzzle.grid)), one.outlook)
        for one in ranking.items[:MOST_HINTS]
    )
