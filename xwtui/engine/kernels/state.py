"""What a search changes: one reversible memory with its trail, the propagation queue, the trace."""

from xwtui.engine.kernels.bits import as_int
from xwtui.engine.kernels.compiled import inlined
from xwtui.engine.kernels.network import Bits, Ints, Longs, Network, size_address
from xwtui.engine.kernels.records import Block

# Places in State.control.
DEPTH = 0
"""Decisions in force."""
TIME = 1
"""Stamp of the present level; each push and pop makes a new one."""
TRAIL_TOP = 2
QUEUE_COUNT = 3
FAILED_SLOT = 4
"""The slot that ran empty, after a wipe-out."""
FAILED_SQUARE = 5
"""The crossing whose symbols emptied it, or -1 (its last word was taken)."""
FAILED_RIVAL = 6
"""The slot across that crossing, or the one that had taken the last word, or -1."""
FAILED_PLACES = 7
"""The slot's places whose changes emptied it together, as bits; all, if none did."""
TRACING = 8
"""Whether events are recorded."""
STOP_KINDS = 9
"""Bits of the event kinds to pause after."""
STOP_SLOT = 10
"""Pause after any event of this slot, or -1."""
PAUSED = 11
"""Set by an event that asks for a pause."""
EVENT_COUNT = 12
"""Events recorded since the start; the ring keeps the last ones."""
FAILED_DEMAND = 13
"""The global demand that could not be met, or -1: quotas come first, then links, then keys of words."""
FAILED_ROW = 14
"""The slot's last row, where a rival's answer took it."""
CONTROL_SIZE = 15

# What propagation came to.
STABLE = 0
WIPED_OUT = 1
INTERRUPTED = 2

# Columns of State.events.
KIND = 0
EVENT_DEPTH = 1
EVENT_SLOT = 2
EVENT_ROW = 3
EVENT_SQUARE = 4
BEFORE = 5
AFTER = 6
OTHER_SLOT = 7
MASK_LOW = 8
MASK_HIGH = 9
EVENT_DEMAND = 10
"""The global demand that an event comes from, or -1."""
EVENT_COLUMNS = 11


class State(Block, columns={"events": EVENT_COLUMNS}):
    """Arrays that a search owns; a search beside it gets copies."""

    memory: Bits
    """All that backtracking restores: the domains' words, then for each slot how many of them are
    live (not zero), for each slot the size of its domain, and for each square a mask of symbols."""
    stamps: Ints
    """When each cell of the memory was last saved on the trail."""
    levels: Longs
    """Height of the trail, in pairs, at the start of each level."""
    sparse: Ints
    """Sparse sets of the domains' words: the first ones of a slot are the live ones."""
    residues: Ints
    """(places x 64) a row of the domain that had a symbol when it was last looked for."""
    seen: Bits
    """(places) the mask that a slot last took notice of, where its place is pending."""
    pending: Bits
    """(slots) places whose mask changed, as bits; bit 63: the domain changed. Not zero: queued."""
    shown: Bits
    """Scratch: (longest slot) the symbols that a domain's rows show."""
    queue: Longs
    """The slots to revise, in no order."""
    control: Longs
    worth: Longs
    """What a fill must be worth, and how worth is reckoned: see bound.py."""
    events: Longs
    """(ring, 11) the trace."""
    shown_rows: Bits
    """Scratch: (widest table) the rows that show some symbols, as bits."""
    trail: Bits
    """Pairs of an address and the value that it had; last, so that it can be lengthened."""


@inlined
def domain_size(network: Network, state: State, slot: int) -> int:
    """How many rows a slot can still take."""
    return as_int(state.memory[size_address(network, slot)])
