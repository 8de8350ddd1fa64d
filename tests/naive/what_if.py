"""Naive twins of the questions what if: every layout and every placing, looked at one by one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

from xwtui.model import BLOCK, OPEN, Direction, Grid, Kind, Position, Slot, Symmetry


def naive_placings(
    grid: Grid, answers: Sequence[str], number: int, symmetry: Symmetry
) -> Iterator[Mapping[str, str]]:
    """So many answers in across entries of an empty grid, whose squares together are their own mirror image."""
    across = [slot for slot in grid.slots if slot.direction is Direction.ACROSS]
    for chosen in combinations(across, number):
        if _is_mirrored(grid, chosen, symmetry):
            for order in permutations(answers, number):
                if all(len(slot) == len(answer) for slot, answer in zip(chosen, order, strict=True)):
                    yield {slot.name: answer for slot, answer in zip(chosen, order, strict=True)}


def _is_mirrored(grid: Grid, slots: Sequence[Slot], symmetry: Symmetry) -> bool:
    taken = {at for slot in slots for at in slot.positions}
    return all(set(symmetry.orbit(at, grid.height, grid.width)) <= taken for at in taken)


def naive_changes(
    grid: Grid, symmetry: Symmetry, most_words: int | None = None, most_blocks: int | None = None
) -> set[tuple[frozenset[Position], frozenset[Position]]]:
    """What blocks may come and which go: one with its mirrors comes, or goes, or both with as many squares.

    For grids whose runs have three squares or more. Every pair of squares is tried, and the grid drawn anew.
    """
    changes = set()
    nowhere: frozenset[Position] = frozenset()
    orbits = {frozenset(symmetry.orbit(at, grid.height, grid.width)) for at in grid.positions()}
    for coming in (*orbits, nowhere):
        for going in (*orbits, nowhere):
            is_move = bool(coming and going)
            if coming == going or (is_move and len(coming) != len(going)):
                continue
            if any(grid[at].kind is not Kind.BLOCK for at in going) or any(_is_taken(grid, at) for at in coming):
                continue
            after = grid.with_squares({**dict.fromkeys(coming, BLOCK), **dict.fromkeys(going, OPEN)})
            if is_sound(after) and _is_within(grid, after, most_words, most_blocks):
                changes.add((coming, going))
    return changes


def _is_taken(grid: Grid, at: Position) -> bool:
    return grid[at].kind is not Kind.OPEN or grid[at].is_given


def is_sound(grid: Grid) -> bool:
    """Whether no run is shorter than three, and every square can be reached from every other."""
    lines = ["".join("." if square.is_open else "#" for square in row) for row in grid.rows()]
    runs = [run for line in (*lines, *map("".join, zip(*lines, strict=True))) for run in line.split("#") if run]
    reached = set(list(grid.open_positions())[:1])
    while more := {at for here in reached for at in _beside(here) if at in grid and grid[at].is_open} - reached:
        reached |= more
    return min(map(len, runs), default=0) >= 3 and len(reached) == len(list(grid.open_positions()))


def _beside(at: Position) -> list[Position]:
    return [at.step(direction, step) for direction in Direction for step in (-1, 1)]


def _is_within(before: Grid, after: Grid, most_words: int | None, most_blocks: int | None) -> bool:
    """Whether limits are kept, or missed by no more than before."""
    counts = [
        (len(grid.slots), sum(square.kind is Kind.BLOCK for square in grid.squares)) for grid in (before, after)
    ]
    limits = (most_words, most_blocks)
    return all(limit is None or new <= max(limit, old) for old, new, limit in zip(*counts, limits, strict=True))
