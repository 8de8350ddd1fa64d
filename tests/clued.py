"""The clues of puzzles as tests compare them."""

from xwtui.model import Puzzle, SlotKey


def clue_texts(puzzle: Puzzle) -> dict[SlotKey, str]:
    """The clues of what stands in the grid, by entry."""
    return {(slot.start, slot.direction): text for slot in puzzle.grid.slots if (text := puzzle.clue(slot))}
