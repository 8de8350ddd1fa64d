"""Changes of single blocks and their mirror images that keep a grid acceptable to editors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import le

from xwtui.dataclasses import dataclass, replace
from xwtui.model.grid import Grid
from xwtui.model.puzzle import Puzzle
from xwtui.model.review import regions
from xwtui.model.square import BLOCK, OPEN, Kind, Square
from xwtui.model.where import Direction, Position, Symmetry
from xwtui.text import listed

SHORTEST_ENTRY = 3
"""Minimum length in squares of a new entry."""


@dataclass(frozen=True)
class BlockLimits:
    """Maximum numbers of entries and blocks; None for no limit."""

    most_words: int | None = None
    most_blocks: int | None = None


NO_LIMITS = BlockLimits()


@dataclass(frozen=True)
class BlockChange:
    """Blocks to add and blocks to remove. A move does both."""

    added: frozenset[Position] = frozenset()
    removed: frozenset[Position] = frozenset()

    def describe(self) -> str:
        """Return the instruction: `add blocks at r1c5 and r15c11`."""
        if self.added and self.removed:
            noun = "block" if len(self.removed) == 1 else "blocks"
            old, new = (listed(map(str, sorted(squares)), "and") for squares in (self.removed, self.added))
            return f"move the {noun} at {old} to {new}"
        squares = self.added or self.removed
        noun = "block" if len(squares) == 1 else "blocks"
        return f"{'add' if self.added else 'remove'} {noun} at {listed(map(str, sorted(squares)), 'and')}"

    def brief(self) -> str:
        """Return the short form: `+ r1c5 r15c11`, `r4c3 r12c13 → r4c4 r12c12`."""
        added = " ".join(map(str, sorted(self.added)))
        removed = " ".join(map(str, sorted(self.removed)))
        if self.added and self.removed:
            return f"{removed} → {added}"
        return f"+ {added}" if added else f"− {removed}"

    def on(self, grid: Grid) -> Grid:
        """Return the grid after the change; squares that become blocks lose their circles and shades."""
        changes: dict[Position, Square] = dict.fromkeys(self.added, BLOCK)
        changes.update(dict.fromkeys(self.removed, OPEN))
        return grid.with_squares(changes)

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle after the change; the clues of entries that no longer exist are kept."""
        return replace(puzzle, grid=self.on(puzzle.grid))


def legal_changes(
    grid: Grid, symmetry: Symmetry, limits: BlockLimits = NO_LIMITS, is_over: Callable[[], bool] = lambda: False
) -> Iterator[BlockChange]:
    """Yield every legal way to add, remove or move a block with its mirror images; short moves come first.

    Given squares stay open. A change adds no flaw: no entry shorter than three, unchecked square or separate
    region. The limits are kept, or at least not exceeded by more than before. The generator ends as soon as
    `is_over`, which it polls often, returns true.
    """
    parts, flaws = len(regions(grid)), _flaws(grid)
    words, blocks = limits.most_words, limits.most_blocks
    is_regular = not (any(flaws) or grid.bars)  # then checking the neighborhood of a change finds all its flaws
    for change in _changes(grid, symmetry):
        if is_over():
            return
        if is_regular and _cuts_short(grid, change):
            continue
        after = change.on(grid)
        if (
            (blocks is None or after.block_count <= max(blocks, grid.block_count))
            and 0 < len(regions(after)) <= parts
            and (words is None or len(after.slots) <= max(words, len(grid.slots)))
            and (is_regular or (after.slots and all(map(le, _flaws(after), flaws))))
        ):
            yield change


def _flaws(grid: Grid) -> tuple[int, int]:
    """Count the runs that are too short, and the squares that are in only one entry."""
    short_runs = sum(len(slot) < SHORTEST_ENTRY for slot in grid.slots)
    return short_runs, sum(1 for _ in grid.open_positions()) - len(grid.checked)


def _cuts_short(grid: Grid, change: BlockChange) -> bool:
    """Whether a change leaves a run of fewer than three squares. Checks only nearby squares; assumes no bars."""

    def is_open(at: Position) -> bool:
        return at in change.removed or (at in grid and grid[at].is_open and at not in change.added)

    beside = {near for at in change.added for near in at.neighbours}
    changed = {*filter(is_open, beside), *change.removed}
    return any(_run_length(at, way, is_open) < SHORTEST_ENTRY for at in changed for way in Direction)


def _run_length(at: Position, direction: Direction, is_open: Callable[[Position], bool]) -> int:
    """Return the length of the run through an open square, capped at three."""
    length = 1
    for step in (-1, 1):
        beside = at.step(direction, step)
        while length < SHORTEST_ENTRY and is_open(beside):
            length += 1
            beside = beside.step(direction, step)
    return length


def _changes(grid: Grid, symmetry: Symmetry) -> Iterator[BlockChange]:
    """Yield all changes of one orbit of squares, or one moved orbit, legal or not, each once."""
    orbits = {position: symmetry.orbit(position, grid.height, grid.width) for position in grid.positions()}
    free = {at for at in grid.open_positions() if not grid[at].is_given}
    closable = {orbit for orbit in orbits.values() if orbit <= free}
    walls = {orbit for orbit in orbits.values() if all(grid[at].kind is Kind.BLOCK for at in orbit)}
    yield from (BlockChange(added=orbit) for orbit in sorted(closable, key=sorted))
    yield from (BlockChange(removed=orbit) for orbit in sorted(walls, key=sorted))

    def steps(wall: frozenset[Position], orbit: frozenset[Position]) -> int:
        """Return the fewest steps from a block to the new position of the block or of a mirror image."""
        row, column = min(wall)
        return min(abs(at.row - row) + abs(at.column - column) for at in orbit)

    moves = [(wall, orbit) for wall in walls for orbit in closable if len(wall) == len(orbit)]
    for wall, orbit in sorted(moves, key=lambda move: (steps(*move), sorted(move[0]), sorted(move[1]))):
        yield BlockChange(orbit, wall)
