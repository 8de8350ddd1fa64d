"""What settled messages say: the Bethe estimate of the number of fills, and the share of each row of a slot."""

import math

from xwtui.engine.kernels.belief import FLOOR, Floats, Messages, Workspace, hear
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, lowest_bit
from xwtui.engine.kernels.compiled import entry_point, kernel
from xwtui.engine.kernels.network import (
    CROSSING,
    DOMAIN,
    INDEX,
    LETTERS,
    PLACES,
    REQUIRED,
    SYMBOLS,
    TABLE,
    Network,
    limit_address,
    slot_count,
)
from xwtui.engine.kernels.state import State


@entry_point
def bethe(network: Network, messages: Messages) -> float:
    """The Bethe estimate of log Z from messages that have settled."""
    log_fills = 0.0
    for slot in range(slot_count(network)):
        if network.slots[slot, REQUIRED] == 0:
            continue
        log_fills += messages.log_sums[slot]
        for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
            other = network.places[place, CROSSING]
            if other < 0 or network.slots[other, REQUIRED] == 0:
                continue
            other_place = network.slots[other, PLACES] + network.places[place, INDEX]
            if place < other_place:
                log_fills -= math.log(_agreement(messages, place, other_place))
    return log_fills


@kernel
def _agreement(messages: Messages, place: int, other_place: int) -> float:
    agreeing = 0.0
    for symbol in range(SYMBOLS):
        agreeing += messages.shares[place * SYMBOLS + symbol] * messages.shares[other_place * SYMBOLS + symbol]
    return agreeing if agreeing > 0.0 else FLOOR


@entry_point
def share_rows(
    network: Network, state: State, messages: Messages, workspace: Workspace, slot: int, shares: Floats
) -> None:
    """Write the share of all fills that have each row of a slot into the zeroed `shares` (rows,)."""
    hear(network, messages, slot, workspace.heard)
    length = as_int(network.slots[slot + 1, PLACES] - network.slots[slot, PLACES])
    letters = as_int(network.tables[network.slots[slot, TABLE], LETTERS])
    start = as_int(network.slots[slot, DOMAIN])
    total = 0.0
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = 64 * word + lowest_bit(rows)
            rows &= rows - ONE
            weight = 1.0
            for index in range(length):
                symbol = as_int(network.letters[letters + row * length + index])
                weight *= workspace.heard[index * SYMBOLS + symbol]
            shares[row] = weight
            total += weight
    if total > 0.0:
        for row in range(len(shares)):
            shares[row] /= total
