"""The grid as shapes, and pictures drawn from them: SVG for web pages and drawing programs, and PNG.

Shape coordinates are in squares, from the top left of the grid to the right and down. Shapes are in drawing order.
"""

import io
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

from msgspec import Struct

from xwtui.formats.base import Losses, Written, add_no_clues, add_no_titles
from xwtui.formats.plain_text import clean_line
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Kind, Position, Puzzle
from xwtui.resources import fonts_folder

with lazy_imports():
    from PIL import Image, ImageDraw, ImageFont

BLACK, WHITE, GREY = 0.0, 1.0, 0.86
"""Gray levels from 0 (black) to 1 (white)."""

THIN, THICK = 0.03, 0.1
NUMBER_SIZE = 0.3
LETTER_SIZE = 0.6
_CAPITAL = 0.72
"""Height of a capital letter relative to the font size."""


class Box(Struct, frozen=True):
    """A filled rectangle."""

    left: float
    top: float
    width: float
    height: float
    grey: float


class Stroke(Struct, frozen=True):
    """A black line."""

    left: float
    top: float
    right: float
    bottom: float
    thickness: float


class Ring(Struct, frozen=True):
    """The outline of a circle."""

    across: float
    down: float
    radius: float
    thickness: float = THIN


class Label(Struct, frozen=True):
    """Text on a baseline, left-aligned or centered; `width` is its maximum width."""

    text: str
    across: float
    baseline: float
    size: float
    centred: bool
    width: float = 1.0


Shape = Box | Stroke | Ring | Label


def shapes(grid: Grid, *, solved: bool) -> Iterator[Shape]:
    """Yield the grid with its numbers, and with its letters if `solved`."""
    for at in grid.positions():
        square = grid[at]
        if square.kind is not Kind.VOID:
            grey = BLACK if square.kind is Kind.BLOCK else GREY if square.shade else WHITE
            yield Box(at.column, at.row, 1, 1, grey)

    def is_outside(at: Position) -> bool:
        return at not in grid or grid[at].kind is Kind.VOID

    for at in grid.positions():
        if not is_outside(at):  # its own top and left sides, and those that border a void or the edge
            row, column = at
            yield Stroke(column, row, column + 1, row, THIN)
            yield Stroke(column, row, column, row + 1, THIN)
            if is_outside(Position(row + 1, column)):
                yield Stroke(column, row + 1, column + 1, row + 1, THIN)
            if is_outside(Position(row, column + 1)):
                yield Stroke(column + 1, row, column + 1, row + 1, THIN)
    for bar in sorted(grid.bars):
        row, column = bar.second
        is_upright = bar.first.row == row
        yield Stroke(column, row, column + (not is_upright), row + is_upright, THICK)
    for at in grid.open_positions():
        yield from _inside(grid, at, solved=solved)


def _inside(grid: Grid, at: Position, *, solved: bool) -> Iterator[Shape]:
    square = grid[at]
    row, column = at
    if square.circle:
        yield Ring(column + 0.5, row + 0.5, 0.47)
    if number := grid.numbers.get(at):
        yield Label(str(number), column + 0.06, row + 0.06 + NUMBER_SIZE * _CAPITAL, NUMBER_SIZE, centred=False)
    if solved and square.content is not None:
        text = square.content.text
        size = LETTER_SIZE if len(text) == 1 else min(0.4, 1.35 / len(text))
        yield Label(text, column + 0.5, row + 0.6 + size * _CAPITAL / 2, size, centred=True, width=0.9)


_SVG_SQUARE, _SVG_MARGIN = 40, 4
_FONT = "'Liberation Sans', Arial, Helvetica, sans-serif"


def write_svg(puzzle: Puzzle, lossy: bool = False, *, solved: bool = False) -> Written:
    """Write the empty grid with its numbers, or the solution, as SVG."""
    warnings = _lost("SVG", puzzle, kept=("title",))
    grid = puzzle.grid
    width, height = (side * _SVG_SQUARE + 2 * _SVG_MARGIN for side in (grid.width, grid.height))
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(width),
            "height": str(height),
            "viewBox": f"0 0 {width} {height}",
            "font-family": _FONT,
        },
    )
    ElementTree.SubElement(root, "title").text = clean_line(puzzle.title, "the title") or "Crossword"
    drawing = ElementTree.SubElement(root, "g", transform=f"translate({_SVG_MARGIN} {_SVG_MARGIN})")
    for shape in shapes(grid, solved=solved):
        ElementTree.SubElement(drawing, *_element(shape)).text = shape.text if isinstance(shape, Label) else None
    ElementTree.indent(root, space="")
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return Written(data + b"\n", warnings)


def _lost(name: str, puzzle: Puzzle, kept: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return warnings for what a picture lacks: clues, and title page texts other than those `kept`."""
    losses = Losses(name)
    add_no_titles(puzzle, losses, kept)
    add_no_clues(puzzle, losses)
    return losses.settle(lossy=True)


def _element(shape: Shape) -> tuple[str, dict[str, str]]:
    match shape:
        case Box(left, top, width, height, grey):
            fill = f"#{round(grey * 255):02x}" + f"{round(grey * 255):02x}" * 2
            return "rect", {**_scaled(x=left, y=top, width=width, height=height), "fill": fill}
        case Stroke(left, top, right, bottom, thickness):
            ends = {"x1": left, "y1": top, "x2": right, "y2": bottom, "stroke-width": thickness}
            return "line", {**_scaled(**ends), "stroke": "#000", "stroke-linecap": "square"}
        case Ring(across, down, radius, thickness):
            sizes = {"cx": across, "cy": down, "r": radius, "stroke-width": thickness}
            return "circle", {**_scaled(**sizes), "stroke": "#000", "fill": "none"}
        case Label(_, across, baseline, size, centred):
            anchor = {"text-anchor": "middle"} if centred else {}
            return "text", {**_scaled(x=across, y=baseline, **{"font-size": size}), **anchor}


def _scaled(**lengths: float) -> dict[str, str]:
    return {name: f"{length * _SVG_SQUARE:g}" for name, length in lengths.items()}


_PNG_SQUARE, _PNG_MARGIN = 60, 8
"""In pixels; a 15x15 grid is 916 wide."""

_LARGER = 2
"""Oversampling factor, because Pillow does not smooth circles and lines."""


def write_png(puzzle: Puzzle, lossy: bool = False, *, solved: bool = False) -> Written:
    """Write the empty grid with its numbers, or the solution, with Pillow in the shipped font."""
    warnings = _lost("PNG", puzzle)
    grid = puzzle.grid
    unit, margin = _PNG_SQUARE * _LARGER, _PNG_MARGIN * _LARGER
    size = (grid.width * unit + 2 * margin, grid.height * unit + 2 * margin)
    image = Image.new("L", size, 255)
    pen = ImageDraw.Draw(image)

    @cache
    def face(pixels: float) -> Any:  # cached because opening a font file is slower than drawing a label
        return ImageFont.truetype(fonts_folder() / "LiberationSans-Regular.ttf", pixels)

    def at(length: float) -> float:
        return margin + length * unit

    for shape in shapes(grid, solved=solved):
        match shape:
            case Box(left, top, width, height, grey):
                pen.rectangle((at(left), at(top), at(left + width), at(top + height)), fill=round(grey * 255))
            case Stroke(left, top, right, bottom, thickness):
                half = thickness * unit / 2
                corners = (at(left) - half, at(top) - half, at(right) + half, at(bottom) + half)
                pen.rectangle(corners, fill=0)
            case Ring(across, down, radius, thickness):
                corners = (at(across - radius), at(down - radius), at(across + radius), at(down + radius))
                pen.ellipse(corners, outline=0, width=round(thickness * unit))
            case Label(text, across, baseline, height, centred, width):
                scale = min(1.0, width * unit / face(height * unit).getlength(text))
                font = face(height * unit * scale)
                pen.text((at(across), at(baseline)), text, fill=0, font=font, anchor="ms" if centred else "ls")
    buffer = io.BytesIO()
    image.resize((size[0] // _LARGER, size[1] // _LARGER), Image.Resampling.LANCZOS).save(
        buffer, "PNG", optimize=True
    )
    return Written(buffer.getvalue(), warnings)
