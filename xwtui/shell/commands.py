"""The shell's commands that are not verbs: compose, warmup, convert.

`xwtui --help` is fast because importing this module loads no numpy, numba or screen.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from xwtui.dataclasses import dataclass, field
from xwtui.errors import EngineError, reason_of
from xwtui.interrupts import Exit, interrupt_flag
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.printing import StatusLine, warn
from xwtui.reading import read_at_most
from xwtui.shell import verb_commands
from xwtui.shell.root import print_object, shell
from xwtui.shell.streams import STDIN, read_source

with lazy_imports():
    from xwtui.engine.events.event import Outcome
    from xwtui.engine.kernels.compiler.compiled import kernel_cache
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.warmup import cache_refusal
    from xwtui.formats import base
    from xwtui.formats.intake import ReadOptions
    from xwtui.formats.registry import format_to_write, suffix_of, write_puzzle
    from xwtui.session import fill_answer
    from xwtui.session.jobs.engine_loader import EngineLoader
    from xwtui.session.jobs.scheduler import Scheduler
    from xwtui.session.jobs.word_loader import VocabularyRequest
    from xwtui.session.overwriting import check_free
    from xwtui.shell.progress import ProgressReporter
    from xwtui.shell.verb_run import Process
    from xwtui.strategies.abstract_form import Constraint, read_constraints, solve_steps, squares_of


_OUTPUT = click.Path(path_type=Path, dir_okay=False)


@shell.command(short_help="Find letters for LISTS of square numbers.")
@click.argument("lists_file", metavar="LISTS", type=click.Path(allow_dash=True, path_type=Path))
@verb_commands.word_options
@verb_commands.process_option(
    "--time seconds",
    "Time limit for the search, without loading and compiling; 0 for none.",
    click.FloatRange(min=0),
    metavar="SECONDS",
    shown=60,
)
@verb_commands.repeats_option
@verb_commands.process_option("--all wants_all", "Go through every solution and count them.", bool)
@verb_commands.json_option
@click.pass_obj
def compose(started: float, /, lists_file: Path, seconds: float, *, wants_all: bool, **options: Any) -> int:
    """Find letters so that all LISTS of square numbers read words, without any grid.

    The form of crossword-composer, as JSON (`-`: from stdin): [[0, 1, 3], [2, 3, 4]] asks for two words that
    share a letter. The exit status is that of `fill`.
    """
    process = Process(**options)
    if math.isnan(seconds):
        raise click.BadParameter("give a number of seconds", param_hint="'--time'")
    constraints = read_constraints(_text(lists_file))
    puzzle = process.in_alphabet(Puzzle.blank(3, 3))  # only its word choice is used
    with StatusLine(sys.stderr) as status:
        status.show("reading the words")
        vocabulary = VocabularyRequest.of(puzzle, None, process.overrides).load()
        lengths = sorted({len(one) for one in constraints})
        words = [word for length in lengths for word in vocabulary.lexicon.table(length).words()]
    for warning in vocabulary.warnings:
        warn(warning)
    steps = solve_steps(constraints, words, allow_repeats=process.allow_repeats)
    found = _search(steps, seconds or math.inf, wants_all=wants_all)
    if process.as_json:
        print_object(_as_json(constraints, found, started, wants_all=wants_all))
    else:
        _print(constraints, found, wants_all=wants_all)
    return fill_answer.STATUSES[found.outcome]


@shell.command(short_help="Compile the engine now, for an image or CI.")
@verb_commands.json_option
def warmup(as_json: bool) -> int:
    """Compile the engine, and keep what was compiled in the cache: no later start compiles it again.

    Where it is compiled already, it is only loaded. The exit status is 0, or 2 where it cannot be kept.
    """
    begun = time.perf_counter()
    refusal = cache_refusal()
    if refusal is not None:
        raise EngineError(str(refusal))
    folder: Path | None = kernel_cache().folder
    with ProgressReporter(is_json=False) as progress:
        loader = EngineLoader(progress.receive, Scheduler())
        loader.wait(progress.refresh, EnginePart.COUNTING, EnginePart.IMPROVING, EnginePart.DRAWING)
    seconds = time.perf_counter() - begun
    if as_json:
        kept = str(folder) if folder else None
        print_object({"status": "ready", "seconds": round(seconds, 6), "cache": kept})
    else:
        print(f"the engine is ready after {seconds:.1f} s" + (f", kept in {folder}" if folder else ""))
    return Exit.OK


@shell.command(short_help="Convert the puzzle IN to OUT, in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=_OUTPUT)
@verb_commands.force_option
@verb_commands.lossy_option
@verb_commands.reading_options
@verb_commands.json_option
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
        format, warnings = format_to_write(suffix_of(target)).name, [one.words for one in read.warnings]
        print_object({"file": str(target), "format": format, "warnings": warnings, "lost": list(lost)})
    return Exit.OK


_STEPS_A_LOOK = 1000


@dataclass
class _Found:
    outcome: Outcome = field(default_factory=lambda: Outcome.RUNNING)
    letters: tuple[str, ...] = ()
    solutions: int = 0
    nodes: int = 0
    """Words tried."""
    seconds: float = 0.0


def _text(path: Path) -> str:
    """Return the text of a file, or of stdin for `-`; raises EngineError if it cannot be read."""
    try:
        if str(path) == STDIN:
            data = sys.stdin.buffer.read(base.MAX_FILE_BYTES + 1)
        else:
            data = read_at_most(path, base.MAX_FILE_BYTES + 1)
        if len(data) > base.MAX_FILE_BYTES:
            raise EngineError(f"{path}: larger than {base.MAX_FILE_BYTES:,} bytes")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise EngineError(f"{path}: {reason_of(error)}") from None
    except UnicodeDecodeError:
        raise EngineError(f"{path}: this is not UTF-8 text, so it is not JSON") from None


def _search(steps: Iterator[tuple[str, ...] | None], longest: float, *, wants_all: bool) -> _Found:
    """Run to the first solution, or through all of them; UNKNOWN if time runs out first."""
    found = _Found()
    begin = time.perf_counter()
    with interrupt_flag() as is_cancelled, StatusLine(sys.stderr) as status:
        for number, letters in enumerate(steps):
            found.nodes += letters is None
            if letters is not None:
                found.letters = found.letters or letters
                found.solutions += 1
                if not wants_all:
                    break
            if number % _STEPS_A_LOOK:
                continue
            if is_cancelled():
                found.outcome = Outcome.CANCELLED
                break
            if time.perf_counter() - begin >= longest:
                found.outcome = Outcome.UNKNOWN
                break
            status.show(f"composing: {found.solutions:,} solutions, {found.nodes:,} words tried")
    if found.outcome is Outcome.RUNNING:
        found.outcome = Outcome.FILLED if found.solutions else Outcome.IMPOSSIBLE
    found.seconds = time.perf_counter() - begin
    return found


def _read(constraints: tuple[Constraint, ...], letters: tuple[str, ...]) -> list[str]:
    at = dict(zip(squares_of(constraints), letters, strict=True))
    return ["".join(at[square] for square in one) for one in constraints]


def _as_json(
    constraints: tuple[Constraint, ...], found: _Found, started: float, *, wants_all: bool
) -> dict[str, Any]:
    solution: dict[str, Any] = {"letters": [], "words": []}
    if found.letters:
        solution = {"letters": list(found.letters), "words": _read(constraints, found.letters)}
    return {
        "status": found.outcome.value,
        "squares": squares_of(constraints),
        **solution,
        "fills": found.solutions,
        "all_fills": wants_all and found.outcome in (Outcome.FILLED, Outcome.IMPOSSIBLE),
        "nodes": found.nodes,
        "seconds": {"search": round(found.seconds, 6), "total": round(time.perf_counter() - started, 6)},
    }


def _print(constraints: tuple[Constraint, ...], found: _Found, *, wants_all: bool) -> None:
    """Print the words of the first solution, and how the search ended on stderr."""
    if found.letters:
        print("\n".join(_read(constraints, found.letters)))
    result = {
        Outcome.IMPOSSIBLE: "impossible: no words fit these lists",
        Outcome.UNKNOWN: "not decided: time ran out",
        Outcome.CANCELLED: "stopped",
    }.get(found.outcome, "solved")
    solutions = f", {found.solutions:,} solution{'s' * (found.solutions != 1)}" if wants_all else ""
    warn(f"{result}{solutions}, {found.nodes:,} words tried, {found.seconds:.2f} s")
