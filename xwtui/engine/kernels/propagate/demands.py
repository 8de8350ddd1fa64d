"""Global demands in the network's arrays, and what they cut at the fixpoint of propagation.

How the global demands lie in the network's arrays.

`Network.demands` is empty where nothing is demanded of squares and slots. Else it has a header, one
record for each quota (those on squares first), the squares of the quotas, and three cells for each
link: two squares and a mask of symbols.

`Network.keys` is empty where no words have keys. Else it has a header and five lists. Row r (counted
over all tables) has the keys `keys[s:e]`, where s and e are at `keys[ROW_STARTS] + r` and after it; key k is
found likewise in the rows (counted over all tables, in rising order) from `keys[KEY_STARTS] + k` on, and
table t is used by the slots from `keys[TABLE_STARTS] + t` on. All starts are places in `keys`.

Global demands at the fixpoint of propagation: quotas on squares and on slots, and linked squares.

Nothing is kept between two calls: decided and possible are read off the squares' masks and the
slots' domains. A square is decided for a quota if it can hold nothing but its symbols, and possible
if it can hold one of them; a slot likewise with its rows.
"""

import numpy as np

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import ZERO, as_int, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, Longs, Network, every_place, size_address, slot_count
from xwtui.engine.kernels.state import (
    FAILED_DEMAND,
    FAILED_PLACES,
    FAILED_RIVAL,
    FAILED_SLOT,
    FAILED_SQUARE,
    State,
    keep_rows,
    narrow_square,
    rows_show,
    square_mask,
)

# Header of Network.demands.
SQUARE_QUOTAS = 0
"""How many quotas on squares there are."""
QUOTAS = 1
"""How many quotas there are in all."""
LINKS = 2
"""Where the links start; the end of the array ends them."""
FIRST_QUOTA = 3

# Columns of a quota.
LEAST = 0
MOST = 1
SYMBOLS = 2
"""The symbols that count, as bits; of a quota on slots, where its bit-sets of rows start in
`Network.quota_rows`: one for each slot, laid out as the domains are."""
SQUARES = 3
"""Where its squares start."""
SQUARES_END = 4
SOUGHT = 5
"""Whether it is unlikely to be met by chance, so that the search sees to it first."""
QUOTA_COLUMNS = 6

LINK_COLUMNS = 3

# Header of Network.keys.
ROW_STARTS = 0
KEY_STARTS = 1
TABLE_STARTS = 2
KEYS_HEADER = 3


INSIDE = 1
"""Something of a square or a slot counts for a quota."""
OUTSIDE = 2
"""Something of it does not."""
BOTH = 3


@kernel
def keep_demands(network: Network, state: State, steering: Longs | None) -> bool:
    """Draw the conclusions of all demands, with nothing queued before; False where one cannot be met."""
    if steering is None:
        return True
    if len(network.demands) == 0:
        return True
    for quota in range(network.demands[QUOTAS]):
        if not _keep_quota(network, state, quota):
            return False
    return _keep_links(network, state)


@inlined
def quota_record(quota: int) -> int:
    """Where a quota lies in `Network.demands`."""
    return FIRST_QUOTA + quota * QUOTA_COLUMNS


@inlined
def counts_squares(network: Network, quota: int) -> bool:
    """Whether a quota is one on squares."""
    return bool(quota < network.demands[SQUARE_QUOTAS])


@inlined
def members(network: Network, quota: int) -> int:
    """How many squares or slots a quota is about."""
    if counts_squares(network, quota):
        record = quota_record(quota)
        return int(network.demands[record + SQUARES_END] - network.demands[record + SQUARES])
    return slot_count(network)


@inlined
def member(network: Network, quota: int, number: int) -> int:
    """The square or slot that is a quota's member of this number."""
    if counts_squares(network, quota):
        return int(network.demands[network.demands[quota_record(quota) + SQUARES] + number])
    return number


@inlined
def quota_symbols(network: Network, quota: int) -> np.uint64:
    """The symbols that a quota on squares counts, as bits."""
    return np.uint64(network.demands[quota_record(quota) + SYMBOLS])


@kernel
def standing(network: Network, state: State, quota: int, who: int) -> int:
    """Whether a square or slot can be INSIDE a quota, OUTSIDE it, or BOTH."""
    if counts_squares(network, quota):
        symbols = quota_symbols(network, quota)
        mask = square_mask(network, state, who)
        return (INSIDE if mask & symbols != ZERO else 0) | (OUTSIDE if mask & ~symbols != ZERO else 0)
    return rows_show(network, state, who, network.demands[quota_record(quota) + SYMBOLS])


@kernel
def _keep_quota(network: Network, state: State, quota: int) -> bool:
    """Count a quota's members; where it is exhausted or only just to be met, settle those that are open."""
    record = quota_record(quota)
    least, most = network.demands[record + LEAST], network.demands[record + MOST]
    count = members(network, quota)
    decided, possible, last_decided = 0, 0, -1
    for number in range(count):
        who = member(network, quota, number)
        stands = standing(network, state, quota, who)
        if stands & INSIDE:
            possible += 1
            if stands == INSIDE:
                decided += 1
                last_decided = who
            if possible > least and most >= count:
                return True
    if decided > most or possible < least:
        _fail(network, state, quota, last_decided if decided > most else -1)
        return False
    if decided < possible and (decided == most or possible == least):
        for number in range(count):
            who = member(network, quota, number)
            if standing(network, state, quota, who) == BOTH:
                _settle(network, state, quota, who, decided != most)
    return True


@kernel
def _settle(network: Network, state: State, quota: int, who: int, inside: bool) -> None:
    """Leave a square or slot only what is inside a quota, or only what is outside."""
    if counts_squares(network, quota):
        symbols = quota_symbols(network, quota)
        _narrow(network, state, quota, who, symbols if inside else ~symbols)
        return
    before = as_int(state.memory[size_address(network, who)])
    keep_rows(network, state, who, network.demands[quota_record(quota) + SYMBOLS], inside)
    after = as_int(state.memory[size_address(network, who)])
    trace.record_demand(state, trace.DEMAND, quota, who, trace.NONE, trace.NONE, before, after)


@kernel
def _narrow(network: Network, state: State, demand: int, square: int, symbols: np.uint64) -> None:
    """Leave a square only some symbols, one of which it can take."""
    mask = square_mask(network, state, square)
    left = mask & symbols
    if left != mask:
        narrow_square(network, state, square, left)
        before, after = count_bits(mask), count_bits(left)
        trace.record_demand(state, trace.DEMAND, demand, trace.NONE, trace.NONE, square, before, after)


@kernel
def _keep_links(network: Network, state: State) -> bool:
    """Let linked squares follow each other."""
    demands = network.demands
    for place in range(demands[LINKS], len(demands), LINK_COLUMNS):
        link = demands[QUOTAS] + (place - demands[LINKS]) // LINK_COLUMNS
        if not _follow(network, state, link, demands[place], demands[place + 1], place):
            return False
        if not _follow(network, state, link, demands[place + 1], demands[place], place):
            return False
    return True


@inlined
def _follow(network: Network, state: State, link: int, leader: int, follower: int, place: int) -> bool:
    """Let one square of a link follow the other; False where it cannot."""
    symbols = np.uint64(network.demands[place + 2])
    mask = square_mask(network, state, leader)
    if mask & symbols == ZERO:
        symbols = ~symbols
    elif mask & ~symbols != ZERO:
        return True
    if square_mask(network, state, follower) & symbols == ZERO:
        _fail(network, state, link, -1)
        return False
    _narrow(network, state, link, follower, symbols)
    return True


@kernel
def _fail(network: Network, state: State, demand: int, culprit: int) -> None:
    """Tell which demand cannot be met, and blame the square or slot that was decided for it last, or -1."""
    control = state.control
    control[FAILED_DEMAND] = demand
    control[FAILED_SQUARE] = -1
    control[FAILED_RIVAL] = -1
    control[FAILED_SLOT] = 0
    control[FAILED_PLACES] = 0
    if culprit >= 0:
        if counts_squares(network, demand):
            control[FAILED_SLOT] = network.squares[culprit, AT_SLOT]
            control[FAILED_PLACES] = as_int(bit(network.squares[culprit, AT_INDEX]))
        else:
            control[FAILED_SLOT] = culprit
            control[FAILED_PLACES] = every_place(network, culprit)
    trace.record_demand(
        state, trace.WIPE_OUT, demand, trace.NONE, trace.NONE, trace.NONE, trace.EMPTY, trace.EMPTY
    )
