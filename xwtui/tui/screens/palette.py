"""The command palette: Textual's, with all verbs and the screen's own actions, by group, with search."""

from functools import cache, cached_property, partial
from typing import ClassVar, cast

from textual.binding import Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider, SearchIcon
from textual.content import Content
from textual.widgets import Input

from xwtui.session.keys.key_map import own_map
from xwtui.session.verbs.searching import VerbSearch
from xwtui.text import clauses_within
from xwtui.tui.editing.context import Host
from xwtui.tui.screens.menu import Acting, CatalogueItem, catalogue

_KEY_WIDTH, _NAME_WIDTH = 9, 17
_AROUND = 9
"""Width around a row's text: the frame of the list, and the gaps between its columns."""


@cache
def _search() -> VerbSearch:
    """Return the search index over the catalogue, in its order, which does not depend on the keys."""
    return VerbSearch([item.searchable for item in catalogue(own_map())])


class CommandProvider(Provider):
    """Offers all commands, and finds them by name, group or help."""

    @cached_property
    def _items(self) -> tuple[CatalogueItem, ...]:
        """The catalogue, cached as long as the palette is open: it is used for each letter typed."""
        host = cast(Host, self.app)
        slot = host.session.cursor.entry
        return tuple(catalogue(host.keys, slot.name if slot is not None else "1A"))

    async def discover(self) -> Hits:
        for item in self._items:
            yield DiscoveryHit(self._row(item, Content(item.name)), self._act(item), item.name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for place, score in _search().found(query):
            item = self._items[place]
            name = matcher.highlight(item.name) if matcher.match(item.name) else Content(item.name)
            yield Hit(score, self._row(item, name), self._act(item.chosen_by(query)), item.name)

    def _act(self, item: CatalogueItem) -> partial[None]:
        return partial(item.act, cast(Acting, self.screen))

    def _row(self, item: CatalogueItem, name: Content) -> Content:
        """Return a row: the key, the name with the match highlighted, and as much of the summary as fits."""
        summary = clauses_within(item.summary, room_for_summary(item, self.app.size.width))
        gap = " " * (max(_NAME_WIDTH - len(item.name), 0) + 1)
        return Content.assemble((f"{item.key:>{_KEY_WIDTH}}  ", "not bold"), name, gap, (summary, "not bold"))


def room_for_summary(item: CatalogueItem, width: int) -> int:
    """Return the width for an item's summary, on a screen of this width."""
    return width - _AROUND - _KEY_WIDTH - max(_NAME_WIDTH, len(item.name))


class CommandListPalette(CommandPalette):
    """The palette with one line per command, whose end is cut with an ellipsis if needed."""

    DEFAULT_CSS = "CommandListPalette CommandList { text-wrap: nowrap; text-overflow: ellipsis; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+u", "forget", show=False, priority=True)]

    def on_mount(self) -> None:
        """Use a search icon that every font has, one cell wide in every terminal."""
        self.query_one(SearchIcon).icon = "›"

    def action_forget(self) -> None:
        """Clear the input."""
        self.query_one(Input).value = ""


def command_palette() -> CommandPalette:
    """Return the palette for the screen that is shown."""
    return CommandListPalette([CommandProvider], placeholder="Search commands by name or description")
