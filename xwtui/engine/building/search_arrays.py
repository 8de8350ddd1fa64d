"""Making the arrays of a fresh search."""

from __future__ import annotations

from functools import lru_cache

from xwtui.engine.kernels.network import SYMBOLS, Network
from xwtui.engine.kernels.records import BlockLayout
from xwtui.engine.kernels.search_state import (
    BRANCHING,
    BY_SQUARES,
    CONFLICT,
    FIRST_STRIDE,
    FIRST_TURN,
    NOBODY,
    ON_SQUARES,
    OUTER_STRIDE,
    PROBES,
    PROGRESS_SIZE,
    REFUTED,
    RESTART_AT,
    RESTART_STRIDE,
    SETTINGS_SIZE,
    TRIED,
    TURN_AT,
    Search,
)
from xwtui.engine.settings import Settings


@lru_cache(maxsize=32)
def _blank(slots: int, squares: int, longest: int, settings: Settings) -> Search:
    """A search without a seed."""
    width = (slots + 63) // 64
    depths = slots + squares + 1
    rows = {
        "decisions": depths,
        "denied": depths,
        "conflict": width,
        "reasons": depths * width,
        "settled": depths,
        "refutations": depths,
        "weights": squares + 1,
        "random": 1,
        "settings": SETTINGS_SIZE,
        "progress": PROGRESS_SIZE,
        "room": SYMBOLS * max(longest, 2),
        "probes": PROBES,
    }
    search = Search(BlockLayout(Search.fields, rows))
    search.weights[:] = 1
    steering, progress = settings.as_array(), search.progress
    search.settings[:] = steering
    progress[RESTART_AT] = progress[RESTART_STRIDE] = progress[OUTER_STRIDE] = steering[FIRST_STRIDE]
    progress[[CONFLICT, TRIED, REFUTED]] = NOBODY
    progress[TURN_AT] = steering[FIRST_TURN]
    progress[BY_SQUARES] = steering[BRANCHING] == ON_SQUARES
    return search


def fresh_search(network: Network, settings: Settings, seed: int, worker: int) -> Search:
    """Make the arrays of a search that has decided nothing yet."""
    search = _blank(len(network.slots) - 1, len(network.squares), network.longest, settings).copy()
    search.random[0] = (seed * 0x5851F42D4C957F2D + worker * 0x14057B7EF767814F) % (1 << 64)
    return search
