"""A run of the fill job: it drives one search, of any mode, as far as each goal says."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from weakref import proxy

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.budget import Budget, TimeLimit, never
from xwtui.engine.events.event import Outcome
from xwtui.errors import VerbError, XwtuiError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.search import SLICE_SECONDS, ModeSearch
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import ArgumentRefused, FillEnded, FillProgress, Notice
from xwtui.session.run_view import FoundFill, RunView

with lazy_imports():
    from xwtui.engine.improve.plain_fill import finish, shared_stems
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.warmup import is_warm
    from xwtui.session.jobs.fills.modes import search_of
    from xwtui.session.jobs.fills.stepped import EndedWalk, SteppedSearch, repeated_search
    from xwtui.session.jobs.fills.swapping import pencil_of, repair_pencil, short_search, with_pencil_kept
    from xwtui.session.recording import Recording

RunMessage = FillProgress | FillEnded | ArgumentRefused | Notice

NOTHING_WATCHED = "there is no search yet: `step` or `fill` starts one"
NOTHING_TO_SEARCH = (
    "no square is empty, so there is nothing to search: `clear pencil` clears the fill, `refill` replaces it"
)
_FIRST_WORDS = "the improver is not compiled yet, so the fill has the first words found: `improve` it later"

_DEPTH_SAMPLES = 40
"""Number of depths in a view, for a sparkline."""
_VIEW_SECONDS = 0.08
"""Least number of seconds between two progress reports of a search."""


@dataclass(frozen=True)
class RunControl:
    """A run's controls, and the callbacks for its messages."""

    is_stopped: IsStopped
    """Returns whether the run is no longer wanted."""
    post: Callable[[RunMessage], None]
    rest: Callable[[], None] = lambda: None
    """Called when the run pauses, so that no one waits for it."""
    changed: threading.Condition = field(default_factory=threading.Condition)
    """Notified when the run is stopped or gets another goal."""
    can_repair: Callable[[], bool] = never
    """Waits for the kernels that repair a grid; returns False if the run was stopped first."""
    load_improver: Callable[[], None] = lambda: None
    """Waits for the kernels that finish a fill, unless they are still being compiled on the screen."""


class FillRun:
    """One fill or several, on the fill job's thread, until it ends or is stopped; `go` sets another goal.

    A run that simply goes to its end records nothing. When it is first stepped, recording starts there. When the
    user goes back, the whole search is repeated from its seed and recorded.
    """

    def __init__(self, options: FillOptions, seed: int, goal: Goal | None = None) -> None:
        self.options = options
        self.seed = seed
        self.view: RunView | None = None
        """The view reported last."""
        self.problem: Problem | None = None
        """The problem being searched, once it is set up."""
        self.progress = 0
        """The search's progress at the last view, in its own unit."""
        self.search: ModeSearch | None = None
        """The search being driven, once it has started."""
        self.repair_result: Callable[[], RunView] | None = None
        """Returns the final view if stopped now; set during a repair that has a fill."""
        self._goal = goal or Goal(seconds=options.seconds)
        self.is_recorded = self._goal.is_recorded
        """Whether it is recorded, or will be once possible: it was stepped, watched, paused or argued with."""
        self.is_active = True
        """Whether it is running, rather than paused."""
        self._depths: deque[int] = deque(maxlen=_DEPTH_SAMPLES)
        self._control = RunControl(never, lambda message: None)
        self._this: FillRun = proxy(self)
        """A weak proxy for its search to hold: a cycle between the two would keep megabytes alive after they
        end."""

    @property
    def recording(self) -> Recording | None:
        return self.search.recording if self.search is not None else None

    @property
    def is_watched(self) -> bool:
        """Whether it runs slowly, event by event, for a user to watch."""
        return self.is_active and self._goal.speed is not None

    @property
    def best(self) -> RunView | None:
        """The final view with the result worth keeping if it is stopped now; None if there is none."""
        if self.repair_result is not None:
            return self.repair_result()
        return None if self.search is None else self.search.best(self.view or RunView(Outcome.RUNNING))

    @property
    def found(self) -> Sequence[FoundFill]:
        return () if self.search is None else self.search.found

    def go(self, goal: Goal) -> None:
        """Replace the goal; raises VerbError if the search cannot be stepped."""
        if not self.options.is_stepped:
            mode = self.options.mode.value
            raise VerbError(f"this search cannot be stepped ({mode}); `stop` it first")
        with self._control.changed:
            self._goal, self.is_active = goal, True
            self.is_recorded = self.is_recorded or goal.is_recorded
            self._control.changed.notify_all()

    def stopped(self) -> RunView:
        """Return the final view if it is stopped: with its best result, or with nothing."""
        best = self.best
        if best is not None and self.repair_result is not None:
            return best
        return replace(best, outcome=Outcome.CANCELLED) if best is not None else self.stopped_without_result()

    def stopped_without_result(self) -> RunView:
        """Return the final view if it is stopped without keeping a result."""
        view = self.view if self.view is not None else RunView(Outcome.CANCELLED)
        view = replace(view, found=0) if view.mode.is_of_entry else view
        return replace(view, outcome=Outcome.CANCELLED, squares={}, changes=(), paused=False)

    # On the job's thread

    def work(self, problem: Problem, control: RunControl) -> RunView | None:
        """Fill as far as each goal says; returns the final view, or None if it was stopped first.

        When only a part of the grid is filled, fills that leave an entry outside the part without a word are
        avoided if there are others. Such an entry does not make a fill impossible, because it need not be filled.
        """
        touched = problem.task.without_outside_entries
        if touched is not None and self.options.mode is Mode.ALL:
            return self._work(Problem.of(touched), control)
        view = self._work(problem, control)
        if touched is None or view is None or view.outcome is not Outcome.IMPOSSIBLE or view.arguments:
            return view
        if self.options.seconds is not None:
            left = max(self.options.seconds - view.seconds, 0.0)
            self.options, self._goal = replace(self.options, seconds=left), replace(self._goal, seconds=left)
        return self._work(Problem.of(touched), control)

    def _work(self, problem: Problem, control: RunControl) -> RunView | None:
        self._control, options = control, self.options
        pencil = pencil_of(problem, options.start) if options.keeps_pencil else {}
        view = self._keep_or_repair(problem, pencil) if pencil else self._fill(problem)
        is_plain = not (options.strategy or options.mode.leaves_a_choice or options.mode is Mode.PARTIAL)
        if view is None or not view.to_write or not is_plain:
            return view
        shared = shared_stems(problem.task, {**options.start, **view.squares})
        if options.mode.is_of_entry:
            moved = {one.entry for one in view.changes}
            shared = tuple(one for one in shared if not moved.isdisjoint(one.entries))
        return replace(view, shared_stems=shared)

    def _fill(self, problem: Problem) -> RunView | None:
        """Start the search and drive it; one that was watched or argued with ends with the fill as shown."""
        self.problem, options = problem, self.options
        search: ModeSearch
        if options.is_stepped:
            search = SteppedSearch(problem, options, self.seed)
        else:
            search = search_of(problem, options, self.seed)
        view = self.drive(search, self._control)
        if view is not None and self.recording is None and not view.arguments:
            return self._finish(problem, view)
        self.view = view or self.view
        return view

    def _finish(self, problem: Problem, view: RunView) -> RunView:
        """Finish a plain fill: keep repeated stems apart if possible, and choose better words if requested.

        That takes some hundredths of a second but needs the improver; while that is being compiled, the fill stays
        as found. In a part of the grid, the entries that cross it count too, but complete ones do not get worse.
        """
        self.problem, self.view, options = problem, view, self.options
        if options.mode is not Mode.FILL or view.outcome is not Outcome.FILLED or options.strategy:
            return view
        if not (options.chooses_words or shared_stems(problem.task, view.squares)):
            return view
        if not options.scheduler:
            self._control.load_improver()
        if not is_warm(counting=False, improving=True):
            if options.chooses_words and not options.scheduler:
                self._control.post(Notice(_FIRST_WORDS))
            self.view = view = replace(view, is_as_found=True)
            return view
        started = time.perf_counter()
        budget = Budget(options.seconds, seed=view.seed, stop=self._control.is_stopped).after(view.seconds)
        squares = finish(problem, view.squares, budget, first_only=not options.chooses_words)
        spent = time.perf_counter() - started
        words_seconds = spent if options.chooses_words else 0.0
        self.view = view = replace(
            view, squares=squares, seconds=view.seconds + spent, better_words_seconds=words_seconds
        )
        return view

    def _keep_or_repair(self, problem: Problem, pencil: Mapping[Position, Content]) -> RunView | None:
        """Keep all pencil, or, if a limited search finds no such fill, replace the smallest part of it.

        If the run is stepped, watched or paused meanwhile, the search starts again as the goals say, without that
        limit.
        """
        control, options = self._control, self.options
        whole = Budget(options.seconds, threads=options.threads, seed=self.seed, stop=control.is_stopped)
        kept, limit = with_pencil_kept(problem, pencil), TimeLimit(whole)
        first = short_search(kept, self.seed, lambda: self.is_recorded or limit.is_over())
        view = RunView(Outcome.UNKNOWN, seed=self.seed, seconds=limit.seconds)
        if self.is_recorded:
            ended = self._fill(kept)
            if ended is None or ended.outcome is not Outcome.IMPOSSIBLE:
                return ended
            view = ended
        elif first.outcome is Outcome.FILLED:
            return self._finish(kept, replace(first, seconds=limit.seconds, threads=options.threads))
        if control.is_stopped() or not control.can_repair():
            return None
        # That the pencil cannot stay does not prove that no fill exists: the run goes on during the repair.
        before, taken = replace(view, outcome=Outcome.RUNNING, reason="", squares=pencil), 0

        def tell() -> None:
            self.view = now = replace(before, seconds=limit.seconds, found=taken)
            control.post(FillProgress(now))

        def note(stopped: Callable[[], RunView]) -> None:
            nonlocal taken
            self.repair_result, taken = stopped, stopped().found

        tell()
        return repair_pencil(problem, options, before, whole.reporting(tell, _VIEW_SECONDS), note)

    def drive(self, search: ModeSearch, control: RunControl) -> RunView | None:
        self._control, self.search = control, search
        search.notify = partial(FillRun._report, self._this)
        try:
            if self.options.is_stepped and self.options.trace is not None:
                self._watch(self._goal)
            while (goal := self._next_goal()) is not None:
                is_late, search = self._pursue(goal), self.search
                if control.is_stopped() and self.options.is_stepped:
                    return None
                if search.has_ended or (is_late and search.best(RunView(Outcome.RUNNING)) is not None):
                    search.write_output()
                    view = self._with_figures(search.view())
                    self.view = view if search.has_ended else replace(view, outcome=Outcome.UNKNOWN)
                    return self.view
                if self._goal is goal:
                    self._pause(goal, is_late=is_late)
            return None
        finally:
            with suppress(XwtuiError):  # it was stopped, or has failed already
                self.search.close()

    def _next_goal(self) -> Goal | None:
        with self._control.changed:
            self._control.changed.wait_for(lambda: self.is_active or self._control.is_stopped())
            return None if self._control.is_stopped() else self._goal

    def _pursue(self, goal: Goal) -> bool:
        """Work until the goal is reached or replaced; returns whether time has run out."""
        left: Goal | None = goal
        if goal.is_recorded and self.recording is None:
            left = self._watch(goal)
        if left is None or self._is_over(goal) or self.search is None:
            return False
        if left.speed is not None:
            self._advance_slowly(goal, left.speed)
            return False
        started = time.perf_counter()
        try:
            self.search.pursue(left, self._budget(goal))
        except XwtuiError as error:
            if goal.argument is None:
                raise
            self._control.post(ArgumentRefused(str(error)))
        is_late = goal.seconds is not None and time.perf_counter() - started >= goal.seconds
        return is_late and self.search.can_go_on and not self._is_over(goal)

    def _is_over(self, goal: Goal) -> bool:
        return self._goal is not goal or self._control.is_stopped()

    def _budget(self, goal: Goal) -> Budget:
        """Return the budget of a goal; spending it reports the search's progress from time to time."""
        threads = self.options.threads
        this = self._this
        budget = Budget(goal.seconds, threads=threads, seed=self.seed, stop=lambda: this._is_over(goal))
        return budget.reporting(partial(FillRun._report, self._this), _VIEW_SECONDS)

    def _advance_slowly(self, goal: Goal, speed: float) -> None:
        """Advance at a number of events per second, recorded ones first, until another goal or the end."""
        started, done = time.perf_counter(), 0
        while not self._is_over(goal) and (search := self.search) is not None and search.can_go_on:
            due = int((time.perf_counter() - started) * speed) + 1 - done
            slice_of_it = Budget(SLICE_SECONDS, stop=lambda: self._is_over(goal))
            done += search.pursue(Goal(steps=due), slice_of_it)
            self._report()
            with self._control.changed:
                self._control.changed.wait_for(lambda: self._is_over(goal), max(1 / speed, _VIEW_SECONDS))

    def _watch(self, goal: Goal) -> Goal | None:
        """Record from here, or from the start if the goal goes back; returns its rest, None if replaced."""
        search = self.search
        assert isinstance(search, (SteppedSearch, EndedWalk))
        if isinstance(search, SteppedSearch) and not goal.is_in_record:
            search.record_from_here()
        else:
            assert self.problem is not None
            budget = Budget(stop=lambda: self._is_over(goal))
            if (found := repeated_search(search, self.problem, budget, self._show)) is None:
                return None
            self.search, found.notify = found, search.notify
        return replace(goal, steps=1) if goal.steps == 0 or goal.argument is not None else goal

    # Reporting

    def _with_figures(self, view: RunView) -> RunView:
        assert self.search is not None
        self.progress = self.search.progress
        if not self.search.shows_depth:
            return view
        self._depths.append(view.depth)
        return replace(view, depth_history=tuple(self._depths))

    def _report(self) -> None:
        if self.search is not None and not self._control.is_stopped():
            self._show(self.search)

    def _show(self, search: ModeSearch) -> None:
        self.view = view = self._with_figures(search.view())
        self._control.post(FillProgress(view))

    def _pause(self, goal: Goal, *, is_late: bool) -> None:
        """Report the paused search, and become idle unless there is another goal by now."""
        assert self.search is not None
        self.view = view = replace(self._with_figures(self.search.detailed_view()), paused=True)
        self._control.post(FillEnded(replace(view, outcome=Outcome.UNKNOWN)) if is_late else FillProgress(view))
        with self._control.changed:
            if self._goal is goal:
                self.is_active = False
                self._control.rest()
