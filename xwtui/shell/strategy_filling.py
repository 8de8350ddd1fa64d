"""`xwtui fill --strategy NAME` and `fill --all`: one search by any strategy, to its first fill or through all."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import click

from xwtui.engine.event import Event, EventKind
from xwtui.engine.outcome import Outcome, Statistics
from xwtui.engine.watching.trace_file import TraceWriter
from xwtui.exits import Exit
from xwtui.interrupts import interrupt_flag
from xwtui.model import Content, Position
from xwtui.model.edits import write_fill
from xwtui.model.statistics import grid_statistics
from xwtui.printing import StatusLine
from xwtui.session.exit_status import STATUSES
from xwtui.session.recording import head_of
from xwtui.session.wording import all_fills_words
from xwtui.shell.engine_start import Loaded, load, prepare
from xwtui.shell.fill_report import Filled, as_json, figures
from xwtui.shell.filling import check_outputs, write_outputs
from xwtui.shell.requests import FillRequest
from xwtui.shell.text_output import print_figures, print_grid
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import DEFAULT_STRATEGY, STRATEGIES, StrategyChoice

_SECONDS_A_SLICE = 0.05


@dataclass(frozen=True)
class _Result:
    """How a strategy ended, and the first fill that it found."""

    outcome: Outcome
    statistics: Statistics
    seed: int
    reason: str
    squares: Mapping[Position, Content]
    threads: int = 1


def run_strategy(request: FillRequest) -> Exit:
    """Fill, print and write; raises PuzzleError, PuzzleFormatError, WordListError or EngineError."""
    check_outputs(request.outputs)
    choice = StrategyChoice.parse(request.strategy or DEFAULT_STRATEGY)
    if request.wants_all:
        choice = choice.for_all()
    of_engine = choice.name == DEFAULT_STRATEGY
    loaded = (prepare if of_engine else load)(request.search, part=request.part)
    strategy = choice.make(loaded.posing.task(), request.search.seed)
    if request.trace is None:
        result = _search(request, strategy, strategy.advance)
    else:
        head = head_of(loaded.puzzle.grid, strategy=str(choice), seed=strategy.seed)
        with closing(TraceWriter(request.trace, head)) as writer:
            result = _search(request, strategy, lambda seconds: _advance_traced(strategy, writer, seconds))
    filled = _report(request, loaded, result)
    try:
        if request.search.json:
            print(json.dumps(as_json(filled) | _details(choice, strategy), ensure_ascii=False))
        else:
            is_piped = not (request.outputs or sys.stdout.isatty())
            if result.squares:
                print_grid(filled.puzzle.grid, is_piped=is_piped)
            print_figures([*figures(filled), *_fills(request, strategy)], is_piped=is_piped)
        sys.stdout.flush()
    finally:  # also where nobody reads the output any more
        if result.squares:
            write_outputs(filled.puzzle, request.outputs, lossy=request.lossy)
    return STATUSES[result.outcome]


def _advance_traced(strategy: Strategy, writer: TraceWriter, seconds: float) -> Outcome:
    """Go on for so many seconds or to the next fill, and write each event."""
    deadline = time.perf_counter() + seconds
    events: list[Event] = []
    for event in strategy.run():
        events.append(event)
        if event.kind is EventKind.SOLVED or time.perf_counter() >= deadline:
            break
    writer.write(events)
    return strategy.outcome


def _search(request: FillRequest, strategy: Strategy, advance: Callable[[float], Outcome]) -> _Result:
    """Go on to the first fill, or to the last; UNKNOWN where the time was up first."""
    limit = request.search.seconds
    begin = time.perf_counter()
    squares: Mapping[Position, Content] = {}
    cut_short: Outcome | None = None
    with interrupt_flag() as is_cancelled, StatusLine(sys.stderr) as status:
        while not strategy.is_over and cut_short is None:
            outcome = advance(_SECONDS_A_SLICE)
            if outcome is Outcome.FILLED and not squares:
                squares = dict(strategy.squares)
            if outcome is Outcome.FILLED and not request.wants_all:
                break
            if is_cancelled():
                cut_short = Outcome.CANCELLED
            elif limit is not None and time.perf_counter() - begin >= limit:
                cut_short = Outcome.UNKNOWN
            status.show(_progress(strategy))
    return _Result(
        strategy.outcome if cut_short is None or strategy.is_over else cut_short,
        _statistics(strategy, time.perf_counter() - begin),
        request.search.seed,
        strategy.reason or ("the time was up before all fills were found" if squares and cut_short else ""),
        squares,
    )


def _progress(strategy: Strategy) -> str:
    counters = strategy.counters
    fills = f"{counters.fills:,} fills, " if counters.fills else ""
    return f"{strategy.name}: {fills}{counters.nodes:,} nodes, depth {strategy.depth}; Ctrl+C stops"


def _statistics(strategy: Strategy, seconds: float) -> Statistics:
    counters = strategy.counters
    return Statistics(
        nodes=counters.nodes,
        backtracks=counters.backtracks,
        restarts=counters.restarts,
        depth=strategy.depth,
        seconds_search=seconds,
    )


def _report(request: FillRequest, loaded: Loaded, result: _Result) -> Filled:
    """What is told and written: of many fills the first one."""
    puzzle = loaded.puzzle
    if result.squares:
        inside = loaded.selection
        written = {at: one for at, one in result.squares.items() if inside is None or at in inside}
        puzzle = write_fill(puzzle, written)
    statistics = grid_statistics(puzzle.grid, loaded.lexicon.score)
    return Filled(loaded, result, puzzle, statistics, total=time.perf_counter() - request.search.started)


def _details(choice: StrategyChoice, strategy: Strategy) -> dict[str, Any]:
    """What strategies add to the object of `fill --json`."""
    details: dict[str, Any] = {
        "strategy": str(choice),
        "fills": strategy.counters.fills,
        "all_fills": strategy.is_over and strategy.is_complete,
    }
    if strategy.places_letters:
        details["placements"] = strategy.counters.placements
    return details


def _fills(request: FillRequest, strategy: Strategy) -> list[str]:
    """How many fills there are, where all were asked for."""
    if not request.wants_all:
        return []
    reason = ""
    if not strategy.is_over:
        reason = "the search was not over"
    elif not strategy.is_complete:
        reason = f"with these options {strategy.name} does not find all"
    return [all_fills_words(strategy.counters.fills, reason)]


def list_strategies(*, as_json: bool) -> Exit:
    """Tell which strategies there are, and their options."""
    if as_json:
        print(json.dumps({"strategies": [_strategy_as_json(strategy) for strategy in STRATEGIES.values()]}))
        return Exit.OK
    for strategy in STRATEGIES.values():
        click.echo(f"{strategy.name}: {strategy.summary}")
        for option in strategy.options:
            click.echo(f"    {option.name}={option.default}  {option.help}: {option.expected}")
    return Exit.OK


def _strategy_as_json(strategy: type[Strategy]) -> dict[str, Any]:
    options = (
        {"name": option.name, "default": str(option.default), "help": option.help, "expected": option.expected}
        for option in strategy.options
    )
    return {"name": strategy.name, "summary": strategy.summary, "options": list(options)}
