"""`xwtui improve`, and `xwtui fill` with --best, --partial or several fills: what takes more than one search."""

import json
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from xwtui.engine.outcome import Outcome
from xwtui.errors import VerbError
from xwtui.exits import Exit
from xwtui.interrupts import interrupt_flag
from xwtui.model import Puzzle
from xwtui.model.edits import clear_pencil, write_fill
from xwtui.printing import StatusLine
from xwtui.session.exit_status import run_status
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.jobs.fills.kept_fills import NOTHING_TO_IMPROVE, can_be_improved, standing_squares
from xwtui.session.jobs.fills.making import make_direct_run
from xwtui.session.jobs.fills.run import FoundFill, RunMessage, Turn
from xwtui.session.messages import FillProgress
from xwtui.session.run_view import RunView
from xwtui.session.wording import standing_words
from xwtui.shell.engine_start import Prepared, prepare
from xwtui.shell.filling import check_outputs, write_outputs
from xwtui.shell.requests import FillRequest
from xwtui.shell.run_report import Ran, as_json, figures
from xwtui.shell.text_output import print_figures, print_grid


def run_better_fill(request: FillRequest) -> Exit:
    """Do what is asked, print and write; raises PuzzleError, PuzzleFormatError, WordListError or EngineError."""
    check_outputs(request.outputs)
    is_improving = request.mode in (Mode.BEST, Mode.IMPROVE)
    prepared = prepare(request.search, improving=is_improving, part=request.part)
    if request.mode is Mode.IMPROVE and not can_be_improved(prepared.puzzle.grid):
        raise VerbError(NOTHING_TO_IMPROVE)
    ran = _run(request, prepared)
    try:
        if request.search.json:
            print(json.dumps(as_json(ran), ensure_ascii=False))
        else:
            _print(ran, is_piped=not (request.outputs or sys.stdout.isatty()))
        sys.stdout.flush()
    finally:  # also where nobody reads the output any more
        _write(ran, request)
    return run_status(ran.view)


def _run(request: FillRequest, prepared: Prepared) -> Ran:
    search = request.search
    options = FillOptions(
        request.mode,
        seconds=search.seconds,
        threads=search.threads,
        seed=search.seed,
        count=request.count,
        difference=request.difference,
        aim=request.aim,
        start=standing_squares(prepared.puzzle.grid),
    )
    run, stopped = make_direct_run(options, search.seed), threading.Event()
    with StatusLine(sys.stderr) as status:

        def show(message: RunMessage) -> None:
            if isinstance(message, FillProgress):
                status.show(f"{message.run.mode.doing}: {standing_words(message.run)}; Ctrl+C stops")

        with interrupt_flag(stopped.set) as is_cancelled:
            begun = time.perf_counter()
            view = run.work(prepared.problem, Turn(stopped.is_set, show))
            is_stopped = is_cancelled()
    now = time.perf_counter()
    if is_stopped:
        view = replace(view, outcome=Outcome.CANCELLED)
    puzzles = _puzzles(prepared, view, run.found)
    return Ran(prepared, view, puzzles, searched=now - begun, total=now - search.started)


def _puzzles(prepared: Prepared, view: RunView, found: Sequence[FoundFill]) -> tuple[Puzzle, ...]:
    """The puzzle with what was found; with each of several fills, the best first."""
    puzzle, selection = prepared.puzzle, prepared.selection
    if view.mode is Mode.PARTIAL:
        puzzle = clear_pencil(puzzle, selection)
    fills = [fill.squares for fill in found] if view.mode is Mode.DIVERSE else [view.squares] * bool(view.squares)
    return tuple(
        write_fill(puzzle, {at: c for at, c in fill.items() if selection is None or at in selection})
        for fill in fills
    )


def _print(ran: Ran, *, is_piped: bool) -> None:
    for puzzle in ran.puzzles:
        print_grid(puzzle.grid, is_piped=is_piped)
        if len(ran.puzzles) > 1:
            print()
    print_figures(figures(ran), is_piped=is_piped)


def _write(ran: Ran, request: FillRequest) -> None:
    """Write the files; of several fills each goes to files of its own, `out-1.puz` and so on."""
    if request.mode is not Mode.DIVERSE:
        for puzzle in ran.puzzles:
            write_outputs(puzzle, request.outputs, lossy=request.lossy)
        return
    for number, puzzle in enumerate(ran.puzzles, start=1):
        write_outputs(puzzle, [numbered(path, number) for path in request.outputs], lossy=request.lossy)


def numbered(path: Path, number: int) -> Path:
    """`out-2.puz` for `out.puz` and 2."""
    return path.with_name(f"{path.stem}-{number}{path.suffix}")
