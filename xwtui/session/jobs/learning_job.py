"""A layer of words learned from a folder of puzzles, beside the face."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import PuzzleError, VerbError, XwtuiError
from xwtui.formats.registry import files_below, read_puzzle, suffixes_to_read
from xwtui.model import Puzzle
from xwtui.reading import write_whole
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.scheduler import IsStopped, Priority
from xwtui.session.messages import AnswerReady, JobFailed
from xwtui.text import printable
from xwtui.words.list_files import LIST_FILES

if TYPE_CHECKING:
    from xwtui.session.list_answers import LearnedAnswer
    from xwtui.words.learned import AnswerCounts

_SECONDS_BETWEEN = 0.1
"""How often it is told how far the counting is."""

_NO_PUZZLES = {".txt", ".md"}
"""What may be a puzzle or any other text: a file of these that is none is no error."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class _LearnRequest(NamedTuple):
    folder: Path
    target: Path


class LearningJob:
    """Counts the answers of one folder at a time; edits of the puzzle leave that alone."""

    def __init__(self, context: JobContext) -> None:
        self.view: LearnedAnswer | None = None
        """How the counting stands, or what the last one came to; None where there was none."""
        self._context = context
        self._worker = context.scheduler.worker("learn", self._work, self._fail, Priority.SHOWN, is_compiled=False)

    def start(self, folder: Path, target: Path) -> None:
        """Count the answers of the puzzles in and below a folder into a word list; AnswerReady tells how far."""
        self.view = None
        self._worker.submit(_LearnRequest(folder, target))

    def stop(self) -> bool:
        """End the counting, with the word list as it was; returns whether it went on."""
        return self._worker.interrupt()

    def answer(self) -> LearnedAnswer:
        """How the counting stands; raises VerbError where it was stopped before it had begun."""
        if self.view is None:
            raise VerbError("stopped before any puzzle was read")
        return self.view

    # In the thread

    def _work(self, request: _LearnRequest, is_stopped: IsStopped) -> None:
        from xwtui.session.list_answers import LearnedAnswer, UnreadFile  # noqa: PLC0415
        from xwtui.words.learned import AnswerCounts  # noqa: PLC0415

        files = sorted(files_below(request.folder, set(suffixes_to_read()) - _NO_PUZZLES))
        counts, unread, told = AnswerCounts(), list[UnreadFile](), 0.0
        view = LearnedAnswer(request.folder, request.target, len(files))
        for done, path in enumerate(files):
            if is_stopped():
                return
            if time.monotonic() - told > _SECONDS_BETWEEN:
                told = time.monotonic()
                self._tell(replace(view, done=done, counted=counts.puzzles, unread=tuple(unread)))
            try:
                view = replace(view, repeated=view.repeated + (not _count(counts, path, request.folder)))
            except XwtuiError as error:
                unread.append(UnreadFile(path, printable(str(error), 300)))
        view = replace(view, done=len(files), counted=counts.puzzles, words=len(counts), unread=tuple(unread))
        if counts.puzzles and not is_stopped():
            _write(request.target, counts)
            view = replace(view, is_written=True)
        self._tell(view, is_last=True)

    def _tell(self, view: LearnedAnswer, *, is_last: bool = False) -> None:
        self.view = view
        self._context.post(AnswerReady(self._context.snapshot().revision, view, is_last=is_last))

    def _fail(self, message: str) -> None:
        self._context.post(JobFailed(f"nothing was learned: {message}"))


def _count(counts: AnswerCounts, path: Path, folder: Path) -> bool:
    """Count a puzzle's answers; returns False for a puzzle that was counted, PuzzleError for one without any."""
    puzzle = read_puzzle(path)
    answers = [answer for slot in puzzle.grid.entries if (answer := puzzle.answer(slot)) is not None]
    if not answers:
        raise PuzzleError(f"{path}: it has no finished answers")
    return counts.add(answers, puzzle.author, _year_of(puzzle, path.relative_to(folder)))


def _year_of(puzzle: Puzzle, path: Path) -> int | None:
    """The year of a puzzle: of a date in its fields or its name, else the first year that any of them has."""
    from xwtui.clues.importing import puzzle_date  # noqa: PLC0415

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
