"""Squares in A-Z and 0-9, for the formats of Across Lite, whose readers know no other letters."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from anyascii import anyascii

from xwtui.errors import WordListError
from xwtui.formats.base import Losses
from xwtui.model import Content, Direction, Grid, Square
from xwtui.model.square import LONGEST_REBUS
from xwtui.text import first_named
from xwtui.words.normalise import spell

_UNHEARD = "X"
"""What stands for letters that have no sound, such as Ъ."""


def with_plain_letters(grid: Grid, losses: Losses) -> Grid:
    """The grid with all letters in A-Z: without accents, or else spelled by sound; the entries are told."""
    plain = {
        at: replace(square, content=_plain(square.content))
        for at in grid.open_positions()
        if (square := grid[at]).content is not None and not has_plain_letters(square)
    }
    if not plain:
        return grid
    written = grid.with_squares(plain)
    told = [
        f"{slot.name} {grid.pattern(slot)} as {written.pattern(slot)}"
        for slot in grid.slots
        if grid.pattern(slot) != written.pattern(slot)
    ]
    told = told or [f"{at} {grid[at].content} as {written[at].content}" for at in plain]
    losses.tell(f"has no letters but A-Z; written are {first_named(told)}")
    return written


def has_plain_letters(square: Square) -> bool:
    """Whether a square holds nothing but A-Z and 0-9."""
    return square.content is None or square.content.text.isascii()


def _plain(content: Content | None) -> Content | None:
    return content and Content(*(plain_reading(content.reading(way))[:LONGEST_REBUS] for way in Direction))


def plain_reading(reading: str) -> str:
    """What a square holds in A-Z and 0-9, by what it looks like or sounds like."""
    for spelling in (reading, anyascii(reading)):
        with suppress(WordListError):
            return spell(spelling).word
    return _UNHEARD
