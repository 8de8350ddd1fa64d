"""The verbs that look a puzzle over: what an editor would object to, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, answered, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


@verb(Group.REVIEW, examples=("check",), from_shell=FromShell(needs=Needs.WORDS))
def check(session: Session) -> Answer:
    """List what an editor would object to."""
    from xwtui.model.review import review
    from xwtui.model.statistics import grid_statistics
    from xwtui.session.figures import ReviewAnswer

    findings = list(review(session.puzzle))
    vocabulary = session.jobs.words.view
    if vocabulary is not None:
        from xwtui.words.answer_findings import word_findings

        crossed = [entry.slot for entry in session.nonsense_entries]
        findings += word_findings(session.puzzle, vocabulary, crossed)
    figures = grid_statistics(session.puzzle.grid, session.jobs.words.score)
    return answered(
        ReviewAnswer(session.puzzle, tuple(findings), figures, are_words_judged=vocabulary is not None)
    )


@verb(Group.REVIEW, examples=("stats",), from_shell=FromShell(needs=Needs.WORDS))
def stats(session: Session) -> Answer:
    """Show the figures of the grid: entries, blocks, lengths, letters, scores."""
    from xwtui.model.statistics import grid_statistics
    from xwtui.session.figures import StatisticsAnswer

    figures = grid_statistics(session.puzzle.grid, session.jobs.words.score)
    return answered(StatisticsAnswer(figures, session.jobs.words.lexicon is not None))
