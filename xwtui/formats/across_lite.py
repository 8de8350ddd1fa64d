"""What both formats of Across Lite can hold of a puzzle: texts in Latin-1, squares in A-Z and 0-9."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from dataclasses import replace

from anyascii import anyascii

from xwtui.errors import WordListError
from xwtui.formats.base import Losses, name_places
from xwtui.formats.plain_text import clean_text
from xwtui.model import Content, Direction, Grid, Square
from xwtui.model.square import LONGEST_REBUS
from xwtui.text import first_named, without_accents
from xwtui.words.normalise import spell

_LAST_OF_LATIN_1 = 0xFF

_DIGRAPHS = {"Œ": "OE", "Ĳ": "IJ"}
_UNSEEN = ("Mn", "Me", "Cf")
"""Categories of characters that show only in what is beside them, as accents and joiners do."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("—―", "--"),
        **dict.fromkeys("\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " "),
        "…": "...",
    }
)


class LatinText:
    """Makes text Latin-1, and notes which texts were spelled otherwise on the way.

    A character is written without its accent, or else as anyascii spells it (Cyrillic and others by sound, an
    emoji by its name), or else as `?`.
    """

    def __init__(self) -> None:
        self._straightened: list[str] = []
        self._spelled: list[str] = []
        self._replaced: list[str] = []

    def text(self, text: str, what: str) -> str:
        """The text in characters of Latin-1; `what` it is names it in a warning."""
        clean = unicodedata.normalize("NFC", clean_text(text, "a text of this puzzle"))
        plain = clean.translate(_PLAIN)
        if signs := sorted({sign for sign in clean if ord(sign) in _PLAIN and not sign.isspace()}):
            self._straightened.append(f"{what} ({first_named(signs)})")
        strange = {character for character in plain if ord(character) > _LAST_OF_LATIN_1}
        if not strange:
            return plain
        spelled = {ord(character): _spelled(character) for character in strange}
        is_latin = all(unicodedata.name(character, "").startswith("LATIN ") for character in strange)
        named = f"{what} ({first_named(sorted(strange))})"
        (self._spelled if is_latin else self._replaced).append(named)
        return plain.translate(spelled)

    def tell(self, losses: Losses) -> None:
        """Tell which texts are not as they were."""
        if self._straightened:
            losses.tell(f"cannot hold these characters, simplified: {name_places(self._straightened)}")
        if self._spelled:
            losses.tell(f"cannot hold these letters, simplified: {name_places(self._spelled)}")
        if self._replaced:
            losses.tell(f"cannot hold these characters, spelled out: {name_places(self._replaced)}")


class KeptText:
    """Leaves text as it is, for formats that hold all characters."""

    def text(self, text: str, what: str) -> str:
        """The text, without control characters."""
        return clean_text(text, "a text of this puzzle")

    def tell(self, losses: Losses) -> None:
        """Nothing is other than it was."""


def _spelled(character: str) -> str:
    """A character in others of Latin-1."""
    if character in _DIGRAPHS or unicodedata.category(character) in _UNSEEN:
        return _DIGRAPHS.get(character, "")
    plain = without_accents(character)
    if plain not in ("", character) and unicodedata.category(character) == "Sm":  # a stroke denies: ≠, ≮, ∌
        return f"not {plain if plain.isascii() else _spelled(plain)}"
    if plain and max(map(ord, plain)) <= _LAST_OF_LATIN_1:
        return plain
    return anyascii(character) or "?"


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
    losses.tell(f"has only A-Z; changed letters: {first_named(told)}")
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
