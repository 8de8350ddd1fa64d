"""The squares of an ipuz file: its `puzzle` and `solution` rows and their styles."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct, field

from xwtui.errors import PuzzleFormatError
from xwtui.formats.intake import Deviation, Intake
from xwtui.model import BLOCK, OPEN, VOID, Bar, Content, Direction, Grid, Ink, Kind, Position, Square
from xwtui.model.grid import check_size
from xwtui.model.where import all_positions

Row = list[Any]

BLOCK_VALUE = "#"
SHADE_COLOUR = "dcdcdc"
"""The gray of shaded squares, as the six hexadecimal digits that the standard requires."""

STEPS = {
    "T": (Direction.DOWN, -1),
    "B": (Direction.DOWN, 1),
    "L": (Direction.ACROSS, -1),
    "R": (Direction.ACROSS, 1),
}
"""For each side, the direction and step to the square beyond it."""


class Cells(Struct, frozen=True):
    """The squares as read, the file's clue numbers as `labels`, and the style fields to keep as `styles`."""

    grid: Grid
    labels: Mapping[Position, str]
    styles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_cells(document: Mapping[str, Any], intake: Intake) -> Cells:
    """Read the squares of an ipuz document, with content in PEN; raises PuzzleFormatError if it has no rows."""
    rows: Any = document.get("puzzle")
    solution: Any = document.get("solution")
    if not _is_grid(rows):
        if not _is_grid(solution):
            raise PuzzleFormatError(
                "this JSON file is not an ipuz puzzle: it has no grid ('puzzle' or 'solution')"
            )
        intake.note(Deviation.LEFT_OUT, "'puzzle', so the grid comes from 'solution'")
        block = document.get("block", BLOCK_VALUE)
        values = [value for row in solution for value in row]
        blank = None if block in values else block  # null is a block if nothing else is one
        rows = [[block if value == block else blank if value is None else 0 for value in row] for row in solution]
    elif solution is not None and not _is_grid(solution):
        intake.note(Deviation.LEFT_OUT, "'solution'")
        solution = None
    height, width = _size(document, rows, intake)
    rows = _fitted("puzzle", rows, height, width, intake)
    if solution is not None:
        solution = _fitted("solution", solution, height, width, intake)
    reader = _CellReader(document, intake)
    squares: list[Square] = []
    for at in all_positions(height, width):
        answer = solution[at.row][at.column] if solution is not None else None
        squares.append(reader.square(at, rows[at.row][at.column], answer))
    grid = Grid(height, width, tuple(squares))
    bars = frozenset(bar for bar in reader.bars if bar.first in grid and bar.second in grid)
    return Cells(grid.with_bars(bars), reader.labels, reader.styles)


def _is_grid(rows: Any) -> bool:
    """Whether the value is a list of rows, which are lists, or strings with one character per square."""
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, list | str) for row in rows)


def _size(document: Mapping[str, Any], rows: Sequence[Row | str], intake: Intake) -> tuple[int, int]:
    """Return the height and width of the rows, noting if the file's dimensions differ."""
    height, width = len(rows), max(len(row) for row in rows)
    told = document.get("dimensions")
    sides = [str(told.get(side)) for side in ("height", "width")] if isinstance(told, dict) else []
    if told is not None and sides != [str(height), str(width)]:
        intake.note(Deviation.ROWS, "'dimensions'", now=f"as {height}x{width}, from the rows")
    check_size(height, width)
    return height, width


def _fitted(name: str, rows: Sequence[Row | str], height: int, width: int, intake: Intake) -> list[Row]:
    """Pad the rows with null, and drop surplus squares and rows."""
    fitted: list[Row] = []
    for number in range(height):
        row = list(rows[number]) if number < len(rows) else []
        if len(row) != width:
            intake.note(Deviation.ROWS, f"row {number + 1} of '{name}'")
        fitted.append([*row[:width], *[None] * (width - len(row))])
    if len(rows) > height:
        intake.note(Deviation.ROWS, f"row {height + 1} of '{name}' and those below")
    return fitted


class _CellReader:
    """Reads squares one by one, collecting bars, labels and unknown styles."""

    def __init__(self, document: Mapping[str, Any], intake: Intake) -> None:
        self._intake = intake
        self._block = document.get("block", BLOCK_VALUE)
        self._empty = document.get("empty", 0)
        solution: Any = document.get("solution")
        values = [value for row in solution for value in row] if _is_grid(solution) else []
        filled = [value for value in values if value not in (None, self._block, "", 0)]
        has_answers = not filled or any(value != "0" for value in filled)
        self._blanks = ("",) if has_answers else ("", "0")
        named = document.get("styles")
        self._named_styles: Mapping[str, Any] = named if isinstance(named, dict) else {}
        self.bars: set[Bar] = set()
        self.labels: dict[Position, str] = {}
        self.styles: dict[str, Mapping[str, Any]] = {}

    def square(self, position: Position, cell: Any, answer: Any) -> Square:
        """Read one square from its cell in `puzzle` and its value in `solution`."""
        given, style = None, None
        if isinstance(cell, dict):
            given, style = cell.get("value"), cell.get("style")
            cell = cell.get("cell", 0)
            style = self._named_styles.get(style) if isinstance(style, str) else style
            sides = style.get("barred") if isinstance(style, dict) else None
            for side in STEPS.keys() & set(sides if isinstance(sides, str) else ""):
                self.bars.add(Bar.between(position, position.step(*STEPS[side])))
        if cell is None:
            return VOID
        value = answer.get("value") if isinstance(answer, dict) else answer
        if cell == self._block or (isinstance(value, str) and value == self._block):
            return BLOCK
        if isinstance(cell, list | dict | bool | float):
            self._intake.note(Deviation.SQUARES, str(position), now="with an invalid label")
        if isinstance(cell, int | str) and str(cell) not in (str(self._empty), "0", ""):
            self.labels[position] = str(cell)
        content = self._content(answer if answer is not None else given, position)
        square = OPEN if content is None else Square(content=content, ink=Ink.PEN)
        return self._styled(square, position, style)

    def _content(self, value: Any, position: Position) -> Content | None:
        match value:
            case dict():
                return self._content_by_direction(value, position)
            case [one]:
                return self._content(one, position)
            case [str(across), str(down)]:
                return self._intake.content(f"{across}/{down}", position)
            case str():
                blank = value == self._empty or value in self._blanks
                return None if blank else self._intake.content(value, position)
            case int() if value and not isinstance(value, bool):
                return self._intake.content(str(value)[:20], position)
            case None | 0:
                return None
        self._intake.note(Deviation.SQUARES, str(position), json.dumps(value)[:40], "left empty")
        return None

    def _content_by_direction(self, value: Mapping[str, Any], position: Position) -> Content | None:
        readings = {key.partition(":")[0].lower(): child for key, child in value.items() if key != "style"}
        plain = readings.get("value")
        across, down = (
            self._content(None if isinstance(child, dict) else child, position)
            for child in (readings.get("across", plain), readings.get("down", plain))
        )
        if across is None or down is None:
            return across or down
        return Content(across.across, down.down)

    def _styled(self, square: Square, position: Position, style: Any) -> Square:
        if not isinstance(style, dict):
            return square
        unknown = dict(style)
        unknown.pop("barred", None)
        if unknown.get("shapebg") == "circle":
            square = replace(square, circle=True)
            del unknown["shapebg"]
        if unknown.get("highlight") is True or unknown.get("color"):
            square = replace(square, shade=True)
            if unknown.get("color") == SHADE_COLOUR:
                del unknown["color"]
        if unknown:
            self.styles[str(position)] = unknown
        return square


def puzzle_rows(grid: Grid, styles: Mapping[str, Mapping[str, Any]], *, published: bool = False) -> list[Row]:
    """Return the `puzzle` rows: clue numbers, blocks and voids, with current and kept styles.

    If `published`, a square with a style but no number has no `cell`, because some programs print its 0.
    """
    barred: dict[Position, str] = {}
    for bar in sorted(grid.bars):
        side = "T" if bar.first.column == bar.second.column else "L"
        barred[bar.second] = barred.get(bar.second, "") + side

    def cell(position: Position) -> Any:
        square = grid[position]
        label: Any = grid.numbers.get(position, 0)
        if not square.is_open:
            label = BLOCK_VALUE if square.kind is Kind.BLOCK else None
        style = _style(square, barred.get(position), styles.get(str(position), {}))
        if published and style and label == 0:
            return {"style": style}
        return {"cell": label, "style": style} if style else label

    return _rows(grid, cell)


def _style(square: Square, barred: str | None, kept: Mapping[str, Any]) -> dict[str, Any]:
    style: dict[str, Any] = {}
    if square.is_open:
        dropped = () if square.shade else ("color", "highlight")
        style = {key: value for key, value in kept.items() if key not in dropped}
        if square.circle:
            style["shapebg"] = "circle"
        if square.shade and not (style.get("color") or style.get("highlight") is True):
            style["color"] = SHADE_COLOUR
    if barred:
        style["barred"] = barred
    return style


def solution_rows(grid: Grid) -> list[Row]:
    """Return the `solution` rows: letters, rebus strings, 0 for blank.

    Two readings are `{"value": "X/TIMES", "Across": …, "Down": …}`; many programs look only at the first field.
    """

    def value(position: Position) -> Any:
        square = grid[position]
        match square.kind, square.content:
            case Kind.BLOCK, _:
                return BLOCK_VALUE
            case Kind.VOID, _:
                return None
            case _, None:
                return 0
            case _, Content(across=across, down=down) if across != down:
                return {"value": f"{across}/{down}", "Across": across, "Down": down}
            case _, Content(across=across):
                return across

    return _rows(grid, value)


def _rows(grid: Grid, cell: Any) -> list[Row]:
    return [[cell(Position(row, column)) for column in range(grid.width)] for row in range(grid.height)]
