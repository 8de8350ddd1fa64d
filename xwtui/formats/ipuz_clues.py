"""The clues of an ipuz file: read in all the forms that the standard and other programs have, and written.

A clue that says where it `continued` in the grid is of an answer of linked lights.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from xwtui.formats.base import check_clue_count
from xwtui.formats.clues import CluePlacer, FoundClue, bare_clue_runs, slot_of_squares
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.ipuz_cells import Cells
from xwtui.formats.ipuz_extensions import Unplaced, read_enumeration
from xwtui.formats.plain_text import runs_to_html
from xwtui.model import Direction, Grid, Position, Puzzle
from xwtui.model.enumeration import AnswerEnumeration
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.slots import SlotKey

ENUMERATION = "enumeration"
"""The field of a clue; a blank parts words there, `3 4`, and `showenumerations` has solving programs show them."""

CONTINUED = "continued"
"""The field of a clue that names the other lights of its answer, each by direction and number."""

_DIRECTIONS = {"across": Direction.ACROSS, "down": Direction.DOWN}
_ENDS_OF_NUMBERS = ".): "
"""What may stand behind the number of a clue."""

_OWN_CLUE_FIELDS = ("number", "label", "clue", "cells", "answer")
"""Fields of a clue that follow from the puzzle, and so are not kept."""

TextReader = Callable[[str], str]
"""Makes plain text of a text in a file, or the markup of a clue."""


class Clues(Struct, frozen=True):
    """The clues as read: those of slots, and what is kept to be written back."""

    by_slot: Mapping[SlotKey, str]
    grid: Grid
    """With the links that the clues tell of."""
    enumerations: Mapping[SlotKey, AnswerEnumeration] = field(default_factory=dict)
    unplaced: tuple[Unplaced, ...] = ()
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    other_groups: Mapping[str, Any] = field(default_factory=dict)


_CellList = Sequence[tuple[int, ...]]
"""Squares of a clue as the file has them, column and row."""


class _Clue(NamedTuple):
    """One clue as the file has it."""

    clue: FoundClue
    cells: _CellList
    details: Mapping[str, Any]
    enumeration: AnswerEnumeration | None = None
    continued: tuple[tuple[Direction, str], ...] = ()
    """The other lights of its answer, by direction and number."""


def read_clues(field_value: Any, cells: Cells, clue_of: TextReader, intake: Intake) -> Clues:
    """Read the `clues` field; raises PuzzleFormatError where it has too many clues.

    `clue_of` reads one of this file. Lists of other directions are kept as they are.
    """
    if field_value is None:
        return Clues({}, cells.grid)
    if not isinstance(field_value, dict):
        intake.note(Deviation.LEFT_OUT, "the clues")
        return Clues({}, cells.grid)
    other_groups: dict[str, Any] = {}
    check_clue_count(sum(len(clues) for clues in field_value.values() if isinstance(clues, list)))
    found: list[_Clue] = []
    for group, clues in field_value.items():
        direction = _DIRECTIONS.get(group.partition(":")[0].strip().lower())
        if not isinstance(clues, list):
            intake.note(Deviation.LEFT_OUT, "the clues of the list", group)
        elif direction is None:
            other_groups[group] = clues
            if clues:
                intake.note(Deviation.UNPLACED, "the list", group)
        else:
            found += (clue for raw in clues if (clue := _clue(raw, direction, clue_of, intake)) is not None)
    return _placed(found, cells, intake, other_groups)


def _placed(found: Sequence[_Clue], cells: Cells, intake: Intake, other_groups: Mapping[str, Any]) -> Clues:
    """The clues by the entries that they are of, and the links that they tell."""
    details: dict[str, Mapping[str, Any]] = {}
    enumerations: dict[SlotKey, AnswerEnumeration] = {}
    continued: dict[SlotKey, list[SlotKey | None]] = {}
    is_from_one = _counts_from_one([clue.cells for clue in found if len(clue.cells) > 1], cells.grid)
    placer = CluePlacer(cells.grid, intake, cells.labels)
    for clue in found:
        slot = placer.place(clue.clue._replace(squares=_squares(clue.cells, is_from_one)))
        if slot is None:
            continue
        if clue.details:
            details[f"{slot.start}{slot.direction.value}"] = clue.details
        if clue.enumeration is not None:
            enumerations[slot.key] = clue.enumeration
        if clue.continued:
            others = [placer.entry(direction, number) for direction, number in clue.continued]
            continued[slot.key] = [None if other is None else other.key for other in others]
    linked = placer.linked(continued)
    for start, direction in (link[0] for link in linked.grid.links):
        kept = details.pop(f"{start}{direction.value}", {})
        if extra := {name: value for name, value in kept.items() if name != CONTINUED}:
            details[f"{start}{direction.value}"] = extra
    return Clues(linked.texts, linked.grid, enumerations, tuple(intake.unplaced), details, other_groups)


def _squares(cells: _CellList, is_from_one: bool) -> list[Position]:
    return [Position(row - is_from_one, column - is_from_one) for column, row in cells]


def _counts_from_one(lists: Sequence[_CellList], grid: Grid) -> bool:
    """Whether the squares of clues are counted from 1, as the standard has it, or from 0, as some programs do."""
    found = {
        is_from_one: sum(slot_of_squares(grid, _squares(cells, is_from_one)) is not None for cells in lists)
        for is_from_one in (True, False)
    }
    return found[True] >= found[False]


def _clue(raw: Any, direction: Direction, clue_of: TextReader, intake: Intake) -> _Clue | None:
    """A clue in any of its forms; None where it is none."""

    def found(number: Any, text: Any) -> FoundClue:
        name = _number(number, intake)
        what = f"the clue of {name or '?'}{direction.value}"
        return FoundClue(direction, name, intake.line(clue_of(text if isinstance(text, str) else ""), what))

    match raw:
        case str():
            return _Clue(found(None, raw), (), {})
        case [number, str(text), *_]:
            return _Clue(found(number, text), (), {})
        case dict():
            number = raw.get("number", raw.get("label"))
            if number is None and isinstance(raw.get("numbers"), list) and raw["numbers"]:
                number = raw["numbers"][0]
            told = read_enumeration(raw.get(ENUMERATION))
            own = _OWN_CLUE_FIELDS if told is None else (*_OWN_CLUE_FIELDS, ENUMERATION)
            details = {key: value for key, value in raw.items() if key not in own}
            cells = _cell_list(raw.get("cells"))
            return _Clue(found(number, raw.get("clue", "")), cells, details, told, _continued(raw))
    intake.note(Deviation.LEFT_OUT, f"a clue of the {direction.word} list")
    return None


def _continued(raw: Mapping[str, Any]) -> tuple[tuple[Direction, str], ...]:
    """The other lights of a clue's answer, where all of them are told by direction and number."""
    listed = raw.get(CONTINUED)
    found = []
    for each in listed if isinstance(listed, list) and len(listed) <= LARGEST_SIDE else ():
        match each:
            case {"direction": str(group), "number": int() | str() as number}:
                direction = _DIRECTIONS.get(group.partition(":")[0].strip().lower())
                if direction is None or isinstance(number, bool):
                    return ()
                found.append((direction, str(number)))
            case _:
                return ()
    return tuple(found)


def _cell_list(value: Any) -> _CellList:
    """The squares of a clue as columns and rows, where all of them are; there are no more than a grid has."""
    pairs = value[: LARGEST_SIDE * 2] if isinstance(value, list) else []
    whole = [tuple(pair) for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    ends = [end for pair in whole for end in pair]
    is_good = len(whole) == len(pairs) and all(type(end) is int and 0 <= end <= LARGEST_SIDE for end in ends)
    return whole if is_good else ()


def _number(value: Any, intake: Intake) -> str | None:
    if isinstance(value, int | str) and not isinstance(value, bool):
        return intake.line(str(value)[:20], "a clue number").rstrip(_ENDS_OF_NUMBERS) or None
    return None


def clue_lists(puzzle: Puzzle, details: Mapping[str, Any], other_groups: Mapping[str, Any]) -> dict[str, Any]:
    """The `clues` field: every entry with its answer's clue, `""` where there is none yet."""
    lists: dict[str, Any] = {direction.word.title(): [] for direction in Direction}
    for slot in puzzle.grid.clue_slots:
        text = runs_to_html(bare_clue_runs(puzzle, slot))
        kept = dict(details.get(f"{slot.start}{slot.direction.value}", {}))
        if (enumeration := puzzle.enumeration(slot)) is not None:
            kept[ENUMERATION] = enumeration.joined(" ")
        if (told := puzzle.entered_answer(slot)) is not None:
            kept["answer"] = told.answer
        if slot.lights:
            others = ((light.direction.word.title(), light.number) for light in slot.lights[1:])
            kept[CONTINUED] = [{"direction": direction, "number": number} for direction, number in others]
        lists[slot.direction.word.title()].append(
            {"number": slot.number, "clue": text, **kept} if kept else [slot.number, text]
        )
    return {**lists, **other_groups}
