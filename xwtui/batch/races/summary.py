"""Summaries of an entrant's runs over all seeds, and the share settled by each time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from xwtui.batch.races.task import RaceView, RunState, RunStatus
from xwtui.dataclasses import dataclass, field

PENALTY = 2.0
"""In `penalised_seconds`, a failure counts this multiple of its budget: PAR2, as in SAT competitions."""


@dataclass(frozen=True)
class Summary:
    """The summary of one entrant. Runs that were refused or stopped do not count."""

    entrant: str
    counted: int
    """Runs that are settled or have failed."""
    settled: int
    """Runs with a fill, or a proof that there is none."""
    filled: int
    failures: Mapping[RunState, int] = field(default_factory=dict)
    """Number of runs for each kind of failure that occurred."""
    refused: int = 0
    stopped: int = 0
    median_seconds: float | None = None
    """Median search seconds, failures counting as infinite; None if the median is a failure or nothing counts."""
    penalised_seconds: float | None = None
    """Mean search seconds, each failure counting `PENALTY` times the budget; None if nothing counts."""
    median_nodes: float | None = None
    """Over the settled runs, like the next two; None if there are none."""
    median_backtracks: float | None = None
    median_score: float | None = None
    """The median over the fills of their mean scores."""
    reason: str = ""
    """Why the first failed or refused run did so; else empty."""


def summarise(entrant: str, runs: Sequence[RunStatus], budget: float) -> Summary:
    """Summarize the runs of an entrant; `budget` is the search limit of each in seconds."""
    states = Counter(run.state for run in runs)
    settled = [run for run in runs if run.state.is_settled]
    failed = [run for run in runs if run.state.is_failure]
    seconds = [run.search_seconds for run in settled]
    penalised = [*seconds, *[PENALTY * budget] * len(failed)]
    return Summary(
        entrant=entrant,
        counted=len(settled) + len(failed),
        settled=len(settled),
        filled=states[RunState.FILLED],
        failures={state: states[state] for state in RunState if state.is_failure and states[state]},
        refused=states[RunState.REFUSED],
        stopped=states[RunState.STOPPED],
        median_seconds=_median_or_none([*seconds, *[math.inf] * len(failed)]),
        penalised_seconds=sum(penalised) / len(penalised) if penalised else None,
        median_nodes=_median_or_none(run.nodes for run in settled),
        median_backtracks=_median_or_none(run.backtracks for run in settled),
        median_score=_median_or_none(run.mean_score for run in settled if run.mean_score is not None),
        reason=next((run.reason for run in runs if run.reason and not run.state.is_settled), ""),
    )


def ranked_summaries(view: RaceView) -> list[Summary]:
    """Return the summaries of all entrants, best first by penalized seconds, those without any last."""
    found = [summarise(entrant, view.of(entrant), view.order.seconds) for entrant in view.entrants]
    return sorted(found, key=lambda one: math.inf if one.penalised_seconds is None else one.penalised_seconds)


def _median_or_none(values: Iterable[float]) -> float | None:
    found = list(values)
    middle = float(median(found)) if found else math.inf
    return middle if math.isfinite(middle) else None


class Step(NamedTuple):
    """From this many search seconds on, this share of the runs is settled, 0 to 1."""

    seconds: float
    share: float


def settled_shares(runs: Sequence[RunStatus]) -> tuple[Step, ...]:
    """Return the share of settled runs over search seconds, with a step at each time at which it rises.

    This is the Kaplan-Meier estimate (1958), inverted. A run that was stopped or timed out is only known not to
    have been settled before that; one that gave up, crashed or was disqualified never will be. Refused runs do not
    count.
    """
    lost = (RunState.GAVE_UP, RunState.CRASHED, RunState.FOUL)
    took_part = (run for run in runs if run.state is not RunState.REFUSED)
    ends = [math.inf if run.state in lost else run.search_seconds for run in took_part]
    settled = sorted(run.search_seconds for run in runs if run.state.is_settled)
    unsettled_share = 1.0
    steps: list[Step] = []
    for seconds in sorted(set(settled)):
        at_risk = sum(end >= seconds for end in ends)
        unsettled_share *= 1 - settled.count(seconds) / at_risk
        steps.append(Step(seconds, 1 - unsettled_share))
    return tuple(steps)
