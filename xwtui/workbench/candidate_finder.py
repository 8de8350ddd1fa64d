"""The words that one entry may take, looked up beside the face."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from xwtui.workbench.engine_room import EngineRoom
from xwtui.workbench.messages import CandidatesReady, JobFailed, Message
from xwtui.workbench.posing import Posing, ProblemHolder
from xwtui.workbench.worker import IsStale, Worker

if TYPE_CHECKING:
    from xwtui.engine.counting.belief import Beliefs
    from xwtui.engine.options import Candidate


class CandidateQuestion(NamedTuple):
    """An entry of what is posed."""

    revision: int
    posing: Posing
    entry: str


class CandidateFinder:
    """Finds the candidates of the entry asked for last."""

    def __init__(
        self, post: Callable[[Message], None], room: EngineRoom, problems: ProblemHolder, idle: threading.Condition
    ) -> None:
        self._post = post
        self._room = room
        self._problems = problems
        self._beliefs: Beliefs | None = None
        self._worker = Worker("candidates", self._answer, self._fail, idle)

    @property
    def is_busy(self) -> bool:
        """Whether it looks at this moment."""
        return self._worker.is_busy

    def ask(self, question: CandidateQuestion) -> None:
        """Look for an entry's candidates and post them."""
        self._worker.submit(question)

    def find(self, question: CandidateQuestion) -> tuple[Candidate, ...]:
        """The candidates, best score first; while the engine loads, those that match the pattern.

        Raises EngineError where the engine cannot take the grid on.
        """
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

    def _answer(self, question: CandidateQuestion, is_stale: IsStale) -> None:
        found = self.find(question)
        if not is_stale():
            self._post(CandidatesReady(question.revision, question.entry, found))
        if self._room.is_ready and self._room.wait_for_counting(is_stale):
            self._reckon(question, is_stale)

    def _reckon(self, question: CandidateQuestion, is_stale: IsStale) -> None:
        """Post the candidates once more, with the fills that each leaves."""
        from xwtui.engine.counting.belief import believe  # noqa: PLC0415  (loads numba)
        from xwtui.engine.prospects.candidates import candidates  # noqa: PLC0415  (loads numba)

        problem = self._problems.problem(question.posing)
        if self._beliefs is None or self._beliefs.problem is not problem:
            self._beliefs = None
            beliefs = believe(problem, cancelled=is_stale)
            if is_stale():
                return
            self._beliefs = beliefs
        found = candidates(problem, question.entry, beliefs=self._beliefs, place=False, cancelled=is_stale)
        if not is_stale():
            self._post(CandidatesReady(question.revision, question.entry, found))

    def _fail(self, message: str) -> None:
        self._post(JobFailed(f"the candidates could not be found: {message}"))
