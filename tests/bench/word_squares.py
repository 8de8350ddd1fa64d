"""Word squares of the public yardstick: counted exactly, or one filled."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench.public_table import Square
from xwtui.engine.counting.estimator import Counter
from xwtui.engine.portfolio import fill
from xwtui.engine.problem import Problem
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

SECONDS = 120.0
"""The longest that one square may take."""


class Count(NamedTuple):
    """Squares whose fills are counted."""

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
"""Squares that are filled, all words different."""


def word_squares(folder: Path, threads: int) -> Iterator[Square]:
    """Every count and every fill, one after the other."""
    for words, side in COUNTS:
        for allow_repeats in (True, False):
            problem = _problem(folder, words, side, allow_repeats=allow_repeats)
            begin = time.perf_counter()
            exact = Counter(problem).exact(seconds=SECONDS, threads=threads)
            result = "out of time" if exact is None else f"{exact.exact:,}"
            task = "all fills" if allow_repeats else "all words different"
            yield Square(words, side, task, result, time.perf_counter() - begin)
    for words, side in FILLS:
        problem = _problem(folder, words, side, allow_repeats=False)
        filled = fill(problem, threads=threads, seconds=SECONDS)
        yield Square(words, side, "one fill", filled.outcome.value, filled.statistics.seconds_search)


def _problem(folder: Path, words: str, side: int, *, allow_repeats: bool) -> Problem:
    lexicon = Lexicon.build([read_word_list((folder / words).read_bytes(), words).word_list])
    return Problem.build(Grid.blank(side, side), lexicon, allow_repeats=allow_repeats)
