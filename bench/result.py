"""The result of a filler on a template, and statistics over several runs."""

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.naive.model import naive_answers
from xwtui.formats.grid_text import grid_from_text


class Run(NamedTuple):
    """One run: the filled rows as grid text (empty if it gave up), and the seconds it took."""

    rows: tuple[str, ...]
    seconds: float
    is_proof: bool = False
    """Whether it ended with a proof that there is no fill."""


def median_seconds(runs: Sequence[Run]) -> float | None:
    """Return the median over the runs on one template; None if a run gave up or there are none."""
    if not runs or not all(run.rows for run in runs):
        return None
    return statistics.median(run.seconds for run in runs)


class Scores(NamedTuple):
    """Quality of a fill: the mean and the lowest score of its entries."""

    mean: float
    lowest: int


def scores(rows: Sequence[str], words: Mapping[str, int]) -> Scores:
    """Return the scores of a fill; an unlisted word counts as 0."""
    found = [words.get(answer, 0) for answer in naive_answers(grid_from_text("\n".join(rows))).values()]
    return Scores(sum(found) / len(found), min(found))
