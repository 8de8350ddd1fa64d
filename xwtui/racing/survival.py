"""Survival: what share of an entrant's runs was settled by each time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from xwtui.racing.standing import Standing
from xwtui.racing.state import State


class Step(NamedTuple):
    """From so many search seconds on, this share of the runs is settled, 0 to 1."""

    seconds: float
    share: float


def settled_shares(runs: Sequence[Standing]) -> tuple[Step, ...]:
    """The share of settled runs over search seconds, a step at each time at which it rises.

    The estimate of Kaplan and Meier (1958), turned over: a run that was stopped, or whose time was up, is
    only known not to have been settled before; one that gave up, crashed or was ruled out never
    will be. Runs that were refused take no part.
    """
    ends = [_last_seen(run) for run in runs if run.state is not State.REFUSED]
    settled = sorted(run.search_seconds for run in runs if run.state.is_settled)
    unsettled_share = 1.0
    steps: list[Step] = []
    for seconds in sorted(set(settled)):
        at_risk = sum(end >= seconds for end in ends)
        unsettled_share *= 1 - settled.count(seconds) / at_risk
        steps.append(Step(seconds, 1 - unsettled_share))
    return tuple(steps)


def _last_seen(run: Standing) -> float:
    """Up to when it is known how a run fared."""
    lost = run.state in (State.GAVE_UP, State.CRASHED, State.FOUL)
    return math.inf if lost else run.search_seconds
