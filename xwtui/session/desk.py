"""The desk: the document of a face, its cursor and its edits, with every change journalled and told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from xwtui.errors import XwtuiError
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Direction, Position, Puzzle, Slot
from xwtui.session.cursor import Cursor, first_cursor
from xwtui.session.document import Document
from xwtui.session.messages import CursorMoved, Message, Notice, PuzzleChanged, Saved, Severity
from xwtui.session.recovery import Recovery, find_recoveries, taken

BLANK_SIDE = 15
"""Rows and columns of the puzzle that a desk begins with."""


class Desk:
    """A document with its cursor; what else depends on the puzzle hears of changes through the hooks.

    Methods raise XwtuiError where something cannot be done, with nothing changed.
    """

    def __init__(self, listener: Callable[[Message], None], journal_folder: Path | None = None) -> None:
        self.revision = 0
        self._listener = listener
        self._journal_folder = journal_folder
        self._lock = threading.RLock()
        self._is_closed = False
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
        """Put the cursor on a square, and turn it if a direction is given; raises PuzzleError off the grid."""
        _ = self.puzzle.grid[position]
        moved = Cursor(position, direction if direction is not None else self.cursor.direction)
        if moved != self.cursor:
            self.cursor = moved
            self._post(CursorMoved())

    # Edits

    def edit(self, label: str, function: Callable[[Puzzle], Puzzle]) -> bool:
        """Change the puzzle by a pure function; returns whether it made a difference.

        A search is stopped first, if the edit touches the grid, the words or the rules. What `function`
        raises is passed on, with nothing changed.
        """
        with self._lock:
            before, after = self.puzzle, function(self.puzzle)
            if after == before:
                return False
            self._journalled(lambda: self.document.record(after, label))
            self._puzzle_was(before)
        self._tell_change(label)
        return True

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None where there is none."""
        return self._travel(self.document.history.undo_label, self.document.undo, "undo")

    def redo(self) -> str | None:
        """Make the last undone edit again; returns its label, or None where there is none."""
        return self._travel(self.document.history.redo_label, self.document.redo, "redo")

    def _travel(self, label: str | None, move: Callable[[], str | None], way: str) -> str | None:
        if label is None:
            return None
        with self._lock:
            before = self.puzzle
            self._journalled(move)
            self._puzzle_was(before)
        self._tell_change(f"{way} {label}")
        return label

    def _journalled(self, change: Callable[[], object]) -> None:
        """Make a change of the document; one that cannot be journalled is made all the same, and told."""
        try:
            change()
        except (OSError, XwtuiError) as error:
            if not self._is_journal_broken:
                self._is_journal_broken = True
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                self._post(Notice(f"changes are not kept safe, save soon: {reason}", Severity.WARNING))
        else:
            self._is_journal_broken = False

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        """Take note of a change, under the lock: what the puzzle was, and whether this is another document."""
        self.revision += 1
        self.cursor = self.cursor.kept_on(self.puzzle.grid)

    def _tell_change(self, label: str) -> None:
        """Tell of a change, once the lock is free."""
        self._post(PuzzleChanged(label))

    # Files

    def new(self, puzzle: Puzzle) -> None:
        """Begin a document without a file; what was not saved before is dropped."""
        self._replace(self._document(puzzle), "new")

    def open(self, path: Path, puzzle: Puzzle | None = None) -> None:
        """Open a puzzle file of any format, or take `puzzle` for what it holds; what was not saved is dropped."""
        source = path.expanduser().absolute()
        found = read_puzzle(source) if puzzle is None else puzzle
        self._replace(self._document(found, source), f"open {source.name}")

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its file, or to another, which becomes its file; see `Document.save`."""
        with self._lock:
            saved = self.document.save(path, force=force)
        self._post(Saved(saved))
        return saved

    def export(self, path: Path, *, lossy: bool = False) -> tuple[str, ...]:
        """Write the puzzle in the format of a file name; returns a warning for each thing left out."""
        return write_puzzle(path.expanduser(), self.puzzle, lossy=lossy)

    def recoveries(self) -> tuple[Recovery, ...]:
        """The unsaved work of processes that ended without saving, the newest first."""
        return find_recoveries(self._journal_folder)

    def recover(self, recovery: Recovery) -> None:
        """Go on with unsaved work; one undo leads back to what its file has."""
        saved = recovery.puzzle
        if recovery.source is not None:
            with suppress(XwtuiError):
                saved = read_puzzle(recovery.source)
        document = self._document(saved, recovery.source)
        document.forget_saved()
        with taken(recovery):
            self._journalled(lambda: document.record(recovery.puzzle, "recover"))
        self._replace(document, "recover")

    def discard_changes(self) -> None:
        """Forget what is not saved: it will not be offered again."""
        self.document.journal.clear()

    def _document(self, puzzle: Puzzle, path: Path | None = None) -> Document:
        return Document(puzzle, path, journal_folder=self._journal_folder)

    def _replace(self, document: Document, label: str) -> None:
        with self._lock:
            before = self.puzzle
            self.document.journal.clear()
            self.document = document
            self._puzzle_was(before, is_another=True)
            self.cursor = first_cursor(self.puzzle.grid)
        self._tell_change(label)

    def close(self) -> None:
        """Tell nothing more; unsaved work stays in its journal and is offered at the next start."""
        self._is_closed = True
        self.document.journal.close()

    def _post(self, message: Message) -> None:
        """Tell the listener, from whatever thread; a closed desk has nothing more to tell."""
        if not self._is_closed:
            self._listener(message)
