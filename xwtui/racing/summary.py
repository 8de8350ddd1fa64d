"""What the runs of one entrant came to over all seeds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from xwtui.racing.standing import Standing
from xwtui.racing.state import State
from xwtui.racing.view import RaceView

PENALTY = 2.0
"""How many times its budget a failure counts in `penalised_seconds`: PAR2, as in SAT competitions."""


@dataclass(frozen=True)
class Summary:
    """One entrant; a run counts if it is settled or has failed, neither if it was refused or stopped."""

    entrant: str
    counted: int
    """Runs that are settled or have failed."""
    settled: int
    """Runs with a fill, or a proof that there is none."""
    filled: int
    failures: Mapping[State, int] = field(default_factory=dict)
    """How many runs ended in each kind of failure; only those that happened."""
    refused: int = 0
    stopped: int = 0
    median_seconds: float | None = None
    """Search seconds, a failure longer than any success; None where the median is a failure, or nothing counts."""
    penalised_seconds: float | None = None
    """The mean search seconds, each failure taken for `PENALTY` times the budget; None where nothing counts."""
    median_nodes: float | None = None
    """Of the settled runs, as what follows; None where there is none."""
    median_backtracks: float | None = None
    median_score: float | None = None
    """The median over the fills of their mean scores."""
    reason: str = ""
    """Why the first run failed, or was refused; else empty."""


def summaries(view: RaceView) -> tuple[Summary, ...]:
    """A summary for each entrant, in the order in which they were entered."""
    return tuple(summarise(entrant, view.of(entrant), view.order.seconds) for entrant in view.entrants)


def summarise(entrant: str, runs: Sequence[Standing], budget: float) -> Summary:
    """Sum the runs of an entrant up; `budget` is the most seconds that each might search."""
    states = Counter(run.state for run in runs)
    settled = [run for run in runs if run.state.is_settled]
    failed = [run for run in runs if run.state.is_failure]
    seconds = [run.search_seconds for run in settled]
    return Summary(
        entrant=entrant,
        counted=len(settled) + len(failed),
        settled=len(settled),
        filled=states[State.FILLED],
        failures={state: states[state] for state in State if state.is_failure and states[state]},
        refused=states[State.REFUSED],
        stopped=states[State.STOPPED],
        median_seconds=_median_or_none([*seconds, *[math.inf] * len(failed)]),
        penalised_seconds=_mean_or_none([*seconds, *[PENALTY * budget] * len(failed)]),
        median_nodes=_median_or_none(run.nodes for run in settled),
        median_backtracks=_median_or_none(run.backtracks for run in settled),
        median_score=_median_or_none(run.mean_score for run in settled if run.mean_score is not None),
        reason=next((run.reason for run in runs if run.reason and not run.state.is_settled), ""),
    )


def ranked(found: Iterable[Summary]) -> list[Summary]:
    """The best first: by the penalised seconds, those without any last."""
    return sorted(found, key=lambda one: math.inf if one.penalised_seconds is None else one.penalised_seconds)


def _median_or_none(values: Iterable[float]) -> float | None:
    found = list(values)
    middle = float(median(found)) if found else math.inf
    return middle if math.isfinite(middle) else None


def _mean_or_none(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
