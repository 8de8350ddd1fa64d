"""The words that one entry may take, looked up beside the face."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

from xwtui.engine.prospects.prospect import Order, Prospect, sort_prospects
from xwtui.errors import VerbError
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.worker import IsStale, Worker
from xwtui.session.messages import CandidatesReady, JobFailed, Message, ProspectsChanged
from xwtui.session.problem_specification import ProblemHolder, ProblemSpecification

if TYPE_CHECKING:
    from xwtui.engine.counting.belief import Beliefs
    from xwtui.engine.options import Candidate
    from xwtui.engine.problem import Problem
    from xwtui.engine.prospects.board import Board
    from xwtui.engine.prospects.letters import LetterTable
    from xwtui.engine.prospects.steps import Steps

REFINE_SECONDS = 30.0
"""How long the candidates in view are looked into while the constructor rests, at most."""
_SECONDS_A_REPORT = 0.1
_SECONDS_HELD = 0.05


class CandidateRequest(NamedTuple):
    """An entry of what is posed."""

    revision: int
    posing: ProblemSpecification
    entry: str
    order: Order = Order.SCORE


class CandidateJob:
    """Finds the candidates of the entry asked for last, then looks into those that are in view.

    The second part goes on while nothing else is asked, and does not count as busy: nobody waits for it.
    """

    def __init__(
        self,
        post: Callable[[Message], None],
        room: EngineLoader,
        problems: ProblemHolder,
        log10_of: Callable[[int], float | None],
        is_held: Callable[[], bool],
        idle: threading.Condition,
    ) -> None:
        """`log10_of` tells for a revision how many fills there are, where that is known well.

        While `is_held`, the candidates in view wait.
        """
        self._post = post
        self._room = room
        self._problems = problems
        self._log10_of = log10_of
        self._is_held = is_held
        self._idle = idle
        self._beliefs: Beliefs | None = None
        self._board: Board | None = None
        self._steps: Steps | None = None
        self._view: tuple[str, ...] = ()
        self._is_at_leisure = False
        self._worker = Worker("candidates", self._answer, self._fail, idle)

    @property
    def is_busy(self) -> bool:
        """Whether it looks for what was asked at this moment."""
        return self._worker.is_busy and not self._is_at_leisure

    def ask(self, question: CandidateRequest) -> None:
        """Look for an entry's candidates and post them."""
        with self._idle:
            self._is_at_leisure = False
            self._worker.submit(question)

    def look(self, words: Collection[str]) -> None:
        """Look into these candidates of the entry asked for last, and into no others."""
        with self._idle:
            if self._view != tuple(words):
                self._view = tuple(words)
                self._idle.notify_all()

    def rest(self) -> None:
        """Let go of what was asked: the puzzle is another one."""
        self._worker.interrupt()

    def find(self, question: CandidateRequest) -> tuple[Candidate | Prospect, ...]:
        """The candidates, best score first, with the fills that each leaves if those can be counted already.

        While the engine loads, those that match the pattern. Raises EngineError where the engine cannot take the
        grid on.
        """
        if self._room.can_count:
            return self._reckon(question, lambda: False).prospects()
        return self._find_alive(question)

    def letters(self, posing: ProblemSpecification) -> LetterTable:
        """The letters that squares can still take; waits for the counting to be loaded.

        Raises VerbError while it is compiled, and EngineError where the engine cannot take the grid on.
        """
        from xwtui.engine.prospects.letters import letter_table  # noqa: PLC0415  (loads numba)

        if self._room.state.is_compiling:
            raise VerbError("the counting is still being compiled; ask again in a moment")
        self._room.wait_for_counting(lambda: False)
        return letter_table(self._believe(self._problems.problem(posing), lambda: False))

    def _find_alive(self, question: CandidateRequest) -> tuple[Candidate, ...]:
        from xwtui.engine.options import Candidate, candidates  # noqa: PLC0415  (loads numba)

        if self._room.is_ready:
            return candidates(self._problems.problem(question.posing), question.entry)
        grid, lexicon = question.posing.grid, question.posing.vocabulary.lexicon
        pattern = grid.pattern(grid.slot(question.entry), given_only=True).replace("[", "").replace("]", "")
        matches = lexicon.index.matches(pattern)
        return tuple(Candidate(word, lexicon.score(word) or 0, True) for word in matches)

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        self._worker.join(seconds)

    def _answer(self, question: CandidateRequest, is_stale: IsStale) -> None:
        self._tell(question, self._find_alive(question), is_stale)
        if not self._room.is_ready or not self._room.wait_for_counting(is_stale):
            return
        board = self._reckon(question, is_stale)
        self._tell(question, board.prospects(), is_stale)
        self._look_further(question, board, is_stale)

    def _tell(
        self, question: CandidateRequest, found: tuple[Candidate | Prospect, ...], is_stale: IsStale
    ) -> None:
        if not is_stale():
            listed = in_order(found, question.order)
            self._post(CandidatesReady(question.revision, question.entry, listed, question.order))

    def _reckon(self, question: CandidateRequest, is_stale: IsStale) -> Board:
        """The candidates with the fills that each leaves; what comes when it is stale is of no use."""
        from xwtui.engine.prospects.candidates import reckoned_board  # noqa: PLC0415  (loads numba)

        problem = self._problems.problem(question.posing)
        kept = self._board
        if kept is not None and kept.problem is problem and problem.slots[kept.slot].name == question.entry:
            return kept
        beliefs = self._believe(problem, is_stale)
        board = reckoned_board(problem, question.entry, beliefs, self._log10_of(question.revision))
        if not is_stale():
            self._board = board
        return board

    def _believe(self, problem: Problem, is_stale: IsStale) -> Beliefs:
        from xwtui.engine.counting.belief import believe  # noqa: PLC0415  (loads numba)

        beliefs = self._beliefs
        if beliefs is None or beliefs.problem is not problem:
            beliefs = believe(problem, cancelled=is_stale)
            if not is_stale():
                self._beliefs = beliefs
        return beliefs

    # While the constructor rests

    def _look_further(self, question: CandidateRequest, board: Board, is_stale: IsStale) -> None:
        """Look into what is in view, and into what comes into view, until something else is asked."""
        with self._idle:
            if is_stale():
                return
            self._is_at_leisure = True
            self._idle.notify_all()
        while not is_stale():
            view = self._view
            if view and board.problem.root.is_possible:
                self._look_into(view, question, board, is_stale)
            with self._idle:
                self._idle.wait_for(lambda: is_stale() or self._view is not view)  # noqa: B023

    def _look_into(
        self, view: tuple[str, ...], question: CandidateRequest, board: Board, is_stale: IsStale
    ) -> None:
        """Tell what more there is to know of the candidates in view, and then of the others."""
        from xwtui.engine.prospects.steps import Patience  # noqa: PLC0415  (loads numba)

        def is_cancelled() -> bool:
            return is_stale() or self._view is not view or self._is_held()

        steps = self._steps_of(board, question.revision)
        spent, told = 0.0, time.perf_counter()
        changed: set[str] = set()
        while spent < REFINE_SECONDS and not is_stale() and self._view is view:
            if self._is_held():
                time.sleep(_SECONDS_HELD)
                continue
            begun = time.perf_counter()
            words = steps.step(view, Patience(begun + REFINE_SECONDS - spent, is_cancelled))
            if words is None:
                break
            spent += time.perf_counter() - begun
            changed.update(words)
            if not changed.isdisjoint(view) or time.perf_counter() - told >= _SECONDS_A_REPORT:
                self._tell_more(question, board, changed, is_stale)
                told = time.perf_counter()
        self._tell_more(question, board, changed, is_stale)

    def _steps_of(self, board: Board, revision: int) -> Steps:
        from xwtui.engine.prospects.steps import Steps  # noqa: PLC0415  (loads numba)

        if self._steps is None or self._steps.board is not board:
            beliefs = self._believe(board.problem, lambda: False)
            self._steps = Steps(board, beliefs, self._log10_of(revision))
        return self._steps

    def _tell_more(self, question: CandidateRequest, board: Board, changed: set[str], is_stale: IsStale) -> None:
        if changed and not is_stale():
            known = tuple(board.prospect(word) for word in changed)
            self._post(ProspectsChanged(question.revision, question.entry, known))
        changed.clear()

    def _fail(self, message: str) -> None:
        self._post(JobFailed(f"the candidates could not be found: {message}"))


def in_order(found: tuple[Candidate | Prospect, ...], order: Order) -> tuple[Candidate | Prospect, ...]:
    """Candidates that come best score first, in another order; dead ones last."""
    if order is not Order.SCORE:
        return tuple(sort_prospects(found, order))
    return (*(one for one in found if one.alive), *(one for one in found if not one.alive))
