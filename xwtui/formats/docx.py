"""The manuscript as a Word document, for editors who write into it, by python-docx (`pip install 'xwtui[docx]'`).

It has what the manuscript as PDF has: name and address, counts, the numbered grid and the filled one as pictures,
and a table of clues with their answers, double-spaced.
"""

import io
from collections.abc import Sequence
from typing import Any

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Losses, Written
from xwtui.formats.clues import behind_number
from xwtui.formats.languages import heading
from xwtui.formats.manuscript import counted_grid, manuscript_answer, told_address
from xwtui.formats.pdf_page import chosen_paper
from xwtui.formats.pictures import write_png
from xwtui.formats.plain_text import clean_text
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Puzzle, Slot
from xwtui.model.markup import TextRun

with lazy_imports():
    from docx.shared import Mm, Pt

_MILLIMETRES = {"a4": (210, 297), "letter": (216, 279)}
_MARGIN = 25
_LARGEST_GRID = 120
_NUMBER, _ANSWER = 18, 50
"""Millimetres of the columns for numbers and for answers."""


_TEXTS = ("title", "author", "notes")
_LONGEST = 255
"""Characters that a property of a document holds."""


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """The manuscript; raises PuzzleFormatError where python-docx is not installed."""
    try:
        import docx  # noqa: PLC0415  (an extra)
    except ImportError:
        raise PuzzleFormatError("writing .docx needs python-docx: `pip install 'xwtui[docx]'`") from None
    losses = Losses(".docx", puzzle)
    address = told_address(puzzle, losses)
    warnings = losses.settle(lossy=lossy)
    document = _Document(docx.Document())
    document.begin(puzzle, address)
    for direction in Direction:
        slots = puzzle.grid.clue_slots_of(direction)
        if slots:
            document.add_clues(puzzle, heading(puzzle, direction), slots)
    return Written(document.data(), warnings)


class _Document:
    """A document of python-docx, filled from above."""

    def __init__(self, made: Any) -> None:
        self._made = made
        width, height = _MILLIMETRES[chosen_paper()]
        section = made.sections[0]
        section.page_width, section.page_height = Mm(width), Mm(height)
        for side in ("left", "right", "top", "bottom"):
            setattr(section, f"{side}_margin", Mm(_MARGIN))
        self._room = width - 2 * _MARGIN
        made.styles["Normal"].font.size = Pt(11)

    def begin(self, puzzle: Puzzle, address: str) -> None:
        """What stands above the clues; the author, where there is no address."""
        title, author, notes = (clean_text(getattr(puzzle, name), f"the {name}") for name in _TEXTS)
        properties = self._made.core_properties
        properties.title, properties.author = title[:_LONGEST], author[:_LONGEST]
        sent_by = (address or author).splitlines()
        self._made.add_paragraph("\n".join([*sent_by, ", ".join(counted_grid(puzzle.grid))]))
        self._made.add_heading(title or "Untitled", level=1)
        if notes:
            self._made.add_paragraph(notes)
        side = max(puzzle.grid.height, puzzle.grid.width)
        share = puzzle.grid.width / side
        for solved in (False, True):
            picture = io.BytesIO(write_png(puzzle, lossy=True, solved=solved).data)
            self._made.add_picture(picture, width=Mm(min(_LARGEST_GRID, self._room) * share))
        self._made.add_page_break()

    def add_clues(self, puzzle: Puzzle, title: str, slots: Sequence[Slot]) -> None:
        """A list of clues as a table of number, clue and answer."""
        self._made.add_heading(title, level=2)
        table = self._made.add_table(rows=0, cols=3)
        table.autofit = False
        widths = (_NUMBER, self._room - _NUMBER - _ANSWER, _ANSWER)
        for slot in slots:
            cells = table.add_row().cells
            for cell, width in zip(cells, widths, strict=True):
                cell.width = Mm(width)
            cells[0].text = str(slot.number)
            self._add_runs(cells[1].paragraphs[0], behind_number(puzzle, slot))
            cells[2].text = manuscript_answer(puzzle, slot)

    def _add_runs(self, paragraph: Any, runs: Sequence[TextRun]) -> None:
        paragraph.paragraph_format.line_spacing = 2.0
        for run in runs:
            made = paragraph.add_run(run.text)
            made.italic, made.bold = run.italic or None, run.bold or None

    def data(self) -> bytes:
        buffer = io.BytesIO()
        self._made.save(buffer)
        return buffer.getvalue()
