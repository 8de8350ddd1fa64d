"""What becomes of a puzzle in a format that has no bars, or holds nothing but a grid."""

from xwtui.formats.losses import Losses, name_places
from xwtui.model import Grid, Puzzle


def without_bars(grid: Grid, losses: Losses) -> Grid:
    """The grid without its bars, the loss of them noted."""
    beside = {position for bar in grid.bars for position in bar}
    losses.add("bars", sorted(beside), "left out, which joins entries")
    return grid.with_bars(()) if grid.bars else grid


def add_lost_clues(puzzle: Puzzle, flat: Grid, losses: Losses) -> None:
    """Note the clues of entries that the grid without bars does not have."""
    kept = {(slot.start, slot.direction) for slot in flat.slots}
    lost = [
        slot.name for slot in puzzle.grid.slots if puzzle.clue(slot) and (slot.start, slot.direction) not in kept
    ]
    losses.add("the clues", lost, "left out: without bars these are no entries")


def add_grid_only(puzzle: Puzzle, losses: Losses) -> None:
    """Note all that a format loses that holds letters and blocks alone: bars, marks, title page and clues."""
    grid = puzzle.grid
    without_bars(grid, losses)
    losses.add("circles", (at for at in grid.positions() if grid[at].circle), "left out")
    losses.add("shade", (at for at in grid.positions() if grid[at].shade), "left out")
    titles = {
        "title": puzzle.title,
        "author": puzzle.author,
        "copyright": puzzle.copyright,
        "notes": puzzle.notes,
    }
    if filled := [name for name, text in titles.items() if text]:
        losses.expect(f"the {', '.join(filled)}")
    if named := name_places(slot.name for slot in grid.slots if puzzle.clue(slot)):
        losses.expect(f"the clues of {named}")
