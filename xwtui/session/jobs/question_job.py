"""The job that answers questions about the grid one at a time, and keeps the last findings."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import NamedTuple

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Rules
from xwtui.model.rules.entry_rules import Barred
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.messages import FindingsReady, QuestionAsked, QuestionFailed

with lazy_imports():
    from xwtui.engine.explain.explanation import Conflict
    from xwtui.session.jobs.question import Findings, Proposal, Question
    from xwtui.session.jobs.question_answers import answer
    from xwtui.session.jobs.word_loader import VocabularyRequest
    from xwtui.words.sources import Vocabulary

NOTHING_PROPOSED = "there are no proposals; `why` and `whatif blocks` make some"
_MOST_PROVED = 20
_ANOTHER_GRID = "the grid has changed since this was proposed; ask again"


class PosedQuestion(NamedTuple):
    """A question about a puzzle, with the words that were requested at the time."""

    revision: int
    puzzle: Puzzle
    question: Question
    words: VocabularyRequest | None


class ProvedConflict(NamedTuple):
    """A conflict proved for a puzzle with certain words."""

    puzzle: Puzzle
    vocabulary: Vocabulary | None
    conflict: Conflict

    def holds(self, puzzle: Puzzle, vocabulary: Vocabulary | None) -> bool:
        """Whether the conflict still holds: its squares stand, and layout, words and rules are unchanged."""
        before, grid = self.puzzle, puzzle.grid
        is_same = (
            vocabulary is self.vocabulary
            and puzzle.words == before.words
            and puzzle.entered == before.entered
            and _without_barred(puzzle.rules) == _without_barred(before.rules)
            and (grid.slots, grid.links) == (before.grid.slots, before.grid.links)
        )
        squares = [square for choice in self.conflict.choices for square in choice.squares.items()]
        return is_same and all(grid[at].is_given and grid[at].content == content for at, content in squares)


def _without_barred(rules: Rules) -> Rules:
    """Return the rules without excluded words, since excluding words cannot remove a conflict."""
    entries = {key: one.with_all(Barred, []) for key, one in rules.entries.items()}
    return replace(rules, entries={key: one for key, one in entries.items() if one.rules})


class QuestionJob(Job[PosedQuestion, "Findings"]):
    """Answers the newest question and reports intermediate findings; `view` is the last ones.

    Findings are valid while puzzle and words are those they are about, and again after an edit is undone.
    """

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "question", "")
        self._result: tuple[PosedQuestion, Findings] | None = None
        """The last explanation or proposals; a heat map does not replace it."""
        self._proved: list[ProvedConflict] = []
        """The last proved conflicts, with the words of the last question."""

    # What is known

    @property
    def question(self) -> Question | None:
        """The last question, if it is about the current puzzle and its words."""
        asked = self.asked
        return asked.question if asked is not None and self._is_current(asked) else None

    @property
    def result(self) -> tuple[Question, Findings] | None:
        """The last explanation or proposals for the current puzzle, with the question; else its heat map."""
        if self._result is not None and self._is_current(self._result[0]):
            return self._result[0].question, self._result[1]
        question, found = self.question, self.latest
        return (question, found) if question is not None and found is not None else None

    @property
    def findings(self) -> Findings | None:
        return self.result[1] if self.result is not None else None

    def _is_current(self, posed: PosedQuestion) -> bool:
        return posed.puzzle == self._puzzle and posed.words == self.context.words.request

    @property
    def _puzzle(self) -> Puzzle:
        return self.context.snapshot().puzzle

    @property
    def proved(self) -> str:
        """A proved conflict whose squares all stand in the current puzzle; empty for none."""
        if not self._proved:
            return ""
        puzzle, vocabulary = self._puzzle, self.context.words.vocabulary
        return next((str(one.conflict) for one in tuple(self._proved) if one.holds(puzzle, vocabulary)), "")

    def proposal(self, number: int) -> Proposal:
        """Return a proposal of the last question, counted from 1; raises VerbError if it does not exist."""
        proposals = self._proposals
        if not proposals:
            raise VerbError(NOTHING_PROPOSED)
        if not 1 <= number <= len(proposals):
            raise VerbError(f"there are proposals 1 to {len(proposals)}")
        return proposals[number - 1]

    def proposal_of(self, key: Hashable) -> Proposal:
        """Return the proposal with a key; raises VerbError if it is not proposed for the current puzzle."""
        proposed = next((proposal for proposal in self._proposals if proposal.key == key), None)
        if proposed is None:
            raise VerbError(_ANOTHER_GRID)
        return proposed

    @property
    def _proposals(self) -> tuple[Proposal, ...]:
        return self.findings.proposals if self.findings is not None else ()

    # Asking

    def start(self, question: Question) -> None:
        """Answer a question; FindingsReady reports each better answer, the last one with `is_last`."""
        self.context.start_loading()
        self.worker.submit(self.note(question))

    def note(self, question: Question) -> PosedQuestion:
        """Drop the previous findings, and post the new question."""
        now = self.context.snapshot()
        posed = PosedQuestion(now.revision, now.puzzle, question, self.context.words.request)
        if not question.is_map:
            self._result = None
        self.expect(posed)
        self.context.post(QuestionAsked(now.revision, question))
        return posed

    # On the job's thread

    def work(self, request: PosedQuestion, reporter: Reporter[Findings]) -> Findings | None:
        """Answer a question once the parts of the engine that it needs are ready."""
        question = request.question
        task = self.context.wait_for_task(request.puzzle, reporter.is_stopped, *question.needs)
        if task is None:
            return None
        return answer(question, task, request.puzzle.symmetry, reporter.is_stopped, reporter.report)

    def keep(self, request: PosedQuestion, view: Findings) -> None:
        self.latest = view
        if not request.question.is_map:
            self._result = request, view
        if view.proved:
            words = self.context.words.vocabulary
            new = [ProvedConflict(request.puzzle, words, conflict) for conflict in view.proved]
            kept = [one for one in self._proved if one.vocabulary is words and one.conflict not in view.proved]
            self._proved = [*new, *kept][:_MOST_PROVED]

    def message(self, request: PosedQuestion, view: Findings, *, is_last: bool) -> FindingsReady:
        return FindingsReady(request.revision, view, is_last=is_last)

    def fail(self, reason: str) -> None:
        self.context.post(QuestionFailed(reason))
