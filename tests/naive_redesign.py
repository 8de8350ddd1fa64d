"""Naive twins of the questions what if: every layout and every placing, looked at one by one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

from xwtui.model import Direction, Grid, Slot, Symmetry


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
