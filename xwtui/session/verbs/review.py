"""The verbs that look a puzzle over: what an editor would object to, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, answered, verb
from xwtui.text import first_named

if TYPE_CHECKING:
    from xwtui.model.statistics import GridStatistics
    from xwtui.session.session import Session

_MOST_NAMED = 30


@verb(Group.REVIEW, examples=("check",), from_shell=FromShell(needs=Needs.WORDS))
def check(session: Session) -> Answer:
    """List what an editor would object to."""
    from xwtui.model.review import review
    from xwtui.model.statistics import grid_statistics
    from xwtui.session.answers import ReviewAnswer

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
    from xwtui.session.answers import StatisticsAnswer

    figures = grid_statistics(session.puzzle.grid, session.jobs.words.score)
    lines = [*_grid_lines(figures), *_score_lines(figures, session.jobs.words.lexicon is not None)]
    return answered(StatisticsAnswer(figures, tuple(lines)))


def _grid_lines(figures: GridStatistics) -> list[str]:
    letters = " ".join(f"{letter}{number}" for letter, number in figures.letters.items())
    return [
        f"grid: {figures.height}×{figures.width}, {figures.blocks} blocks, {figures.rebus_squares} rebus squares",
        f"entries: {figures.entries}, filled: {figures.filled_entries}, mean length: {figures.mean_length:.2f}",
        f"squares: {figures.open_squares} open, {figures.filled_squares} filled",
        f"letters: {letters or 'none'}",
    ]


def _score_lines(figures: GridStatistics, is_loaded: bool) -> list[str]:
    if not is_loaded:
        return ["scores: the words are still being loaded"]
    if figures.mean_score is None:
        lines = ["scores: no finished entry is in the word list"]
    else:
        lines = [f"scores: mean {figures.mean_score:.1f}, lowest {figures.lowest_score}"]
    if figures.unlisted:
        answers = [f"{name} {answer}" for name, answer in figures.unlisted]
        lines.append(f"not in the list: {first_named(answers, _MOST_NAMED)}")
    return lines
