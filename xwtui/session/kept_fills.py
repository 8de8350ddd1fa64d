"""Fills to choose from: what a run has found beside the one on the grid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xwtui.model import Content, Grid, Position, Puzzle
from xwtui.model.edits import write_fill
from xwtui.session.jobs.fills.running import FoundFill


@dataclass(frozen=True)
class KeptFill:
    """A fill of the whole grid that may be taken, with the scores of its answers."""

    squares: Mapping[Position, Content]
    mean_score: float
    lowest_score: int
    note: str = ""
    """What there is to say of it, such as `the start`."""

    def fits(self, grid: Grid) -> bool:
        """Whether it is a fill of this grid still: it has all that is given in the entries there."""
        given = (at for slot in grid.slots for at in slot.positions if grid[at].is_given)
        return all(self.squares.get(at) == grid[at].content for at in given)

    def stands_on(self, grid: Grid) -> bool:
        """Whether it is what stands on a grid now."""
        return all(grid[at].content == content for at, content in self.squares.items())

    def share_unlike(self, other: KeptFill) -> float:
        """The share of its squares, 0 to 1, that another fill has otherwise."""
        if not self.squares:
            return 0.0
        unlike = sum(other.squares.get(at) != content for at, content in self.squares.items())
        return unlike / len(self.squares)


def standing_squares(grid: Grid) -> dict[Position, Content]:
    """What stands in the entries of a grid, pencil and all."""
    return {at: content for slot in grid.slots for at in slot.positions if (content := grid[at].content)}


NOTHING_TO_IMPROVE = (
    "every letter is in pen or locked, so nothing can be improved; `pencil all` lets fills replace what is in pen"
)


def can_be_improved(grid: Grid) -> bool:
    """Whether a fill may change anything in the entries of a grid."""
    return any(not grid[at].is_given for slot in grid.slots for at in slot.positions)


def kept_fill(puzzle: Puzzle, found: FoundFill) -> KeptFill:
    """A fill as it would stand on the grid: squares that it leaves alone keep what they have."""
    standing = standing_squares(write_fill(puzzle, found.squares).grid)
    return KeptFill(standing, found.mean_score, found.lowest_score, found.note)


def still_fitting(fills: Iterable[KeptFill], before: Grid, after: Grid) -> tuple[KeptFill, ...]:
    """The fills that may still be taken after a change of the grid; none where its entries are others."""
    if before.slots != after.slots:
        return ()
    return tuple(fill for fill in fills if fill.fits(after))


def describe_fills(fills: Sequence[KeptFill], grid: Grid, limit: int) -> list[str]:
    """A line a fill: number, scores, how far it is from the first, whether it stands on the grid."""
    lines = [_line(number, fill, fills[0], grid) for number, fill in enumerate(fills[:limit], start=1)]
    left = len(fills) - limit
    return [*lines, *([f"     and {left:,} more"] if left > 0 else [])]


def _line(number: int, fill: KeptFill, first: KeptFill, grid: Grid) -> str:
    parts = [scores_text(fill)]
    if number > 1:
        parts.append(f"{fill.share_unlike(first):.0%} unlike the first")
    if fill.stands_on(grid):
        parts.append("on the grid")
    return f"{number:3}  " + ", ".join([*parts, *([fill.note] if fill.note else [])])


def scores_text(fill: KeptFill) -> str:
    """Its scores in words."""
    return f"mean {fill.mean_score:.1f}, lowest {fill.lowest_score}"
