"""The verbs that count: the words of an entry, the fills of the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.errors import PuzzleError, VerbError
from xwtui.model import Position, Slot
from xwtui.session.fill_options import HIGHEST_SEED, MOST_THREADS, threads_of
from xwtui.session.verbs.types import HERE, NumberType, Place, PlaceType, SecondsType, VerbType
from xwtui.session.verbs.verb import Answer, FromShell, Group, Reply, verb
from xwtui.text import printable

if TYPE_CHECKING:
    from xwtui.engine.candidates.estimate import CandidateOrder
    from xwtui.session.answers import CountAnswer
    from xwtui.session.session import Session


class OrderType(VerbType["CandidateOrder"]):
    """What candidates are sorted by."""

    name = "order"

    def read(self, text: str, session: Session) -> CandidateOrder:
        """One of the orders; raises PuzzleError, naming them, for another word."""
        from xwtui.engine.candidates.estimate import CandidateOrder

        try:
            return CandidateOrder(text.strip().lower())
        except ValueError:
            names = ", ".join(one.value for one in CandidateOrder)
            raise PuzzleError(f"{printable(text, 30)!r} is none of {names}") from None

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The orders."""
        from xwtui.engine.candidates.estimate import CandidateOrder

        return [CompletionItem(one.value) for one in CandidateOrder if one.value.startswith(beginning.lower())]


@verb(Group.COUNT, examples=("candidates 17A", "candidates 17A --limit 40", "candidates 17A --sort room"))
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
@click.option("--limit", type=NumberType(1, 10_000), default="20", help="how many to list, 20 if not given")
@click.option("--sort", "order", type=OrderType(), default="score", help="score, room or both; score if not given")
def candidates(session: Session, entry: Place, limit: int, order: CandidateOrder) -> Answer:
    """List the words that an entry may take, with their scores and about how many fills each leaves.

    A word that a crossing rules out is marked `dead`, with the crossing; one that a fill is known to have,
    `proven`. `--sort room` puts those first that leave most fills; `both` takes ten points off the score for each
    power of ten of fills lost.
    """
    from xwtui.engine.candidates.estimate import sort_candidates
    from xwtui.session.wording import candidate_line, summary_line

    assert isinstance(entry, Slot)
    found = session.jobs.candidates.find(entry.name)
    alive = sum(candidate.alive for candidate in found)
    pattern = session.puzzle.grid.pattern(entry, given_only=True)
    shown = [candidate_line(candidate) for candidate in sort_candidates(found, order)[:limit]]
    left = len(found) - len(shown)
    more = [f"  and {left:,} more"] if left > 0 else []
    return [summary_line(entry.name, pattern, len(found), alive), *shown, *more]


@verb(Group.COUNT, examples=("shares r3c4", "shares"))
@click.argument("square", type=PlaceType(entries=False), default=HERE, help="square; without it, the current one")
def shares(session: Session, square: Place) -> Answer:
    """Tell the letters that a square can still take, and how the fills that remain share them.

    The shares are estimates; what is said to be forced every fill has there.
    """
    from xwtui.session.wording import share_words

    assert isinstance(square, Position)
    grid = session.puzzle.grid
    content = grid[square].content
    if content is not None and grid[square].is_given:
        return [f"{square} is given: {content}"]
    if not any(square in slot.positions for slot in grid.slots):
        raise PuzzleError(f"{square} is in no entry")
    letters = session.jobs.candidates.letters()
    if square in letters.forced:
        return [f"{square}: {letters.forced[square]} is forced"]
    shared = letters.shares.get(square)
    return [f"{square}: {share_words(shared)}" if shared else f"{square}: nothing fits, the grid has no fill"]


@verb(
    Group.COUNT, key="f7", examples=("count", "count --time 10", "count --exact --time 60"), from_shell=FromShell()
)
@click.option("--exact", is_flag=True, help="count exactly, or tell how many there are at least")
@click.option("--time", "seconds", type=SecondsType(), default="5", help="seconds at most, 5 if not given")
@click.option("--seed", type=NumberType(0, HIGHEST_SEED), default="0", help="another seed, another estimate")
@click.option("--threads", type=NumberType(0, MOST_THREADS), default="0", help="cores to use, 0 for all")
def count(session: Session, seconds: float, exact: bool, seed: int, threads: int) -> Answer:
    """Count the fills that remain: exactly if that is possible in the time, else with an interval."""
    session.jobs.count.start(seconds, exact=exact, seed=seed, threads=threads_of(threads))
    grid = session.puzzle.grid

    def answer() -> CountAnswer:
        from xwtui.session.answers import CountAnswer

        found = session.jobs.count.counted
        if found is None:
            raise VerbError("nothing was counted")
        return CountAnswer(*found, grid, exact)

    latest = session.jobs.live_counts.view
    if latest.stale or not latest.propagated:
        return Reply(started=True, answer=answer)
    summed = sum(options.after_propagation for options in latest.options.values())
    return Reply(
        (f"options summed over the entries: {summed:,} (Copeland's measure)",), started=True, answer=answer
    )
