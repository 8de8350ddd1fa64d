"""The commands of the shell, declared; the work of each is imported only when it is called.

`xwtui --help` answers at once because nothing here loads numpy, numba or a screen.
"""

from pathlib import Path
from typing import Any

import click

from xwtui.shell.options import (
    json_option,
    repeats_option,
    time_option,
    word_options,
)
from xwtui.shell.root import Invocation, shell

_OUTPUT = click.Path(path_type=Path, dir_okay=False)


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


@shell.command(short_help="Compile the engine, for an image or CI.")
@json_option
def warmup(as_json: bool) -> int:
    """Compile the engine, and keep what was compiled in the cache: no later start compiles it again.

    Where it is compiled already, it is only loaded. The exit status is 0, or 2 where it cannot be kept.
    """
    from xwtui.shell.warming import run_warmup

    return run_warmup(as_json=as_json)


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
