"""`xwtui race`: strategies side by side on one grid, to the terminal and to files."""

import json
import sys
import time
from typing import Any

from xwtui.exits import Exit
from xwtui.interrupts import interrupt_flag, stopped_by
from xwtui.printing import StatusLine, warn
from xwtui.racing.export import check_target, race_as_json, status, write_race
from xwtui.racing.race import run_race
from xwtui.racing.standing import RaceView
from xwtui.racing.task import RaceOrder, RaceTask, load_engines, need_engine, read_entrants, seeds_from
from xwtui.shell.engine_start import aside, load, warn_of_cache
from xwtui.shell.race_display import RaceDisplay, print_race
from xwtui.shell.race_options import RaceRequest

_STATUSES = {
    "filled": Exit.OK,
    "impossible": Exit.IMPOSSIBLE,
    "unknown": Exit.UNKNOWN,
    "cancelled": Exit.INTERRUPTED,
}


def run_race_command(request: RaceRequest) -> Exit:
    """Race, print and write; raises PuzzleFormatError, WordListError or EngineError."""
    search = request.search
    for path in request.outputs:
        check_target(path)
    entrants = read_entrants(request.strategies)
    order = RaceOrder(entrants, seeds_from(search.seed, request.seeds), request.seconds, search.threads)
    loaded = load(search)
    task = RaceTask(loaded.puzzle, loaded.posing.vocabulary, loaded.posing.task())
    compiling = time.perf_counter()
    with StatusLine(sys.stderr) as line:
        aside(lambda: load_engines(task, entrants, line.show))
    if need_engine(entrants):
        warn_of_cache()
    seconds = {"load": loaded.load, "compile": loaded.compile + time.perf_counter() - compiling}
    with interrupt_flag() as is_cancelled, RaceDisplay() as display:
        view = run_race(task, order, cancelled=is_cancelled, told=display.show)
        is_stopped = is_cancelled()
    try:
        _print(request, view, seconds)
    finally:  # also where nobody reads the output any more
        with interrupt_flag():
            for path in request.outputs:
                write_race(path, view)
    if is_stopped:
        warn(f"stopped by {stopped_by()}: this is the race so far")
    return Exit.INTERRUPTED if is_stopped else _STATUSES[status(view)]


def _print(request: RaceRequest, view: RaceView, seconds: dict[str, float]) -> None:
    if request.search.json:
        times = {**seconds, "race": view.seconds, "total": time.perf_counter() - request.search.started}
        rounded: dict[str, Any] = {"seconds": {name: round(one, 6) for name, one in times.items()}}
        print(json.dumps(race_as_json(view) | rounded, ensure_ascii=False))
    else:
        print_race(view)
    sys.stdout.flush()
