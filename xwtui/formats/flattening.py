"""What a grid becomes in a format without bars: other slots, and clues without one."""

from xwtui.formats.losses import Losses
from xwtui.model import Grid, Puzzle


def without_bars(grid: Grid, losses: Losses) -> Grid:
    """The grid without its bars, the loss of them noted."""
    beside = {position for bar in grid.bars for position in bar}
    losses.add_places("bars", sorted(beside), "left out, which joins entries")
    return grid.with_bars(()) if grid.bars else grid


def add_lost_clues(puzzle: Puzzle, flat: Grid, losses: Losses) -> None:
    """Note the clues of entries that the grid without bars does not have."""
    kept = {(slot.start, slot.direction) for slot in flat.slots}
    lost = [
        slot.name for slot in puzzle.grid.slots if puzzle.clue(slot) and (slot.start, slot.direction) not in kept
    ]
    losses.add_places("the clues", lost, "left out: without bars these are no entries")
