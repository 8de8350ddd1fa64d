"""The candidates of one entry, computed in the background."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import NamedTuple

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.session.jobs.counts import LiveCountJob
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.jobs.scheduler import IsStopped, Priority, wait_idle
from xwtui.session.messages import CandidatesReady, EstimatesChanged
from xwtui.session.problem_holders import differ_in_words

with lazy_imports():
    from xwtui.engine.budget import Budget, TimeLimit
    from xwtui.engine.candidates.find import CandidateBoard, Steps
    from xwtui.engine.candidates.rows import CandidateRows
    from xwtui.engine.count.belief import Beliefs, believe
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task

REFINE_SECONDS = 30.0
"""Longest time spent on refining the candidates in view while the constructor is idle."""
_SECONDS_A_REPORT = 0.1
_LOADING = "the words are still being loaded"


class _CandidateRequest(NamedTuple):
    """An entry of a fill problem."""

    revision: int
    task: Task
    entry: str
    order: CandidateOrder = CandidateOrder.SCORE

    def differs_in_words(self, other: _CandidateRequest) -> bool:
        """Whether the other request differs at most in its words: it has the same entry, squares and rules."""
        return self.entry == other.entry and differ_in_words(self.task, other.task)

    def listed(self, found: CandidateRows) -> CandidatesReady:
        """Return the candidates in the requested order."""
        return CandidatesReady(self.revision, self.entry, found.in_order(self.order), self.order)


class CandidateJob(Job[_CandidateRequest, CandidatesReady]):
    """Finds the candidates of the last requested entry, then refines the estimates of those in view.

    The refinement goes on until there is another request. It does not count as busy, since no one waits for it.
    """

    def __init__(self, context: JobContext, live_counts: LiveCountJob) -> None:
        super().__init__(context, "candidates", "finding candidates failed", priority=Priority.SHOWN)
        self._engine, self._changed = context.engine, context.scheduler.changed
        self._live_counts = live_counts
        self._beliefs: Beliefs | None = None
        self._board: CandidateBoard | None = None
        self._steps: Steps | None = None
        self._visible: tuple[str, ...] = ()
        self._rests = False

    def start(self, entry: str, order: CandidateOrder = CandidateOrder.SCORE) -> None:
        """Find an entry's candidates, and post them in the given order; raises XwtuiError if there are no words.

        Nothing is done while an entry's own word list is still loading; LexiconReady reports when it is there.
        After `rest`, the request waits for `resume`.
        """
        request = self._request(entry, order)
        if self._rests:
            self.expect(request)
        elif request.task.has_all_lists:
            known = self._without_banned(request)
            at_once = self.asked is not None and request.differs_in_words(self.asked)
            self.ask(request, known or self.latest, at_once=at_once)
            if known is not None:
                self.context.post(known)

    def _without_banned(self, request: _CandidateRequest) -> CandidatesReady | None:
        """Return the listed candidates without newly banned words; None if none was banned or more changed.

        So a banned word disappears at once, before its effect on the other candidates is known.
        """
        previous, listed = self.asked, self.latest
        if previous is None or listed is None or previous.order is not request.order:
            return None
        if len(listed.candidates) < 2 or not request.differs_in_words(previous):
            return None
        banned = self.context.words.banned(self.context.snapshot().puzzle)
        kept = CandidateRows.of(listed.candidates).without(banned)
        if len(kept) == len(listed.candidates):
            return None
        return CandidatesReady(request.revision, request.entry, kept, request.order)

    def set_visible(self, words: Collection[str]) -> None:
        """Refine exactly these candidates of the last requested entry."""
        with self._changed:
            if self._visible != tuple(words):
                self._visible = tuple(words)
                self._changed.notify_all()

    def rest(self) -> None:
        """Stop until `resume`, and free everything except the results posted."""
        self._rests = True
        self.worker.interrupt()
        with self.lock:
            self._board = self._steps = self._beliefs = None

    def resume(self) -> None:
        """Resume the last request, if it is about the current puzzle."""
        self._rests = False
        request = self.asked
        if request is not None and request.revision == self.context.snapshot().revision:
            self.worker.submit(request)

    # On the caller's thread

    def find(self, entry: str) -> Sequence[CandidateEstimate]:
        """Return the candidates, best score first, with estimates of the remaining fills if counting is ready.

        This takes some tenths of a second. While the engine loads, it returns the words that match the pattern.
        Raises VerbError if there are no words, and EngineError if the engine cannot handle the grid.
        """
        request = self._request(entry)
        if not request.task.has_all_lists:
            raise VerbError(_LOADING)
        if self._engine.can_count:
            return self._board_for(request, lambda: False).candidate_rows()
        return self._find_alive(request)

    def _request(self, entry: str, order: CandidateOrder = CandidateOrder.SCORE) -> _CandidateRequest:
        now, words = self.context.snapshot(), self.context.words
        if words.vocabulary is None:
            raise VerbError(words.failure or _LOADING)
        name = now.puzzle.grid.entry(entry).name if entry else ""
        return _CandidateRequest(now.revision, self.context.task(now.puzzle, words.vocabulary), name, order)

    def _find_alive(self, request: _CandidateRequest) -> CandidateRows:
        if self._engine.is_ready_for(request.task.rules):
            return self._propagated_board(request).candidate_rows()
        grid, lexicon = request.task.grid, request.task.lexicon
        pattern = grid.pattern(grid.entry(request.entry), given_only=True).replace("[", "").replace("]", "")
        survives = CandidateStanding.SURVIVES
        matches = lexicon.matches(pattern)
        return CandidateRows.of([CandidateEstimate(word, lexicon.score(word) or 0, survives) for word in matches])

    def work(self, request: _CandidateRequest, reporter: Reporter[CandidatesReady]) -> None:
        """List the candidates, then refine those in view."""
        is_stopped = reporter.is_stopped
        if not self.context.problems.has(request.task):  # free what belongs to another problem
            self._board = self._steps = self._beliefs = None
        latest, wanted = self.latest, (request.revision, request.entry, request.order)
        if latest is None or (latest.revision, latest.entry, latest.order) != wanted:
            reporter.report(request.listed(self._find_alive(request)))
        if not self._engine.is_ready or not self._engine.wait(
            is_stopped, EnginePart.COUNTING, rules=request.task.rules
        ):
            return
        board = self._board_for(request, is_stopped)
        reporter.report(request.listed(board.candidate_rows()))
        self._refine_visible(request, board, is_stopped)

    def _board_for(self, request: _CandidateRequest, is_stopped: IsStopped) -> CandidateBoard:
        """Return the candidates with estimates of their fills; the result is not kept if the request is stale."""
        board = self._propagated_board(request)
        if board.log10 is None and board.problem.root.is_possible:
            beliefs = self._beliefs_for(board.problem, is_stopped)
            board.apply_beliefs(beliefs, self._live_counts.log10_of(request.revision))
        with self.lock:
            self._board = None if is_stopped() else board
        return board

    def _propagated_board(self, request: _CandidateRequest) -> CandidateBoard:
        """Return the candidates that propagation leaves; kept for their estimates, as the words take megabytes."""
        problem = self.context.problems.problem(request.task)
        board = self._board
        if board is None or board.problem is not problem or problem.slots[board.slot].name != request.entry:
            self._board = self._steps = None  # they may belong to another problem
            board = CandidateBoard.of(problem, request.entry)
            board.propagate()
            with self.lock:
                self._board = None if self._rests else board
        return board

    def _beliefs_for(self, problem: Problem, is_stopped: IsStopped) -> Beliefs:
        beliefs = self._beliefs
        if beliefs is None or beliefs.problem is not problem:
            beliefs = self._beliefs = None
            beliefs = believe(problem, cancelled=is_stopped)
            with self.lock:
                self._beliefs = None if is_stopped() else beliefs
        return beliefs

    # While the constructor is idle

    def _refine_visible(self, request: _CandidateRequest, board: CandidateBoard, is_stopped: IsStopped) -> None:
        if is_stopped():
            return
        self.worker.rest()
        while not is_stopped():
            view = self._visible
            if view and board.problem.root.is_possible:
                self._refine_view(view, request, board, is_stopped)
            wait_idle(self._changed, lambda: is_stopped() or self._visible is not view)  # noqa: B023

    def _refine_view(
        self, view: tuple[str, ...], request: _CandidateRequest, board: CandidateBoard, is_stopped: IsStopped
    ) -> None:
        def is_cancelled() -> bool:
            return is_stopped() or self._visible is not view or self.context.scheduler.has_requested_work

        steps = self._steps_of(board, request.revision, is_stopped)
        spent, reported_at = 0.0, time.perf_counter()
        changed: set[str] = set()
        while spent < REFINE_SECONDS and not is_stopped() and self._visible is view:
            if self.context.scheduler.has_requested_work:
                steps.release()
                self.context.scheduler.wait_for_requested_work(lambda: is_stopped() or self._visible is not view)
                continue
            started = time.perf_counter()
            words = steps.step(view, TimeLimit(Budget(REFINE_SECONDS - spent, stop=is_cancelled)))
            if words is None:
                break
            spent += time.perf_counter() - started
            changed.update(words)
            if not changed.isdisjoint(view) or time.perf_counter() - reported_at >= _SECONDS_A_REPORT:
                self._post_changes(request, board, changed, is_stopped)
                reported_at = time.perf_counter()
        steps.release()
        self._post_changes(request, board, changed, is_stopped)

    def _steps_of(self, board: CandidateBoard, revision: int, is_stopped: IsStopped) -> Steps:
        steps = self._steps
        if steps is None or steps.board is not board:
            beliefs = self._beliefs_for(board.problem, is_stopped)
            steps = Steps(board, beliefs, self._live_counts.log10_of(revision))
        with self.lock:
            self._steps = None if is_stopped() else steps
        return steps

    def _post_changes(
        self, request: _CandidateRequest, board: CandidateBoard, changed: set[str], is_stopped: IsStopped
    ) -> None:
        if changed and not is_stopped():
            known = tuple(board.estimate(word) for word in changed)
            self.context.post(EstimatesChanged(request.revision, request.entry, known))
        changed.clear()
