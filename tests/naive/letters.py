"""Naive twin of the letter searches: all placements of a walk, by looking through the whole word list."""

from collections.abc import Mapping, Sequence

from tests.naive.engine import given_content
from xwtui.model import Grid, Position, Slot


def naive_placements(grid: Grid, words: Sequence[str], walk: Sequence[Position]) -> int:
    """How many letters a naive letter search places along a walk, where answers may repeat; no rebus squares.

    Given letters do not count.
    """
    slots = {at: [slot for slot in grid.slots if at in slot.positions] for at in walk}
    return _place(grid, words, walk, slots, {})


def _place(
    grid: Grid,
    words: Sequence[str],
    walk: Sequence[Position],
    slots: Mapping[Position, Sequence[Slot]],
    placed: dict[Position, str],
) -> int:
    if len(placed) == len(walk):
        return 0
    at = walk[len(placed)]
    content = given_content(grid, at)
    total = 0
    for letter in sorted(set("".join(words)) | ({content.across} if content else set())):
        if content is not None and letter != content.across:
            continue
        board = placed | {at: letter}
        if all(_begins(grid, slot, at, board, words) for slot in slots[at]):
            total += (content is None) + _place(grid, words, walk, slots, board)
    return total


def _begins(grid: Grid, slot: Slot, at: Position, board: Mapping[Position, str], words: Sequence[str]) -> bool:
    """Whether the letters up to a square still begin a word of a slot, or the answer that it is given."""
    given = [given_content(grid, position) for position in slot.positions]
    if all(given):
        return True
    prefix = "".join(board[position] for position in slot.positions[: slot.positions.index(at) + 1])
    return any(len(word) == len(slot) and word.startswith(prefix) for word in words)
