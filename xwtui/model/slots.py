"""Slots and their numbers, found from the blocks, voids and bars of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.model.where import Direction, Position

with lazy_imports():
    from xwtui.model.square import Content

IsBarred = Callable[[Position, Position], bool]
"""Whether a bar stands between two neighbours."""

SlotKey = tuple[Position, Direction]
"""A slot by its first square and direction: unlike a number, this stays while blocks move elsewhere."""

LinkedLights = tuple[SlotKey, ...]
"""Lights, as British setters call entries, whose contents make up one answer, in the order of its parts."""

SHORTEST_SLOT = 2
"""Squares in a run at least, for it to take an entry."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A run of two or more open squares that takes an entry, or several runs that are linked to take one answer.

    An answer of linked lights has number, name and direction of the first of them. Where its lights cross, it
    reads a square twice.
    """

    number: int
    direction: Direction
    positions: tuple[Position, ...]
    """Its squares, each once."""
    lights: tuple[Slot, ...] = ()
    """The runs in the order of the answer's parts, where these are linked; none of a run by itself."""

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
        """What it goes by while numbers change."""
        return self.start, self.direction

    @property
    def label(self) -> str:
        """The name, with those of linked lights: `1A,5D`."""
        return ",".join(light.name for light in self.lights) or self.name

    @property
    def clue_number(self) -> str:
        """What its clue is headed by in the list of its direction: `17`, or of linked lights `1,5D`."""
        others = (
            str(light.number) if light.direction is self.direction else light.name for light in self.lights[1:]
        )
        return ",".join([str(self.number), *others])

    @property
    def reading(self) -> tuple[Position, ...]:
        """Its squares as the answer reads them: twice where two of its lights cross."""
        return tuple(at for light in self.lights for at in light.positions) or self.positions

    @property
    def columns(self) -> tuple[int, ...]:
        """For each square of its `reading`, which of its `positions` that is."""
        column = {at: number for number, at in enumerate(self.positions)}
        return tuple(column[at] for at in self.reading)

    @property
    def reads_twice(self) -> bool:
        return len(self) > len(self.positions)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The direction in which the answer reads each square of its `reading`."""
        return tuple(light.direction for light in self.lights or (self,) for _ in light.positions)

    def spell(self, contents: Mapping[Position, Content]) -> str:
        ways = zip(self.reading, self.directions, strict=True)
        return "".join(contents[at].reading(way) for at, way in ways)

    @property
    def start(self) -> Position:
        """The first square, which bears the number."""
        return self.positions[0]

    def __len__(self) -> int:
        """How many squares the answer reads (one through a rebus is longer)."""
        return sum(map(len, self.lights)) or len(self.positions)


def find_slots(open_positions: Sequence[Position], is_barred: IsBarred | None = None) -> tuple[Slot, ...]:
    """Find and number all slots, across first, each direction in the order of the numbers.

    `open_positions` come row by row; without `is_barred` there are no bars.
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
    """The squares of the across slots and of the down slots, in the order of the first squares."""
    found: list[list[list[Position]]] = [[], []]
    run: list[Position] = []
    at_row = at_column = -1
    """Where that across run would go on."""
    columns: dict[int, list[Position]] = {}
    """The last down run of each column, and `rows` where it would go on."""
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
