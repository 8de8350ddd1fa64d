"""The puzzle as an immutable value: grid, slots, squares, clues, history and review."""

from xwtui.model.grid import Bar as Bar
from xwtui.model.grid import Grid as Grid
from xwtui.model.puzzle import Puzzle as Puzzle
from xwtui.model.puzzle import WordChoice as WordChoice
from xwtui.model.rules import EntryRules as EntryRules
from xwtui.model.rules import RebusPlacing as RebusPlacing
from xwtui.model.rules import Rules as Rules
from xwtui.model.slots import Slot as Slot
from xwtui.model.slots import SlotKey as SlotKey
from xwtui.model.square import BLOCK as BLOCK
from xwtui.model.square import OPEN as OPEN
from xwtui.model.square import VOID as VOID
from xwtui.model.square import Content as Content
from xwtui.model.square import Ink as Ink
from xwtui.model.square import Kind as Kind
from xwtui.model.square import Square as Square
from xwtui.model.where import Direction as Direction
from xwtui.model.where import Position as Position
from xwtui.model.where import Symmetry as Symmetry
