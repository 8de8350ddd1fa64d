"""Letter shares of the domains, and the pairwise estimate of the fills that remain.

log Z ≈ Σ_slots log|D_s| + Σ_crossings log Σ_letters p_across(letter) p_down(letter): as many fills as
the domains would have if every crossing agreed by chance, independently of the others. Natural logarithms.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import ZERO, as_int, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.network import Bits, Bytes, Ints, Network, limit_address, slot_count
from xwtui.engine.kernels.state import State, domain_size

Floats = NDArray[np.float64]


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
                    shares.agreement[place] = _agreement(shares, slot, place, other, other_place)
                log_fills += shares.agreement[place]
    return log_fills


@kernel
def _count_symbols(network: Network, state: State, shares: Shares, slot: int) -> None:
    first = np.int64(network.slots[slot, net.PLACES])
    length = np.int64(network.slots[slot + 1, net.PLACES]) - first
    shares.counts[first * net.SYMBOLS : (first + length) * net.SYMBOLS] = 0
    table = network.slots[slot, net.TABLE]
    letters = network.tables[table, net.LETTERS]
    start = np.int64(network.slots[slot, net.DOMAIN])
    for live in range(np.int64(state.memory[limit_address(network, slot)])):
        word = np.int64(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = letters + (64 * word + lowest_bit(rows)) * length
            rows &= rows - np.uint64(1)
            for index in range(length):
                shares.counts[(first + index) * net.SYMBOLS + as_int(network.letters[row + index])] += 1


@kernel
def _discount_symbols(
    network: Network, state: State, shares: Shares, slot: int, counted: Domains, at: int
) -> None:
    """Take the rows that a domain has lost out of its counts; its counted words start at `at`."""
    first = np.int64(network.slots[slot, net.PLACES])
    length = np.int64(network.slots[slot + 1, net.PLACES]) - first
    letters = network.tables[network.slots[slot, net.TABLE], net.LETTERS]
    start = np.int64(network.slots[slot, net.DOMAIN])
    for live in range(at, at + counted.limits[slot]):
        word = np.int64(counted.words[live])
        rows = counted.bits[live] & ~state.memory[start + word]
        while rows != ZERO:
            row = letters + (64 * word + lowest_bit(rows)) * length
            rows &= rows - np.uint64(1)
            for index in range(length):
                shares.counts[(first + index) * net.SYMBOLS + as_int(network.letters[row + index])] -= 1


@kernel
def _agreement(shares: Shares, slot: int, place: int, other: int, other_place: int) -> float:
    pairs = 0.0
    for symbol in range(net.SYMBOLS):
        mine = shares.counts[np.int64(place) * net.SYMBOLS + symbol]
        if mine != 0:
            pairs += float(mine) * float(shares.counts[np.int64(other_place) * net.SYMBOLS + symbol])
    return math.log(pairs) - math.log(shares.sizes[slot]) - math.log(shares.sizes[other])
