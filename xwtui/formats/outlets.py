"""Puzzles as newspapers' pages and solving sites have them: JSON and XML of eight shapes, and PuzzleMe's pages.

Their shapes are as several public programs read them. XWordInfo and the New York Times: `size`, `grid` square by
square, `.` for a block, `circles`, `clues` as `1. Text`. The Guardian: `dimensions` and `entries` with `position`,
`length`, `solution`. Universal and USA Today: `<AllAnswer v="ABC-…"/>`, `-` for a block, and a clue an element,
quoted as in addresses. Crosshare: `grid` square by square and `clues` with `dir` 0 or 1. The Wall Street Journal:
`grid` row by row and `copy` with all texts. The Washington Post: `cells` square by square, `words` by `indexes`.
PuzzleMe, of Amuse Labs: `box` column by column, `placedWords`, `cellInfos`, in JSON, in base64 or in a page.
"""

import base64
import binascii
import re
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
from xwtui.formats.plain_text import from_html, markup_from_html, to_html
from xwtui.formats.through_pypuz import parsed_xml, with_enumerations
from xwtui.formats.xd import HEADERS
from xwtui.model import BLOCK, VOID, Bar, Direction, Grid, Position, Puzzle, Square
from xwtui.model.grid import LARGEST_SIDE, check_size
from xwtui.model.markup import as_markup

_DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, OSError)
"""What comes of a field that is missing or of another kind."""

_WAYS = {way.word: way for way in Direction}
_NOWHERE: frozenset[Position] = frozenset()


class _Told(NamedTuple):
    """What a file tells: the content of each open square, and the rest as far as it is there."""

    height: int
    width: int
    contents: Mapping[Position, str]
    clues: Sequence[FoundClue]
    texts: Mapping[str, str]
    """Title, author, copyright and notes as HTML."""
    headers: Mapping[str, str]
    circled: frozenset[Position] = _NOWHERE
    shaded: frozenset[Position] = _NOWHERE
    voids: frozenset[Position] = _NOWHERE
    bars: frozenset[Bar] = frozenset()
    labels: Mapping[Position, str] = {}
    """The clue numbers in the squares, where the file has them."""


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


def read_crosshare(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of Crosshare's shape; raises PuzzleFormatError on anything else."""
    return _read(lambda: _crosshare(parse_document(data), intake), intake)


def read_wall_street_journal(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of the Journal's shape; raises PuzzleFormatError on anything else."""
    return _read(lambda: _wall_street_journal(parse_document(data), intake), intake)


def read_washington_post(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of the Post's shape; raises PuzzleFormatError on anything else."""
    return _read(lambda: _washington_post(parse_document(data), intake), intake)


def read_amuse_labs(data: bytes, intake: Intake) -> Puzzle:
    """Read a puzzle of PuzzleMe's shape, however it is wrapped; raises PuzzleFormatError on anything else."""
    return _read(lambda: _amuse_labs(unwrapped(data), intake), intake)


def _read(tell: Callable[[], _Told], intake: Intake) -> Puzzle:
    try:
        told = tell()
        grid = Grid.from_rows(
            [_square(told, Position(row, column), intake) for column in range(told.width)]
            for row in range(told.height)
        )
        grid = grid.with_bars(bar for bar in told.bars if bar.first in grid and bar.second in grid)
        check_clue_count(len(told.clues))
        placer = CluePlacer(grid, intake, told.labels)
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
        return VOID if at in told.voids else BLOCK
    return replace(intake.square(content, at), circle=at in told.circled, shade=at in told.shaded)


def _clue(
    way: Direction,
    number: object,
    source: str,
    intake: Intake,
    squares: Iterable[Position] = (),
    markup: Callable[[str], str] = markup_from_html,
) -> FoundClue:
    """A clue of a number; `source` is HTML, unless `markup` reads it otherwise."""
    name = intake.line(str(number or "")[:20], "a clue number") or None
    text = intake.line(markup(source), f"the clue of {name or '?'}{way.value}")
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
    marks = (_NOWHERE, marked) if fields.get("shadecircles") in (True, "true", 1) else (marked, _NOWHERE)
    return _Told(height, width, _row_by_row(values, width, "."), clues, texts, headers, *marks)


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


def _crosshare(document: Mapping[str, Any], intake: Intake) -> _Told:
    """The puzzle itself, or as the site's pages have it; squares are counted row by row."""
    fields = document
    for name in ("props", "pageProps", "puzzle"):
        fields = fields.get(name, fields)
    height, width = int(fields["size"]["rows"]), int(fields["size"]["cols"])
    check_size(height, width)
    values = [str(value) for value in fields["grid"]]
    if len(values) != height * width:
        raise ValueError("the grid has another number of squares")
    clues = [
        _clue(list(Direction)[int(one["dir"])], one["num"], str(one["clue"]), intake, markup=_from_markdown)
        for one in fields["clues"]
    ]

    def squares(numbers: Iterable[Any]) -> frozenset[Position]:
        return frozenset(Position(*divmod(int(at), width)) for at in numbers)

    styles = fields.get("cellStyles") or {}
    highlighted = squares(fields.get("highlighted") or ())
    is_shade = fields.get("highlight") == "shade"
    bars = {Bar(at, at.step(Direction.ACROSS, 1)) for at in squares(fields.get("vBars") or ())}
    bars |= {Bar(at, at.step(Direction.DOWN, 1)) for at in squares(fields.get("hBars") or ())}
    author, guest = str(fields.get("authorName") or ""), str(fields.get("guestConstructor") or "")
    texts = {"title": _plain(fields, "title"), "author": to_html(guest or author)}
    texts["notes"] = _plain(fields, "constructorNotes")
    return _Told(
        height,
        width,
        _row_by_row(values, width, "."),
        clues,
        texts,
        {"Publisher": author if guest else ""},
        squares(styles.get("circle") or ()) | (_NOWHERE if is_shade else highlighted),
        squares(styles.get("shade") or ()) | (highlighted if is_shade else _NOWHERE),
        squares(fields.get("hidden") or ()),
        frozenset(bars),
    )


def _plain(fields: Mapping[str, Any], name: str) -> str:
    """A field that is plain text, as HTML."""
    return to_html(str(fields.get(name) or ""))


def _from_markdown(source: str) -> str:
    """The markup of a clue in Markdown, whose italics and bold are ours."""
    return source if not re.search(r"[{}\\]", source) else as_markup(source)


def _wall_street_journal(document: Mapping[str, Any], intake: Intake) -> _Told:
    data = document.get("data", document)
    fields, rows = data["copy"], data["grid"]
    height, width = int(fields["gridsize"]["rows"]), int(fields["gridsize"]["cols"])
    check_size(height, width)
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError("the grid has another number of squares")
    cells = {Position(row, column): rows[row][column] for row in range(height) for column in range(width)}
    tells_blocks = any(cell.get("Blank") for cell in cells.values())
    is_block = {at: bool(cell.get("Blank")) if tells_blocks else not cell["Letter"] for at, cell in cells.items()}
    styles = {at: cell.get("style") or {} for at, cell in cells.items()}
    clues = [
        _clue(_WAYS[str(group["title"]).strip().lower()], one["number"], str(one["clue"]), intake)
        for group in fields["clues"]
        for one in group["clues"]
    ]
    texts = {name: str(fields.get(field) or "") for name, field in _JOURNAL.items()}
    texts["notes"] = texts["notes"] or str(fields.get("crosswordadditionalcopy") or "")
    return _Told(
        height,
        width,
        {at: str(cell.get("Letter") or "") for at, cell in cells.items() if not is_block[at]},
        clues,
        texts,
        {"Date": from_html(str(fields.get("date-publish") or ""))},
        frozenset(at for at, style in styles.items() if style.get("shapebg")),
        frozenset(at for at, style in styles.items() if style.get("highlight")),
    )


_JOURNAL = {"title": "title", "author": "byline", "copyright": "publisher", "notes": "description"}
"""What the Journal calls the texts."""


def _washington_post(document: Mapping[str, Any], intake: Intake) -> _Told:
    width, found = int(document["width"]), document["cells"]
    height = len(found) // max(width, 1)
    check_size(height, width)
    if len(found) != height * width:
        raise ValueError("the last row is cut off")
    cells = {Position(*divmod(at, width)): cell for at, cell in enumerate(found)}
    shut = {at: str(cell.get("type") or "") for at, cell in cells.items()}
    clues = []
    for word in document["words"]:
        squares = [Position(*divmod(int(at), width)) for at in word.get("indexes") or ()]
        number = cells[squares[0]].get("number") if squares else None
        clues.append(_clue(_WAYS[word["direction"]], number, str(word.get("clue") or ""), intake, squares))
    colours = {at: str(cell.get("background") or "") for at, cell in cells.items()}
    texts = {**_texts(document), "author": str(document.get("creator") or "")}
    texts["notes"] = str(document.get("description") or "")
    return _Told(
        height,
        width,
        {at: str(cell.get("answer") or "") for at, cell in cells.items() if shut[at] not in ("locked", "void")},
        clues,
        texts,
        {},
        frozenset(at for at, cell in cells.items() if cell.get("circle")),
        _shaded(colours, intake),
        frozenset(at for at in cells if shut[at] == "void"),
        frozenset(bar for at, cell in cells.items() for bar in _bars(at, int(cell.get("bars") or 0))),
        {at: str(cell["number"]) for at, cell in cells.items() if cell.get("number")},
    )


_SIDES = ((1, Direction.DOWN, -1), (2, Direction.ACROSS, -1), (4, Direction.ACROSS, 1), (8, Direction.DOWN, 1))
"""The sides of a square that a number of the Post names, each by a bit: above, left, right and below."""


def _bars(at: Position, sides: int) -> Iterator[Bar]:
    return (Bar.between(at, at.step(way, step)) for bit, way, step in _SIDES if sides & bit)


def _shaded(colours: Mapping[Position, str], intake: Intake) -> frozenset[Position]:
    """The squares that have a colour; that there are several is noted."""
    found = {at: colour.lower().lstrip("#") for at, colour in colours.items()}
    shaded = {at: colour for at, colour in found.items() if colour not in ("", *_WHITE)}
    if len(kinds := sorted(set(shaded.values()))) > 1:
        intake.note(Deviation.SQUARES, "all shaded ones", ", ".join(kinds[:_MOST_COLOURS]), "in one shade")
    return frozenset(shaded)


_WHITE = ("ffffff", "fff", "white", "transparent")
_MOST_COLOURS = 8


def _amuse_labs(fields: Mapping[str, Any], intake: Intake) -> _Told:
    height, width = int(fields["h"]), int(fields["w"])
    check_size(height, width)
    places = [(Position(row, column), column, row) for row in range(height) for column in range(width)]
    box = {at: fields["box"][column][row] for at, column, row in places}
    told = {Position(int(cell["y"]), int(cell["x"])): cell for cell in fields.get("cellInfos") or ()}
    voids = frozenset(at for at, cell in told.items() if cell.get("isVoid"))
    clues = []
    for word in fields["placedWords"]:
        way = Direction.ACROSS if word["acrossNotDown"] else Direction.DOWN
        start = Position(int(word.get("y", 0)), int(word.get("x", 0)))
        squares = [Position(int(each["y"]), int(each["x"])) for each in word.get("boxesForWord") or ()]
        length = min(int(word.get("nBoxes") or 0), LARGEST_SIDE)
        squares = squares or [start.step(way, step) for step in range(length)]
        source = str((word.get("clue") or {}).get("clue") or "")
        clues.append(_clue(way, word.get("clueNum"), source, intake, squares))
    texts = {**_texts(fields), "notes": str(fields.get("description") or fields.get("help") or "")}
    circles = {Position(int(pair[1]), int(pair[0])) for pair in fields.get("backgroundShapeBoxes") or () if pair}
    numbers = fields.get("clueNums") or ()
    if any(map(any, fields.get("preRevealIdxs") or ())):
        intake.note(Deviation.LEFT_OUT, "which squares are shown from the start")
    walls = ("topWall", "leftWall", "rightWall", "bottomWall")
    return _Told(
        height,
        width,
        {at: str(value) for at, value in box.items() if value not in (None, "\0", "") and at not in voids},
        clues,
        texts,
        {},
        frozenset({at for at, cell in told.items() if cell.get("isCircled")} | circles),
        _shaded({at: str(cell.get("bgColor") or "") for at, cell in told.items() if box.get(at) != "\0"}, intake),
        voids,
        frozenset(
            Bar.between(at, at.step(way, step))
            for at, cell in told.items()
            for wall, (_, way, step) in zip(walls, _SIDES, strict=True)
            if cell.get(wall)
        ),
        {at: str(numbers[column][row]) for at, column, row in places if numbers and numbers[column][row]},
    )


_PAGE = re.compile(rb"""rawc["']?\s*[:=]\s*["']([^"'<>]+)["']""")
"""The data of a page of PuzzleMe."""

_PASSES = ((8, 61, (11,)), (19, 65, (7,)), (61, 61, (11,)), (26, 37, (17, 11, 7)), (0, 64, (8,)))
"""How the pages scramble their data since 2025: from where on, how far apart, and how many letters are turned."""


def unwrapped(data: bytes) -> dict[str, Any]:
    """The JSON of a puzzle of PuzzleMe: bare, within that of a store, in base64, scrambled, or in a page."""
    page = _PAGE.search(data)
    stripped = b"".join(data.split()) if page is None else page[1]
    if page is None and data.lstrip()[:1] == b"{":
        document = parse_document(data)
        for name in ("data", "attributes", "amuse_data"):
            document = document.get(name, document)
        return document
    text = stripped.decode("ascii", "replace")
    for tried in _unscrambled(text):
        try:
            return parse_document(base64.b64decode(tried, validate=True))
        except (binascii.Error, ValueError, PuzzleFormatError):
            continue
    raise PuzzleFormatError("this is no puzzle of Amuse Labs")


def _unscrambled(text: str) -> Iterator[str]:
    """The base64 that a text may be, as pages have had it: as it is, with a key behind a dot, turned in passes."""
    body, dot, key = text.partition(".")
    yield text
    if dot:
        sizes = [int(digit, 16) + 2 for digit in reversed(key) if digit in "0123456789abcdefABCDEF"]
        yield _turned(body, 0, 0, sizes) if sizes else body
    for start, gap, runs in _PASSES:
        text = _turned(text, start, gap, runs)
    yield text


def _turned(text: str, start: int, gap: int, sizes: Sequence[int]) -> str:
    """A text whose runs of these sizes are turned around, one after the other, with a gap after each round."""
    letters = list(text)
    at, count = start, 0
    while at < len(letters):
        size = sizes[count % len(sizes)]
        letters[at : at + size] = letters[at : at + size][::-1]
        at, count = at + size, count + 1
        at += gap if count % len(sizes) == 0 else 0
    return "".join(letters)
