"""What `race` was asked to do, as plain values."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from xwtui.session.fill_options import HIGHEST_SEED
from xwtui.shell.options import search_request
from xwtui.shell.requests import SearchRequest


@dataclass(frozen=True)
class RaceRequest:
    """A race: who starts, as texts, how many seeds, how many seconds each, and the files that it goes to."""

    search: SearchRequest
    strategies: tuple[str, ...]
    seeds: int
    seconds: float
    outputs: tuple[Path, ...] = ()


def race_request(
    started: float, *, strategies: tuple[str, ...], seeds: int, outputs: tuple[Path, ...], **search: Any
) -> RaceRequest:
    """The request of `race`; raises UsageError where there is no end to it."""
    request = search_request(started, **search)
    if request.seconds is None or not math.isfinite(request.seconds):
        raise click.UsageError("a race needs a budget: --time with some seconds")
    if request.seed + seeds - 1 > HIGHEST_SEED:
        raise click.UsageError(f"the last seed would be over {HIGHEST_SEED:,}; take a smaller --seed")
    return RaceRequest(request, strategies, seeds, request.seconds, outputs)
