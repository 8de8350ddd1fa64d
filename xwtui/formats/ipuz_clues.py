"""The clues of an ipuz file, in all the forms that the standard allows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import check_clue_count
from xwtui.formats.ipuz_cells import Cells
from xwtui.formats.ipuz_text import TextReader, to_html
from xwtui.formats.plain_text import clean_line
from xwtui.model import Direction, Grid, Position, Puzzle
from xwtui.model.slots import SlotKey

_DIRECTIONS = {"across": Direction.ACROSS, "down": Direction.DOWN}
_NUMBER = re.compile(r"\d{1,4}")
_OWN_FIELDS = ("number", "label", "clue", "cells", "answer")
"""Fields of a clue that follow from the puzzle, and so are not kept."""

Unplaced = tuple[str, str, str]
"""A clue that no slot takes: where (`r3c4`, or the number in the file), `A` or `D`, and its text."""


@dataclass(frozen=True)
class Clues:
    """The clues as read: those of slots, and what is kept to be written back."""

    by_slot: Mapping[SlotKey, str]
    unplaced: tuple[Unplaced, ...] = ()
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    other_groups: Mapping[str, Any] = field(default_factory=dict)


class _Clue(NamedTuple):
    """One clue as the file has it: the number may be missing."""

    number: str | None
    text: str
    details: Mapping[str, Any]


def read_clues(field_value: Any, cells: Cells, text_of: TextReader) -> Clues:
    """Read the `clues` field; raises PuzzleFormatError where it is none, or has too many clues.

    Clues for one slot are joined by slashes. `text_of` reads a text of this file.
    """
    if field_value is None:
        return Clues({})
    if not isinstance(field_value, dict):
        raise PuzzleFormatError("the 'clues' of this ipuz file are no lists by direction")
    by_slot: dict[SlotKey, list[str]] = {}
    unplaced: list[Unplaced] = []
    details: dict[str, Mapping[str, Any]] = {}
    other_groups: dict[str, Any] = {}
    check_clue_count(sum(len(clues) for clues in field_value.values() if isinstance(clues, list)))
    for group, clues in field_value.items():
        direction = _DIRECTIONS.get(group.partition(":")[0].strip().lower())
        if direction is None:
            other_groups[group] = clues
            continue
        if not isinstance(clues, list):
            raise PuzzleFormatError(f"the {direction.word} clues of this ipuz file are no list")
        for clue, start in _placed(clues, direction, cells, text_of):
            if start is None:
                unplaced.append((clue.number or "", direction.value, clue.text))
                continue
            if clue.text:
                by_slot.setdefault((start, direction), []).append(clue.text)
            if clue.details:
                details[f"{start}{direction.value}"] = clue.details
    joined = {key: " / ".join(texts) for key, texts in by_slot.items()}
    return Clues(joined, tuple(unplaced), details, other_groups)


def _placed(
    clues: Sequence[Any], direction: Direction, cells: Cells, text_of: TextReader
) -> Iterator[tuple[_Clue, Position | None]]:
    """Each clue with the start of its slot, found by number or, without numbers, by order."""
    starts = {label: position for position, label in reversed(list(cells.labels.items()))}
    in_order = [slot.start for slot in cells.grid.slots if slot.direction is direction]
    slot_starts = frozenset(in_order)
    slots_by_number = {str(slot.number): slot.start for slot in cells.grid.slots if slot.direction is direction}
    for index, raw in enumerate(clues):
        clue = _clue(raw, direction, text_of)
        if clue.number is None:
            yield clue, in_order[index] if index < len(in_order) else None
            continue
        start = starts.get(clue.number)
        if start not in slot_starts:
            start = slots_by_number.get(clue.number)
        yield clue, start


def _clue(raw: Any, direction: Direction, text_of: TextReader) -> _Clue:
    def clean(text: str) -> str:
        return clean_line(text_of(text), f"a clue in the {direction.word} list")

    match raw:
        case str():
            return _Clue(None, clean(raw), {})
        case [number, str(text), *_]:
            return _Clue(_number(number), clean(text), {})
        case dict():
            number = raw.get("number", raw.get("label"))
            if number is None and isinstance(raw.get("numbers"), list) and raw["numbers"]:
                number = raw["numbers"][0]
            text = raw.get("clue", "")
            details = {key: value for key, value in raw.items() if key not in _OWN_FIELDS}
            return _Clue(_number(number), clean(text if isinstance(text, str) else ""), details)
    raise PuzzleFormatError(f"a clue in the {direction.word} list of this ipuz file is no clue")


def _number(value: Any) -> str | None:
    if isinstance(value, int | str):
        text = str(value)[:20]
        found = _NUMBER.match(text)
        return found[0] if found else clean_line(text, "a clue number")
    return None


def clue_lists(puzzle: Puzzle, details: Mapping[str, Any], other_groups: Mapping[str, Any]) -> dict[str, Any]:
    """The `clues` field: every entry with its clue, `""` where there is none yet."""
    lists: dict[str, Any] = {direction.word.title(): [] for direction in Direction}
    for slot in puzzle.grid.slots:
        text = to_html(puzzle.clue(slot))
        kept = details.get(f"{slot.start}{slot.direction.value}")
        lists[slot.direction.word.title()].append(
            {"number": slot.number, "clue": text, **kept} if kept else [slot.number, text]
        )
    return {**lists, **other_groups}


def unplaced_clues(puzzle: Puzzle) -> list[Unplaced]:
    """The clues whose slot is gone for the moment, because a block moved."""
    starts = slot_keys(puzzle.grid)
    return [
        (str(start), direction.value, text)
        for (start, direction), text in puzzle.clues.items()
        if (start, direction) not in starts
    ]


def slot_keys(grid: Grid) -> frozenset[SlotKey]:
    """The keys of all slots that a grid has."""
    return frozenset((slot.start, slot.direction) for slot in grid.slots)
