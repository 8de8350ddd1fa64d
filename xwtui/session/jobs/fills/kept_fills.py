"""Fills to choose from: alternatives that runs have found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xwtui.errors import LockedError, PencilMissingError, VerbError
from xwtui.model import Content, Grid, Ink, Position, Puzzle, Slot
from xwtui.model.edits import write_fill
from xwtui.session.exclusions import excluded_words
from xwtui.session.run_view import FoundFill
from xwtui.text import first_named

_MOST_ANSWERS = 3


def current_contents(grid: Grid) -> dict[Position, Content]:
    """Return the contents of a grid's entries, including pencil."""
    return {at: content for slot in grid.slots for at in slot.positions if (content := grid[at].content)}


NOTHING_TO_IMPROVE = (
    "every letter is in pen or locked, so nothing can be improved; `pencil all` lets fills replace the pen"
)


def can_be_improved(grid: Grid) -> bool:
    """Whether a fill may change anything in a grid's entries."""
    return any(not grid[at].is_given for slot in grid.slots for at in slot.positions)


_MOST_SHARE = 0.25
"""Share of the pencil that may be replaced without asking."""


def is_much(changed: int, pencil: int) -> bool:
    """Whether a change is too large to be made without asking, if a user is there to ask."""
    return changed > _MOST_SHARE * pencil


Allows = Callable[[str], bool]
"""Returns whether a fill may use a word."""


def disallowed_answers(fill: FoundFill, puzzle: Puzzle, allows: Allows) -> list[str]:
    """Return the fill's answers that are no longer allowed, because words were banned, rescored or rejected.

    Entries that are given as a whole are the constructor's own, and not checked.
    """
    grid, filled = puzzle.grid, write_fill(puzzle, fill.squares).with_entered(fill.entered)
    free = (slot for slot in grid.entries if not all(grid[at].is_given for at in slot.positions))
    answers = ((slot, filled.answer(slot)) for slot in free)
    return [
        answer
        for slot, answer in answers
        if answer is not None and (not allows(answer) or answer in excluded_words(puzzle, slot))
    ]


def disallowed_words(answers: Sequence[str]) -> str:
    """Return a note on a fill with such answers: `uses QATAR, no longer allowed`."""
    return f"uses {first_named(answers, _MOST_ANSWERS)}, no longer allowed" if answers else ""


def describe_fills(fills: Sequence[FoundFill], puzzle: Puzzle, allows: Allows, limit: int) -> list[str]:
    """Return a line per fill: number, scores, difference from the first, whether it is on the grid, problems."""
    lines = []
    for number, fill in enumerate(fills[:limit], start=1):
        unlike = f"{fill.share_unlike(fills[0]):.0%} different from the first" if number > 1 else ""
        in_grid = "on the grid" if fill.is_in(puzzle.grid) else ""
        amiss = disallowed_words(disallowed_answers(fill, puzzle, allows))
        parts = scores_text(fill), unlike, in_grid, fill.note, amiss
        lines.append(f"{number:3}  {', '.join(filter(None, parts))}")
    left = len(fills) - limit
    return [*lines, *([f"     and {left:,} more"] if left > 0 else [])]


def scores_text(fill: FoundFill) -> str:
    """Return the fill's scores as text."""
    return f"mean {fill.mean_score:.1f}, lowest {fill.lowest_score}"


def fill_words(fill: FoundFill) -> str:
    """Return the fill's scores and its note as text."""
    return ", ".join(filter(None, [scores_text(fill), fill.note]))


class FillChoice:
    """The fills to choose from, and choices for single entries."""

    def __init__(self, grid: Callable[[], Grid], edit: Callable[[str, Callable[[Puzzle], Puzzle]], bool]) -> None:
        """`grid` returns the current grid; `edit` edits the puzzle, as `Session.edit`."""
        self._grid, self._edit = grid, edit
        self.kept: tuple[FoundFill, ...] = ()
        """Best first."""

    def keep(self, puzzle: Puzzle, found: Iterable[FoundFill]) -> None:
        """Replace the choice with these fills, as they would look on the grid; without any, keep the old ones."""
        kept = tuple(one._replace(squares=current_contents(write_fill(puzzle, one.squares).grid)) for one in found)
        self.kept = kept or self.kept

    def keep_fitting(self, before: Grid) -> None:
        """After a change of the grid, drop the fills that no longer fit."""
        grid = self._grid()
        fits = before.entries == grid.entries
        self.kept = tuple(fill for fill in self.kept if fill.fits(grid)) if fits else ()

    def clear(self) -> None:
        """Drop all fills, because the puzzle was replaced."""
        self.kept = ()

    def take(self, number: int) -> FoundFill:
        """Write one of the fills in pencil, as one edit; returns it. Raises VerbError if it does not exist."""
        if not self.kept:
            raise VerbError("there are no fills to choose from; `fill --count 5 --diverse` finds some")
        if not 1 <= number <= len(self.kept):
            raise VerbError(f"there are fills 1 to {len(self.kept)}")
        fill = self.kept[number - 1]
        self._edit(f"take fill {number}", fill.taken)
        return fill

    # Entry by entry

    def check_pencil(self, slot: Slot) -> None:
        """Raise VerbError if no square of an entry is in pencil."""
        grid = self._grid()
        if not any(grid[at].content is not None and grid[at].ink is Ink.PENCIL for at in slot.positions):
            if any(grid[at].ink is Ink.LOCKED for at in slot.positions):
                raise LockedError(f"{slot.name} is locked; unlock it first")
            if all(grid[at].content is None for at in slot.positions):
                fits = f"`candidates {slot.name}` lists what fits"
                raise VerbError(f"nothing is written in {slot.name} yet: `fill` fills the grid, {fits}")
            raise PencilMissingError(slot.name)

    def pencilled_after(self, slot: Slot | None) -> Slot | None:
        """Return the next complete entry with pencil, in clue order and wrapping around; None if there is none."""
        grid = self._grid()
        slots = grid.entries
        first = slots.index(slot) + 1 if slot in slots else 0
        finished = (one for one in (*slots[first:], *slots[:first]) if one != slot and grid.answer(one))
        return next((one for one in finished if any(grid[at].ink is Ink.PENCIL for at in one.positions)), None)
