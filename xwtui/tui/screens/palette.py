"""The palette: Textual's, over all verbs and the screen's own keys, by group, searched as one types."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol, cast

from rich.markup import escape
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group, Verb
from xwtui.text import printable
from xwtui.tui.keys import GRID_KEYS, SCREEN_KEYS, brief_key_text

_KEY_WIDTH = 7
_LONGEST_NAME = 24
"""Letters of a name that may be matched with gaps; any word is in a long one somehow."""
_OWN_GROUP = "Screen"
_LONGEST_HELP = 240
_HELP_SHARE = 0.5
"""What a match in the help counts, beside one in the name."""


class Acting(Protocol):
    """The editor, as far as it matters here."""

    def action_do(self, name: str, arguments: tuple[Any, ...] = ()) -> None:
        """Do what a key is declared with."""


class PaletteEntry(NamedTuple):
    """A row: what can be done, its group, its key as the footer writes it, and its help in a few sentences."""

    group: str
    name: str
    key: str
    help: str
    action: str
    arguments: tuple[str, ...] = ()

    def row(self, name: Content) -> Content:
        """The row, with its name as the search shows it."""
        return Content.assemble((f"{self.key:>{_KEY_WIDTH}}  ", "dim"), name, (f"  {self.group}", "dim"))

    def act(self, editor: Acting) -> None:
        """Do it."""
        editor.action_do(self.action, self.arguments)


def offers() -> Iterator[PaletteEntry]:
    """All that can be done, group by group."""
    for group in Group:
        yield from (_of_verb(verb) for verb in VERBS.values() if verb.group is group)
    for key in (*SCREEN_KEYS, *GRID_KEYS):
        if "(" not in key.action and key.action not in ("palette", "cancel"):
            yield PaletteEntry(_OWN_GROUP, key.summary, brief_key_text(key.keys), "", key.action)


def _of_verb(verb: Verb) -> PaletteEntry:
    """What its key does; without a key, it is run, or asks for its words."""
    asks = not verb.keys and bool(verb.arguments)
    told = printable(" ".join((verb.command.help or verb.summary).split()), _LONGEST_HELP)
    key = brief_key_text(verb.key) if verb.key else ""
    return PaletteEntry(verb.group.value, verb.name, key, told, "ask" if asks else "verb", (verb.name,))


class Everything(Provider):
    """Offers all that can be done, and finds it by its name, its group or its help."""

    async def discover(self) -> Hits:
        """Everything, by group."""
        for offer in offers():
            yield DiscoveryHit(offer.row(Content(offer.name)), self._act(offer), offer.name, escape(offer.help))

    async def search(self, query: str) -> Hits:
        """What fits, the names first."""
        matcher, wanted = self.matcher(query), query.lower().split()
        for offer in offers():
            by_name = matcher.match(offer.name) if len(offer.name) <= _LONGEST_NAME else 0.0
            told = f"{offer.group} {offer.name} {offer.help}".lower()
            score = max(by_name, _HELP_SHARE * all(word in told for word in wanted))
            if score > 0:
                row = offer.row(matcher.highlight(offer.name) if by_name else Content(offer.name))
                yield Hit(score, row, self._act(offer), offer.name, escape(offer.help))

    def _act(self, offer: PaletteEntry) -> partial[None]:
        return partial(offer.act, cast(Acting, self.screen))


def everything() -> CommandPalette:
    """The palette over the screen that is shown."""
    return CommandPalette([Everything], placeholder="What is to be done? Words of its name or its help")
