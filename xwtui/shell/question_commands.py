"""The commands that ask about a grid, declared: how many fills, what a word costs, why not, and what if."""

from typing import Any

import click

from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.shell.options import (
    search_options,
    search_request,
)
from xwtui.shell.root import Invocation, shell


@shell.command(short_help="List the words that an ENTRY of a GRID may take, and what each costs.")
@click.argument("grid")
@click.argument("entry")
@click.option(
    "--sort",
    "order",
    type=click.Choice([one.value for one in CandidateOrder]),
    default=CandidateOrder.SCORE.value,
    show_default=True,
    help="By score, by the fills left, or by both: ten points off for each power of ten of fills lost.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
    help="How many to list and look into.",
)
@click.option("--prove", is_flag=True, help="Search for a fill through each word that is listed.")
@search_options(default_seconds=5)
@click.pass_obj
def candidates(
    invocation: Invocation, /, *, entry: str, order: str, limit: int, prove: bool, **options: Any
) -> int:
    """List the words that an ENTRY (such as 17A) of a GRID may take, and about how many fills each leaves.

    Dead words come last, with the crossing that kills each. The exit status is 0 when a word may stand, 1 when
    provably none can, 2 for wrong use or bad input, 130 after Ctrl+C, with what was known by then.
    """
    from xwtui.shell.candidates import run_candidates

    request = search_request(invocation.started, **options)
    return run_candidates(request, entry, order=CandidateOrder(order), limit=limit, prove=prove)


@shell.command(short_help="Tell the letters that squares of a GRID can still take.")
@click.argument("grid")
@click.argument("squares", nargs=-1)
@search_options(default_seconds=5)
@click.pass_obj
def shares(invocation: Invocation, /, *, squares: tuple[str, ...], **options: Any) -> int:
    """Tell the letters that SQUARES (such as r3c4; all, if none is named) of a GRID can still take.

    With each stands the share of the fills that have it there, an estimate; what is forced every fill has. The
    exit status is 0, or 1 when provably nothing fits, 2 for wrong use or bad input.
    """
    from xwtui.shell.shares import run_shares

    return run_shares(search_request(invocation.started, **options), squares)
