"""Puzzles in the formats of newspapers, solving sites and CrossFire: JSON, XML, and PuzzleMe pages.

The formats were learned from several public programs that read them:

- XWordInfo, and the New York Times formerly: `size`; `grid`, one item a square, `.` for a block; `circles`;
  `clues` as `1. Text`.
- The New York Times: `body` with `cells`, one item a square with a `type`, and `clues` grouped by `clueLists`.
- The Guardian: `dimensions`, and `entries` with `position`, `length` and `solution`.
- Universal: `<AllAnswer v="ABC-…"/>`, `-` for a block, and one percent-encoded element for each clue.
- USA Today: `gameData` with `solution` by row and `acrossClue` as lines of `01|Text`.
- Crosshare: `grid`, one item a square, and `clues` with `dir` 0 or 1.
- The Wall Street Journal and the Telegraph: `grid` by row, and `copy` with all texts; the Telegraph has separate
  enumerations.
- The Washington Post: `cells`, one item a square, and `words` by `indexes`.
- PuzzleMe, by Amuse Labs: `box` by column, `placedWords`, `cellInfos`; as JSON, as base64, or in a page.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from typing import Any, TypeVar
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Reader
from xwtui.formats.clues import NOWHERE, RawPuzzle, found_clue, read_raw, shaded_in_one, with_enumerations
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.json_document import parse_document
from xwtui.formats.plain_text import from_html, to_html
from xwtui.formats.safe_xml import child_of, children_of, name_of, parsed_xml, text_of
from xwtui.lazy import lazy_pattern
from xwtui.model import Bar, Direction, Position, Puzzle
from xwtui.model.grid import LARGEST_SIDE, check_size
from xwtui.model.markup import as_markup
from xwtui.model.where import all_positions
from xwtui.text import listed

T = TypeVar("T")

_WAYS = {way.word: way for way in Direction}


def _texts(fields: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(fields.get(name) or "") for name in ("title", "author", "copyright")}


def _squares(values: Sequence[T], height: int, width: int) -> dict[Position, T]:
    """Return row-major values by position; raises PuzzleError or ValueError if they do not match this size."""
    check_size(height, width)
    if len(values) != height * width:
        raise ValueError("the grid has a different number of squares")
    return {Position(*divmod(at, width)): value for at, value in enumerate(values)}


def _xword_info(fields: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    height, width = int(fields["size"]["rows"]), int(fields["size"]["cols"])
    values = _squares(fields["grid"], height, width)
    clues = []
    for name, way in _WAYS.items():
        for text in fields["clues"][name]:
            number, _, source = str(text).partition(".")
            clues.append(found_clue(way, number, source, intake))
    for name in ("bbars", "rbars", "uniclue"):
        if fields.get(name):
            intake.note(Deviation.LEFT_OUT, f"'{name}'")
    texts = {**_texts(fields), "notes": str(fields.get("notepad") or "")}
    headers = {name: str(fields.get(name.lower()) or "") for name in ("Editor", "Publisher", "Date")}
    marks = fields.get("circles") or ()
    marked = frozenset(Position(*divmod(at, width)) for at, mark in enumerate(marks) if mark)
    marks = (NOWHERE, marked) if fields.get("shadecircles") in (True, "true", 1) else (marked, NOWHERE)
    contents = {at: str(value) for at, value in values.items() if value != "."}
    return RawPuzzle(height, width, contents, clues, texts, headers, *marks)


def _new_york_times(document: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    body = document["body"][0]
    height, width = int(body["dimensions"]["height"]), int(body["dimensions"]["width"])
    cells = _squares(body["cells"], height, width)
    kinds = {at: int(cell.get("type") or 0) for at, cell in cells.items()}
    named = {number: str(group["name"]).lower() for group in body["clueLists"] for number in group["clues"]}
    clues = []
    for number, clue in enumerate(body["clues"]):
        text = clue["text"][0]
        source = str(text.get("formatted") or to_html(str(text.get("plain") or "")))
        squares = [Position(*divmod(int(each), width)) for each in clue.get("cells") or ()]
        if way := _WAYS.get(named.get(number, "")):
            clues.append(found_clue(way, clue["label"], source, intake, squares))
        else:
            intake.note(Deviation.UNPLACED, f"{clue['label']} {from_html(source)}")
    for at, cell in cells.items():
        if cell.get("answer") and (cell.get("moreAnswers") or {}).get("valid"):
            intake.note(Deviation.LEFT_OUT, f"different answers at {at}")
    notes = "<br>".join(str(note["text"]) for note in document.get("notes") or ())
    return RawPuzzle(
        height,
        width,
        {at: _answer(cell) for at, cell in cells.items() if kinds[at] in (1, 2, 3) or _answer(cell)},
        clues,
        {
            **_texts(document),
            "author": listed([*map(str, document.get("constructors") or ())], "and"),
            "notes": notes,
        },
        {"Editor": str(document.get("editor") or ""), "Date": str(document.get("publicationDate") or "")},
        frozenset(at for at, kind in kinds.items() if kind == 2),
        frozenset(at for at, kind in kinds.items() if kind == 3),
        frozenset(at for at, kind in kinds.items() if kind == 4),
        labels={at: str(cell["label"]) for at, cell in cells.items() if cell.get("label")},
    )


def _answer(cell: Mapping[str, Any]) -> str:
    return str(cell.get("answer") or ((cell.get("moreAnswers") or {}).get("valid") or [""])[0])


def _usa_today(document: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    fields = document
    for name in ("data", "gameData"):
        fields = fields.get(name, fields)
    height, width = int(fields["height"]), int(fields["width"])
    check_size(height, width)  # before rows are padded
    squares = _squares("".join(str(row).ljust(width) for row in fields["solution"]), height, width)
    clues = []
    for name, way in _WAYS.items():
        for line in str(fields[f"{name}Clue"]).splitlines():
            number, _, text = line.partition("|")
            clues.append(found_clue(way, number.lstrip("0"), text, intake))
    contents = {at: letter for at, letter in squares.items() if letter != " "}
    return RawPuzzle(height, width, contents, clues, _texts(fields), {"Date": str(fields.get("date") or "")})


def _guardian(document: Mapping[str, Any], intake: Intake) -> RawPuzzle:
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
        clues.append(found_clue(way, number, str(entry.get("clue") or ""), intake, squares))
    creator = (fields.get("creator") or {}).get("name", "")
    texts = {
        "title": str(fields.get("name") or ""),
        "author": str(creator),
        "notes": fields.get("instructions") or "",
    }
    seconds = int(fields.get("date") or 0) / 1000
    headers = {"Date": f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}" if seconds else ""}
    return RawPuzzle(height, width, contents, clues, texts, headers)


def _universal(root: Element, intake: Intake) -> RawPuzzle:
    fields = {child.tag.lower(): unquote(child.get("v", "")) for child in root}
    height, width = int(fields["height"]), int(fields["width"])
    squares = _squares(fields["allanswer"], height, width)
    clues = [
        found_clue(way, clue.get("cn", ""), unquote(clue.get("c", "")), intake)
        for name, way in _WAYS.items()
        for group in root.findall(name)
        for clue in group
    ]
    headers = {name: fields.get(name.lower(), "") for name in ("Editor", "Date", "Category")}
    contents = {at: letter for at, letter in squares.items() if letter != "-"}
    return RawPuzzle(height, width, contents, clues, _texts(fields), headers)


def _crossfire(root: Element, intake: Intake) -> RawPuzzle:
    grid = child_of(root, "GRID")
    if name_of(root) != "CROSSFIRE" or grid is None:
        raise PuzzleFormatError("this XML has no CrossFire puzzle")
    rows = [row.rstrip("\r") for row in text_of(grid).strip("\r\n").split("\n")]
    width = int(grid.get("width", len(rows[0])))
    rebus = {each.get("input", ""): each.get("letters", "") for each in root.iter() if name_of(each) == "REBUS"}
    check_size(len(rows), width)  # before rows are padded
    squares = _squares("".join(row.ljust(width)[:width] for row in rows), len(rows), width)
    contents = {at: rebus.get(sign, sign) for at, sign in squares.items() if sign != "."}
    circles = map(int, re.findall(r"(?<![\d-])\d{1,4}(?!\d)", text_of(child_of(root, "CIRCLES"))))
    clues = [
        found_clue(
            Direction.DOWN if word.get("dir", "").lower() == "down" else Direction.ACROSS,
            word.get("num"),
            text_of(word),
            intake,
        )
        for words in children_of(root, "WORDS")
        for word in words
    ]
    texts = {name: text_of(child_of(root, name.upper())) for name in ("title", "author", "copyright", "notes")}
    circled = frozenset(Position(*divmod(at, width)) for at in circles)
    return RawPuzzle(len(rows), width, contents, clues, texts, circled=circled)


def _crosshare(document: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    """Read the puzzle itself or a page of the site; squares are counted row by row."""
    fields = document
    for name in ("props", "pageProps", "puzzle"):
        fields = fields.get(name, fields)
    height, width = int(fields["size"]["rows"]), int(fields["size"]["cols"])
    values = _squares(fields["grid"], height, width)

    def markup(source: str) -> str:  # Markdown's italics and bold are the same as ours
        return source if not re.search(r"[{}\\]", source) else as_markup(source)

    clues = [
        found_clue(list(Direction)[int(one["dir"])], one["num"], str(one["clue"]), intake, markup=markup)
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
    plain = {"title": fields.get("title"), "author": guest or author, "notes": fields.get("constructorNotes")}
    texts = {name: to_html(str(text or "")) for name, text in plain.items()}
    return RawPuzzle(
        height,
        width,
        {at: str(value) for at, value in values.items() if value != "."},
        clues,
        texts,
        {"Publisher": author if guest else ""},
        squares(styles.get("circle") or ()) | (NOWHERE if is_shade else highlighted),
        squares(styles.get("shade") or ()) | (highlighted if is_shade else NOWHERE),
        squares(fields.get("hidden") or ()),
        frozenset(bars),
    )


def _wall_street_journal(document: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    told = document.get("json")
    data = told or document.get("data", document)
    fields, rows = data["copy"], data["grid"]
    height, width = int(fields["gridsize"]["rows"]), int(fields["gridsize"]["cols"])
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError("the grid's rows do not match its size")
    cells = _squares([cell for row in rows for cell in row], height, width)
    tells_blocks = any(cell.get("Blank") for cell in cells.values())
    is_block = {at: bool(cell.get("Blank")) if tells_blocks else not cell["Letter"] for at, cell in cells.items()}
    styles = {at: cell.get("style") or {} for at, cell in cells.items()}
    clues = [
        found_clue(
            _WAYS[str(group["title"]).strip().lower()],
            one["number"],
            f"{one['clue']} ({one['format']})" if told and one.get("format") else str(one["clue"]),
            intake,
        )
        for group in fields["clues"]
        for one in group["clues"]
    ]
    texts = {name: str(fields.get(field) or "") for name, field in _JOURNAL.items()}
    texts["notes"] = texts["notes"] or str(fields.get("crosswordadditionalcopy") or "")
    texts["author"] = texts["author"] or str((data.get("meta") or {}).get("author") or "")
    return RawPuzzle(
        height,
        width,
        {at: str(cell.get("Letter") or "") for at, cell in cells.items() if not is_block[at]},
        clues,
        texts,
        {"Date": from_html(str(fields.get("date-publish") or ""))},
        frozenset(at for at, style in styles.items() if style.get("shapebg")),
        frozenset(at for at, style in styles.items() if style.get("highlight") or cells[at].get("Shaded")),
    )


_JOURNAL = {"title": "title", "author": "byline", "copyright": "publisher", "notes": "description"}
"""The Journal's field names for the texts."""


def _washington_post(document: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    width, found = int(document["width"]), document["cells"]
    height = len(found) // max(width, 1)
    cells = _squares(found, height, width)
    shut = {at: str(cell.get("type") or "") for at, cell in cells.items()}
    clues = []
    for word in document["words"]:
        squares = [Position(*divmod(int(at), width)) for at in word.get("indexes") or ()]
        number = cells[squares[0]].get("number") if squares else None
        clues.append(found_clue(_WAYS[word["direction"]], number, str(word.get("clue") or ""), intake, squares))
    colours = {at: str(cell.get("background") or "") for at, cell in cells.items()}
    texts = {**_texts(document), "author": str(document.get("creator") or "")}
    texts["notes"] = str(document.get("description") or "")
    return RawPuzzle(
        height,
        width,
        {at: str(cell.get("answer") or "") for at, cell in cells.items() if shut[at] not in ("locked", "void")},
        clues,
        texts,
        {},
        frozenset(at for at, cell in cells.items() if cell.get("circle")),
        shaded_in_one(colours, intake),
        frozenset(at for at in cells if shut[at] == "void"),
        frozenset(
            Bar.between(at, at.step(way, step))
            for at, cell in cells.items()
            for bit, way, step in _SIDES
            if int(cell.get("bars") or 0) & bit
        ),
        {at: str(cell["number"]) for at, cell in cells.items() if cell.get("number")},
    )


_SIDES = ((1, Direction.DOWN, -1), (2, Direction.ACROSS, -1), (4, Direction.ACROSS, 1), (8, Direction.DOWN, 1))
"""The sides of a square in order of their bits in the Post's numbers: above, left, right, below."""


def _amuse_labs(fields: Mapping[str, Any], intake: Intake) -> RawPuzzle:
    height, width = int(fields["h"]), int(fields["w"])
    check_size(height, width)
    box = {at: fields["box"][at.column][at.row] for at in all_positions(height, width)}
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
        clues.append(found_clue(way, word.get("clueNum"), source, intake, squares))
    texts = {**_texts(fields), "notes": str(fields.get("description") or fields.get("help") or "")}
    contents = {at: str(value) for at, value in box.items() if value not in (None, "\0", "") and at not in voids}
    circles = {Position(int(pair[1]), int(pair[0])) for pair in fields.get("backgroundShapeBoxes") or () if pair}
    numbers = fields.get("clueNums") or ()
    if any(map(any, fields.get("preRevealIdxs") or ())):
        intake.note(Deviation.LEFT_OUT, "the squares shown from the start")
    walls = ("topWall", "leftWall", "rightWall", "bottomWall")
    return RawPuzzle(
        height,
        width,
        contents,
        clues,
        texts,
        {},
        frozenset({at for at, cell in told.items() if cell.get("isCircled")} | circles),
        shaded_in_one(
            {at: str(cell.get("bgColor") or "") for at, cell in told.items() if box.get(at) != "\0"}, intake
        ),
        voids,
        frozenset(
            Bar.between(at, at.step(way, step))
            for at, cell in told.items()
            for wall, (_, way, step) in zip(walls, _SIDES, strict=True)
            if cell.get(wall)
        ),
        {at: str(label) for at in box if numbers and (label := numbers[at.column][at.row])},
    )


_PAGE = lazy_pattern(rb"""rawc["']?\s*[:=]\s*["']([^"'<>]+)["']""")
"""Matches the data in a PuzzleMe page."""

_PASSES = ((8, 61, (11,)), (19, 65, (7,)), (61, 61, (11,)), (26, 37, (17, 11, 7)), (0, 64, (8,)))
"""How pages scramble their data since 2025: for each pass the start, the gap, and the lengths of reversed runs."""


def unwrapped(data: bytes) -> dict[str, Any]:
    """Return the JSON of a PuzzleMe puzzle: plain, wrapped by a store, in base64, scrambled, or in a page."""
    page = _PAGE.search(data)
    stripped = b"".join(data.split()) if page is None else page[1]
    if page is None and data.lstrip()[:1] == b"{":
        document = parse_document(data)
        for name in ("data", "attributes", "amuse_data"):
            document = document.get(name, document)
        return document
    text = stripped.decode("ascii", "replace")
    forms = [text]  # historical forms: plain, with a key after a dot, reversed in passes
    body, dot, key = text.partition(".")
    if dot:
        sizes = [int(digit, 16) + 2 for digit in reversed(key) if digit in "0123456789abcdefABCDEF"]
        forms.append(_turned(body, 0, 0, sizes) if sizes else body)
    forms.append(reduce(lambda turned, turn: _turned(turned, *turn), _PASSES, text))
    for tried in forms:
        with suppress(binascii.Error, ValueError, PuzzleFormatError):
            return parse_document(base64.b64decode(tried, validate=True))
    raise PuzzleFormatError("this is not an Amuse Labs puzzle")


def _turned(text: str, start: int, gap: int, sizes: Sequence[int]) -> str:
    """Return a text with successive runs of these lengths reversed, and a gap after each round of lengths."""
    letters = list(text)
    at, count = start, 0
    while at < len(letters):
        size = sizes[count % len(sizes)]
        letters[at : at + size] = letters[at : at + size][::-1]
        at, count = at + size, count + 1
        at += gap if count % len(sizes) == 0 else 0
    return "".join(letters)


def _of_json(
    tell: Callable[[Mapping[str, Any], Intake], RawPuzzle],
    is_enumerated: Callable[[Mapping[str, Any]], bool] = lambda _: False,
) -> Reader:
    """Return a reader; `is_enumerated` returns whether the clues of a document end in enumerations."""

    def read(data: bytes, intake: Intake) -> Puzzle:
        document = parse_document(data)
        puzzle = read_raw(lambda: tell(document, intake), intake, _NAMED)
        return with_enumerations(puzzle) if is_enumerated(document) else puzzle

    return read


def _of_xml(tell: Callable[[Element, Intake], RawPuzzle]) -> Reader:
    def read(data: bytes, intake: Intake) -> Puzzle:
        root = parsed_xml(data)
        return read_raw(lambda: tell(root, intake), intake, _NAMED)

    return read


_NAMED = "this puzzle of a newspaper's page or a program"

read_xword_info = _of_json(_xword_info)
read_new_york_times = _of_json(_new_york_times)
read_usa_today = _of_json(_usa_today)
read_crosshare = _of_json(_crosshare)
read_guardian = _of_json(_guardian, lambda _: True)
read_wall_street_journal = _of_json(_wall_street_journal, lambda document: bool(document.get("json")))
read_washington_post = _of_json(_washington_post)
read_universal = _of_xml(_universal)
read_crossfire = _of_xml(_crossfire)


def read_amuse_labs(data: bytes, intake: Intake) -> Puzzle:
    """Read a PuzzleMe puzzle in any wrapping; raises PuzzleFormatError for anything else."""
    return read_raw(lambda: _amuse_labs(unwrapped(data), intake), intake, "this puzzle of Amuse Labs")
