"""Changes of single blocks, with their mirrors, that keep a grid one that editors take."""

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
"""Squares that a new entry has at least."""


@dataclass(frozen=True)
class BlockLimits:
    """How many entries and blocks a grid may have; None for as many as there are."""

    most_words: int | None = None
    most_blocks: int | None = None


NO_LIMITS = BlockLimits()


@dataclass(frozen=True)
class BlockChange:
    """Blocks that come, and blocks that go; both at once for blocks that move."""

    added: frozenset[Position] = frozenset()
    removed: frozenset[Position] = frozenset()

    def describe(self) -> str:
        """What to do: `add blocks at r1c5 and r15c11`."""
        if self.added and self.removed:
            noun = "block" if len(self.removed) == 1 else "blocks"
            old, new = (listed(map(str, sorted(squares)), "and") for squares in (self.removed, self.added))
            return f"move the {noun} at {old} to {new}"
        squares = self.added or self.removed
        noun = "block" if len(squares) == 1 else "blocks"
        return f"{'add' if self.added else 'remove'} {noun} at {listed(map(str, sorted(squares)), 'and')}"

    def brief(self) -> str:
        """The same in few cells: `+ r1c5 r15c11`, `r4c3 r12c13 → r4c4 r12c12`."""
        added = " ".join(map(str, sorted(self.added)))
        removed = " ".join(map(str, sorted(self.removed)))
        if self.added and self.removed:
            return f"{removed} → {added}"
        return f"+ {added}" if added else f"− {removed}"

    def on(self, grid: Grid) -> Grid:
        """The grid after the change; circles and shades of squares that become blocks are lost."""
        changes: dict[Position, Square] = dict.fromkeys(self.added, BLOCK)
        changes.update(dict.fromkeys(self.removed, OPEN))
        return grid.with_squares(changes)

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle after the change; clues of entries that begin elsewhere now wait for them, as in any edit."""
        return replace(puzzle, grid=self.on(puzzle.grid))


def legal_changes(
    grid: Grid, symmetry: Symmetry, limits: BlockLimits = NO_LIMITS, is_over: Callable[[], bool] = lambda: False
) -> Iterator[BlockChange]:
    """Every block that can be added, removed, or moved to any other square, with its mirrors; short moves first.

    Given squares stay open. No entry comes to be shorter than three, no square unchecked, no part cut
    off, that was not so before; and the limits are kept, or at least not missed by more than before.
    Ends early once `is_over` says so, which is asked often.
    """
    parts, flaws = len(regions(grid)), _flaws(grid)
    words, blocks = limits.most_words, limits.most_blocks
    is_regular = not (any(flaws) or grid.bars)  # then a look at what is near the change tells its flaws
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
    """How many runs are too short, and how many squares are in one entry alone."""
    short_runs = sum(len(slot) < SHORTEST_ENTRY for slot in grid.slots)
    return short_runs, sum(1 for _ in grid.open_positions()) - len(grid.checked)


def _cuts_short(grid: Grid, change: BlockChange) -> bool:
    """Whether a change leaves a run of less than three squares, in a grid without bars; looks nearby alone."""

    def is_open(at: Position) -> bool:
        return at in change.removed or (at in grid and grid[at].is_open and at not in change.added)

    beside = {at.step(way, step) for at in change.added for way in Direction for step in (-1, 1)}
    changed = {*filter(is_open, beside), *change.removed}
    return any(_run_length(at, way, is_open) < SHORTEST_ENTRY for at in changed for way in Direction)


def _run_length(at: Position, direction: Direction, is_open: Callable[[Position], bool]) -> int:
    """The squares of the run through an open square, counted to three at most."""
    length = 1
    for step in (-1, 1):
        beside = at.step(direction, step)
        while length < SHORTEST_ENTRY and is_open(beside):
            length += 1
            beside = beside.step(direction, step)
    return length


def _changes(grid: Grid, symmetry: Symmetry) -> Iterator[BlockChange]:
    """All changes of one orbit of squares, legal or not, each once."""
    orbits = {position: symmetry.orbit(position, grid.height, grid.width) for position in grid.positions()}
    free = {at for at in grid.open_positions() if not grid[at].is_given}
    closable = {orbit for orbit in orbits.values() if orbit <= free}
    walls = {orbit for orbit in orbits.values() if all(grid[at].kind is Kind.BLOCK for at in orbit)}
    yield from (BlockChange(added=orbit) for orbit in sorted(closable, key=sorted))
    yield from (BlockChange(removed=orbit) for orbit in sorted(walls, key=sorted))

    def steps(wall: frozenset[Position], orbit: frozenset[Position]) -> int:
        """The fewest from a block to where it, or its mirror image, comes to stand."""
        row, column = min(wall)
        return min(abs(at.row - row) + abs(at.column - column) for at in orbit)

    moves = [(wall, orbit) for wall in walls for orbit in closable if len(wall) == len(orbit)]
    for wall, orbit in sorted(moves, key=lambda move: (steps(*move), sorted(move[0]), sorted(move[1]))):
        yield BlockChange(orbit, wall)
