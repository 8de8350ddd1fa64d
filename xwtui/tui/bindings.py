"""The screen's key bindings, made from the verbs' declarations and the tables of the screen's own keys."""

from textual.binding import Binding

from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Verb
from xwtui.tui.keys import CANDIDATE_KEYS, GRID_KEYS, SCREEN_KEYS, Key, brief_key_text

_FOOTER = ("fill", "step", "stop", "lock", "rebus", "block", "hardest", "command", "help")
"""What the footer shows, in this order: verbs and actions of the screen."""


def grid_bindings() -> list[Binding]:
    """The keys that only the grid takes."""
    return [_own(key) for key in GRID_KEYS if not key.footer]


def candidate_bindings() -> list[Binding]:
    """The keys that only the list of candidates takes."""
    return [_own(key, "") for key in CANDIDATE_KEYS]


def screen_bindings() -> list[Binding]:
    """The keys of the whole screen, those of the footer in their order."""
    verbs = [_of_verb(verb, verb.key) for verb in VERBS.values() if verb.key]
    own = [_own(key) for key in (*GRID_KEYS, *SCREEN_KEYS) if key in SCREEN_KEYS or key.footer]
    return sorted([*own, *verbs], key=_place_in_footer)


def _of_verb(verb: Verb, keys: str) -> Binding:
    shown = verb.name in _FOOTER and verb.name != "rebus"
    return Binding(
        keys, f"screen.verb('{verb.name}')", verb.name, show=shown, key_display=brief_key_text(keys), id=verb.name
    )


def _own(key: Key, owner: str = "screen.") -> Binding:
    action = key.action.partition("(")[0]
    return Binding(
        key.keys,
        f"{owner}{key.action}",
        key.footer or action,
        show=bool(key.footer),
        key_display=brief_key_text(key.keys),
        id=action if key.footer else None,
    )


def _place_in_footer(binding: Binding) -> int:
    return _FOOTER.index(binding.id) if binding.show and binding.id in _FOOTER else len(_FOOTER)
