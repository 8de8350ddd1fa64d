"""The puzzle as an immutable value: grid, slots, squares, clues, history and review."""

from xwtui.model.grid import Bar, Grid
from xwtui.model.puzzle import Puzzle, WordChoice
from xwtui.model.slots import Crossing, Slot
from xwtui.model.square import BLOCK, OPEN, VOID, Content, Ink, Kind, Square
from xwtui.model.symmetry import Symmetry
from xwtui.model.where import Direction, Position

__all__ = [
    "BLOCK",
    "OPEN",
    "VOID",
    "Bar",
    "Content",
    "Crossing",
    "Direction",
    "Grid",
    "Ink",
    "Kind",
    "Position",
    "Puzzle",
    "Slot",
    "Square",
    "Symmetry",
    "WordChoice",
]
