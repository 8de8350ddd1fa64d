"""Two estimates of the fills: from beliefs that slots tell each other, and from pairs of crossing domains.

In belief propagation each slot tells its crossings about the squares they share. A message goes from a slot
across each of its checked squares: the share of each symbol there among the slot's rows, each row weighed by what
the other crossings say of its other squares. At rest, the product of the two messages at a square is the share of
fills with each symbol there, and the Bethe estimate

    log Z ≈ Σ_slots log Σ_rows Π_squares m(symbol) - Σ_crossings log Σ_symbols m_across m_down

is exact where the slots and crossings form trees and answers may repeat (Yedidia, Freeman, Weiss,
"Constructing free-energy approximations", IEEE Transactions on Information Theory 2005). That
answers differ, and constraints on the whole, are seen only as far as propagation saw to them. Natural logarithms.

The pairwise estimate is as many as if every crossing agreed by chance, independently of the others:

    log Z ≈ Σ_slots log|D_s| + Σ_crossings log Σ_letters p_across(letter) p_down(letter)
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.network import Bits, Bytes, Ints, Longs, Network, limit_address, mask_address, slot_count
from xwtui.engine.kernels.state import State, domain_size

Floats = NDArray[np.float64]

FLOOR = 1e-12
"""The least share of a symbol that a square can still take: a product of 25 such is still a number."""

# Places in Workspace.control.
HEAD = 0
COUNT = 1
VISITS = 2
"""Slots revised, all in all."""
GIVEN_UP = 3
"""Slots not revised any more although they had heard news."""
CONTROL_SIZE = 4


class Messages(NamedTuple):
    """What the slots of one search state say; P places, S slots."""

    shares: Floats
    """(P x 64) the share of each symbol at a place, as the place's slot says; each place's sum is 1."""
    log_sums: Floats
    """(S,) log of the sum over a slot's rows of the product of what its crossings say."""
    sizes: Ints
    """(S,) the size of each domain when its messages were last sent; 0 for never."""
    entropies: Floats
    """(S,) the entropy of the shares of each slot's rows, when its messages were last sent."""


class Workspace(NamedTuple):
    """Scratch for revising messages; it is at rest when the queue is empty."""

    heard: Floats
    """(longest slot x 64) what the crossings of a slot say, by index and symbol."""
    sums: Floats
    """(longest slot x 64) the weights of its rows, by index and symbol."""
    queue: Longs
    """(S,) a ring of slots whose messages are to be revised."""
    queued: Bytes
    """(S,)"""
    visits: Ints
    """(S,) how often each slot has been revised since the queue was last empty."""
    control: Longs


@entry_point
def begin_messages(network: Network, state: State, messages: Messages) -> None:
    """Let every slot say of each square that all its symbols are equally likely."""
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
    """Revise messages until none changes by more than the tolerance, or so many rows have been read.

    Returns whether they have settled; else a further call goes on. No slot is revised more than
    `most_visits` times; from the third on a message moves half the way only.
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
    """Queue the slots whose domains have another size than when their messages were sent."""
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
    """Send what a slot says now where that differs from what it said, and queue those who hear it."""
    hear(network, messages, slot, workspace.heard)
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
        other = network.places[place, net.CROSSING]
        if other < 0 or network.slots[other, net.REQUIRED] == 0:
            _say(messages, workspace, place, place - first, 1.0)
            continue
        if _change(network, messages, workspace, place, place - first) > tolerance:
            part = 1.0 if workspace.visits[slot] < 3 else 0.5
            _say(messages, workspace, place, place - first, part)
            if workspace.visits[other] < most_visits:
                _queue(workspace, other)
            else:
                workspace.control[GIVEN_UP] += 1


@kernel
def hear(network: Network, messages: Messages, slot: int, heard: Floats) -> None:
    """Lay out what the crossings of a slot say, by index and symbol; 1 where no crossing has a say."""
    first = as_int(network.slots[slot, net.PLACES])
    for place in range(first, network.slots[slot + 1, net.PLACES]):
        start = (place - first) * net.SYMBOLS
        other = network.places[place, net.CROSSING]
        if other < 0 or network.slots[other, net.REQUIRED] == 0:
            heard[start : start + net.SYMBOLS] = 1.0
        else:
            said = (network.slots[other, net.PLACES] + network.places[place, net.INDEX]) * net.SYMBOLS
            for symbol in range(net.SYMBOLS):
                heard[start + symbol] = messages.shares[said + symbol]


@kernel
def _weigh_rows(network: Network, state: State, slot: int, workspace: Workspace) -> float:
    """Sum the weights of a domain's rows, by index and symbol; returns the sum of all."""
    heard, sums = workspace.heard, workspace.sums
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
                weight *= heard[at(index * net.SYMBOLS + as_int(network.letters[at(row + index)]))]
            total += weight
            for index in range(length):
                sums[at(index * net.SYMBOLS + as_int(network.letters[at(row + index)]))] += weight
    return total


@kernel
def _sum_logs(workspace: Workspace, length: int) -> float:
    """Sum the logarithms of what was heard, weighed by the rows' sums."""
    logs = 0.0
    for cell in range(length * net.SYMBOLS):
        if workspace.sums[cell] > 0.0:
            logs += workspace.sums[cell] * math.log(workspace.heard[cell])
    return logs


@kernel
def _divide(network: Network, state: State, workspace: Workspace, place: int, index: int) -> None:
    """Turn the sums at an index into shares of symbols, what was heard there divided out."""
    heard, sums = workspace.heard, workspace.sums
    start = index * net.SYMBOLS
    symbols = state.memory[mask_address(network, network.places[place, net.SQUARE])]
    mask, total = symbols, 0.0
    while mask != ZERO:
        cell = start + lowest_bit(mask)
        mask &= mask - ONE
        sums[cell] = sums[cell] / heard[cell] if heard[cell] > 0.0 else 0.0
        total += sums[cell]
    mask = symbols
    while mask != ZERO:
        cell = start + lowest_bit(mask)
        mask &= mask - ONE
        sums[cell] = max(sums[cell] / total, FLOOR) if total > 0.0 else 1.0


@kernel
def _change(network: Network, messages: Messages, workspace: Workspace, place: int, index: int) -> float:
    """How much of the fills, as far as is known, what a slot says now moves from one symbol to another."""
    across = network.slots[network.places[place, net.CROSSING], net.PLACES]
    said = (across + network.places[place, net.INDEX]) * net.SYMBOLS
    moved, kept = 0.0, 0.0
    for symbol in range(net.SYMBOLS):
        other = messages.shares[said + symbol]
        if other > 0.0:
            before = messages.shares[place * net.SYMBOLS + symbol]
            after = workspace.sums[index * net.SYMBOLS + symbol]
            moved += abs(after - before) * other
            kept += before * other
    return moved / kept if kept > 0.0 else math.inf


@kernel
def _say(messages: Messages, workspace: Workspace, place: int, index: int, part: float) -> None:
    """Send a new message, or move the old one part of the way to it."""
    for symbol in range(net.SYMBOLS):
        before, after = messages.shares[place * net.SYMBOLS + symbol], workspace.sums[index * net.SYMBOLS + symbol]
        messages.shares[place * net.SYMBOLS + symbol] = before + part * (after - before)


@entry_point
def bethe(network: Network, messages: Messages) -> float:
    """The Bethe estimate of log Z from messages that have settled."""
    log_fills = 0.0
    for slot in range(slot_count(network)):
        if network.slots[slot, net.REQUIRED] == 0:
            continue
        log_fills += messages.log_sums[slot]
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            other = network.places[place, net.CROSSING]
            if other < 0 or network.slots[other, net.REQUIRED] == 0:
                continue
            other_place = network.slots[other, net.PLACES] + network.places[place, net.INDEX]
            if place < other_place:
                log_fills -= math.log(_agreement(messages, place, other_place))
    return log_fills


@kernel
def _agreement(messages: Messages, place: int, other_place: int) -> float:
    agreeing = 0.0
    for symbol in range(net.SYMBOLS):
        share = messages.shares[place * net.SYMBOLS + symbol]
        agreeing += share * messages.shares[other_place * net.SYMBOLS + symbol]
    return agreeing if agreeing > 0.0 else FLOOR


@entry_point
def share_rows(
    network: Network, state: State, messages: Messages, workspace: Workspace, slot: int, shares: Floats
) -> None:
    """Write the share of all fills that have each row of a slot into the zeroed `shares` (rows,)."""
    hear(network, messages, slot, workspace.heard)
    length = as_int(network.slots[slot + 1, net.PLACES] - network.slots[slot, net.PLACES])
    letters = as_int(network.tables[network.slots[slot, net.TABLE], net.LETTERS])
    start = as_int(network.slots[slot, net.DOMAIN])
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
                weight *= workspace.heard[index * net.SYMBOLS + symbol]
            shares[row] = weight
            total += weight
    if total > 0.0:
        for row in range(len(shares)):
            shares[row] /= total


class Shares(NamedTuple):
    """Symbols counted over the domains of one search state; P places, S slots."""

    counts: Ints
    """(P x 64) rows of the place's slot that have the symbol there."""
    sizes: Ints
    """(S,) the size at which each domain was last counted; 0 for never."""
    agreement: Floats
    """(P,) log of the chance that a crossing agrees, kept at the place of the lower number; else 0."""
    changed: Bytes
    """(S,) scratch: whether the last call counted the domain anew."""


class Domains(NamedTuple):
    """The domains that shares were last counted over: their words that are not zero, slot after slot."""

    words: Ints
    """Which words of each domain they are."""
    bits: Bits
    limits: Ints
    """(S,) how many each slot has."""


@entry_point
def update_shares(network: Network, state: State, shares: Shares, counted: Domains) -> float:
    """Count the domains that changed since the last call; returns the pairwise estimate of log Z.

    Since domains only shrink along a branch, one of equal size is an unchanged one, and of one that
    kept most of its rows only the lost ones are looked at. `counted` is read for slots counted before.
    Slots that need no decision add nothing.
    """
    slots = slot_count(network)
    changed = shares.changed
    at = 0
    for slot in range(slots):
        size, before = domain_size(network, state, slot), shares.sizes[slot]
        changed[slot] = 0
        if size != before:
            if 0 < before < 2 * size:
                _discount_symbols(network, state, shares, slot, counted, at)
            else:
                _count_symbols(network, state, shares, slot)
            shares.sizes[slot] = size
            changed[slot] = 1
        if before > 0:
            at += counted.limits[slot]
    log_fills = 0.0
    for slot in range(slots):
        if network.slots[slot, net.REQUIRED] == 0:
            continue
        log_fills += math.log(shares.sizes[slot])
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            other = network.places[place, net.CROSSING]
            if other < 0 or network.slots[other, net.REQUIRED] == 0:
                continue
            other_place = network.slots[other, net.PLACES] + network.places[place, net.INDEX]
            if place < other_place:
                if changed[slot] != 0 or changed[other] != 0:
                    shares.agreement[place] = _log_agreement(shares, slot, place, other, other_place)
                log_fills += shares.agreement[place]
    return log_fills


@kernel
def _count_symbols(network: Network, state: State, shares: Shares, slot: int) -> None:
    first = as_int(network.slots[slot, net.PLACES])
    length = as_int(network.slots[slot + 1, net.PLACES]) - first
    shares.counts[first * net.SYMBOLS : (first + length) * net.SYMBOLS] = 0
    letters = network.tables[network.slots[slot, net.TABLE], net.LETTERS]
    start = as_int(network.slots[slot, net.DOMAIN])
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = letters + (64 * word + lowest_bit(rows)) * length
            rows &= rows - ONE
            for index in range(length):
                shares.counts[(first + index) * net.SYMBOLS + as_int(network.letters[row + index])] += 1


@kernel
def _discount_symbols(
    network: Network, state: State, shares: Shares, slot: int, counted: Domains, at: int
) -> None:
    """Take the rows that a domain has lost out of its counts; its counted words start at `at`."""
    first = as_int(network.slots[slot, net.PLACES])
    length = as_int(network.slots[slot + 1, net.PLACES]) - first
    letters = network.tables[network.slots[slot, net.TABLE], net.LETTERS]
    start = as_int(network.slots[slot, net.DOMAIN])
    for live in range(at, at + counted.limits[slot]):
        word = as_int(counted.words[live])
        rows = counted.bits[live] & ~state.memory[start + word]
        while rows != ZERO:
            row = letters + (64 * word + lowest_bit(rows)) * length
            rows &= rows - ONE
            for index in range(length):
                shares.counts[(first + index) * net.SYMBOLS + as_int(network.letters[row + index])] -= 1


@kernel
def _log_agreement(shares: Shares, slot: int, place: int, other: int, other_place: int) -> float:
    pairs = 0.0
    for symbol in range(net.SYMBOLS):
        mine = shares.counts[as_int(place) * net.SYMBOLS + symbol]
        if mine != 0:
            pairs += float(mine) * float(shares.counts[as_int(other_place) * net.SYMBOLS + symbol])
    return math.log(pairs) - math.log(shares.sizes[slot]) - math.log(shares.sizes[other])
