"""Tapes written as trace files, and read from them."""

from __future__ import annotations

from pathlib import Path

from xwtui.engine.event import EventKind
from xwtui.engine.outcome import Outcome
from xwtui.engine.watching.trace_file import Head, TraceWriter, read_trace
from xwtui.errors import EngineError, XwtuiError
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.model import Grid, Puzzle
from xwtui.model.edits import clear_pencil
from xwtui.session.recording import Recording
from xwtui.session.run_view import RunView


def head_of(grid: Grid, *, strategy: str = "xwtui", seed: int = 0) -> Head:
    """What a trace of a search of a grid begins with: what is in pencil is not in it."""
    return Head(tuple(grid_to_text(without_pencil(grid)).splitlines()), strategy, seed)


def without_pencil(grid: Grid) -> Grid:
    """A grid with what is given alone."""
    return clear_pencil(Puzzle(grid)).grid


def write_recording(tape: Recording, path: Path) -> int:
    """Write what a tape holds; returns how many events. Raises EngineError where that fails."""
    events = tape.kept()
    writer = TraceWriter(path, head_of(tape.grid, strategy=tape.strategy, seed=tape.seed))
    try:
        writer.write(events)
    finally:
        writer.close()
    return len(events)


def read_recording(path: Path) -> tuple[Puzzle, Recording, RunView]:
    """The puzzle of a trace, its search, and how that stood at its end.

    Raises EngineError for a file that is no trace, or has no event.
    """
    head, events = read_trace(path)
    try:
        grid = grid_from_text("\n".join(head.grid))
    except XwtuiError as error:
        raise EngineError(f"the grid in the head of {path.name} cannot be read: {error}") from None
    tape = Recording(grid, strategy=head.strategy, seed=head.seed)
    counts = dict.fromkeys((EventKind.DECIDE, EventKind.BACKTRACK, EventKind.RESTART), 0)
    deepest = 0
    for event in events:
        tape.tell([event])
        deepest = max(deepest, event.depth)
        if event.kind in counts:
            counts[event.kind] += 1
    if tape.length == 0:
        raise EngineError(f"{path.name}: there is no event in this trace")
    nodes, backtracks, restarts = counts.values()
    last = RunView(
        Outcome.RUNNING,
        nodes=nodes,
        backtracks=backtracks,
        restarts=restarts,
        deepest=deepest,
        seed=head.seed,
    )
    return Puzzle(grid), tape, tape.at_end(last)
