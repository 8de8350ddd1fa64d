"""The thread that answers questions about the grid, the newest one first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from xwtui.model import Puzzle
from xwtui.session.jobs.answering import Answering
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.questions.findings import Findings
from xwtui.session.jobs.questions.question import Question
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.jobs.worker import IsStale
from xwtui.session.messages import FindingsReady, Message, QuestionFailed
from xwtui.session.problem_specification import ProblemSpecification


class QuestionRequest(NamedTuple):
    """A question about a puzzle."""

    revision: int
    puzzle: Puzzle
    question: Question


class QuestionJob(Answering[QuestionRequest]):
    """Answers one question at a time, telling what it has found by then, and gives way to the next one."""

    def __init__(
        self,
        post: Callable[[Message], None],
        room: EngineLoader,
        words: WordLoader,
        found: Callable[[QuestionRequest, Findings], bool],
        idle: threading.Condition,
    ) -> None:
        """`found` takes findings with their inquiry, and tells whether they are still wanted."""
        self._post = post
        self._room = room
        self._words = words
        self._found = found
        super().__init__("question", idle)

    def _answer(self, inquiry: QuestionRequest, is_stale: IsStale) -> None:
        vocabulary = self._words.wait(is_stale)
        if vocabulary is None or not self._is_ready(inquiry, is_stale):
            return
        task = ProblemSpecification.of(inquiry.puzzle, vocabulary).task()

        def tell(findings: Findings) -> None:
            if not is_stale() and self._found(inquiry, findings):
                self._post(FindingsReady(inquiry.revision, findings))

        from xwtui.session.jobs.questions.answers import answer  # noqa: PLC0415  (loads numba)

        findings = answer(inquiry.question, task, inquiry.puzzle.symmetry, is_stale, tell)
        if not is_stale() and self._found(inquiry, findings):
            self._post(FindingsReady(inquiry.revision, findings, is_last=True))

    def _is_ready(self, inquiry: QuestionRequest, is_stale: IsStale) -> bool:
        """Wait for as much of the engine as the question needs."""
        if inquiry.puzzle.rules.is_about_grid:
            return self._room.wait_for_improving(is_stale)
        if inquiry.question.counts_fills:
            return self._room.wait_for_counting(is_stale)
        return self._room.wait(is_stale)

    def _fail(self, message: str) -> None:
        self._post(QuestionFailed(f"the question has no answer: {message}"))
