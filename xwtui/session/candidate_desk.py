"""The desk with the words that an entry may take, and what each of them costs."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from xwtui.engine.prospects.prospect import Order
from xwtui.errors import VerbError
from xwtui.session.inquiry_desk import InquiryDesk
from xwtui.session.jobs.candidate_job import CandidateRequest
from xwtui.session.problem_specification import ProblemSpecification

if TYPE_CHECKING:
    from xwtui.engine.options import Candidate
    from xwtui.engine.prospects.letters import LetterTable
    from xwtui.engine.prospects.prospect import Prospect

_LOADING = "the words are still being loaded"


class CandidateDesk(InquiryDesk):
    """Asks for candidates of the puzzle as it is."""

    def request_candidates(self, entry: str, order: Order = Order.SCORE) -> None:
        """Look for an entry's candidates beside the face, and post them in an order.

        Not while a list of a single entry is on its way: LexiconReady tells that it is there.
        """
        question = self._candidate_question(entry)._replace(order=order)
        if question.posing.has_all_lists:
            self._background.finder.ask(question)

    def look_at_candidates(self, words: Collection[str]) -> None:
        """Look further into these candidates of the entry requested last, while nothing else goes on."""
        self._background.finder.look(words)

    def letters(self) -> LetterTable:
        """The letters that squares can still take, at once; raises XwtuiError without words or engine."""
        vocabulary = self._background.words.vocabulary
        if vocabulary is None:
            raise VerbError(self._background.words.failure or _LOADING)
        latest = self._background.analyst.latest
        if latest.letters is not None and latest.revision == self.revision:
            return latest.letters
        return self._background.finder.letters(ProblemSpecification.of(self.puzzle, vocabulary))

    def candidates(self, entry: str) -> tuple[Candidate | Prospect, ...]:
        """An entry's candidates at once (some tenths of a second); raises XwtuiError without words."""
        question = self._candidate_question(entry)
        if not question.posing.has_all_lists:
            raise VerbError(_LOADING)
        return self._background.finder.find(question)

    def _candidate_question(self, entry: str) -> CandidateRequest:
        puzzle, vocabulary = self.puzzle, self._background.words.vocabulary
        if vocabulary is None:
            raise VerbError(self._background.words.failure or _LOADING)
        name = puzzle.grid.slot(entry).name
        return CandidateRequest(self.revision, ProblemSpecification.of(puzzle, vocabulary), name)
