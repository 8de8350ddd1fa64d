"""The commands of the shell that are no verbs; the work of each is imported only when it is called.

`xwtui --help` answers at once because nothing here loads numpy, numba or a screen.
"""

import json
import time
from pathlib import Path
from typing import Any

import click

from xwtui.errors import EngineError
from xwtui.interrupts import Exit
from xwtui.lazy import lazy_imports
from xwtui.printing import warn
from xwtui.shell.root import SCHEMA, Invocation, shell
from xwtui.shell.streams import read_source
from xwtui.shell.verb_commands import (
    force_option,
    json_option,
    lossy_option,
    process_option,
    reading_options,
    repeats_option,
    word_options,
)

with lazy_imports():
    from xwtui.engine.kernels.compiler.compiled import kernel_cache
    from xwtui.engine.warmup import cache_refusal
    from xwtui.formats.intake import ReadOptions
    from xwtui.formats.registry import format_to_write, suffix_of, write_puzzle
    from xwtui.session.jobs.engine_loader import EngineLoader
    from xwtui.session.jobs.scheduler import Scheduler
    from xwtui.session.overwriting import check_free
    from xwtui.shell.composing import ComposeRequest, run_compose
    from xwtui.shell.progress import ProgressTeller

_OUTPUT = click.Path(path_type=Path, dir_okay=False)


@shell.command(short_help="Find letters for LISTS of square numbers.")
@click.argument("lists_file", metavar="LISTS", type=click.Path(allow_dash=True, path_type=Path))
@word_options
@process_option(
    "--time seconds",
    "Time limit for the search, without loading and compiling; 0 for none.",
    click.FloatRange(min=0),
    metavar="SECONDS",
    shown=60,
)
@repeats_option
@process_option("--all wants_all", "Go through every solution and count them.", bool)
@json_option
@click.pass_obj
def compose(invocation: Invocation, /, **options: Any) -> int:
    """Find letters so that all LISTS of square numbers read words, without any grid.

    The form of crossword-composer, as JSON (`-`: from stdin): [[0, 1, 3], [2, 3, 4]] asks for two words that
    share a letter. The exit status is that of `fill`.
    """
    return run_compose(ComposeRequest(**options), invocation.started)


@shell.command(short_help="Compile the engine now, for an image or CI.")
@json_option
def warmup(as_json: bool) -> int:
    """Compile the engine, and keep what was compiled in the cache: no later start compiles it again.

    Where it is compiled already, it is only loaded. The exit status is 0, or 2 where it cannot be kept.
    """
    begun = time.perf_counter()
    refusal = cache_refusal()
    if refusal is not None:
        raise EngineError(str(refusal))
    folder: Path | None = kernel_cache().folder
    with ProgressTeller(is_json=False) as progress:
        loader = EngineLoader(progress.hear, Scheduler())
        loader.wait_for_counting(progress.beat)
        loader.wait_for_improving(progress.beat)
        loader.wait_for_drawing(progress.beat)
    seconds = time.perf_counter() - begun
    if as_json:
        kept = str(folder) if folder else None
        print(json.dumps({"schema": SCHEMA, "status": "ready", "seconds": round(seconds, 6), "cache": kept}))
    else:
        print(f"the engine is ready after {seconds:.1f} s" + (f", kept in {folder}" if folder else ""))
    return Exit.OK


@shell.command(short_help="Convert the puzzle IN to OUT, in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=_OUTPUT)
@force_option
@lossy_option
@reading_options
@json_option
def convert(
    source: str, target: Path, overwrites: bool, lossy: bool, strict_reading: bool, key: str, as_json: bool
) -> int:
    """Read the puzzle IN (`-`: from stdin) and write it to OUT, in the format of its suffix."""
    if not overwrites:
        check_free(target)
    read = read_source(source, ReadOptions(strict_reading, key))
    lost = write_puzzle(target, read.puzzle, lossy=lossy)
    for warning in lost:
        warn(f"{target}: {warning}")
    if as_json:
        document = {"schema": SCHEMA, "file": str(target), "format": format_to_write(suffix_of(target)).name}
        warnings = [warning.words for warning in read.warnings]
        print(json.dumps({**document, "warnings": warnings, "lost": list(lost)}))
    return Exit.OK
