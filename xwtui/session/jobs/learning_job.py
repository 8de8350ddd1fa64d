"""A layer of words learned from a folder of puzzles, beside the face."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from xwtui.errors import PuzzleError, VerbError, XwtuiError
from xwtui.formats.registry import files_below, read_puzzle, suffixes_to_read
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.reading import write_whole
from xwtui.session.jobs.answer_job import AnswerJob, AnswerReporter
from xwtui.session.jobs.job import JobContext
from xwtui.session.jobs.scheduler import Priority
from xwtui.text import printable
from xwtui.words.list_files import LIST_FILES

with lazy_imports():
    from xwtui.clues.importing import puzzle_date
    from xwtui.session import list_answers
    from xwtui.session.list_answers import LearnedAnswer, UnreadFile
    from xwtui.words.learned import AnswerCounts

_NO_PUZZLES = {".txt", ".md"}
"""What may be a puzzle or any other text: a file of these that is none is no error."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class LearningJob(AnswerJob):
    """Counts the answers of one folder at a time; edits of the puzzle leave that alone."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(
            context,
            "learn",
            "nothing was learned",
            "stopped before any puzzle was read",
            outlives_edits=True,
            priority=Priority.SHOWN,
            is_compiled=False,
        )

    def learn(self, folder: Path, target: Path) -> None:
        """Count the answers of the puzzles in and below a folder into a word list; AnswerReady tells how far.

        Where it is stopped, the word list is as it was.
        """
        self.look(partial(_learn, folder, target))


def _learn(folder: Path, target: Path, reporter: AnswerReporter) -> LearnedAnswer | None:
    files = sorted(files_below(folder, set(suffixes_to_read()) - _NO_PUZZLES))
    counts, unread = AnswerCounts(), list[list_answers.UnreadFile]()
    view = LearnedAnswer(folder, target, len(files))
    for done, path in enumerate(files):
        if reporter.is_stopped():
            return None
        so_far = partial(replace, view, done=done, counted=counts.puzzles, unread=tuple(unread))
        reporter.tell_at_times(so_far)
        try:
            view = replace(view, repeated=view.repeated + (not _count(counts, path, folder)))
        except XwtuiError as error:
            unread.append(UnreadFile(path, printable(str(error), 300)))
    view = replace(view, done=len(files), counted=counts.puzzles, words=len(counts), unread=tuple(unread))
    if counts.puzzles and not reporter.is_stopped():
        _write(target, counts)
        view = replace(view, is_written=True)
    return view


def _count(counts: AnswerCounts, path: Path, folder: Path) -> bool:
    """Count a puzzle's answers; returns False for a puzzle that was counted, PuzzleError for one without any."""
    puzzle = read_puzzle(path)
    answers = [answer for slot in puzzle.grid.entries if (answer := puzzle.answer(slot)) is not None]
    if not answers:
        raise PuzzleError(f"{path}: it has no finished answers")
    return counts.add(answers, puzzle.author, _year_of(puzzle, path.relative_to(folder)))


def _year_of(puzzle: Puzzle, path: Path) -> int | None:
    """The year of a puzzle: of a date in its fields or its name, else the first year that any of them has."""
    date = puzzle_date(puzzle, path)
    if date:
        return int(date[:4])
    found = _YEAR.search(" ".join((path.as_posix(), puzzle.title, puzzle.copyright, puzzle.notes[:500])))
    return int(found[0]) if found else None


def _write(target: Path, counts: AnswerCounts) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, "".join(f"{line}\n" for line in counts.lines()))
    except OSError as error:
        raise VerbError(f"cannot write {target}: {error.strerror}") from error
    finally:
        LIST_FILES.take(target)
