"""A run of the fill job: it drives one search, of whatever mode, as far as each goal says."""

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
from xwtui.session.jobs.fills.search import SLICE_SECONDS, ModeSearch, PlainSearch
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import ArgumentRefused, FillEnded, FillProgress, Notice
from xwtui.session.run_view import FoundFill, RunView

with lazy_imports():
    from xwtui.engine.improve.plain_fill import finished, shared_stems
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.warmup import is_warm
    from xwtui.session.jobs.fills.modes import search_of
    from xwtui.session.jobs.fills.swapping import keeping, mended, pencil_of, tried
    from xwtui.session.jobs.fills.watching import made_again, recorded_from_here
    from xwtui.session.recording import Recording

RunMessage = FillProgress | FillEnded | ArgumentRefused | Notice

NOTHING_WATCHED = "there is no search yet: `step` or `fill` starts one"
NOTHING_TO_SEARCH = (
    "no square is empty, so there is nothing to search: `clear pencil` clears the fill, `refill` replaces it"
)
_FIRST_WORDS = "the improver is not compiled yet, so the fill has the first words found: `improve` it later"

_DEPTH_SAMPLES = 40
"""How many depths a view tells, for a sparkline."""
_VIEW_SECONDS = 0.08
"""How often it is told how a search stands."""


@dataclass(frozen=True)
class RunControl:
    """What a run has to heed while it works, and where it tells how it stands."""

    is_stopped: IsStopped
    """Whether nobody wants the run any more."""
    post: Callable[[RunMessage], None]
    rest: Callable[[], None] = lambda: None
    """Called where the run stands still and nobody waits for it."""
    changed: threading.Condition = field(default_factory=threading.Condition)
    """Notified where the run is stopped, or has another goal."""
    can_mend: Callable[[], bool] = never
    """Waits for what it takes to mend a grid; False where the run was stopped first."""
    load_improver: Callable[[], None] = lambda: None
    """Called where a fill can be finished, if the improver is there; it does not wait where that is compiled."""


class FillRun:
    """A fill, or several, in the thread of the fill job, until it ends or is stopped; `go` gives it another goal.

    One that is told nothing but to run to its end records nothing. Where it is stepped, it is recorded from there
    on; where one goes back in it, all that it has done is made again from its seed, and recorded.
    """

    def __init__(self, options: FillOptions, seed: int, goal: Goal | None = None) -> None:
        self.options = options
        self.seed = seed
        self.view: RunView | None = None
        """How it stood when it last told."""
        self.problem: Problem | None = None
        """What is searched, once that is laid out."""
        self.progress = 0
        """How far it had come when it was looked at last, in the unit of its search."""
        self.search: ModeSearch | None = None
        """What it drives, once that has begun."""
        self.mending: Callable[[], RunView] | None = None
        """How it would end if it were stopped now, while it mends what stands and has a fill."""
        self._goal = goal or Goal(seconds=options.seconds)
        self.is_recorded = self._goal.is_recorded
        """Whether it is recorded, or is to be once it can: it has been stepped, watched, paused or argued with."""
        self.is_active = True
        """Whether it goes on at this moment, rather than stand still."""
        self._depths: deque[int] = deque(maxlen=_DEPTH_SAMPLES)
        self._control = RunControl(never, lambda message: None)
        self._this: FillRun = proxy(self)
        """Itself, for what its search holds: else the two hold each other, with megabytes, once they are over."""

    @property
    def recording(self) -> Recording | None:
        return self.search.recording if self.search is not None else None

    @property
    def is_watched(self) -> bool:
        """Whether it goes on slowly, event by event, to be looked at."""
        return self.is_active and self._goal.speed is not None

    @property
    def best(self) -> RunView | None:
        """What is worth keeping if it is stopped now; None where that is nothing."""
        if self.mending is not None:
            return self.mending()
        return None if self.search is None else self.search.best(self.view or RunView(Outcome.RUNNING))

    @property
    def found(self) -> Sequence[FoundFill]:
        return () if self.search is None else self.search.found

    def go(self, goal: Goal) -> None:
        """Go on as far as the goal says, whatever was going on; raises VerbError where it cannot be stepped."""
        if not self.options.is_stepped:
            mode = self.options.mode.value
            raise VerbError(f"this search cannot be stepped ({mode}); `stop` it first")
        with self._control.changed:
            self._goal, self.is_active = goal, True
            self.is_recorded = self.is_recorded or goal.is_recorded
            self._control.changed.notify_all()

    def stopped(self) -> RunView:
        """How it ends if it is stopped: with the best that it has, or with nothing."""
        best = self.best
        if best is not None and self.mending is not None:
            return best
        return replace(best, outcome=Outcome.CANCELLED) if best is not None else self.stopped_without()

    def stopped_without(self) -> RunView:
        """How it ends if it is stopped without what it has found."""
        view = self.view if self.view is not None else RunView(Outcome.CANCELLED)
        view = replace(view, found=0) if view.mode.is_of_entry else view
        return replace(view, outcome=Outcome.CANCELLED, squares={}, changes=(), paused=False)

    # In the thread

    def work(self, problem: Problem, control: RunControl) -> RunView | None:
        """Fill, as far as each goal says; returns how it ended, or None where it was stopped first.

        Of a part of the grid, what leaves no word to an entry beside it is passed over as long as there is another
        fill. No such entry refutes one: it needs no word.
        """
        touched = problem.task.touched_alone
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
        view = self._keep_or_mend(problem, pencil) if pencil else self._fill(problem)
        is_plain = not (options.strategy or options.mode.leaves_a_choice or options.mode is Mode.PARTIAL)
        if view is None or not view.to_write or not is_plain:
            return view
        shared = shared_stems(problem.task, {**options.start, **view.squares})
        if options.mode.is_of_entry:
            moved = {one.entry for one in view.changes}
            shared = tuple(one for one in shared if not moved.isdisjoint(one.entries))
        return replace(view, shared_stems=shared)

    def _fill(self, problem: Problem) -> RunView | None:
        """Begin the search and drive it; one that was watched or argued with ends with the fill that was seen."""
        self.problem, options = problem, self.options
        search: ModeSearch
        if options.is_stepped:
            search = PlainSearch(problem, options, self.seed)
        else:
            search = search_of(problem, options, self.seed)
        view = self.drive(search, self._control)
        if view is not None and self.recording is None and not view.arguments:
            return self._finish(problem, view)
        self.view = view or self.view
        return view

    def _finish(self, problem: Problem, view: RunView) -> RunView:
        """How a plain fill ends: with stems apart where that can be, and with better words where it chooses them.

        These take some hundredths of a second, but need the improver: while it is compiled, the fill is as found.
        Of a part of the grid, the entries that cross it have a say, but full ones get no worse for it.
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
        begun = time.perf_counter()
        budget = Budget(options.seconds, seed=view.seed, stop=self._control.is_stopped).after(view.seconds)
        squares = finished(problem, view.squares, budget, first_only=not options.chooses_words)
        took = time.perf_counter() - begun
        words_seconds = took if options.chooses_words else 0.0
        self.view = view = replace(
            view, squares=squares, seconds=view.seconds + took, better_words_seconds=words_seconds
        )
        return view

    def _keep_or_mend(self, problem: Problem, pencil: Mapping[Position, Content]) -> RunView | None:
        """Keep all pencil, or where no fill does within a while, replace the smallest part of it.

        Where it is stepped, watched or paused meanwhile, it is searched anew as far as it is told, for any while.
        """
        control, options = self._control, self.options
        whole = Budget(options.seconds, threads=options.threads, seed=self.seed, stop=control.is_stopped)
        kept, limit = keeping(problem, pencil), TimeLimit(whole)
        first = tried(kept, self.seed, lambda: self.is_recorded or limit.is_over())
        view = RunView(Outcome.UNKNOWN, seed=self.seed, seconds=limit.seconds)
        if self.is_recorded:
            told = self._fill(kept)
            if told is None or told.outcome is not Outcome.IMPOSSIBLE:
                return told
            view = told
        elif first.outcome is Outcome.FILLED:
            return self._finish(kept, replace(first, seconds=limit.seconds, threads=options.threads))
        if control.is_stopped() or not control.can_mend():
            return None
        # That the pencil cannot stay is no proof that there is no fill: while it is mended, the run goes on.
        before, taken = replace(view, outcome=Outcome.RUNNING, reason="", squares=pencil), 0

        def tell() -> None:
            self.view = now = replace(before, seconds=limit.seconds, found=taken)
            control.post(FillProgress(now))

        def note(stopped: Callable[[], RunView]) -> None:
            nonlocal taken
            self.mending, taken = stopped, stopped().found

        tell()
        return mended(problem, options, before, whole.telling(tell, _VIEW_SECONDS), note)

    def drive(self, search: ModeSearch, control: RunControl) -> RunView | None:
        self._control, self.search = control, search
        search.tell = partial(FillRun._tell, self._this)
        try:
            if self.options.is_stepped and self.options.trace is not None:
                self._watch(self._goal)
            while (goal := self._next_goal()) is not None:
                is_late, search = self._pursue(goal), self.search
                if control.is_stopped() and self.options.is_stepped:
                    return None
                if search.has_ended or (is_late and search.best(RunView(Outcome.RUNNING)) is not None):
                    search.settle()
                    view = self._told(search.view())
                    self.view = view if search.has_ended else replace(view, outcome=Outcome.UNKNOWN)
                    return self.view
                if self._goal is goal:
                    self._stand_still(goal, is_late=is_late)
            return None
        finally:
            with suppress(XwtuiError):  # it was stopped, or has failed already
                self.search.close()

    def _next_goal(self) -> Goal | None:
        with self._control.changed:
            self._control.changed.wait_for(lambda: self.is_active or self._control.is_stopped())
            return None if self._control.is_stopped() else self._goal

    def _pursue(self, goal: Goal) -> bool:
        """Go on until the goal is reached or replaced; returns whether time has run out."""
        left: Goal | None = goal
        if goal.is_recorded and self.recording is None:
            left = self._watch(goal)
        if left is None or self._is_over(goal) or self.search is None:
            return False
        if left.speed is not None:
            self._go_slowly(goal, left.speed)
            return False
        begun = time.perf_counter()
        try:
            self.search.pursue(left, self._budget(goal))
        except XwtuiError as error:
            if goal.argument is None:
                raise
            self._control.post(ArgumentRefused(str(error)))
        is_late = goal.seconds is not None and time.perf_counter() - begun >= goal.seconds
        return is_late and self.search.can_go_on and not self._is_over(goal)

    def _is_over(self, goal: Goal) -> bool:
        """Whether a goal is another one by now, or nobody wants the run any more."""
        return self._goal is not goal or self._control.is_stopped()

    def _budget(self, goal: Goal) -> Budget:
        """What a goal may take; whoever spends it lets it be told now and then how the search stands."""
        threads = self.options.threads
        this = self._this
        budget = Budget(goal.seconds, threads=threads, seed=self.seed, stop=lambda: this._is_over(goal))
        return budget.telling(partial(FillRun._tell, self._this), _VIEW_SECONDS)

    def _go_slowly(self, goal: Goal, speed: float) -> None:
        """Go on by so many events a second, the recorded ones first, until there is another goal or an end."""
        begun, done = time.perf_counter(), 0
        while not self._is_over(goal) and (search := self.search) is not None and search.can_go_on:
            due = int((time.perf_counter() - begun) * speed) + 1 - done
            slice_of_it = Budget(SLICE_SECONDS, stop=lambda: self._is_over(goal))
            done += search.pursue(Goal(steps=due), slice_of_it)
            self._tell()
            with self._control.changed:
                self._control.changed.wait_for(lambda: self._is_over(goal), max(1 / speed, _VIEW_SECONDS))

    def _watch(self, goal: Goal) -> Goal | None:
        """Record the search from here on, with all that it has done before if one is to go back there.

        Returns what is left of the goal; None where it was replaced first.
        """
        assert self.search is not None
        if goal.is_in_record:
            assert self.problem is not None
            budget = Budget(stop=lambda: self._is_over(goal))
            found = made_again(self.search, self.problem, budget, self._show)
        else:
            found = recorded_from_here(self.search)
        if found is None:
            return None
        self.search, found.tell = found, partial(FillRun._tell, self._this)
        return replace(goal, steps=1) if goal.steps == 0 or goal.argument is not None else goal

    # Telling

    def _told(self, view: RunView) -> RunView:
        """A view with what is known of the run."""
        assert self.search is not None
        self.progress = self.search.progress
        if not self.search.tells_depths:
            return view
        self._depths.append(view.depth)
        return replace(view, depth_history=tuple(self._depths))

    def _tell(self) -> None:
        if self.search is not None and not self._control.is_stopped():
            self._show(self.search)

    def _show(self, search: ModeSearch) -> None:
        self.view = view = self._told(search.view())
        self._control.post(FillProgress(view))

    def _stand_still(self, goal: Goal, *, is_late: bool) -> None:
        """Tell how it stands, and be idle unless another goal has come since."""
        assert self.search is not None
        self.view = view = replace(self._told(self.search.consider()), paused=True)
        self._control.post(FillEnded(replace(view, outcome=Outcome.UNKNOWN)) if is_late else FillProgress(view))
        with self._control.changed:
            if self._goal is goal:
                self.is_active = False
                self._control.rest()
