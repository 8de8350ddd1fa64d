"""JPZ and CrossFire files, read by pypuz.

What comes from elsewhere is looked at before pypuz sees it: XML without entities of its own and of no more than a
puzzle's size, a clue as its text, a grid of a size that we have, words of squares on it. What pypuz makes of
it (https://pypi.org/project/pypuz) is made a puzzle here: clues go to the entries whose squares are theirs, and
those without such an entry are kept as clues that wait for one.
"""

import io
import math
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser
from pypuz.file_types import cfp, jpz

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES, check_clue_count
from xwtui.formats.clues import CluePlacer, FoundClue, puzzle_as_read
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.ipuz_cells import STEPS
from xwtui.formats.plain_text import BOLD_TAGS, ITALIC_TAGS, from_html, markup_from_html
from xwtui.model import BLOCK, VOID, Bar, Direction, Grid, Position, Puzzle, Square
from xwtui.model.clues import EntryClues
from xwtui.model.enumeration import WholeClue
from xwtui.model.grid import LARGEST_SIDE, check_size
from xwtui.model.markup import TextRun, as_markup, source_of

_DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, ElementTree.ParseError)
"""What pypuz, and the reading of what it made, raise where a part of a file is missing or of another kind."""

_TextReader = Callable[[str], str]

_ZIP_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_ZIP = b"PK\x03\x04"
_RANGE = re.compile(r"\d{1,3}(?:-\d{1,3})?")
_KINDS = ("crossword", "coded", "acrostic")
"""The puzzles of JPZ that have a grid of squares and words."""

_MOST_ELEMENTS = 100_000
_DEEPEST = 50
_MOST_NAMED_SQUARES = 100_000
"""Squares that all words of a file may name together; those of a full 40x40 name 3,200."""

_UNFILLED = ("-", "?", "_", ".")
_WHITE = ("ffffff", "fff", "white")
_LINE_BREAKS = ("br", "p", "div", "li")
_BARS = ("top-bar", "bottom-bar", "left-bar", "right-bar")
_CELL_ATTRIBUTES = ("x", "y", "solution", "number", "type", "background-shape", "background-color", *_BARS)


def read_jpz(data: bytes, intake: Intake) -> Puzzle:
    """Read a JPZ file, zipped or not; raises PuzzleFormatError on anything else."""
    root = parsed_xml(_unzipped(data) if data.startswith(_ZIP) else data)
    try:
        puzzle = _puzzle(jpz.read_jpzfile(_zipped(_harmless_jpz(root, intake))), str, str, intake)
        return with_enumerations(puzzle) if _shows_formats(root) else puzzle
    except PuzzleError as error:
        raise PuzzleFormatError(str(error)) from None
    except _DAMAGE:
        raise PuzzleFormatError("this .jpz file is damaged, or is no crossword") from None


def read_crossfire(data: bytes, intake: Intake) -> Puzzle:
    """Read a file of CrossFire (.cfp); raises PuzzleFormatError on anything else."""
    root = parsed_xml(data)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "puzzle.cfp"  # pypuz reads from a path alone
            path.write_bytes(ElementTree.tostring(_harmless_crossfire(root), encoding="us-ascii"))
            return _puzzle(cfp.read_cfpfile(str(path)), from_html, markup_from_html, intake)
    except PuzzleError as error:
        raise PuzzleFormatError(str(error)) from None
    except _DAMAGE:
        raise PuzzleFormatError("this CrossFire file is damaged") from None


def _unzipped(data: bytes) -> bytes:
    """The first file of a zip, no more than a puzzle's size of it."""
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


def _zipped(root: ElementTree.Element) -> io.BytesIO:
    """XML as pypuz takes it without a file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("puzzle.xml", ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
    return buffer


class _BoundedTree(ElementTree.TreeBuilder):
    """The elements of a file, of which no more are made than a puzzle has."""

    def __init__(self) -> None:
        super().__init__()
        self._count = self._depth = 0

    def start(self, tag: Any, attrs: dict[Any, Any], /) -> ElementTree.Element:
        """Begin an element; raises PuzzleFormatError where there are too many."""
        self._count, self._depth = self._count + 1, self._depth + 1
        if self._count > _MOST_ELEMENTS or self._depth > _DEEPEST:
            raise PuzzleFormatError(
                f"XML of more than {_MOST_ELEMENTS:,} elements, or nested more than {_DEEPEST} deep, is no puzzle"
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ElementTree.Element:
        """End an element."""
        self._depth -= 1
        return super().end(tag)


def parsed_xml(data: bytes) -> ElementTree.Element:
    """The root of an XML file without entities of its own, of a puzzle's size; raises PuzzleFormatError."""
    parser = DefusedXMLParser(target=_BoundedTree())
    try:
        parser.feed(data)
        root: ElementTree.Element = parser.close()
    except DefusedXmlException:
        raise PuzzleFormatError("this XML defines entities of its own, which no puzzle needs") from None
    except ElementTree.ParseError as error:
        line, column = error.position
        raise PuzzleFormatError(f"this is no whole XML file (line {line}, column {column + 1})") from None
    except (LookupError, ValueError):
        raise PuzzleFormatError("this XML is in an encoding that nobody knows") from None
    return root


def _name(element: ElementTree.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: ElementTree.Element | None, name: str) -> list[ElementTree.Element]:
    return [child for child in element if _name(child) == name] if element is not None else []


def _child(element: ElementTree.Element | None, name: str) -> ElementTree.Element | None:
    return next(iter(_children(element, name)), None)


def _text(element: ElementTree.Element | None) -> str:
    """The text of an element and all in it, with a line break where its HTML has one."""
    if element is None:
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += ["\n" if _name(child) in _LINE_BREAKS else "", _text(child), child.tail or ""]
    return "".join(parts)


def _runs(element: ElementTree.Element, italic: bool = False, bold: bool = False) -> Iterator[TextRun]:
    """The same of a clue, in runs of italic, bold and plain text."""
    italic, bold = italic or _name(element) in ITALIC_TAGS, bold or _name(element) in BOLD_TAGS
    yield TextRun(element.text or "", italic, bold)
    for child in element:
        yield TextRun("\n" if _name(child) in _LINE_BREAKS else "")
        yield from _runs(child, italic, bold)
        yield TextRun(child.tail or "", italic, bold)


def _harmless_jpz(root: ElementTree.Element, intake: Intake) -> ElementTree.Element:
    """The part of a JPZ file that pypuz looks at: of a known size, and clues without elements in them.

    pypuz drops what follows the first element of a clue, and takes any value of a bar for one.
    """
    body = next((each for each in root.iter() if _name(each) == "rectangular-puzzle"), None)
    kind, puzzle = next(
        ((kind, found) for kind in _KINDS if (found := _child(body, kind)) is not None), ("", None)
    )
    grid = _child(puzzle, "grid")
    if puzzle is None or grid is None:
        raise PuzzleFormatError("this XML holds no crossword of Crossword Compiler's kind")
    cells = _children(grid, "cell")
    height, width = (_side(grid, name, cells, axis) for name, axis in (("height", "y"), ("width", "x")))
    check_size(height, width)
    made = ElementTree.Element("root")
    made_body = ElementTree.SubElement(made, "rectangular-puzzle")
    metadata = ElementTree.SubElement(made_body, "metadata", given="")
    for name in ("title", "creator", "copyright", "description"):
        ElementTree.SubElement(metadata, name).text = _text(_child(_child(body, "metadata"), name))
    made_puzzle = ElementTree.SubElement(made_body, kind)
    made_grid = ElementTree.SubElement(made_puzzle, "grid", width=str(width), height=str(height))
    ElementTree.SubElement(made_grid, "cell", x="1", y="1", type="block")  # pypuz wants two
    for cell in cells:
        given = {name: cell.attrib[name] for name in _CELL_ATTRIBUTES if name in cell.attrib}
        if given.get("type") == "clue":
            given["type"] = "block"
            at = f"r{given.get('y', '?')[:3]}c{given.get('x', '?')[:3]}"
            intake.note(Deviation.SQUARES, intake.line(at, "a square"), "a clue in the grid", "as a block")
        ElementTree.SubElement(
            made_grid, "cell", {n: v for n, v in given.items() if n not in _BARS or v == "true"}
        )
    lists = _children(puzzle, "clues")
    check_clue_count(sum(len(_children(clues, "clue")) for clues in lists))
    words = _children(puzzle, "word")
    _add_words(made_puzzle, words)
    known = {word.get("id", "") for word in words}
    shows_formats = _shows_formats(root)
    if not lists:
        made_clues = ElementTree.SubElement(made_puzzle, "clues")
        ElementTree.SubElement(made_clues, "title").text = Direction.ACROSS.word  # pypuz wants a list
    for clues in lists:
        made_clues = ElementTree.SubElement(made_puzzle, "clues")
        ElementTree.SubElement(made_clues, "title").text = _text(_child(clues, "title"))
        for clue in _children(clues, "clue"):
            _add_clue(made_clues, clue, known, shows_formats)
    return made


def _side(grid: ElementTree.Element, name: str, cells: Sequence[ElementTree.Element], axis: str) -> int:
    """The height or width that the grid tells, or else the last row or column that its squares have."""
    told = grid.get(name)
    return int(told) if told is not None else max((int(cell.get(axis, "0")) for cell in cells), default=0)


def _add_words(puzzle: ElementTree.Element, words: Sequence[ElementTree.Element]) -> None:
    check_clue_count(len(words))
    extents = [_on_the_grid(each) for word in words for each in (word, *_children(word, "cells"))]
    if sum(map(_area, extents)) > _MOST_NAMED_SQUARES:
        raise PuzzleFormatError(f"the words of a puzzle name no more than {_MOST_NAMED_SQUARES:,} squares")
    ElementTree.SubElement(puzzle, "word", id="", x="1", y="1")  # pypuz wants one, and clues may name none
    for word in words:
        made = ElementTree.SubElement(puzzle, "word", {"id": word.get("id", ""), **_on_the_grid(word)})
        for cells in _children(word, "cells"):
            if extent := _on_the_grid(cells):
                ElementTree.SubElement(made, "cells", extent)


def _on_the_grid(element: ElementTree.Element) -> dict[str, str]:
    """The squares that an element names, if no more than a grid has."""
    extent = {axis: element.get(axis, "").strip() for axis in "xy"}
    if not all(_RANGE.fullmatch(text) for text in extent.values()):
        return {}
    ends = [int(end) for text in extent.values() for end in text.split("-")]
    return extent if all(1 <= end <= LARGEST_SIDE for end in ends) else {}


def _area(extent: Mapping[str, str]) -> int:
    """How many squares an element names."""
    ends = [[int(end) for end in text.split("-")] for text in extent.values()]
    return math.prod(abs(each[-1] - each[0]) + 1 for each in ends) if ends else 0


def _add_clue(
    clues: ElementTree.Element, clue: ElementTree.Element, known: Container[str], shows_format: bool
) -> None:
    """Add a clue as text; where no answer of a puzzle has more than one word, its length is no part of it."""
    word = clue.get("word", "")
    made = ElementTree.SubElement(clues, "clue", word=word if word in known else "", number=clue.get("number", ""))
    told = f"({as_markup(clue.get('format', ''))})" if shows_format and clue.get("format") else ""
    made.text = " ".join([*source_of(_runs(clue)).split(), *told.split()]) or None


def _shows_formats(root: ElementTree.Element) -> bool:
    """Whether the lengths that a JPZ file has of its answers are more than numbers, so that they tell anything."""
    formats = (each.get("format", "") for each in root.iter() if _name(each) == "clue")
    return any(not text.isdigit() for text in formats if text)


def with_enumerations(puzzle: Puzzle) -> Puzzle:
    """The puzzle of a file that has them, which stand behind the clues by now."""
    parted = {
        key: EntryClues(tuple(clue._replace(**WholeClue.parted(clue.text)._asdict()) for clue in clues.clues))
        for key, clues in puzzle.clues.items()
    }
    return replace(puzzle, clues=parted)


def _harmless_crossfire(root: ElementTree.Element) -> ElementTree.Element:
    """The file with a grid of a size that we have, whose empty squares are no blanks."""
    grid = _child(root, "GRID")
    if _name(root) != "CROSSFIRE" or grid is None or not grid.text:
        raise PuzzleFormatError("this XML holds no puzzle of CrossFire")
    rows = [row.rstrip("\r") for row in grid.text.strip("\r\n").split("\n")]
    width = int(grid.get("width", len(rows[0])))
    check_size(len(rows), width)
    grid.text = "\n".join(row.ljust(width).replace(" ", "-")[:width] for row in rows)
    grid.set("width", str(width))
    for words in _children(root, "WORDS"):
        check_clue_count(len(words))
        for word in words:
            word.text = _text(word)
            for child in list(word):
                word.remove(child)
    return root


def _puzzle(made: Mapping[str, Any], text_of: _TextReader, clue_of: _TextReader, intake: Intake) -> Puzzle:
    """A puzzle of what pypuz made; `text_of` reads a text of this file, `clue_of` the markup of a clue."""
    metadata = made["metadata"]
    grid = _grid(made["grid"], int(metadata["height"]), int(metadata["width"]), intake)
    labels = {Position(int(cell["y"]), int(cell["x"])): str(cell.get("number") or "") for cell in made["grid"]}
    placer = CluePlacer(grid, intake, {at: label for at, label in labels.items() if label and at in grid})
    for clue in _clues(made["clues"], clue_of, intake):
        placer.place(clue)
    grid, clues = placer.linked()

    return puzzle_as_read(grid, clues, lambda name: text_of(str(metadata.get(name) or "")), intake)


def _grid(cells: Sequence[Mapping[str, Any]], height: int, width: int, intake: Intake) -> Grid:
    """The grid; a square that the file leaves out is a block."""
    check_size(height, width)
    squares: dict[Position, Square] = {}
    bars: set[Bar] = set()
    colours: set[str] = set()
    for cell in cells:
        at = Position(int(cell["y"]), int(cell["x"]))
        style = cell.get("style") or {}
        squares[at] = _square(cell, at, style, intake)
        if squares[at].shade:
            colours.add(str(style["color"]).lower())
        bars |= {Bar.between(at, at.step(*STEPS[side])) for side in style.get("barred", "")}
        if not (0 <= at.row < height and 0 <= at.column < width):
            intake.note(Deviation.LEFT_OUT, f"the square {at}")
    if len(colours) > 1:
        intake.note(Deviation.SQUARES, "all shaded ones", ", ".join(sorted(colours)), "in one shade")
    grid = Grid.from_rows(
        [squares.get(Position(row, column), BLOCK) for column in range(width)] for row in range(height)
    )
    return grid.with_bars(bar for bar in bars if bar.first in grid and bar.second in grid)


def _square(cell: Mapping[str, Any], at: Position, style: Mapping[str, Any], intake: Intake) -> Square:
    if cell.get("isVoid") or cell.get("isEmpty"):
        return VOID
    if cell.get("isBlock"):
        return BLOCK
    solution = str(cell.get("solution") or "").strip()
    square = intake.square("" if solution in _UNFILLED else solution, at)
    is_shaded = str(style.get("color") or "ffffff").lower() not in _WHITE
    return replace(square, circle=style.get("shapebg") == "circle", shade=is_shaded)


def _clues(lists: Sequence[Mapping[str, Any]], clue_of: _TextReader, intake: Intake) -> Iterator[FoundClue]:
    for index, clues in enumerate(lists):
        title = str(clues.get("title") or "").strip().lower()
        is_across, is_down = title.startswith("across"), title.startswith("down")
        direction = Direction.DOWN if is_down or (index and not is_across) else Direction.ACROSS
        for clue in clues["clues"]:
            number = intake.line(str(clue.get("number") or "")[:20], "a clue number")
            text = intake.line(clue_of(str(clue.get("clue") or "")), f"the clue of {number}{direction.value}")
            squares = tuple(Position(int(row), int(column)) for column, row in clue.get("cells") or ())
            own = direction if is_across or is_down else _direction(squares, direction)
            yield FoundClue(own, number or None, text, squares)


def _direction(squares: Sequence[Position], otherwise: Direction) -> Direction:
    """The direction of squares, for a list that does not tell."""
    if len(squares) < 2:
        return otherwise
    return Direction.ACROSS if squares[0].row == squares[1].row else Direction.DOWN
