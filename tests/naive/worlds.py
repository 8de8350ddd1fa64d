"""Random small problems of every kind, with all fills by brute force.

They cover blocks, bars, linked lights, given letters and rebus squares, banned words and repeats. Words come from
a few random fills, so that most problems have fills.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from tests.naive.engine import Path, naive_fills, naive_paths
from xwtui.engine.problem.problem import Problem
from xwtui.model import BLOCK, OPEN, Bar, Content, Direction, Grid, Ink, Position, Square
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

LETTERS = "ABCD"
Squares = dict[Position, Content]
REBUSES = [*map(Content.of, ("AB", "CA", "2B")), Content("B", "C")]


@dataclass(frozen=True)
class World:
    """A problem small enough to enumerate."""

    grid: Grid
    words: Mapping[str, int]
    """All words of the list with scores."""
    banned: frozenset[str]
    allow_repeats: bool

    @cached_property
    def problem(self) -> Problem:
        words = WordList.from_scores("words", self.words)
        return Problem.build(
            self.grid, Lexicon.build([words], banned=self.banned), allow_repeats=self.allow_repeats
        )

    @cached_property
    def fills(self) -> list[Squares]:
        allowed = [word for word in self.words if word not in self.banned]
        return list(naive_fills(self.grid, allowed, allow_repeats=self.allow_repeats))

    @cached_property
    def paths(self) -> dict[str, Path]:
        return naive_paths(self.grid)

    def answers(self, fill: Mapping[Position, Content]) -> dict[str, str]:
        """Return the answers of a fill by entry name."""
        return {name: "".join(fill[at].reading(way) for at, way in path) for name, path in self.paths.items()}

    def scores(self, fill: Mapping[Position, Content]) -> list[int]:
        """Return the scores of entries that are not given whole."""
        chosen = [name for name, path in self.paths.items() if not all(self.grid[at].is_given for at, _ in path)]
        answers = self.answers(fill)
        return [self.words[answers[name]] for name in chosen]


def random_world(rng: Random, *, largest: int = 4, scores: tuple[int, ...] = (40, 45, 90)) -> World:
    """Return a problem of at least 3x3."""
    height, width = rng.randint(3, largest), rng.randint(3, largest)
    blocks = rng.choice((0.0, 0.2, 0.35)) if height * width < 12 else 0.35
    bars, given = rng.choice((0.0, 0.0, 0.15)), rng.choice((0.0, 0.1))
    letters = [*map(Content.of, LETTERS)]

    def square() -> Square:
        if rng.random() < blocks:
            return BLOCK
        if rng.random() >= given:
            return OPEN
        content = rng.choice(letters + REBUSES * (rng.random() < 0.3))
        return Square(content=content, ink=rng.choice([Ink.PEN, Ink.LOCKED]))

    grid = _linked(_barred(Grid(height, width, tuple(square() for _ in range(height * width))), bars, rng), rng)
    words: dict[str, int] = {}
    for _ in range(rng.randint(1, 4)):
        drawn = {at: grid[at].content or rng.choice(letters) for at in grid.open_positions()}
        for path in naive_paths(grid).values():
            words["".join(drawn[at].reading(way) for at, way in path)] = rng.choice(scores)
    for _ in range(rng.randint(0, 25)):
        words["".join(rng.choices(LETTERS, k=rng.randint(2, largest)))] = rng.choice(scores)
    banned = rng.sample(sorted(words), k=min(len(words), rng.choice((0, 0, 1, 3))))
    return World(grid, words, frozenset(banned), rng.random() < 0.3)


def _barred(grid: Grid, share: float, rng: Random) -> Grid:
    """Return the grid with bars between this share of neighboring squares."""
    pairs = [(one, one.step(way)) for one in grid.positions() for way in Direction]
    return grid.with_bars(Bar(one, next_) for one, next_ in pairs if next_ in grid and rng.random() < share)


def _linked(grid: Grid, rng: Random) -> Grid:
    """Return the grid, sometimes with two lights linked."""
    if rng.random() > 0.2 or len(grid.slots) < 2:
        return grid
    return grid.with_links([tuple(light.key for light in rng.sample(grid.slots, 2))])
