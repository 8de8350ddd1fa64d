"""`xwtui fill`: one fill of a grid, to the terminal, to files or as JSON."""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xwtui.cli.engine_start import Prepared, prepare
from xwtui.cli.exits import Exit
from xwtui.cli.interrupts import interrupt_flag
from xwtui.cli.requests import FillRequest
from xwtui.cli.sources import warn
from xwtui.cli.text_output import grid_rows, print_figures, print_grid
from xwtui.engine.outcome import Outcome
from xwtui.engine.portfolio import FillResult, Progress
from xwtui.engine.portfolio import fill as search_fill
from xwtui.errors import PuzzleFormatError
from xwtui.formats.registry import suffixes, write_puzzle
from xwtui.model import Puzzle
from xwtui.model.edits import write_fill
from xwtui.model.statistics import GridStatistics, grid_statistics
from xwtui.printing.status_line import StatusLine

_STATUSES: Mapping[Outcome, Exit] = {
    Outcome.FILLED: Exit.OK,
    Outcome.IMPOSSIBLE: Exit.IMPOSSIBLE,
    Outcome.UNKNOWN: Exit.UNKNOWN,
    Outcome.CANCELLED: Exit.INTERRUPTED,
}


@dataclass(frozen=True)
class _Filled:
    """A search's end: the puzzle with the fill, if there is one, and the figures."""

    prepared: Prepared
    result: FillResult
    puzzle: Puzzle
    statistics: GridStatistics
    total: float


def run_fill(request: FillRequest) -> Exit:
    """Fill, print and write; raises PuzzleFormatError, WordListError or EngineError."""
    _check_outputs(request.outputs)
    filled = _search(request)
    if request.search.json:
        print(json.dumps(_as_json(filled), ensure_ascii=False))
    else:
        _print(filled)
    sys.stdout.flush()
    if filled.result.outcome is Outcome.FILLED:
        for path in request.outputs:
            for warning in write_puzzle(path, filled.puzzle, lossy=request.lossy):
                warn(f"{path}: {warning}")
    return _STATUSES[filled.result.outcome]


def _check_outputs(outputs: Sequence[Path]) -> None:
    """Find a file that cannot be written before the search, not after it."""
    for path in outputs:
        if path.suffix.lower() not in suffixes():
            raise PuzzleFormatError(f"{path}: no format has the suffix {path.suffix!r}; there are {_listed()}")
        if not path.parent.is_dir():
            raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


def _listed() -> str:
    return ", ".join(sorted(suffixes()))


def _search(request: FillRequest) -> _Filled:
    search = request.search
    prepared = prepare(search)
    with interrupt_flag() as is_cancelled, StatusLine(sys.stderr) as status:
        result = search_fill(
            prepared.problem,
            seed=search.seed,
            threads=search.threads,
            seconds=search.seconds,
            cancelled=is_cancelled,
            progress=lambda progress: status.show(_progress_text(progress)),
        )
    puzzle = write_fill(prepared.puzzle, result.squares) if result.outcome is Outcome.FILLED else prepared.puzzle
    statistics = grid_statistics(puzzle.grid, prepared.lexicon.score)
    return _Filled(prepared, result, puzzle, statistics, time.perf_counter() - search.started)


def _progress_text(progress: Progress) -> str:
    found = progress.statistics
    return f"filling: {found.nodes:,} nodes, depth {found.depth}, {found.backtracks:,} backtracks, Ctrl+C stops"


def _as_json(filled: _Filled) -> dict[str, Any]:
    grid, result = filled.puzzle.grid, filled.result
    answers = {slot.name: grid.answer(slot) for slot in grid.slots}
    score = filled.prepared.lexicon.score
    document: dict[str, Any] = {
        "status": result.outcome.name.lower(),
        "grid": grid_rows(grid),
        "answers": {name: {"word": word, "score": score(word)} for name, word in answers.items() if word},
        "seconds": _seconds(filled),
        "nodes": result.statistics.nodes,
        "backtracks": result.statistics.backtracks,
        "restarts": result.statistics.restarts,
        "mean_score": filled.statistics.mean_score,
        "lowest_score": filled.statistics.lowest_score,
        "seed": result.seed,
        "threads": result.threads,
    }
    if result.reason:
        document["reason"] = result.reason
    return document


def _seconds(filled: _Filled) -> dict[str, float]:
    """Seconds of loading words and grid, of loading or compiling the engine, of search, and of all."""
    times = {
        "load": filled.prepared.load,
        "compile": filled.prepared.compile,
        "search": filled.result.statistics.seconds_search,
        "total": filled.total,
    }
    return {name: round(seconds, 6) for name, seconds in times.items()}


def _print(filled: _Filled) -> None:
    result, found = filled.result, filled.result.statistics
    effort = f"{_count(found.nodes, 'node')}, {_count(found.backtracks, 'backtrack')}"
    effort += f", {_count(found.restarts, 'restart')}; {_times(filled)}"
    match result.outcome:
        case Outcome.FILLED:
            print_grid(filled.puzzle.grid)
            print_figures(f"filled: {_scores(filled.statistics)}")
            print_figures(effort)
        case Outcome.IMPOSSIBLE:
            print_figures(f"impossible: {result.reason or 'there is no fill with these words'}")
            print_figures(effort)
        case Outcome.CANCELLED:
            warn(f"stopped by Ctrl+C: {effort}; no file was written")
        case _:
            print_figures("unknown: the time is up, with neither a fill nor a proof that there is none")
            print_figures(f"{effort}; try --time, --threads, another --seed or a lower --min-score")


def _scores(statistics: GridStatistics) -> str:
    entries = _count(statistics.entries, "entry", "entries")
    if statistics.mean_score is None:
        return f"{entries}, none of them in the word list"
    text = f"{entries}, mean score {statistics.mean_score:.1f}, lowest {statistics.lowest_score}"
    unlisted = ", ".join(f"{name} {answer}" for name, answer in statistics.unlisted)
    return f"{text}; not in the word list: {unlisted}" if unlisted else text


def _times(filled: _Filled) -> str:
    seconds = _seconds(filled)
    return ", ".join(f"{name} {seconds[name]:.2f} s" for name in ("load", "compile", "search"))


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
