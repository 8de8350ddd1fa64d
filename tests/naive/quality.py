"""Naive twin of the improver: what a fill is worth by an objective, and the best of all fills."""

from collections.abc import Mapping

from tests.naive.engine import Words, given_content, naive_fills, read_answer
from xwtui.engine.improve.improvement import Aim, Objective
from xwtui.model import Content, Direction, Grid, Position


def naive_scores(grid: Grid, squares: Mapping[Position, Content], words: Words) -> list[int]:
    """The scores of the entries that are not given whole."""
    return [
        words.get(read_answer(squares, slot), 0)
        for slot in grid.slots
        if not all(given_content(grid, position) for position in slot.positions)
    ]


def naive_value(grid: Grid, squares: Mapping[Position, Content], words: Words, objective: Objective) -> float:
    """The value of a fill in the objective's unit."""
    scores = naive_scores(grid, squares, words)
    letters = {at: letters_read(grid, at, content) for at, content in squares.items()}
    match objective.aim:
        case Aim.MEAN:
            return sum(scores) / len(scores) if scores else 0.0
        case Aim.LOWEST:
            return min(scores, default=100)
        case Aim.FLATTENED:
            flat = [100 * (score / 100) ** objective.exponent for score in scores]
            return sum(flat) / len(flat) if flat else 0.0
        case Aim.FEWER_BELOW:
            return sum(score < objective.mark for score in scores)
        case Aim.FRESH:
            return len(set("".join(letters.values())) & set(objective.letters))
        case Aim.AVOID:
            unwanted = set(objective.letters)
            return sum(bool(set(read) & unwanted) for read in letters.values())


def letters_read(grid: Grid, position: Position, content: Content) -> str:
    """The letters that entries read at a square: of two readings not the one that no entry has."""
    return "".join(content.reading(way) for way in Direction if grid.slot_at(position, way) is not None)


def naive_rank(
    grid: Grid, squares: Mapping[Position, Content], words: Words, objective: Objective
) -> tuple[float, ...]:
    """What fills are compared by, the greater the better: the value, then what breaks ties."""
    scores = naive_scores(grid, squares, words)
    value = naive_value(grid, squares, words, objective)
    first = value if objective.higher_is_better else -value
    ties = () if objective.aim is Aim.FLATTENED else (sum(scores),)
    return (round(first, 5), *ties)


def naive_best(grid: Grid, words: Words, objective: Objective) -> dict[Position, Content] | None:
    """A best fill, of all fills; None where there is none."""
    fills = naive_fills(grid, words)
    return max(fills, key=lambda fill: naive_rank(grid, fill, words, objective), default=None)
