"""The symbols of a problem: A-Z, 0-9, and one for each rebus content that a square may hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from xwtui.errors import EngineError
from xwtui.model import Content, Direction

PLAIN_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PLAIN_MASK = (1 << len(PLAIN_CHARACTERS)) - 1
"""The symbols that are plain characters, as bits."""
MOST_REBUSES = 64 - len(PLAIN_CHARACTERS)
"""Different rebus contents that one grid can have: a square's symbols are the bits of one word."""

PLAIN_CONTENTS = tuple(map(Content.of, PLAIN_CHARACTERS))
_PLAIN_CONTENT_OF_MASK = {1 << code: content for code, content in enumerate(PLAIN_CONTENTS)}


@dataclass(frozen=True)
class Symbols:
    """The code of each content, 0 to 63: plain characters first, then the rebus contents."""

    rebuses: tuple[Content, ...]

    @classmethod
    def of_contents(cls, contents: Iterable[Content]) -> Symbols:
        """Collect the rebus contents among those in play; raises EngineError for more than 28."""
        rebuses = tuple(dict.fromkeys(content for content in contents if content.is_rebus))
        if len(rebuses) > MOST_REBUSES:
            extra = ", ".join(str(content) for content in rebuses[MOST_REBUSES:][:5])
            raise EngineError(
                f"the grid has {len(rebuses)} different rebus squares, and the filler can tell "
                f"{MOST_REBUSES} apart; {extra} would be too many"
            )
        return cls(rebuses)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        """The content of each code."""
        return (*PLAIN_CONTENTS, *self.rebuses)

    @cached_property
    def content_of_mask(self) -> Mapping[int, Content]:
        """The content of each mask with one bit."""
        rebuses = {1 << code: content for code, content in enumerate(self.rebuses, len(PLAIN_CHARACTERS))}
        return _PLAIN_CONTENT_OF_MASK | rebuses if rebuses else _PLAIN_CONTENT_OF_MASK

    @cached_property
    def _codes(self) -> dict[Content, int]:
        return {content: code for code, content in enumerate(self.contents)}

    def code(self, content: Content) -> int:
        """The code of a content of this problem."""
        return self._codes[content]

    def mask(self, contents: Iterable[Content]) -> int:
        """The codes of contents, as bits."""
        mask = 0
        for content in contents:
            mask |= 1 << self._codes[content]
        return mask

    def spell(self, codes: Iterable[int], direction: Direction) -> str:
        """Read a row of symbols as the word that it spells in a direction."""
        return "".join(self.contents[code].reading(direction) for code in codes)

    def in_mask(self, mask: int) -> Iterator[Content]:
        """The contents whose bits are set in a square's mask."""
        return (content for code, content in enumerate(self.contents) if mask >> code & 1)
