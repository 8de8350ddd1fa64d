"""The commands of the shell, declared; the work of each is imported only when it is called.

`xwtui --help` answers at once because nothing here loads numpy, numba or a screen.
"""

from pathlib import Path
from typing import Any

import click

from xwtui.racing import DEFAULT_SECONDS, DEFAULT_SEEDS, MOST_SEEDS
from xwtui.session.fill_options import (
    DEFAULT_COUNT,
    DEFAULT_MARK,
    FLATTENING,
    MOST_FILLS,
    Goodness,
    Mode,
    exponent_of,
    goodness_named,
    letters_of,
)
from xwtui.shell.fill_options import Percent, ReadBy, fill_request, improve_request, is_list_of_strategies
from xwtui.shell.options import (
    json_option,
    output_options,
    part_options,
    repeats_option,
    search_options,
    time_option,
    word_options,
)
from xwtui.shell.race_options import race_request
from xwtui.shell.requests import WordRequest
from xwtui.shell.root import Invocation, shell

_OUTPUT = click.Path(path_type=Path, dir_okay=False)


@shell.command(short_help="Fill a GRID.")
@click.argument("grid", metavar="GRID", required=False)
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
    help="Fill by a classic algorithm, such as emogic-letters:walk=snake; `list` names them all, without a GRID.",
)
@click.option("--all", "wants_all", is_flag=True, help="Go on through every fill, and tell how many there are.")
@output_options
@click.pass_obj
def fill(invocation: Invocation, /, **options: Any) -> int:
    """Fill a GRID (a file of any format that can be read, or `-`).

    Letters in a plain grid are given and kept. The exit status is 0 when filled, 1 when there is
    provably no fill, 3 when the time is up, 2 for wrong use or bad input, 130 after Ctrl+C, 143 after
    SIGTERM, 129 after SIGHUP.
    """
    if is_list_of_strategies(options["strategy"]):
        from xwtui.shell.strategy_filling import list_strategies

        return list_strategies(as_json=options["as_json"])
    if options["grid"] is None:
        raise click.UsageError("Missing argument 'GRID'.")
    request = fill_request(invocation.started, **options)
    if request.strategy or request.wants_all:
        from xwtui.shell.strategy_filling import run_strategy

        return run_strategy(request)
    if request.mode is Mode.FILL:
        from xwtui.shell.filling import run_fill

        return run_fill(request)
    from xwtui.shell.better_fills import run_better_fill

    return run_better_fill(request)


@shell.command(short_help="Race strategies against each other on a GRID.")
@click.argument("grid")
@click.option(
    "--strategies",
    "strategies",
    metavar="NAME[:OPTION=VALUE,...],...",
    multiple=True,
    help="Who starts, such as xwtui,xwtui:order=score,top-ten; may be given again.  [default: every strategy]",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, MOST_SEEDS),
    metavar="N",
    default=DEFAULT_SEEDS,
    show_default=True,
    help="How many runs each, with the seeds from --seed on.",
)
@search_options(default_seconds=DEFAULT_SECONDS)
@click.option(
    "-o",
    "--output",
    "outputs",
    type=_OUTPUT,
    multiple=True,
    metavar="OUT",
    help="Write the race as .json, .csv or .svg; may be given again.",
)
@click.pass_obj
def race(invocation: Invocation, /, **options: Any) -> int:
    """Race strategies, and settings of the engine, on a GRID: the same words, rules and seeds for all.

    Each run has --time seconds of processor time of its own; loading, compiling and preparing are not
    counted. The runs take turns on as many cores as --threads says. The exit status is 0 when one of
    them fills the grid, 1 when it is proved that there is no fill, 3 when neither is known, 2 for wrong
    use or bad input, 130 after Ctrl+C, with the summary so far.
    """
    from xwtui.shell.racing import run_race_command

    return run_race_command(race_request(invocation.started, **options))


@shell.command(short_help="Find letters for LISTS of square numbers.")
@click.argument("lists_file", metavar="LISTS", type=click.Path(allow_dash=True, path_type=Path))
@word_options
@time_option(60)
@repeats_option
@click.option("--all", "wants_all", is_flag=True, help="Go on through every solution, and count them.")
@json_option
@click.pass_obj
def compose(invocation: Invocation, /, **options: Any) -> int:
    """Find letters so that all LISTS of square numbers read words, without any grid.

    The form of crossword-composer, as JSON (`-`: from stdin): [[0, 1, 3], [2, 3, 4]] asks for two words that
    share a letter. The exit status is that of `fill`.
    """
    from xwtui.shell.composing import compose_request, run_compose

    return run_compose(compose_request(invocation.started, **options))


@shell.command(short_help="Make the fill of a PUZZLE better.")
@click.argument("grid", metavar="PUZZLE")
@search_options(default_seconds=10)
@part_options
@click.option(
    "--by",
    type=ReadBy("what", goodness_named),
    default=Goodness.MEAN.value,
    show_default=True,
    help="What makes it better. " + "; ".join(f"{one.value}: {one.meaning}" for one in Goodness) + ".",
)
@click.option("--mark", type=click.IntRange(0, 100), help=f"For --by below, {DEFAULT_MARK} if not given.")
@click.option("--exponent", type=ReadBy("number", exponent_of), help=f"For --by flat, {FLATTENING} if not given.")
@click.option("--avoid", type=ReadBy("letters", letters_of), help="Get rid of these letters, before all else.")
@output_options
@click.pass_obj
def improve(invocation: Invocation, /, **options: Any) -> int:
    """Make the fill of a PUZZLE better for some seconds; what is in pen or locked stays.

    Formats without ink hold everything in pen: --do 'pencil all' lets it be replaced. The exit
    status is 0 when there is a fill, better or not, else as for `fill`.
    """
    from xwtui.shell.better_fills import run_better_fill

    return run_better_fill(improve_request(invocation.started, **options))


@shell.command(short_help="Review a PUZZLE and count it up.")
@click.argument("puzzle")
@word_options
@json_option
def check(puzzle: str, lists: tuple[str, ...], minimum_score: int | None, as_json: bool) -> int:
    """Review a PUZZLE: what an editor would object to, and its figures.

    The exit status is 0 with nothing found, 1 with findings, 2 for wrong use or bad input.
    """
    from xwtui.shell.checking import run_check

    return run_check(puzzle, WordRequest(lists, minimum_score), as_json=as_json)


@shell.command(short_help="Write the puzzle IN as OUT, in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=_OUTPUT)
@click.option(
    "--lossy", is_flag=True, help="Leave out what the format of OUT cannot hold, with a warning for each."
)
def convert(source: str, target: Path, lossy: bool) -> int:
    """Read the puzzle IN (`-`: from stdin) and write it to OUT, in the format of its suffix."""
    from xwtui.shell.converting import run_convert

    return run_convert(source, target, lossy=lossy)
