"""What an .xd file says of single clues, a line each after the clue: `A1 ^Refs: A2 D4`, `A1 ^Hint: Not a river`.

Kept in `Puzzle.foreign` by entry and answer, so that they go with the clue, and references by where the entries
begin, so that they follow renumbering.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from xwtui.formats.base import check_clue_count
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.plain_text import clean_line
from xwtui.model import Direction, Grid, Slot

DETAILS = "net.xwtui:xd-clue-details"
"""The key in `Puzzle.foreign`: by entry as in `r3c4A`, its answer under `answer` and its lines under `lines`."""

_DETAIL = re.compile(r"([AD])(\d{1,4}) \^([A-Za-z][\w :-]{0,39}?):(.*)")
_REFERENCES = "refs"
_ENTRY = re.compile(r"([AD])([0-9]{1,4})")


class FoundDetail(NamedTuple):
    """One line of a file."""

    entry: str
    name: str
    value: str


def part_details(lines: Sequence[str], intake: Intake) -> tuple[list[str], list[FoundDetail]]:
    """Part the lines of clues from those that say something of one; raises PuzzleFormatError for too many."""
    others: list[str] = []
    found: list[FoundDetail] = []
    for line in lines:
        if match := _DETAIL.fullmatch(line.strip()):
            entry = f"{int(match[2])}{match[1]}"
            found.append(FoundDetail(entry, match[3], intake.line(match[4], f"{match[3]} of {entry}")))
        else:
            others.append(line)
    check_clue_count(len(found))
    return others, found


def kept_details(found: Sequence[FoundDetail], grid: Grid, intake: Intake) -> dict[str, Any]:
    """What was found by the entries of the grid; what is of no entry is noted and left out."""
    kept: dict[str, Any] = {}
    for detail in found:
        slot = grid.slots_by_name.get(detail.entry)
        if slot is None:
            intake.note(Deviation.LEFT_OUT, f"{detail.name} of {detail.entry}", detail.value)
            continue
        lines = kept.setdefault(_key(slot), {"answer": grid.answer(slot) or "", "lines": {}})["lines"]
        is_references = detail.name.lower() == _REFERENCES
        lines[detail.name] = _places(detail.value, grid) if is_references else detail.value
    return kept


def detail_lines(kept: object, grid: Grid, slot: Slot) -> Iterator[str]:
    """What is to stand after the clue of an entry, if its answer is the same still."""
    own = kept.get(_key(slot)) if isinstance(kept, dict) else None
    match own:
        case {"answer": answer, "lines": {**lines}} if answer == (grid.answer(slot) or ""):
            for name, value in lines.items():
                if isinstance(name, str) and isinstance(value, str):
                    text = _numbers(value, grid) if name.lower() == _REFERENCES else value
                    line = f"{slot.direction.value}{slot.number} ^{name}: {clean_line(text, name)}"
                    if text and _DETAIL.fullmatch(line):
                        yield line


def _key(slot: Slot) -> str:
    return f"{slot.start}{slot.direction.value}"


def _places(references: str, grid: Grid) -> str:
    """`A2 D4` by where these entries begin, `r1c5A r1c1D`; as it is where any of them is no entry."""
    names = references.replace(",", " ").split()
    matches = [_ENTRY.fullmatch(name) for name in names]
    slots = [grid.slots_by_name.get(f"{match[2]}{match[1]}") if match else None for match in matches]
    found = [slot for slot in slots if slot is not None]
    return " ".join(map(_key, found)) if len(found) == len(names) else references


def _numbers(places: str, grid: Grid) -> str:
    """The numbers that entries have now; without those that begin nowhere any more."""
    names = {_key(slot): f"{slot.direction.value}{slot.number}" for slot in grid.slots}
    is_place = {f"{at}{way.value}" for at in grid.positions() for way in Direction}
    kept = [names.get(place, "" if place in is_place else place) for place in places.split()]
    return " ".join(filter(None, kept))
