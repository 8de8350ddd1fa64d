"""The commands that ask about a grid, declared: how many fills, what a word costs, why not, and what if."""

from typing import Any

import click

from xwtui.cli.options import (
    question_options,
    question_request,
    search_options,
    search_request,
)
from xwtui.cli.requests import SearchRequest
from xwtui.cli.root import shell
from xwtui.cli.shell import Invocation
from xwtui.engine.candidates.estimate import CandidateOrder


@shell.command(short_help="Count the fills of a GRID, exactly or by an estimate.")
@click.argument("grid")
@click.option("--exact", is_flag=True, help="Count exactly, or tell how many there are at least.")
@search_options(default_seconds=5)
@click.pass_obj
def count(invocation: Invocation, /, *, exact: bool, **options: Any) -> int:
    """Count the fills of a GRID: exactly when that is quick, else an estimate with a 95 % interval.

    The exit status is 0 whenever there is a count, zero too, 3 when --exact was not to be had in the
    time, and 2 for wrong use or bad input.
    """
    from xwtui.cli.counting import run_count

    return run_count(search_request(invocation.started, **options), exact=exact)


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
    from xwtui.cli.candidates import run_candidates

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
    from xwtui.cli.shares import run_shares

    return run_shares(search_request(invocation.started, **options), squares)


@shell.command(short_help="Say why a GRID cannot be filled, and what to do about it.")
@click.argument("grid")
@click.argument("entry", required=False)
@click.argument("word", required=False)
@question_options
@click.pass_obj
def why(invocation: Invocation, /, entry: str | None, word: str | None, **options: Any) -> int:
    """Say why a GRID cannot be filled, or why a WORD cannot stand at an ENTRY, and what to do about it.

    It names smallest conflicts among what is given, and changes that a fill has verified. The exit
    status is 0 when there is a fill, 1 when there is provably none, 3 when the time is up before
    either is known, 2 for wrong use or bad input, 130 after Ctrl+C, with what was found by then.
    """
    from xwtui.cli.asking import run_question, why_question

    if entry is not None and word is None:
        raise click.UsageError(f"say which word at {entry}; `xwtui why GRID` alone asks about the whole grid")
    return run_question(question_request(invocation.started, **options), why_question(entry, word))


@shell.group(short_help="Say what would open a GRID: blocks, places for theme answers; and where it is hard.")
@click.argument("grid")
@click.pass_context
def whatif(context: click.Context, grid: str) -> None:
    """Say what would open a GRID (a file of any format that can be read, or `-`), and where it is hard.

    The exit status is 0 when one of the changes leaves a fill, 1 when provably none does, 3 when that
    is not known, 2 for wrong use or bad input, 130 after Ctrl+C, with what was found by then.
    """


@whatif.command(short_help="Rank the blocks that could be added, removed or moved.")
@click.option("--max-words", type=click.IntRange(1, 1000), metavar="N", help="Most entries that it may have then.")
@click.option("--max-blocks", type=click.IntRange(0, 1600), metavar="N", help="Most blocks that it may have then.")
@question_options
@click.pass_context
def blocks(context: click.Context, /, max_words: int | None, max_blocks: int | None, **options: Any) -> int:
    """Rank the blocks that could be added, removed or moved, by how far each opens the grid.

    Symmetry is kept, and no entry comes to be shorter than three letters.
    """
    from xwtui.cli.asking import run_question
    from xwtui.model.block_changes import BlockLimits
    from xwtui.session.jobs.question import BlocksQuestion

    limits = BlockLimits(max_words, max_blocks)
    return run_question(_about(context, options), lambda grid, seconds: BlocksQuestion(limits, seconds))


@whatif.command(short_help="Find where theme answers leave most room.")
@click.argument("answers", nargs=-1, required=True)
@click.option("--choose", type=click.IntRange(1, 7), metavar="N", help="The N of them that go together best.")
@click.option("--each", is_flag=True, help="Each by itself, to find which of many fit best.")
@question_options
@click.pass_context
def themers(
    context: click.Context, /, answers: tuple[str, ...], choose: int | None, each: bool, **options: Any
) -> int:
    """Find the entries, and the order, in which theme ANSWERS leave most room for the rest.

    ANSWERS are words, and files that list words. All go into symmetric entries across, or those that
    --choose takes; with --each, and where there are more than seven, each is ranked by itself, in the
    entry that suits it best.
    """
    from xwtui.cli.asking import run_question
    from xwtui.session.jobs.question import themers_question

    return run_question(
        _about(context, options),
        lambda grid, seconds: themers_question(answers, size=choose, each=each, seconds=seconds),
    )


@whatif.command(short_help="Measure where it is hard.")
@question_options
@click.pass_context
def heat(context: click.Context, /, **options: Any) -> int:
    """Measure where it is hard: squares on which entries hardly agree, and that dead ends are blamed on.

    The exit status is 0 whenever it is measured.
    """
    from xwtui.cli.asking import run_question
    from xwtui.session.jobs.question import HeatQuestion

    return run_question(_about(context, options), lambda grid, seconds: HeatQuestion(seconds))


def _about(context: click.Context, options: dict[str, Any]) -> SearchRequest:
    """The request of a command of `whatif`, about the grid that stands before its name."""
    assert context.parent is not None
    return question_request(context.obj.started, grid=context.parent.params["grid"], **options)
