"""The manuscript as a Word document, for editors who write into it, by python-docx (`pip install 'xwtui[docx]'`).

It has what the manuscript as PDF has: name and address, counts, the numbered grid and the filled one as pictures,
and a table of clues with their answers, double-spaced.
"""

import io
from collections.abc import Sequence
from typing import Any

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import PAPER, Losses, Written, add_no_titles, add_stale_clues
from xwtui.formats.clues import behind_number
from xwtui.formats.languages import heading
from xwtui.formats.manuscript import counted_grid, manuscript_answer
from xwtui.formats.pdf_page import usual_paper
from xwtui.formats.pictures import write_png
from xwtui.formats.plain_text import clean_text
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Puzzle, Slot
from xwtui.model.markup import TextRun
from xwtui.own_files import sender

with lazy_imports():
    from docx import shared
    from docx.shared import Mm, Pt

_MILLIMETRES = {"a4": (210, 297), "letter": (216, 279)}
_MARGIN = 25
_LARGEST_GRID = 120
_NUMBER, _ANSWER = 18, 50
"""Millimetres of the columns for numbers and for answers."""


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """The manuscript; raises PuzzleFormatError where python-docx is not installed."""
    try:
        import docx  # noqa: PLC0415  (an extra)
    except ImportError:
        raise PuzzleFormatError("a .docx is written by python-docx: `pip install 'xwtui[docx]'`") from None
    losses = Losses(".docx")
    add_stale_clues(puzzle, losses)
    address = clean_text(sender(), "the address")
    kept = ["title", "notes", *(["author"] if not address or puzzle.author in address else [])]
    add_no_titles(puzzle, losses, kept)
    warnings = losses.settle(lossy=lossy)
    document = _Document(docx.Document())
    document.begin(puzzle, address or puzzle.author)
    for direction in Direction:
        slots = puzzle.grid.clue_slots_of(direction)
        if slots:
            document.add_clues(puzzle, heading(puzzle, direction), slots)
    return Written(document.data(), warnings)


class _Document:
    """A document of python-docx, filled from above."""

    def __init__(self, made: Any) -> None:
        self._made, self._mm = made, shared.Mm
        width, height = _MILLIMETRES[PAPER.get() or usual_paper()]
        section = made.sections[0]
        section.page_width, section.page_height = Mm(width), Mm(height)
        for side in ("left", "right", "top", "bottom"):
            setattr(section, f"{side}_margin", Mm(_MARGIN))
        self._room = width - 2 * _MARGIN
        made.styles["Normal"].font.size = Pt(11)

    def begin(self, puzzle: Puzzle, address: str) -> None:
        """What stands above the clues."""
        properties = self._made.core_properties
        properties.title, properties.author = puzzle.title[:255], puzzle.author[:255]
        self._made.add_paragraph("\n".join([*address.splitlines(), ", ".join(counted_grid(puzzle.grid))]))
        self._made.add_heading(puzzle.title or "Untitled", level=1)
        if puzzle.notes:
            self._made.add_paragraph(puzzle.notes)
        side = max(puzzle.grid.height, puzzle.grid.width)
        share = puzzle.grid.width / side
        for solved in (False, True):
            picture = io.BytesIO(write_png(puzzle, lossy=True, solved=solved).data)
            self._made.add_picture(picture, width=self._mm(min(_LARGEST_GRID, self._room) * share))
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
                cell.width = self._mm(width)
            cells[0].text = str(slot.number)
            self._add_runs(cells[1].paragraphs[0], behind_number(puzzle, slot))
            cells[2].text = manuscript_answer(puzzle, slot)

    def _add_runs(self, paragraph: Any, runs: Sequence[TextRun]) -> None:
        paragraph.paragraph_format.line_spacing = 2.0
        for run in runs:
            made = paragraph.add_run(run.text)
            made.italic, made.bold = run.italic or None, run.bold or None

    def data(self) -> bytes:
        """The whole file."""
        buffer = io.BytesIO()
        self._made.save(buffer)
        return buffer.getvalue()
