"""Two estimates of the number of fills: by belief propagation, and from pairs of crossing domains.

In belief propagation each slot sends a message across each of its checked squares. The message is the share of
each symbol there among the slot's rows, with each row weighted by the messages received at its other squares. At
the fixpoint, the product of the two messages at a square is the share of fills with each symbol there. The Bethe
estimate

    log Z ≈ Σ_slots log Σ_rows Π_squares m(symbol) - Σ_crossings log Σ_symbols m_across m_down

is exact if the slots and crossings form trees and answers may repeat (Yedidia, Freeman, Weiss, "Constructing
free-energy approximations", IEEE Transactions on Information Theory 2005). All-different and global constraints
count only as far as propagation has already pruned for them. Logarithms are natural.

If two slots may have different letters at a crossing, the message of one does not bind the other. The receiver
gets `agree` times the message for the same letter plus `differ` times the message for all other letters. Both are
1 by default. If rules require fewer or more differing pairs than chance would give, one of them is less than 1.

The pairwise estimate assumes that all crossings agree by chance and independently of each other:

    log Z ≈ Σ_slots log|D_s| + Σ_crossings log Σ_letters p_across(letter) p_down(letter)
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import Bytes, Ints, Longs, Network, limit_address, mask_address, slot_count
from xwtui.engine.kernels.state import State, domain_size

Floats = NDArray[np.float64]

FLOOR = 1e-12
"""The least share of a symbol that a square can still hold: the product of 25 of these does not underflow."""

# Places in Workspace.control.
HEAD = 0
COUNT = 1
VISITS = 2
"""Total number of slots revised."""
GIVEN_UP = 3
"""Number of times a slot with new incoming messages was not revised again."""
CONTROL_SIZE = 4


class Messages(NamedTuple):
    """The messages of the slots in one search state; P places, S slots."""

    shares: Floats
    """(P x 64) the message of the place's slot: the share of each symbol there. Each place sums to 1."""
    log_sums: Floats
    """(S,) log of the sum over a slot's rows of the product of the incoming messages."""
    sizes: Ints
    """(S,) the domain size when the slot's messages were last sent; 0 for never."""
    entropies: Floats
    """(S,) the entropy of the distribution over a slot's rows when its messages were last sent."""


class Workspace(NamedTuple):
    """Scratch for revising messages; idle when the queue is empty."""

    incoming: Floats
    """(longest slot x 64) the incoming messages of a slot, by index and symbol."""
    sums: Floats
    """(longest slot x 64) the total weight of its rows, by index and symbol."""
    queue: Longs
    """(S,) ring buffer of slots whose messages must be revised."""
    queued: Bytes
    """(S,)"""
    visits: Ints
    """(S,) how often each slot has been revised since the queue was last empty."""
    control: Longs
    differing: Floats
    """(P, 2) bounds on the share of pairs that differ, for places that may differ from their crossing.

    Zeros where both slots share one letter; an empty array if all do so.
    """


@entry_point
def begin_messages(network: Network, state: State, messages: Messages) -> None:
    """Initialize every message to the uniform distribution over the square's symbols."""
    messages.sizes[:] = 0
    messages.log_sums[:] = 0.0
    messages.shares[:] = 0.0
    for place in range(len(network.places)):
        mask = state.memory[mask_address(network, network.places[place, net.SQUARE])]
        symbols, rest = 0, mask
        while rest != ZERO:
            symbols += 1
            rest &= rest - ONE
        while mask != ZERO:
            messages.shares[place * net.SYMBOLS + lowest_bit(mask)] = 1.0 / symbols
            mask &= mask - ONE


@entry_point
def settle_messages(
    network: Network,
    state: State,
    messages: Messages,
    workspace: Workspace,
    tolerance: float,
    most_visits: int,
    rows: int,
) -> bool:
    """Revise messages until none changes by more than the tolerance, or until this many rows have been read.

    Returns whether the messages have converged; if not, another call continues. No slot is revised more than
    `most_visits` times. From the third revision on, a message moves only halfway.
    """
    queue_changed(network, state, messages, workspace)
    read = 0
    while workspace.control[COUNT] > 0:
        if read >= rows:
            return False
        slot = _take(workspace)
        read += domain_size(network, state, slot)
        revise_messages(network, state, messages, workspace, slot, tolerance, most_visits)
    workspace.visits[:] = 0
    return True


@kernel
def queue_changed(network: Network, state: State, messages: Messages, workspace: Workspace) -> None:
    """Queue the slots whose domain size differs from when their messages were sent."""
    for slot in range(slot_count(network)):
        if network.slots[slot, net.REQUIRED] != 0 and messages.sizes[slot] != domain_size(network, state, slot):
            _queue(workspace, slot)


@kernel
def _queue(workspace: Workspace, slot: int) -> None:
    if workspace.queued[slot] == 0:
        workspace.queued[slot] = 1
        control = workspace.control
        workspace.queue[(control[HEAD] + control[COUNT]) % len(workspace.queue)] = slot
        control[COUNT] += 1


@kernel
def _take(workspace: Workspace) -> int:
    control = workspace.control
    slot = workspace.queue[control[HEAD]]
    control[HEAD] = (control[HEAD] + 1) % len(workspace.queue)
    control[COUNT] -= 1
    control[VISITS] += 1
    workspace.queued[slot] = 0
    return int(slot)


@kernel
def revise_messages(
    network: Network,
    state: State,
    messages: Messages,
    workspace: Workspace,
    slot: int,
    tolerance: float,
    most_visits: int,
) -> None:
    """Send a slot's new messages where they differ from the old ones, and queue the slots that receive them."""
    collect_incoming(network, messages, slot, workspace.differing, workspace.incoming)
    total = _weigh_rows(network, state, slot, workspace)
    messages.sizes[slot] = domain_size(network, state, slot)
    if not 0.0 < total < math.inf:
        return
    messages.log_sums[slot] = math.log(total)
    length = network.slots[slot + 1, net.PLACES] - network.slots[slot, net.PLACES]
    messages.entropies[slot] = math.log(total) - _sum_logs(workspace, length) / total
    workspace.visits[slot] += 1
    first = as_int(network.slots[slot, net.PLACES])
    for place in range(first, network.slots[slot + 1, net.PLACES]):
        _divide(network, state, workspace, place, place - first)
        other, other_place = network.places[place, net.CROSSING], _crossing_place(network, place)
        if other_place < 0:
            _send(messages, workspace, place, place - first, 1.0)
        elif _change(messages, workspace, place, place - first) > tolerance:
            part = 1.0 if workspace.visits[slot] < 3 else 0.5
            _send(messages, workspace, place, place - first, part)
            if workspace.visits[other] < most_visits:
                _queue(workspace, other)
            else:
                workspace.control[GIVEN_UP] += 1


@entry_point
def collect_incoming(network: Network, messages: Messages, slot: int, differing: Floats, incoming: Floats) -> None:
    """Collect the incoming messages of a slot, by index and symbol; 1 where no required slot crosses."""
    first = as_int(network.slots[slot, net.PLACES])
    for place in range(first, network.slots[slot + 1, net.PLACES]):
        start, other_place = (place - first) * net.SYMBOLS, _crossing_place(network, place)
        if other_place < 0:
            incoming[start : start + net.SYMBOLS] = 1.0
            continue
        for symbol in range(net.SYMBOLS):
            incoming[start + symbol] = messages.shares[other_place * net.SYMBOLS + symbol]
        if _may_differ(differing, place):
            agree, differ = _agreement_weights(differing, place, _agreeing(messages, place, other_place))
            for symbol in range(net.SYMBOLS):
                share = incoming[start + symbol]
                incoming[start + symbol] = max(agree * share + differ * (1.0 - share), FLOOR)


@inlined
def _may_differ(differing: Floats, place: int) -> bool:
    """Whether a slot may have a different letter at a place than the slot that crosses there."""
    return bool(len(differing) > 0 and differing[place, 1] > 0.0)


@kernel
def _agreement_weights(differing: Floats, place: int, agreeing: float) -> tuple[float, float]:
    """Return the weights of equal and of different letters, given the probability of agreeing by chance."""
    least, most, by_chance = differing[place, 0], differing[place, 1], 1.0 - agreeing
    if by_chance > most and agreeing > FLOOR:
        return 1.0, max(most * agreeing / ((1.0 - most) * by_chance), FLOOR)
    if by_chance < least:
        return (1.0 - least) * max(by_chance, 0.0) / (least * agreeing), 1.0
    return 1.0, 1.0


@inlined
def _agreeing(messages: Messages, place: int, other_place: int) -> float:
    """Return the probability that independent draws from both slots' messages at a place agree."""
    agreeing = 0.0
    for symbol in range(net.SYMBOLS):
        share = messages.shares[other_place * net.SYMBOLS + symbol]
        agreeing += messages.shares[place * net.SYMBOLS + symbol] * share
    return agreeing


@kernel
def _crossing_place(network: Network, place: int) -> int:
    """Return the place of the same square in the crossing slot; -1 if no required slot crosses."""
    other = network.places[place, net.CROSSING]
    if other < 0 or network.slots[other, net.REQUIRED] == 0:
        return -1
    return as_int(network.slots[other, net.PLACES]) + as_int(network.places[place, net.INDEX])


@kernel
def _weigh_rows(network: Network, state: State, slot: int, workspace: Workspace) -> float:
    """Sum the weights of a domain's rows, by index and symbol; return the sum of all weights."""
    incoming, sums = workspace.incoming, workspace.sums
    length = as_int(network.slots[slot + 1, net.PLACES] - network.slots[slot, net.PLACES])
    letters = as_int(network.tables[network.slots[slot, net.TABLE], net.LETTERS])
    start = as_int(network.slots[slot, net.DOMAIN])
    sums[: length * net.SYMBOLS] = 0.0
    total = 0.0
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[at(start + live)])
        rows = state.memory[at(start + word)]
        while rows != ZERO:
            row = letters + (64 * word + lowest_bit(rows)) * length
            rows &= rows - ONE
            weight = 1.0
            for index in range(length):
                weight *= incoming[at(index * net.SYMBOLS + as_int(network.letters[at(row + index)]))]
            total += weight
            for index in range(length):
                sums[at(index * net.SYMBOLS + as_int(network.letters[at(row + index)]))] += weight
    return total


@kernel
def _sum_logs(workspace: Workspace, length: int) -> float:
    """Sum the logarithms of the incoming messages, weighted by the rows' sums."""
    logs = 0.0
    for cell in range(length * net.SYMBOLS):
        if workspace.sums[cell] > 0.0:
            logs += workspace.sums[cell] * math.log(workspace.incoming[cell])
    return logs


@kernel
def _divide(network: Network, state: State, workspace: Workspace, place: int, index: int) -> None:
    """Turn the sums at an index into shares of symbols, with the incoming message there divided out."""
    incoming, sums = workspace.incoming, workspace.sums
    start = index * net.SYMBOLS
    symbols = state.memory[mask_address(network, network.places[place, net.SQUARE])]
    mask, total = symbols, 0.0
    while mask != ZERO:
        cell = start + lowest_bit(mask)
        mask &= mask - ONE
        sums[cell] = sums[cell] / incoming[cell] if incoming[cell] > 0.0 else 0.0
        total += sums[cell]
    mask = symbols
    while mask != ZERO:
        cell = start + lowest_bit(mask)
        mask &= mask - ONE
        sums[cell] = max(sums[cell] / total, FLOOR) if total > 0.0 else 1.0


@kernel
def _change(messages: Messages, workspace: Workspace, place: int, index: int) -> float:
    """Return the estimated share of fills that a new message moves from one symbol to another."""
    moved, kept = 0.0, 0.0
    for symbol in range(net.SYMBOLS):
        other = workspace.incoming[index * net.SYMBOLS + symbol]
        if other > 0.0:
            before = messages.shares[place * net.SYMBOLS + symbol]
            after = workspace.sums[index * net.SYMBOLS + symbol]
            moved += abs(after - before) * other
            kept += before * other
    return moved / kept if kept > 0.0 else math.inf


@kernel
def _send(messages: Messages, workspace: Workspace, place: int, index: int, part: float) -> None:
    """Send a new message, or move the old one part of the way to it."""
    for symbol in range(net.SYMBOLS):
        before, after = messages.shares[place * net.SYMBOLS + symbol], workspace.sums[index * net.SYMBOLS + symbol]
        messages.shares[place * net.SYMBOLS + symbol] = before + part * (after - before)


@entry_point
def bethe(network: Network, messages: Messages, workspace: Workspace) -> float:
    """Return the Bethe estimate of log Z from converged messages."""
    return _sum_required(network, messages.log_sums) - _log_agreement(network, messages, workspace)


@entry_point
def pairwise(network: Network, state: State, messages: Messages, workspace: Workspace) -> float:
    """Return the pairwise estimate of log Z, from each slot's messages before it has received any."""
    workspace.incoming[:] = 1.0
    for slot in range(slot_count(network)):
        total = _weigh_rows(network, state, slot, workspace)
        messages.log_sums[slot] = math.log(total)
        first, end = as_int(network.slots[slot, net.PLACES]), as_int(network.slots[slot + 1, net.PLACES])
        for cell in range((end - first) * net.SYMBOLS):
            messages.shares[first * net.SYMBOLS + cell] = workspace.sums[cell] / total
    return _sum_required(network, messages.log_sums) + _log_agreement(network, messages, workspace)


@kernel
def _sum_required(network: Network, log_sums: Floats) -> float:
    total = 0.0
    for slot in range(slot_count(network)):
        if network.slots[slot, net.REQUIRED] != 0:
            total += log_sums[slot]
    return total


@kernel
def _log_agreement(network: Network, messages: Messages, workspace: Workspace) -> float:
    """Return the sum over all crossings of the log probability that the two messages there are compatible."""
    total = 0.0
    for slot in range(slot_count(network)):
        if network.slots[slot, net.REQUIRED] == 0:
            continue
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            other_place = _crossing_place(network, place)
            if place < other_place:
                agreeing = _agreeing(messages, place, other_place)
                if _may_differ(workspace.differing, place):
                    agree, differ = _agreement_weights(workspace.differing, place, agreeing)
                    agreeing = agree * agreeing + differ * (1.0 - agreeing)
                total += math.log(agreeing if agreeing > 0.0 else FLOOR)
    return total
