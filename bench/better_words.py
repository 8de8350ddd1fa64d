"""Quality gained by a plain `fill`, which spends some hundredths of a second improving the first fill found."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

from bench.tables import duration, table
from xwtui import api
from xwtui.engine.budget import Budget
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.improve.improver import with_better_words
from xwtui.engine.warmup import warm_up
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Position, Puzzle
from xwtui.model.edits import write_fill
from xwtui.words.lexicon import Lexicon

_GOOD = 50
_SECONDS = 10.0


class Fill(NamedTuple):
    """Scores of a fill's answers, and the processor seconds it took."""

    scores: Sequence[int]
    seconds: float

    @classmethod
    def of(cls, puzzle: Puzzle, squares: Mapping[Position, Content], words: Lexicon, begun: float) -> "Fill":
        """Return the figures of a fill that has just been found."""
        seconds = process_time() - begun
        grid = write_fill(puzzle, squares).grid
        answers = [grid.answer(slot) for slot in grid.slots]
        return cls([words.score(answer) or 0 for answer in answers if answer], seconds)


def lines(
    templates: Mapping[str, Sequence[Path]], seeds: Sequence[int], words: Lexicon, tell: Callable[[str], None]
) -> list[str]:
    """Measure, and return a table with two rows per kind of template."""
    warm_up(counting=False, improving=True)
    rows = []
    for kind, paths in templates.items():
        tell(kind)
        pairs = [pair for path in paths for pair in _pairs(path, seeds, words)]
        if pairs:
            first, plain = zip(*pairs, strict=True)
            rows += [[kind, *_figures(first)], ["", *_figures(plain)]]
    return [
        "For each kind of template, the first fill found and, below it, what `fill` makes of it: the share of "
        f"answers that score {_GOOD} or more, the averages of the mean and lowest scores, and seconds of the "
        "processor.",
        "",
        *table(["templates", "fills", f"{_GOOD} or more", "mean", "lowest", "median", "longest"], rows),
    ]


def _pairs(path: Path, seeds: Sequence[int], words: Lexicon) -> list[tuple[Fill, Fill]]:
    puzzle, found = read_puzzle(path), []
    for seed in seeds:
        problem = api.problem_of(puzzle, words=words)
        begun = process_time()
        squares = fill(problem, Budget(seed=seed, seconds=_SECONDS)).squares
        if squares:
            first = Fill.of(puzzle, squares, words, begun)
            begun = process_time() - first.seconds
            found.append(
                (first, Fill.of(puzzle, with_better_words(problem, squares, Budget(seed=seed)), words, begun))
            )
    return found


def _figures(fills: Sequence[Fill]) -> list[str]:
    seconds = [fill.seconds for fill in fills]
    answers = [score for fill in fills for score in fill.scores]
    return [
        str(len(fills)),
        f"{sum(score >= _GOOD for score in answers) / len(answers):.1%}",
        f"{statistics.mean(statistics.mean(fill.scores) for fill in fills):.1f}",
        f"{statistics.mean(min(fill.scores) for fill in fills):.1f}",
        duration(statistics.median(seconds)),
        duration(max(seconds)),
    ]
