"""Changes of single blocks, with their mirrors, that keep a grid one that editors take."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xwtui.dataclasses import dataclass, replace
from xwtui.model.grid import Grid
from xwtui.model.puzzle import Puzzle
from xwtui.model.review import regions
from xwtui.model.square import BLOCK, OPEN, Kind, Square
from xwtui.model.where import Direction, Position, Symmetry

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
            return f"move the {noun} at {_named(self.removed)} to {_named(self.added)}"
        squares = self.added or self.removed
        noun = "block" if len(squares) == 1 else "blocks"
        return f"{'add' if self.added else 'remove'} {noun} at {_named(squares)}"

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
    before = _Shape.of(grid)
    is_regular = not (before.short_runs or before.loose_squares or grid.bars)
    for change in _changes(grid, symmetry):
        if is_over():
            return
        if is_regular:
            if not _cuts_short(grid, change) and _keeps(change.on(grid), before, limits):
                yield change
        elif _Shape.of(change.on(grid)).is_no_worse_than(before, limits):
            yield change


def _keeps(after: Grid, before: _Shape, limits: BlockLimits) -> bool:
    """Whether a change that cuts no run short leaves the grid in one part, and within the limits."""
    blocks, words = limits.most_blocks, limits.most_words
    return (
        (blocks is None or after.block_count <= max(blocks, before.blocks))
        and 0 < len(regions(after)) <= before.regions
        and (words is None or len(after.slots) <= max(words, before.words))
    )


@dataclass(frozen=True)
class _Shape:
    """What counts in a layout."""

    short_runs: int
    loose_squares: int
    """Squares in one entry alone."""
    regions: int
    words: int
    blocks: int

    @classmethod
    def of(cls, grid: Grid) -> _Shape:
        open_squares = sum(1 for _ in grid.open_positions())
        return cls(
            sum(len(slot) < SHORTEST_ENTRY for slot in grid.slots),
            open_squares - len(grid.checked),
            len(regions(grid)),
            len(grid.slots),
            grid.block_count,
        )

    def is_no_worse_than(self, before: _Shape, limits: BlockLimits) -> bool:
        return (
            self.short_runs <= before.short_runs
            and self.loose_squares <= before.loose_squares
            and self.regions <= before.regions
            and (limits.most_words is None or self.words <= max(limits.most_words, before.words))
            and (limits.most_blocks is None or self.blocks <= max(limits.most_blocks, before.blocks))
            and self.words > 0
        )


def _cuts_short(grid: Grid, change: BlockChange) -> bool:
    """Whether a change leaves a run of less than three squares, in a grid without bars; looks nearby alone."""

    def is_open(at: Position) -> bool:
        return at in change.removed or (at in grid and grid[at].is_open and at not in change.added)

    nearby = {beside for at in change.added for beside in _neighbours(grid, at) if is_open(beside)}
    return any(
        _run_length(at, direction, is_open) < SHORTEST_ENTRY
        for at in nearby | change.removed
        for direction in Direction
    )


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
    closable = {orbit for orbit in orbits.values() if all(_is_free(grid[at]) for at in orbit)}
    walls = {orbit for orbit in orbits.values() if all(grid[at].kind is Kind.BLOCK for at in orbit)}
    yield from (BlockChange(added=orbit) for orbit in sorted(closable, key=sorted))
    yield from (BlockChange(removed=orbit) for orbit in sorted(walls, key=sorted))
    moves = [(wall, orbit) for wall in walls for orbit in closable if len(wall) == len(orbit)]
    for wall, orbit in sorted(moves, key=lambda move: (_distance(*move), sorted(move[0]), sorted(move[1]))):
        yield BlockChange(orbit, wall)


def _distance(wall: frozenset[Position], orbit: frozenset[Position]) -> int:
    """The fewest steps from a block to where it, or its mirror image, comes to stand."""
    row, column = min(wall)
    return min(abs(at.row - row) + abs(at.column - column) for at in orbit)


def _is_free(square: Square) -> bool:
    return square.is_open and not square.is_given


def _neighbours(grid: Grid, position: Position) -> Iterator[Position]:
    for direction in Direction:
        for step in (-1, 1):
            if (neighbour := position.step(direction, step)) in grid:
                yield neighbour


def _named(squares: frozenset[Position]) -> str:
    *head, tail = [str(position) for position in sorted(squares)]
    return f"{', '.join(head)} and {tail}" if head else tail
