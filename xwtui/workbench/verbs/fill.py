"""The verbs for the filler: run it, step it, stop it, take what it found."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from xwtui.model import Position, Slot
from xwtui.model.selection import around
from xwtui.workbench.orders import HIGHEST_SEED, MOST_THREADS, FillOrder, Mode
from xwtui.workbench.verbs.fill_types import SquaresType
from xwtui.workbench.verbs.types import NumberType, Place, PlaceType, SecondsType, VerbType
from xwtui.workbench.verbs.verb import Answer, Group, Reply, verb

if TYPE_CHECKING:
    from xwtui.workbench.workbench import Workbench

SEED = NumberType(0, HIGHEST_SEED)
THREADS = NumberType(0, MOST_THREADS)
_STARTED = Reply(started=True)


class TargetType(VerbType[str]):
    """What a search may run up to."""

    name = "target"

    def read(self, text: str, workbench: Workbench) -> str:
        """The text as it is; the search makes sense of it."""
        return text

    def offers(self, workbench: Workbench, beginning: str) -> list[CompletionItem[str]]:
        """The events, then the entries."""
        names = ["backtrack", "restart", "solved", *(slot.name for slot in workbench.puzzle.grid.slots)]
        return [CompletionItem(name) for name in names if name.lower().startswith(beginning.lower())]


@verb(Group.FILL, key="f5", examples=("fill", "fill --time 5", "fill --only r1c1:r5c5", "fill --around 17A"))
@click.option(
    "--time", "seconds", type=SecondsType(), help="seconds at most; without it, until it ends or is stopped"
)
@click.option("--seed", type=SEED, help="the same seed makes the same fill; without it, each fill is another one")
@click.option("--threads", type=THREADS, help="searches side by side, 0 for one a core; only one can be stepped")
@click.option("--min-score", type=NumberType(0, 100), help="the lowest score that a word may have in this fill")
@click.option("--only", type=SquaresType(), help="fill these alone: r1c1:r5c5, 17A,3D or `selection`")
@click.option("--around", "near", type=PlaceType(squares=False), help="fill an entry and its crossings alone")
@click.option("--partial", is_flag=True, help="fill what can be filled, where a whole fill cannot be had")
def fill(
    workbench: Workbench, only: frozenset[Position] | None, near: Place | None, partial: bool, **options: Any
) -> Answer:
    """Fill all that is empty or in pencil; what is in pen or locked stays.

    With --only or --around, pencil elsewhere stays too.
    """
    selection = part_wanted(workbench, only, near)
    mode = Mode.PARTIAL if partial else Mode.FILL
    workbench.begin(FillOrder(mode, selection=selection, **search_wanted(workbench, **options)))
    return _STARTED


def part_wanted(
    workbench: Workbench, only: frozenset[Position] | None, near: Place | None
) -> frozenset[Position] | None:
    """The squares that a run is bounded to; None for the whole grid."""
    if near is None:
        return only
    assert isinstance(near, Slot)
    return around(workbench.puzzle.grid, near) | (only or frozenset())


def search_wanted(
    workbench: Workbench, seconds: float | None, seed: int | None, threads: int | None, min_score: int | None
) -> dict[str, Any]:
    """The options that all runs share, as an order takes them."""
    return {
        "seconds": seconds,
        "seed": seed,
        "threads": threads_wanted(workbench, threads),
        "minimum_score": min_score,
    }


def threads_wanted(workbench: Workbench, threads: int | None) -> int:
    """How many threads a run takes: those asked for, else those of the settings; 0 stands for one a core."""
    if threads is None:
        return workbench.settings.threads
    return threads or os.cpu_count() or 1


@verb(Group.FILL, key="f10", examples=("step", "step 10"))
@click.argument("events", type=NumberType(1, 1_000_000), default="1", help="how many events")
def step(workbench: Workbench, events: int) -> Answer:
    """Take the search on by an event: a decision, a pruning, a dead end, a backtrack.

    Where no search stands, one begins; one that runs stands still after the event.
    """
    workbench.step(events)
    return _STARTED


@verb(Group.FILL, name="continue", key="f9", examples=("continue",), aliases=("resume",))
def continue_(workbench: Workbench) -> Answer:
    """Let a search that stands still run on to its end."""
    workbench.resume()
    return _STARTED


@verb(Group.FILL, examples=("until backtrack", "until restart", "until solved", "until 17A"))
@click.argument("target", type=TargetType(), help="backtrack, restart, solved, or an entry")
def until(workbench: Workbench, target: str) -> Answer:
    """Take the search on up to the next backtrack or restart, to its end, or until it comes to an entry."""
    workbench.until(target)
    return _STARTED


@verb(Group.FILL, key="f6", examples=("stop",))
def stop(workbench: Workbench) -> Answer:
    """Drop the search; the grid is as it was before."""
    return "stopped" if workbench.stop() else "nothing is running"
