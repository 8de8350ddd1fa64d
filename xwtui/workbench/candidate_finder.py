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
    from xwtui.engine.prospects.prospect import Prospect


class CandidateQuestion(NamedTuple):
    """An entry of what is posed."""

    revision: int
    posing: Posing
    entry: str


class CandidateFinder:
    """Finds the candidates of the entry asked for last."""

    def __init__(
        self,
        post: Callable[[Message], None],
        room: EngineRoom,
        problems: ProblemHolder,
        log10_of: Callable[[int], float | None],
        idle: threading.Condition,
    ) -> None:
        """`log10_of` tells for a revision how many fills there are, where that is known well."""
        self._post = post
        self._room = room
        self._problems = problems
        self._log10_of = log10_of
        self._beliefs: Beliefs | None = None
        self._worker = Worker("candidates", self._answer, self._fail, idle)

    @property
    def is_busy(self) -> bool:
        """Whether it looks at this moment."""
        return self._worker.is_busy

    def ask(self, question: CandidateQuestion) -> None:
        """Look for an entry's candidates and post them."""
        self._worker.submit(question)

    def find(self, question: CandidateQuestion) -> tuple[Candidate | Prospect, ...]:
        """The candidates, best score first, with the fills that each leaves if those can be counted already.

        While the engine loads, those that match the pattern. Raises EngineError where the engine cannot take the
        grid on.
        """
        if self._room.can_count:
            return self._reckon(question, lambda: False)
        return self._find_alive(question)

    def _find_alive(self, question: CandidateQuestion) -> tuple[Candidate, ...]:
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
        self._tell(question, self._find_alive(question), is_stale)
        if self._room.is_ready and self._room.wait_for_counting(is_stale):
            self._tell(question, self._reckon(question, is_stale), is_stale)

    def _tell(
        self, question: CandidateQuestion, found: tuple[Candidate | Prospect, ...], is_stale: IsStale
    ) -> None:
        if not is_stale():
            self._post(CandidatesReady(question.revision, question.entry, found))

    def _reckon(self, question: CandidateQuestion, is_stale: IsStale) -> tuple[Prospect, ...]:
        """The candidates with the fills that each leaves; what comes when it is stale is of no use."""
        from xwtui.engine.counting.belief import believe  # noqa: PLC0415  (loads numba)
        from xwtui.engine.prospects.candidates import candidates  # noqa: PLC0415  (loads numba)

        problem = self._problems.problem(question.posing)
        beliefs = self._beliefs
        if beliefs is None or beliefs.problem is not problem:
            beliefs = believe(problem, cancelled=is_stale)
            if not is_stale():
                self._beliefs = beliefs
        return candidates(
            problem,
            question.entry,
            beliefs=beliefs,
            log10_total=self._log10_of(question.revision),
            place=False,
            cancelled=is_stale,
        )

    def _fail(self, message: str) -> None:
        self._post(JobFailed(f"the candidates could not be found: {message}"))
