"""The smallest change that makes a grid full: for another answer of an entry, or if pencil cannot all stay."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from xwtui.engine.budget import Budget, TimeLimit, never
from xwtui.engine.events.event import Outcome
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.model.statistics import grid_statistics
from xwtui.session.exclusions import Exclusion
from xwtui.session.fill_options import GOOD_SCORE, MOST_SWAPS, REJECTION_REACH, FillOptions, Mode
from xwtui.session.jobs.fills.kept_fills import is_much
from xwtui.session.jobs.fills.search import DirectSearch, Ending
from xwtui.session.run_view import (
    EntryChange,
    FoundFill,
    LoweredScore,
    PassedOver,
    PenIn,
    RunView,
    entry_changes,
    view_of,
)
from xwtui.worded import in_words

with lazy_imports():
    from xwtui.engine.improve.plain_fill import repair_apart, shared_stems
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.reasons import why_impossible
    from xwtui.engine.problem.task import Assumptions
    from xwtui.engine.repair.repair import Repair, RepairWanted
    from xwtui.engine.warmup import warm_up
    from xwtui.strategies.xwtui_engine import XwtuiEngine

_FIRST_SHARE = 0.5
"""Share of the time after which a rejection that has a change stops looking for a smaller one and looks for a good
word. A rejection without a change keeps looking."""
_PATIENCE, _LEAST_SECONDS = 1 / 3, 1.0
"""How long a rejection that has a change waits for a better one: this share of the time used, but at least this
many seconds."""
KEEPING_NODES = 20_000
"""Decisions allowed for a fill that keeps all pencil, before some of it is replaced. They are counted, not timed,
so that a seed gives the same fill on every machine."""
WITH_THE_REST = "with the rest filled"
"""Note on the scores of a swap in a grid that stays incomplete."""
STOPPED_EARLY = "stopped before trying for fewer"
"""The reason why a fill may not replace the fewest squares."""
_NODES_A_LOOK = 500
"""Decisions between two checks whether to stop."""


class _Bar(NamedTuple):
    """The scores that a swap needs for a rejection to accept it."""

    word: int
    """The score of the new word."""
    changed: int
    """The lowest score of the other changed answers."""

    def is_met(self, score: int, repair: Repair) -> bool:
        return score >= self.word and repair.lowest_changed >= self.changed


def _bars(problem: Problem, current: Grid, refused: int) -> Sequence[_Bar]:
    """Return what a rejection requires, best first: scores of 50, or those of before if lower."""
    lowest = grid_statistics(current, problem.task.lexicon.score).lowest_score or 0
    word = min(GOOD_SCORE, refused)
    return tuple(dict.fromkeys((_Bar(word, min(GOOD_SCORE, lowest)), _Bar(word, 0))))


def _weakest_of(repair: Repair) -> str:
    return f"{repair.weakest} {repair.answers[repair.weakest]}"


class Swapping(DirectSearch):
    """Swaps or rejects an entry's word; leaves the grid unchanged if there is no other word or it is stopped."""

    _figures: Mapping[str, Any] = {}

    @cached_property
    def _before(self) -> Grid:
        return _current_grid(self.problem.grid, self.options.start)

    def work(self, budget: Budget) -> Ending:
        """Find the smallest change with the best words; a rejection also meets its requirements if possible."""
        problem, options, limit, current = self.problem, self.options, TimeLimit(budget), self._before
        entry = options.entry
        refused = current.answer(problem.grid.entry(entry)) if options.mode is Mode.REJECT else None
        wanted = self._patient(RepairWanted(entry, options.word), limit, _FIRST_SHARE)
        result = repair_apart(problem, options.start, limit.remaining, wanted)
        self._figures = {}
        if result.repairs and refused is None:
            self._figures = self._figures_with_offer(result.repairs[0])
        elif result.repairs and refused is not None:
            before = problem.task.lexicon.score(refused) or 0
            repair, passed_over = self._chosen(result.repairs[0], _bars(problem, current, before), limit)
            outscored = LoweredScore.of(before, self._score(repair))
            comparison = {"outscored": outscored, "passed_over": passed_over}
            self._figures = {**comparison, **self._figures_with_offer(repair, Exclusion(entry, refused))}
        elif result.outcome is Outcome.IMPOSSIBLE:
            self._figures = {"pen": PenIn.of(problem.grid, entry)}
        return result.outcome, result.reason

    def figures(self) -> dict[str, Any]:
        return {**self._figures}

    def _patient(self, wanted: RepairWanted, limit: TimeLimit, share: float = 1.0) -> RepairWanted:
        """Return the request with callbacks that show the smallest change so far and end a rejection early.

        A rejection that has a change ends after a share of the time, or if no smaller change has come for long.
        """
        best, since = None, 0.0

        def found(repairs: tuple[Repair, ...]) -> None:
            nonlocal best, since
            if best is None or repairs[0].rank < best.rank:
                best, since = repairs[0], limit.seconds
                self._show(best)

        def is_enough() -> bool:
            used = limit.seconds
            is_stuck = best is not None and used - since >= max(_LEAST_SECONDS, _PATIENCE * used)
            return is_stuck or limit.is_over(share)

        is_rejection = self.options.mode is Mode.REJECT
        return wanted._replace(found=found, is_enough=is_enough if is_rejection else never)

    def _show(self, repair: Repair) -> None:
        """Show the smallest change so far; it is not kept if the search is stopped."""
        entry = self.options.entry
        before = self._before.answer(self.problem.grid.entry(entry)) or ""
        change = EntryChange(entry, before, repair.answers[entry])
        self._figures = {"found": len(repair.changed), "changes": (change,)}
        self.notify()

    def _score(self, repair: Repair) -> int:
        return self.problem.task.lexicon.score(repair.answers[self.options.entry]) or 0

    def _figures_with_offer(self, repair: Repair, excluded: Exclusion | None = None) -> dict[str, Any]:
        problem, options = self.problem, self.options
        squares = {
            at: repair.squares[at] for at in (*repair.changed, *problem.grid.entry(options.entry).positions)
        }
        offered = _offered(problem, options, self._before, repair, squares)
        if offered is not None:
            allowed = Exclusion(options.entry, options.word) if options.word else None
            offered = offered._replace(excluded=excluded, allowed=allowed)
        figures = _figures_of(problem, self._before, repair, squares)
        return {**figures, "excluded": excluded, "offered": offered}

    def _chosen(self, first: Repair, bars: Sequence[_Bar], limit: TimeLimit) -> tuple[Repair, PassedOver | None]:
        """Return the first swap that meets the best possible requirement, and a smaller one that was passed over.

        It changes at most twice as many squares as the smallest swap, which is chosen if none meets a requirement.
        Swaps not proved smallest are compared with everything that `swap` lists.
        """
        entry, known = self.options.entry, [first]

        def near(bar: _Bar) -> list[Repair]:
            most = REJECTION_REACH * min(len(one.changed) for one in known)
            return [one for one in known if len(one.changed) <= most and bar.is_met(self._score(one), one)]

        for bar in bars:
            if near(bar):
                break
            asked = RepairWanted(entry, least_score=bar.word, least_changed=bar.changed, gives_up=True)
            known += self._look(asked._replace(most_squares=REJECTION_REACH * len(first.changed)), limit)
        if not all(one.is_smallest for one in known) and not limit.is_over():
            known += self._look(RepairWanted(entry, most=MOST_SWAPS), limit)
        known.sort(key=lambda one: one.rank)
        smallest = known[0]
        repair = next((met[0] for met in map(near, bars) if met), smallest)
        if len(smallest.changed) == len(repair.changed):
            return repair, None
        word, score = smallest.answers[entry], self._score(smallest)
        if score > smallest.lowest_changed:
            word, score = f"{word} with {_weakest_of(smallest)}", smallest.lowest_changed
        return repair, PassedOver(word, score, len(smallest.changed))

    def _look(self, wanted: RepairWanted, limit: TimeLimit) -> list[Repair]:
        """Return other repairs that repeat no more stems than the present grid."""
        task, start = self.problem.task, self.options.start
        others = {pair.entries for pair in shared_stems(task, start)}
        found = repair_apart(self.problem, start, limit.remaining, self._patient(wanted, limit)).repairs
        return [
            one
            for one in found
            if wanted.most == 1 or others.issuperset(pair.entries for pair in shared_stems(task, one.squares))
        ]


def pencil_of(problem: Problem, contents: Mapping[Position, Content]) -> Mapping[Position, Content]:
    """Return the part of the contents that is in pencil, in the view of a problem.

    The problem's grid does not show it, because one problem may serve several puzzles that differ only in pencil.
    """
    given = problem.task.given
    return {at: content for at, content in contents.items() if at not in given}


def _current_grid(grid: Grid, contents: Mapping[Position, Content]) -> Grid:
    squares = {at for slot in grid.slots for at in slot.positions}
    return grid.with_squares({at: replace(grid[at], content=contents.get(at)) for at in squares})


def with_pencil_kept(problem: Problem, pencil: Mapping[Position, Content]) -> Problem:
    """Return the problem restricted to fills that keep some pencil."""
    return replace(problem, task=replace(problem.task, assumptions=Assumptions(pencil)))


def short_search(problem: Problem, seed: int, is_over: Callable[[], bool]) -> RunView:
    """Return the view after a short search; only the seed decides it, regardless of parallel work."""
    warm_up(counting=False, improving=not problem.constraints.is_empty)
    search = XwtuiEngine.on(problem, seed)
    while not search.has_ended and search.progress < KEEPING_NODES and not is_over():
        search.advance(Budget(nodes=_NODES_A_LOOK))
    return replace(view_of(search), seed=seed)


def repair_pencil(
    problem: Problem,
    options: FillOptions,
    view: RunView,
    budget: Budget,
    found: Callable[[Callable[[], RunView]], None],
) -> RunView:
    """Return the final view of a fill that cannot keep all pencil: the smallest part of it is replaced.

    `view` is the view so far. Once there is a fill, `found` receives a function that returns the final view if
    stopped now; it may be called from any thread.
    """
    if (reason := why_impossible(problem)) is not None:  # the pen alone leaves an entry without a word
        return replace(view, outcome=Outcome.IMPOSSIBLE, reason=in_words(reason), squares={})
    started = time.perf_counter()
    before = _current_grid(problem.grid, options.start)

    def ended(reason: str, repair: Repair) -> RunView:
        seconds = view.seconds + time.perf_counter() - started
        figures = _figures_of(problem, before, repair, repair.squares)
        offered = _offered(problem, options, before, repair, repair.squares)
        return replace(view, outcome=Outcome.FILLED, reason=reason, seconds=seconds, offered=offered, **figures)

    wanted = RepairWanted(found=lambda repairs: found(partial(ended, STOPPED_EARLY, repairs[0])))
    result = repair_apart(problem, options.start, budget.after(view.seconds), wanted)
    if result.repairs:
        return ended("", result.repairs[0])
    seconds = view.seconds + time.perf_counter() - started
    return replace(view, outcome=result.outcome, reason=in_words(result.reason), seconds=seconds, squares={})


def _offered(
    problem: Problem, options: FillOptions, before: Grid, repair: Repair, squares: Mapping[Position, Content]
) -> FoundFill | None:
    """Return a fill that the user must accept before it is written; None if it replaces little pencil."""
    pencil = len(pencil_of(problem, options.start))
    if not (options.can_ask_user and is_much(len(repair.changed), pencil)):
        return None
    note = note_of_mean(problem, before, repair, squares)
    return FoundFill.of(problem.task, repair.squares, note)._replace(squares=squares)


def note_of_mean(problem: Problem, before: Grid, repair: Repair, squares: Mapping[Position, Content]) -> str:
    """Return the grid's mean score before a change, or the note that the new mean counts squares left empty."""
    mean = _mean_of(problem, before)
    if mean is not None:
        return f"mean was {mean:.1f}"
    return WITH_THE_REST if leaves_open(before, repair, squares) else ""


def leaves_open(before: Grid, repair: Repair, squares: Mapping[Position, Content]) -> bool:
    """Whether writing only these squares of a repair leaves some of its other squares empty."""
    return any(before[at].content is None for at in repair.squares.keys() - squares.keys())


def _mean_of(problem: Problem, grid: Grid) -> float | None:
    return grid_statistics(grid, problem.task.lexicon.score).mean_score if _is_whole(grid) else None


def _is_whole(grid: Grid) -> bool:
    """Whether every entry has its answer; squares outside entries, which no fill writes, may be empty."""
    return all(grid.answer(slot) is not None for slot in grid.slots)


def _figures_of(
    problem: Problem, before: Grid, repair: Repair, squares: Mapping[Position, Content]
) -> dict[str, Any]:
    after = FoundFill.of(problem.task, repair.squares)
    mean = _mean_of(problem, before)
    return {
        "squares": squares,
        "changes": entry_changes(before, squares),
        "found": len(repair.changed),
        "is_smallest": repair.is_smallest,
        "lowered": lowered_score(problem, before, after, repair),
        "means": None if mean is None else (mean, after.mean_score),
    }


def lowered_score(problem: Problem, before: Grid, after: FoundFill, repair: Repair) -> LoweredScore | None:
    """Return the drop of a full grid's lowest score by a repair; None if there is none."""
    if not _is_whole(before):
        return None
    lowest = grid_statistics(before, problem.task.lexicon.score).lowest_score
    return LoweredScore.of(lowest, after.lowest_score, _weakest_of(repair) if repair.weakest else "")
