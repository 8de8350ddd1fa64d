"""What the PDF files have in common: the paper, the font, text in lines, and the grid on the page.

Lengths are in points (72 to an inch) from the lower left corner of the page, as reportlab has them.
"""

import io
from collections.abc import Iterator
from typing import Any

from anyascii import anyascii
from reportlab.lib.pagesizes import letter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from xwtui.formats.base import Losses, name_places
from xwtui.formats.drawing import Box, Label, Ring, Stroke, shapes
from xwtui.formats.plain_text import clean_text
from xwtui.model import Grid
from xwtui.resources import fonts_folder
from xwtui.text import first_named

WIDTH: float = letter[0]
HEIGHT: float = letter[1]
REGULAR, BOLD = "LiberationSans-Regular", "LiberationSans-Bold"


class PdfDocument:
    """A PDF file that is being drawn, the same bytes for the same puzzle."""

    def __init__(self, title: str, author: str) -> None:
        faces = {name: TTFont(name, fonts_folder() / f"{name}.ttf") for name in (REGULAR, BOLD)}
        for face in faces.values():
            pdfmetrics.registerFont(face)
        self._glyphs = frozenset(faces[REGULAR].face.charToGlyph) & frozenset(faces[BOLD].face.charToGlyph)
        self._spelled: list[str] = []
        self._cut: list[str] = []
        self._buffer = io.BytesIO()
        self.canvas: Any = Canvas(self._buffer, pagesize=letter, invariant=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor(author)
        self.canvas.setCreator("xwtui")

    def text(self, text: str, what: str) -> str:
        """Text in characters that the font has; `what` it is names it in a warning where some were not."""
        cleaned = clean_text(text, what)
        strange = {character for character in cleaned if ord(character) not in self._glyphs and character != "\n"}
        if not strange:
            return cleaned
        self._spelled.append(f"{what} ({first_named(sorted(strange))})")
        return cleaned.translate({ord(character): anyascii(character) or "?" for character in strange})

    def first_lines(self, broken: list[str], most: int, what: str) -> list[str]:
        """The lines of a text, `most` of them; `what` it is names it in a warning where there are more."""
        if len(broken) > most:
            self._cut.append(what)
        return broken[:most]

    def tell(self, losses: Losses) -> None:
        """Tell which texts have characters that the font has not, and which are cut off."""
        if self._spelled:
            losses.tell(f"cannot show these characters, spelled out: {name_places(self._spelled)}")
        if self._cut:
            losses.tell(f"has no room for the end of {name_places(self._cut)}")

    def write(
        self, text: str, x: float, y: float, size: float, font: str = REGULAR, *, align: str = "left"
    ) -> None:
        """Put one line of text on a baseline, from, to or around `x`."""
        self.canvas.setFont(font, size)
        put = {"left": "drawString", "right": "drawRightString", "centre": "drawCentredString"}[align]
        getattr(self.canvas, put)(x, y, text)

    def end_page(self) -> None:
        """Begin another page."""
        self.canvas.showPage()

    def data(self) -> bytes:
        """The whole file."""
        self.canvas.save()
        return self._buffer.getvalue()

    def draw_grid(self, grid: Grid, left: float, top: float, square: float, *, solved: bool = False) -> None:
        """Draw the grid from its upper left corner, each square so many points wide."""
        pen = self.canvas
        for shape in shapes(grid, solved=solved):
            match shape:
                case Box(x, y, width, height, grey):
                    pen.setFillGray(grey)
                    place = (left + x * square, top - (y + height) * square, width * square, height * square)
                    pen.rect(*place, stroke=0, fill=1)
                case Stroke(x, y, right, bottom, thickness):
                    pen.setLineWidth(thickness * square)
                    pen.setLineCap(2)
                    pen.line(left + x * square, top - y * square, left + right * square, top - bottom * square)
                case Ring(x, y, radius, thickness):
                    pen.setLineWidth(thickness * square)
                    pen.circle(left + x * square, top - y * square, radius * square)
                case Label(text, x, baseline, size, centred, width):
                    pen.setFillGray(0)
                    points = size * square
                    points *= min(1.0, width * square / text_width(text, points))
                    align = "centre" if centred else "left"
                    self.write(text, left + x * square, top - baseline * square, points, align=align)
        pen.setFillGray(0)


def text_width(text: str, size: float, font: str = REGULAR) -> float:
    """How wide a line of text is."""
    return float(pdfmetrics.stringWidth(text, font, size))


def lines(text: str, size: float, width: float) -> list[str]:
    """Text broken into lines of a width; a word that is longer is broken too."""
    broken: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if text_width(longer, size) <= width:
                line = longer
                continue
            if line:
                broken.append(line)
            *whole, line = _pieces(word, size, width)
            broken += whole
        broken.append(line)
    return broken


def _pieces(word: str, size: float, width: float) -> Iterator[str]:
    """A word in pieces of a width at most."""
    piece = ""
    for character in word:
        if piece and text_width(piece + character, size) > width:
            yield piece
            piece = ""
        piece += character
    yield piece
