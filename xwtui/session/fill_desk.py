"""The desk with what belongs to fills: the selection, entries taken or rejected, and the fills to choose from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.model import Content, Ink, Position, Puzzle, Slot, SlotKey, edits
from xwtui.session.desk import Desk
from xwtui.session.kept_fills import KeptFill, still_fitting
from xwtui.session.messages import Message, SelectionChanged


class FillDesk(Desk):
    """Holds the squares selected, the words rejected in this session, and the fills that a run has left."""

    def __init__(self, listener: Callable[[Message], None], journal_folder: Path | None = None) -> None:
        self.selection: frozenset[Position] = frozenset()
        """The squares that `fill --only selection` fills; empty for none."""
        self.fills: tuple[KeptFill, ...] = ()
        """The fills to choose from, the best first."""
        self._rejected: dict[SlotKey, set[str]] = {}
        super().__init__(listener, journal_folder)

    def _puzzle_was(self, before: Puzzle, *, is_another: bool = False) -> None:
        super()._puzzle_was(before, is_another=is_another)
        grid = self.puzzle.grid
        if is_another:
            self._rejected.clear()
            self.selection, self.fills = frozenset(), ()
        elif before.grid is not grid:
            self.selection = frozenset(at for at in self.selection if at in grid and grid[at].is_open)
            self.fills = still_fitting(self.fills, before.grid, grid)

    def select(self, squares: Collection[Position]) -> None:
        """Select these open squares and no others; raises PuzzleError off the grid."""
        grid = self.puzzle.grid
        chosen = frozenset(at for at in squares if grid[at].is_open)
        if chosen != self.selection:
            self.selection = chosen
            self._post(SelectionChanged())

    # Entry by entry

    @property
    def rejected(self) -> dict[SlotKey, frozenset[str]]:
        """The words that fills of this session leave out of an entry; a word put back there counts no more."""
        grid = self.puzzle.grid
        standing = {(slot.start, slot.direction): grid.answer(slot) for slot in grid.slots}
        return {
            key: frozenset(words - {standing[key]})
            for key, words in self._rejected.items()
            if key in standing and words - {standing[key]}
        }

    def reject(self, slot: Slot) -> str:
        """Empty an entry's squares in pencil; returns its answer, which later fills leave out there.

        The answer is the empty string where the entry was unfinished. Raises VerbError where
        nothing is in pencil.
        """
        grid = self.puzzle.grid
        if not any(_is_pencilled(grid[at].content, grid[at].ink) for at in slot.positions):
            raise VerbError(f"there is nothing in pencil to reject in {slot.name}")
        answer = grid.answer(slot)
        self.edit(f"reject {slot.name}", lambda puzzle: edits.clear_pencil(puzzle, slot.positions))
        if answer is not None:
            self._rejected.setdefault((slot.start, slot.direction), set()).add(answer)
        return answer or ""

    def pencilled_after(self, slot: Slot | None) -> Slot | None:
        """The next finished entry with pencil in it, in clue order and around; None if there is no other."""
        slots: Sequence[Slot] = self.puzzle.grid.slots
        first = slots.index(slot) + 1 if slot in slots else 0
        others = (one for one in (*slots[first:], *slots[:first]) if one != slot)
        return next((one for one in others if self._is_walked(one)), None)

    def _is_walked(self, slot: Slot) -> bool:
        grid = self.puzzle.grid
        return grid.answer(slot) is not None and any(grid[at].ink is Ink.PENCIL for at in slot.positions)

    # Fills to choose from

    def take(self, number: int) -> KeptFill:
        """Write one of the fills in pencil, as one edit; returns it. Raises VerbError where there is none."""
        if not self.fills:
            raise VerbError("there are no fills to choose from; `fill --count 5 --diverse` finds some")
        if not 1 <= number <= len(self.fills):
            raise VerbError(f"there are fills 1 to {len(self.fills)}")
        fill = self.fills[number - 1]
        self.edit(f"take fill {number}", lambda puzzle: edits.write_fill(puzzle, fill.squares))
        return fill


def _is_pencilled(content: Content | None, ink: Ink) -> bool:
    return content is not None and ink is Ink.PENCIL
