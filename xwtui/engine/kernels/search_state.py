"""What the search keeps beside the propagation's state: decisions, weights, chance, settings."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import Bits, Longs

Floats = NDArray[np.float64]

UNIT_BITS = 16
UNIT = 1 << UNIT_BITS
"""One, in the fixed-point numbers that words are weighed with: sums are equal on every machine."""

# Places in Search.progress.
PHASE = 0
NODES = 1
"""Decisions made since the start."""
BACKTRACKS = 2
RESTARTS = 3
DEEPEST = 4
"""The most decisions that were ever in force."""
RESTART_AT = 5
"""Backtracks in all, at which the next restart is due."""
RESTART_STRIDE = 6
"""Backtracks between the last restart and the next one."""
REFUTATIONS = 7
"""Rows of `refutations` in use."""
PROGRESS_SIZE = 8

# Places in Search.settings.
NOISE = 0
"""Share of Gumbel noise in a word's weight, fixed-point."""
SCORE_WEIGHT = 1
"""What a point of score is worth against the logarithm of room, fixed-point."""
SCORE_PATIENCE = 2
"""Backtracks after which a point of score is worth half."""
FIRST_STRIDE = 3
"""Backtracks before the first restart."""
STRIDE_GROWTH = 4
"""What the stride is multiplied by at a restart, in thousandths; above 1000, so that a search ends."""
LONGEST_NOGOOD = 5
SQUARES_FIRST = 6
"""Whether a square of the chosen slot is decided, not the slot."""
SETTINGS_SIZE = 7

LOGARITHMS = 1024
"""Numbers whose logarithms are tabulated."""

GUMBELS = 4096
"""Equally likely values of a Gumbel variable; a power of two."""


class Search(NamedTuple):
    """Arrays that one search owns."""

    decisions: Longs
    """(slots + squares + 1, 2) what is decided at each depth: see decisions.py."""
    refutations: Longs
    """(room, 3) depth and decision of each refutation in force, lowest depth first."""
    weights: NDArray[np.float64]
    """A weight for each square, then the amount that the next blame adds."""
    random: Bits
    settings: Longs
    progress: Longs
    logarithms: Longs
    """Natural logarithms of 0 (taken as 1) to 1023, fixed-point."""
    gumbels: Longs
    """Fixed-point."""
    room: Longs
    """Scratch: (longest slot, 2 at least, x 64) logarithm of the crossing words that have a symbol."""
