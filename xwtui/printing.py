"""Output of the REPL and the shell: styled lines, the grid drawn with characters, a progress line.

Each square of a drawing is three characters wide: a mark, the letter, a mark. `(A)` is circled, `[H]` is a rebus
(its string is in the legend), `{H}` is both, `░A` is shaded, `A'` is locked, `A│` has a bar on its right. An empty
square is `·`, or `◦` if a rule limits what it holds. Clue numbers, if shown, replace the first mark.
"""

import enum
import os
import shutil
import sys
import threading
import time
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from types import TracebackType
from typing import NamedTuple, Self, TextIO

from xwtui.interrupts import register_ending
from xwtui.model import Bar, Content, Direction, Grid, Ink, Kind, Position, Square
from xwtui.text import clauses_within, printable

LONG_SECONDS = 0.5
"""Work that takes longer than this shows its progress."""

_LONGEST_WARNING = 400
_REDRAW_SECONDS = 0.1
_BEAT_SECONDS = 0.5

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NO_SQUARES: Mapping[Position, Content] = {}
_LEGEND_WIDTH = 78
RULED = "◦"
"""Drawn in an empty square that has a rule."""


class Style(enum.Enum):
    """The style of a span of text; the value is its ANSI attributes, chosen for light and dark backgrounds."""

    PLAIN = ""
    PENCIL = "2"
    RUN = "2;3"
    """A running search's current content."""
    PEN = "39"
    LOCKED = "1;4"
    SHADED = "7"
    LABEL = "90"
    GOOD = "1;32"
    WARNING = "33"
    ERROR = "1;31"


_PENCIL_STYLES = (Style.PENCIL, Style.RUN)


class Span(NamedTuple):
    """A piece of a line in a single style."""

    text: str
    style: Style = Style.PLAIN


Line = tuple[Span, ...]


def paint(line: Iterable[Span], *, colours: bool, marks_pencil: bool = True) -> str:
    """Return a line as text; without colors there are no escape codes, and lower case may mark pencil."""
    if colours:
        painted = []
        for style, spans in groupby(line, key=lambda span: span.style):
            text = "".join(span.text for span in spans)
            painted.append(f"\x1b[{style.value}m{text}\x1b[0m" if style.value else text)
        return "".join(painted)
    lowered = _PENCIL_STYLES if marks_pencil else ()
    return "".join(span.text.lower() if span.style in lowered else span.text for span in line)


def wants_colours(stream: TextIO) -> bool:
    """Whether to write colors to a stream: a terminal that supports them, without NO_COLOR (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


_INK_STYLES = {Ink.PENCIL: Style.PENCIL, Ink.PEN: Style.PEN, Ink.LOCKED: Style.LOCKED}


def draw_grid(
    grid: Grid,
    *,
    run: Mapping[Position, Content] = _NO_SQUARES,
    numbers: bool = False,
    ruled: Container[Position] = (),
) -> Iterator[Line]:
    """Yield the lines of a drawing: column numbers, the framed rows, then a legend of rebus squares and rules.

    `run` is the search's current content, shown in squares that are not given. `numbers` adds clue numbers, which
    makes the squares wider. `ruled` squares have a rule.
    """
    cells = _Cells(grid, run, _number_width(grid, numbers), ruled)
    labels = "".join(f"{column:{cells.width - 1}}".ljust(cells.width) for column in range(1, grid.width + 1))
    yield (Span(f"    {labels}".rstrip(), Style.LABEL),)
    edge = "─" * (cells.width * grid.width)
    yield (Span(f"   ┌{edge}┐", Style.LABEL),)
    for row in range(grid.height):
        here = [Position(row, column) for column in range(grid.width)]
        spans = (span for at in here for span in cells.draw(at))
        yield (Span(f"{row + 1:2} │", Style.LABEL), *spans, Span("│", Style.LABEL))
        barred = [Bar(at, at.step(Direction.DOWN)) in grid.bars for at in here]
        if any(barred):
            marks = "".join(("─" if is_barred else " ") * cells.width for is_barred in barred)
            yield (Span(f"   │{marks}│", Style.LABEL),)
    yield (Span(f"   └{edge}┘", Style.LABEL),)
    yield from legend(grid, run)
    if any(cells.shows_rule(at) for at in grid.open_positions()):
        yield (Span(f"    {RULED} a rule limits what it holds; `rules` lists it", Style.LABEL),)


def drawing_width(grid: Grid, *, numbers: bool = False) -> int:
    """Return the width in characters of the widest line, not counting the legend."""
    return grid.width * _Cells(grid, _NO_SQUARES, _number_width(grid, numbers)).width + len("12 ││")


def _number_width(grid: Grid, numbers: bool) -> int:
    return len(str(max(grid.numbers.values(), default=0))) if numbers else 0


class _Cells(NamedTuple):
    grid: Grid
    run: Mapping[Position, Content]
    number_width: int
    """Width of the clue numbers in digits; 0 leaves them out."""
    ruled: Container[Position] = ()

    @property
    def width(self) -> int:
        return max(self.number_width, 1) + 2

    def draw(self, at: Position) -> Line:
        square = self.grid[at]
        if square.kind is not Kind.OPEN:
            return (Span(("█" if square.kind is Kind.BLOCK else " ") * self.width),)
        content, style = shown_content(square, self.run.get(at))
        is_rebus = content is not None and content.is_rebus
        plain = ("░" if square.shade else " ") + " "
        marks = ("{}" if is_rebus else "()") if square.circle else "[]" if is_rebus else plain
        left, right = marks[0], marks[1]
        if self.number_width:
            number = str(self.grid.numbers.get(at, "")).translate(_SUPERSCRIPTS).rjust(self.number_width)
            left, right = number, (left if right == " " else right)
        if square.ink is Ink.LOCKED and content is not None and (right == " " or not self.number_width):
            right = "'"
        beside = at.step(Direction.ACROSS)
        if beside in self.grid and self.grid[beside].is_open and not self.grid.is_joined(at, beside):
            right = "│"
        letter = content.across[0] if content is not None else RULED if self.shows_rule(at) else "·"
        return (Span(left, Style.LABEL), Span(letter, style), Span(right, Style.LABEL))

    def shows_rule(self, at: Position) -> bool:
        """Whether a square is empty and has a rule."""
        return at in self.ruled and shown_content(self.grid[at], self.run.get(at))[0] is None


def shown_content(square: Square, run: Content | None) -> tuple[Content | None, Style]:
    """Return the content that a square shows, given the search's content for it, and its style."""
    if run is not None and not square.is_given:
        return run, Style.RUN
    if square.content is None:
        return None, Style.LABEL
    return square.content, Style.SHADED if square.shade else _INK_STYLES[square.ink]


def legend(grid: Grid, run: Mapping[Position, Content], *, longest: int = 1) -> Iterator[Line]:
    """Yield the rebus strings that do not fit in a square, each with the squares that hold it."""
    places: dict[str, list[str]] = {}
    for at in grid.open_positions():
        content, _ = shown_content(grid[at], run.get(at))
        if content is not None and content.is_rebus and len(content.text) > longest:
            places.setdefault(str(content), []).append(str(at))
    for text, squares in sorted(places.items()):
        line = f"    {text} at {', '.join(squares)}"
        yield (Span(line if len(line) <= _LEGEND_WIDTH else line[: _LEGEND_WIDTH - 1] + "…"),)


class StatusLine:
    """A progress line on a stream; a context manager that leaves a clean line behind.

    The line ends with how to stop and the elapsed seconds, and is redrawn as they pass, even if nothing new is
    shown. Nothing is written if the stream is not a terminal, or no longer one. `show` is thread-safe.
    """

    def __init__(self, stream: TextIO, delay: float = LONG_SECONDS) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._started = time.monotonic()
        self._not_before = self._started + delay
        self._text = ""
        self._width = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._beat_thread: threading.Thread | None = None

    def show(self, text: str) -> None:
        """Replace the text; it is redrawn at most ten times a second, and not before the initial delay."""
        with self._lock:
            self._text = text
            self._draw()

    def clear(self) -> None:
        with self._lock:
            if self._width:
                self._write("")

    def _draw(self) -> None:
        now = time.monotonic()
        if not self._is_terminal or not self._text or now < self._not_before:
            return
        self._not_before = now + _REDRAW_SECONDS
        columns = max(shutil.get_terminal_size().columns - 1, 10)
        tail = f"; Ctrl+C stops, {now - self._started:.0f} s"
        self._write((clauses_within(self._text, columns - len(tail)) + tail)[:columns])

    def _write(self, text: str) -> None:
        try:
            self._stream.write("\r" + text.ljust(self._width) + ("" if text else "\r"))
            self._stream.flush()
        except OSError:  # the terminal is closed: nobody sees the line, but the work continues
            self._is_terminal = False
        self._width = len(text)

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT_SECONDS):
            with self._lock:
                if not self._ended.is_set():
                    self._draw()

    def __enter__(self) -> Self:
        if self._is_terminal:
            self._beat_thread = threading.Thread(target=self._beat, name="status", daemon=True)
            self._beat_thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self.clear()
        register_ending([] if self._beat_thread is None else [self._beat_thread])


def warn(message: str) -> None:
    """Print a warning to stderr; ignore the error if nothing can be written there."""
    with suppress(OSError):
        print(f"xwtui: {printable(message, _LONGEST_WARNING)}", file=sys.stderr)
