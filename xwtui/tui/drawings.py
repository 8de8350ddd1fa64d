"""The ways to draw a grid in a terminal: with ruled lines between squares, or one row per line."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from operator import attrgetter
from typing import ClassVar, NamedTuple

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size

from xwtui.model import Bar, Direction, Grid, Kind, Position
from xwtui.tui.square_style import CIRCLE_MARK, Brush, Joint
from xwtui.tui.themes import Palette


class Weight(IntEnum):
    """The weight of one arm of a box-drawing character."""

    NONE = 0
    LIGHT = 1
    HEAVY = 2


class Arms(NamedTuple):
    """The weights of the four arms."""

    up: Weight = Weight.NONE
    right: Weight = Weight.NONE
    down: Weight = Weight.NONE
    left: Weight = Weight.NONE


_ARMS_OF_WORD = {
    "UP": ("up",),
    "DOWN": ("down",),
    "LEFT": ("left",),
    "RIGHT": ("right",),
    "VERTICAL": ("up", "down"),
    "HORIZONTAL": ("left", "right"),
}


def _box_characters() -> Iterator[tuple[Arms, str]]:
    """Yield each character with its arms, parsed from its Unicode name, like `UP HEAVY AND RIGHT DOWN LIGHT`."""
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code)).removeprefix("BOX DRAWINGS ").split()
        if not set(words) <= {*_ARMS_OF_WORD, "LIGHT", "HEAVY", "AND"}:
            continue
        arms: dict[str, Weight] = {}
        weight = Weight.NONE
        for part in " ".join(words).split(" AND "):
            named = part.split()
            weight = next((Weight[word] for word in named if word in Weight.__members__), weight)
            for word in named:
                arms.update(dict.fromkeys(_ARMS_OF_WORD.get(word, ()), weight))
        yield Arms(**arms), chr(code)


BOXES: Mapping[Arms, str] = {Arms(): " ", **dict(_box_characters())}
"""The box-drawing character for each combination of arms."""


_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Indexed by the full quarters: upper left 1, upper right 2, lower left 4, lower right 8."""

_ALL_QUARTERS = 15


class Drawing(Struct, frozen=True):
    """A way to draw a grid in terminal cells."""

    square_width: int = 3
    square_height: int = 1

    frame: ClassVar[int] = 0
    """Columns, and rows, that a frame around the drawing takes."""
    rule: ClassVar[int] = 0
    """Columns, and rows, of a line between squares."""

    @property
    def _pitch(self) -> Size:
        return Size(self.square_width + self.rule, self.square_height + self.rule)

    def size(self, grid: Grid) -> Size:
        return Size(grid.width * self._pitch.width + self.rule, grid.height * self._pitch.height + self.rule)

    def region(self, position: Position) -> Region:
        """Return the cells of a square, including the lines around it."""
        width, height = self._pitch
        return Region(position.column * width, position.row * height, width + self.rule, height + self.rule)

    def position_at(self, grid: Grid, x: int, y: int) -> Position | None:
        """Return the square at a cell; a line belongs to the square below it or to its right."""
        position = Position(y // self._pitch.height, x // self._pitch.width)
        return position if position in grid else None

    def line(self, brush: Brush, y: int) -> list[Segment]:
        """Return one line of cells."""
        raise NotImplementedError


class RuledDrawing(Drawing, frozen=True):
    """Squares between ruled lines, with numbers in the line above; a block fills half of the lines around it.

    Squares are from 3 by 1 to 14 by 6 cells inside.
    """

    rule: ClassVar[int] = 1

    def line(self, brush: Brush, y: int) -> list[Segment]:
        """Return one line of cells: squares, or the ruled line above them."""
        lattice = brush.plan(lambda grid: lattice_of(grid, self.square_width))
        joints, faces = brush.joints, brush.faces
        row, inside = divmod(y, self.square_height + 1)
        line: list[Segment] = []
        if inside:
            for joint, here in lattice.squares[row]:
                line.append(joints.get(id(joint)) or brush.joint(joint))
                if here is not None:
                    face = faces.get(here) or brush.face(here, self.square_width, self.square_height)
                    line += face[inside - 1]
            return line
        for joint, number, edge in lattice.rules[row]:
            line.append(joints.get(id(joint)) or brush.joint(joint))
            if edge is None:
                continue
            if number:
                line.append(brush.number(number))
            line.append(joints.get(id(edge)) or brush.joint(edge))
        return line


class Lattice(NamedTuple):
    """The lines of a layout, without letters and backgrounds."""

    squares: list[list[tuple[Joint, Position | None]]]
    """For each row of squares: the joint before each square, and the one after the last."""
    rules: list[list[tuple[Joint, str, Joint | None]]]
    """For the line above each row, and the last one: each corner's joint, and the number and edge after it."""


def lattice_of(grid: Grid, width: int, *, is_numbered: bool = True) -> Lattice:
    """Compute the lines of a layout whose squares are `width` cells wide."""
    numbers = grid.numbers if is_numbered else {}
    places = [[Position(row, column) for column in range(grid.width + 1)] for row in range(grid.height + 1)]
    squares = [
        [(_upright(grid, here), here if here.column < grid.width else None) for here in row] for row in places[:-1]
    ]
    rules = [
        [
            (
                _corner(grid, here),
                str(numbers.get(here, "")),
                _edge(grid, here, width - len(str(numbers.get(here, "")))) if here.column < grid.width else None,
            )
            for here in row
        ]
        for row in places
    ]
    return Lattice(squares, rules)


def _upright(grid: Grid, here: Position) -> Joint:
    """Return the vertical line to the left of a square."""
    left = here.step(Direction.ACROSS, -1)
    weight = _weight(grid, left, here)
    return _joint(grid, (left, here, left, here), Arms(up=weight, down=weight))


def _edge(grid: Grid, here: Position, cells: int) -> Joint:
    """Return the line above a square, `cells` long."""
    above = here.step(Direction.DOWN, -1)
    weight = _weight(grid, above, here)
    joint = _joint(grid, (above, above, here, here), Arms(right=weight, left=weight))
    return joint._replace(text=joint.text * cells)


def _corner(grid: Grid, here: Position) -> Joint:
    """Return the corner where the lines above and to the left of a square meet."""
    above, left = here.step(Direction.DOWN, -1), here.step(Direction.ACROSS, -1)
    above_left = left.step(Direction.DOWN, -1)
    up, right = _weight(grid, above_left, above), _weight(grid, above, here)
    down, back = _weight(grid, left, here), _weight(grid, above_left, left)
    return _joint(grid, (above_left, above, left, here), Arms(up, right, down, back))


def _joint(grid: Grid, around: Sequence[Position], arms: Arms) -> Joint:
    """Return one cell of a line, between four squares (upper left, upper right, lower left, lower right).

    Next to blocks, the blocks' quarters form the line; between open squares, the line has the background that they
    share.
    """
    kinds = [_kind(grid, position) for position in around]
    if Kind.BLOCK in kinds and Weight.HEAVY not in arms:
        full = sum(1 << corner for corner, kind in enumerate(kinds) if kind is Kind.BLOCK)
        if full == _ALL_QUARTERS:
            return Joint(" ", _of_block)
        at_rim = any(position not in grid for position in around)
        return Joint(_QUARTERS[full], _block_on_open if at_rim or Kind.OPEN in kinds else _block_on_void)
    if Kind.OPEN not in kinds:
        return Joint(BOXES[arms], _of_void)
    are_open = all(kind is Kind.OPEN for kind in kinds)
    is_bar = Weight.HEAVY in arms
    if are_open:
        return Joint(BOXES[arms], _of_bar if is_bar else _of_line, tuple(dict.fromkeys(around)))
    return Joint(BOXES[arms], _bar_on_open if is_bar else _line_on_open)


_of_block: Callable[[Palette], Style] = attrgetter("block")
_of_line: Callable[[Palette], Style] = attrgetter("line")
_of_bar: Callable[[Palette], Style] = attrgetter("bar")


def _block_on(background: str) -> Callable[[Palette], Style]:
    return lambda palette: Style(color=palette.block.bgcolor, bgcolor=getattr(palette, background).bgcolor)


def _on(background: str, line: str) -> Callable[[Palette], Style]:
    return lambda palette: getattr(palette, background) + getattr(palette, line)


_block_on_open, _block_on_void = _block_on("open"), _block_on("void")
_of_void, _line_on_open, _bar_on_open = _on("void", "line"), _on("open", "line"), _on("open", "bar")


def _kind(grid: Grid, position: Position) -> Kind:
    return grid[position].kind if position in grid else Kind.VOID


def _weight(grid: Grid, first: Position, second: Position) -> Weight:
    """Return the line between two neighbors: none inside blocks and voids, heavy for a bar."""
    kinds = {_kind(grid, first), _kind(grid, second)}
    if len(kinds) == 1 and Kind.OPEN not in kinds:
        return Weight.NONE
    return Weight.HEAVY if Bar(first, second) in grid.bars else Weight.LIGHT


_BAR_BELOW = Style(underline=True)
_PLAIN = Style()


class CompactDrawing(Drawing, frozen=True):
    """Squares of two or three cells without lines, told apart by background; bars are drawn inside the cells."""

    frame: ClassVar[int] = 2

    def line(self, brush: Brush, y: int) -> list[Segment]:
        faces, width = brush.faces, brush.picture.grid.width
        positions = (Position(y, column) for column in range(width))
        return [segment for here in positions for segment in (faces.get(here) or self._square(brush, here))[0]]

    def _square(self, brush: Brush, position: Position) -> list[list[Segment]]:
        bars = brush.picture.grid.bars
        if not bars:
            return _with_number(brush, position, brush.face(position, self.square_width), self.square_width)
        has_bar = Bar(position, position.step(Direction.ACROSS)) in bars
        width = self.square_width - has_bar
        faces = brush.face(position, self.square_width)
        if has_bar and faces[0][-1].text[-1:].isspace():  # the letter stays in its column
            faces[0][:] = Segment.adjust_line_length(faces[0], width)
        elif has_bar:
            faces = brush.face(position, width)
        faces = _with_number(brush, position, faces, width)
        face = faces[0]
        if has_bar:
            face.append(brush.bar(face[-1]))
        if Bar(position, position.step(Direction.DOWN)) in bars:
            face[:] = [Segment(text, (style or _PLAIN) + _BAR_BELOW) for text, style, _ in face]
        return faces


def _with_number(brush: Brush, position: Position, faces: list[list[Segment]], width: int) -> list[list[Segment]]:
    """Return a square's face, with its number if it is empty, numbers are on and there is room."""
    picture, face = brush.picture, faces[0]
    number = str(picture.grid.numbers.get(position, ""))
    if picture.is_numbered and number and picture.content(position) is None:
        mark = CIRCLE_MARK if picture.grid[position].circle else ""
        if len(number + mark) <= width:
            face[:] = [Segment((number + mark).ljust(width), face[0].style)]
    return faces


_FOR_ANY_SCREEN: tuple[Drawing, ...] = (RuledDrawing(3), CompactDrawing(3), CompactDrawing(2))
"""Drawings for screens of any size, largest first."""
_FOR_LARGE_SCREENS: tuple[Drawing, ...] = (
    RuledDrawing(14, 6),
    RuledDrawing(10, 4),
    RuledDrawing(8, 3),
    RuledDrawing(6, 2),
    RuledDrawing(4),
    *_FOR_ANY_SCREEN,
)
_LARGE = Size(120, 40)


def drawings_for(screen: Size) -> Sequence[Drawing]:
    """Return the drawings used on a screen of this size, largest first."""
    is_large = screen.width >= _LARGE.width and screen.height >= _LARGE.height
    return _FOR_LARGE_SCREENS if is_large else _FOR_ANY_SCREEN


def largest_drawing(
    grid: Grid, width: int, height: int, screen: Size, *, is_framed: bool = True
) -> Drawing | None:
    """Return the largest drawing that fits, with its frame if `is_framed`; None if none does."""

    def fits(drawing: Drawing) -> bool:
        size, frame = drawing.size(grid), drawing.frame if is_framed else 0
        return size.width + frame <= width and size.height + frame <= height

    return next(filter(fits, drawings_for(screen)), None)
