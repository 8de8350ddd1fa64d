"""A fill as the improver holds it: rows, symbols and how good it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import DOMAIN, PLACES, SQUARE, SUPPORTS, SYMBOL_COUNT, TABLE, WIDTH
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content, Position

NONE = -1
"""The symbol of a square, or the row of a slot, that is not known."""


@dataclass(frozen=True, eq=False)
class CodedFill:
    """A fill, perhaps with holes; never changed."""

    symbols: NDArray[np.int64]
    """(squares,) the symbol of each square of `problem.positions`, or NONE."""
    rows: NDArray[np.int64]
    """(slots,) the row of each slot, or NONE."""
    rank: tuple[int, int]
    """How good it is: a higher one is better; see worth.py. Means nothing where there are holes."""

    def faults(self, problem: Problem) -> list[int]:
        """The slots that must be decided and have no row."""
        required = problem.is_required
        return [slot for slot, row in enumerate(self.rows.tolist()) if row == NONE and required[slot]]

    def squares(self, problem: Problem) -> dict[Position, Content]:
        """The content of each known square that a fill writes."""
        contents, selection = problem.symbols.contents, problem.task.selection
        known = (None if symbol == NONE else contents[symbol] for symbol in self.symbols.tolist())
        written = problem.squares.joined(known)
        return {at: content for at, content in written.items() if selection is None or at in selection}

    def answers(self, problem: Problem) -> dict[str, str]:
        """The answer of each slot that has a row."""
        rows = enumerate(self.rows.tolist())
        return {problem.slots[slot].name: problem.word(slot, row) for slot, row in rows if row != NONE}


def standing_of(problem: Problem, start: Mapping[Position, Content]) -> CodedFill:
    """A start as rows and symbols; what is given overrules it.

    A slot has no row where a square is missing, where its word may not be used there, or where
    another slot has the same word; the squares of such slots are known all the same where `start`
    has them. Squares that no required slot goes through are never known.
    """
    masks = problem.masks(problem.root.state)
    codes = {content: code for code, content in enumerate(problem.symbols.contents)}
    symbols = np.array(
        [
            _symbol(codes, content, mask)
            for content, mask in zip(problem.squares.parted(start), masks, strict=True)
        ],
        np.int64,
    )
    symbols[~required_squares(problem)] = NONE
    rows = np.full(len(problem.slots), NONE, np.int64)
    taken: set[int] = set()
    for slot, squares in enumerate(slot_squares(problem)):
        row = _row(problem, slot, symbols[squares])
        word = NONE if row == NONE else int(problem.tables[slot].words[row])
        if row != NONE and (problem.allow_repeats or word not in taken):
            rows[slot] = row
            taken.add(word)
    return CodedFill(symbols, rows, (0, 0))


def slot_squares(problem: Problem) -> list[NDArray[np.int64]]:
    """The numbers of each slot's squares."""
    places, starts = problem.network.places, problem.network.slots[:, PLACES].tolist()
    return [places[start:end, SQUARE] for start, end in pairwise(starts)]


def required_squares(problem: Problem) -> NDArray[np.bool_]:
    """(squares,) whether some slot that must be decided goes through a square."""
    found = np.zeros(len(problem.positions), np.bool_)
    for squares, is_required in zip(slot_squares(problem), problem.is_required, strict=True):
        if is_required:
            found[squares] = True
    return found


def _symbol(codes: Mapping[Content, int], content: Content | None, mask: int) -> int:
    """The symbol of a content where the mask allows it, the mask's only one if it has one."""
    if mask & (mask - 1) == 0:
        return mask.bit_length() - 1
    code = NONE if content is None else codes.get(content, NONE)
    return code if code != NONE and mask >> code & 1 else NONE


def _row(problem: Problem, slot: int, symbols: NDArray[np.int64]) -> int:
    """The row of a slot that shows these symbols and survives at the root, or NONE."""
    network = problem.network
    table, domain = network.slots[slot, [TABLE, DOMAIN]].tolist()
    count, width = network.tables[table, [SYMBOL_COUNT, WIDTH]].tolist()
    if (symbols == NONE).any() or (symbols >= count).any():
        return NONE
    starts = network.tables[table, SUPPORTS] + (np.arange(len(symbols)) * count + symbols) * width
    rows = problem.root.state.memory[domain : domain + width].copy()
    for start in starts.tolist():
        rows &= network.supports[start : start + width]
    words = np.flatnonzero(rows)
    if not len(words):
        return NONE
    lowest = int(rows[words[0]])
    return 64 * int(words[0]) + (lowest & -lowest).bit_length() - 1
