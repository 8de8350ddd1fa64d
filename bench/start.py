"""Startup cost: help, first frame and count, first compile, cached engine, large lists."""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from bench.big_lists import as_list, resized
from bench.fillers.clock import now, which
from bench.keyboard import Keyboard
from bench.measured import Measured, measured
from bench.memory import SAMPLE, Memory, processor_seconds
from bench.tables import duration, table
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

MINIMUM_SCORE = 40
SIZES = (300_000, 1_000_000)
_RUNS = 5
_READY = "from xwtui.engine.warmup import warm_up; warm_up({})"
_STAGES = {
    "search": "counting=False",
    "search and counting": "counting=True",
    "search, counting, improving and rules": "counting=True, improving=True",
}
_STEADY_NODES = 20_000
_TEMPLATES = puzzles_folder() / "templates"


def lines(tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Return the tables of this part."""
    runs = 1 if is_quick else _RUNS
    head = ["what", "seconds", "of one core", "peak memory", "words read in"]
    explained = (
        "Medians. `of one core` is processor time, which other processes on the machine affect least. "
        "`words read in` is the time to read a new list, or the compiled form of a known one."
    )
    rows = [*_starts(runs, tell), *_fills(runs, tell)]
    tell("nodes a second")
    return [explained, "", *table(head, rows), "", *_nodes_a_second()]


def _starts(runs: int, tell: Callable[[str], None]) -> list[list[str]]:
    """Measure help, the compile in an empty cache, and the cached engine."""
    tell("help")
    rows = [_row("`xwtui --help`", [measured([sys.executable, "-m", "xwtui", "--help"]) for _ in range(runs)])]
    tell("the first frame")
    rows.append(_row("`xwtui PUZZLE`, its first frame", [_until(SAMPLE, "F5") for _ in range(3 * runs)]))
    warm_up(improving=True)
    tell("the first count of fills")
    counts = [_until(_TEMPLATES / "15x15-01.txt", "≈") for _ in range(3 * runs)]
    rows.append(_row("`xwtui GRID`, its first count of fills", counts))
    for what, options in _STAGES.items():
        command = [sys.executable, "-c", _READY.format(options)]
        with tempfile.TemporaryDirectory() as folder:
            cache = {"NUMBA_CACHE_DIR": folder}
            tell(f"compiling: {what}")
            rows.append(_row(f"first compile: {what}", [measured(command, cache)]))
            rows.append(_row(f"cached: {what}", [measured(command, cache) for _ in range(runs)]))
    return rows


def _until(puzzle: Path, text: str) -> Measured:
    """Run the screen in a terminal until a text appears; bytecode is cached, as in an installation."""
    with tempfile.TemporaryDirectory() as folder:
        own = {f"XDG_{what}_HOME": folder for what in ("STATE", "CONFIG", "DATA")}
        begun = perf_counter()
        with Keyboard(puzzle, own | {"PYTHONDONTWRITEBYTECODE": ""}) as keyboard:
            keyboard.expect(text)
            seconds = perf_counter() - begun
            spent = processor_seconds(keyboard.process)
            return Measured("", 0, seconds, spent, Memory.of(keyboard.process).resident)


def _fills(runs: int, tell: Callable[[str], None]) -> list[list[str]]:
    """Time `xwtui fill` processes with lists of several sizes: the first, which reads the list, and later ones."""
    rows = []
    default = dict(open_word_list(default_word_list()).word_list)
    tell("compiling, where this was not done before")
    warm_up()
    for size in (len(default), *SIZES):
        tell(f"a list of {size:,} words")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "big.dict"
            path.write_text(as_list(resized(default, size)))
            grid = str(_TEMPLATES / "15x15-01.txt")
            options = ["--words", str(path), "--min-score", str(MINIMUM_SCORE), "--json"]
            command = [sys.executable, "-m", "xwtui", "fill", grid, *options]
            cache = {"XDG_CACHE_HOME": folder, "NUMBA_CACHE_DIR": _engine_cache()}
            rows.append(_row(f"`xwtui fill`, {size:,} words, list new", [measured(command, cache)]))
            rows.append(_row(f"`xwtui fill`, {size:,} words", [measured(command, cache) for _ in range(runs)]))
    return rows


def _engine_cache() -> str:
    """Return this process's kernel cache, so that child processes with another list cache find it."""
    from xwtui.engine.kernels.compiler.compiled import cache_folder  # noqa: PLC0415  it imports numba

    folder = cache_folder()
    return "" if folder is None else str(folder.parent)


def _row(what: str, runs: Sequence[Measured | None]) -> list[str]:
    found = [each for each in runs if each is not None]
    failed = [each.status for each in found if each.status != 0]
    median = [statistics.median(column) for column in zip(*(each[2:] for each in found), strict=True)]
    name = f"{what} (failed: {failed[0]})" if failed else what
    loads = [json.loads(each.output)["seconds"]["load"] for each in found if each.output.startswith("{")]
    load = duration(statistics.median(loads)) if loads else ""
    return [name, duration(median[0]), duration(median[1]), f"{median[2]:.0f} MB", load]


def _nodes_a_second() -> list[str]:
    """Measure nodes per second over long searches, with one seed after another."""
    lexicon = Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=MINIMUM_SCORE)
    rows = []
    for name in ("15x15-01", "themeless-15x15", "wide-open-15x15", "21x21-01", "square-6x6"):
        problem = Problem.build(grid_from_text((_TEMPLATES / f"{name}.txt").read_text()), lexicon)
        nodes, seconds = 0, 0.0
        for seed in range(400):
            filler = Filler(problem, seed=seed)
            started = now()
            filler.advance(nodes=_STEADY_NODES - nodes)
            seconds += now() - started
            nodes += filler.statistics.nodes
            if nodes >= _STEADY_NODES or seconds > 10:
                break
        rows.append([name, f"{nodes:,}", f"{nodes / seconds:,.0f}"])
    return table(["template", "nodes", f"nodes a second {which()}".strip()], rows)
