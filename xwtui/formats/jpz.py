"""JPZ, the XML of Crossword Compiler and of the players on many sites, as it is written; `through_pypuz` reads it.

Written is the plain XML (a .jpz may be zipped or not) after the schema http://crossword.info/xml/rectangular-puzzle:
squares with solution, number, circle, shade and bars, the squares of each word, and the clues.
"""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from xwtui.formats.base import Losses, Written, add_stale_clues
from xwtui.formats.clues import bare_clue_runs
from xwtui.formats.ipuz_cells import SHADE_COLOUR
from xwtui.formats.plain_text import clean_text
from xwtui.model import Bar, Direction, Grid, Kind, Position, Puzzle, Slot
from xwtui.model.letters import DIGITS
from xwtui.model.markup import TextRun

ROOT = "crossword-compiler-applet"
ROOT_NAMESPACE = "http://crossword.info/xml/crossword-compiler"
PUZZLE_NAMESPACE = "http://crossword.info/xml/rectangular-puzzle"
_DESCRIBED = (("title", "title"), ("creator", "author"), ("copyright", "copyright"), ("description", "notes"))
"""The elements of the metadata, and the fields of a puzzle that they hold."""

_SIDES = {Direction.ACROSS: "left-bar", Direction.DOWN: "top-bar"}


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a JPZ file; all that a solver sees has its place, so nothing but clues of other answers is lost."""
    losses = Losses(".jpz")
    add_stale_clues(puzzle, losses)
    warnings = losses.settle(lossy=lossy)
    root = ElementTree.Element(ROOT, xmlns=ROOT_NAMESPACE)
    body = ElementTree.SubElement(root, "rectangular-puzzle", xmlns=PUZZLE_NAMESPACE, alphabet=_letters(puzzle))
    metadata = ElementTree.SubElement(body, "metadata")
    for element, name in _DESCRIBED:
        ElementTree.SubElement(metadata, element).text = clean_text(getattr(puzzle, name), f"the {name}")
    crossword = ElementTree.SubElement(body, "crossword")
    _add_grid(crossword, puzzle.grid)
    for number, slot in enumerate(puzzle.grid.clue_slots, start=1):
        word = ElementTree.SubElement(crossword, "word", id=str(number))
        for at in slot.reading:  # square by square: some readers know no `x="1-5"`
            ElementTree.SubElement(word, "cells", x=str(at.column + 1), y=str(at.row + 1))
    clues = [clue for direction in Direction for clue in _clues(crossword, puzzle, direction)]
    ElementTree.indent(root, space="")
    for clue, slot in clues:  # after the indenting, which would make lines of the blanks between two elements
        _add_runs(clue, bare_clue_runs(puzzle, slot))
        if (enumeration := puzzle.enumeration(slot)) is not None:
            clue.set("format", str(enumeration))
    return Written(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n", warnings)


def _letters(puzzle: Puzzle) -> str:
    """The letters that a solver may type, in their order."""
    return puzzle.alphabet.symbols.removesuffix(DIGITS)


def _add_grid(crossword: ElementTree.Element, grid: Grid) -> None:
    element = ElementTree.SubElement(crossword, "grid", width=str(grid.width), height=str(grid.height))
    ElementTree.SubElement(
        element, "grid-look", {"numbering-scheme": "normal", "clue-square-divider-width": "0.7"}
    )
    for at in grid.positions():
        ElementTree.SubElement(
            element, "cell", {"x": str(at.column + 1), "y": str(at.row + 1), **_attributes(grid, at)}
        )


def _attributes(grid: Grid, at: Position) -> dict[str, str]:
    square = grid[at]
    neighbours = ((direction, at.step(direction, -1)) for direction in Direction)
    attributes = {_SIDES[way]: "true" for way, before in neighbours if Bar(before, at) in grid.bars}
    if not square.is_open:
        return {"type": "block" if square.kind is Kind.BLOCK else "void", **attributes}
    if square.content is not None:
        attributes["solution"] = square.content.text
    if number := grid.numbers.get(at):
        attributes["number"] = str(number)
    if square.circle:
        attributes["background-shape"] = "circle"
    if square.shade:
        attributes["background-color"] = f"#{SHADE_COLOUR}"
    return attributes


def _clues(
    crossword: ElementTree.Element, puzzle: Puzzle, direction: Direction
) -> Iterator[tuple[ElementTree.Element, Slot]]:
    """Add the clues of a direction, without their texts yet; each with its slot."""
    clues = ElementTree.SubElement(crossword, "clues", ordering="normal")
    ElementTree.SubElement(ElementTree.SubElement(clues, "title"), "b").text = direction.word.title()
    for number, slot in enumerate(puzzle.grid.clue_slots, start=1):
        if slot.direction is direction:
            clue = ElementTree.SubElement(clues, "clue", word=str(number), number=slot.clue_number)
            yield clue, slot


def _add_runs(clue: ElementTree.Element, runs: Sequence[TextRun]) -> None:
    """Add the text of a clue, with an element for what is italic or bold."""
    last: ElementTree.Element | None = None
    for run in runs:
        if run.italic or run.bold:
            last = inner = ElementTree.SubElement(clue, "i" if run.italic else "b")
            if run.italic and run.bold:
                inner = ElementTree.SubElement(last, "b")
            inner.text = run.text
        elif last is None:
            clue.text = run.text
        else:
            last.tail = run.text
