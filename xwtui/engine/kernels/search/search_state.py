"""What the search keeps beside the propagation's state: decisions, weights, chance, settings."""

import numpy as np

from xwtui.engine.kernels.compiler.records import Array, Block
from xwtui.engine.kernels.network import Bits, Longs

Floats = Array[np.float64]

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
OUTER_STRIDE = 7
"""The bound of NESTED restarts."""
CONFLICT = 8
"""The slot or ~square tried last before the last dead end, or NOBODY; a slot is forgotten at the next decision."""
TRIED = 9
"""The slot or ~square decided or refuted last."""
REFUTED = 10
"""The slot or ~square refuted last, since the last decision, or NOBODY."""
BY_SQUARES = 11
"""Whether this run decides squares."""
TURN_AT = 12
"""Backtracks in all after which squares have their turn."""
SECTION = 13
"""Height of the trail when the present propagation began."""
JUMPS = 14
"""Decisions undone without being refuted."""
BREADTH = 15
"""Refutations at a depth after which a decision there is left, in steps; 0: it is not. See backtracking.py."""
HAS_LEFT = 16
"""Whether this run has left a decision that may be right."""
PROGRESS_SIZE = 17

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
BRANCHING = 5
"""ON_WORDS, ON_SQUARES, IN_TURNS or SQUARES_AT_LAST."""
FADING = 6
"""Share of all weights that each dead end takes away, fixed-point."""
SHARED_BLAME = 7
"""Whether all crossings that emptied a slot are blamed, not the last one alone."""
LAST_CONFLICT = 8
"""Whether a square that failed comes before any other."""
LOYALTY = 9
"""How many times better, fixed-point, another slot must be for the one just refuted to be left."""
RESTART_POLICY = 10
"""GEOMETRIC, LUBY or NESTED."""
FIRST_TURN = 11
"""Backtracks on words before the first turn of the squares, IN_TURNS and SQUARES_AT_LAST."""
BACKJUMP = 12
"""Whether dead ends jump back over decisions that they do not depend on."""
FIRST_BREADTH = 13
"""Refutations after which a decision is left, from the second run on; 0: none is."""
SETTINGS_SIZE = 14

# What is decided.
ON_WORDS = 0
ON_SQUARES = 1
IN_TURNS = 2
"""Words, then for as many backtracks squares, and so on."""
SQUARES_AT_LAST = 3
"""Words, then squares without any restart."""

NOBODY = -(1 << 31)
"""No slot and no ~square."""

NO_RESTART = 1 << 60
"""Backtracks after which a restart does not come."""

# Restart policies.
GEOMETRIC = 0
"""Each run is longer than the last by a factor."""
LUBY = 1
"""Runs of 1, 1, 2, 1, 1, 2, 4, ... times the first stride."""
NESTED = 2
"""Runs grow by a factor up to a bound, which grows by the same factor each time it is reached."""

DECISION_COLUMNS = 2

# Columns of Search.probes.
WHO = 0
WHAT = 1
WEIGHT = 2
PROBE_COLUMNS = 3

PROBES = 8
"""Candidates for a decision that are tried out, where something is demanded of the whole grid."""


class Search(Block, columns={"decisions": DECISION_COLUMNS, "probes": PROBE_COLUMNS}):
    """Arrays that one search owns."""

    decisions: Longs
    """(slots + squares + 1, 2) what is decided at each depth: see decisions.py."""
    denied: Bits
    """(slots + squares + 1) the symbols of the square decided at each depth that have been tried in vain."""
    conflict: Bits
    """The slots that the present dead end depends on, as bits."""
    reasons: Bits
    """(slots + squares + 1, as `conflict`; flat) why decisions were refuted at each depth."""
    settled: Longs
    """(slots + squares + 1) height of the trail at each depth when nothing was refuted there yet."""
    refutations: Longs
    """(slots + squares + 1) how many decisions were refuted at each depth since the last one was made anew."""
    weights: Floats
    """A weight for each square, then the amount that the next blame adds."""
    random: Bits
    settings: Longs
    progress: Longs
    room: Longs
    """Scratch: (longest slot, 2 at least, x 64) logarithm of the crossing words that have a symbol."""
    probes: Longs
    """Scratch: (PROBES, 3) the candidates for a decision, as in decisions.py, and their weights."""
