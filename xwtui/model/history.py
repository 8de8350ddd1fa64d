"""Undo and redo: since puzzles are immutable, history is two lists of them."""

from typing import NamedTuple

from xwtui.model.puzzle import Puzzle


class Change(NamedTuple):
    """A puzzle, and the name of the edit that left it or led to it."""

    label: str
    puzzle: Puzzle


class History:
    """The present puzzle with all that went before, without limit."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.present = puzzle
        self._undone: list[Change] = []
        self._done: list[Change] = []

    def record(self, puzzle: Puzzle, label: str) -> None:
        """Make a puzzle the present one; what was undone before is forgotten."""
        self._done.append(Change(label, self.present))
        self._undone.clear()
        self.present = puzzle

    def undo(self) -> str | None:
        """Go back one edit; returns its label, or None where there is none."""
        if not self._done:
            return None
        label, before = self._done.pop()
        self._undone.append(Change(label, self.present))
        self.present = before
        return label

    def redo(self) -> str | None:
        """Make the last undone edit again; returns its label, or None where there is none."""
        if not self._undone:
            return None
        label, after = self._undone.pop()
        self._done.append(Change(label, self.present))
        self.present = after
        return label

    @property
    def edits(self) -> int:
        """How many edits can be undone."""
        return len(self._done)

    @property
    def undo_label(self) -> str | None:
        """The label of the edit that `undo` would take back, or None."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """The label of the edit that `redo` would make again, or None."""
        return self._undone[-1].label if self._undone else None
