"""Fills to choose from: what a run has found beside the one on the grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from xwtui.errors import LockedError, PencilMissingError, VerbError
from xwtui.model import Content, Grid, Ink, Position, Puzzle, Slot
from xwtui.model.edits import write_fill
from xwtui.session.kept_out import kept_out
from xwtui.session.run_view import FoundFill
from xwtui.text import first_named

_MOST_ANSWERS = 3


def standing_squares(grid: Grid) -> dict[Position, Content]:
    """What stands in the entries of a grid, pencil and all."""
    return {at: content for slot in grid.slots for at in slot.positions if (content := grid[at].content)}


NOTHING_TO_IMPROVE = (
    "every letter is in pen or locked, so nothing can be improved; `pencil all` lets fills replace the pen"
)


def can_be_improved(grid: Grid) -> bool:
    """Whether a fill may change anything in the entries of a grid."""
    return any(not grid[at].is_given for slot in grid.slots for at in slot.positions)


_MOST_SHARE = 0.25
"""Of the pencil, what may be replaced unasked."""


def is_much(changed: int, pencil: int) -> bool:
    """Whether so many squares of pencil are not replaced unasked, where somebody is asked."""
    return changed > _MOST_SHARE * pencil


Allows = Callable[[str], bool]
"""Whether a fill may use a word."""


def unwelcome_answers(fill: FoundFill, puzzle: Puzzle, allows: Allows) -> list[str]:
    """The answers of a fill that may be used no more, for words were banned, scored anew or rejected since.

    What is given as a whole is the constructor's own.
    """
    grid, filled = puzzle.grid, write_fill(puzzle, fill.squares).with_entered(fill.entered)
    free = (slot for slot in grid.entries if not all(grid[at].is_given for at in slot.positions))
    answers = ((slot, filled.answer(slot)) for slot in free)
    return [
        answer
        for slot, answer in answers
        if answer is not None and (not allows(answer) or answer in kept_out(puzzle, slot))
    ]


def unwelcome_words(answers: Sequence[str]) -> str:
    """What is said of a fill with such answers: `uses QATAR, no longer allowed`."""
    return f"uses {first_named(answers, _MOST_ANSWERS)}, no longer allowed" if answers else ""


def describe_fills(fills: Sequence[FoundFill], puzzle: Puzzle, allows: Allows, limit: int) -> list[str]:
    """A line a fill: number, scores, how far it is from the first, whether it is on the grid, what is amiss."""
    lines = []
    for number, fill in enumerate(fills[:limit], start=1):
        unlike = f"{fill.share_unlike(fills[0]):.0%} different from the first" if number > 1 else ""
        standing = "on the grid" if fill.stands_on(puzzle.grid) else ""
        amiss = unwelcome_words(unwelcome_answers(fill, puzzle, allows))
        told = scores_text(fill), unlike, standing, fill.note, amiss
        lines.append(f"{number:3}  {', '.join(filter(None, told))}")
    left = len(fills) - limit
    return [*lines, *([f"     and {left:,} more"] if left > 0 else [])]


def scores_text(fill: FoundFill) -> str:
    """Its scores in words."""
    return f"mean {fill.mean_score:.1f}, lowest {fill.lowest_score}"


def fill_words(fill: FoundFill) -> str:
    """Its scores, and what there is to say of it."""
    return ", ".join(filter(None, [scores_text(fill), fill.note]))


class Editable(Protocol):
    """Who holds the puzzle."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""

    def edit(self, label: str, function: Callable[[Puzzle], Puzzle]) -> bool:
        """Change it by a pure function; returns whether it made a difference."""


class FillChoice:
    """The fills to choose from, and what there is to choose of single entries."""

    def __init__(self, editable: Editable) -> None:
        self._editable = editable
        self.kept: tuple[FoundFill, ...] = ()
        """The best first."""

    @property
    def _grid(self) -> Grid:
        return self._editable.puzzle.grid

    def keep(self, puzzle: Puzzle, found: Iterable[FoundFill]) -> None:
        """Choose from these from now on, as they would stand on the grid; none leave those that there are."""
        kept = tuple(one._replace(squares=standing_squares(write_fill(puzzle, one.squares).grid)) for one in found)
        self.kept = kept or self.kept

    def keep_fitting(self, before: Grid) -> None:
        """After a change of the grid: let go of fills that may not be taken any more."""
        grid = self._grid
        fits = before.entries == grid.entries
        self.kept = tuple(fill for fill in self.kept if fill.fits(grid)) if fits else ()

    def clear(self) -> None:
        """Forget all: the puzzle is another one."""
        self.kept = ()

    def take(self, number: int) -> FoundFill:
        """Write one of the fills in pencil, as one edit; returns it. Raises VerbError where there is none."""
        if not self.kept:
            raise VerbError("there are no fills to choose from; `fill --count 5 --diverse` finds some")
        if not 1 <= number <= len(self.kept):
            raise VerbError(f"there are fills 1 to {len(self.kept)}")
        fill = self.kept[number - 1]
        self._editable.edit(f"take fill {number}", fill.taken)
        return fill

    # Entry by entry

    def check_pencil(self, slot: Slot) -> None:
        """Raise VerbError where nothing of an entry is in pencil."""
        grid = self._grid
        if not any(grid[at].content is not None and grid[at].ink is Ink.PENCIL for at in slot.positions):
            if any(grid[at].ink is Ink.LOCKED for at in slot.positions):
                raise LockedError(f"{slot.name} is locked; unlock it first")
            if all(grid[at].content is None for at in slot.positions):
                fits = f"`candidates {slot.name}` lists what fits"
                raise VerbError(f"nothing is written in {slot.name} yet: `fill` fills the grid, {fits}")
            raise PencilMissingError(slot.name)

    def pencilled_after(self, slot: Slot | None) -> Slot | None:
        """The next finished entry with pencil in it, in clue order and around; None if there is no other."""
        grid, slots = self._grid, self._grid.entries
        first = slots.index(slot) + 1 if slot in slots else 0
        finished = (one for one in (*slots[first:], *slots[:first]) if one != slot and grid.answer(one))
        return next((one for one in finished if any(grid[at].ink is Ink.PENCIL for at in one.positions)), None)
