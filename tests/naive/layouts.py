"""Naive twins of profiles, layouts and what-if questions, by exhaustive enumeration."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

from tests.naive.model import moved, naive_regions, naive_slots
from xwtui.grids.profiles import Profile
from xwtui.model import BLOCK, OPEN, Direction, Grid, Kind, Position, Slot, Symmetry
from xwtui.model.review import Check

Place = tuple[int, int]


def naive_shortfalls(grid: Grid, profile: Profile) -> set[Check]:
    """Return the requirements of a profile that a grid fails."""
    slots = naive_slots(grid)
    rows = [[square.kind is Kind.OPEN for square in row] for row in grid.rows()]
    inside = [(row, column) for row, line in enumerate(rows) for column, is_open in enumerate(line) if is_open]
    across = {at for name, run in slots.items() if name.endswith("A") for at in run}
    down = {at for name, run in slots.items() if name.endswith("D") for at in run}
    missed: set[Check] = set()
    if profile.sizes and (grid.height, grid.width) not in profile.sizes:
        missed.add(Check.SIZE)
    if not profile.sizes and not all(
        profile.sides[0] <= side <= profile.sides[1] for side in (grid.height, grid.width)
    ):
        missed.add(Check.SIZE)
    if not any(moved(symmetry, rows) == rows and _turns_bars(grid, symmetry) for symmetry in profile.symmetries):
        missed.add(Check.SYMMETRY)
    if grid.bars and not profile.bars:
        missed.add(Check.BARS)
    if profile.connected and len(naive_regions(grid)) > 1:
        missed.add(Check.DISCONNECTED)
    if profile.most_unchecked_in_a_row == 0 and set(inside) - (across & down):
        missed.add(Check.UNCHECKED)
    if profile.lattice and len({(row % 2, column % 2) for row, column in inside}) == 4:
        missed.add(Check.LATTICE)
    return missed | _badly_checked(slots, across, down, profile) | _too_many(grid, slots, rows, profile)


def _badly_checked(
    slots: dict[str, tuple[Place, ...]], across: set[Place], down: set[Place], profile: Profile
) -> set[Check]:
    missed: set[Check] = set()
    for name, run in slots.items():
        others = down if name.endswith("A") else across
        marks = "".join("c" if at in others else "u" for at in run)
        if len(run) < profile.shortest_entry:
            missed.add(Check.SHORT_ENTRY)
        if profile.longest_entry is not None and len(run) > profile.longest_entry:
            missed.add(Check.LONG_ENTRY)
        if profile.most_unchecked_in_a_row == 0:
            if "u" in marks:
                missed.add(Check.UNCHECKED)
            continue
        if "u" * (profile.most_unchecked_in_a_row + 1) in marks:
            missed.add(Check.UNCHECKED_RUN)
        if profile.most_unchecked_at_start is not None and marks.startswith(
            "u" * (profile.most_unchecked_at_start + 1)
        ):
            missed.add(Check.UNCHECKED_RUN)
        if marks.count("c") / len(run) < profile.least_checked:
            missed.add(Check.UNCHECKED)
    return missed


def _too_many(
    grid: Grid, slots: dict[str, tuple[Place, ...]], rows: list[list[bool]], profile: Profile
) -> set[Check]:
    blocks = sum(not is_open for line in rows for is_open in line)
    threes = sum(len(run) == 3 for run in slots.values())
    return {
        demand
        for demand, number, limit in (
            (Check.WORDS, len(slots), profile.most_words),
            (Check.BLOCKS, blocks, profile.most_blocks),
            (Check.THREES, threes, profile.most_threes),
            (Check.CHEATERS, len(grid.cheaters), profile.most_cheaters),
            (Check.OPEN_AREA, naive_open_area(rows), profile.most_open_area),
        )
        if limit is not None and number > limit
    }


def _turns_bars(grid: Grid, symmetry: Symmetry) -> bool:
    """Whether the bars, drawn as marks between squares, have a symmetry."""
    marks = [[True] * (2 * grid.width - 1) for _ in range(2 * grid.height - 1)]
    for one, other in grid.bars:
        marks[one.row + other.row][one.column + other.column] = False
    return (grid.height == grid.width or not symmetry.needs_square_grid) and moved(symmetry, marks) == marks


def naive_open_area(rows: Sequence[Sequence[bool]]) -> int:
    """Return the area of the largest rectangle without blocks, by trying every rectangle."""
    height, width = len(rows), len(rows[0])
    return max(
        (
            (bottom - top) * (right - left)
            for top, left in product(range(height), range(width))
            for bottom, right in product(range(top + 1, height + 1), range(left + 1, width + 1))
            if all(all(line[left:right]) for line in rows[top:bottom])
        ),
        default=0,
    )


def naive_parting(costs: Sequence[Sequence[float]], walls: Sequence[bool | None], forbidden: float) -> float:
    """Return the minimum cost of a line's runs, by trying every way to block its squares."""
    best = forbidden
    for way in product((False, True), repeat=len(walls)):
        if any(wall is not None and wall is not is_block for wall, is_block in zip(walls, way, strict=True)):
            continue
        runs = "".join("#" if is_block else "o" for is_block in way).split("#")
        total, at = 0.0, 0
        for run in runs:
            price = costs[at][len(run)] if run else 0.0
            total += price if price < forbidden else float("inf")
            at += len(run) + 1
        best = min(best, total)
    return best


def naive_placings(
    grid: Grid, answers: Sequence[str], number: int, symmetry: Symmetry
) -> Iterator[Mapping[str, str]]:
    """Yield placements of `number` answers in across entries of an empty grid whose squares are symmetric."""
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
    """Return the possible block changes: pairs of added and removed sets.

    A block is added or removed with its mirror images, or both with equal numbers. For grids whose runs have at
    least three squares. Tries every pair of squares and rebuilds the grid.
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
    """Whether every run has at least three squares and the grid is connected."""
    lines = ["".join("." if square.is_open else "#" for square in row) for row in grid.rows()]
    runs = [run for line in (*lines, *map("".join, zip(*lines, strict=True))) for run in line.split("#") if run]
    return min(map(len, runs), default=0) >= 3 and len(naive_regions(grid)) == 1


def _is_within(before: Grid, after: Grid, most_words: int | None, most_blocks: int | None) -> bool:
    """Whether limits are met, or exceeded by no more than before."""
    counts = [
        (len(grid.slots), sum(square.kind is Kind.BLOCK for square in grid.squares)) for grid in (before, after)
    ]
    limits = (most_words, most_blocks)
    return all(limit is None or new <= max(limit, old) for old, new, limit in zip(*counts, limits, strict=True))
