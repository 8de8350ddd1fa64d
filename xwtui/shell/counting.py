"""`xwtui count`: how many fills a grid has, and what each entry may still take."""

import json
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

from xwtui.engine.counting.estimate import Estimate
from xwtui.engine.counting.estimator import Counter
from xwtui.engine.options import SlotOptions, slot_options
from xwtui.exits import Exit
from xwtui.interrupts import interrupt_flag, stopped_by
from xwtui.model import Grid
from xwtui.printing import StatusLine, warn
from xwtui.shell.engine_start import Prepared, prepare
from xwtui.shell.requests import SearchRequest

_UNLIMITED_SECONDS = 3600.0


def run_count(request: SearchRequest, *, exact: bool = False) -> Exit:
    """Count and print; raises PuzzleFormatError, WordListError or EngineError."""
    prepared = prepare(request, counting=True)
    options = slot_options(prepared.problem)
    with interrupt_flag() as is_cancelled:
        estimate = _count(prepared, request, is_cancelled, exact=exact)
        stopped = is_cancelled()
    if request.json:
        print(json.dumps(_as_json(estimate, options)))
    else:
        print("\n".join(_report(prepared.puzzle.grid, estimate, options)))
    if stopped:
        warn(f"stopped by {stopped_by()}: the count is the one reached so far")
        return Exit.INTERRUPTED
    return Exit.UNKNOWN if exact and estimate.exact is None else Exit.OK


def _count(
    prepared: Prepared, request: SearchRequest, is_cancelled: Callable[[], bool], *, exact: bool
) -> Estimate:
    counter = Counter(prepared.problem, seed=request.seed)
    estimate = counter.quick()
    seconds = request.seconds or (math.inf if exact else _UNLIMITED_SECONDS)
    count = counter.exactly if exact else counter.estimates
    with StatusLine(sys.stderr) as status:
        for estimate in count(seconds, threads=request.threads, cancelled=is_cancelled):
            status.show(f"counting: {estimate.describe()}; Ctrl+C stops")
    return estimate


def _as_json(estimate: Estimate, options: Mapping[str, SlotOptions]) -> dict[str, Any]:
    is_exact = estimate.exact is not None
    return {
        "text": estimate.describe(),
        "exact": estimate.exact,
        "log10": estimate.log10,
        "low": estimate.log10 if is_exact else estimate.low,
        "high": estimate.log10 if is_exact else estimate.high,
        "at_least": estimate.exact if is_exact else estimate.at_least,
        "instrument": estimate.instrument.value,
        "summed_options": sum(slot.after_propagation for slot in options.values()),
        "slots": {
            name: {"matches": slot.pattern_matches, "options": slot.after_propagation}
            for name, slot in options.items()
        },
    }


def _report(grid: Grid, estimate: Estimate, options: Mapping[str, SlotOptions]) -> list[str]:
    emptiest_first = sorted(options.items(), key=lambda item: item[1].after_propagation)
    width = max((len(grid.pattern(slot)) for slot in grid.slots), default=0)
    summed = sum(slot.after_propagation for slot in options.values())
    copeland = f"options summed over the entries: {summed:,} (Copeland's measure)"
    lines = [estimate.describe(), copeland, "", f"{'entry':>5}  {'pattern':{width}}  matches  options"]
    for name, slot in emptiest_first:
        pattern = grid.pattern(grid.slots_by_name[name], given_only=True)
        lines.append(f"{name:>5}  {pattern:{width}}  {slot.pattern_matches:7,}  {slot.after_propagation:7,}")
    return lines
