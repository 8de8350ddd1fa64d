"""The fill job: one run at a time, which fills the grid, improves a fill, or is stepped and watched."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.session.exclusions import allowing
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills import run as runs
from xwtui.session.jobs.fills.kept_fills import NOTHING_TO_IMPROVE, can_be_improved, current_contents
from xwtui.session.jobs.fills.run import FillRun, RunControl, RunMessage
from xwtui.session.jobs.fills.search import ANOTHER_GRID, SEARCH_IS_OVER
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.jobs.scheduler import IsStopped, failure_text
from xwtui.session.messages import FillEnded
from xwtui.session.problem_holders import same_squares
from xwtui.session.run_view import RunView

with lazy_imports():
    from xwtui.engine.improve.plain_fill import build_timed
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.reasons import untried_ways
    from xwtui.engine.problem.task import Task
    from xwtui.session.jobs.fills.stepped import EndedSearch, EndedWalk
    from xwtui.session.recording import Recording

_LAST = 1 << 60
"""A number greater than that of any event or of any search's progress."""
BRIEF_SECONDS = 2.0
"""Seconds during which a run counts as just started."""
_RECORDING_SECONDS = 3.0
"""Longest wait for a search to be repeated for recording; after that, it continues in the background."""


class FillJob(Job[FillRun, RunView]):
    """Runs one fill at a time, in a thread of its own; every run starts, continues and ends here.

    The end of a run is posted once, as FillEnded. The receiver claims the run with `claim`, and writes its result.
    """

    def __init__(self, context: JobContext, giving_way: Sequence[Job[Any, Any]]) -> None:
        """The `giving_way` jobs are stopped whenever a run starts."""
        super().__init__(context, "search", "the search stopped")
        self._giving_way = giving_way
        self._run: FillRun | None = None
        self._final: RunView | None = None
        """The final view of the run, until it is claimed."""
        self._last: RunView | None = None
        self._ended: EndedSearch | None = None
        self._next_seed = 0
        self._begun = 0.0

    # State

    @property
    def view(self) -> RunView | None:
        """The current view of the run, or the final one of the last run; None if the grid has changed since."""
        run = self._run
        return run.view if run is not None else self._last

    @property
    def is_running(self) -> bool:
        """Whether a run is active, rather than paused."""
        run = self._run
        return run is not None and run.is_active

    @property
    def is_watched(self) -> bool:
        run = self._run
        return run is not None and run.is_watched

    @property
    def ends_soon(self) -> bool:
        """Whether a run has just started that ends with its first fill, and is running at full speed."""
        run = self._run
        is_brief = run is not None and run.is_active and run.options.mode.is_brief and not self.is_watched
        return is_brief and time.monotonic() - self._begun < BRIEF_SECONDS

    @property
    def running_swap(self) -> str:
        """Label of the swap or rejection that is running without a result so far; empty if there is none."""
        run = self._run
        is_looking = run is not None and run.is_active and run.options.mode.is_of_entry and run.best is None
        return f"{run.options.mode.value} {run.options.entry}" if run is not None and is_looking else ""

    @property
    def has_found(self) -> bool:
        """Whether the current run has a result that is kept if it is stopped."""
        run = self._run
        return run is not None and run.best is not None

    @property
    def shown_squares(self) -> Mapping[Position, Content] | None:
        """What the current run, active or paused, has on the grid; None if there is no run."""
        run = self._run
        return run.view.squares if run is not None and run.view is not None else None

    # Start and end

    def start(self, options: FillOptions) -> None:
        """Start a run; a current one is stopped, and its best result is kept. Ends with FillEnded.

        Raises VerbError if the grid is not suitable.
        """
        if self.has_found:
            self.stop()
        grid = self.context.snapshot().puzzle.grid
        if options.mode is Mode.IMPROVE and not can_be_improved(grid):
            raise VerbError(NOTHING_TO_IMPROVE)
        if options.mode is Mode.IMPROVE or options.mode.is_of_entry or options.keeps_pencil or options.strategy:
            options = replace(options, start=current_contents(grid))
        seed = options.seed
        if seed is None:
            seed, self._next_seed = self._next_seed, self._next_seed + 1
        self._begin(FillRun(options, seed))

    def _begin(self, run: FillRun) -> None:
        self.drop()
        self.context.start_loading()
        for job in self._giving_way:
            job.stop()
        with self.lock:
            if not isinstance(run, Replay):
                self._ended = None
            self._run, self._final, self._begun = run, None, time.monotonic()
        self.worker.submit(run)

    def stop(self) -> bool:
        """End the run with its best result, if it has any; returns whether there was a run."""
        with self.lock:
            run = self._run
            if run is None:
                return False
            self._final = final = run.stopped()
        self.worker.interrupt()
        self.context.post(FillEnded(final))
        return True

    def drop(self) -> RunView | None:
        """End the run, drop its result, and post nothing; returns its last view, or None if there was no run."""
        with self.lock:
            run, self._run, self._final = self._run, None, None
            if run is None:
                return None
            self._keep(run, run.view)
        self.worker.interrupt()
        return run.stopped_without_result()

    def result_if_stopped(self) -> tuple[FillOptions, RunView] | None:
        """Return the options and the would-be final view of the current run; None if it has no result."""
        run = self._run
        return (run.options, run.stopped()) if run is not None and run.best is not None else None

    def claim(self, view: RunView) -> FillRun | None:
        """Return the run that ended with this view, to the first caller only; None if it was dropped meanwhile."""
        with self.lock:
            run = self._run
            if run is None or self._final is not view:
                return None
            self._run, self._final = None, None
            return run

    def note_end(self, run: FillRun, view: RunView) -> None:
        """Record the end of a claimed run, and what is needed to walk it again."""
        with self.lock:
            self._last = view
            self._keep(run, run.view)

    def forget(self, searched: Grid | None) -> None:
        """Forget the result of the last run, whose grid was `searched`; None if the puzzle was replaced.

        Its search can be walked again when the given squares are the same as then, after an undo for example.
        """
        with self.lock:
            self._last, ended = None, self._ended if searched is not None else None
            self._ended = ended._replace(grid=searched) if ended is not None and ended.grid is None else ended

    @property
    def _walkable(self) -> EndedSearch | None:
        """The last search, if the given squares are the same as then."""
        ended = self._ended
        if ended is None or ended.grid is None or same_squares(ended.grid, self.context.snapshot().puzzle.grid):
            return ended
        return None

    def _keep(self, run: FillRun, last: RunView | None) -> None:
        if isinstance(run, Replay):
            self._ended = run.ended if run.recording is None else run.ended._replace(recording=run.recording)
        elif run.options.is_stepped and last is not None and run.problem is not None:
            is_again = run.recording is None or not (run.recording.is_whole or last.arguments)
            recording = None if is_again else run.recording
            progress = run.progress if last.outcome is Outcome.RUNNING else _LAST
            self._ended = EndedSearch(run.options, run.seed, last, recording, run.problem.task, progress)

    # Stepping and watching

    def step(self, events: int = 1, *, strategy: str = "") -> None:
        """Advance by some events and pause; without a search or with a strategy, a new search starts."""
        self.go(Goal(steps=events), strategy=strategy)

    def until(self, target: str, *, strategy: str = "") -> None:
        """Advance the search to `backtrack`, `restart`, `solved`, or an entry's decision; otherwise as `step`."""
        self.go(Goal.until(target, self.context.snapshot().puzzle.grid), strategy=strategy)

    def watch(self, speed: float) -> None:
        """Continue at a number of events per second, starting a search if there is none."""
        self.go(Goal(speed=speed))

    def back(self, events: int = 1) -> None:
        """Go back by some events; raises VerbError if there is nothing to go back to."""
        recording, view = self._recording_or_none(), self.view
        if recording is not None and view is not None and view.event_number == recording.first:
            raise VerbError(f"this is the first recorded event, event {recording.first + 1:,}")
        self.go(Goal(back=events))

    def go_to_event(self, number: int) -> None:
        """Go to an event by its number, counted from 1; raises VerbError if it is not recorded."""
        recording = self._recording_or_none()
        if recording is not None and not recording.first < number <= recording.length:
            raise VerbError(
                f"event {number:,}: events {recording.first + 1:,} to {recording.length:,} are recorded"
            )
        self.go(Goal(place=number - 1))

    def go_to_end(self, *, first: bool) -> None:
        """Go to the first or last stored event; raises VerbError if there is none."""
        recording = self._recording_or_none()
        start, end = (0, _LAST) if recording is None else (recording.first, recording.length - 1)
        self.go(Goal(place=start if first else end))

    def pause(self) -> None:
        """Pause the search; raises VerbError if none is running."""
        run = self._run
        if run is None or not run.is_active:
            raise VerbError("no search is running")
        self._set_goal(run, Goal(steps=0))

    def resume(self) -> None:
        """Resume a paused search; raises VerbError if there is none."""
        if self._run is None:
            raise VerbError("there is no search to continue; `step` or `fill` starts one")
        self._set_goal(self._run, Goal())

    def go(self, goal: Goal, *, strategy: str = "") -> None:
        """Continue the current search, or start one; if a strategy is named, start a new search with it."""
        run = self._run
        if strategy:
            if self.has_found:
                self.stop()
            start = current_contents(self.context.snapshot().puzzle.grid)
            options = FillOptions(strategy=strategy, start=start)
            self._begin(FillRun(options, self._next_seed, goal))
        elif run is not None:
            self._set_goal(run, goal)
        elif goal.is_in_record and (ended := self._walkable) is not None:
            self._begin(Replay(ended, goal))
        elif self.context.snapshot().puzzle.grid.is_filled:
            raise VerbError(runs.NOTHING_TO_SEARCH)
        else:
            self._begin(FillRun(FillOptions(), self._next_seed, goal))

    def _set_goal(self, run: FillRun, goal: Goal) -> None:
        with self.context.scheduler.changed:
            run.go(goal)
            self.worker.wake()

    @property
    def can_be_argued_with(self) -> bool:
        """Whether arguments are possible: there is a live search or none at all, but no replay of an ended one."""
        return not isinstance(self._run, Replay) and (self._run is not None or self._walkable is None)

    def paused_view(self) -> RunView:
        """Return the view of the paused search, for arguments; raises VerbError if no search is paused."""
        run = self._run
        if not self.can_be_argued_with:
            raise VerbError(SEARCH_IS_OVER)
        if run is not None and run.options.is_stepped and run.is_active:
            raise VerbError("the search is running; `pause` it first to argue")
        if run is None or not run.options.is_stepped or run.view is None:
            raise VerbError("there is no search to argue with; `step` or `until backtrack` starts one")
        return run.view

    # Recordings

    @property
    def recording(self) -> Recording | None:
        """The recording of the current or last search; None if it was not recorded."""
        run = self._run
        if run is not None:
            return run.recording
        ended = self._walkable
        return ended.recording if ended is not None else None

    def _recording_or_none(self) -> Recording | None:
        """Return the recording, None if none was made; raises VerbError if there is no search or no event."""
        recording, run = self.recording, self._run
        if recording is None and self._walkable is None and (run is None or not run.options.is_stepped):
            raise VerbError(runs.NOTHING_WATCHED if self._ended is None else ANOTHER_GRID)
        if recording is not None and recording.length == 0:
            raise VerbError(runs.NOTHING_WATCHED)
        return recording

    def recorded(self) -> Recording:
        """Return the recording of the search, repeating the search if it was not recorded.

        Raises VerbError if there is no search, or if repeating it takes longer than a few seconds; it then
        continues in the background.
        """
        recording = self._recording_or_none()
        if recording is None:
            self.go_to_end(first=False)
            self.context.scheduler.wait(_RECORDING_SECONDS)
            recording = self._recording_or_none()
        if recording is None:
            raise VerbError("the search is being repeated to record it; ask again in a moment")
        return recording

    def make_watchable(self) -> None:
        """Start to repeat an ended, unrecorded search; a run that cannot be stepped raises VerbError."""
        if self._run is not None and not self._run.options.is_stepped:
            self._run.go(Goal(steps=0))
        if self._run is None and (ended := self._walkable) is not None and ended.recording is None:
            self.go_to_end(first=False)

    def replay(self, recording: Recording, last: RunView) -> None:
        """Walk through another search's recording, from its first event."""
        ended = EndedSearch(FillOptions(), recording.seed, last, recording)
        self._begin(Replay(ended, Goal(place=0)))

    # On the job's thread

    def work(self, request: FillRun, reporter: Reporter[RunView]) -> None:
        run, is_stopped, context = request, reporter.is_stopped, self.context

        def post(message: RunMessage) -> None:
            if not is_stopped():
                context.post(message)

        control = RunControl(
            is_stopped,
            post,
            self.worker.rest,
            context.scheduler.changed,
            lambda: context.engine.wait(is_stopped, EnginePart.IMPROVING),
            lambda: context.engine.load_improving(is_stopped),
        )
        try:
            if isinstance(run, Replay):
                view = run.walk(control)
            elif (build := self._problem_builder(run.options, is_stopped)) is None:
                return
            else:
                problem, seconds = build_timed(build)
                view = run.work(problem, control)
                view = view and replace(view, layout_seconds=seconds, untried=untried_ways(problem))
        except Exception as error:
            if not is_stopped():
                self._failed(run, failure_text(error))
            return
        if view is not None and not is_stopped():
            self._end(run, view)

    def _problem_builder(self, options: FillOptions, is_stopped: IsStopped) -> Callable[[], Problem] | None:
        """Return a function that sets up the problem, once words and engine are ready; None if stopped first."""
        context, mode = self.context, options.mode
        puzzle = context.snapshot().puzzle
        vocabulary = context.words.wait(is_stopped)
        parts = [EnginePart.IMPROVING] if mode in (Mode.BEST, Mode.IMPROVE) or mode.is_of_entry else []
        if vocabulary is None or not context.engine.wait(is_stopped, *parts, rules=puzzle.rules):
            return None
        repeats = options.allow_repeats or context.overrides.allow_repeats
        if options.word:
            puzzle = allowing(puzzle, puzzle.grid.slot(options.entry), options.word)
        if options.is_for_all and options.repeat_cost is None:
            return partial(context.problems.problem, Task.of(puzzle, vocabulary, allow_repeats=repeats))
        if options.minimum_score is not None:
            vocabulary = vocabulary.with_minimum(options.minimum_score)
        if options.repeat_cost is not None:
            vocabulary = vocabulary.with_repeat_cost(options.repeat_cost)
        whole = Task.of(puzzle, vocabulary, allow_repeats=repeats)
        return partial(Problem.of, replace(whole, selection=options.selection))

    def _end(self, run: FillRun, view: RunView) -> None:
        options = run.options
        view = replace(
            view, confined_to=len(options.selection or ()), part=options.part, is_for_all=options.is_for_all
        )
        if options.selection is not None:
            view = replace(view, filled_there=_filled_squares(self.context.snapshot().puzzle.grid, options, view))
        with self.lock:
            if self._run is not run:
                return
            self._final = view
        self.context.post(FillEnded(view))

    def _failed(self, run: FillRun, message: str) -> None:
        """When a run stops on an error, keep its best result, and post both."""
        best = run.best
        if best is not None:
            self._end(run, best)
        with self.lock:
            if self._run is run:
                self._run = None
        self.fail(message)


def _filled_squares(grid: Grid, options: FillOptions, view: RunView) -> int:
    """Count the squares that a run has filled in its part: those that were empty, or whose pencil changed."""
    inside = options.selection or ()
    free = ((at, one) for at, one in view.squares.items() if at in inside and not grid[at].is_given)
    return sum(options.start.get(at) != content for at, content in free)


class Replay(FillRun):
    """Walks through an ended search, or one from a file, without searching any further.

    It moves along the recording; without one, the search is repeated from its seed. At the end it pauses, because
    nothing more follows.
    """

    def __init__(self, ended: EndedSearch, goal: Goal) -> None:
        super().__init__(FillOptions(strategy=ended.options.strategy), ended.seed, goal)
        self.ended = ended
        self.search = self._walk = EndedWalk(ended, self.options)

    def go(self, goal: Goal) -> None:
        """Walk as far as the goal says; raises VerbError if it is already at the end."""
        recording = self.recording
        if not (goal.is_in_record or (recording is not None and recording.is_in_past)):
            raise VerbError("this search is over: `back` replays it, `stop` leaves it, `fill` starts another")
        super().go(goal)

    def walk(self, control: RunControl) -> RunView | None:
        """Walk as far as each goal says, until it is stopped."""
        if self.ended.recording is None and self.ended.task is not None:
            self.problem = Problem.of(self.ended.task)
        return self.drive(self._walk, control)
