"""Box-drawing characters by the weight of their four arms."""

import unicodedata
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple


class Weight(IntEnum):
    """How strong an arm of a box-drawing character is."""

    NONE = 0
    LIGHT = 1
    HEAVY = 2


class Arms(NamedTuple):
    """The weights of the four arms."""

    up: Weight = Weight.NONE
    right: Weight = Weight.NONE
    down: Weight = Weight.NONE
    left: Weight = Weight.NONE


_ARMS_OF_WORD = {
    "UP": ("up",),
    "DOWN": ("down",),
    "LEFT": ("left",),
    "RIGHT": ("right",),
    "VERTICAL": ("up", "down"),
    "HORIZONTAL": ("left", "right"),
}


def _drawn() -> Iterator[tuple[Arms, str]]:
    """Read the arms of each character from its Unicode name, such as `UP HEAVY AND RIGHT DOWN LIGHT`."""
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code)).removeprefix("BOX DRAWINGS ").split()
        if set(words) <= {*_ARMS_OF_WORD, "LIGHT", "HEAVY", "AND"}:
            yield _arms(words), chr(code)


def _arms(words: list[str]) -> Arms:
    arms: dict[str, Weight] = {}
    weight = Weight.NONE
    for part in " ".join(words).split(" AND "):
        named = part.split()
        weight = next((Weight[word] for word in named if word in Weight.__members__), weight)
        for word in named:
            arms.update(dict.fromkeys(_ARMS_OF_WORD.get(word, ()), weight))
    return Arms(**arms)


BOXES: Mapping[Arms, str] = {Arms(): " ", **dict(_drawn())}
"""The character with these arms."""
