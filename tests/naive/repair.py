"""Naive twin of repairs: of all fills, the one that changes fewest squares, and of those the best mean."""

from collections.abc import Mapping

from tests.naive.engine import Words, naive_fills, read_answer
from tests.naive.quality import naive_scores
from xwtui.model import Content, Grid, Position

Cost = tuple[int, float]
"""How many squares are changed, and the mean score with a minus before it."""


def naive_cost(
    grid: Grid, standing: Mapping[Position, Content], fill: Mapping[Position, Content], words: Words
) -> Cost:
    """What a fill costs; what was empty costs nothing."""
    scores = naive_scores(grid, fill, words)
    changed = sum(standing.get(at, content) != content for at, content in fill.items())
    return changed, -round(sum(scores) / len(scores) if scores else 0.0, 6)


def naive_repair(grid: Grid, standing: Mapping[Position, Content], words: Words) -> Cost | None:
    """What the smallest change costs; None where there is no fill."""
    return min((naive_cost(grid, standing, fill, words) for fill in naive_fills(grid, words)), default=None)


def naive_swaps(grid: Grid, standing: Mapping[Position, Content], words: Words, entry: str) -> dict[str, Cost]:
    """For each other answer that an entry can have, what its smallest change costs."""
    slot = grid.slots_by_name[entry]
    here = read_answer(standing, slot) if all(at in standing for at in slot.positions) else None
    costs: dict[str, Cost] = {}
    for fill in naive_fills(grid, words):
        answer, cost = read_answer(fill, slot), naive_cost(grid, standing, fill, words)
        if answer != here:
            costs[answer] = min(costs.get(answer, cost), cost)
    return costs
