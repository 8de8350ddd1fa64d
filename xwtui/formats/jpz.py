"""JPZ, the XML format of Crossword Compiler and of many sites' players.

The writer produces plain XML (a .jpz may be zipped or not) according to
http://crossword.info/xml/rectangular-puzzle: squares with solution, number, circle, shade and bars, the squares of
each word, and the clues. The reader accepts any program's output: clues go to the entries that match their words'
squares, and those without an entry are kept.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from xml.etree import ElementTree

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES, Losses, Written, check_clue_count
from xwtui.formats.clues import (
    FoundClue,
    RawPuzzle,
    bare_clue_runs,
    found_clue,
    read_raw,
    shaded_in_one,
    with_enumerations,
)
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.ipuz_cells import SHADE_COLOUR, STEPS
from xwtui.formats.plain_text import clean_text, to_html
from xwtui.formats.safe_xml import child_of, children_of, name_of, parsed_xml, runs_of, text_of
from xwtui.lazy import lazy_pattern
from xwtui.model import Bar, Direction, Grid, Kind, Position, Puzzle, Slot
from xwtui.model.grid import LARGEST_SIDE, check_size
from xwtui.model.letters import DIGITS
from xwtui.model.markup import TextRun, as_markup, source_of
from xwtui.model.selection import steps

ROOT = "crossword-compiler-applet"
ROOT_NAMESPACE = "http://crossword.info/xml/crossword-compiler"
PUZZLE_NAMESPACE = "http://crossword.info/xml/rectangular-puzzle"
_DESCRIBED = (("title", "title"), ("creator", "author"), ("copyright", "copyright"), ("description", "notes"))
"""Metadata elements and the puzzle fields that they hold."""

_SIDES = {Direction.ACROSS: "left-bar", Direction.DOWN: "top-bar"}
_BARS = {"top-bar": "T", "bottom-bar": "B", "left-bar": "L", "right-bar": "R"}

_ZIP = b"PK\x03\x04"
_ZIP_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_RANGE = lazy_pattern(r"(\d{1,3})(?:-(\d{1,3}))?")
_KINDS = ("crossword", "coded", "acrostic")
"""The kinds of JPZ puzzles that have a grid of squares and words."""

_MOST_NAMED_SQUARES = 100_000
"""Maximum number of squares that all words together may name; those of a full 40x40 grid name 3,200."""

_UNFILLED = ("-", "?", "_", ".")


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a JPZ file; it holds everything that solvers see, so only clues of other answers are lost."""
    warnings = Losses(".jpz", puzzle).settle(lossy=lossy)
    root = ElementTree.Element(ROOT, xmlns=ROOT_NAMESPACE)
    letters = puzzle.alphabet.symbols.removesuffix(DIGITS)  # the letters that a solver may type
    body = ElementTree.SubElement(root, "rectangular-puzzle", xmlns=PUZZLE_NAMESPACE, alphabet=letters)
    metadata = ElementTree.SubElement(body, "metadata")
    for element, name in _DESCRIBED:
        ElementTree.SubElement(metadata, element).text = clean_text(getattr(puzzle, name), f"the {name}")
    crossword = ElementTree.SubElement(body, "crossword")
    size = {"width": str(puzzle.grid.width), "height": str(puzzle.grid.height)}
    squares = ElementTree.SubElement(crossword, "grid", size)
    look = {"numbering-scheme": "normal", "clue-square-divider-width": "0.7"}
    ElementTree.SubElement(squares, "grid-look", look)
    for at in puzzle.grid.positions():
        place = {"x": str(at.column + 1), "y": str(at.row + 1)}
        ElementTree.SubElement(squares, "cell", {**place, **_attributes(puzzle.grid, at)})
    named = {str(number): slot for number, slot in enumerate(puzzle.grid.clue_slots, start=1)}
    for name, slot in named.items():
        word = ElementTree.SubElement(crossword, "word", id=name)
        for at in slot.reading:  # one element for each square, because some readers do not know `x="1-5"`
            ElementTree.SubElement(word, "cells", x=str(at.column + 1), y=str(at.row + 1))
    clues: list[tuple[ElementTree.Element, Slot]] = []
    for direction in Direction:
        of_direction = ElementTree.SubElement(crossword, "clues", ordering="normal")
        title = ElementTree.SubElement(of_direction, "title")
        ElementTree.SubElement(title, "b").text = direction.word.title()
        for name, slot in named.items():
            if slot.direction is direction:
                told = {"word": name, "number": slot.clue_number}
                clues.append((ElementTree.SubElement(of_direction, "clue", told), slot))
    ElementTree.indent(root, space="")
    for clue, slot in clues:  # after indenting, which would turn spaces between elements into line breaks
        _add_runs(clue, bare_clue_runs(puzzle, slot))
        if (enumeration := puzzle.enumeration(slot)) is not None:
            clue.set("format", str(enumeration))
    return Written(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n", warnings)


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


def _add_runs(clue: ElementTree.Element, runs: Sequence[TextRun]) -> None:
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


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read a JPZ file, zipped or not; raises PuzzleFormatError for anything else."""
    root = parsed_xml(_unzipped(data) if data.startswith(_ZIP) else data)
    puzzle = read_raw(lambda: _told(root, intake), intake, "this .jpz file")
    return with_enumerations(puzzle) if _shows_formats(root) else puzzle


def _unzipped(data: bytes) -> bytes:
    """Return the first file in a zip archive, within the maximum size of a puzzle."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            first = next((name for name in archive.namelist() if not name.endswith("/")), None)
            if first is None:
                raise PuzzleFormatError("this zipped .jpz file is empty")
            with archive.open(first) as file:
                content = file.read(MAX_FILE_BYTES + 1)
    except _ZIP_DAMAGE:
        raise PuzzleFormatError("this zipped .jpz file is damaged") from None
    if len(content) > MAX_FILE_BYTES:
        raise PuzzleFormatError(
            f"this is larger than a puzzle can be ({MAX_FILE_BYTES // 2**20} MB) once unzipped"
        )
    return content


def _told(root: ElementTree.Element, intake: Intake) -> RawPuzzle:
    body = next((each for each in root.iter() if name_of(each) == "rectangular-puzzle"), None)
    puzzle = next((found for kind in _KINDS if (found := child_of(body, kind)) is not None), None)
    grid = child_of(puzzle, "grid")
    if puzzle is None or grid is None:
        raise PuzzleFormatError("this XML has no crossword in Crossword Compiler's format")
    cells = {
        Position(int(cell.get("y", "")) - 1, int(cell.get("x", "")) - 1): cell
        for cell in children_of(grid, "cell")
    }
    height = int(grid.get("height") or max((at.row + 1 for at in cells), default=0))
    width = int(grid.get("width") or max((at.column + 1 for at in cells), default=0))
    check_size(height, width)
    for at, cell in cells.items():
        if not (0 <= at.row < height and 0 <= at.column < width):
            intake.note(Deviation.LEFT_OUT, f"the square {at}")
        elif cell.get("type") == "clue":
            intake.note(Deviation.SQUARES, str(at), "a clue in the grid", "as a block")
    kinds = {at: cell.get("type", "") for at, cell in cells.items()}
    is_open = [at for at in cells if kinds[at] not in ("block", "clue", "void")]
    solutions = {at: cells[at].get("solution", "").strip() for at in is_open}
    metadata = child_of(body, "metadata")
    return RawPuzzle(
        height,
        width,
        {at: "" if text in _UNFILLED else text for at, text in solutions.items()},
        list(_found_clues(puzzle, intake, _shows_formats(root))),
        {name: to_html(text_of(child_of(metadata, element))) for element, name in _DESCRIBED},
        {},
        frozenset(at for at in is_open if cells[at].get("background-shape") == "circle"),
        shaded_in_one({at: cells[at].get("background-color", "") for at in is_open}, intake),
        frozenset(at for at, kind in kinds.items() if kind == "void"),
        frozenset(
            Bar.between(at, at.step(*STEPS[side]))
            for at, cell in cells.items()
            for name, side in _BARS.items()
            if cell.get(name) == "true"
        ),
        {at: number for at in is_open if (number := cells[at].get("number"))},
    )


def _found_clues(puzzle: ElementTree.Element, intake: Intake, shows_formats: bool) -> Iterator[FoundClue]:
    """Yield the clues of all lists, with the lengths of their answers if `shows_formats`."""
    words = _words(puzzle)
    lists = children_of(puzzle, "clues")
    check_clue_count(sum(len(children_of(clues, "clue")) for clues in lists))
    for index, clues in enumerate(lists):
        title = text_of(child_of(clues, "title")).strip().lower()
        told = next((way for way in Direction if title.startswith(way.word)), None)
        for clue in children_of(clues, "clue"):
            squares = words.get(clue.get("word", ""), ())
            by_squares = list(Direction)[squares[0].row != squares[1].row] if len(squares) > 1 else None
            way = told or by_squares or (Direction.DOWN if index else Direction.ACROSS)
            length = clue.get("format", "") if shows_formats else ""
            source = source_of(runs_of(clue)) + (f" ({as_markup(length)})" if length else "")
            yield found_clue(way, clue.get("number"), source, intake, squares, markup=str)


def _words(puzzle: ElementTree.Element) -> Mapping[str, tuple[Position, ...]]:
    """Return the squares of each word by its id, from ranges such as `x="1-5"` on the word or its `cells`."""
    found = children_of(puzzle, "word")
    check_clue_count(len(found))
    words: dict[str, tuple[Position, ...]] = {}
    count = 0
    for word in found:
        extents = [_extent(each) for each in (word, *children_of(word, "cells"))]
        count += sum(len(across) * len(down) for across, down in extents)
        if count > _MOST_NAMED_SQUARES:
            raise PuzzleFormatError(f"a puzzle's words can name at most {_MOST_NAMED_SQUARES:,} squares")
        lines = ((across, down[:1]) if len(across) > 1 else (across[:1], down) for across, down in extents)
        squares = (Position(row - 1, column - 1) for line in lines for column, row in product(*line))
        words[word.get("id", "")] = tuple(squares)
    return words


def _extent(element: ElementTree.Element) -> tuple[Sequence[int], Sequence[int]]:
    """Return the columns and rows that an element names, in order; empty if missing or beyond any grid."""
    told = [_RANGE.fullmatch(element.get(axis, "").strip()) for axis in "xy"]
    ends = [[int(end) for end in found.groups() if end] for found in told if found is not None]
    if len(ends) < 2 or not all(1 <= end <= LARGEST_SIDE for each in ends for end in each):
        return (), ()
    across, down = ends
    return steps(across[0], across[-1]), steps(down[0], down[-1])


def _shows_formats(root: ElementTree.Element) -> bool:
    """Whether the file's answer lengths are more than single numbers, so that they are real enumerations."""
    formats = (each.get("format", "") for each in root.iter() if name_of(each) == "clue")
    return any(not text.isdigit() for text in formats if text)
