"""What a template is to be, and how that is typed: `15x15 11,13,11 <78 <=38b british`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class TemplateWanted:
    """What a template is to be; what is None or empty does not matter."""

    size: tuple[int, int] | None = None
    """Rows and columns."""
    fewest_words: int | None = None
    most_words: int | None = None
    fewest_blocks: int | None = None
    most_blocks: int | None = None
    across: tuple[int, ...] = ()
    """The squares of theme answers that stand across."""
    down: tuple[int, ...] = ()
    """The squares of those that stand down."""
    in_order: bool = False
    """Whether they stand in this order, from top to bottom (from left to right), rather than in any."""
    names: tuple[str, ...] = ()
    """Parts of its name."""

    @property
    def query(self) -> str:
        """The same as `read_query` reads it."""
        parts = [
            "" if self.size is None else f"{self.size[0]}x{self.size[1]}",
            ",".join(map(str, self.across)),
            f"{','.join(map(str, self.down))}d" if self.down else "",
            *(f"{sign}{number}{what}" for sign, number, what in self._bounds if number is not None),
            *self.names,
        ]
        return " ".join(filter(None, parts))

    @property
    def _bounds(self) -> tuple[tuple[str, int | None, str], ...]:
        return (
            (">=", self.fewest_words, ""),
            ("<=", self.most_words, ""),
            (">=", self.fewest_blocks, "b"),
            ("<=", self.most_blocks, "b"),
        )


_SIZE = re.compile(r"(\d{1,2})[xX×](\d{1,2})")
_LENGTHS = re.compile(r"\d{1,2}[ad]?(?:,\d{1,2}[ad]?)*,?")
_BOUND = re.compile(r"(<=|>=|≤|≥|<|>|=)(\d{1,4})([bBwW]?)")


def read_query(text: str) -> TemplateWanted:
    """What is typed to find templates: `15x15 11,13,11 <78 <=38b british`.

    A size; squares of theme answers across, with a `d` down; bounds of the words, with a `b` of the blocks;
    anything else is part of the name.
    """
    wanted = TemplateWanted()
    for word in text.split():
        if found := _SIZE.fullmatch(word):
            wanted = replace(wanted, size=(int(found[1]), int(found[2])))
        elif _LENGTHS.fullmatch(word.lower()):
            lengths = tuple(map(int, re.findall(r"\d+", word)))
            if "d" in word.lower():
                wanted = replace(wanted, down=(*wanted.down, *lengths))
            else:
                wanted = replace(wanted, across=(*wanted.across, *lengths))
        elif found := _BOUND.fullmatch(word):
            wanted = _bounded(wanted, found[1], int(found[2]), of_blocks=found[3].lower() == "b")
        elif not set(word) <= set("<>=≤≥,"):  # a bound that is not finished yet
            wanted = replace(wanted, names=(*wanted.names, word.lower()))
    return wanted


def is_query_word(text: str) -> bool:
    """Whether a text reads as a size or a bound, and not as a word."""
    return any(form.fullmatch(text) for form in (_SIZE, _BOUND)) or set(text) <= set("<>=≤≥")


def _bounded(wanted: TemplateWanted, sign: str, number: int, *, of_blocks: bool) -> TemplateWanted:
    most = {"<": number - 1, "<=": number, "≤": number, "=": number}.get(sign)
    fewest = {">": number + 1, ">=": number, "≥": number, "=": number}.get(sign)
    if of_blocks:
        return replace(
            wanted,
            fewest_blocks=wanted.fewest_blocks if fewest is None else fewest,
            most_blocks=wanted.most_blocks if most is None else most,
        )
    return replace(
        wanted,
        fewest_words=wanted.fewest_words if fewest is None else fewest,
        most_words=wanted.most_words if most is None else most,
    )
