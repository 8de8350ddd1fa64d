"""Word squares of the public benchmark: fills counted exactly, or one fill found."""

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.public_table import Square
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimator import Counter
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.problem.constraints import GlobalConstraints, Link
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

SECONDS = 120.0
"""Time limit per square."""


class Count(NamedTuple):
    """Word squares whose fills are counted."""

    words: str
    side: int


COUNTS = (
    Count("berghel_rankin_134.txt", 5),
    Count("berghel_rankin_128_nosol.txt", 5),
    Count("dicts/words.txt", 3),
    Count("dicts/words.txt", 4),
    Count("dicts/words.txt", 5),
    Count("dicts/uk.txt", 3),
    Count("sgb-words.txt", 5),
)
FILLS = (Count("dicts/words.txt", 6), Count("dicts/uk.txt", 6), Count("dicts/uk.txt", 7))
"""Word squares that are filled, with all words different."""


def word_squares(folder: Path, threads: int) -> Iterator[Square]:
    """Run every count and every fill in turn."""
    for words, side in COUNTS:
        free, different = (_problem(folder, words, side, allow_repeats=repeats) for repeats in (True, False))
        yield _counted(words, side, "all fills", free, threads)
        yield _counted(words, side, "symmetric", symmetric(free), threads)
        yield _counted(words, side, "all words different", different, threads)
    words, side = COUNTS[0]
    without = _problem(folder, words, side, allow_repeats=True, banned=("AARON",))
    yield _counted(words, side, "all fills without AARON", without, threads)
    for words, side in FILLS:
        problem = _problem(folder, words, side, allow_repeats=False)
        filled = fill(problem, Budget(threads=threads, seconds=SECONDS))
        yield Square(words, side, "one fill", filled.outcome.value, filled.statistics.seconds_search)


def symmetric(problem: Problem) -> Problem:
    """Return the problem of symmetric word squares: mirrored squares hold the same letter."""
    square_at = {(position.row, position.column): square for square, position in enumerate(problem.positions)}
    links = tuple(
        Link("the same letter", square, square_at[column, row], 1 << letter)
        for (row, column), square in square_at.items()
        if row < column
        for letter in range(26)
    )
    return problem.rebuilt_with(GlobalConstraints(links=links))


def _counted(words: str, side: int, task: str, problem: Problem, threads: int) -> Square:
    begin = time.perf_counter()
    exact = Counter(problem).exact(Budget(SECONDS))
    result = "out of time" if exact is None else f"{exact.exact:,}"
    return Square(words, side, task, result, time.perf_counter() - begin)


def _problem(folder: Path, words: str, side: int, *, allow_repeats: bool, banned: Collection[str] = ()) -> Problem:
    lexicon = Lexicon.build([read_word_list((folder / words).read_bytes(), words).word_list], banned=banned)
    return Problem.build(Grid.blank(side, side), lexicon, allow_repeats=allow_repeats)
