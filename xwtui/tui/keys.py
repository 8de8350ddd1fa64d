"""The keys that are the screen's own; all others are declared with their verbs."""

from collections.abc import Mapping
from typing import NamedTuple


class Key(NamedTuple):
    """Keys that do one thing: Textual's names of the keys, the action, and what help says."""

    keys: str
    action: str
    summary: str
    shown: str = ""
    """How help writes the keys, where Textual's names do not serve."""
    footer: str = ""
    """The word in the footer, for the few that stand there."""


GRID_KEYS: tuple[Key, ...] = (
    Key("left", "arrow('A', -1)", "left; turns first when the entry runs down", "←"),
    Key("right", "arrow('A', 1)", "right; turns first when the entry runs down", "→"),
    Key("up", "arrow('D', -1)", "up; turns first when the entry runs across", "↑"),
    Key("down", "arrow('D', 1)", "down; turns first when the entry runs across", "↓"),
    Key("space", "turn", "turn between across and down", "Space"),
    Key("tab", "entry_on(1)", "next entry", "Tab"),
    Key("shift+tab", "entry_on(-1)", "previous entry", "Shift+Tab"),
    Key("home", "entry_end(-1)", "first square of the entry", "Home"),
    Key("end", "entry_end(1)", "last square of the entry", "End"),
    Key("pageup", "grid_end('D', -1)", "top of the column", "PageUp"),
    Key("pagedown", "grid_end('D', 1)", "foot of the column", "PageDown"),
    Key("ctrl+home", "grid_end('A', -1)", "left end of the row", "Ctrl+Home"),
    Key("ctrl+end", "grid_end('A', 1)", "right end of the row", "Ctrl+End"),
    Key("ctrl+left", "leap('A', -1)", "left past the next block", "Ctrl+←"),
    Key("ctrl+right", "leap('A', 1)", "right past the next block", "Ctrl+→"),
    Key("ctrl+up", "leap('D', -1)", "up past the next block", "Ctrl+↑"),
    Key("ctrl+down", "leap('D', 1)", "down past the next block", "Ctrl+↓"),
    Key("backspace", "erase_back", "empty the square, or the one before", "Backspace"),
    Key("delete", "erase", "empty the square", "Delete"),
    Key(
        "escape,ctrl+r",
        "rebus",
        "type a rebus: Enter keeps it, Esc does not, X/TIMES differs",
        "Esc, Ctrl+R",
        "rebus",
    ),
    Key("enter", "candidates", "choose among the candidates: Enter places, letters narrow, Esc returns", "Enter"),
)
"""The keys of the grid, beside letters and digits, which write."""

SCREEN_KEYS: tuple[Key, ...] = (
    Key("exclamation_mark,f4", "hardest", "go to the entry with the fewest options", "!, F4", "hardest"),
    Key("f2", "clues", "the clue table", "F2", "clues"),
    Key("f3", "order", "entries: emptiest first, or in clue order", "F3"),
    Key("colon", "command", "a command line that takes every verb", ":", "verb"),
    Key("question_mark,f1", "help", "help", "?, F1", "help"),
    Key("ctrl+t", "theme", "next colour theme", "Ctrl+T"),
    Key("ctrl+o", "open", "open a puzzle, or begin a new one", "Ctrl+O"),
    Key("ctrl+q", "quit", "quit; asks where work is unsaved", "Ctrl+Q"),
)
"""The keys of the whole screen."""

_NAMES: Mapping[str, str] = {
    "full_stop": ".",
    "grave_accent": "`",
    "colon": ":",
    "question_mark": "?",
    "exclamation_mark": "!",
    "escape": "Esc",
    "equals_sign": "=",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "number_sign": "#",
    "asterisk": "*",
    "comma": ",",
    "semicolon": ";",
    "slash": "/",
    "backslash": "\\",
    "minus": "-",
    "plus": "+",
    "pageup": "PageUp",
    "pagedown": "PageDown",
}


def key_text(keys: str) -> str:
    """Keys as help and footer write them: `ctrl+s` as `Ctrl+S`, `f5` as `F5`, `full_stop` as `.`."""
    return ", ".join(_one(key.strip()) for key in keys.split(","))


def brief_key_text(keys: str) -> str:
    """The first of some keys, in the few letters of the footer: `^S`, `F5`."""
    return _one(keys.split(",")[0].strip()).replace("Ctrl+", "^")


def _one(key: str) -> str:
    *modifiers, last = key.split("+")
    named = _NAMES.get(last, last.capitalize() if len(last) > 1 else last.upper())
    return "+".join([*(modifier.capitalize() for modifier in modifiers), named])
