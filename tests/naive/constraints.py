"""Naive twin of the global constraints: a constraint is a question to a finished fill."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.naive.engine import read_answer
from xwtui.model import Content, Grid, Position

Fill = Mapping[Position, Content]


@dataclass(frozen=True)
class SquaresHold:
    """Between `least` and `most` of some squares hold one of some contents."""

    squares: tuple[Position, ...]
    contents: frozenset[Content]
    least: int
    most: int

    def obeyed(self, _grid: Grid, fill: Fill) -> bool:
        return self.least <= sum(fill[position] in self.contents for position in self.squares) <= self.most


@dataclass(frozen=True)
class EntriesHave:
    """Between `least` and `most` entries have one of some answers."""

    answers: frozenset[str]
    least: int
    most: int

    def obeyed(self, grid: Grid, fill: Fill) -> bool:
        return self.least <= sum(answer in self.answers for answer in answers(grid, fill)) <= self.most


@dataclass(frozen=True)
class Alike:
    """Two squares hold one of some contents, or neither does."""

    first: Position
    second: Position
    contents: frozenset[Content]

    def obeyed(self, _grid: Grid, fill: Fill) -> bool:
        return (fill[self.first] in self.contents) == (fill[self.second] in self.contents)


@dataclass(frozen=True)
class NothingShared:
    """No two answers share a key."""

    keys: Callable[[str], frozenset[str]]

    def obeyed(self, grid: Grid, fill: Fill) -> bool:
        """Whether each two answers have keys of their own."""
        keys = [self.keys(answer) for answer in answers(grid, fill)]
        return sum(map(len, keys)) == len(frozenset().union(*keys))


GlobalConstraint = SquaresHold | EntriesHave | Alike | NothingShared


def answers(grid: Grid, fill: Fill) -> Sequence[str]:
    return [read_answer(fill, slot) for slot in grid.slots]


def runs(length: int) -> Callable[[str], frozenset[str]]:
    """The runs of so many letters in a word."""
    return lambda word: frozenset(word[start : start + length] for start in range(len(word) - length + 1))
