"""The grid: a rectangle of squares, with bars between some of them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError
from xwtui.model.slots import SHORTEST_SLOT, LinkedLights, Slot, SlotKey, find_slots
from xwtui.model.square import OPEN, Content, Kind, Square
from xwtui.model.where import Direction, Position, all_positions

SMALLEST_SIDE = 3
LARGEST_SIDE = 40

MOST_LINKED = 60
"""Maximum number of squares in an answer of linked lights, the most that the fill engine supports."""

_LAYOUT = (
    *("slots", "slots_by_name", "_slots_by_square", "checked", "numbers", "block_count", "cheaters"),
    *("entries", "entries_by_name", "_entry_of_light"),
)
"""Cached properties that depend only on blocks, voids, bars and links, so that they survive changes of letters."""


class Bar(NamedTuple):
    """A wall between two adjacent squares, with the upper or left one first."""

    first: Position
    second: Position

    @classmethod
    def between(cls, one: Position, other: Position) -> "Bar":
        """Return the bar between two squares in either order; raises PuzzleError if they are not adjacent."""
        if abs(one.row - other.row) + abs(one.column - other.column) != 1:
            raise PuzzleError(f"a bar goes between two adjacent squares; {one} and {other} are not adjacent")
        return cls(min(one, other), max(one, other))


@dataclass(frozen=True)
class Grid:
    """An immutable rectangle of squares, row by row; raises PuzzleError for sizes outside 3x3 to 40x40.

    A link may name a slot that does not currently begin at its square. Such a link is inactive until the slot
    exists.
    """

    height: int
    width: int
    squares: tuple[Square, ...]
    bars: frozenset[Bar] = frozenset()
    links: tuple[LinkedLights, ...] = ()
    """Groups of lights that form one answer. Each light is in at most one link."""

    def __post_init__(self) -> None:
        check_size(self.height, self.width)
        if len(self.squares) != self.height * self.width:
            raise PuzzleError(
                f"a grid of {self.height} rows of {self.width} has {self.height * self.width} squares, "
                f"not {len(self.squares)}"
            )
        for bar in self.bars:
            if bar.first not in self or bar.second not in self or Bar.between(*bar) != bar:
                raise PuzzleError(f"the bar between {bar.first} and {bar.second} is not on the grid")
        linked = [light for link in self.links for light in link]
        if len(set(linked)) < len(linked) or any(len(link) < 2 for link in self.links):
            raise PuzzleError("a link has two or more entries, and an entry can be in only one link")

    @classmethod
    def blank(cls, height: int, width: int) -> "Grid":
        check_size(height, width)
        return cls(height, width, (OPEN,) * (height * width))

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[Square]], bars: Iterable[Bar] = ()) -> "Grid":
        """Return a grid of the given rows; raises PuzzleError if their lengths differ."""
        listed = [tuple(row) for row in rows]
        width = len(listed[0]) if listed else 0
        for number, row in enumerate(listed, start=1):
            if len(row) != width:
                raise PuzzleError(f"row {number} has {len(row)} squares, row 1 has {width}")
        return cls(len(listed), width, tuple(square for row in listed for square in row), frozenset(bars))

    def __contains__(self, position: object) -> bool:
        match position:
            case (int(row), int(column)):
                return 0 <= row < self.height and 0 <= column < self.width
        return False

    def __getitem__(self, position: Position) -> Square:
        """Return the square at a position; raises PuzzleError off the grid."""
        row, column = position
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise PuzzleError(f"{position} is not on this grid of {self.height} rows of {self.width}")
        return self.squares[row * self.width + column]

    def positions(self) -> Iterator[Position]:
        return iter(all_positions(self.height, self.width))

    def open_positions(self) -> Iterator[Position]:
        """Return the positions of the open squares, row by row."""
        placed = zip(self.positions(), self.squares, strict=True)
        return (position for position, square in placed if square.is_open)

    def rows(self) -> Iterator[tuple[Square, ...]]:
        """Return the squares, one tuple for each row."""
        return (self.squares[start : start + self.width] for start in range(0, len(self.squares), self.width))

    def with_squares(self, changes: Mapping[Position, Square]) -> "Grid":
        """Return the grid with some squares replaced; raises PuzzleError for a position off the grid."""
        squares = list(self.squares)
        for position, square in changes.items():
            if position not in self:
                raise PuzzleError(f"{position} is not on this grid of {self.height} rows of {self.width}")
            squares[position.row * self.width + position.column] = square
        changed = replace(self, squares=tuple(squares))
        if all(self[position].kind is square.kind for position, square in changes.items()):
            vars(changed).update({name: vars(self)[name] for name in _LAYOUT if name in vars(self)})
        return changed

    def with_bars(self, bars: Iterable[Bar]) -> "Grid":
        return replace(self, bars=frozenset(bars))

    def with_links(self, links: Iterable[LinkedLights]) -> "Grid":
        """Return the grid with its links replaced by these; raises PuzzleError if a light is in two links."""
        return replace(self, links=tuple(links))

    def is_joined(self, position: Position, neighbour: Position) -> bool:
        """Whether the positions are adjacent open squares on the grid with no bar between them."""
        if position not in self or neighbour not in self:
            return False
        if not (self[position].is_open and self[neighbour].is_open):
            return False
        return not self._is_barred(position, neighbour)

    def _is_barred(self, position: Position, neighbour: Position) -> bool:
        return bool(self.bars) and Bar.between(position, neighbour) in self.bars

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All slots in number order, across slots first."""
        return find_slots(tuple(self.open_positions()), self._is_barred if self.bars else None)

    def slots_of(self, direction: Direction) -> tuple[Slot, ...]:
        """Return the slots of one direction, in number order."""
        return tuple(slot for slot in self.slots if slot.direction is direction)

    @cached_property
    def slots_by_name(self) -> Mapping[str, Slot]:
        return {slot.name: slot for slot in self.slots}

    @cached_property
    def entries(self) -> tuple[Slot, ...]:
        """The slots that take an answer, in slot order; linked lights appear once, in place of the first."""
        if not self.links:
            return self.slots
        return tuple(slot for slot in self.clue_slots if not self.is_later_light(slot))

    @cached_property
    def entries_by_name(self) -> Mapping[str, Slot]:
        return {name: self.entry_of(slot) for name, slot in self.slots_by_name.items()}

    @property
    def clue_slots(self) -> tuple[Slot, ...]:
        """The slots in a clue list: the first linked light stands for the link, later ones for themselves."""
        return tuple(map(self.clue_slot, self.slots)) if self.links else self.slots

    def clue_slot(self, slot: Slot) -> Slot:
        """Return the whole link for the first of linked lights, and any other slot unchanged."""
        return slot if self.is_later_light(slot) else self.entry_of(slot)

    def is_later_light(self, slot: Slot) -> bool:
        """Whether a slot is a linked light other than the first, which carries the clue."""
        return self.entry_of(slot).key != slot.key

    def clue_slots_of(self, direction: Direction) -> tuple[Slot, ...]:
        return tuple(slot for slot in self.clue_slots if slot.direction is direction)

    def entry_of(self, slot: Slot) -> Slot:
        """Return the entry that includes a slot: the slot itself unless it is linked."""
        return self._entry_of_light.get(slot.key, slot) if self.links else slot

    def entry(self, name: str) -> Slot:
        """Return the entry that includes the named slot; raises PuzzleError as `slot` does."""
        return self.entry_of(self.slot(name))

    def linked(self, label: str) -> Slot | None:
        """Return the linked entry with a label such as `1A,5D`, or None if there is none."""
        return next((entry for entry in self.entries if entry.lights and entry.label == label.upper()), None)

    @cached_property
    def _entry_of_light(self) -> Mapping[SlotKey, Slot]:
        joined: dict[SlotKey, Slot] = {}
        for link in self.links:
            lights = [slot for key in link if (slot := self.slot_of(key)) is not None]
            if len(lights) == len(link):
                joined |= dict.fromkeys(link, Slot.joined(lights))
        return joined

    @property
    def waiting_links(self) -> tuple[LinkedLights, ...]:
        """The inactive links, of which a light does not exist now; their other lights are separate entries."""
        return tuple(link for link in self.links if link[0] not in self._entry_of_light)

    def slot_of(self, key: SlotKey) -> Slot | None:
        """Return the slot that begins at a square in a direction, or None."""
        slot = self.slot_at(*key)
        return slot if slot is not None and slot.start == key[0] else None

    @cached_property
    def _slots_by_square(self) -> Mapping[tuple[Position, Direction], Slot]:
        return {(position, slot.direction): slot for slot in self.slots for position in slot.positions}

    @cached_property
    def checked(self) -> frozenset[Position]:
        """The squares where two slots cross."""
        return frozenset(at for at, way in self._slots_by_square if (at, way.other) in self._slots_by_square)

    @cached_property
    def numbers(self) -> Mapping[Position, int]:
        return {slot.start: slot.number for slot in self.slots}

    @cached_property
    def block_count(self) -> int:
        return sum(square.kind is Kind.BLOCK for square in self.squares)

    @cached_property
    def cheaters(self) -> tuple[Position, ...]:
        """The cheater squares: blocks that can each be removed without changing the number of slots."""
        return tuple(at for at in self.positions() if self[at].kind is Kind.BLOCK and self._is_cheater(at))

    def _is_cheater(self, block: Position) -> bool:
        gained = 0
        for direction in Direction:
            before, after = (self._open_beside(block, direction, way) for way in (-1, 1))
            gained += (before + 1 + after >= SHORTEST_SLOT) - (before >= SHORTEST_SLOT) - (after >= SHORTEST_SLOT)
        return not gained

    def _open_beside(self, block: Position, direction: Direction, way: int) -> int:
        """Count the open squares next to a block, up to the next block or bar, or SHORTEST_SLOT."""
        number, here = 0, block
        while number < SHORTEST_SLOT:
            following = here.step(direction, way)
            if following not in self or not self[following].is_open or self._is_barred(here, following):
                return number
            number, here = number + 1, following
        return number

    def slot(self, name: str) -> Slot:
        """Return the slot with a name in either case (`17A`, `17a`); raises PuzzleError if there is none."""
        found = self.slots_by_name.get(name.strip().upper())
        if found is None:
            raise PuzzleError(f"this grid has no entry {name.strip()[:20]!r}; entry names look like 1A or 1D")
        return found

    def slot_at(self, position: Position, direction: Direction) -> Slot | None:
        """Return the slot of a direction through a square, or None if no slot covers it that way."""
        return self._slots_by_square.get((position, direction))

    def answer(self, slot: Slot) -> str | None:
        """Return the text read along a slot with rebus contents in full, or None if a square is empty."""
        if slot.lights:
            parts = [self.answer(light) for light in slot.lights]
            return None if None in parts else "".join(filter(None, parts))
        _ = self[slot.positions[-1]]
        squares, width, is_across = self.squares, self.width, slot.direction is Direction.ACROSS
        readings: list[str] = []
        for row, column in slot.positions:
            content = squares[row * width + column].content
            if content is None:
                return None
            readings.append(content.across if is_across else content.down)
        return "".join(readings)

    def pattern(self, slot: Slot, *, given_only: bool = False) -> str:
        """Return a slot as `SWEET[HEART]?`; `?` is an empty square, or a PENCIL one if `given_only`."""
        if slot.lights:
            return "".join(self.pattern(light, given_only=given_only) for light in slot.lights)
        _ = self[slot.positions[-1]]
        squares, width, is_across = self.squares, self.width, slot.direction is Direction.ACROSS
        shown: list[str] = []
        for row, column in slot.positions:
            square = squares[row * width + column]
            content = square.content
            if content is None or (given_only and not square.is_given):
                shown.append("?")
                continue
            reading = content.across if is_across else content.down
            shown.append(reading if len(reading) == 1 else f"[{reading}]")
        return "".join(shown)

    @property
    def contents(self) -> dict[Position, Content]:
        """The contents of the filled squares, row by row."""
        return {at: content for at in self.open_positions() if (content := self[at].content) is not None}

    @property
    def is_filled(self) -> bool:
        return all(square.content is not None for square in self.squares if square.is_open)


def check_size(height: int, width: int) -> None:
    """Raise PuzzleError unless a grid may have this size."""
    if not (SMALLEST_SIDE <= height <= LARGEST_SIDE and SMALLEST_SIDE <= width <= LARGEST_SIDE):
        raise PuzzleError(
            f"grids are {SMALLEST_SIDE}x{SMALLEST_SIDE} to {LARGEST_SIDE}x{LARGEST_SIDE}; "
            f"this would have {height} rows and {width} columns"
        )
