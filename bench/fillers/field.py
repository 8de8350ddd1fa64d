"""The fillers in the contest: ours and its peers."""

import importlib.util
from functools import partial

from bench.fillers import qxw
from bench.fillers.filler import Filler
from bench.fillers.served import serving

OURS = "xwtui"
_MANY = 1_000

FILLERS = (
    Filler(OURS, lambda: True, partial(serving, "bench.fillers.xwtui_server"), most_runs=_MANY),
    Filler(
        "blacksquare",
        lambda: importlib.util.find_spec("blacksquare") is not None,
        partial(serving, "bench.fillers.blacksquare_server"),
        most_runs=3,
    ),
    Filler("qxw", lambda: qxw.program() is not None, qxw.starting, most_runs=1),
)


def ours_on(threads: int) -> Filler:
    """Return our filler on several threads, to compare with ours on one."""
    start = partial(serving, "bench.fillers.xwtui_server", threads=threads)
    return Filler(f"{OURS} on {threads} threads", lambda: True, start, most_runs=_MANY)
