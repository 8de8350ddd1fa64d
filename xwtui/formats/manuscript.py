"""The manuscript that newspapers require, as PDF, or for Word by python-docx (the extra `docx`).

It has the constructor's name and address, the numbers of words and blocks, the numbered empty grid, the filled
grid, and the clues with their answers, double-spaced. For Word, the grids are pictures and the clues a table.

Name and address come from the settings (`address`, several lines), or else from the puzzle's author.
"""

import io
from collections.abc import Sequence
from typing import Any

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Losses, Written, add_no_titles
from xwtui.formats.clues import after_number, heading
from xwtui.formats.pdf_page import BOLD, PdfDocument, chosen_paper, lines, paper, run_lines, text_width
from xwtui.formats.pictures import write_png
from xwtui.formats.plain_text import clean_text
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Grid, Puzzle, Slot
from xwtui.plugins import install_hint
from xwtui.text import counted
from xwtui.user_files import sender

with lazy_imports():
    from docx.shared import Mm, Pt

_MARGIN = 72.0
_SIZE = 11.0
_SINGLE, _DOUBLE = 14.0, 28.0
_LARGEST_SQUARE = 28.0
_NUMBER_WIDTH = 30.0
_ANSWER_WIDTH = 150.0


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write the pages of a manuscript."""
    losses = Losses("PDF", puzzle)
    address = author_address(puzzle, losses)
    empty = [at for at in puzzle.grid.open_positions() if puzzle.grid[at].content is None]
    document = PdfDocument(puzzle.title, puzzle.author)
    pages = _Manuscript(puzzle, document, address or puzzle.author)
    pages.add_grid(solved=False)
    pages.add_grid(solved=True)
    pages.add_clues()
    document.tell(losses)
    if empty:
        losses.tell(f"shows an unfinished grid: {len(empty)} squares are empty")
    return Written(document.data(), losses.settle(lossy=lossy))


def author_address(puzzle: Puzzle, losses: Losses) -> str:
    """Return the name and address from the settings, noting texts that a manuscript has no place for."""
    address = clean_text(sender(), "the address")
    kept = ["title", "notes", *(["author"] if not address or puzzle.author in address else [])]
    add_no_titles(puzzle, losses, kept)
    return address


def counted_grid(grid: Grid) -> tuple[str, ...]:
    """Return its size, words and blocks in the form that editors expect."""
    size = f"{grid.width} × {grid.height}"
    return size, counted(len(grid.entries), "word"), counted(grid.block_count, "block")


def manuscript_answer(puzzle: Puzzle, slot: Slot) -> str:
    """Return an entry's answer, with `_` for empty squares, and with the entered form if that differs."""
    told = puzzle.entered_answer(slot)
    if told is not None:
        return str(told)
    contents = ((puzzle.grid[at].content, way) for at, way in zip(slot.reading, slot.directions, strict=True))
    return "".join("_" if content is None else content.reading(way) for content, way in contents)


class _Manuscript:
    """The pages in sequence, each with the same header block."""

    def __init__(self, puzzle: Puzzle, document: PdfDocument, address: str) -> None:
        self._puzzle = puzzle
        self._document = document
        self._paper = paper()
        self._width = self._paper.width - 2 * _MARGIN
        self._counts = counted_grid(puzzle.grid)
        title = lines(document.text(puzzle.title, "the title") or "Untitled", _SIZE * 1.06, self._width)
        notes = lines(document.text(puzzle.notes, "the notes"), _SIZE, self._width)
        sent_by = document.text(address, "the name and address").splitlines()
        self._address = document.first_lines(filter(None, sent_by), 8, "the name and address")
        self._title = document.first_lines(filter(None, title), 3, "the title")
        self._notes = document.first_lines(filter(None, notes), 8, "the notes")
        self._page = 0

    def _begin_page(self) -> float:
        """Draw the header block on a new page; returns where the rest begins."""
        if self._page:
            self._document.end_page()
        self._page += 1
        write = self._document.write
        top = self._paper.height - _MARGIN + _SINGLE
        for index, line in enumerate(self._address):
            write(line, _MARGIN, top - index * _SINGLE, _SIZE)
        for index, line in enumerate((*self._counts, f"page {self._page}")):
            write(line, self._paper.width - _MARGIN, top - index * _SINGLE, _SIZE, align="right")
        y = top - (max(len(self._address), len(self._counts) + 1) + 1) * _SINGLE
        for line in self._title:
            write(line, self._paper.width / 2, y, _SIZE, BOLD, align="centre")
            y -= _SINGLE
        return y - _SINGLE

    def add_grid(self, *, solved: bool) -> None:
        """Add a page with the grid; the filled one also has the notes."""
        top = self._begin_page()
        grid = self._puzzle.grid
        notes = self._notes if solved else []
        room = (self._width) / grid.width, (top - _MARGIN - len(notes) * _SINGLE) / grid.height
        square = min(*room, _LARGEST_SQUARE)
        self._document.draw_grid(grid, (self._paper.width - square * grid.width) / 2, top, square, solved=solved)
        y = top - square * grid.height - _DOUBLE
        for line in notes:
            self._document.write(line, _MARGIN, y, _SIZE)
            y -= _SINGLE

    def add_clues(self) -> None:
        """Add the clues, double-spaced, each with its answer on the right."""
        y = self._begin_page()
        for direction in Direction:
            slots = self._puzzle.grid.clue_slots_of(direction)
            headings = [heading(self._puzzle, direction).upper()] if slots else []
            for slot in slots:
                clue = self._document.runs(after_number(self._puzzle, slot), f"the clue of {slot.name}")
                answer = manuscript_answer(self._puzzle, slot)
                own_line = text_width(answer, _SIZE) > _ANSWER_WIDTH
                width = self._width - _NUMBER_WIDTH - (0 if own_line else _ANSWER_WIDTH)
                clue_lines = run_lines(clue, _SIZE, width)
                for text in headings:
                    y = self._next(y, 2)
                    self._document.write(text, _MARGIN, y, _SIZE, BOLD)
                headings = []
                for index, runs in enumerate(clue_lines):
                    y = self._next(y)
                    indent = _NUMBER_WIDTH
                    if index == 0:
                        number = str(slot.number)
                        self._document.write(number, _MARGIN, y, _SIZE)
                        indent = text_width(number, _SIZE) if slot.lights else _NUMBER_WIDTH  # as `1/5D`
                    self._document.write_runs(runs, _MARGIN + indent, y, _SIZE)
                    if index == 0 and not own_line:
                        self._document.write(answer, self._paper.width - _MARGIN - _ANSWER_WIDTH + 12, y, _SIZE)
                for text in lines(answer, _SIZE, self._width - _NUMBER_WIDTH) if own_line else ():
                    y = self._next(y)
                    self._document.write(text, self._paper.width - _MARGIN, y, _SIZE, align="right")

    def _next(self, y: float, lines_together: int = 1) -> float:
        """Return the baseline of the next line, on a new page if this one is full."""
        below = y - _DOUBLE
        return below if below - (lines_together - 1) * _DOUBLE >= _MARGIN else self._begin_page() - _SINGLE


_MILLIMETRES = {"a4": (210, 297), "letter": (216, 279)}
_WORD_MARGIN = 25
_LARGEST_GRID = 120
_NUMBER, _ANSWER = 18, 50
"""Widths in millimeters of the columns for numbers and answers."""


_TEXTS = ("title", "author", "notes")
_LONGEST = 255
"""Maximum length of a document property."""


def write_word(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write the manuscript for Word; raises PuzzleFormatError if python-docx is not installed."""
    try:
        import docx  # noqa: PLC0415  (an extra)
    except ImportError:
        raise PuzzleFormatError(f"writing .docx needs python-docx: {install_hint('docx')}") from None
    losses = Losses(".docx", puzzle)
    address = author_address(puzzle, losses)
    warnings = losses.settle(lossy=lossy)
    document = _WordDocument(docx.Document())
    document.begin(puzzle, address)
    for direction in Direction:
        slots = puzzle.grid.clue_slots_of(direction)
        if slots:
            document.add_clues(puzzle, heading(puzzle, direction), slots)
    return Written(document.data(), warnings)


class _WordDocument:
    def __init__(self, made: Any) -> None:
        self._made = made
        width, height = _MILLIMETRES[chosen_paper()]
        section = made.sections[0]
        section.page_width, section.page_height = Mm(width), Mm(height)
        for side in ("left", "right", "top", "bottom"):
            setattr(section, f"{side}_margin", Mm(_WORD_MARGIN))
        self._room = width - 2 * _WORD_MARGIN
        made.styles["Normal"].font.size = Pt(11)

    def begin(self, puzzle: Puzzle, address: str) -> None:
        """Add everything above the clues, with the author if there is no address."""
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
        """Add a clue list as a table of number, clue and answer."""
        self._made.add_heading(title, level=2)
        table = self._made.add_table(rows=0, cols=3)
        table.autofit = False
        widths = (_NUMBER, self._room - _NUMBER - _ANSWER, _ANSWER)
        for slot in slots:
            cells = table.add_row().cells
            for cell, width in zip(cells, widths, strict=True):
                cell.width = Mm(width)
            cells[0].text = str(slot.number)
            clue = cells[1].paragraphs[0]
            clue.paragraph_format.line_spacing = 2.0
            for run in after_number(puzzle, slot):
                added = clue.add_run(run.text)
                added.italic, added.bold = run.italic or None, run.bold or None
            cells[2].text = manuscript_answer(puzzle, slot)

    def data(self) -> bytes:
        buffer = io.BytesIO()
        self._made.save(buffer)
        return buffer.getvalue()
