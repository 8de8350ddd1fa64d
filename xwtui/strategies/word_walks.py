"""The orders in which Emogic's word search goes through the entries."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random

from xwtui.model import Direction, Position
from xwtui.strategies.board import Board
from xwtui.strategies.letter_walks import Rectangle, letter_walk

WORD_WALKS = ("crossing-words", "across-then-down", "numerical", "sik-sak", "slalom", "random")
"""The names of the walks."""


def word_walk(name: str, board: Board, sides: Rectangle, rng: Random) -> list[int]:
    """All slots of a board in the order of a walk."""
    slots = range(len(board.slots))
    match name:
        case "across-then-down":
            return list(slots)
        case "numerical":
            return list(_at_their_first_letters(board, board.positions))
        case "crossing-words":
            return list(_crossing_words(board))
        case "random":
            return rng.sample(slots, len(slots))
        case _:
            walk = letter_walk(name, sides, board.positions, {}, rng)
            return list(_at_their_first_letters(board, walk))


def _at_their_first_letters(board: Board, squares: list[Position] | tuple[Position, ...]) -> Iterator[int]:
    """Each slot when the squares come to its first letter, an across one before a down one."""
    starting: dict[tuple[Position, Direction], int] = {
        (board.positions[slot.squares[0]], slot.direction): number for number, slot in enumerate(board.slots)
    }
    for square in squares:
        for direction in Direction:
            if (square, direction) in starting:
                yield starting[square, direction]


def _crossing_words(board: Board) -> Iterator[int]:
    """The first slot, those that cross it, those that cross these, and so on; then what hangs apart from it."""
    seen: set[int] = set()
    for first in range(len(board.slots)):
        waiting = deque([] if first in seen else [first])
        seen.add(first)
        while waiting:
            slot = waiting.popleft()
            yield slot
            for crossing in board.crossings[slot]:
                if crossing.slot not in seen:
                    seen.add(crossing.slot)
                    waiting.append(crossing.slot)
