"""Linked lights in files: clued at the first of them, whose clue says `1,5D`, and the others say `See 1`.

Formats without a place for that have it before the text of the clue, `1,5D: Flying nanny (4,7)`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from xwtui.errors import PuzzleError
from xwtui.model import Direction, Grid, Slot, SlotKey
from xwtui.model.markup import TextRun, normal

_NUMBER = r"[0-9]{1,3}(?:\s*(?:[Aa]c?|[Dd]n?))?"  # blanks belong to what follows: two ways for each would be 2^n
_NUMBERS = re.compile(rf"(?P<first>{_NUMBER})(?P<others>(?:\s*[,/&]\s*{_NUMBER})+)")
_BEFORE_CLUE = re.compile(rf"(?P<numbers>{_NUMBERS.pattern}):\s*(?P<clue>.*)", re.DOTALL)
_ENTRY = re.compile(r"([0-9]{1,3})\s*([ADad]?)")
_POINTER = re.compile(r"see [0-9]{1,3}(?:[ -]?(?:a|d|ac|dn|across|down))?\.?", re.IGNORECASE)


class LinkedClues(NamedTuple):
    """A grid with its links as a file tells them, and the clues without what told them."""

    grid: Grid
    texts: Mapping[SlotKey, str]


def with_number(slot: Slot, runs: Sequence[TextRun]) -> tuple[TextRun, ...]:
    """The runs of a clue behind the numbers of its lights, where these are linked."""
    if not slot.lights:
        return tuple(runs)
    return normal((TextRun(f"{slot.clue_number}: "), *runs)) if runs else (TextRun(f"{slot.clue_number}:"),)


def with_other_numbers(slot: Slot, runs: Sequence[TextRun]) -> tuple[TextRun, ...]:
    """The runs of a clue that stands behind the first number, with the others before it: `/5D`."""
    if not slot.lights:
        return tuple(runs)
    others = slot.clue_number.partition(",")[2].replace(",", "/")
    return normal((TextRun(f"/{others} ", bold=True), *runs))


def linked_by_texts(grid: Grid, texts: Mapping[SlotKey, str]) -> LinkedClues:
    """Take links from what stands before the texts of clues, where the other lights point to the first."""
    told: dict[SlotKey, str] = {}
    bare = dict(texts)
    for slot in grid.slots:
        found = _BEFORE_CLUE.fullmatch(texts.get(slot.key, ""))
        if found is not None and _ENTRY.findall(found["first"])[0][0] == str(slot.number):
            told[slot.key] = found["numbers"]
            bare[slot.key] = found["clue"]
    linked = linked_by_numbers(grid, bare, told)
    first = {light for link in linked.grid.links for light in link[:1]}
    others = {key: texts[key] for key in told if key not in first}
    return linked._replace(texts={key: text for key, text in {**linked.texts, **others}.items() if text})


def linked_by_numbers(grid: Grid, texts: Mapping[SlotKey, str], told: Mapping[SlotKey, str]) -> LinkedClues:
    """The same by the numbers that clues have, `1,5D`; one without a letter is of the clue's own direction."""
    named = {}
    for key, numbers in told.items():
        if (found := _NUMBERS.fullmatch(numbers.strip())) is not None:
            others = [_slot(grid, number, way, key[1]) for number, way in _ENTRY.findall(found["others"])]
            named[key] = [None if slot is None else slot.key for slot in others]
    return linked_lights(grid, texts, named)


def linked_lights(
    grid: Grid, texts: Mapping[SlotKey, str], told: Mapping[SlotKey, Sequence[SlotKey | None]]
) -> LinkedClues:
    """Link lights with the others that a file tells, but for those that have clues of their own."""
    left = dict(texts)
    for first, others in told.items():
        if None in others or not all(_is_pointer(left.get(key, "")) for key in others if key is not None):
            continue
        link = (first, *filter(None, others))
        try:
            grid = grid.with_links((*grid.links, link))
        except PuzzleError:  # one of them is linked already
            continue
        left = {key: text for key, text in left.items() if key not in link[1:]}
    return LinkedClues(grid, left)


def is_of_several(number: str) -> bool:
    """Whether the number of a clue names several lights, as `1,5D` does."""
    return _NUMBERS.fullmatch(number.strip()) is not None


def _is_pointer(text: str) -> bool:
    return not text or _POINTER.fullmatch(text) is not None


def _slot(grid: Grid, number: str, letter: str, way: Direction) -> Slot | None:
    letters: Iterable[str] = (letter.upper(),) if letter else (way.value, way.other.value)
    return next((slot for each in letters if (slot := grid.slots_by_name.get(f"{int(number)}{each}"))), None)
