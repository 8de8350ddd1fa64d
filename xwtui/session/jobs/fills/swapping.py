"""Another answer for one entry, with the fewest squares changed that make the grid whole again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.session.jobs.fills.direct_runs import DirectRun
from xwtui.session.run_view import RunView, entry_changes

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem


class Swapping(DirectRun):
    """Leaves all as it was where no other answer is found, or it is stopped before."""

    def fill(self, problem: Problem) -> RunView:
        """Find the smallest change, and among those the one with the best mean."""
        from xwtui.engine.repair.repair import repair  # noqa: PLC0415  (loads numba)

        options = self.options
        result = repair(
            problem,
            options.start,
            entry=options.entry,
            word=options.word,
            seconds=options.seconds,
            seed=self.seed,
            threads=options.threads,
            cancelled=self.is_stopped,
        )
        view = RunView(
            result.outcome,
            seconds=self.seconds,
            reason=result.reason,
            seed=self.seed,
            threads=options.threads,
            mode=options.mode,
        )
        if not result.repairs:
            return view
        made = result.repairs[0]
        own = problem.grid.slot(options.entry).positions
        squares = {at: made.squares[at] for at in (*made.changed, *own)}
        return replace(
            view,
            squares=squares,
            changes=entry_changes(problem.grid, squares),
            found=len(made.changed),
            is_smallest=made.is_smallest,
        )
