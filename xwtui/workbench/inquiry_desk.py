"""The desk with what questions about the grid have brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.workbench.fill_desk import FillDesk
from xwtui.workbench.inquiries.inquirer import Inquiry

if TYPE_CHECKING:
    from xwtui.workbench.background import Background
    from xwtui.workbench.inquiries.findings import Findings, Proposal
    from xwtui.workbench.inquiries.question import Question


class InquiryDesk(FillDesk):
    """Holds the findings of the last question, as long as they are about the grid as it is."""

    _background: Background
    findings: Findings | None = None
    """What the last question has brought so far; None after any edit."""

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        super()._puzzle_was(before, is_another=is_another)
        self.findings = None

    def ask(self, question: Question) -> None:
        """Answer a question beside the face; FindingsReady tells each better answer, the last with `is_last`."""
        self._background.start()
        with self._lock:
            self.findings = None
            inquiry = Inquiry(self.revision, self.puzzle, question)
        self._background.inquirer.ask(inquiry)

    def take_findings(self, revision: int, findings: Findings) -> bool:
        """Keep what a question has brought, from its thread; returns whether it is about the grid as it is."""
        with self._lock:
            if revision != self.revision:
                return False
            self.findings = findings
            return True

    def follow(self, number: int) -> Proposal:
        """Make one of the changes that the last question proposed, as one edit; returns it.

        Raises VerbError where there is no such proposal.
        """
        proposals = self.findings.proposals if self.findings is not None else ()
        if not proposals:
            raise VerbError("there is nothing proposed; `why` and `whatif blocks` propose changes")
        if not 1 <= number <= len(proposals):
            raise VerbError(f"there are proposals 1 to {len(proposals)}")
        proposal = proposals[number - 1]
        self.edit(proposal.text, proposal.change)
        return proposal
