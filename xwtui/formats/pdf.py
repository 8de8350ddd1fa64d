"""PDF for solvers: the grid with the clues in columns around it, on one page or two, and the answer key.

Among layouts that hold all clues, the largest type wins, and then the larger squares. If one page would need type
that is hard to read, the grid and the clues take two pages, and more only for very many clues.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

from msgspec import Struct, structs

from xwtui.formats.base import Losses, Written, add_no_clues, add_no_titles
from xwtui.formats.clues import after_number, heading, labels
from xwtui.formats.pdf_page import BOLD, REGULAR, PdfDocument, lines, paper, run_lines, text_width
from xwtui.model import Direction, Grid, Puzzle
from xwtui.model.markup import TextRun, plain_text

_MARGIN = 36.0
_GAP = 12.0
_LEADING = 1.18
_INDENT = "000 "
"""Text as wide as the number column."""
_TITLE_SIZE, _SMALL = 16.0, 9.0
_TITLE_END, _HEADING_END = 2 / 3, 1 / 2
"""Lowest ends of the title and of everything above the grid, as fractions of the page height from below."""

_SMALLEST_ON_ONE_PAGE = 8.0
_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)
_COLUMNS = ((4, 3), (3, 2), (4, 2), (5, 3), (2, 1))
"""Number of columns on the page with the grid, and number of these below the grid."""

_FEWEST_BELOW = 3
"""Minimum number of clues in a column below the grid, or half the minimum number of lines."""

_SMALL_SQUARES, _LARGEST_SQUARE = (22.0, 14.0), 36.0
"""Minimum square size in points on a page with clues, first preferred and then acceptable; and the maximum."""


class _Column(Struct, frozen=True):
    left: float
    top: float
    width: float
    bottom: float = _MARGIN


class _Line(Struct, frozen=True):
    """A line of the clue lists, or all lines of a clue: its first line has its number, and a heading is bold."""

    runs: tuple[TextRun, ...]
    number: str = ""
    is_linked: bool = False
    """Whether the text continues the number with those of other lights, `/5D`, without a gap."""
    is_heading: bool = False


_Wrapped: TypeAlias = Callable[[float, float], Sequence[Sequence[_Line]]]
"""The clues at a font size and column width, as blocks of lines that stay together."""


class _Placed(Struct, frozen=True):
    line: _Line
    column: _Column
    page: int
    y: float


class _PageLayout(Struct, frozen=True):
    """The layout: the grid on the first page, and each line of the clues."""

    size: float
    left: float
    top: float
    square: float
    lines: tuple[_Placed, ...]


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write the solver's pages."""
    losses = Losses("PDF", puzzle)
    document = PdfDocument(puzzle.title, puzzle.author)
    clues = _clues(puzzle, document)
    top = _heading(puzzle, document)
    document.tell(losses)
    warnings = losses.settle(lossy=lossy)
    layout = _layout(puzzle.grid, clues, top)
    document.draw_grid(puzzle.grid, layout.left, layout.top, layout.square)
    page = 0
    for placed in layout.lines:
        if placed.page > page:
            document.end_page()
            page = placed.page
        _put(document, placed, layout.size)
    return Written(document.data(), warnings)


def write_key(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write the answer key."""
    losses = Losses("PDF of the solution")
    add_no_titles(puzzle, losses, kept=("title", "author", "copyright"))
    add_no_clues(puzzle, losses)
    document = PdfDocument(f"{puzzle.title} (solution)", puzzle.author)
    top = _heading(puzzle, document, labels(puzzle)["solution"])
    document.tell(losses)
    grid = puzzle.grid
    room = (paper().width - 2 * _MARGIN) / grid.width, (top - _MARGIN) / grid.height
    square = min(*room, _LARGEST_SQUARE)
    document.draw_grid(grid, (paper().width - square * grid.width) / 2, top, square, solved=True)
    return Written(document.data(), losses.settle(lossy=lossy))


def _heading(puzzle: Puzzle, document: PdfDocument, after: str = "") -> float:
    """Draw title, author, copyright and notes at the top of the page; returns where the rest begins."""
    title = document.text(puzzle.title, "the title") or labels(puzzle)["crossword"]
    author = document.text(puzzle.author, "the author")
    texts = {
        "the title": f"{title} — {after}" if after else title,
        "the author": f"{labels(puzzle)['by']} {author}" if author else "",
        "the copyright": document.text(puzzle.copyright, "the copyright"),
        "the notes": "" if after else document.text(puzzle.notes, "the notes"),
    }
    page = paper()
    y = page.height - _MARGIN - _TITLE_SIZE
    for what, text in texts.items():
        is_title = what == "the title"
        size, font, end = (_TITLE_SIZE, BOLD, _TITLE_END) if is_title else (_SMALL, REGULAR, _HEADING_END)
        broken = lines(text, size * 1.06 if is_title else size, paper().width - 2 * _MARGIN) if text else []
        for line in document.first_lines(
            broken, math.ceil(max(0.0, y - end * page.height) / (size * _LEADING)), what
        ):
            document.write(line, _MARGIN, y, size, font)
            y -= size * _LEADING
    return y


def _clues(puzzle: Puzzle, document: PdfDocument) -> list[_Line]:
    clues: list[_Line] = []
    for direction in Direction:
        slots = puzzle.grid.clue_slots_of(direction)
        clues += [_Line((TextRun(heading(puzzle, direction).upper()),), is_heading=True)] if slots else []
        for slot in slots:
            runs = document.runs(after_number(puzzle, slot), f"the clue of {slot.name}")
            clues.append(_Line(runs, str(slot.number), bool(slot.lights)))
    return clues


def _layout(grid: Grid, clues: Sequence[_Line], top: float) -> _PageLayout:
    wrapped = cache(lambda size, width: tuple(_blocks(clues, size, width)))
    sizes = [size for size in _SIZES if size >= _SMALLEST_ON_ONE_PAGE]
    for least, size in product(_SMALL_SQUARES, sizes):
        on_one_page: list[_PageLayout] = []
        for count, over in _COLUMNS:
            width = (paper().width - 2 * _MARGIN - (count - 1) * _GAP) / count
            room = over * width + (over - 1) * _GAP
            square = min(room / grid.width, (top - _MARGIN) / grid.height, _LARGEST_SQUARE)
            left = paper().width - _MARGIN - square * grid.width
            columns = _around(count, over, width, top, top - square * grid.height)
            if square >= least and (placed := _flow(wrapped, size, columns)) is not None:
                on_one_page.append(_PageLayout(size, left, top, square, placed))
        if on_one_page:
            return max(on_one_page, key=lambda layout: (not _has_few_below(grid, layout), layout.square))
    return _on_two_pages(grid, wrapped, top)


def _has_few_below(grid: Grid, layout: _PageLayout) -> bool:
    """Whether a column below the grid has just one or two short clues, which are easily overlooked."""
    below = layout.top - grid.height * layout.square
    columns: dict[float, list[_Line]] = {}
    for placed in layout.lines:
        if placed.page == 0 and placed.column.top <= below:
            columns.setdefault(placed.column.left, []).append(placed.line)
    return any(
        len(lines) < 2 * _FEWEST_BELOW and sum(bool(line.number) for line in lines) < _FEWEST_BELOW
        for lines in columns.values()
    )


def _around(count: int, over: int, width: float, top: float, below: float) -> list[list[_Column]]:
    """Return the columns of a page whose last ones begin below the grid."""
    lefts = [_MARGIN + index * (width + _GAP) for index in range(count)]
    tops = [top if index < count - over else below - _GAP for index in range(count)]
    return [[_Column(left, high, width) for left, high in zip(lefts, tops, strict=True)]]


def _on_two_pages(grid: Grid, wrapped: _Wrapped, top: float) -> _PageLayout:
    """Place the grid as large as possible, and the clues below it and on as many further pages as needed."""
    room = (paper().width - 2 * _MARGIN) / grid.width, (top - _MARGIN) / grid.height
    square = min(*room, _LARGEST_SQUARE)
    count = 4
    width = (paper().width - 2 * _MARGIN - (count - 1) * _GAP) / count
    first = _around(count, count, width, top, top - square * grid.height)
    full = _around(count, 0, width, paper().height - _MARGIN, 0)
    left = (paper().width - square * grid.width) / 2
    for size in _SIZES:
        for pages in ([*first, *full], [[], *full]):
            if (placed := _flow(wrapped, size, pages)) is not None:
                layout = _PageLayout(size, left, top, square, placed)
                if not _has_few_below(grid, layout):
                    return layout
    count = 2
    while (placed := _flow(wrapped, _SIZES[-1], [[], *full * count])) is None:
        count *= 2
    return _PageLayout(_SIZES[-1], left, top, square, placed)


def _flow(wrapped: _Wrapped, size: float, pages: Sequence[Sequence[_Column]]) -> tuple[_Placed, ...] | None:
    """Return the place of each line in the pages' columns, or None if they do not all fit."""
    step = size * _LEADING
    columns = [(page, column) for page, on_page in enumerate(pages) for column in on_page]
    columns = [(page, column) for page, column in columns if column.top - column.bottom >= 3 * step]
    if not columns:
        return None
    left = iter(columns)
    page, column = next(left)
    y = column.top
    placed: list[_Placed] = []
    for block in wrapped(size, column.width):
        is_splittable = len(block) * step > paper().height / 3
        for number, line in enumerate(block):
            if y - step * (1 if number or is_splittable else len(block)) < column.bottom:
                following = next(left, None)
                if following is None:
                    return None
                page, column = following
                y = column.top
            y -= step
            placed.append(_Placed(line, column, page, y))
    return tuple(placed)


def _blocks(clues: Sequence[_Line], size: float, width: float) -> Iterator[list[_Line]]:
    """Yield the lines that stay together: those of a clue, and a heading with its first clue."""
    heading: list[_Line] = []
    indent = text_width(_INDENT, size, BOLD)
    for clue in clues:
        if clue.is_heading:
            heading = [clue]
            continue
        first, *others = run_lines(clue.runs, size, width - indent)
        yield [*heading, structs.replace(clue, runs=first), *map(_Line, others)]
        heading = []


def _put(document: PdfDocument, placed: _Placed, size: float) -> None:
    line, left = placed.line, placed.column.left
    if line.is_heading:
        document.write(plain_text(line.runs), left, placed.y, size, BOLD)
        return
    indent = text_width(_INDENT, size, BOLD)
    if line.number:
        gap = 0.0 if line.is_linked else text_width(" ", size, BOLD)
        document.write(line.number, left + indent - gap, placed.y, size, BOLD, align="right")
    document.write_runs(line.runs, left + indent, placed.y, size)
