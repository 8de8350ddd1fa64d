"""What keys of the screen do that is no verb: declared once for the screen, its help, the palette and key maps."""

import enum
from typing import NamedTuple


class KeyPlace(enum.Enum):
    """Where a key works; the value says it in help."""

    GRID = "in the grid"
    """Only while the grid has the keyboard."""
    SCREEN = "on the screen"
    """In the grid, and wherever a list beside it leaves the key alone."""
    CANDIDATES = "among the candidates"
    """Only while the list of candidates has the keyboard: there before the two others."""


class Action(NamedTuple):
    """What keys do: its name, by which key maps call it, the keys that it has by itself, and its help."""

    name: str
    keys: str
    """Names of keys with commas between them, as the screen has them; empty where it has none by itself."""
    summary: str
    place: KeyPlace = KeyPlace.SCREEN
    footer: str = ""
    """The word in the footer, for the few that stand there."""


_MOVE = "move; across the direction, the first press only turns"
_SKIP = "past the next block"
_SELECT = "select squares; Esc lets go of them"

_IN_GRID = (
    ("left", "left", _MOVE),
    ("right", "right", _MOVE),
    ("up", "up", _MOVE),
    ("down", "down", _MOVE),
    ("turn", "space", "turn between across and down"),
    ("next entry", "tab", "next and previous entry"),
    ("previous entry", "shift+tab", "next and previous entry"),
    ("entry start", "home", "first and last square of the entry"),
    ("entry end", "end", "first and last square of the entry"),
    ("column top", "pageup", "top and foot of the column"),
    ("column foot", "pagedown", "top and foot of the column"),
    ("row start", "ctrl+home", "ends of the row"),
    ("row end", "ctrl+end", "ends of the row"),
    ("skip left", "ctrl+left", _SKIP),
    ("skip right", "ctrl+right", _SKIP),
    ("skip up", "ctrl+up", _SKIP),
    ("skip down", "ctrl+down", _SKIP),
    ("select left", "shift+left", _SELECT),
    ("select right", "shift+right", _SELECT),
    ("select up", "shift+up", _SELECT),
    ("select down", "shift+down", _SELECT),
    ("mark", "asterisk", "select with the arrows alone; again to end that"),
    ("select entry", "ctrl+a,equals_sign", "select the entry too, or take it out of the selection"),
    ("accept and next", "shift+f8,f20,plus", "accept the entry's pencil, and go to the next in pencil"),
    ("erase back", "backspace", "empty the square, or the one before"),
    ("erase", "delete", "empty the square"),
    ("cancel", "escape", "cancel: let go of the selection; leave a prompt, a list or a screen"),
    ("cancel or rebus", "", "let go of the selection; where nothing is selected, write a rebus"),
    (
        "candidate list",
        "enter",
        "choose a candidate: Enter places it, letters narrow, Ctrl+W asks why, Esc returns",
    ),
)

ACTIONS: tuple[Action, ...] = (
    *(Action(name, keys, summary, KeyPlace.GRID) for name, keys, summary in _IN_GRID),
    Action(
        "sort candidates",
        "f3",
        "among the candidates: sort by score, by the fills left, by both",
        KeyPlace.CANDIDATES,
        "sort",
    ),
    Action(
        "write its fill",
        "plus",
        "among the candidates: write the fill that proves the word, in pencil",
        KeyPlace.CANDIDATES,
        "its fill",
    ),
    Action(
        "hardest",
        "exclamation_mark,f4",
        "go to the entry that stops every fill, or has the fewest options",
        footer="hardest",
    ),
    Action("fill around", "ctrl+n", "fill the current entry and its crossings anew, and nothing else"),
    Action("clue table", "f2", "the clue table", footer="clues"),
    Action("order", "f3", "list the entries emptiest first, worst first, or in clue order"),
    Action("next backtrack", "f12", "take the search on to its next backtrack"),
    Action("watch screen", "ctrl+v,at", "watch the search: step, scrub, see what comes next and why"),
    Action("command line", "colon", "a command line that takes every verb"),
    Action("palette", "ctrl+p", "the palette: all that can be done, found by a few letters", footer="everything"),
    Action("menu", "f9", "the menus: all that can be done, by group"),
    Action("entry menu", "shift+f9,f21", "the menu of the entry, as the right button of the mouse opens it"),
    Action(
        "what was said",
        "quotation_mark",
        "what was said of late, and the lines around the grid, none of them cut",
    ),
    Action("next colours", "ctrl+t", "next colour theme"),
)
"""All of them, in the order of the help; letters and digits write into the square, whatever a map says."""

BY_NAME = {action.name: action for action in ACTIONS}
"""The same by name."""
