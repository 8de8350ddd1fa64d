"""The desk with what questions about the grid have brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.fill_desk import FillDesk
from xwtui.session.jobs.questions.question import HeatQuestion
from xwtui.session.jobs.questions.question_job import QuestionRequest
from xwtui.session.messages import QuestionAsked

if TYPE_CHECKING:
    from xwtui.session.background import Background
    from xwtui.session.jobs.questions.findings import Findings, Proposal
    from xwtui.session.jobs.questions.question import Question

NOTHING_PROPOSED = "there is nothing proposed; `why` and `whatif blocks` propose changes"
_ANOTHER_GRID = "the grid is another than the one this was proposed for; ask again"


class InquiryDesk(FillDesk):
    """Holds the findings of the last question, shown as long as the puzzle is the one that it was about."""

    _background: Background
    _asked: QuestionRequest | None = None
    _found: Findings | None = None
    _told: tuple[QuestionRequest, Findings] | None = None
    """What was explained or proposed last: a heat map does not take its place."""

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        super()._puzzle_was(before, is_another=is_another)
        if self._asked is not None:
            self._background.inquirer.interrupt()

    @property
    def question(self) -> Question | None:
        """The last question, if it is about the puzzle as it is."""
        asked = self._asked
        return asked.question if asked is not None and asked.puzzle == self.puzzle else None

    @property
    def told(self) -> tuple[Question, Findings] | None:
        """What was explained or proposed last of the puzzle as it is, with its question; else the heat map of it.

        None after an edit, and there again once that is undone.
        """
        if self._told is not None and self._told[0].puzzle == self.puzzle:
            return self._told[0].question, self._told[1]
        question, found = self.question, self._found
        return (question, found) if question is not None and found is not None else None

    @property
    def findings(self) -> Findings | None:
        """What was told last of the puzzle as it is, as in `told`."""
        return self.told[1] if self.told is not None else None

    @property
    def is_asking(self) -> bool:
        """Whether a question is being answered."""
        return self._background.inquirer.is_busy

    def ask(self, question: Question) -> None:
        """Answer a question beside the face; FindingsReady tells each better answer, the last with `is_last`."""
        self._background.start()
        inquiry = self._note_question(question)
        self._background.inquirer.ask(inquiry)

    def stop_asking(self) -> None:
        """Let go of the question that is being answered; what it has brought stays."""
        self._background.inquirer.interrupt()

    def _note_question(self, question: Question) -> QuestionRequest:
        """Forget what was found before, and tell of the question."""
        with self._lock:
            self._found = None
            if not isinstance(question, HeatQuestion):
                self._told = None
            self._asked = inquiry = QuestionRequest(self.revision, self.puzzle, question)
        self._post(QuestionAsked(self.revision, question))
        return inquiry

    def take_findings(self, inquiry: QuestionRequest, findings: Findings) -> bool:
        """Keep what a question has brought, from its thread; returns whether it is still the one asked."""
        with self._lock:
            if inquiry is not self._asked or inquiry.revision != self.revision:
                return False
            self._found = findings
            if not isinstance(inquiry.question, HeatQuestion):
                self._told = inquiry, findings
            return True

    def follow(self, number: int) -> Proposal:
        """Make one of the changes that the last question proposed, as one edit; returns it.

        Raises VerbError where there is no such proposal.
        """
        proposals = self.findings.proposals if self.findings is not None else ()
        if not proposals:
            raise VerbError(NOTHING_PROPOSED)
        if not 1 <= number <= len(proposals):
            raise VerbError(f"there are proposals 1 to {len(proposals)}")
        return self._make(proposals[number - 1])

    def follow_named(self, text: str) -> Proposal:
        """Make the change that was proposed with these words, wherever it stands in the list by now.

        Raises VerbError where none of that name is proposed for the puzzle as it is.
        """
        proposals = self.findings.proposals if self.findings is not None else ()
        named = next((proposal for proposal in proposals if proposal.text == text), None)
        if named is None:
            raise VerbError(_ANOTHER_GRID)
        return self._make(named)

    def _make(self, proposal: Proposal) -> Proposal:
        self.edit(proposal.text, proposal.change)
        return proposal
