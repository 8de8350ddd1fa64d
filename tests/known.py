"""Small helpers of tests: narrow an optional value, read clues by entry, make candidates."""

from typing import TypeVar

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateStanding
from xwtui.model import Puzzle, SlotKey

T = TypeVar("T")


def known(value: T | None) -> T:
    assert value is not None
    return value


def clue_texts(puzzle: Puzzle) -> dict[SlotKey, str]:
    """Return the clues of the entries in the grid."""
    return {(slot.start, slot.direction): text for slot in puzzle.grid.slots if (text := puzzle.clue(slot))}


def candidate(
    word: str, score: int | None, alive: bool = True, *, killed_by: str | None = None, log10: float | None = None
) -> CandidateEstimate:
    standing = CandidateStanding.SURVIVES if alive else CandidateStanding.DEAD
    return CandidateEstimate(word, score, standing, killed_by, log10)
