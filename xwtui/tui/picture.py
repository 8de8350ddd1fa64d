"""All that the grid shows at one moment, as a value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from xwtui.model import Content, Direction, Grid, Position, Slot


@dataclass(frozen=True)
class Picture:
    """A grid with its cursor, and what a search has on it at this moment.

    While `searching`, what stands in pencil is not shown but `search`, the squares that the filler
    has now; `undone` are the squares that its last backtrack took back.
    """

    grid: Grid
    cursor: Position
    direction: Direction = Direction.ACROSS
    search: Mapping[Position, Content] = field(default_factory=dict)
    undone: frozenset[Position] = frozenset()
    searching: bool = False
    selection: frozenset[Position] = frozenset()
    """The squares that are selected."""
    stopped: frozenset[Position] = frozenset()
    """The squares that a partial fill left empty."""
    better: frozenset[Position] = frozenset()
    """The squares that the last better fill has otherwise than the one before."""
    ruled: frozenset[Position] = frozenset()
    """The squares that only take what a rule allows."""
    changed: frozenset[Position] = frozenset()
    """The squares that a proposal changes: the grid is as it would be after that."""
    faults: frozenset[Position] = frozenset()
    """The squares of entries that cannot be filled together."""
    heat: Mapping[Position, float] = field(default_factory=dict)
    """How hard squares are, 0 to 1, where that is shown."""
    forced: Mapping[Position, Content] = field(default_factory=dict)
    """What every fill has in empty squares where only that is left."""
    is_ghost: bool = False
    """Whether `search` is the fill that a proposal leads to, which no search has on the grid."""

    @property
    def slot(self) -> Slot | None:
        """The current slot: through the cursor's square in its direction, else in the other, else None."""
        along = self.grid.slot_at(self.cursor, self.direction)
        return along or self.grid.slot_at(self.cursor, self.direction.other)

    @cached_property
    def entry(self) -> frozenset[Position]:
        """The squares of the current slot."""
        return frozenset(self.slot.positions if self.slot else ())

    @cached_property
    def crossing(self) -> frozenset[Position]:
        """The squares of the slot that crosses at the cursor."""
        slot = self.slot
        crossing = self.grid.slot_at(self.cursor, slot.direction.other) if slot else None
        return frozenset(crossing.positions if crossing else ())

    def forced_here(self, position: Position) -> Content | None:
        """What an empty square is forced to, while no search is shown."""
        is_empty = not self.searching and self.content(position) is None
        return self.forced.get(position) if is_empty else None

    def content(self, position: Position) -> Content | None:
        """What a square shows: what is given, else what the search has there, else what stands in pencil."""
        square = self.grid[position]
        if square.is_given or not self.searching:
            return square.content
        return self.search.get(position)

    def shows_search(self, position: Position) -> bool:
        """Whether what a square shows is the search's."""
        return self.searching and position in self.search and not self.grid[position].is_given

    def changed_rows(self, before: "Picture") -> set[int] | None:
        """The rows that look otherwise than before, or None where all may."""
        grid, old = self.grid, before.grid
        if self.searching != before.searching or (grid is not old and self._is_another_shape(old)):
            return None
        return {position.row for position in self._changed_squares(before)}

    def _is_another_shape(self, old: Grid) -> bool:
        kinds = [square.kind for square in self.grid.squares]
        return (self.grid.height, self.grid.width, self.grid.bars) != (
            old.height,
            old.width,
            old.bars,
        ) or kinds != [square.kind for square in old.squares]

    def _changed_squares(self, before: "Picture") -> Iterator[Position]:
        yield from {self.cursor, before.cursor} if self.cursor != before.cursor else ()
        yield from self.entry ^ before.entry
        yield from self.crossing ^ before.crossing
        for name in ("undone", "selection", "stopped", "better", "ruled", "changed", "faults"):
            yield from getattr(self, name) ^ getattr(before, name)
        yield from _unlike(self.search, before.search)
        yield from _unlike(self.heat, before.heat)
        yield from _unlike(self.forced, before.forced)
        if self.grid is not before.grid:
            pairs = zip(self.grid.positions(), self.grid.squares, before.grid.squares, strict=True)
            yield from (position for position, new, old in pairs if new != old)


def _unlike(one: Mapping[Position, object], other: Mapping[Position, object]) -> Iterator[Position]:
    """The squares for which two mappings have something else."""
    if one is not other:
        yield from (at for at in one.keys() | other.keys() if one.get(at) != other.get(at))
