"""Where the clues of other programs belong: by their squares first, then by their number, else by their order."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.linked_clues import LinkedClues, is_of_several, linked_by_numbers, linked_lights
from xwtui.model import Direction, Grid, Position, Slot
from xwtui.model.slots import SlotKey

_LEADING = re.compile(r"\d{1,4}")
"""The number of the first of several entries, as in `2-3` and `12, 14`."""


class FoundClue(NamedTuple):
    """A clue as a file has it: its list, its number if it has one, its text, its squares if it says so."""

    direction: Direction
    number: str | None
    text: str
    squares: Sequence[Position] = ()

    @property
    def name(self) -> str:
        """`17A`, with the number as the file has it."""
        return f"{self.number or '?'}{self.direction.value}"


class CluePlacer:
    """Gives clues to the entries of a grid, and notes what is moved, joined and left without an entry.

    `labels` are the numbers in the squares as the file has them. Where they differ from the grid's own, a clue's
    number is that of the file.
    """

    def __init__(self, grid: Grid, intake: Intake, labels: Mapping[Position, str] | None = None) -> None:
        self._grid = grid
        self._intake = intake
        self._labels = labels or {}
        self._starts = {label: at for at, label in reversed(list(self._labels.items()))}
        self._in_order = {direction: grid.slots_of(direction) for direction in Direction}
        self._unnumbered = dict.fromkeys(Direction, 0)
        self._texts: dict[SlotKey, list[FoundClue]] = {}
        self._numbers: dict[SlotKey, str] = {}
        """The numbers of clues that name several entries, by the first of these."""
        for slot in grid.slots:
            label = self._labels.get(slot.start, "")
            if label and label != str(slot.number):
                intake.note(Deviation.NUMBERS, f"{label}{slot.direction.value}", now=f"is {slot.name}")

    def place(self, clue: FoundClue) -> Slot | None:
        """Give a clue to its entry; returns None where it has none, and is left with the intake."""
        slot = slot_of_squares(self._grid, clue.squares) if len(clue.squares) > 1 else self._of_number(clue)
        if slot is None:
            self._intake.leave(clue.number or "?", clue.direction.value, clue.text)
            return None
        if clue.number is not None and is_of_several(clue.number):
            self._numbers[slot.key] = clue.number
            clue = clue._replace(number=_first_number(clue.number), squares=clue.squares[: len(slot)])
        if clue.text:
            self._note_move(clue, slot)
            self._texts.setdefault((slot.start, slot.direction), []).append(clue)
        return slot

    def entry(self, direction: Direction, number: str) -> Slot | None:
        """The entry of a number in the file; None where there is none."""
        return self._of_number(FoundClue(direction, number, ""))

    def _note_move(self, clue: FoundClue, slot: Slot) -> None:
        label = f"{self._labels.get(slot.start, '')}{slot.direction.value}"
        if clue.number is not None and clue.name not in (slot.name, label):
            self._intake.note(Deviation.MOVED, clue.name, now=f"at {slot.name}")
        elif len(clue.squares) > 1 and len(clue.squares) != len(slot):
            is_more = "more" if len(clue.squares) > len(slot) else "fewer"
            self._intake.note(Deviation.MOVED, clue.name, now=f"at {slot.name}, of {is_more} squares")

    def _of_number(self, clue: FoundClue) -> Slot | None:
        if clue.number is None:
            slots, index = self._in_order[clue.direction], self._unnumbered[clue.direction]
            self._unnumbered[clue.direction] += 1
            return slots[index] if index < len(slots) else None
        for number in dict.fromkeys((clue.number, _first_number(clue.number))):
            start = self._starts.get(number)
            slot = self._grid.slot_at(start, clue.direction) if start is not None else None
            if slot is None or slot.start != start:
                slot = self._grid.slots_by_name.get(f"{number}{clue.direction.value}")
            if slot is not None:
                return slot
        return None

    def linked(self, continued: Mapping[SlotKey, Sequence[SlotKey | None]] | None = None) -> LinkedClues:
        """The clues by slot, and the grid with the links that their numbers tell, or where they are `continued`.

        What names several entries that cannot be linked is noted.
        """
        linked = linked_lights(self._grid, self.placed(), continued or {})
        numbers = {key: number for key, number in self._numbers.items() if key not in (continued or {})}
        linked = linked_by_numbers(*linked, numbers)
        first = {link[0] for link in linked.grid.links}
        for start, direction in numbers.keys() - first:
            slot = self._grid.slot_at(start, direction)
            assert slot is not None
            self._intake.note(
                Deviation.MOVED, f"{numbers[start, direction]}{direction.value}", now=f"at {slot.name}"
            )
        return linked

    def placed(self) -> dict[SlotKey, str]:
        """The clues by slot; of those for one slot that are too long together, the last ones are left."""
        placed: dict[SlotKey, str] = {}
        for (start, direction), clues in self._texts.items():
            slot = self._grid.slot_at(start, direction)
            assert slot is not None
            placed[start, direction], rest = self._intake.joined([clue.text for clue in clues], slot.name)
            for text in rest:
                self._intake.leave(clues[0].number or str(slot.number), direction.value, text)
        return placed


def _first_number(number: str) -> str:
    """The number of the first entry that the number of a clue names; all of it where none begins it."""
    leading = _LEADING.match(number)
    return leading[0] if leading else number


def slot_of_squares(grid: Grid, squares: Sequence[Position]) -> Slot | None:
    """The slot of a clue with these squares, two at least: all of the slot and perhaps more, or its beginning."""
    start, second = squares[:2]
    direction = Direction.ACROSS if start.row == second.row else Direction.DOWN
    slot = grid.slot_at(start, direction)
    if slot is None:
        return None
    common = min(len(slot), len(squares))
    return slot if tuple(squares[:common]) == slot.positions[:common] else None
