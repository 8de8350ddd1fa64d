"""`xwtui why` and `xwtui whatif`: questions about a grid, answered once."""

import json
import sys
from collections.abc import Callable

from xwtui.cli.engine_start import prepare
from xwtui.cli.exits import Exit
from xwtui.cli.requests import SearchRequest
from xwtui.cli.sources import warn
from xwtui.interrupts import interrupt_flag, stopped_by
from xwtui.model import Grid, Puzzle
from xwtui.printing import StatusLine
from xwtui.session.jobs.answers import answer
from xwtui.session.jobs.question import Findings, Question, WhyQuestion
from xwtui.session.wording import finding_lines, progress_words
from xwtui.words.normalise import normalise

Ask = Callable[[Grid, float], Question]
"""Makes the question about a grid, which may take so many seconds; raises XwtuiError where it makes no sense."""

_STATUSES = {True: Exit.OK, False: Exit.IMPOSSIBLE, None: Exit.UNKNOWN}


def run_question(request: SearchRequest, ask: Ask) -> Exit:
    """Answer and print; raises PuzzleFormatError, WordListError, PuzzleError or EngineError."""
    prepared = prepare(request, improving=True)
    question = ask(prepared.puzzle.grid, request.seconds or float("inf"))
    task = prepared.problem.task
    with StatusLine(sys.stderr) as status, interrupt_flag() as is_cancelled:

        def tell(findings: Findings) -> None:
            status.show(f"{progress_words(findings)}; Ctrl+C stops")

        status.show(f"{question.title}; Ctrl+C stops")
        findings = answer(question, task, prepared.puzzle.symmetry, is_cancelled, tell)
        is_stopped = is_cancelled()
    _print(findings, prepared.puzzle, as_json=request.json)
    if is_stopped:
        warn(f"stopped by {stopped_by()}: this is what was found so far")
    return Exit.INTERRUPTED if is_stopped else _STATUSES[findings.is_possible]


def _print(findings: Findings, puzzle: Puzzle, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(dict(findings.as_json), ensure_ascii=False))
    else:
        print("\n".join(finding_lines(findings, puzzle.grid)))
    sys.stdout.flush()


def why_question(entry: str | None, word: str | None) -> Ask:
    """Why the grid cannot be filled, or why a word cannot stand at an entry."""

    def ask(grid: Grid, seconds: float) -> Question:
        if entry is None or word is None:
            return WhyQuestion(seconds=seconds)
        return WhyQuestion(grid.slot(entry.upper()).name, normalise(word), seconds)

    return ask
