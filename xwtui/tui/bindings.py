"""The screen's key bindings, made from the verbs' declarations and the tables of the screen's own keys."""

from collections.abc import Iterator

from textual.binding import Binding

from xwtui.tui.keys import GRID_KEYS, SCREEN_KEYS, Key, brief_key_text
from xwtui.workbench.verbs.registry import VERBS
from xwtui.workbench.verbs.verb import Verb

_FOOTER = ("fill", "step", "stop", "lock", "rebus", "block", "hardest", "command", "help")
"""What the footer shows, in this order: verbs and actions of the screen."""


def grid_bindings() -> list[Binding]:
    """The keys that only the grid takes."""
    return [_own(key) for key in GRID_KEYS if not key.footer]


def screen_bindings() -> list[Binding]:
    """The keys of the whole screen, those of the footer in their order."""
    own = [
        (_action_name(key.action), _own(key))
        for key in (*GRID_KEYS, *SCREEN_KEYS)
        if key in SCREEN_KEYS or key.footer
    ]
    named = {**dict(own), **dict(_of_verbs())}
    shown = [named.pop(name) for name in _FOOTER if name in named]
    return [*shown, *named.values()]


def _of_verbs() -> Iterator[tuple[str, Binding]]:
    for verb in VERBS.values():
        if verb.key:
            yield verb.name, _of_verb(verb, verb.key)


def _of_verb(verb: Verb, keys: str) -> Binding:
    shown = verb.name in _FOOTER
    return Binding(keys, f"screen.verb('{verb.name}')", verb.name, show=shown, key_display=brief_key_text(keys))


def _own(key: Key) -> Binding:
    name = key.footer or _action_name(key.action)
    shown = bool(key.footer) and _action_name(key.action) in _FOOTER
    return Binding(key.keys, f"screen.{key.action}", name, show=shown, key_display=brief_key_text(key.keys))


def _action_name(action: str) -> str:
    return action.partition("(")[0]
