"""The palette: Textual's, over all verbs and the screen's own keys, by group, searched as one types."""

import math
import re
from collections.abc import Iterator, Sequence
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
_NAMED, _CALLED, _BEGUN = 2_000.0, 1_000.0, 500.0
"""What puts a name with all the words before a keyword, that before a name in which they are begun, and that
before all that has some of the words."""
_LETTERS = 0.01
"""What a match with gaps counts, which comes after all words."""
_SHARES = (1.0, 0.7, 0.4, 0.2)
"""What a word counts that stands in the name, in a keyword, in the one sentence, in the rest of the help."""
_LEAST = 0.15
"""How well the words must fit on the average."""
_WHOLLY = 0.2
"""What it counts more where the words have a whole name or keyword among them, or all stand in the sentence."""
_LITTLE = (
    "a all an and as at can can't do don't for from get how i in is it me my not of off on one or put the "
    "them this through to two up what where which who with"
)
_LITTLE_WORDS = frozenset(_LITTLE.split())
"""Words of a search that say little by themselves."""
_ENDINGS = re.compile(r"(?<=\w{3})(?:'?s)?(?:ing|er|ed|e)?$")


class Everything(Provider):
    """Offers all that can be done, and finds it by its name, its group or its help."""

    @cached_property
    def _items(self) -> tuple[CatalogueItem, ...]:
        """A provider lasts as long as the palette is open, and is asked at each letter."""
        return tuple(catalogue(cast(Host, self.app).keys))

    async def discover(self) -> Hits:
        for item in self._items:
            yield DiscoveryHit(self._row(item, Content(item.name)), self._act(item), item.name)

    @cached_property
    def _searching(self) -> "PaletteSearch":
        return PaletteSearch(self._items)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for item, score in self._searching.fits(query):
            name = matcher.highlight(item.name) if matcher.match(item.name) else Content(item.name)
            yield Hit(score, self._row(item, name), self._act(item.chosen_by(query)), item.name)

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


class PaletteSearch:
    """A search through items, in which a word counts the more the fewer of them have it.

    First come those whose name has all the words, then those with the search as a keyword, then all others by how
    well the words fit, or the letters with gaps of the name.
    """

    def __init__(self, items: Sequence[CatalogueItem]) -> None:
        self._items = items
        self._words = [
            [_words_of(text) for text in (item.name, " ".join(item.keywords), item.summary, item.help)]
            for item in items
        ]

    def fits(self, query: str) -> Iterator[tuple[CatalogueItem, float]]:
        plain, matcher = _plain(query), Matcher(query)
        sought = [word for word in _words_of(query) if word not in _LITTLE_WORDS] or _words_of(query)
        found = [[_share(word, words) for word in sought] for words in self._words]
        rarities = [_rarity(column) for column in zip(*found, strict=True)]
        for item, shares in zip(self._items, found, strict=True):
            score = self._score(item, sought, shares, rarities)
            if plain in _plain(item.summary):
                score += _WHOLLY
            words, begun = plain.split(), _plain(item.name).split()
            if words and all(word in begun for word in words):
                score += _NAMED
            elif plain in map(_plain, item.keywords):
                score += _CALLED
            elif words and all(any(one.startswith(word) for one in begun) for word in words):
                score += _BEGUN
            elif score < _LEAST and len(item.name) <= _LONGEST_NAME:
                score = matcher.match(item.name) * _LETTERS
            if score > 0:
                yield item, score

    @staticmethod
    def _score(
        item: CatalogueItem, sought: Sequence[str], shares: Sequence[float], rarities: Sequence[float]
    ) -> float:
        whole = any(set(_words_of(called)) <= set(sought) for called in (item.name, *item.keywords))
        fit = sum(share * rarity for share, rarity in zip(shares, rarities, strict=True)) / (sum(rarities) or 1)
        return fit + _WHOLLY * whole if fit >= _LEAST else 0.0


def _rarity(shares: Sequence[float]) -> float:
    """How much it says that an item has a word, given what it counts in all of them; 0 for one that none has."""
    having = sum(share > 0 for share in shares)
    return math.log(1 + len(shares) / having) if having else 0.0


def _share(word: str, fields: Sequence[Sequence[str]]) -> float:
    """What a word counts for an item, given the words of its fields."""
    shares = zip(_SHARES, fields, strict=True)
    return next((share for share, words in shares if any(one.startswith(word) for one in words)), 0.0)


def _words_of(text: str) -> list[str]:
    """The words of a text without their endings, as they are compared."""
    return [_ENDINGS.sub("", word) for word in re.findall(r"[\w'-]+", _plain(text))]


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
