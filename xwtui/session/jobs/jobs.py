"""All background jobs of a session, behind one object."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from xwtui.engine.budget import Budget, TimeLimit
from xwtui.errors import XwtuiError
from xwtui.session.jobs.answer_job import AnswerJob, BookJob
from xwtui.session.jobs.candidate_job import CandidateJob
from xwtui.session.jobs.counts import CountJob, LiveCountJob
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.fills.fill_job import FillJob
from xwtui.session.jobs.job import JobContext, Snapshot
from xwtui.session.jobs.previews import LayoutHintJob, LiveFillJob, LiveJob
from xwtui.session.jobs.question_job import QuestionJob
from xwtui.session.jobs.race_job import RaceJob
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.jobs.word_loader import VocabularyRequest, WordLoader
from xwtui.session.messages import LayoutHintsReady, Message
from xwtui.session.problem_holders import CounterHolder, ProblemHolder
from xwtui.session.settings import NO_OVERRIDES, Overrides

LIST_CHECK_SECONDS = 1.0
"""Seconds between two checks of the word-list files for changes."""


class Jobs:
    """The jobs of one session, each with a thread of its own. Methods do not block unless they say so."""

    def __init__(
        self,
        post: Callable[[Message], None],
        snapshot: Callable[[], Snapshot],
        overrides: Overrides = NO_OVERRIDES,
    ) -> None:
        """`post` receives the jobs' messages, on their threads; `snapshot` returns the current puzzle."""
        self._overrides = overrides
        self.scheduler = Scheduler()
        self._snapshot = snapshot
        self.is_inactive = False
        """Whether unrequested work waits until the puzzle is in front again."""
        self._is_started = False
        self._is_over = threading.Event()
        self._refresh_lock = threading.Lock()
        self.engine = EngineLoader(post, self.scheduler, looks_ahead=overrides.looks_ahead)
        self.words = WordLoader(post, self.scheduler)
        self._context = context = JobContext(
            post,
            snapshot,
            self.start,
            self.scheduler,
            self.engine,
            self.words,
            ProblemHolder(),
            CounterHolder(),
            overrides,
        )
        self.live_counts = LiveCountJob(context)
        self.live_fill = LiveFillJob(context)
        self.layout_hints = LayoutHintJob(context)
        self.candidates = CandidateJob(context, self.live_counts)
        self.count = CountJob(context, self.live_counts)
        self.answer = AnswerJob(context, "answer", "there is no answer", "stopped before anything was known")
        self.question = QuestionJob(context)
        self.race = RaceJob(context)
        self.book = BookJob(context)
        self.learning = AnswerJob(
            context, "learn", "nothing was learned", "stopped before any puzzle was read", is_about_puzzle=False
        )
        self.fill = FillJob(context, (self.count, self.answer, self.question))

    @property
    def has_proved_no_fill(self) -> bool:
        """Whether the last search, the live fill, or a question has proved that no fill exists."""
        views = (self.fill.view, self.live_fill.view)
        return any(view is not None and view.proves_no_fill for view in views) or bool(self.question.proved)

    def start(self) -> None:
        """Start loading words and engine, and counting, if that has not happened yet."""
        if not self._is_started:
            self._is_started = True
            self.engine.start()
            if self._overrides.looks_ahead:
                self.scheduler.thread("list files", self._watch_lists)
        self.refresh()

    def refresh(self) -> None:
        """Count again because the puzzle, the words or the engine have changed."""
        if not self._is_started:
            return
        with self._refresh_lock:
            now = self._snapshot()
            self.words.start(self.word_request())
            vocabulary = self.words.view
            if self.words.vocabulary is None:
                self.live_counts.forget()
                self.live_fill.stop()
                self.layout_hints.stop()
            elif vocabulary is not None and self._overrides.looks_ahead and not self.is_inactive:
                task = self._context.task(now.puzzle, vocabulary)
                self.live_counts.start(now.revision, task)
                if self.live_fill.is_on:
                    self.live_fill.start(now.revision, task)
                if self.layout_hints.is_on:
                    self.layout_hints.start(now.revision, now.puzzle, task)

    def deactivate(self) -> None:
        """Stop unrequested work and free its memory, while another puzzle or a choice of puzzles is in front."""
        self.is_inactive = True
        for live in (self.live_fill, self.layout_hints):
            live.worker.interrupt()
        for holder in (self._context.problems, self._context.counters):
            holder.keep(False)
        self.live_counts.rest()
        self.candidates.rest()

    def activate(self) -> None:
        """Resume work on the puzzle, which is in front again."""
        self.is_inactive = False
        for holder in (self._context.problems, self._context.counters):
            holder.keep(True)
        self.refresh()
        self.candidates.resume()

    def was_saved(self, *, keeps_clues: bool) -> None:
        """Check the word lists again (the folder may be new); with `keeps_clues`, give the clue book the clues."""
        now = self._snapshot()
        if keeps_clues and now.path is not None:
            self.book.keep_clues(now.puzzle, now.path)
        self.refresh()

    def _watch_lists(self) -> None:
        while not self._is_over.wait(LIST_CHECK_SECONDS):
            with self._refresh_lock:
                self.words.start(self.word_request())

    def fill_live(self, is_on: bool) -> None:
        self._switch(self.live_fill, is_on)

    def hint(self, is_on: bool) -> None:
        self._switch(self.layout_hints, is_on)
        if not is_on:
            self._context.post(LayoutHintsReady(self._snapshot().revision))

    def _switch(self, job: LiveJob[Any, Any], is_on: bool) -> None:
        job.is_on = is_on
        if is_on:
            self.start()
        else:
            job.stop()

    def word_request(self) -> VocabularyRequest:
        """The request for the words that the current puzzle uses."""
        now = self._snapshot()
        return VocabularyRequest.of(
            now.puzzle,
            now.path,
            self._overrides,
            is_external=now.is_external,
            repeat_cost=now.repeat_cost,
        )

    def wait_until_ready(self, timeout: float | None = None) -> None:
        self.start()
        limit = TimeLimit(Budget(timeout))
        if self.words.wait(limit.is_over) is None or not self.engine.wait(limit.is_over):
            raise XwtuiError("the engine is not ready yet")

    def stop(self) -> bool:
        """Stop run, count, answer, question, race, import and learning; returns whether any was running.

        An optimizing run leaves the best fill found, as one edit. After any other run the grid is as before.
        """
        stoppable = (self.count, self.answer, self.question, self.race, self.book, self.learning, self.fill)
        stopped = [job.stop() for job in stoppable]
        return any(stopped)

    def wait(self, timeout: float | None = None) -> bool:
        return self.scheduler.wait(timeout)

    def close(self) -> None:
        """End all threads; waits for the engine to finish its current slice."""
        self._is_started = False
        self._is_over.set()
        self.deactivate()
        self.fill.drop()
        self.book.close()
        self.scheduler.close()
