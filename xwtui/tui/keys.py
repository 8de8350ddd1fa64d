"""The screen's own keys, and the bindings made from them and from the verbs' declarations."""

import enum
from typing import NamedTuple

from textual import events
from textual.binding import Binding

from xwtui.session.verbs.help import key_cap
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Verb


class Key(NamedTuple):
    """Keys that do one thing: Textual's names of the keys, the action, and what help says."""

    keys: str
    action: str
    summary: str
    footer: str = ""
    """The word in the footer, for the few that stand there."""


GRID_KEYS: tuple[Key, ...] = (
    Key("left", "arrow('A', -1)", "move; across the direction, the first press only turns"),
    Key("right", "arrow('A', 1)", "move; across the direction, the first press only turns"),
    Key("up", "arrow('D', -1)", "move; across the direction, the first press only turns"),
    Key("down", "arrow('D', 1)", "move; across the direction, the first press only turns"),
    Key("space", "turn", "turn between across and down"),
    Key("tab", "entry_on(1)", "next and previous entry"),
    Key("shift+tab", "entry_on(-1)", "next and previous entry"),
    Key("home", "entry_end(-1)", "first and last square of the entry"),
    Key("end", "entry_end(1)", "first and last square of the entry"),
    Key("pageup", "grid_end('D', -1)", "top and foot of the column"),
    Key("pagedown", "grid_end('D', 1)", "top and foot of the column"),
    Key("ctrl+home", "grid_end('A', -1)", "ends of the row"),
    Key("ctrl+end", "grid_end('A', 1)", "ends of the row"),
    Key("ctrl+left", "leap('A', -1)", "past the next block"),
    Key("ctrl+right", "leap('A', 1)", "past the next block"),
    Key("ctrl+up", "leap('D', -1)", "past the next block"),
    Key("ctrl+down", "leap('D', 1)", "past the next block"),
    Key("shift+left", "extend('A', -1)", "select squares; Esc lets go of them"),
    Key("shift+right", "extend('A', 1)", "select squares; Esc lets go of them"),
    Key("shift+up", "extend('D', -1)", "select squares; Esc lets go of them"),
    Key("shift+down", "extend('D', 1)", "select squares; Esc lets go of them"),
    Key("asterisk", "mark", "select with the arrows alone; again to end that"),
    Key("equals_sign", "select_entry", "select the entry too, or take it out of the selection"),
    Key("plus", "accept_on", "accept the entry's pencil, and go to the next in pencil"),
    Key("backspace", "erase_back", "empty the square, or the one before"),
    Key("delete", "erase", "empty the square"),
    Key("escape", "cancel", "cancel: let go of the selection; leave a prompt, a list or a screen"),
    Key(
        "enter",
        "candidates",
        "choose a candidate: Enter places it, letters narrow, Ctrl+W asks why, Esc returns",
    ),
)
"""The keys of the grid, beside letters and digits, which write."""

CANDIDATE_KEYS: tuple[Key, ...] = (
    Key("f3", "sort", "among the candidates: sort by score, by the fills left, by both", "sort"),
    Key("plus", "write_fill", "among the candidates: write the fill that proves the word, in pencil", "its fill"),
)
"""The keys of the list of candidates, beside Enter, Esc and the letters that narrow it."""

SCREEN_KEYS: tuple[Key, ...] = (
    Key(
        "exclamation_mark,f4",
        "hardest",
        "go to the entry that stops every fill, or has the fewest options",
        "hardest",
    ),
    Key("ctrl+n", "fill_around", "fill the current entry and its crossings anew, and nothing else"),
    Key("f2", "clues", "the clue table", "clues"),
    Key("f3", "order", "list the entries emptiest first, worst first, or in clue order"),
    Key("f12", "until_backtrack", "take the search on to its next backtrack"),
    Key("at", "watch_search", "watch the search: step, scrub, see what comes next and why"),
    Key("colon", "command", "a command line that takes every verb"),
    Key("ctrl+p", "palette", "the palette: all that can be done, found by a few letters", "everything"),
    Key("ctrl+t", "theme", "next colour theme"),
)
"""The keys of the whole screen."""

_SIGNS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Pageup": "PageUp", "Pagedown": "PageDown"}


def key_text(keys: str) -> str:
    """Keys as help writes them: `f5` as `F5`, `full_stop` as `.`, `ctrl+left` as `Ctrl+←`."""
    return ", ".join(_cap(key) for key in keys.split(","))


def no_key_words(event: events.Key) -> str:
    """What is said of a key that does nothing."""
    named = event.character if event.is_printable and event.character else key_text(event.key)
    return f"{named} does nothing here; ? lists the keys"


def brief_key_text(keys: str) -> str:
    """The first of some keys, in the few letters of the footer: `^S`, `F5`."""
    return _cap(keys.split(",", 1)[0]).replace("Ctrl+", "^")


def _cap(key: str) -> str:
    *modifiers, last = key_cap(key.strip()).split("+")
    return "+".join([*modifiers, _SIGNS.get(last, last)])


class NextSteps(enum.Enum):
    """What the footer shows for where one is, in its order: verbs and actions of the screen."""

    BUILDING = ("fill", "step", "lock", "rebus", "block", "hardest", "palette", "help")
    RUNNING = ("stop", "palette", "help")
    FILLED = ("improve", "swap", "fills", "clues", "save", "export", "palette", "help")
    DEAD = ("why", "hardest", "whatif blocks", "undo", "palette", "help")


FOOTER = frozenset(name for steps in NextSteps for name in steps.value)
"""All of these."""


def grid_bindings() -> list[Binding]:
    """The keys that only the grid takes."""
    return [_own(key) for key in GRID_KEYS if not key.footer]


def candidate_bindings() -> list[Binding]:
    """The keys that only the list of candidates takes."""
    return [
        Binding(key.keys, key.action, key.footer, key_display=brief_key_text(key.keys), id=key.action)
        for key in CANDIDATE_KEYS
    ]


def screen_bindings() -> list[Binding]:
    """The keys of the whole screen."""
    verbs = [_of_verb(verb, verb.key) for verb in VERBS.values() if verb.key]
    own = [_own(key) for key in (*GRID_KEYS, *SCREEN_KEYS) if key in SCREEN_KEYS or key.footer]
    return [*own, *verbs]


def _of_verb(verb: Verb, keys: str) -> Binding:
    return Binding(
        keys,
        f"screen.do('verb', ('{verb.name}',))",
        verb.name,
        show=verb.name in FOOTER,
        key_display=brief_key_text(keys),
        id=verb.name,
    )


def _own(key: Key) -> Binding:
    action, _, arguments = key.action.partition("(")
    told = f"'{action}', ({arguments.removesuffix(')')},)" if arguments else f"'{action}'"
    return Binding(
        key.keys,
        f"screen.do({told})",
        key.footer or action,
        show=action in FOOTER,
        key_display=brief_key_text(key.keys),
        id=action if action in FOOTER else None,
    )
