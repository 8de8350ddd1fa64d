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
_do_option = click.option(
    "--do",
    "lines",
    metavar="VERB",
    multiple=True,
    help="Edit the grid, the words or the rules first, as in --do 'want OBOE'; may be given again.",
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
    others = [_seed_option, time_option(default_seconds), _threads_option, repeats_option, _do_option, json_option]

    def decorate(function: Function) -> Function:
        for decorator in reversed([word_options, *others]):
            function = decorator(function)
        return function

    return decorate


def question_options(function: Function) -> Function:
    """Add the options of a question about a grid."""
    for decorator in reversed([word_options, time_option(10), repeats_option, _do_option, json_option]):
        function = decorator(function)
    return function


def question_request(started: float, **options: Any) -> SearchRequest:
    """The values of `question_options` as a request; questions take one core and the first seed."""
    return search_request(started, seed=0, threads=1, **options)


def part_options(function: Function) -> Function:
    """Add `--only` and `--around`."""
    only = click.option(
        "--only",
        metavar="SQUARES",
        default="",
        help="Fill these alone, r1c1:r5c5 or 17A,3D; pencil elsewhere counts as given.",
    )
    around = click.option("--around", metavar="ENTRY", default="", help="Fill an entry and its crossings alone.")
    return only(around(function))


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
