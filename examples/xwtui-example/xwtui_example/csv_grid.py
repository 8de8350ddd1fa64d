"""A format: the letters of a grid as a spreadsheet, `#` for a block, `.csvgrid`."""

import csv
import io

from xwtui.formats.base import Format, Losses, Written, add_grid_only, add_voids
from xwtui.formats.clues import puzzle_as_read
from xwtui.formats.intake import Intake
from xwtui.formats.plain_text import decode
from xwtui.model import BLOCK, Grid, Position, Puzzle

_BLOCK = "#"


def read(data: bytes, intake: Intake) -> Puzzle:
    """The puzzle of a file; whatever a square cannot hold is noted in the intake."""
    rows = list(csv.reader(io.StringIO(decode(data))))
    grid = Grid.from_rows(
        [
            BLOCK if cell.strip() == _BLOCK else intake.square(cell, Position(row, column))
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(rows)
    )
    return puzzle_as_read(grid, {}, lambda name: "", intake)


def write(puzzle: Puzzle, lossy: bool) -> Written:
    """The file of a puzzle; what it has no place for is a loss, which `lossy` accepts."""
    losses = Losses(".csvgrid")
    add_grid_only(puzzle, losses)
    add_voids(puzzle.grid, losses)
    warnings = losses.settle(lossy=lossy)
    buffer = io.StringIO()
    csv.writer(buffer).writerows(
        [(square.content.text if square.content else "") if square.is_open else _BLOCK for square in row]
        for row in puzzle.grid.rows()
    )
    return Written(buffer.getvalue().encode(), warnings)


FORMAT = Format("CSV grid", (".csvgrid",), read, write)
