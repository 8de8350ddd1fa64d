"""The options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

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
