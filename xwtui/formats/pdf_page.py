"""Shared parts of the PDF formats: paper, font, text in lines, and the grid on the page.

Lengths are in points (72 to an inch) from the lower left corner of the page, as in reportlab.
"""

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from anyascii import anyascii
from reportlab.lib.pagesizes import A4, letter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from xwtui.formats.base import PAPER, Losses, name_places
from xwtui.formats.pictures import Box, Label, Ring, Stroke, shapes
from xwtui.formats.plain_text import clean_text
from xwtui.model import Grid
from xwtui.model.markup import TextRun, normal, plain_text
from xwtui.resources import fonts_folder
from xwtui.text import first_named

_LETTER = ("US", "CA", "MX", "PH", "PR", "CL", "CO", "VE", "CR", "GT", "PA", "DO", "SV", "NI", "HN", "BO")
"""Countries that use Letter paper (8.5 x 11 inches); all others use A4."""


class Paper(NamedTuple):
    """A paper size in points."""

    width: float
    height: float


def usual_paper(environment: Mapping[str, str] = os.environ) -> str:
    """Return the paper of the locale's country, as in `sv_SE.UTF-8`; letter if there is none."""
    told = next(filter(None, map(environment.get, ("LC_ALL", "LC_PAPER", "LANG"))), "")
    country = re.search(r"_([A-Z]{2})\b", told)
    return "letter" if country is None or country[1] in _LETTER else "a4"


def chosen_paper() -> str:
    """Return the name of the chosen paper, or of the default."""
    return PAPER.get() or usual_paper()


def paper() -> Paper:
    """Return the size of the chosen paper."""
    return Paper(*map(float, letter if chosen_paper() == "letter" else A4))


_SLANT = 0.2
"""Slant of italics relative to their height."""
REGULAR, BOLD = "LiberationSans-Regular", "LiberationSans-Bold"


class PdfDocument:
    """A PDF file under construction; deterministic for a puzzle."""

    def __init__(self, title: str, author: str) -> None:
        faces = {name: TTFont(name, fonts_folder() / f"{name}.ttf") for name in (REGULAR, BOLD)}
        for face in faces.values():
            pdfmetrics.registerFont(face)
        self._glyphs = frozenset(faces[REGULAR].face.charToGlyph) & frozenset(faces[BOLD].face.charToGlyph)
        self._spelled: list[str] = []
        self._cut: list[str] = []
        self._buffer = io.BytesIO()
        self.canvas: Any = Canvas(self._buffer, pagesize=paper(), invariant=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor(author)
        self.canvas.setCreator("xwtui")

    def text(self, text: str, what: str) -> str:
        """Return text in characters that the font has; `what` names it in a warning if some were missing."""
        (run,) = self.runs((TextRun(clean_text(text, what)),), what)
        return run.text

    def runs(self, runs: Sequence[TextRun], what: str) -> tuple[TextRun, ...]:
        """Return clean runs in characters that the font has."""
        text = plain_text(runs)
        strange = {character for character in text if ord(character) not in self._glyphs and character != "\n"}
        if not strange:
            return tuple(runs)
        self._spelled.append(f"{what} ({first_named(sorted(strange))})")
        spelled = {ord(character): anyascii(character) or "?" for character in strange}
        return tuple(run._replace(text=run.text.translate(spelled)) for run in runs)

    def first_lines(self, broken: Iterable[str], most: int, what: str) -> list[str]:
        """Return the first `most` lines of a text; `what` names it in a warning if there are more."""
        first = list(islice(broken, most + 1))
        if len(first) > most:
            self._cut.append(what)
        return first[:most]

    def tell(self, losses: Losses) -> None:
        """Report texts with characters that the font lacks, and truncated texts."""
        if self._spelled:
            losses.tell(f"cannot show these characters, spelled out: {name_places(self._spelled)}")
        if self._cut:
            losses.tell(f"has no room for the end of {name_places(self._cut)}")

    def write(
        self, text: str, x: float, y: float, size: float, font: str = REGULAR, *, align: str = "left"
    ) -> None:
        """Write one line of text on a baseline, aligned at `x`."""
        self.canvas.setFont(font, size)
        put = {"left": "drawString", "right": "drawRightString", "centre": "drawCentredString"}[align]
        getattr(self.canvas, put)(x, y, text)

    def write_runs(self, runs: Sequence[TextRun], x: float, y: float, size: float) -> None:
        """Write one line of text on a baseline; italics are slanted upright letters."""
        for run in runs:
            line = self.canvas.beginText()
            line.setFont(_font(run), size)
            line.setTextTransform(1, 0, _SLANT if run.italic else 0, 1, x, y)
            line.textOut(run.text)
            self.canvas.drawText(line)
            x += text_width(run.text, size, _font(run))

    def end_page(self) -> None:
        self.canvas.showPage()

    def data(self) -> bytes:
        self.canvas.save()
        return self._buffer.getvalue()

    def draw_grid(self, grid: Grid, left: float, top: float, square: float, *, solved: bool = False) -> None:
        """Draw the grid from its upper left corner, with squares of this size in points."""
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
    """Return the width of a line of text."""
    return float(pdfmetrics.stringWidth(text, font, size))


def lines(text: str, size: float, width: float) -> list[str]:
    """Break text into lines of a width; words that are longer are broken, too."""
    paragraphs = text.split("\n")
    broken = (line for paragraph in paragraphs for line in run_lines((TextRun(paragraph),), size, width))
    return [plain_text(line) for line in broken]


def run_lines(runs: Sequence[TextRun], size: float, width: float) -> list[tuple[TextRun, ...]]:
    """Break a paragraph of runs into lines, at least one."""
    broken: list[list[TextRun]] = []
    line: list[TextRun] = []
    taken = 0.0
    for word in _words(runs):
        blank = (
            TextRun(" ", line[-1].italic and word[0].italic, line[-1].bold and word[0].bold)
            if line
            else TextRun("")
        )
        wide, room = _width(word, size), _width([blank], size)
        if taken + room + wide <= width:
            line += [blank, *word]
            taken += room + wide
            continue
        if line:
            broken.append(line)
        *whole, line = _pieces(word, size, width)
        broken += whole
        taken = _width(line, size)
    return [normal(each) for each in (*broken, line)]


def _words(runs: Sequence[TextRun]) -> Iterator[tuple[TextRun, ...]]:
    word: list[TextRun] = []
    for run in runs:
        for part in re.findall(r"\s+|\S+", run.text):
            if not part.isspace():
                word.append(run._replace(text=part))
            elif word:
                yield tuple(word)
                word = []
    if word:
        yield tuple(word)


def _pieces(word: Sequence[TextRun], size: float, width: float) -> Iterator[list[TextRun]]:
    piece: list[TextRun] = []
    taken = 0.0
    for run in word:
        for character in run.text:
            wide = text_width(character, size, _font(run))
            if piece and taken + wide > width:
                yield piece
                piece, taken = [], 0.0
            piece.append(run._replace(text=character))
            taken += wide
    yield piece


def _width(runs: Sequence[TextRun], size: float) -> float:
    return sum(text_width(run.text, size, _font(run)) for run in runs)


def _font(run: TextRun) -> str:
    return BOLD if run.bold else REGULAR
