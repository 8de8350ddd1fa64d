"""`xwtui fill`: one fill of a grid, to the terminal, to files or as JSON."""

import json
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from xwtui.engine.outcome import Outcome
from xwtui.engine.portfolio import Progress
from xwtui.engine.portfolio import fill as search_fill
from xwtui.engine.watching.trace_file import TraceWriter
from xwtui.engine.watching.traced_fill import traced_fill
from xwtui.errors import PuzzleFormatError
from xwtui.exits import Exit
from xwtui.formats.registry import suffixes, write_puzzle
from xwtui.interrupts import interrupt_flag
from xwtui.model import Puzzle
from xwtui.model.edits import write_fill
from xwtui.model.statistics import grid_statistics
from xwtui.printing import StatusLine, warn
from xwtui.session.exit_status import STATUSES
from xwtui.session.recording import head_of
from xwtui.shell.engine_start import prepare
from xwtui.shell.fill_report import Filled, as_json, figures
from xwtui.shell.requests import FillRequest
from xwtui.shell.text_output import print_figures, print_grid


def run_fill(request: FillRequest) -> Exit:
    """Fill, print and write; raises PuzzleError, PuzzleFormatError, WordListError or EngineError."""
    check_outputs(request.outputs)
    filled = _search(request)
    try:
        if request.search.json:
            print(json.dumps(as_json(filled), ensure_ascii=False))
        else:
            _print(filled, is_piped=not (request.outputs or sys.stdout.isatty()))
        sys.stdout.flush()
    finally:  # also where nobody reads the output any more
        if filled.result.outcome is Outcome.FILLED:
            write_outputs(filled.puzzle, request.outputs, lossy=request.lossy)
    return STATUSES[filled.result.outcome]


def check_outputs(outputs: Sequence[Path]) -> None:
    """Find a file that cannot be written before the search, not after it."""
    for path in outputs:
        if path.suffix.lower() not in suffixes():
            known = ", ".join(sorted(suffixes()))
            raise PuzzleFormatError(f"{path}: no format has the suffix {path.suffix!r}; there are {known}")
        if not path.parent.is_dir():
            raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


def _search(fill_request: FillRequest) -> Filled:
    request = fill_request.search
    prepared = prepare(request, part=fill_request.part)
    with interrupt_flag() as is_cancelled, StatusLine(sys.stderr) as status:
        steered: dict[str, Any] = {
            "seed": request.seed,
            "seconds": request.seconds,
            "cancelled": is_cancelled,
            "progress": lambda progress: status.show(_progress_text(progress)),
        }
        if fill_request.trace is None:
            result = search_fill(prepared.problem, threads=request.threads, **steered)
        else:
            head = head_of(prepared.puzzle.grid, seed=request.seed)
            with closing(TraceWriter(fill_request.trace, head)) as writer:
                result = traced_fill(prepared.problem, writer, **steered)
    puzzle = prepared.puzzle
    if result.outcome is Outcome.FILLED:
        puzzle = write_fill(puzzle, result.squares)
    statistics = grid_statistics(puzzle.grid, prepared.lexicon.score)
    return Filled(prepared, result, puzzle, statistics, total=time.perf_counter() - request.started)


def _progress_text(progress: Progress) -> str:
    found = progress.statistics
    return f"filling: {found.nodes:,} nodes, depth {found.depth}, {found.backtracks:,} backtracks; Ctrl+C stops"


def _print(filled: Filled, *, is_piped: bool) -> None:
    if filled.result.outcome is Outcome.FILLED:
        print_grid(filled.puzzle.grid, is_piped=is_piped)
    if filled.result.outcome is Outcome.CANCELLED:
        warn("; ".join(figures(filled)))
    else:
        print_figures(figures(filled), is_piped=is_piped)


def write_outputs(puzzle: Puzzle, outputs: Sequence[Path], *, lossy: bool) -> None:
    """Write a puzzle to files, whatever signals come meanwhile, and tell what their formats leave out."""
    with interrupt_flag():
        for path in outputs:
            for warning in write_puzzle(path, puzzle, lossy=lossy):
                warn(f"{path}: {warning}")
