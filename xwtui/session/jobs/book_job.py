"""What goes into the clue book beside the face: a folder of puzzles, and the clues of a puzzle that is saved."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from xwtui.errors import ClueBookError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.jobs.answer_job import AnswerJob
from xwtui.session.jobs.job import JobContext
from xwtui.session.jobs.scheduler import stand_back
from xwtui.session.messages import Notice, Severity

with lazy_imports():
    from xwtui.clues.book import ClueBook, ClueSource
    from xwtui.clues.importing import clues_of_puzzle

_KEEP_SECONDS = 5.0
"""How long a saved puzzle waits for the book where another process writes to it."""


class BookJob(AnswerJob):
    """Imports one folder at a time; edits of the puzzle leave that alone."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "clue book", "", "stopped before anything was read", is_about_puzzle=False)
        self._keeping: list[threading.Thread] = []
        self._order = threading.Lock()
        """Held while the clues of a puzzle are kept, so that those that are saved last are kept last."""

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
