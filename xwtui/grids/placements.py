"""Places for theme answers in layouts that are yet to be drawn.

A placement fixes the answers' squares, the blocks at their ends, and the mirror images of both. Even before a
layout is drawn, each line has a lower bound on its cost: that of its cheapest division into runs
(`Placement.least_cost`). If a line cannot be divided at all, the placement is dead.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field
from xwtui.engine.kernels import layouts as kernels
from xwtui.engine.problem.symbols import plain_symbols
from xwtui.engine.problem.tables import Table
from xwtui.engine.problem.word_stock import word_stock_of
from xwtui.errors import WordListError
from xwtui.model import Content, Direction, Grid, Ink, Kind, Position, Symmetry
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import pieces
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.square import Square
from xwtui.model.where import all_positions
from xwtui.text import printable
from xwtui.words.lexicon import Lexicon
from xwtui.words.theme_answers import theme_answer

Known: TypeAlias = tuple[tuple[int, str], ...]
"""Known squares of a line, in order: index from its start, and content."""

_SQUARE_DIGITS = 0.59
"""Reduction in log10 of a run's number of words for each open square. Two random letters agree in one square of
fifteen, and each of the two entries accounts for half of that."""
_EASY_DIGITS, _HARD_COST = 1.0, 0.6
"""A run with at least this log10 of words left costs nothing; each unit less costs this much."""
_THREE_COST = 0.3
_LINES_KEPT = 4_000
USUAL_LENGTHS = range(3, LARGEST_SIDE + 1)
"""The default range of entry lengths in squares."""


class RunWords:
    """Counts the words of a lexicon that fit runs, with a cache. Thread-safe."""

    def __init__(self, lexicon: Lexicon, entry_lengths: range = USUAL_LENGTHS) -> None:
        self._stock = word_stock_of(lexicon, {}, ())
        self._symbols = plain_symbols(lexicon.alphabet)
        self._entry_lengths = entry_lengths
        self.line_costs = lru_cache(_LINES_KEPT)(self._line_costs)

    def counts(self, squares: int, known: Known) -> NDArray[np.int64]:
        """Return the number of words that fit each run, by start and length, shape (squares, squares + 1)."""
        contents = dict(known)
        texts = [contents.get(square, "") for square in range(squares)]
        codes = [code for text in texts for code in (self._symbols.of_text(text) if text else (-1,))]
        letters = np.array(codes, np.int64)
        before = np.array([0, *np.cumsum([max(len(text), 1) for text in texts])], np.int64)
        counts = np.zeros((squares, squares + 1), np.int64)
        for length in range(1, len(codes) + 1):
            table: Table = self._stock.free_table(length)
            shape = np.array([length, table.symbol_count, table.rows, table.width], np.int64)
            kernels.count_runs(table.supports, shape, letters, before, np.zeros(length, np.int64), counts)
        return counts

    def _line_costs(self, squares: int, known: Known) -> NDArray[np.float64]:
        """Return the cost of each run, by start and length, shape (squares, squares + 1): lower with more words.

        A run's value is the log10 of its number of words, minus a term for each open square for what crossings
        rule out. This is its share in the estimate of the number of fills. A run without words, or of a forbidden
        length, is FORBIDDEN.
        """
        counts = self.counts(squares, known)
        starts, lengths = np.ogrid[:squares, : squares + 1]
        open_squares = np.repeat(lengths, squares, axis=0)
        for square, _ in known:
            open_squares -= (starts <= square) & (square < starts + lengths)
        digits = np.log10(np.maximum(counts, 1)) - _SQUARE_DIGITS * open_squares
        costs: NDArray[np.float64] = _HARD_COST * np.maximum(_EASY_DIGITS - digits, 0)
        costs += _THREE_COST * (lengths == 3)
        is_length = (lengths >= self._entry_lengths.start) & (lengths < self._entry_lengths.stop)
        costs[(counts == 0) | ~is_length] = kernels.FORBIDDEN
        costs[:, 0] = 0.0
        costs.flags.writeable = False
        return costs


_CLOSE_CHANCE = 0.03
"""Probability of accepting adjacent lines for theme answers."""
_PAIR_CHANCE = 0.9
"""Probability that an answer takes the mirror image of another one of its length."""
_DRAWN = 12
"""Maximum number of random places tried for an answer."""
_NEAR_NUMBER = 5
"""Maximum difference between an answer's requested number and the typical number at its place."""
_TRIES = 200
"""Maximum number of attempts at a placement."""


@dataclass(frozen=True)
class Themer:
    """A theme answer, square by square, and its requested place, if any."""

    contents: tuple[str, ...]
    is_last: bool = False
    """Whether it is the revealer, which must be below (or to the right of) the others."""
    start: Position | None = None
    direction: Direction | None = None
    number: int | None = None
    """The requested number of its entry."""
    partner: int | None = None
    """A number shared by two answers that must mirror each other."""

    @classmethod
    def of(cls, text: str, alphabet: Alphabet) -> Themer:
        """Parse an answer in an alphabet, `Lo[cat]ion scout`; raises WordListError for an invalid one."""
        found = pieces(theme_answer(text, alphabet))
        if any(content.is_schroedinger for content in found):
            raise WordListError(f"{printable(text, 40)}: a design has one content in each square")
        return cls(tuple(content.across for content in found))

    @property
    def squares(self) -> int:
        return len(self.contents)

    @property
    def is_placed(self) -> bool:
        """Whether its place is requested, by square or number."""
        return self.start is not None or self.number is not None

    @property
    def answer(self) -> str:
        return "".join(self.contents)


class Placed(NamedTuple):
    """A theme answer in its place."""

    themer: Themer
    start: Position
    direction: Direction

    @property
    def positions(self) -> tuple[Position, ...]:
        return tuple(self.start.step(self.direction, index) for index in range(self.themer.squares))

    @property
    def line(self) -> int:
        """Its row if it is across, its column if it is down."""
        return self.start.along(self.direction).row


class GridKind(NamedTuple):
    """The size, symmetry and entry lengths of the grids."""

    height: int
    width: int
    symmetry: Symmetry
    entry_lengths: range = USUAL_LENGTHS
    """Allowed entry lengths in squares."""

    def usual_number(self, at: Position) -> float:
        """Return the typical number of an entry that starts at a square; the first row has the most numbers."""
        if at.row == 0:
            return at.column + 1
        return 0.93 * self.width + 0.24 * (self.width * (at.row - 1) + at.column)

    def image(self, positions: Sequence[Position]) -> tuple[Position, Direction]:
        """Return the start and direction of the image of an entry with these squares."""
        ends = [self.symmetry.image(at, self.height, self.width) for at in positions]
        first = min(ends[0], ends[-1])
        is_across = ends[0].row == ends[-1].row
        return first, Direction.ACROSS if is_across else Direction.DOWN


@dataclass(frozen=True)
class Placement:
    """Theme answers in their places; `is_sound` is False if they contradict each other."""

    kind: GridKind
    themers: tuple[Placed, ...]
    contents: Mapping[Position, str] = field(init=False)
    walls: Mapping[Position, bool] = field(init=False)
    """The decided squares, and whether each is a block."""
    is_sound: bool = field(init=False)

    def __post_init__(self) -> None:
        kind, is_sound = self.kind, True
        contents: dict[Position, str] = {}
        walls: dict[Position, bool] = {}
        for placed in self.themers:
            before, after = placed.start.step(placed.direction, -1), placed.positions[-1].step(placed.direction)
            decided = [*((at, False) for at in placed.positions), (before, True), (after, True)]
            for at, content in zip(placed.positions, placed.themer.contents, strict=True):
                is_sound = contents.setdefault(at, content) == content and is_sound
            for at, is_wall in decided:
                if 0 <= at.row < kind.height and 0 <= at.column < kind.width:
                    for image in kind.symmetry.orbit(at, kind.height, kind.width):
                        is_sound = walls.setdefault(image, is_wall) is is_wall and is_sound
        object.__setattr__(self, "contents", contents)
        object.__setattr__(self, "walls", walls)
        object.__setattr__(self, "is_sound", is_sound)

    @cached_property
    def key(self) -> frozenset[tuple[Position, Direction, tuple[str, ...]]]:
        return frozenset((one.start, one.direction, one.themer.contents) for one in self.themers)

    def lines(self) -> Iterator[tuple[Direction, int, Known, tuple[bool | None, ...]]]:
        """Yield each row and column with its known contents and its blocks (None: undecided)."""
        kind = self.kind
        rows = [[Position(row, column) for column in range(kind.width)] for row in range(kind.height)]
        for direction, lines in ((Direction.ACROSS, rows), (Direction.DOWN, list(zip(*rows, strict=True)))):
            for number, line in enumerate(lines):
                known = tuple((index, self.contents[at]) for index, at in enumerate(line) if at in self.contents)
                yield direction, number, known, tuple(self.walls.get(at) for at in line)

    def least_cost(self, words: RunWords) -> float:
        """Return a lower bound on the cost of any layout, line by line; infinity if some line is impossible."""
        total = 0.0
        for direction, number, known, walls in self.lines():
            if all(wall is None for wall in walls):
                continue
            costs = self._line_costs(words, direction, number, known, len(walls))
            cost = cheapest_parting(costs, walls)
            if cost >= kernels.FORBIDDEN:
                return math.inf
            total += cost
        return total

    def _line_costs(
        self, words: RunWords, direction: Direction, number: int, known: Known, squares: int
    ) -> NDArray[np.float64]:
        costs = words.line_costs(squares, known)
        own = [one for one in self.themers if one.direction is direction and one.line == number]
        if own:
            costs = costs.copy()
            for one in own:
                costs[one.start.along(direction).column, one.themer.squares] = 0.0
        return costs

    def on(self, layout: Grid) -> Grid:
        """Return a layout with the answers in it, LOCKED."""
        locked = {at: Square(Kind.OPEN, Content.of(text), Ink.LOCKED) for at, text in self.contents.items()}
        return layout.with_squares(locked)

    @property
    def is_numbered(self) -> bool:
        return any(one.themer.number is not None for one in self.themers)

    def missed_numbers(self, walls: NDArray[np.uint8]) -> int:
        """Return the total difference between the answers' numbers in a layout and the requested ones."""
        is_open = np.pad(walls.reshape(self.kind.height, self.kind.width) == 0, 1)
        inner = is_open[1:-1, 1:-1]
        across = ~is_open[1:-1, :-2] & is_open[1:-1, 2:]
        down = ~is_open[:-2, 1:-1] & is_open[2:, 1:-1]
        numbers = np.cumsum(inner & (across | down)).reshape(inner.shape)
        numbered = [one for one in self.themers if one.themer.number is not None]
        return sum(abs(int(numbers[one.start]) - (one.themer.number or 0)) for one in numbered)

    def costs(self, words: RunWords) -> NDArray[np.float64]:
        """Return the cost of each run of the grid for the annealer, shape (2, side, side, side + 1)."""
        side = max(self.kind.height, self.kind.width)
        costs = np.full((len(Direction), side, side, side + 1), kernels.FORBIDDEN)
        for direction, number, known, walls in self.lines():
            place = 0 if direction is Direction.ACROSS else 1
            squares = len(walls)
            costs[place, number, :squares, : squares + 1] = self._line_costs(
                words, direction, number, known, squares
            )
        return costs


def cheapest_parting(costs: NDArray[np.float64], walls: Sequence[bool | None]) -> float:
    """Return the minimum cost of a line's runs over all divisions by blocks.

    `costs`, shape (squares, squares + 1), has the cost of each run; FORBIDDEN runs do not occur.
    """
    known = [
        kernels.UNDECIDED_SQUARE if wall is None else kernels.BLOCK_SQUARE if wall else kernels.OPEN_SQUARE
        for wall in walls
    ]
    return kernels.split_cost(costs, np.array(known, np.int64), np.empty(len(walls) + 2), kernels.FORBIDDEN)


class Placer:
    """Draws random placements of theme answers."""

    def __init__(self, kind: GridKind, themers: Sequence[Themer], directions: Sequence[Direction]) -> None:
        self._kind = kind
        self._directions = tuple(directions)
        self._places = {one: self._likely(one, tuple(self._places_of(one))) for one in dict.fromkeys(themers)}
        self._images = {one: kind.image(one.positions) for one in chain.from_iterable(self._places.values())}

    def every(self, themers: Sequence[Themer]) -> Iterator[Placement]:
        everywhere = {one: tuple(self._places_of(one)) for one in themers}
        order = sorted(themers, key=lambda one: (one.is_last, len(everywhere[one])))

        def extend(done: tuple[Placed, ...]) -> Iterator[Placement]:
            if len(done) == len(order):
                yield Placement(self._kind, done)
                return
            themer = order[len(done)]
            lowest = max((one.start for one in done), default=Position(-1, -1))
            for placed in everywhere[themer]:
                if themer.is_last and placed.start <= lowest:
                    continue
                partners = (one for one in done if self._must_mirror(one.themer, themer))
                are_mirrored = all(self._kind.image(one.positions) == placed[1:] for one in partners)
                if are_mirrored and Placement(self._kind, (*done, placed)).is_sound:
                    yield from extend((*done, placed))

        return extend(())

    def unplaceable(self, themers: Sequence[Themer]) -> tuple[Themer, ...]:
        return tuple(one for one in themers if not self._places[one])

    def _places_of(self, themer: Themer) -> Iterator[Placed]:
        kind = self._kind
        if themer.squares not in kind.entry_lengths:
            return
        for direction in (themer.direction,) if themer.direction else self._directions:
            lines, squares = Position(kind.height, kind.width).along(direction)
            for there in all_positions(lines, squares - themer.squares + 1):
                placed = Placed(themer, there.along(direction), direction)
                if themer.start in (None, placed.start) and Placement(kind, (placed,)).is_sound:
                    yield placed

    def _likely(self, themer: Themer, places: tuple[Placed, ...]) -> tuple[Placed, ...]:
        """Return the typical places of an answer, or all if it has no typical one.

        In a typical place, the squares before and after the answer in its line leave room for entries, and its
        number is near the requested one.
        """
        kind, number = self._kind, themer.number

        def is_clean(placed: Placed) -> bool:
            before = placed.start.along(placed.direction).column
            squares = kind.width if placed.direction is Direction.ACROSS else kind.height
            gaps = before, squares - themer.squares - before
            return all(not gap or gap > kind.entry_lengths.start for gap in gaps)

        likely = places if themer.start is not None else ()
        for direction in () if likely else dict.fromkeys(one.direction for one in places):
            ways = tuple(one for one in places if one.direction is direction)
            likely += tuple(filter(is_clean, ways)) or ways
        if number is None:
            return likely
        return tuple(one for one in likely if abs(kind.usual_number(one.start) - number) <= _NEAR_NUMBER) or likely

    def place(self, themers: Sequence[Themer], random: Random, near: Placement | None = None) -> Placement | None:
        """Return a placement of all answers, or None after too many attempts; most of them stay as in `near`."""
        for _ in range(_TRIES):
            found = self._try(themers, random, [] if near is None else self._kept(near, themers, random))
            if found is not None:
                return found
        return None

    def _kept(self, placement: Placement, themers: Sequence[Themer], random: Random) -> list[Placed]:
        """Return the answers that stay: all except one, its mirror image, and those that must be last."""
        moved = random.choice(placement.themers)
        image = self._image(moved)
        return [
            one
            for one in placement.themers
            if one.themer in themers and not one.themer.is_last and one is not moved and one[1:] != image
        ]

    def _try(self, themers: Sequence[Themer], random: Random, done: list[Placed]) -> Placement | None:
        standing = {one.themer for one in done}
        free = [one for one in themers if one not in standing]
        order = sorted(free, key=lambda one: (one.is_last, one.start is None, -one.squares, random.random()))
        for number, themer in enumerate(order, start=1):
            placed = self._choose(themer, done, order[number:], random)
            if placed is None:
                return None
            done.append(placed)
        placement = Placement(self._kind, tuple(done))
        return placement if placement.is_sound else None

    def _choose(
        self, themer: Themer, done: Sequence[Placed], waiting: Sequence[Themer], random: Random
    ) -> Placed | None:
        places = self._places[themer]
        if themer.is_last and done:
            lowest = max(one.start for one in done)
            places = tuple(one for one in places if one.start > lowest)
        images = {self._image(one) for one in done if self._go_together(one.themer, themer)}
        images -= {(one.start, one.direction) for one in done}
        mirrored = [one for one in places if one[1:] in images] if images else []
        must = any(self._must_mirror(one.themer, themer) for one in done)
        if mirrored and (must or random.random() < _PAIR_CHANCE):
            return random.choice(mirrored)
        if must:
            return None
        has_partner = any(self._go_together(themer, other) for other in waiting)
        own = tuple(one for one in places if self._images[one] == one[1:] and not self._is_close(one, done))
        if own and not has_partner and random.random() < _PAIR_CHANCE:
            places = own
        drawn = random.sample(places, min(len(places), _DRAWN))
        free = (one for one in drawn if not self._is_close(one, done) or random.random() < _CLOSE_CHANCE)
        return next(free, None)

    def _image(self, placed: Placed) -> tuple[Position, Direction]:
        """Return the image of an answer, which may be in a place that only `every` uses."""
        return self._images.get(placed) or self._kind.image(placed.positions)

    @staticmethod
    def _must_mirror(one: Themer, other: Themer) -> bool:
        return one.partner is not None and one.partner == other.partner

    @staticmethod
    def _go_together(one: Themer, other: Themer) -> bool:
        return one.squares == other.squares and one.partner == other.partner

    def _is_close(self, placed: Placed, done: Sequence[Placed]) -> bool:
        """Whether it is in a line next to, or the same as, that of another answer or its image."""
        lines = [(one.direction, one.line) for one in done]
        for one in done:
            start, direction = self._image(one)
            lines.append((direction, start.along(direction).row))
        return any(way is placed.direction and abs(line - placed.line) <= 1 for way, line in lines)
