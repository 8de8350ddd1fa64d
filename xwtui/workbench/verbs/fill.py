"""The verbs for the filler: run it, step it, stop it, take what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.model import Slot
from xwtui.workbench.verbs.types import NumberType, Place, PlaceType, SecondsType, VerbType
from xwtui.workbench.verbs.verb import Answer, Group, Reply, verb

if TYPE_CHECKING:
    from xwtui.workbench.workbench import Workbench

_SEED = NumberType(0, 2**63 - 1)
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


@verb(Group.FILL, key="f5", examples=("fill", "fill --time 5 --seed 3 --threads 2"))
@click.option(
    "--time", "seconds", type=SecondsType(), help="seconds at most; without it, until it ends or is stopped"
)
@click.option("--seed", type=_SEED, help="the same seed makes the same fill; without it, each fill is another one")
@click.option("--threads", type=NumberType(1, 64), help="searches side by side; only one alone can be stepped")
def fill(workbench: Workbench, seconds: float | None, seed: int | None, threads: int | None) -> Answer:
    """Fill all that is empty or in pencil; what is in pen or locked stays."""
    workbench.fill(seconds, threads if threads is not None else workbench.settings.threads, seed)
    return _STARTED


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


@verb(Group.FILL, key="f8", examples=("accept", "accept 17A"))
@click.argument("what", type=PlaceType("all", squares=False), default="all", help="entry; without it, everything")
def accept(workbench: Workbench, what: Place) -> Answer:
    """Make the filler's pencil the constructor's pen, so that later fills keep it.

    A search that stands still is taken as it stands.
    """
    slot = what if isinstance(what, Slot) else None
    if not workbench.accept(slot):
        raise VerbError("there is nothing in pencil to accept" + (f" in {slot.name}" if slot is not None else ""))
    return f"accepted: {slot.name if slot is not None else 'all'}"
