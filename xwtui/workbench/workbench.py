"""The workbench: all that a face holds, behind one object."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from xwtui.errors import PuzzleError, XwtuiError
from xwtui.model import Direction, Position, Puzzle, Slot
from xwtui.workbench.cursor import Cursor, first_cursor
from xwtui.workbench.document import Document
from xwtui.workbench.messages import CursorMoved, Message, Notice, PuzzleChanged, Saved, Severity, ignore
from xwtui.workbench.recovery import Recovery, find_recoveries, taken
from xwtui.workbench.settings import Settings

BLANK_SIDE = 15
"""Rows and columns of the puzzle that a workbench begins with."""


class Workbench:
    """The document, the cursor, the lexicon and the jobs of one face.

    Used from the face's thread. `listener` is called with every message, from worker threads too.
    Methods raise XwtuiError where something cannot be done, with nothing changed.
    """

    def __init__(
        self,
        listener: Callable[[Message], None] = ignore,
        *,
        settings: Settings | None = None,
        journal_folder: Path | None = None,
    ) -> None:
        self.settings = settings if settings is not None else Settings()
        self.revision = 0
        self._listener = listener
        self._journal_folder = journal_folder
        self._lock = threading.RLock()
        self._is_journal_broken = False
        self.document = self._document(Puzzle.blank(BLANK_SIDE, BLANK_SIDE))
        self.cursor = first_cursor(self.puzzle.grid)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""
        return self.document.puzzle

    @property
    def slot_here(self) -> Slot | None:
        """The slot under the cursor: of its direction, else of the other, else None."""
        return self.cursor.slot(self.puzzle.grid)

    def move_to(self, position: Position, direction: Direction | None = None) -> None:
        """Put the cursor on a square, and turn it if a direction is given."""
        _ = self.puzzle.grid[position]
        self.cursor = Cursor(position, direction if direction is not None else self.cursor.direction)
        self._post(CursorMoved())

    # Edits

    def edit(self, label: str, function: Callable[[Puzzle], Puzzle]) -> bool:
        """Change the puzzle by a pure function; returns whether it made a difference.

        A running search is stopped first. What `function` raises is passed on, with nothing changed.
        """
        with self._lock:
            before = self.puzzle
            after = function(before)
            if after == before:
                return False
            self._journalled(lambda: self.document.record(after, label))
        self._changed(label)
        return True

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None where there is none."""
        return self._travel(self.document.undo, self.document.history.undo_label, "undo")

    def redo(self) -> str | None:
        """Make the last undone edit again; returns its label, or None where there is none."""
        return self._travel(self.document.redo, self.document.history.redo_label, "redo")

    def _travel(self, move: Callable[[], str | None], label: str | None, way: str) -> str | None:
        if label is None:
            return None
        with self._lock:
            self._journalled(move)
        self._changed(f"{way} {label}")
        return label

    def _journalled(self, change: Callable[[], object]) -> None:
        """Make a change of the document; one that cannot be journalled is made all the same, and told."""
        try:
            change()
        except (OSError, XwtuiError) as error:
            if not self._is_journal_broken:
                self._is_journal_broken = True
                self._post(Notice(f"changes are not kept safe, save soon: {_reason(error)}", Severity.WARNING))
        else:
            self._is_journal_broken = False

    def _changed(self, label: str) -> None:
        self.revision += 1
        self.cursor = self.cursor.kept_on(self.puzzle.grid)
        self._post(PuzzleChanged(label))

    # Files

    def new(self, puzzle: Puzzle) -> None:
        """Begin a document without a file; what was not saved before is dropped."""
        self._replace(self._document(puzzle), "new")

    def open(self, path: Path) -> None:
        """Open a puzzle file of any format; what was not saved before is dropped."""
        from xwtui.formats.registry import read_puzzle

        source = path.expanduser().absolute()
        self._replace(self._document(read_puzzle(source), source), f"open {source.name}")

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its file, or to another, which becomes its file; see `Document.save`."""
        try:
            with self._lock:
                saved = self.document.save(path, force=force)
        except OSError as error:
            raise PuzzleError(f"not saved: {_reason(error)}") from error
        self._post(Saved(saved))
        return saved

    def export(self, path: Path, *, lossy: bool = False) -> tuple[str, ...]:
        """Write the puzzle in the format of a file name; returns a warning for each thing left out."""
        from xwtui.formats.registry import write_puzzle

        try:
            return write_puzzle(path.expanduser(), self.puzzle, lossy=lossy)
        except OSError as error:
            raise PuzzleError(f"not exported: {_reason(error)}") from error

    def recoveries(self) -> tuple[Recovery, ...]:
        """The unsaved work of processes that ended without saving, the newest first."""
        return find_recoveries(self._journal_folder)

    def recover(self, recovery: Recovery) -> None:
        """Go on with unsaved work; one undo leads back to what its file has."""
        from xwtui.formats.registry import read_puzzle

        saved = recovery.puzzle
        if recovery.source is not None:
            with suppress(XwtuiError, OSError):
                saved = read_puzzle(recovery.source)
        document = self._document(saved, recovery.source)
        with taken(recovery):
            if saved == recovery.puzzle:
                document.forget_saved()
            document.record(recovery.puzzle, "recover")
        self._replace(document, "recover")

    def discard_changes(self) -> None:
        """Forget what is not saved: it will not be offered again."""
        self.document.journal.clear()

    def close(self) -> None:
        """Stop the jobs; unsaved work stays in its journal and is offered at the next start."""
        self.document.journal.close()

    def _document(self, puzzle: Puzzle, path: Path | None = None) -> Document:
        return Document(puzzle, path, journal_folder=self._journal_folder)

    def _replace(self, document: Document, label: str) -> None:
        with self._lock:
            self.document.journal.clear()
            self.document = document
            self.cursor = first_cursor(self.puzzle.grid)
        self._changed(label)

    def _post(self, message: Message) -> None:
        self._listener(message)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.filename})" if error.filename else error.strerror
    return str(error)
