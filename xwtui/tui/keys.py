"""The bindings of the screen's widgets, made from a map of keys, and what of them stands in the footer."""

import enum
from collections.abc import Iterable

from textual import events
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode

from xwtui.session.keys.actions import BY_NAME, KeyPlace
from xwtui.session.keys.key_map import Bound, KeyMap
from xwtui.session.keys.names import brief_key_cap, key_cap


def no_key_words(event: events.Key, keys: KeyMap) -> str:
    """What is said of a key that does nothing."""
    named = event.character if event.is_printable and event.character else key_cap(event.key)
    return f"{named} does nothing here; {keys.cap_of('help')} lists the keys"


class NextSteps(enum.Enum):
    """What the footer shows for where one is, in its order: verbs and actions of the screen."""

    BUILDING = ("fill", "step", "lock", "rebus", "block", "hardest", "palette", "help")
    RUNNING = ("stop", "palette", "help")
    FILLED = ("improve", "swap", "fills", "clue table", "save", "export", "palette", "help")
    DEAD = ("why", "hardest", "whatif blocks", "undo", "palette", "help")


FOOTER = frozenset(name for steps in NextSteps for name in steps.value)
"""All of these."""


def brief_cap_of(keys: KeyMap, target: str) -> str:
    """The key of an action or a verb that is to be shown, in few letters; empty where it has none."""
    found = keys.keys_of(target)
    return brief_key_cap(found[0]) if found else ""


def bindings(keys: KeyMap, *places: KeyPlace) -> list[Binding]:
    """The bindings of the keys of some places."""
    return [_binding(one, keys) for one in keys.bound if one.place in places]


def _binding(one: Bound, keys: KeyMap) -> Binding:
    target, action = one.target, BY_NAME.get(one.target)
    word = (action.footer if action is not None else "") or target
    return Binding(
        one.key,
        f"screen.act({target!r})",
        word,
        show=target in FOOTER or one.place is KeyPlace.CANDIDATES,
        key_display=brief_cap_of(keys, target),
        id=target if target in FOOTER else None,
    )


def has_own_key(part: DOMNode, key: str) -> bool:
    """Whether a part of the screen does something by a key itself."""
    return key in part._bindings.key_to_bindings


def rebind(part: DOMNode, own: Iterable[Binding]) -> None:
    """Give a part of the screen keys of its own, before those that its class declares.

    Textual's own key maps only move what has a key, and can neither take a key away nor give one to a line of a
    verb; the names of a part's keys, as they stand and as its class has them, are private there.
    """
    declared = type(part)._merged_bindings or BindingsMap()
    part._bindings = BindingsMap.merge([BindingsMap(own), declared])
