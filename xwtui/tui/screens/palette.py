"""The palette: Textual's, over all verbs and the screen's own keys, by group, searched as one types."""

from functools import cached_property, partial
from typing import ClassVar, cast

from textual.binding import Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher
from textual.widgets import Input

from xwtui.text import clauses_within
from xwtui.tui.editing.context import Host
from xwtui.tui.screens.menu import Acting, CatalogueItem, catalogue

_KEY_WIDTH, _NAME_WIDTH = 9, 17
_AROUND = 8
"""Cells beside a row: what frames the list, and the gaps between its columns."""
_LONGEST_NAME = 24
"""Letters of a name that may be matched with gaps; any word is in a long one somehow."""
_SUMMARY_SHARE, _HELP_SHARE = 0.5, 0.4
"""What a match in the one sentence that says it counts, and in the rest of the help, beside one in the name."""
_NAMED, _CALLED = 2_000.0, 1_000.0
"""What puts a name with all the words before a keyword, and a keyword before letters with gaps and any help."""
_IN_NAME, _IN_CALLED, _IN_SUMMARY = 1.0, 0.7, 0.4
"""What one word of several counts that stands in the name, in a keyword, in the one sentence."""
_LEAST_APART = 0.35
"""How well several words must fit on the average, one by one."""
_LITTLE = "a all an and at can can't for from how i in is it my of off on or the this through to up why with"
_LITTLE_WORDS = frozenset(_LITTLE.split())
"""Words of a search that say little by themselves."""
_WHOLLY_NAMED = 0.2
"""What it counts more where several words have the whole name of an item among them."""
_AGAIN = 0.01
"""What each time counts that the help says it."""
_MOST_TIMES = 5


class Everything(Provider):
    """Offers all that can be done, and finds it by its name, its group or its help."""

    @cached_property
    def _items(self) -> tuple[CatalogueItem, ...]:
        """A provider lasts as long as the palette is open, and is asked at each letter."""
        return tuple(catalogue(cast(Host, self.app).keys))

    async def discover(self) -> Hits:
        for item in self._items:
            yield DiscoveryHit(self._row(item, Content(item.name)), self._act(item), item.name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for item in self._items:
            score = fit(item, query, matcher)
            if score > 0:
                name = matcher.highlight(item.name) if matcher.match(item.name) else Content(item.name)
                yield Hit(score, self._row(item, name), self._act(item), item.name)

    def _act(self, item: CatalogueItem) -> partial[None]:
        return partial(item.act, cast(Acting, self.screen))

    def _row(self, item: CatalogueItem, name: Content) -> Content:
        """A row: the key, the name as the search shows it, and as much of what it does as has room."""
        told = clauses_within(item.summary, room_for_summary(item, self.app.size.width))
        gap = " " * (max(_NAME_WIDTH - len(item.name), 0) + 1)
        return Content.assemble((f"{item.key:>{_KEY_WIDTH}}  ", "dim"), name, gap, (told, "dim"))


def room_for_summary(item: CatalogueItem, width: int) -> int:
    """Cells for what an item does, on a screen of this width."""
    return width - _AROUND - _KEY_WIDTH - max(_NAME_WIDTH, len(item.name))


def fit(item: CatalogueItem, query: str, matcher: Matcher) -> float:
    """How well an item fits what is searched for; 0 for not at all.

    First come those whose name has all the words, then those with it as a keyword, then names that have its
    letters with gaps, then help and keywords that have all the words, or most of several words that matter.
    """
    by_name = matcher.match(item.name) if len(item.name) <= _LONGEST_NAME else 0.0
    sought = _plain(query).split()
    if not sought:
        return by_name
    by_words = _fit_of_words(item, sought)
    if _has(item.name, sought):
        return _NAMED + max(by_name, by_words)
    if " ".join(sought) in map(_plain, item.keywords):
        return _CALLED + by_words
    return max(by_name, by_words)


def _fit_of_words(item: CatalogueItem, sought: list[str]) -> float:
    """How well all of the words fit together, or of several those that matter each by itself."""
    called = " ".join(item.keywords)
    told = f"{item.group} {item.name} {item.help} {called}"
    together = 0.0
    if _has(told, sought):
        share = _SUMMARY_SHARE if _has(f"{item.summary} {called}", sought) else _HELP_SHARE
        times = min(_plain(told).count(word) for word in sought)
        together = share + _AGAIN * min(times, _MOST_TIMES)
    matter = [word for word in sought if word not in _LITTLE_WORDS]
    if len(sought) == 1 or not matter:
        return together
    apart = sum(_fit_of_word(item, called, word) for word in matter) / len(matter)
    named = _WHOLLY_NAMED if set(_plain(item.name).split()) <= set(sought) else 0.0
    return max(together, apart if apart >= _LEAST_APART else 0.0) + named


def _fit_of_word(item: CatalogueItem, called: str, word: str) -> float:
    """How much one word of several speaks for an item: most where it is a word of the name."""
    name = _plain(item.name).split()
    if word in name:
        return _IN_NAME
    if _begins_any(word, [*name, *_plain(called).split()]):
        return _IN_CALLED
    return _IN_SUMMARY if _begins_any(word, _plain(item.summary).split()) else 0.0


def _begins_any(word: str, words: list[str]) -> bool:
    return any(one.startswith(word) for one in words)


def _has(text: str, words: list[str]) -> bool:
    plain = _plain(text)
    return all(word in plain for word in words)


def _plain(text: str) -> str:
    """A text as it is searched: in small letters, colours spelt in the shorter way."""
    return text.lower().replace("colour", "color")


class EverythingPalette(CommandPalette):
    """The palette, a line each, whose end is cut visibly where it must be."""

    DEFAULT_CSS = "EverythingPalette CommandList { text-wrap: nowrap; text-overflow: ellipsis; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+u", "forget", show=False, priority=True)]

    def action_forget(self) -> None:
        """Take away all that is typed."""
        self.query_one(Input).value = ""


def everything() -> CommandPalette:
    """The palette over the screen that is shown."""
    return EverythingPalette([Everything], placeholder="Search commands by name or description")
