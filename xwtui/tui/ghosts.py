"""What the grid would be after a proposal, as a picture."""

from collections.abc import Iterable

from xwtui.model import Grid, Position, Puzzle
from xwtui.session.jobs.question import Proposal
from xwtui.tui.picture import Picture

NOWHERE = Position(-1, -1)
"""Where the cursor of a picture without one is."""


def ghost_picture(puzzle: Puzzle, proposal: Proposal | None, entries: Iterable[str]) -> Picture:
    """A puzzle with entries at fault, and if there is a proposal, as it would be after that.

    The fill that verifies a proposal is shown where the puzzle then gives nothing.
    """
    grid = puzzle.grid
    slots = (grid.slots_by_name.get(name) for name in entries)
    faults = frozenset(at for slot in slots if slot is not None for at in slot.positions)
    if proposal is None:
        return Picture(grid, NOWHERE, faults=faults)
    after = proposal.change(puzzle).grid
    return Picture(
        after,
        NOWHERE,
        search=proposal.fill,
        searching=bool(proposal.fill),
        is_ghost=True,
        changed=changed_squares(grid, after),
        faults=faults,
    )


def changed_squares(before: Grid, after: Grid) -> frozenset[Position]:
    """The squares that have another content, or come to be or cease to be blocks."""
    pairs = zip(before.positions(), before.squares, after.squares, strict=True)
    return frozenset(at for at, old, new in pairs if (old.kind, old.content) != (new.kind, new.content))
