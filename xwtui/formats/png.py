"""PNG: the empty grid with its numbers, or the solution, drawn with Pillow in the font that ships with xwtui."""

import io
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from xwtui.formats.base import Losses, Written, add_no_clues, add_no_titles
from xwtui.formats.drawing import Box, Label, Ring, Stroke, shapes
from xwtui.model import Puzzle
from xwtui.resources import fonts_folder

_SQUARE = 60
"""Pixels a square: a 15x15 is 916 wide."""

_MARGIN = 8
_LARGER = 2
"""Drawn so many times as large and made smaller, as Pillow's circles and lines are jagged."""


def write_grid(puzzle: Puzzle, lossy: bool = False) -> Written:
    """The empty grid."""
    return _drawn(puzzle, solved=False)


def write_solution(puzzle: Puzzle, lossy: bool = False) -> Written:
    """The filled grid."""
    return _drawn(puzzle, solved=True)


def _drawn(puzzle: Puzzle, *, solved: bool) -> Written:
    losses = Losses("PNG")
    add_no_titles(puzzle, losses)
    add_no_clues(puzzle, losses)
    grid = puzzle.grid
    unit, margin = _SQUARE * _LARGER, _MARGIN * _LARGER
    size = (grid.width * unit + 2 * margin, grid.height * unit + 2 * margin)
    image = Image.new("L", size, 255)
    pen = ImageDraw.Draw(image)

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
                scale = min(1.0, width * unit / _face(height * unit).getlength(text))
                face = _face(height * unit * scale)
                pen.text((at(across), at(baseline)), text, fill=0, font=face, anchor="ms" if centred else "ls")
    buffer = io.BytesIO()
    image.resize((size[0] // _LARGER, size[1] // _LARGER), Image.Resampling.LANCZOS).save(
        buffer, "PNG", optimize=True
    )
    return Written(buffer.getvalue(), losses.settle(lossy=True))


@lru_cache(maxsize=32)
def _face(pixels: float) -> ImageFont.FreeTypeFont:
    """The font in a size, as opening its file takes longer than drawing a label."""
    return ImageFont.truetype(fonts_folder() / "LiberationSans-Regular.ttf", pixels)
