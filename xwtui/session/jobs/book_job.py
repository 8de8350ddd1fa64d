"""What goes into the clue book beside the face: a folder of puzzles, and the clues of a puzzle that is saved."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import ClueBookError, VerbError
from xwtui.model import Puzzle
from xwtui.model.alphabet import Alphabet
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.scheduler import IsStopped, Priority, stand_back
from xwtui.session.messages import AnswerReady, JobFailed, Notice, Severity

if TYPE_CHECKING:
    from xwtui.clues.importing import ImportView
    from xwtui.session.book_answers import ImportAnswer

_SECONDS_BETWEEN = 0.1
"""How often an import tells how far it is."""

_KEEP_SECONDS = 5.0
"""How long a saved puzzle waits for the book where another process writes to it."""


class _ImportRequest(NamedTuple):
    path: Path
    is_own: bool
    alphabet: Alphabet


class BookJob:
    """Imports one folder at a time; edits of the puzzle leave that alone."""

    def __init__(self, context: JobContext) -> None:
        self.view: ImportAnswer | None = None
        """How the import stands, or what the last one came to; None where there was none."""
        self._context = context
        self._worker = context.scheduler.worker(
            "clue book", self._work, self._fail, Priority.SHOWN, is_compiled=False
        )
        self._keeping: list[threading.Thread] = []
        self._order = threading.Lock()
        """Held while the clues of a puzzle are kept, so that those that are saved last are kept last."""

    def start(self, path: Path, alphabet: Alphabet, *, is_own: bool = False) -> None:
        """Take the puzzles and lists of a folder, or one file, into the clue book; AnswerReady tells how far."""
        self.view = None
        self._worker.submit(_ImportRequest(path, is_own, alphabet))

    def stop(self) -> bool:
        """End an import; what it has read by then is in the book. Returns whether one went on."""
        return self._worker.interrupt()

    def answer(self) -> ImportAnswer:
        """How the import stands; raises VerbError where it was stopped before it had begun."""
        if self.view is None:
            raise VerbError("stopped before anything was read")
        return self.view

    def keep(self, puzzle: Puzzle, path: Path) -> None:
        """Let the book have the clues of a puzzle that was saved, as one's own; a failure is a Notice."""
        thread = self._context.scheduler.thread("clues kept", lambda: self._keep(puzzle, path))
        self._keeping = [*(one for one in self._keeping if one.is_alive()), thread]

    def close(self) -> None:
        """Wait until the clues of saved puzzles are in the book."""
        deadline = time.monotonic() + _KEEP_SECONDS
        for thread in self._keeping:
            thread.join(max(deadline - time.monotonic(), 0.0))

    # In the threads

    def _work(self, request: _ImportRequest, is_stopped: IsStopped) -> None:
        from xwtui.clues.book import ClueBook  # noqa: PLC0415  (loads the formats and the database)
        from xwtui.clues.importing import import_clues  # noqa: PLC0415

        told = 0.0

        def tell(view: ImportView) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told > _SECONDS_BETWEEN:
                told = now
                self._tell(view)

        book = ClueBook()
        view = import_clues(
            book,
            request.path,
            is_own=request.is_own,
            alphabet=request.alphabet,
            is_stopped=is_stopped,
            tell=tell,
        )
        self._tell(view, is_last=True)

    def _tell(self, view: ImportView, *, is_last: bool = False) -> None:
        from xwtui.session.book_answers import ImportAnswer  # noqa: PLC0415

        self.view = answer = ImportAnswer(view)
        self._context.post(AnswerReady(self._context.snapshot().revision, answer, is_last=is_last))

    def _fail(self, message: str) -> None:
        self._context.post(JobFailed(message))

    def _keep(self, puzzle: Puzzle, path: Path) -> None:
        stand_back()
        from xwtui.clues.book import ClueBook, ClueSource  # noqa: PLC0415
        from xwtui.clues.importing import clues_of_puzzle  # noqa: PLC0415

        today = time.strftime("%Y-%m-%d")
        source = ClueSource(str(path), puzzle.title or path.stem, puzzle.author, today, is_own=True)
        try:
            with self._order:
                ClueBook(patience=_KEEP_SECONDS).keep(source, clues_of_puzzle(puzzle))
        except ClueBookError as error:
            self._context.post(Notice(f"the clues are not in the clue book: {error}", Severity.WARNING))
