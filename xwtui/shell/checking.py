"""`xwtui check`: the review of a puzzle and its figures."""

import json
from collections.abc import Sequence
from typing import Any

from xwtui.errors import WordListError
from xwtui.exits import Exit
from xwtui.model import Puzzle
from xwtui.model.review import Finding, review
from xwtui.model.statistics import GridStatistics, grid_statistics
from xwtui.printing import warn
from xwtui.shell.requests import WordRequest
from xwtui.shell.sources import load_words, read_source
from xwtui.text import printable
from xwtui.words.answer_findings import word_findings
from xwtui.words.vocabulary import Vocabulary

_LONGEST_TITLE = 70


def run_check(source: str, words: WordRequest, *, as_json: bool) -> Exit:
    """Review a puzzle; raises PuzzleFormatError, and WordListError for a list named by the request."""
    puzzle = read_source(source)
    vocabulary = _vocabulary(source, words, puzzle)
    statistics = grid_statistics(puzzle.grid, vocabulary.lexicon.score if vocabulary else lambda word: None)
    findings = (*review(puzzle), *(word_findings(puzzle, vocabulary) if vocabulary is not None else ()))
    if as_json:
        print(json.dumps(_as_json(findings, statistics), ensure_ascii=False))
    else:
        print("\n".join(_report(puzzle, findings, statistics)))
    return Exit.IMPOSSIBLE if findings else Exit.OK


def _vocabulary(source: str, words: WordRequest, puzzle: Puzzle) -> Vocabulary | None:
    """The words; None where the puzzle's own list is not at hand."""
    try:
        return load_words(words, puzzle, source)
    except WordListError as error:
        if words.lists:
            raise
        warn(f"no scores: {error}")
        return None


def _as_json(findings: Sequence[Finding], statistics: GridStatistics) -> dict[str, Any]:
    return {
        "status": "findings" if findings else "clean",
        "findings": [
            {"rule": finding.rule.value, "message": finding.message, "squares": [str(at) for at in finding.where]}
            for finding in findings
        ],
        "statistics": {
            "height": statistics.height,
            "width": statistics.width,
            "entries": statistics.entries,
            "filled_entries": statistics.filled_entries,
            "blocks": statistics.blocks,
            "open_squares": statistics.open_squares,
            "filled_squares": statistics.filled_squares,
            "rebus_squares": statistics.rebus_squares,
            "mean_length": statistics.mean_length,
            "letters": dict(statistics.letters),
            "mean_score": statistics.mean_score,
            "lowest_score": statistics.lowest_score,
            "unlisted": dict(statistics.unlisted),
        },
    }


def _report(puzzle: Puzzle, findings: Sequence[Finding], statistics: GridStatistics) -> list[str]:
    title = printable(puzzle.title, _LONGEST_TITLE) or "untitled"
    author = f" by {printable(puzzle.author, _LONGEST_TITLE)}" if puzzle.author else ""
    lines = [
        f"{title}{author}: {statistics.height}x{statistics.width}, {statistics.entries} entries, "
        f"{statistics.blocks} blocks, mean length {statistics.mean_length:.2f}",
        f"filled: {statistics.filled_entries} of {statistics.entries} entries, "
        f"{statistics.filled_squares} of {statistics.open_squares} squares, {statistics.rebus_squares} rebus",
    ]
    if statistics.mean_score is not None:
        lines.append(f"scores: mean {statistics.mean_score:.1f}, lowest {statistics.lowest_score}")
    if statistics.unlisted:
        lines.append("not in the word list: " + ", ".join(" ".join(pair) for pair in statistics.unlisted))
    if statistics.letters:
        lines.append("letters: " + " ".join(f"{letter}{n}" for letter, n in statistics.letters.items()))
    if not findings:
        return [*lines, "nothing to object to"]
    return [*lines, *(f"{finding.rule.value}: {finding.message}" for finding in findings)]
