"""The puzzle as an immutable value: grid, slots, squares, clues, history and review."""

from xwtui.model.grid import Bar, Grid
from xwtui.model.puzzle import Puzzle, WordChoice
from xwtui.model.rules import EntryRules, RebusPlacing, Rules
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import BLOCK, OPEN, VOID, Content, Ink, Kind, Square
from xwtui.model.where import Direction, Position, Symmetry

__all__ = [
    "BLOCK",
    "OPEN",
    "VOID",
    "Bar",
    "Content",
    "Direction",
    "EntryRules",
    "Grid",
    "Ink",
    "Kind",
    "Position",
    "Puzzle",
    "RebusPlacing",
    "Rules",
    "Slot",
    "SlotKey",
    "Square",
    "Symmetry",
    "WordChoice",
]
