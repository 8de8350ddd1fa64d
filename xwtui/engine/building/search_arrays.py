"""Making the arrays of a fresh search."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import LENGTH, SYMBOLS, Network
from xwtui.engine.kernels.search_state import (
    BRANCHING,
    BY_SQUARES,
    CONFLICT,
    FIRST_STRIDE,
    FIRST_TURN,
    NOBODY,
    ON_SQUARES,
    OUTER_STRIDE,
    PROBE_COLUMNS,
    PROBES,
    PROGRESS_SIZE,
    REFUTED,
    RESTART_AT,
    RESTART_STRIDE,
    TRIED,
    TURN_AT,
    Search,
)
from xwtui.engine.settings import Settings, gumbel_table, logarithm_table


@cache
def _constants() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return logarithm_table(), gumbel_table()


def fresh_search(network: Network, settings: Settings, seed: int, worker: int) -> Search:
    """Make the arrays of a search that has decided nothing yet."""
    slots, squares = len(network.slots) - 1, len(network.squares)
    width = (slots + 63) // 64
    longest = int(network.tables[:, LENGTH].max(initial=2))
    progress = np.zeros(PROGRESS_SIZE, np.int64)
    steering = settings.as_array()
    progress[RESTART_AT] = progress[RESTART_STRIDE] = progress[OUTER_STRIDE] = steering[FIRST_STRIDE]
    progress[[CONFLICT, TRIED, REFUTED]] = NOBODY
    progress[TURN_AT] = steering[FIRST_TURN]
    progress[BY_SQUARES] = steering[BRANCHING] == ON_SQUARES
    logarithms, gumbels = _constants()
    return Search(
        decisions=np.zeros((slots + squares + 1, 2), np.int64),
        conflict=np.zeros(width, np.uint64),
        reasons=np.zeros((slots + squares + 1) * width, np.uint64),
        settled=np.zeros(slots + squares + 1, np.int64),
        denied=np.zeros(slots + squares + 1, np.uint64),
        weights=np.ones(squares + 1),
        random=np.array([(seed * 0x5851F42D4C957F2D + worker * 0x14057B7EF767814F) % (1 << 64)], np.uint64),
        settings=steering,
        progress=progress,
        logarithms=logarithms,
        gumbels=gumbels,
        room=np.zeros(SYMBOLS * longest, np.int64),
        probes=np.zeros((PROBES, PROBE_COLUMNS), np.int64),
    )
