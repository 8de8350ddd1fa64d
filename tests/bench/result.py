"""What a filler made of a template, and the statistics of several runs."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Run(NamedTuple):
    """One run: the filled rows as grid text (empty where it gave up), and its seconds.

    `search` is what the filler itself says it searched, None where it says nothing; `whole` is
    from starting the process to its end.
    """

    rows: tuple[str, ...]
    search: float | None
    whole: float


class Summary(NamedTuple):
    """Medians over the runs on one template; None where some run gave up."""

    search: float | None
    whole: float | None


def summary(runs: Sequence[Run]) -> Summary:
    """Sum up the runs of one filler on one template."""
    if not runs or not all(run.rows for run in runs):
        return Summary(None, None)
    searches = [run.search for run in runs if run.search is not None]
    return Summary(
        search=statistics.median(searches) if searches else None,
        whole=statistics.median(run.whole for run in runs),
    )
