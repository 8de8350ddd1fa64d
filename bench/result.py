"""What a filler made of a template, and the statistics of several runs."""

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.naive.model import naive_answers
from xwtui.formats.grid_text import grid_from_text


class Run(NamedTuple):
    """One run: the filled rows as grid text (empty where it gave up), and the seconds until then."""

    rows: tuple[str, ...]
    seconds: float
    is_proof: bool = False
    """Whether it ended without a fill because there is none."""


def median_seconds(runs: Sequence[Run]) -> float | None:
    """The median over the runs on one template; None where some run gave up, or where there are none."""
    if not runs or not all(run.rows for run in runs):
        return None
    return statistics.median(run.seconds for run in runs)


class Scores(NamedTuple):
    """How good a fill is: the mean and the lowest score of its entries."""

    mean: float
    lowest: int


def scores(rows: Sequence[str], words: Mapping[str, int]) -> Scores:
    """The scores of a fill; a word that is not listed counts as 0."""
    found = [words.get(answer, 0) for answer in naive_answers(grid_from_text("\n".join(rows))).values()]
    return Scores(sum(found) / len(found), min(found))
