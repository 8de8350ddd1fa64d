"""The options that several commands share."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from xwtui.session.fill_options import ALL_CORES, HIGHEST_SEED, MOST_THREADS, threads_of
from xwtui.shell.requests import SearchRequest, WordRequest

Function = TypeVar("Function", bound=Callable[..., Any])


def word_options(function: Function) -> Function:
    """Add `--words` and `--min-score`."""
    lists = click.option(
        "--words",
        "lists",
        metavar="FILE",
        multiple=True,
        help="Word list; give it again for more layers, the first that has a word decides its score.  "
        "[default: the puzzle's own, or the list that comes with xwtui]",
    )
    minimum = click.option(
        "--min-score",
        "minimum_score",
        metavar="N",
        type=click.IntRange(0, 100),
        help="Use no word below this score.  [default: the puzzle's own, or 40]",
    )
    return lists(minimum(function))


_seed_option = click.option(
    "--seed",
    type=click.IntRange(0, HIGHEST_SEED),
    metavar="N",
    default=0,
    show_default=True,
    help="Another seed, another result; one seed and one thread give the same one every time.",
)
_threads_option = click.option(
    "--threads",
    type=click.IntRange(0, MOST_THREADS),
    metavar="N",
    default=ALL_CORES,
    show_default="one on each core",
    help="Searches side by side; 1 for the same result on every machine.",
)
repeats_option: Callable[[Any], Any] = click.option(
    "--allow-repeats", is_flag=True, help="Let an answer stand in the grid twice."
)
do_option = click.option(
    "--do",
    "lines",
    metavar="VERB",
    multiple=True,
    help="Edit the grid, the words or the rules first, as in --do 'want OBOE'; may be given again.",
)

progress_option = click.option(
    "--progress",
    "progress_form",
    type=click.Choice(["line", "json"]),
    default="line",
    help="How far it is, on stderr: a line on a terminal, or a JSON object a line.",
)


def time_option(default_seconds: float) -> Callable[[Function], Function]:
    """Add `--time` with a default."""
    return click.option(
        "--time",
        "seconds",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        default=default_seconds,
        show_default=True,
        help="Longest search, 0 for no limit; loading and compiling are not counted.",
    )


def search_options(default_seconds: float) -> Callable[[Function], Function]:
    """Add the options of a search, `--time` with a default of its own."""
    others = [_seed_option, time_option(default_seconds), _threads_option, repeats_option, do_option, json_option]

    def decorate(function: Function) -> Function:
        for decorator in reversed([word_options, *others]):
            function = decorator(function)
        return function

    return decorate


def output_options(function: Function) -> Function:
    """Add `-o` and `--lossy`."""
    output = click.option(
        "-o",
        "--output",
        "outputs",
        type=click.Path(path_type=Path, dir_okay=False),
        multiple=True,
        metavar="OUT",
        help="Write the filled puzzle, in the format of the suffix; may be given again.",
    )
    return output(lossy_option(function))


def json_option(function: Function) -> Function:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")(
        function
    )


def lossy_option(function: Function) -> Function:
    """Add `--lossy`."""
    text = "Leave out what the format of OUT cannot hold, with a warning for each."
    return click.option("--lossy", is_flag=True, help=text)(function)


def search_request(
    started: float,
    *,
    grid: str,
    lists: tuple[str, ...],
    minimum_score: int | None,
    seed: int,
    seconds: float,
    threads: int,
    allow_repeats: bool,
    lines: tuple[str, ...],
    as_json: bool,
) -> SearchRequest:
    """The values of `search_options` as a request."""
    if math.isnan(seconds):
        raise click.BadParameter("give a number of seconds", param_hint="'--time'")
    return SearchRequest(
        started=started,
        grid=grid,
        words=WordRequest(lists, minimum_score),
        seed=seed,
        seconds=seconds if 0 < seconds < math.inf else None,
        threads=threads_of(threads),
        allow_repeats=allow_repeats,
        lines=lines,
        json=as_json,
    )
