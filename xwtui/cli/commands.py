"""The commands of the shell, declared; the work of each is imported only when it is called.

`xwtui --help` answers at once because nothing here loads numpy, numba or a screen.
"""

from functools import partial
from pathlib import Path
from typing import Any

import click

from xwtui import __version__
from xwtui.cli.fill_options import Percent, fill_request, improve_request
from xwtui.cli.options import (
    json_option,
    output_options,
    part_options,
    question_options,
    question_request,
    search_options,
    search_request,
    word_options,
)
from xwtui.cli.requests import SearchRequest, WordRequest
from xwtui.cli.shell import SCREEN_COMMAND, Invocation, Shell
from xwtui.engine.prospects.prospect import Order
from xwtui.workbench.orders import DEFAULT_COUNT, DEFAULT_MARK, MOST_FILLS, Goodness, Mode

_OUTPUT = click.Path(path_type=Path, dir_okay=False)
_FILE = click.Path(path_type=Path)


@click.group(
    cls=Shell,
    subcommand_metavar="[PUZZLE] | COMMAND [ARGUMENTS]...",
    options_metavar="",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def shell() -> None:
    """A workbench for people who construct crosswords, in the terminal.

    `xwtui` or `xwtui PUZZLE` opens the screen. The commands do the same work without it.
    """


@shell.command(SCREEN_COMMAND, hidden=True)
@click.argument("puzzle", type=_FILE, required=False)
def screen(puzzle: Path | None) -> int:
    """Open the screen, on a puzzle or on an empty grid."""
    from xwtui.cli.screen import open_screen

    return open_screen(puzzle)


@shell.command()
@click.argument("puzzle", type=_FILE, required=False)
def repl(puzzle: Path | None) -> None:
    """Work line by line, with the verbs of the screen."""
    from xwtui.repl.start import start_repl

    start_repl(puzzle)


@shell.command()
@click.argument("script")
def run(script: str) -> int:
    """Run a SCRIPT of verbs, one a line (`-`: from stdin).

    Empty lines and lines that begin with # are skipped. The first error ends the run: its line
    number is told and the exit status is 2.
    """
    from xwtui.cli.scripting import run_script

    return run_script(script)


@shell.command(short_help="Fill a GRID.")
@click.argument("grid")
@search_options(default_seconds=60)
@part_options
@click.option("--partial", is_flag=True, help="Fill what can be filled, where a whole fill cannot be had.")
@click.option("--best", is_flag=True, help="The highest lowest score, then the best mean, in the time given.")
@click.option(
    "--count", type=click.IntRange(1, MOST_FILLS), metavar="N", help="So many fills, to out-1.puz, out-2.puz ..."
)
@click.option("--diverse", is_flag=True, help=f"Fills that differ much, {DEFAULT_COUNT} if not counted.")
@click.option(
    "--differ", type=Percent(), metavar="PERCENT", help="In how many of the squares they differ.  [default: 30%]"
)
@click.option("--trace", type=_OUTPUT, metavar="FILE", help="Write all that one search does, for `xwtui watch`.")
@click.option(
    "--strategy",
    metavar="NAME[:OPTION=VALUE,...]",
    default="",
    help="Fill by a classic algorithm, such as emogic-letters:walk=snake; `list` names them all.",
)
@click.option("--all", "wants_all", is_flag=True, help="Go on through every fill, and tell how many there are.")
@output_options
@click.pass_obj
def fill(invocation: Invocation, /, **options: Any) -> int:
    """Fill a GRID (a file of any format that can be read, or `-`).

    Letters in a plain grid are given and kept. The exit status is 0 when filled, 1 when there is
    provably no fill, 3 when the time is up, 2 for wrong use or bad input, 130 after Ctrl+C.
    """
    request = fill_request(invocation.started, **options)
    if request.strategy or request.wants_all:
        from xwtui.cli.strategy_filling import run_strategy

        return run_strategy(request)
    if request.mode is Mode.FILL:
        from xwtui.cli.filling import run_fill

        return run_fill(request)
    from xwtui.cli.better_fills import run_better_fill

    return run_better_fill(request)


@shell.command(short_help="Watch the search that a trace FILE holds.")
@click.argument("file", type=_FILE)
@click.option("--list", "as_list", is_flag=True, help="List its events instead; so it is without a terminal.")
def watch(file: Path, *, as_list: bool) -> int:
    """Watch the search that a trace FILE holds, which `fill --trace FILE` or the verb `events save` has written.

    No words are needed. The exit status is 0, or 2 for a file that is no trace.
    """
    from xwtui.cli.watching import run_watch

    return run_watch(file, as_list=as_list)


@shell.command(short_help="Make the fill of a PUZZLE better.")
@click.argument("grid", metavar="PUZZLE")
@search_options(default_seconds=10)
@part_options
@click.option(
    "--by",
    type=click.Choice([one.value for one in Goodness]),
    default=Goodness.MEAN.value,
    show_default=True,
    help="What makes it better: the mean score, the lowest one, flattened scores, few entries below --mark, "
    "many different letters.",
)
@click.option(
    "--mark", type=click.IntRange(0, 100), default=DEFAULT_MARK, show_default=True, help="For --by below."
)
@click.option("--avoid", metavar="LETTERS", default="", help="Get rid of these letters, before all else.")
@output_options
@click.pass_obj
def improve(invocation: Invocation, /, **options: Any) -> int:
    """Make the fill of a PUZZLE better for some seconds; what is in pen or locked stays.

    Formats without ink hold everything in pen: --do 'pencil all' lets it be replaced. The exit
    status is 0 when there is a fill, better or not, else as for `fill`.
    """
    from xwtui.cli.better_fills import run_better_fill

    return run_better_fill(improve_request(invocation.started, **options))


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
    type=click.Choice([one.value for one in Order]),
    default=Order.SCORE.value,
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
    return run_candidates(request, entry, order=Order(order), limit=limit, prove=prove)


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
    from xwtui.workbench.inquiries.question import BlocksQuestion

    limits = BlockLimits(max_words, max_blocks)
    return run_question(_about(context, options), lambda grid, seconds: BlocksQuestion(limits, seconds))


@whatif.command(short_help="Find where theme answers leave most room.")
@click.argument("answers", nargs=-1, required=True)
@click.option("--each", is_flag=True, help="Each by itself, to find which of many fit best.")
@question_options
@click.pass_context
def themers(context: click.Context, /, answers: tuple[str, ...], each: bool, **options: Any) -> int:
    """Find the entries, and the order, in which theme ANSWERS leave most room for the rest.

    All go into symmetric entries across; with --each any of them may go anywhere.
    """
    from xwtui.cli.asking import run_question
    from xwtui.words.normalise import normalise
    from xwtui.workbench.inquiries.question import ThemersQuestion

    words = tuple(normalise(answer) for answer in answers)
    ask = partial(ThemersQuestion, words, not each)
    return run_question(_about(context, options), lambda grid, seconds: ask(seconds))


@whatif.command(short_help="Measure where it is hard.")
@question_options
@click.pass_context
def heat(context: click.Context, /, **options: Any) -> int:
    """Measure where it is hard: squares on which entries hardly agree, and that dead ends are blamed on.

    The exit status is 0 whenever it is measured.
    """
    from xwtui.cli.asking import run_question
    from xwtui.workbench.inquiries.question import HeatQuestion

    return run_question(_about(context, options), lambda grid, seconds: HeatQuestion(seconds))


def _about(context: click.Context, options: dict[str, Any]) -> SearchRequest:
    """The request of a command of `whatif`, about the grid that stands before its name."""
    assert context.parent is not None
    return question_request(context.obj.started, grid=context.parent.params["grid"], **options)


@shell.command(short_help="Review a PUZZLE and count it up.")
@click.argument("puzzle")
@word_options
@json_option
def check(puzzle: str, lists: tuple[str, ...], minimum_score: int | None, as_json: bool) -> int:
    """Review a PUZZLE: what an editor would object to, and its figures.

    The exit status is 0 with nothing found, 1 with findings, 2 for wrong use or bad input.
    """
    from xwtui.cli.checking import run_check

    return run_check(puzzle, WordRequest(lists, minimum_score), as_json=as_json)


@shell.command(short_help="Write the puzzle IN as OUT, in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=_OUTPUT)
@click.option(
    "--lossy", is_flag=True, help="Leave out what the format of OUT cannot hold, with a warning for each."
)
def convert(source: str, target: Path, lossy: bool) -> int:
    """Read the puzzle IN (`-`: from stdin) and write it to OUT, in the format of its suffix."""
    from xwtui.cli.converting import run_convert

    return run_convert(source, target, lossy=lossy)
