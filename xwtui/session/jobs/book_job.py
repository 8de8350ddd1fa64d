"""What goes into the clue book beside the face: a folder of puzzles, and the clues of a puzzle that is saved."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path

from xwtui.errors import ClueBookError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.model.alphabet import Alphabet
from xwtui.session.jobs.answer_job import AnswerJob, AnswerReporter
from xwtui.session.jobs.job import JobContext
from xwtui.session.jobs.scheduler import Priority, stand_back
from xwtui.session.messages import Notice, Severity

with lazy_imports():
    from xwtui.clues.book import ClueBook, ClueSource
    from xwtui.clues.importing import clues_of_puzzle, import_clues
    from xwtui.session.book_answers import ImportAnswer

_KEEP_SECONDS = 5.0
"""How long a saved puzzle waits for the book where another process writes to it."""


class BookJob(AnswerJob):
    """Imports one folder at a time; edits of the puzzle leave that alone."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(
            context,
            "clue book",
            "",
            "stopped before anything was read",
            outlives_edits=True,
            priority=Priority.SHOWN,
            is_compiled=False,
        )
        self._keeping: list[threading.Thread] = []
        self._order = threading.Lock()
        """Held while the clues of a puzzle are kept, so that those that are saved last are kept last."""

    def take_in(self, path: Path, alphabet: Alphabet, *, is_own: bool = False) -> None:
        """Take the puzzles and lists of a folder, or one file, into the clue book; AnswerReady tells how far.

        Where it is stopped, what it has read by then is in the book.
        """
        self.look(partial(_import, path, alphabet, is_own))

    def keep_clues(self, puzzle: Puzzle, path: Path) -> None:
        """Let the book have the clues of a puzzle that was saved, as one's own; a failure is a Notice."""
        thread = self.context.scheduler.thread("clues kept", lambda: self._keep_clues(puzzle, path))
        self._keeping = [*(one for one in self._keeping if one.is_alive()), thread]

    def close(self) -> None:
        """Wait until the clues of saved puzzles are in the book."""
        deadline = time.monotonic() + _KEEP_SECONDS
        for thread in self._keeping:
            thread.join(max(deadline - time.monotonic(), 0.0))

    def _keep_clues(self, puzzle: Puzzle, path: Path) -> None:
        stand_back()
        today = time.strftime("%Y-%m-%d")
        source = ClueSource(str(path), puzzle.title or path.stem, puzzle.author, today, is_own=True)
        try:
            with self._order:
                ClueBook(patience=_KEEP_SECONDS).keep(source, clues_of_puzzle(puzzle))
        except ClueBookError as error:
            self.context.post(Notice(f"the clues are not in the clue book: {error}", Severity.WARNING))


def _import(path: Path, alphabet: Alphabet, is_own: bool, reporter: AnswerReporter) -> ImportAnswer:
    view = import_clues(
        ClueBook(),
        path,
        is_own=is_own,
        alphabet=alphabet,
        is_stopped=reporter.is_stopped,
        tell=lambda view: reporter.tell_at_times(lambda: ImportAnswer(view)),
    )
    return ImportAnswer(view)
