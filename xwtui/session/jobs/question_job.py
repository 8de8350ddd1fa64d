"""The questions about the grid, answered one at a time, and what the last of them has brought."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import FindingsReady, QuestionAsked, QuestionFailed

if TYPE_CHECKING:
    from xwtui.session.jobs.question import Findings, Proposal, Question

NOTHING_PROPOSED = "there is nothing proposed; `why` and `whatif blocks` propose changes"
_ANOTHER_GRID = "the grid is another than the one this was proposed for; ask again"


class Asked(NamedTuple):
    """A question about a puzzle."""

    revision: int
    puzzle: Puzzle
    question: Question


class QuestionJob:
    """Answers the newest question, telling what it has found by then.

    What was found counts as long as the puzzle is the one that it was about, and again once an edit is undone.
    """

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._asked: Asked | None = None
        self._found: Findings | None = None
        self._told: tuple[Asked, Findings] | None = None
        """What was explained or proposed last: a heat map does not take its place."""
        self._worker = context.scheduler.worker("question", self._answer, self._fail)

    # What is known

    @property
    def question(self) -> Question | None:
        """The last question, if it is about the puzzle as it is."""
        asked = self._asked
        return asked.question if asked is not None and asked.puzzle == self._puzzle else None

    @property
    def view(self) -> tuple[Question, Findings] | None:
        """What was explained or proposed last of the puzzle as it is, with its question; else its heat map."""
        if self._told is not None and self._told[0].puzzle == self._puzzle:
            return self._told[0].question, self._told[1]
        question, found = self.question, self._found
        return (question, found) if question is not None and found is not None else None

    @property
    def found(self) -> Findings | None:
        """What the last question has brought, of whatever kind it was."""
        return self._found

    @property
    def findings(self) -> Findings | None:
        """What was told last of the puzzle as it is, as in `view`."""
        return self.view[1] if self.view is not None else None

    @property
    def _puzzle(self) -> Puzzle:
        return self._context.snapshot().puzzle

    def proposal(self, number: int) -> Proposal:
        """One of the changes that the last question proposed, from 1 on; raises VerbError where there is none."""
        proposals = self._proposals
        if not proposals:
            raise VerbError(NOTHING_PROPOSED)
        if not 1 <= number <= len(proposals):
            raise VerbError(f"there are proposals 1 to {len(proposals)}")
        return proposals[number - 1]

    def proposal_of(self, key: Hashable) -> Proposal:
        """The change that was proposed under a key, wherever it stands in the list by now.

        Raises VerbError where it is not proposed for the puzzle as it is.
        """
        proposed = next((proposal for proposal in self._proposals if proposal.key == key), None)
        if proposed is None:
            raise VerbError(_ANOTHER_GRID)
        return proposed

    @property
    def _proposals(self) -> tuple[Proposal, ...]:
        return self.findings.proposals if self.findings is not None else ()

    # Asking

    @property
    def is_busy(self) -> bool:
        """Whether a question is being answered."""
        return self._worker.is_busy

    def start(self, question: Question) -> None:
        """Answer a question; FindingsReady tells each better answer, the last with `is_last`."""
        self._context.start_loading()
        self._worker.submit(self.note(question))

    def note(self, question: Question) -> Asked:
        """Forget what was found before, and tell of the question."""
        now = self._context.snapshot()
        with self._lock:
            self._found = None
            if not question.is_map:
                self._told = None
            self._asked = asked = Asked(now.revision, now.puzzle, question)
        self._context.post(QuestionAsked(now.revision, question))
        return asked

    def stop(self) -> bool:
        """Let go of the question; what it has brought stays. Returns whether one was being answered."""
        return self._worker.interrupt()

    # In the thread

    def _answer(self, asked: Asked, is_stopped: IsStopped) -> None:
        vocabulary = self._context.words.wait(is_stopped)
        if vocabulary is None or not self._is_ready(asked, is_stopped):
            return
        task = self._context.specification(asked.puzzle, vocabulary).task()

        def tell(findings: Findings, *, is_last: bool = False) -> None:
            if not is_stopped() and self.take(asked, findings):
                self._context.post(FindingsReady(asked.revision, findings, is_last=is_last))

        from xwtui.session.jobs.answers import answer  # noqa: PLC0415  (loads numba)

        tell(answer(asked.question, task, asked.puzzle.symmetry, is_stopped, tell), is_last=True)

    def _is_ready(self, asked: Asked, is_stopped: IsStopped) -> bool:
        """Wait for as much of the engine as the question needs."""
        engine = self._context.engine
        if asked.puzzle.rules.is_about_grid or asked.question.mends:
            return engine.wait_for_improving(is_stopped)
        if asked.question.counts_fills:
            return engine.wait_for_counting(is_stopped)
        return engine.wait(is_stopped)

    def take(self, asked: Asked, findings: Findings) -> bool:
        """Keep what a question has brought; returns whether it is still the one asked."""
        with self._lock:
            if asked is not self._asked:
                return False
            self._found = findings
            if not asked.question.is_map:
                self._told = asked, findings
            return True

    def _fail(self, message: str) -> None:
        self._context.post(QuestionFailed(message))
