"""All that goes on beside the face: words and engine loading, the counts, the search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from xwtui.errors import VerbError, XwtuiError
from xwtui.model import Puzzle, SlotKey
from xwtui.workbench.analysis import CounterHolder
from xwtui.workbench.analyst import Analyst
from xwtui.workbench.candidate_finder import CandidateFinder
from xwtui.workbench.census import Census
from xwtui.workbench.engine_room import EngineRoom
from xwtui.workbench.goals import Goal
from xwtui.workbench.inquiries.inquirer import Inquirer, Inquiry
from xwtui.workbench.lexicon_holder import LexiconHolder, WordRequest
from xwtui.workbench.messages import ArgumentRefused, FillEnded, FillProgress, JobFailed, Message
from xwtui.workbench.orders import FillOrder, Mode
from xwtui.workbench.posing import Posing, ProblemHolder
from xwtui.workbench.racer import Racer
from xwtui.workbench.run_view import RunView
from xwtui.workbench.runs.making import make_run
from xwtui.workbench.runs.replay import Replay
from xwtui.workbench.runs.running import Running
from xwtui.workbench.runs.search import Search
from xwtui.workbench.runs.tape import Tape
from xwtui.workbench.worker import IsStale

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem
    from xwtui.racing.standing import RaceView
    from xwtui.workbench.inquiries.findings import Findings

_END_SECONDS = 5.0
"""How long the engine is waited for at the end: a thread that comes back from compiled code while Python goes down
aborts the process, and with it the exit status. It lets go within a slice, most of the time far below a second."""


class Sight(NamedTuple):
    """What the workbench shows to the jobs: the puzzle, its file if it has one, and the revision."""

    puzzle: Puzzle
    path: Path | None
    revision: int
    rejected: Mapping[SlotKey, frozenset[str]]
    """The words that no fill puts into an entry."""


class FillTaker(Protocol):
    """Who takes what a run has found, from the run's thread."""

    def sight(self) -> Sight:
        """The puzzle as it is now."""

    def take_run(self, run: Running, view: RunView) -> bool:
        """Let go of a run, with what it has found written; returns False where it is no longer wanted."""

    def tell_end(self, view: RunView) -> None:
        """Keep how a run ended, and tell."""

    def take_findings(self, inquiry: Inquiry, findings: Findings) -> bool:
        """Keep what a question has brought; returns whether it is still wanted."""

    def take_race(self, view: RaceView) -> bool:
        """Keep how the race stands; returns whether it is still wanted."""

    def stop_race(self) -> bool:
        """End the race with what there is; returns whether one went on."""


class Background:
    """Owns every thread; the methods are for the face's thread and never wait, but for those that say so."""

    def __init__(self, post: Callable[[Message], None], taker: FillTaker) -> None:
        self._post = post
        self._taker = taker
        self._idle = threading.Condition()
        self._looking = threading.Lock()
        self._is_started = False
        self._is_reporting = False
        self._next_seed = 0
        self.search: Running | None = None
        self._ended: tuple[Tape, RunView] | None = None
        self.problems = ProblemHolder()
        counters = CounterHolder()
        self.room = EngineRoom(post, self.look_again)
        self.words = LexiconHolder(post, self.look_again, self._idle)
        self.analyst = Analyst(post, self.room, self.problems, counters, self._is_held, self._idle)
        self.finder = CandidateFinder(
            post, self.room, self.problems, self.analyst.log10_of, self._is_held, self._idle
        )
        self.census = Census(post, self.room, self.words, self.problems, counters, self.analyst.take, self._idle)
        self.inquirer = Inquirer(post, self.room, self.words, taker.take_findings, self._idle)
        self.racer = Racer(post, self.room, self.words, taker.take_race, taker.stop_race, self._idle)

    # Loading and looking

    def start(self) -> None:
        """Begin to load words and engine."""
        self._is_started = True
        self.room.start()
        self.look_again()

    def look_again(self) -> None:
        """Reckon anew: the puzzle, the words or the engine are not what they were."""
        if not self._is_started:
            return
        with self._looking:
            puzzle, path, revision, _ = self._taker.sight()
            self.words.want(WordRequest.of(puzzle, path))
            vocabulary = self.words.vocabulary
            if vocabulary is None:
                self.analyst.forget()
            elif not self.words.is_loading:
                self.analyst.ask(revision, Posing.of(puzzle, vocabulary))

    def wait_until_ready(self, timeout: float | None = None) -> None:
        """Wait until words and engine are there; raises XwtuiError where they cannot be, or not in time."""
        self.start()
        deadline = None if timeout is None else time.monotonic() + timeout

        def is_late() -> bool:
            return deadline is not None and time.monotonic() >= deadline

        if self.words.wait(is_late) is None or not self.room.wait(is_late):
            raise XwtuiError("the engine is not ready yet")

    # The search

    @property
    def is_running(self) -> bool:
        """Whether a search goes on at this moment."""
        return self.search is not None and self.search.is_active

    def begin(self, order: FillOrder) -> None:
        """Begin what is ordered, in place of whatever goes on."""
        self.drop_search()
        seed = order.seed
        if seed is None:
            seed, self._next_seed = self._next_seed, self._next_seed + 1
        self._start_run(make_run(self, order, seed, self._idle))

    def go(self, goal: Goal, *, strategy: str = "") -> None:
        """Go on with the search that there is, or begin one; with a strategy named, begin one by that."""
        if strategy:
            self.drop_search()
            self._start_run(
                Search(self, FillOrder(strategy=strategy), goal, seed=self._next_seed, idle=self._idle)
            )
        elif self.search is not None:
            self.search.go(goal)
        elif goal.is_in_record and self._ended is not None:
            self._start_run(Replay(self, *self._ended, goal, idle=self._idle))
        else:
            self._start_run(Search(self, FillOrder(), goal, seed=self._next_seed, idle=self._idle))

    @property
    def tape(self) -> Tape | None:
        """What the search has done, or the last one that is over."""
        if self.search is not None:
            return self.search.tape
        return self._ended[0] if self._ended is not None else None

    def replay(self, tape: Tape, last: RunView) -> None:
        """Walk what another search did, from its first event on."""
        self.drop_search()
        self._start_run(Replay(self, tape, last, Goal(place=0), idle=self._idle))

    def forget_tape(self) -> None:
        """Forget the search that is over: it is about another grid."""
        self._ended = None

    def resume(self) -> None:
        """Go on with a search that stands still; raises VerbError where there is none."""
        if self.search is None:
            raise VerbError("there is no search to continue; `step` or `fill` begins one")
        self.search.go(Goal())

    def _start_run(self, run: Running) -> None:
        self.start()
        self.interrupt_questions()
        if not isinstance(run, Replay):
            self._ended = None
        self.search = run
        run.begin()

    def interrupt_questions(self) -> bool:
        """Stop a count and a question that were asked for; returns whether there was one."""
        was_busy = self.census.is_busy or self.inquirer.is_busy
        self.census.interrupt()
        self.inquirer.interrupt()
        return was_busy

    def drop_search(self) -> Running | None:
        """End the search, if there is one, without what it found; returns it."""
        search, self.search = self.search, None
        if search is not None:
            search.drop()
            self._keep_tape(search, search.view)
        return search

    def _keep_tape(self, run: Running, last: RunView | None) -> None:
        if run.tape is not None and last is not None:
            self._ended = run.tape, last

    def pose(self, order: FillOrder, is_dropped: IsStale) -> Problem | None:
        """The problem for a run, from its own thread."""
        sight = self._taker.sight()
        vocabulary = self.words.wait(is_dropped)
        is_steered = order.mode in (Mode.BEST, Mode.IMPROVE) or sight.puzzle.rules.is_about_grid
        is_ready = self.room.wait_for_improving if is_steered else self.room.wait
        if vocabulary is None or not is_ready(is_dropped):
            return None
        posing = Posing.of(sight.puzzle, vocabulary, allow_repeats=order.allow_repeats)
        if order.is_for_all and not sight.rejected:
            return self.problems.problem(posing)
        return posing.narrowed(order.minimum_score, order.selection, sight.rejected).problem()

    def run_moved(self, run: Running, view: RunView) -> None:
        """Tell how a run stands."""
        if self.search is run:
            self._post(FillProgress(view))

    def run_ended(self, run: Running, view: RunView) -> None:
        """Take what a run has found, and tell how it ended."""
        with self._reporting():
            if view.paused and self.search is run:
                self._post(FillEnded(view))
            elif self._taker.take_run(run, view):
                self._keep_tape(run, view)
                self._taker.tell_end(view)

    def run_refused(self, run: Running, message: str) -> None:
        """Tell that an argument was refused."""
        if self.search is run:
            self._post(ArgumentRefused(message))

    def run_failed(self, run: Running, message: str) -> None:
        """Take the best that a run had found when it stopped on an error, and tell both."""
        with self._reporting():
            best = run.best
            if best is not None and self._taker.take_run(run, best):
                self._taker.tell_end(best)
            elif self.search is run:
                self.search = None
            else:
                return
            self._post(JobFailed(f"the search stopped: {message}"))

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Count as busy until all is told."""
        self._is_reporting = True
        try:
            yield
        finally:
            with self._idle:
                self._is_reporting = False
                self._idle.notify_all()

    def _is_held(self) -> bool:
        """Whether the counts give way to a search, a question or a race."""
        return self.is_running or self.census.is_busy or self.inquirer.is_busy or self.racer.is_busy

    # Waiting and ending

    @property
    def is_busy(self) -> bool:
        """Whether a search, a question, a race or a look for candidates goes on."""
        return self.is_running or self._is_reporting or any(asked.is_busy for asked in self._asked)

    @property
    def _asked(self) -> tuple[Census, CandidateFinder, Inquirer, Racer]:
        return self.census, self.finder, self.inquirer, self.racer

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing asked for goes on; returns False where time ran out first."""
        with self._idle:
            return self._idle.wait_for(lambda: not self.is_busy, timeout)

    def close(self) -> None:
        """End all threads, waiting for the engine to let go."""
        search = self.search
        self.drop_search()
        self._is_started = False
        for job in (self.words, self.analyst, *self._asked):
            job.close()
        if search is not None:
            search.join(_END_SECONDS)
        for asked in (self.analyst, *self._asked):
            asked.join(_END_SECONDS)
