"""What help tells that belongs to many verbs at once: so far, how squares and entries are named."""

from __future__ import annotations

from typing import NamedTuple


class TopicLine(NamedTuple):
    """What may be typed, several ways with commas and blanks between them, and what it means."""

    forms: tuple[str, ...]
    meaning: str


class HelpTopic(NamedTuple):
    """A page of the help: its name, which no verb has, what it tells, and words by which it is found as well."""

    name: str
    summary: str
    table: tuple[TopicLine, ...]
    notes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The page, a line each."""
        shown = [(", ".join(forms), meaning) for forms, meaning in self.table]
        width = max(len(forms) for forms, _ in shown)
        return [f"{self.summary}:", *(f"  {forms:{width}}  {meaning}" for forms, meaning in shown), *self.notes]

    @property
    def searched(self) -> str:
        """All that a search looks through, in small letters."""
        return " ".join((self.name, *self.keywords, *self.lines)).lower()


PLACES = HelpTopic(
    "places",
    "How entries and squares are named, in every verb",
    (
        TopicLine(("17A", "5D"), "an entry, from its first square on: its number, and A for across or D for down"),
        TopicLine(("here", "."), "the entry under the cursor, or its square"),
        TopicLine(("r3c12",), "one square: row 3, column 12, counted from the top left corner, which is r1c1"),
        TopicLine(("r1c1:r3c3",), "a rectangle, row by row from the corner that is named first"),
        TopicLine(("row 7", "column 3", "col 3"), "a line, from left to right or from top to bottom"),
        TopicLine(("perimeter",), "the outermost squares, clockwise from the top left corner"),
        TopicLine(("diagonal",), "from the top left corner down to the right; in a square grid, as the next one"),
        TopicLine(("antidiagonal",), "from the bottom left corner up to the right"),
        TopicLine(("selection",), "the squares that are selected, row by row"),
    ),
    (
        "Each square is taken once, in this order. Commas name several: `fill --only row 7,17A`.",
        "A verb that takes one entry or square refuses several.",
        "What looks like a place and is none is an error, and is never written as letters.",
    ),
    ("squares", "entries", "coordinates", "area", "range", "region", "cells", "position", "addresses"),
)

TOPICS = (PLACES,)
"""All of them."""
