""".xd, the plain-text format of the xd corpus.

It is described in https://github.com/century-arcade/xd, doc/xd-format.md. Sections follow each other separated by
two empty lines, which every reader accepts, or under `## Metadata`, `## Grid`, `## Clues` and `## Notes`, which
xd's own library rejects. Bars, shade next to circles, and marks of empty squares are under `## Design`, as Puzzmo
does it, and require such headings. A rebus `1=X/TIMES` reads X across and TIMES down.

Unknown headers are kept in `Puzzle.foreign`, and so are lines on single clues that follow the clue: `A1 ^Refs: A2
D4`, `A1 ^Hint: Not a river`. These are stored by entry and answer, so that they stay with the clue, and references
by the entries' first squares, so that they survive renumbering.

An empty square is written as `-`, and a missing clue as `[XXX]`, because other readers treat `.` as no square at
all and drop entries without a clue. The reader also accepts `.` and empty clues.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xwtui.dataclasses import replace
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_CLUES, Losses, Written, check_clue_count, name_places
from xwtui.formats.clues import HEADERS, CluePlacer, FoundClue, linked_by_texts, numbered_clue_runs, puzzle_as_read
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.plain_text import clean_line, clean_text, decode
from xwtui.lazy import lazy_pattern
from xwtui.model import BLOCK, OPEN, VOID, Bar, Content, Direction, Grid, Kind, Position, Puzzle, Slot, Square
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.letters import KNOWN, small
from xwtui.model.markup import TextRun, normal, source_of
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.text import listed

DETAILS = "net.xwtui:xd-clue-details"
"""The key in `Puzzle.foreign`: by entry as in `r3c4A`, its answer under `answer` and its lines under `lines`."""

_DETAIL = lazy_pattern(r"([AD])(\d{1,4}) \^([A-Za-z][\w :-]{0,39}?):(.*)")
_REFERENCES = "refs"
_ENTRY = lazy_pattern(r"([AD])([0-9]{1,4})")


class FoundDetail(NamedTuple):
    """One detail line of a clue."""

    entry: str
    name: str
    value: str


def part_details(lines: Sequence[str], intake: Intake) -> tuple[list[str], list[FoundDetail]]:
    """Separate clue lines from detail lines; raises PuzzleFormatError if there are too many."""
    others: list[str] = []
    found: list[FoundDetail] = []
    for line in lines:
        if match := _DETAIL.fullmatch(line.strip()):
            entry = f"{int(match[2])}{match[1]}"
            found.append(FoundDetail(entry, match[3], intake.line(match[4], f"{match[3]} of {entry}")))
        else:
            others.append(line)
    check_clue_count(len(found))
    return others, found


def kept_details(found: Sequence[FoundDetail], grid: Grid, intake: Intake) -> dict[str, Any]:
    """Return the details by entry; those without an entry are noted and left out."""
    kept: dict[str, Any] = {}
    for detail in found:
        slot = grid.slots_by_name.get(detail.entry)
        if slot is None:
            intake.note(Deviation.LEFT_OUT, f"{detail.name} of {detail.entry}", detail.value)
            continue
        lines = kept.setdefault(_key(slot), {"answer": grid.answer(slot) or "", "lines": {}})["lines"]
        lines[detail.name] = detail.value
        if detail.name.lower() == _REFERENCES:  # stored by first squares, if all of them are entries
            names = detail.value.replace(",", " ").split()
            matches = [_ENTRY.fullmatch(name) for name in names]
            slots = [grid.slots_by_name.get(f"{match[2]}{match[1]}") if match else None for match in matches]
            if None not in slots:
                lines[detail.name] = " ".join(_key(slot) for slot in slots if slot is not None)
    return kept


def detail_lines(kept: object, grid: Grid, slot: Slot) -> Iterator[str]:
    """Yield the detail lines to write after an entry's clue, if its answer is unchanged."""
    own = kept.get(_key(slot)) if isinstance(kept, dict) else None
    match own:
        case {"answer": answer, "lines": {**lines}} if answer == (grid.answer(slot) or ""):
            for name, value in lines.items():
                if isinstance(name, str) and isinstance(value, str):
                    text = _numbers(value, grid) if name.lower() == _REFERENCES else value
                    line = f"{slot.direction.value}{slot.number} ^{name}: {clean_line(text, name)}"
                    if text and _DETAIL.fullmatch(line):
                        yield line


def _key(slot: Slot) -> str:
    return f"{slot.start}{slot.direction.value}"


def _numbers(places: str, grid: Grid) -> str:
    """Return the current numbers of entries, omitting those that no longer exist."""
    names = {f"{at}{way.value}": "" for at in grid.positions() for way in Direction}
    names |= {_key(slot): f"{slot.direction.value}{slot.number}" for slot in grid.slots}
    return " ".join(filter(None, (names.get(place, place) for place in places.split())))


SECTIONS = ("metadata", "grid", "clues", "notes", "design")
OWN_HEADERS = ("Title", "Author", "Copyright", "Rebus", "Special")
_SPELLING = {name.lower(): name for name in (*OWN_HEADERS, "Notes")}
"""Canonical spelling of headers, because some programs write them in lowercase."""

_MOST_LINES = MAX_CLUES + LONGEST_TEXT
"""Maximum number of lines: one for each clue, plus notes of nothing but line breaks."""

UNTITLED = "Untitled"
"""The title of a file without headers, because xd's own library requires one."""

_BARRED = "barred"
_COMMENTS = lazy_pattern(r"^[ \t]*(?:<!--.*?-->|//[^\n]*|# [^\n]*)[ \t]*\n", re.DOTALL | re.MULTILINE)
_FIRST_CLUE = lazy_pattern(r"^[AD]\d{1,4}\.", re.MULTILINE)
_KEY_LINE = lazy_pattern(r"\S=\S+")
"""Matches a rebus key on its own line, `❶=XYZ`, instead of in the header."""

HEADER = lazy_pattern(r"([A-Za-z][\w -]{0,39}):(.*)")
_SECTION = lazy_pattern(r"##\s+(\w+)\s*")
_CLUE = lazy_pattern(r"([AD])(\d{1,4})\.(.*)")
_ANSWER = lazy_pattern(rf"[{KNOWN}|]+")
_NUMBERED = lazy_pattern(r"[A-Z]?\d{1,4}( \^.*|\..*)")

_KEYS = "1234567890!$%&*+?@^~" + "".join(map(chr, range(0x2460, 0x2500)))
EMPTY_SQUARE = "-"
"""An open square without a letter, as in .puz."""

NO_CLUE = "[XXX]"
"""The xd corpus tools' mark for a missing clue."""

_PLAIN_SQUARES = {"#": BLOCK, "_": VOID, ".": OPEN, EMPTY_SQUARE: OPEN}
_SPECIAL_KEYS = "abcdefghijklmnopqrstuvwxyz"
_STYLES = ("/", "*")
_STYLE = lazy_pattern(r"\{[/*]|[/*]\}")


_Parts = Mapping[str, list[str]]
"""The lines of each section."""


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read an .xd file; raises as `Format.read` does for anything else."""
    source = decode(data)
    later = re.search(r"^## +notes *$", source, re.IGNORECASE | re.MULTILINE) or _FIRST_CLUE.search(source)
    end = later.start() if later else len(source)  # notes may contain what looks like a comment
    text = (_COMMENTS.sub("", source[:end]) + source[end:]).splitlines()
    if len(text) > _MOST_LINES:
        raise PuzzleFormatError(f"{len(text):,} lines are too many for an .xd file; the limit is {_MOST_LINES:,}")
    first = next((line for line in text if line.strip()), "")
    parts = _named_parts(text, intake) if _SECTION.fullmatch(first.strip()) else _ordered_parts(text)
    headers: dict[str, str] = {}
    for line in map(str.strip, parts["metadata"]):
        if match := HEADER.fullmatch(line):
            name = _SPELLING.get(match[1].strip().lower(), match[1].strip())
            headers[name] = intake.line(match[2], f"the header {name}")
        elif _KEY_LINE.fullmatch(line):
            headers["Rebus"] = f"{headers.get('Rebus', '')} {line}".strip()
    keys = [part.partition("=")[0] for part in headers.get("Rebus", "").split()]
    lines, details = part_details(parts["clues"], intake)
    clues = _clues(lines, intake, has_variants=len(set(keys)) < len(keys))
    grid = _designed(_grid(parts, headers, {clue.name for clue in clues}, intake), parts["design"], intake)
    placer = CluePlacer(grid, intake)
    for clue in clues:
        placer.place(clue)
    grid, placed = linked_by_texts(grid, placer.placed())
    if headers == {"Title": UNTITLED}:
        headers = {}
    if grid.bars and headers.get("Form", "").lower() == _BARRED:
        del headers["Form"]
    unknown = {name: value for name, value in headers.items() if name not in OWN_HEADERS}
    notes = "\n".join(parts["notes"]).strip("\n") or unknown.pop("Notes", "")
    texts = {**{name.lower(): value for name, value in headers.items() if name in OWN_HEADERS}, "notes": notes}
    foreign = {HEADERS: unknown, DETAILS: kept_details(details, grid, intake)}
    return puzzle_as_read(grid, placed, lambda name: texts.get(name, ""), intake, foreign)


def _named_parts(lines: Sequence[str], intake: Intake) -> _Parts:
    """Split a file at its `## …` lines; notes end only at a known section that has not occurred yet."""
    parts: _Parts = {name: [] for name in SECTIONS}
    seen: set[str] = set()
    current: list[str] = []
    for line in lines:
        heading = _SECTION.fullmatch(line.strip())
        name = heading[1].lower() if heading else None
        if name in SECTIONS and name not in seen:
            seen.add(name)
            current = parts[name]
        elif name is not None and current is not parts["notes"]:
            current = []
            intake.note(Deviation.LEFT_OUT, "the section", name)
        else:
            current.append(line)
    return parts


def _ordered_parts(lines: Sequence[str]) -> _Parts:
    """Split a file without headings: headers, rows, clues, then notes after two empty lines."""
    parts: _Parts = {name: [] for name in SECTIONS}
    blank_lines = 0
    for line in lines:
        if not line.strip():
            blank_lines += 1
            if parts["notes"]:
                parts["notes"].append("")
            continue
        if parts["notes"] or (parts["clues"] and blank_lines > 1 and not _NUMBERED.match(line)):
            parts["notes"].append(line)
        elif parts["clues"] or (parts["grid"] and blank_lines):
            parts["clues"].append(line)
        elif parts["grid"] or not (HEADER.match(line) or _KEY_LINE.fullmatch(line.strip())):
            parts["grid"].append(line)
        else:
            parts["metadata"].append(line)
        blank_lines = 0
    return parts


def _clues(lines: Sequence[str], intake: Intake, *, has_variants: bool) -> list[FoundClue]:
    """Parse clues; an entry that reads two ways has both answers on its line, `Sugar ____ ~ CONE ~ CANE`."""
    found: list[FoundClue] = []
    for line in lines:
        if match := _CLUE.fullmatch(line.strip()):
            number, text = str(int(match[2])), match[3]
            clue, tilde, _ = text.rpartition(" ~ ")
            text = clue if tilde else text
            if has_variants and _ANSWER.fullmatch(text.rpartition(" ~ ")[2]):
                text = text.rpartition(" ~ ")[0]
            what = f"the clue of {number}{match[1]}"
            text = intake.line(text, what)
            text = "" if text == NO_CLUE else intake.line(source_of(_runs(text)), what)
            found.append(FoundClue(Direction(match[1]), number, text))
        elif line.strip():
            intake.note(Deviation.LEFT_OUT, "a line of the clues", line.strip())
    check_clue_count(len(found))
    return found


def _grid(parts: _Parts, headers: Mapping[str, str], clues: Collection[str], intake: Intake) -> Grid:
    """Parse the grid; `.` is an empty square, or a block if there is no `#` and clues or design imply it."""
    rows = [line.strip() for line in parts["grid"] if line.strip()]
    if not rows:
        raise PuzzleFormatError("this is not an .xd file: it has no grid")
    if len(rows) > LARGEST_SIDE or max(map(len, rows)) > LARGEST_SIDE:
        raise PuzzleFormatError(f"the grid of this .xd file has more than {LARGEST_SIDE} rows or columns")
    reader = _SquareReader(headers, intake)
    grid = Grid.from_rows(reader.row(number, row) for number, row in enumerate(rows))
    if any("#" in row for row in rows) or not clues or "." in reader.rebus:
        return grid
    blocks = {at: BLOCK for at in grid.open_positions() if rows[at.row][at.column] == "."}
    with_blocks = grid.with_squares(blocks)
    designed = [line.strip() for line in parts["design"] if line.strip()][-len(rows) :]
    if (
        blocks
        and len(designed) == len(rows)
        and all(designed[at.row][at.column : at.column + 1] == "#" for at in blocks)
    ):
        return with_blocks
    matches = [sum(name in each.slots_by_name for name in clues) for each in (grid, with_blocks)]
    return with_blocks if matches[1] > matches[0] else grid


class _SquareReader:
    """Reads squares, using the rebus keys and special marks from the headers."""

    def __init__(self, headers: Mapping[str, str], intake: Intake) -> None:
        self._intake = intake
        self.rebus = _rebus_keys(headers.get("Rebus", ""), intake)
        special = headers.get("Special", "").lower()
        self._circle, self._shade = "circle" in special, "shade" in special

    def row(self, number: int, symbols: str) -> list[Square]:
        squares: list[Square] = []
        for column, symbol in enumerate(symbols):
            square = None if symbol in self.rebus else _PLAIN_SQUARES.get(symbol)
            if square is None:
                square = self._intake.square(self.rebus.get(symbol, symbol), Position(number, column))
                if symbol.islower():
                    square = replace(square, circle=self._circle, shade=self._shade)
            squares.append(square)
        return squares


_RULE = lazy_pattern(r"\s*([^{}]+?)\s*\{([^{}]*)\}")
_DECLARATION = lazy_pattern(r"\s*([\w-]+)\s*:\s*(.*?)\s*")
_BAR_SIDES = {"bar-left": Direction.ACROSS, "bar-top": Direction.DOWN}


def _designed(grid: Grid, lines: Sequence[str], intake: Intake) -> Grid:
    """Return the grid with the marks of `## Design`: rules, `O { background: circle }`, and rows of letters."""
    text = re.sub(r"</?style>", "", "\n".join(lines))
    styles: dict[str, dict[str, str]] = {}
    end = 0
    for found in _RULE.finditer(text):
        told = [(match[1], match[2]) for part in found[2].split(";") if (match := _DECLARATION.fullmatch(part))]
        for name in found[1].split(","):
            styles.setdefault(name.strip(), {}).update(told)
        end = found.end()
    squares, bars = dict[Position, Square](), set(grid.bars)
    for row, symbols in enumerate(line.strip() for line in text[end:].splitlines() if line.strip()):
        for at, symbol in ((Position(row, column), symbol) for column, symbol in enumerate(symbols)):
            style = styles.get(symbol, {})
            if not style:
                if symbol not in ".# ":
                    intake.note(Deviation.LEFT_OUT, "a mark of the design", symbol)
            elif at in grid and grid[at].is_open:
                background = style.get("background", "")
                circle, shade = background.startswith("circle"), "circle" != background != ""
                squares[at] = replace(grid[at], circle=grid[at].circle or circle, shade=grid[at].shade or shade)
                before = [at.step(way, -1) for name, way in _BAR_SIDES.items() if style.get(name) == "true"]
                bars.update(Bar(each, at) for each in before if each in grid)
            else:
                intake.note(Deviation.LEFT_OUT, f"the design of {at}")
    return grid.with_squares(squares).with_bars(bars)


def _rebus_keys(header: str, intake: Intake) -> dict[str, str]:
    """Parse `1=HEART 2=SPADE`, or the old form with commas; a repeated key gives across and down readings."""
    keys: dict[str, str] = {}
    for part in header.replace(",", " ").split():
        key, equals, value = part.partition("=")
        if len(key) != 1 or not equals or not value:
            intake.note(Deviation.LEFT_OUT, "a part of the Rebus header", part)
        elif key in keys:
            keys[key] = f"{keys[key].partition('/')[0]}/{value}"
            intake.note(Deviation.SQUARES, f"the key {key}", part, f"as {keys[key]}")
        else:
            keys[key] = value
    return keys


def write(puzzle: Puzzle, lossy: bool = False, *, designed: bool = False) -> Written:
    """Write an .xd file; raises PuzzleFormatError naming what it cannot hold, unless `lossy`.

    If `designed`, all marks are under `## Design`, where Puzzmo's tools look for them.
    """
    losses = Losses(".xd", puzzle)
    grid = puzzle.grid
    runs_of = {slot.name: numbered_clue_runs(puzzle, slot, grid) for slot in grid.slots}
    if named := name_places(name for name, runs in runs_of.items() if normal(_runs(styled(runs))) != runs):
        # the format has no escape
        losses.tell(f"shows {{/ /}} as italics and {{* *}} as bold in the clues of {named}")
    squares = _SquareWriter(grid, losses, designed=designed)
    rows = ["".join(squares.symbol(square) for square in row) for row in grid.rows()]
    headers, clues = _header_lines(puzzle, squares), list(_clue_lines(puzzle, grid))
    notes = clean_text(puzzle.notes, "the notes")
    design = squares.design(grid)
    is_headed = bool(design or not clues or (designed and notes) or _NEEDS_HEADINGS.search(notes))
    told = (*squares.unmarked, *(["the notes"] if notes else []))
    if is_headed and told and not designed:
        losses.tell(f"has {listed(told, 'and')} below headings, which Puzzmo can read and xd's own library cannot")
    warnings = losses.settle(lossy=lossy)
    sections = {"Metadata": headers or [f"Title: {UNTITLED}"], "Grid": rows, "Clues": clues}
    if is_headed:
        sections |= {"Design": design} if design or _DESIGN_LINE.search(notes) else {}
        parts = [f"## {heading}\n\n" + "\n".join(lines) for heading, lines in sections.items()]
        text = "\n\n".join([*parts, f"## Notes\n\n{notes}"] if notes else parts)
    else:
        text = "\n\n\n".join(["\n".join(lines) for lines in sections.values()] + ([notes] if notes else []))
    return Written(f"{text}\n".encode(), warnings)


_NEEDS_HEADINGS = lazy_pattern(r"\A[A-Z]?\d{1,4}(?: \^|\.)|^## ", re.MULTILINE)
"""Matches notes that would be read as clues or sections."""
_DESIGN_LINE = lazy_pattern(r"^## +design *$", re.IGNORECASE | re.MULTILINE)


def _header_lines(puzzle: Puzzle, squares: "_SquareWriter") -> list[str]:
    headers = {"Title": puzzle.title, "Author": puzzle.author, "Copyright": puzzle.copyright}
    headers |= {**squares.headers, **({"Form": _BARRED} if puzzle.grid.bars else {})}
    kept = puzzle.foreign.get(HEADERS)
    for name, value in kept.items() if isinstance(kept, dict) else ():
        if isinstance(value, str) and name not in headers and HEADER.fullmatch(f"{name}: {value}"):
            headers[name] = value
    return [f"{name}: {clean_line(value, f'the {name}')}" for name, value in headers.items() if value]


def _clue_lines(puzzle: Puzzle, grid: Grid) -> Iterator[str]:
    """Yield lines such as `A1. Sadness. ~ HEARTACHE`, with an empty line between across and down."""
    direction = None
    for slot in grid.slots:
        if direction not in (None, slot.direction):
            yield ""
        direction = slot.direction
        clue, told = styled(numbered_clue_runs(puzzle, slot, grid)) or NO_CLUE, puzzle.entered_answer(slot)
        contents = (grid[at].content for at in slot.positions)
        answer = "".join(content.reading(direction) if content else EMPTY_SQUARE for content in contents)
        yield f"{direction.value}{slot.number}. {clue} ~ {told.answer if told else answer}"
        yield from detail_lines(puzzle.foreign.get(DETAILS), grid, slot)


def _runs(text: str) -> Iterator[TextRun]:
    """Parse a clue's markup, `{/italic/}` and `{*bold*}`; unmatched signs are text."""
    is_on = dict.fromkeys(_STYLES, False)
    at = 0
    for found in _STYLE.finditer(text):
        sign = found[0].strip("{}")
        begins = found[0][0] == "{"
        if begins == is_on[sign] or (begins and f"{sign}}}" not in text[found.end() :]):
            continue
        yield TextRun(text[at : found.start()], is_on["/"], is_on["*"])
        is_on[sign] = begins
        at = found.end()
    yield TextRun(text[at:], is_on["/"], is_on["*"])


def styled(runs: Sequence[TextRun]) -> str:
    """Return a clue with the format's markup."""
    texts = ((run, f"{{*{run.text}*}}" if run.bold else run.text) for run in runs)
    return "".join(f"{{/{text}/}}" if run.italic else text for run, text in texts)


class _SquareWriter:
    """Assigns characters to squares: letters, rebus keys, and lowercase letters for marked squares."""

    def __init__(self, grid: Grid, losses: Losses, *, designed: bool) -> None:
        has_circles = any(square.circle for square in grid.squares)
        self._circles = has_circles and not designed
        self._shades = any(square.shade for square in grid.squares) and not (has_circles or designed)
        both = [at for at in grid.positions() if grid[at].circle and grid[at].shade]
        losses.add("shade in circled squares", both, "the shade is left out")
        told = (
            ("bars", bool(grid.bars)),
            ("circles", has_circles and designed),
            ("shade", (has_circles or designed) and any(square.shade for square in grid.squares)),
            ("marks of empty squares", any(self._is_special(each) and not each.content for each in grid.squares)),
        )
        self.unmarked = tuple(what for what, is_there in told if is_there)
        """Features that need a design because letters and headers cannot express them."""
        self._keys = self._keys_for(grid)

    def design(self, grid: Grid) -> list[str]:
        """Return the styles and rows of `## Design`; empty if letters and headers suffice."""
        if not self.unmarked:
            return []
        names: dict[str, str] = {}
        rows = []
        for row in range(grid.height):
            symbols = ""
            for at in (Position(row, column) for column in range(grid.width)):
                square = grid[at]
                mark = "circle" if square.circle else "shade" if square.shade else ""
                style = [f"background: {mark}"] if mark else []
                style += [
                    f"{name}: true" for name, way in _BAR_SIDES.items() if Bar(at.step(way, -1), at) in grid.bars
                ]
                plain = "." if square.is_open else "#"
                symbols += names.setdefault("; ".join(style), chr(ord("A") + len(names))) if style else plain
            rows.append(symbols)
        rules = (f"{name} {{ {style} }}" for style, name in names.items())
        return ["<style>", *rules, "</style>", "", *rows]

    def _keys_for(self, grid: Grid) -> dict[tuple[Content, bool], str]:
        """Assign a key to each content that is not a plain letter, separately for marked squares."""
        found = dict.fromkeys(
            (square.content, self._is_special(square)) for square in grid.squares if square.content is not None
        )
        wanted = [(content, special) for content, special in found if not _is_letter(content)]
        digits = {str(content) for content, special in wanted if not special and len(str(content)) == 1}
        taken = {str(content).lower() for content, special in found if special and _is_letter(content)}
        plain = iter([key for key in _KEYS if key not in digits])
        special = iter([key for key in _SPECIAL_KEYS if key not in taken])
        keys: dict[tuple[Content, bool], str] = {}
        for content, is_special in wanted:
            own = str(content) if not is_special and str(content) in digits else None
            key = own or next(special if is_special else plain, None)
            if key is None:
                raise PuzzleFormatError(".xd lacks characters for so many different rebus squares")
            keys[content, is_special] = key
        return keys

    def _is_special(self, square: Square) -> bool:
        return (self._circles and square.circle) or (self._shades and square.shade)

    def symbol(self, square: Square) -> str:
        if not square.is_open:
            return "#" if square.kind is Kind.BLOCK else "_"
        if square.content is None:
            return EMPTY_SQUARE
        special = self._is_special(square)
        if _is_letter(square.content):
            return square.content.across.lower() if special else square.content.across
        return self._keys[square.content, special]

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers that define rebus keys, `1=HEART 2=X/TIMES`, and lowercase letters; empty without them."""
        keys = " ".join(f"{key}={content.text}" for (content, _), key in self._keys.items())
        return {"Rebus": keys, "Special": "circle" if self._circles else "shaded" if self._shades else ""}


def _is_letter(content: Content) -> bool:
    return not content.is_rebus and bool(small(content.across))
