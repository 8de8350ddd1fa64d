"""All that goes on beside the face: words and engine loading, the counts, the search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from xwtui.errors import VerbError, XwtuiError
from xwtui.model import Content, Position, Puzzle
from xwtui.workbench.analysis import CounterHolder
from xwtui.workbench.analyst import Analyst
from xwtui.workbench.candidate_finder import CandidateFinder
from xwtui.workbench.census import Census
from xwtui.workbench.engine_room import EngineRoom
from xwtui.workbench.goals import Goal
from xwtui.workbench.lexicon_holder import LexiconHolder, WordRequest
from xwtui.workbench.messages import FillEnded, FillProgress, JobFailed, Message, RunView
from xwtui.workbench.posing import Posing, ProblemHolder
from xwtui.workbench.race import Race
from xwtui.workbench.search import Running, Search
from xwtui.workbench.worker import IsStale

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem

_END_SECONDS = 0.3


class Sight(NamedTuple):
    """What the workbench shows to the jobs: the puzzle, where its paths start, and the revision."""

    puzzle: Puzzle
    folder: Path | None
    revision: int


class FillTaker(Protocol):
    """Who takes a finished fill, from the search's thread."""

    def sight(self) -> Sight:
        """The puzzle as it is now."""

    def take_fill(self, search: Running, squares: Mapping[Position, Content]) -> bool:
        """Write a fill; returns False where the search is no longer wanted."""

    def run_ended(self, run: RunView) -> None:
        """Hear how a search ended."""


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
        self.problems = ProblemHolder()
        counters = CounterHolder()
        self.room = EngineRoom(post, self.look_again)
        self.words = LexiconHolder(post, self.look_again, self._idle)
        self.analyst = Analyst(post, self.room, self.problems, counters, self._is_held, self._idle)
        self.finder = CandidateFinder(post, self.room, self.problems, self._idle)
        self.census = Census(post, self.room, self.words, self.problems, counters, self.analyst.take, self._idle)

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
            puzzle, folder, revision = self._taker.sight()
            self.words.want(WordRequest.of(puzzle, folder))
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

    def fill(self, seconds: float | None, threads: int, seed: int | None) -> None:
        """Begin a new search that runs to its end."""
        self.drop_search()
        if seed is None:
            seed, self._next_seed = self._next_seed, self._next_seed + 1
        if threads == 1:
            self._begin(Goal(seconds=seconds), seed)
            return
        self.start()
        self.census.interrupt()
        self.search = Race(self, seconds, seed=seed, threads=threads, idle=self._idle)

    def go(self, goal: Goal) -> None:
        """Go on with the search that there is, or begin one."""
        if self.search is not None:
            self.search.go(goal)
        else:
            self._begin(goal, self._next_seed)

    def resume(self) -> None:
        """Go on with a search that stands still; raises VerbError where there is none."""
        if self.search is None:
            raise VerbError("there is no search to continue; `step` or `fill` begins one")
        self.search.go(Goal())

    def _begin(self, goal: Goal, seed: int) -> None:
        self.start()
        self.census.interrupt()
        self.search = Search(self, goal, seed=seed, idle=self._idle)
        self.search.begin()

    def drop_search(self) -> Running | None:
        """End the search, if there is one, without what it found; returns it."""
        search, self.search = self.search, None
        if search is not None:
            search.drop()
        return search

    def pose(self, is_dropped: IsStale) -> Problem | None:
        """The problem for a search, from its own thread."""
        puzzle = self._taker.sight().puzzle
        vocabulary = self.words.wait(is_dropped)
        if vocabulary is None or not self.room.wait(is_dropped):
            return None
        return self.problems.problem(Posing.of(puzzle, vocabulary))

    def search_moved(self, search: Running, view: RunView) -> None:
        """Tell how a search stands."""
        if self.search is search:
            self._post(FillProgress(view))

    def search_ended(self, search: Running, view: RunView) -> None:
        """Take the fill of a search that has one, and tell how it ended."""
        try:
            self._report_end(search, view)
        finally:
            with self._idle:
                self._is_reporting = False
                self._idle.notify_all()

    def _report_end(self, search: Running, view: RunView) -> None:
        self._is_reporting = True
        if view.paused and self.search is search:
            self._post(FillEnded(view))
            return
        if view.outcome.name == "FILLED":
            if not self._taker.take_fill(search, view.squares):
                return
        elif self.search is search:
            self.search = None
        else:
            return
        self._taker.run_ended(view)

    def search_failed(self, search: Running, message: str) -> None:
        """Tell that a search stopped on an error."""
        if self.search is search:
            self.search = None
            self._post(JobFailed(f"the search stopped: {message}"))

    def _is_held(self) -> bool:
        """Whether the counts give way to a search, or to a count asked for."""
        return self.is_running or self.census.is_busy

    # Waiting and ending

    @property
    def is_busy(self) -> bool:
        """Whether a search, a count or a look for candidates goes on."""
        return self.is_running or self._is_reporting or self.census.is_busy or self.finder.is_busy

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing asked for goes on; returns False where time ran out first."""
        with self._idle:
            return self._idle.wait_for(lambda: not self.is_busy, timeout)

    def close(self) -> None:
        """End all threads, waiting a moment for the engine to let go."""
        search = self.search
        self.drop_search()
        self._is_started = False
        for job in (self.words, self.analyst, self.finder, self.census):
            job.close()
        if search is not None:
            search.join(_END_SECONDS)
        self.analyst.join(_END_SECONDS)
