"""The verbs that count: the words of an entry, the fills of the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from xwtui.model import Slot
from xwtui.workbench.verbs.types import HERE, NumberType, Place, PlaceType, SecondsType
from xwtui.workbench.verbs.verb import Answer, Group, Reply, verb

if TYPE_CHECKING:
    from xwtui.workbench.workbench import Workbench


@verb(Group.COUNT, examples=("candidates 17A", "candidates 17A --limit 40"))
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
@click.option("--limit", type=NumberType(1, 10_000), default="20", help="how many to list, 20 if not given")
def candidates(workbench: Workbench, entry: Place, limit: int) -> Answer:
    """List the words that an entry may take, best first, with their scores.

    A word that a crossing rules out is marked `dead`.
    """
    assert isinstance(entry, Slot)
    found = workbench.candidates(entry.name)
    alive = sum(candidate.alive for candidate in found)
    pattern = workbench.puzzle.grid.pattern(entry, given_only=True)
    shown = [
        f"  {candidate.word}  {_score(workbench, candidate.word)}" + ("" if candidate.alive else "  dead")
        for candidate in sorted(found, key=lambda one: not one.alive)[:limit]
    ]
    left = len(found) - len(shown)
    more = [f"  and {left:,} more"] if left > 0 else []
    return [f"{entry.name} {pattern}: {len(found):,} match, {alive:,} may still stand", *shown, *more]


def _score(workbench: Workbench, word: str) -> str:
    """A word's score in the lists; an entry that is written out may be in none."""
    score = workbench.score_of(word)
    return "unlisted" if score is None else str(score)


@verb(Group.COUNT, key="f7", examples=("count", "count --time 10", "count --exact --time 60"))
@click.option("--exact", is_flag=True, help="count exactly, or tell how many there are at least")
@click.option("--time", "seconds", type=SecondsType(), default="5", help="seconds at most, 5 if not given")
def count(workbench: Workbench, seconds: float, exact: bool) -> Answer:
    """Count the fills that remain: exactly if that is possible in the time, else with an interval."""
    workbench.count(seconds, exact=exact)
    latest = workbench.latest
    if latest.stale or not latest.propagated:
        return Reply(started=True)
    summed = sum(options.after_propagation for options in latest.options.values())
    return Reply((f"options summed over the entries: {summed:,} (Copeland's measure)",), started=True)
