"""Puzzles as newspapers' pages have them: XWordInfo and the New York Times, the Guardian (JSON), Universal (XML).

Their shapes are as several public programs read them. XWordInfo: `size`, `grid` square by square, `.` for a block,
`circles`, `clues` as `1. Text`. The Guardian: `dimensions` and `entries` with `position`, `length`, `solution`.
Universal and USA Today: `<AllAnswer v="ABC-…"/>`, `-` for a block, and a clue an element, quoted as in addresses.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import check_clue_count
from xwtui.formats.clues import CluePlacer, FoundClue, puzzle_as_read
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.json_document import parse_document
from xwtui.formats.plain_text import from_html, markup_from_html
from xwtui.formats.through_pypuz import parsed_xml, with_enumerations
from xwtui.formats.xd import HEADERS
from xwtui.model import BLOCK, Direction, Grid, Position, Puzzle, Square
from xwtui.model.grid import check_size

_DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, OSError)
"""What comes of a field that is missing or of another kind."""

_WAYS = {way.word: way for way in Direction}


class _Told(NamedTuple):
    """What a file tells: the content of each square, None for a block, and the rest as far as it is there."""

    height: int
    width: int
    contents: Mapping[Position, str]
    clues: Sequence[FoundClue]
    texts: Mapping[str, str]
    """Title, author, copyright and notes as HTML."""
    headers: Mapping[str, str]
    marked: frozenset[Position] = frozenset()
    is_shade: bool = False
    """Whether what is marked is shaded, and not circled."""


def read_xword_info(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of XWordInfo's or the Times's shape; raises PuzzleFormatError on anything else."""
    return _read(lambda: _xword_info(parse_document(data), intake), intake)


def read_guardian(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of the Guardian's shape; raises PuzzleFormatError on anything else."""
    return with_enumerations(_read(lambda: _guardian(parse_document(data), intake), intake))


def read_universal(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of Universal's or USA Today's shape; raises PuzzleFormatError on anything else."""
    root = parsed_xml(data)
    return _read(lambda: _universal(root, intake), intake)


def _read(tell: Callable[[], _Told], intake: Intake) -> Puzzle:
    try:
        told = tell()
        grid = Grid.from_rows(
            [_square(told, Position(row, column), intake) for column in range(told.width)]
            for row in range(told.height)
        )
        check_clue_count(len(told.clues))
        placer = CluePlacer(grid, intake)
        for clue in told.clues:
            placer.place(clue)
        grid, clues = placer.linked()
        headers = {name: intake.line(value, f"the {name}") for name, value in told.headers.items() if value}
        foreign = {HEADERS: headers} if headers else None
        return puzzle_as_read(grid, clues, lambda name: from_html(told.texts.get(name, "")), intake, foreign)
    except PuzzleError as error:
        raise PuzzleFormatError(str(error)) from None
    except _DAMAGE:
        raise PuzzleFormatError("this puzzle of a newspaper's page is damaged, or is none") from None


def _square(told: _Told, at: Position, intake: Intake) -> Square:
    content = told.contents.get(at)
    if content is None:
        return BLOCK
    is_marked = at in told.marked
    square = intake.square(content, at)
    return replace(square, circle=is_marked and not told.is_shade, shade=is_marked and told.is_shade)


def _clue(
    way: Direction, number: object, source: str, intake: Intake, squares: Iterable[Position] = ()
) -> FoundClue:
    """A clue of a number; `source` is HTML."""
    name = intake.line(str(number)[:20], "a clue number") or None
    text = intake.line(markup_from_html(source), f"the clue of {name or '?'}{way.value}")
    return FoundClue(way, name, text, tuple(squares))


def _texts(fields: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(fields.get(name) or "") for name in ("title", "author", "copyright")}


def _row_by_row(values: Sequence[str], width: int, block: str) -> dict[Position, str]:
    return {Position(*divmod(at, width)): value for at, value in enumerate(values) if value != block}


def _xword_info(fields: Mapping[str, Any], intake: Intake) -> _Told:
    height, width = int(fields["size"]["rows"]), int(fields["size"]["cols"])
    check_size(height, width)
    values = [str(value) for value in fields["grid"]]
    if len(values) != height * width:
        raise ValueError("the grid has another number of squares")
    clues = []
    for name, way in _WAYS.items():
        for text in fields["clues"][name]:
            number, _, source = str(text).partition(".")
            clues.append(_clue(way, number, source, intake))
    for name in ("bbars", "rbars", "uniclue"):
        if fields.get(name):
            intake.note(Deviation.LEFT_OUT, f"'{name}'")
    texts = {**_texts(fields), "notes": str(fields.get("notepad") or "")}
    headers = {name: str(fields.get(name.lower()) or "") for name in ("Editor", "Publisher", "Date")}
    marks = fields.get("circles") or ()
    marked = frozenset(Position(*divmod(at, width)) for at, mark in enumerate(marks) if mark)
    is_shade = fields.get("shadecircles") in (True, "true", 1)
    return _Told(height, width, _row_by_row(values, width, "."), clues, texts, headers, marked, is_shade)


def _guardian(document: Mapping[str, Any], intake: Intake) -> _Told:
    fields = document.get("crossword", document)
    height, width = int(fields["dimensions"]["rows"]), int(fields["dimensions"]["cols"])
    check_size(height, width)
    contents: dict[Position, str] = {}
    clues = []
    for entry in fields["entries"]:
        way, length = _WAYS[entry["direction"]], int(entry["length"])
        start = Position(int(entry["position"]["y"]), int(entry["position"]["x"]))
        end = start.step(way, length - 1)
        if not (0 <= start.row <= end.row < height and 0 <= start.column <= end.column < width):
            raise ValueError("an entry is not on the grid")
        squares = [start.step(way, place) for place in range(length)]
        solution = str(entry.get("solution") or "").ljust(length)
        if len(solution) > length:
            intake.note(Deviation.LEFT_OUT, f"letters of {entry['number']}{way.value}", solution[length:])
        for at, letter in zip(squares, solution, strict=False):
            before = contents.get(at, "")
            if "" != before != letter.strip() != "":
                intake.note(Deviation.SQUARES, str(at), letter, f"as {before}")
            contents[at] = before or letter.strip()
        number = entry.get("humanNumber") or entry["number"]
        clues.append(_clue(way, number, str(entry.get("clue") or ""), intake, squares))
    creator = (fields.get("creator") or {}).get("name", "")
    texts = {
        "title": str(fields.get("name") or ""),
        "author": str(creator),
        "notes": fields.get("instructions") or "",
    }
    seconds = int(fields.get("date") or 0) / 1000
    headers = {"Date": f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}" if seconds else ""}
    return _Told(height, width, contents, clues, texts, headers)


def _universal(root: Element, intake: Intake) -> _Told:
    fields = {child.tag.lower(): unquote(child.get("v", "")) for child in root}
    height, width = int(fields["height"]), int(fields["width"])
    check_size(height, width)
    if len(fields["allanswer"]) != height * width:
        raise ValueError("the answer has another number of squares")
    clues = [
        _clue(way, clue.get("cn", ""), unquote(clue.get("c", "")), intake)
        for way, group in _groups(root)
        for clue in group
    ]
    headers = {name: fields.get(name.lower(), "") for name in ("Editor", "Date", "Category")}
    return _Told(height, width, _row_by_row(fields["allanswer"], width, "-"), clues, _texts(fields), headers)


def _groups(root: Element) -> Iterator[tuple[Direction, Element]]:
    for name, way in _WAYS.items():
        if (group := root.find(name)) is not None:
            yield way, group
