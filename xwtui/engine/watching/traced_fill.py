"""A fill of which everything is written to a trace file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.engine.portfolio import FillResult, Progress
from xwtui.engine.problem import Problem
from xwtui.engine.watching.trace_file import TraceWriter
from xwtui.errors import EngineError
from xwtui.model import Content, Position

RING = 65_536
"""Events that the engine keeps between two looks."""
_SECONDS_A_SLICE = 0.01


def traced_fill(
    problem: Problem,
    writer: TraceWriter,
    *,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[Progress], None] | None = None,
) -> FillResult:
    """Fill as `portfolio.fill` does with one thread, and write each event; the search waits for the writing.

    `seconds` count the writing too. Raises EngineError where that fails.
    """
    filler = Filler(problem, seed=seed, trace=True, ring=RING)
    deadline = None if seconds is None else perf_counter() + seconds
    outcome = filler.outcome
    while outcome is Outcome.RUNNING:
        if cancelled():
            outcome = Outcome.CANCELLED
        elif deadline is not None and perf_counter() >= deadline:
            outcome = Outcome.UNKNOWN
        else:
            outcome = filler.advance(seconds=_SECONDS_A_SLICE)
            write_recorded(filler, writer)
            if progress is not None:
                progress(Progress(filler.statistics, {}))
    squares: Mapping[Position, Content] = filler.fill() if outcome is Outcome.FILLED else {}
    return FillResult(outcome, squares, filler.statistics, seed, 1, 0, filler.reason, filler)


def write_recorded(filler: Filler, writer: TraceWriter) -> None:
    """Write the events since the last call; raises EngineError where some were lost, or cannot be written."""
    events = filler.take_recorded()
    if events.missed:
        raise EngineError(f"the trace is not whole: {events.missed:,} events came too fast to be written")
    writer.write(events[index] for index in range(len(events)))
