"""All that can be done, group by group, as the palette and the menus offer it."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from xwtui.session.keys.actions import ACTIONS, Action, KeyPlace
from xwtui.session.keys.key_map import KeyMap
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group, Verb
from xwtui.text import printable
from xwtui.tui.keys import brief_cap_of

OWN_GROUP = "Screen"
"""The group of what is no verb."""
_LONGEST_HELP = 240
_NOT_OFFERED = frozenset(("palette", "menu", "cancel", "cancel or rebus"))
"""What only makes sense as a key."""
_ASKS_BY_ITSELF = frozenset(("templates", "theme answers", "design"))
"""Verbs that take words, and without any show a page on which these are typed."""


class Acting(Protocol):
    """The editor, as far as it matters here."""

    def action_act(self, target: str) -> None:
        """Do what a key does: an action of the screen, what a verb's key does, or a line of a verb."""

    def action_ask(self, line: str) -> None:
        """Open the command line with some words on it."""


class CatalogueItem(NamedTuple):
    """What can be done: its group, its name, its key as the footer writes it, its help: first in one sentence.

    `target` is what a key would be bound to; with `asks`, a line that is begun and wants more words. `keywords`
    are what else it is called.
    """

    group: str
    name: str
    key: str
    summary: str
    help: str
    target: str
    asks: bool = False
    keywords: tuple[str, ...] = ()

    def act(self, editor: Acting) -> None:
        if self.asks:
            editor.action_ask(f"{self.target} ")
        else:
            editor.action_act(self.target)


def catalogue(keys: KeyMap) -> Iterator[CatalogueItem]:
    """All that can be done, group by group."""
    for group in Group:
        yield from (_of_verb(verb, keys) for verb in VERBS.values() if verb.group is group)
    yield from (_of_action(action, keys) for action in ACTIONS if _is_offered(action))


def _is_offered(action: Action) -> bool:
    """Whether an action is one to look for: moving about is not."""
    is_travel = action.place is KeyPlace.GRID and any(
        word in action.name.split() for word in ("left", "right", "up", "down", "start", "end", "top", "foot")
    )
    return not is_travel and action.place is not KeyPlace.CANDIDATES and action.name not in _NOT_OFFERED


def brief_help(verb: Verb) -> str:
    """The help of a verb in one line."""
    return printable(" ".join((verb.command.help or verb.summary).split()), _LONGEST_HELP)


def _of_verb(verb: Verb, keys: KeyMap) -> CatalogueItem:
    """What its key does; without a key of its own, it is run, or asks for its words."""
    told = brief_help(verb)
    asks = not verb.keys and bool(verb.arguments) and verb.name not in _ASKS_BY_ITSELF
    key = brief_cap_of(keys, verb.name)
    return CatalogueItem(verb.group.value, verb.name, key, verb.summary, told, verb.name, asks, verb.called)


def _of_action(action: Action, keys: KeyMap) -> CatalogueItem:
    key = brief_cap_of(keys, action.name)
    told = f"{action.summary[:1].upper()}{action.summary[1:]}."
    return CatalogueItem(OWN_GROUP, action.name, key, action.summary, told, action.name)
