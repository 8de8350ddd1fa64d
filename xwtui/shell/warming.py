"""`xwtui warmup`: all that is compiled, before anybody waits for it."""

import json
import sys
import time
from pathlib import Path

from xwtui.engine.kernels.compiler.compiled import kernel_cache
from xwtui.engine.warmup import cache_refusal, warm_up
from xwtui.errors import EngineError
from xwtui.exits import Exit
from xwtui.printing import StatusLine
from xwtui.shell.engine_start import aside
from xwtui.shell.root import SCHEMA


def run_warmup(*, as_json: bool) -> Exit:
    """Compile or load everything; raises EngineError where it cannot be kept."""
    begun = time.perf_counter()
    with StatusLine(sys.stderr) as status:
        aside(lambda: warm_up(lambda step: status.show(str(step)), counting=True, improving=True))
    refusal = cache_refusal()
    if refusal is not None:
        raise EngineError(str(refusal))
    folder: Path | None = kernel_cache().folder
    seconds = time.perf_counter() - begun
    if as_json:
        told = {"schema": SCHEMA, "status": "ready", "seconds": round(seconds, 6), "cache": folder and str(folder)}
        print(json.dumps(told))
    else:
        print(f"the engine is ready after {seconds:.1f} s" + (f", kept in {folder}" if folder else ""))
    return Exit.OK
