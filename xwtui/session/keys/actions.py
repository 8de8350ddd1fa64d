"""Screen actions that are not verbs, declared once for the screen, its help, the palette and key maps."""

import enum
from typing import NamedTuple


class KeyPlace(enum.Enum):
    """Where a key works; the value is the text in help."""

    GRID = "in the grid"
    """Only while the grid has the focus."""
    SCREEN = "on the screen"
    """In the grid, and in any list that does not use the key itself."""
    CANDIDATES = "among the candidates"
    """Only while the list of candidates has the focus; there it comes before the other two."""


class Action(NamedTuple):
    """An action of keys: its name in key maps, and its help."""

    name: str
    summary: str
    place: KeyPlace = KeyPlace.SCREEN
    footer: str = ""
    """The word in the footer, for the few actions shown there."""


_MOVE = "move; across the direction, the first press only turns"
_NEXT = "next and previous entry; after letters just typed, the words that fit there"
_SKIP = "past the next block"
_SELECT = "select squares; Esc deselects"

_IN_GRID = (
    ("left", _MOVE),
    ("right", _MOVE),
    ("up", _MOVE),
    ("down", _MOVE),
    ("turn", "turn between across and down"),
    ("next entry", _NEXT),
    ("previous entry", _NEXT),
    ("entry start", "first and last square of the entry"),
    ("entry end", "first and last square of the entry"),
    ("column top", "top and bottom of the column"),
    ("column foot", "top and bottom of the column"),
    ("row start", "ends of the row"),
    ("row end", "ends of the row"),
    ("skip left", _SKIP),
    ("skip right", _SKIP),
    ("skip up", _SKIP),
    ("skip down", _SKIP),
    ("select left", _SELECT),
    ("select right", _SELECT),
    ("select up", _SELECT),
    ("select down", _SELECT),
    ("mark", "select with the arrows alone; press again to stop"),
    ("select entry", "add the entry to the selection, or remove it"),
    ("accept and next", "accept the entry's pencil, and go to the next in pencil"),
    ("erase back", "empty the square, or the one before"),
    ("erase", "empty the square, or all that are selected"),
    ("cancel", "cancel: deselect; leave a prompt, a list or a screen"),
    ("cancel or rebus", "deselect; with nothing selected, write a rebus"),
    ("candidate list", "choose a candidate: type to narrow; Enter places it, Ctrl+W asks why, Esc returns"),
)

ACTIONS: tuple[Action, ...] = (
    *(Action(name, summary, KeyPlace.GRID) for name, summary in _IN_GRID),
    Action(
        "sort candidates",
        "among the candidates: sort by score, by the fills left, by both",
        KeyPlace.CANDIDATES,
        "sort",
    ),
    Action(
        "write its fill",
        "among the candidates: write the fill that proves the word, in pencil",
        KeyPlace.CANDIDATES,
        "its fill",
    ),
    Action(
        "hardest",
        "go to the entry that stops every fill, has the fewest options, or is no word",
        footer="hardest",
    ),
    Action("fill around", "refill only the current entry and its crossings"),
    Action("clue table", "write and review all clues in a table", footer="clues"),
    Action("order", "list the entries emptiest first, worst first, or in clue order"),
    Action("next backtrack", "run the search to its next backtrack", footer="backtrack"),
    Action("watch screen", "watch the search event by event, with what comes next and why", footer="watch"),
    Action("command line", "a command line that takes every verb"),
    Action("palette", "the palette: find any command by a few letters", footer="everything"),
    Action("menu", "the menus: all commands, by group"),
    Action("entry menu", "the entry's menu, as with a right click"),
    Action("what was said", "recent messages and the lines around the grid, in full"),
    Action("next colours", "next color theme"),
)
"""All actions, in the order of the help. Letters and digits always write into the square, whatever a map says."""

BY_NAME = {action.name: action for action in ACTIONS}
