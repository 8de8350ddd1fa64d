"""Slots and their numbers, derived from a grid's blocks, voids and bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.model.where import Direction, Position

with lazy_imports():
    from xwtui.model.square import Content

IsBarred = Callable[[Position, Position], bool]
"""A predicate: whether a bar separates two adjacent squares."""

SlotKey = tuple[Position, Direction]
"""A slot's identity: its first square and direction. Unlike its number, it survives block changes elsewhere."""

LinkedLights = tuple[SlotKey, ...]
"""Lights (the British term for entries) whose contents form one answer, in the order of its parts."""

SHORTEST_SLOT = 2
"""Minimum length in squares of a run that takes an entry."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A run of two or more open squares that takes an entry, or several runs linked to take one answer.

    A linked slot has the number, name and direction of its first light. Where two of its lights cross, the answer
    reads that square twice.
    """

    number: int
    direction: Direction
    positions: tuple[Position, ...]
    """The slot's squares, each once."""
    lights: tuple[Slot, ...] = ()
    """The linked runs in the order of the answer's parts; empty for a single run."""

    @classmethod
    def joined(cls, lights: Sequence[Slot]) -> Slot:
        positions = dict.fromkeys(at for light in lights for at in light.positions)
        return cls(lights[0].number, lights[0].direction, tuple(positions), tuple(lights))

    @property
    def name(self) -> str:
        """The name that solvers use, such as `17A`."""
        return f"{self.number}{self.direction.value}"

    @property
    def key(self) -> SlotKey:
        """The slot's identity, which survives renumbering."""
        return self.start, self.direction

    @property
    def label(self) -> str:
        """The name, or for a linked slot the names of all its lights: `1A,5D`."""
        return ",".join(light.name for light in self.lights) or self.name

    @property
    def clue_number(self) -> str:
        """The heading of the slot's clue in the list of its direction: `17`, or for linked lights `1,5D`."""
        others = (
            str(light.number) if light.direction is self.direction else light.name for light in self.lights[1:]
        )
        return ",".join([str(self.number), *others])

    @property
    def reading(self) -> tuple[Position, ...]:
        """The squares as the answer reads them: a square where two lights cross appears twice."""
        return tuple(at for light in self.lights for at in light.positions) or self.positions

    @property
    def columns(self) -> tuple[int, ...]:
        """For each square of `reading`, its index in `positions`."""
        column = {at: number for number, at in enumerate(self.positions)}
        return tuple(column[at] for at in self.reading)

    @property
    def reads_twice(self) -> bool:
        return len(self) > len(self.positions)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """For each square of `reading`, the direction in which the answer reads it."""
        return tuple(light.direction for light in self.lights or (self,) for _ in light.positions)

    def spell(self, contents: Mapping[Position, Content]) -> str:
        ways = zip(self.reading, self.directions, strict=True)
        return "".join(contents[at].reading(way) for at, way in ways)

    @property
    def start(self) -> Position:
        """The first square, which carries the number."""
        return self.positions[0]

    def __len__(self) -> int:
        """Return the number of squares that the answer reads; an answer with a rebus has more letters."""
        return sum(map(len, self.lights)) or len(self.positions)


def find_slots(open_positions: Sequence[Position], is_barred: IsBarred | None = None) -> tuple[Slot, ...]:
    """Find and number all slots, across first, each direction in number order.

    `open_positions` must be row by row. Without `is_barred` the grid has no bars.
    """
    across, down = _runs(open_positions, is_barred)
    starts = dict.fromkeys(run[0] for run in (*across, *down))
    numbers = {start: number for number, start in enumerate(sorted(starts), 1)}
    return tuple(
        Slot(numbers[run[0]], direction, tuple(run))
        for direction, runs in ((Direction.ACROSS, across), (Direction.DOWN, down))
        for run in runs
    )


def _runs(open_positions: Iterable[Position], is_barred: IsBarred | None) -> list[list[list[Position]]]:
    """Return the squares of the across slots and of the down slots, each ordered by first square."""
    found: list[list[list[Position]]] = [[], []]
    run: list[Position] = []
    at_row = at_column = -1
    """The square that would continue the current across run."""
    columns: dict[int, list[Position]] = {}
    """The last down run of each column; `rows` holds the row that would continue it."""
    rows: dict[int, int] = {}
    for position in open_positions:
        row, column = position
        if column != at_column or row != at_row or (is_barred is not None and is_barred(run[-1], position)):
            run = []
            found[0].append(run)
        run.append(position)
        at_row, at_column = row, column + 1
        if rows.get(column) != row or (is_barred is not None and is_barred(columns[column][-1], position)):
            columns[column] = []
            found[1].append(columns[column])
        columns[column].append(position)
        rows[column] = row + 1
    return [[run for run in runs if len(run) >= SHORTEST_SLOT] for runs in found]
