"""The REPL's output: its lines, and the grid, in large squares if there is room.

A large square is `┌17────┐` over `│HEART │`; `Frame` has the sizes. Marks are those of the compact drawing: `(A)`
is circled, `░A░` shaded, `A'` locked. A block is solid, and a bar is a heavy line.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TextIO

from xwtui.dataclasses import dataclass, field
from xwtui.model import Bar, Content, Direction, Grid, Ink, Kind, Position, Square
from xwtui.printing import (
    RULED,
    Line,
    Span,
    Style,
    draw_grid,
    drawing_width,
    legend,
    paint,
    shown_content,
    wants_colours,
)
from xwtui.session.messages import Notice, Severity
from xwtui.session.session import Session
from xwtui.text import wrapped


class Frame(NamedTuple):
    """The size of the squares."""

    width: int
    """Characters between two vertical lines."""
    height: int
    """Rows between two horizontal lines."""
    columns: int
    """Terminal width from which it is the default."""


MEDIUM, LARGE = Frame(4, 1, 120), Frame(6, 2, 180)
FRAMES: Mapping[str, Frame | None] = {"small": None, "medium": MEDIUM, "large": LARGE}
"""The frames by size name; None is the compact drawing."""

_MARGIN = "   "
_CORNERS = " ╶╷┌╴─┐┬╵└│├┘┴┤┼"
"""Indexed by the arms drawn: right 1, down 2, left 4, up 8."""


def frame_that_fits(grid: Grid, columns: int) -> Frame | None:
    """Return the largest frame for a terminal width, or None for the compact drawing."""
    for frame in (LARGE, MEDIUM):
        drawn_width = grid.width * (frame.width + 1) + 1 + len(_MARGIN)
        if max(frame.columns, drawn_width) <= columns:
            return frame
    return None


def draw_framed(
    grid: Grid, frame: Frame, *, run: Mapping[Position, Content], ruled: Container[Position] = ()
) -> Iterator[Line]:
    """Yield the lines of a drawing; `run` is the search's current content, `ruled` squares have a rule."""
    columns = "".join(f"{column:^{frame.width + 1}}" for column in range(1, grid.width + 1))
    yield (Span(f"{_MARGIN} {columns}".rstrip(), Style.LABEL),)
    for row in range(grid.height + 1):
        yield (Span(_MARGIN + _rule(grid, row, frame), Style.LABEL),)
        if row < grid.height:
            for line in range(frame.height):
                yield tuple(_squares(grid, row, line, frame, run, ruled))
    yield from legend(grid, run, longest=frame.width)


def _rule(grid: Grid, row: int, frame: Frame) -> str:
    parts = []
    for column in range(grid.width + 1):
        here = Position(row, column)
        parts.append(_corner(grid, here))
        if column < grid.width:
            line = _line(grid, here.step(Direction.DOWN, -1), here, "─", "━")
            number = "" if row == grid.height else str(grid.numbers.get(here, ""))
            parts.append(number.ljust(frame.width, line))
    return "".join(parts)


def _squares(
    grid: Grid, row: int, line: int, frame: Frame, run: Mapping[Position, Content], ruled: Container[Position]
) -> Iterator[Span]:
    yield Span(f"{row + 1:2} " if line == 0 else _MARGIN, Style.LABEL)
    for column in range(grid.width + 1):
        here = Position(row, column)
        yield Span(_line(grid, here.step(Direction.ACROSS, -1), here, "│", "┃"), Style.LABEL)
        if column < grid.width:
            text, style = _face(grid[here], frame, run.get(here), has_rule=here in ruled)
            is_block = grid[here].kind is Kind.BLOCK
            yield Span(text if line == 0 or is_block else _ground(grid[here]) * frame.width, style)


def _face(square: Square, frame: Frame, run: Content | None, *, has_rule: bool) -> tuple[str, Style]:
    if not square.is_open:
        return ("█" if square.kind is Kind.BLOCK else " ") * frame.width, Style.PLAIN
    content, style = shown_content(square, run)
    if content is None:
        text = RULED if has_rule else "·"
    else:
        text = content.text
        if square.ink is Ink.LOCKED and len(text) < frame.width:
            text += "'"
    if square.circle and len(text) + 2 <= frame.width:
        text = f"({text})"
    if len(text) > frame.width:
        text = text[: frame.width - 1] + "…"
    return text.center(frame.width, _ground(square)), style


def _ground(square: Square) -> str:
    return "░" if square.shade else " "


def _kind(grid: Grid, at: Position) -> Kind:
    return grid[at].kind if at in grid else Kind.VOID


def _line(grid: Grid, first: Position, second: Position, light: str, heavy: str) -> str:
    kinds = {_kind(grid, first), _kind(grid, second)}
    if kinds == {Kind.BLOCK}:
        return "█"
    if kinds == {Kind.VOID}:
        return " "
    return heavy if Bar(first, second) in grid.bars else light


def _corner(grid: Grid, here: Position) -> str:
    """Return the character where four squares meet; `here` is the lower right one."""
    above, left = here.step(Direction.DOWN, -1), here.step(Direction.ACROSS, -1)
    above_left = left.step(Direction.DOWN, -1)
    pairs = ((above, here), (left, here), (above_left, left), (above_left, above))
    lines = [_line(grid, first, second, "-", "-") for first, second in pairs]
    if set(lines) == {"█"}:
        return "█"
    return _CORNERS[sum(1 << arm for arm, line in enumerate(lines) if line != " ")]


_SEVERITY_STYLES = {
    Severity.INFORMATION: Style.LABEL,
    Severity.WARNING: Style.WARNING,
    Severity.ERROR: Style.ERROR,
}


@dataclass
class Output:
    """Prints on a stream, in color if it is a terminal that allows it."""

    stream: TextIO = field(default_factory=lambda: sys.stdout)

    def print_lines(self, *lines: str, style: Style = Style.PLAIN) -> None:
        """Print lines, all in one style."""
        self.show((Span(piece, style),) for line in lines for piece in self.fitted(line))

    def fitted(self, line: str) -> Sequence[str]:
        """Return a line, wrapped between words if the terminal is too narrow."""
        return wrapped(line, shutil.get_terminal_size().columns) if self.stream.isatty() else [line]

    def show(self, lines: Iterable[Line]) -> None:
        for line in lines:
            print(paint(line, colours=wants_colours(self.stream)), file=self.stream)
        self.stream.flush()

    def print_errors(self, *messages: str) -> None:
        for message in messages:
            first, *others = (piece for line in f"! {message}".splitlines() for piece in self.fitted(line))
            self.show([(Span("! ", Style.ERROR), Span(first[2:])), *((Span(line),) for line in others)])

    def print_notices(self, notices: Iterable[Notice]) -> None:
        for note in notices:
            self.print_lines(note.text, style=_SEVERITY_STYLES[note.severity])

    def print_grid(self, session: Session) -> None:
        """Print the grid, or the solver's, with a stepped search's content and clue numbers if there is room."""
        grid, run = session.puzzle.grid, session.jobs.fill.view
        if session.document.is_solving:
            grid, run = session.document.solving.attempt.grid, None
        squares = run.squares if run is not None else {}
        columns = shutil.get_terminal_size().columns if self.stream.isatty() else 0
        size = session.settings.grid_size
        frame = FRAMES[size] if size in FRAMES else frame_that_fits(grid, columns)
        if frame is not None:
            self.show(draw_framed(grid, frame, run=squares, ruled=session.puzzle.rules.squares))
            return
        numbers = session.settings.numbers and columns >= drawing_width(grid, numbers=True)
        self.show(draw_grid(grid, run=squares, numbers=numbers, ruled=session.puzzle.rules.squares))
