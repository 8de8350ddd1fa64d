"""The commands of a batch: many fills, designs, races or counts, in one file; loaded when called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from xwtui.asked import CHOOSE, DESIGN_COUNT, HIGHEST_SEED, MOST_SECONDS
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.designs import direction_option, pairs_option, rebus_option
from xwtui.session.verbs.layouts import layout_options, size_option
from xwtui.shell.root import shell
from xwtui.shell.verb_commands import (
    early,
    force_option,
    json_option,
    process_option,
    progress_option,
    repeats_option,
    together,
    word_options,
)

with lazy_imports():
    from xwtui.batch.tasks import BatchKind
    from xwtui.shell.batch_reports import export_best, show_batch, show_best
    from xwtui.shell.batching import begin_batch, resume_batch

_STATUSES = (
    "The exit status is 0 if something was found, 1 if provably nothing exists, 3 if time ran out for all or "
    "tasks are left, 2 for wrong use or bad input, and 130 after Ctrl+C; the file keeps the results so far."
)
_MOST_SEEDS = 1_000_000
_MOST_WORKERS = 1024


@shell.group(
    no_args_is_help=False,
    short_help="Run many fills, designs, races or counts on all cores or a Dask cluster.",
)
def batch() -> None:
    """Do many fills, designs, races or counts, on all cores or on a Dask cluster, into one file.

    Each result is kept once, whole, when it comes; what is stopped or killed goes on with `batch resume`, and the
    same command again costs nothing. This needs Dask: `pip install 'xwtui[cluster]'`.
    """


_where_options = together(
    process_option(
        "--workers",
        "Processes on this machine.  [default: one per core]",
        click.IntRange(1, _MOST_WORKERS),
        metavar="N",
    ),
    process_option(
        "--scheduler", "Use this scheduler's Dask cluster, such as tcp://host:8786.", metavar="ADDRESS"
    ),
    process_option("--json as_json", "Print JSON lines: one per result, then a summary.", bool),
    progress_option,
)
"""What says which processes do the work, and how it is told."""


def _task_options(seconds: float) -> Callable[[Any], Any]:
    """What every kind of task is told."""
    return together(
        process_option(
            "--db file",
            "The batch's file; tasks are added to an existing one.",
            click.Path(path_type=Path, dir_okay=False),
            required=True,
            metavar="RUN.sqlite",
        ),
        process_option(
            "--seeds",
            "Tasks for each input, each with its own seed.",
            click.IntRange(1, _MOST_SEEDS),
            shown=1,
            metavar="N",
        ),
        process_option("--seed", "The first seed.", click.IntRange(0, HIGHEST_SEED), shown=0, metavar="N"),
        process_option(
            "--time seconds",
            "Time limit for each task's search, without loading.",
            click.FloatRange(0.001, MOST_SECONDS),
            shown=seconds,
            metavar="SECONDS",
        ),
        word_options,
        _where_options,
    )


_puzzles_argument = click.argument(
    "inputs", nargs=-1, required=True, metavar="GRID...", type=click.Path(exists=True, path_type=Path)
)
_run_argument = click.argument("file", metavar="RUN.sqlite", type=click.Path(path_type=Path))


def _begin(kind: str, options: Mapping[str, Any]) -> int:
    return begin_batch(BatchKind(kind), options)


@batch.command("fill", epilog=_STATUSES)
@_puzzles_argument
@_task_options(60)
@repeats_option
@process_option("--first", "Keep the first words found, without improving them.", bool)
def batch_fill(**options: Any) -> int:
    """Fill each GRID, or each in a folder, once with every seed; `batch best` shows the best fills."""
    return _begin("fill", options)


@batch.command("count", epilog=_STATUSES)
@_puzzles_argument
@_task_options(5)
@repeats_option
def batch_count(**options: Any) -> int:
    """Count or estimate the fills of each GRID, or of each in a folder."""
    return _begin("count", options)


@batch.command("race", epilog=_STATUSES)
@_puzzles_argument
@process_option(
    "--strategies",
    "The strategies, as for `race`.  [default: all but sat]",
    multiple=True,
    metavar="NAME,...",
)
@_task_options(10)
@repeats_option
def batch_race(**options: Any) -> int:
    """Race strategies on each GRID, or on each in a folder: each strategy once with every seed."""
    return _begin("race", options)


@batch.command("design", epilog=_STATUSES)
@click.argument(
    "inputs",
    nargs=-1,
    required=True,
    metavar="THEMES...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@early(size=size_option, layout=layout_options, direction=direction_option, rebus=rebus_option, pairs=pairs_option)
@process_option(
    "--choose", "Use this many answers of each set.", click.IntRange(CHOOSE.low, CHOOSE.high), metavar="N"
)
@process_option(
    "--count",
    "How many designs each task keeps.",
    click.IntRange(DESIGN_COUNT.low, DESIGN_COUNT.high),
    shown=10,
    metavar="N",
)
@_task_options(30)
def batch_design(**options: Any) -> int:
    """Design grids around theme answers: each line of the files THEMES is a set, with blanks or commas between.

    As for `design`, 17A=ANSWER or r4c1=ANSWER says where an answer is to stand, Lo[cat]ion has a rebus square, and
    HEARTBREAK! stands last.
    """
    return _begin("design", options)


@batch.command("resume", epilog=_STATUSES)
@_run_argument
@_where_options
def batch_resume(**options: Any) -> int:
    """Go on with what has no result yet, and try again what has crashed."""
    return resume_batch(options)


@batch.command("show")
@_run_argument
@json_option
def batch_show(file: Path, *, as_json: bool) -> int:
    """Show how a batch stands, as a whole and for each input."""
    return show_batch(file, as_json=as_json)


@batch.command("best")
@_run_argument
@process_option("--count", "How many.", click.IntRange(1, 10_000), shown=5)
@json_option
def batch_best(file: Path, count: int, *, as_json: bool) -> int:
    """Show the best fills or designs: by lowest score, then by mean; of designs each layout once."""
    return show_best(file, count, as_json=as_json)


@batch.command("export")
@_run_argument
@process_option(
    "-o --output folder",
    "The folder to write to; it is created if missing.",
    click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
)
@process_option("--count", "How many to write, best first.", click.IntRange(1, 10_000), shown=10)
@force_option
@json_option
def batch_export(file: Path, folder: Path, count: int, *, overwrites: bool, as_json: bool) -> int:
    """Write the best fills or designs as puzzles, numbered from the best on."""
    return export_best(file, folder, count, overwrites=overwrites, as_json=as_json)
