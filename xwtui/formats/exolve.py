"""Exolve, the text format of British setters and blogs, https://github.com/viresh-ratnakar/exolve.

A section begins with `exolve-NAME:`. In the grid, letters are squares, `.` is a block, and `0` or `?` an open
square without a letter; but `0` is a digit if an option allows digits and the grid has anything else. After a
square, `|` is a bar on its right, `_` a bar below, `+` both, and `@` a circle. With the option for rebus squares,
squares are separated by spaces. Shade is a color of squares. Texts are HTML, and `# ` begins a comment. A clue has
its number, the numbers of linked lights (`1, 5d`), its enumeration at the end, and then its explanation. `nina`
names the squares of a hidden message.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Losses, Written, add_voids, check_clue_count
from xwtui.formats.clues import CluePlacer, FoundClue, clue_runs, labels, puzzle_as_read, with_enumerations
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.plain_text import clean_text, decode, from_html, markup_from_html, runs_to_html, to_html
from xwtui.lazy import lazy_pattern
from xwtui.model import BLOCK, Bar, Direction, Grid, Position, Puzzle, Slot, Square
from xwtui.model.grid import check_size
from xwtui.model.rules.constraints import LettersAlong

_SECTION = lazy_pattern(r"\s*exolve-([a-z0-9-]+):\s?(.*)")
_COMMENT = lazy_pattern(r"(?:^|\s)#(?: .*)?$")
_DECORATORS = "|_+@*!~"
_TITLES = {"title": "title", "setter": "author", "copyright": "copyright", "preamble": "notes"}
"""Sections and the puzzle fields that they hold."""

_READ = frozenset((*_TITLES, "width", "height", "grid", "across", "down", "colour", "option", "id", "language"))
_OTHER_NAMES = {"prelude": "preamble", "color": "colour"}
_CLUE = lazy_pattern(
    r"(?:#\S+\s+)*(\d{1,3}[a-z]{0,2}(?:\s*[,&]\s*\d{1,3}[a-z]{0,2})*)(?:\s*\.(?!\.))?(?:\s+(.*))?"
)
_ENUMERATION = lazy_pattern(r"\(\d[\d\s,.'’-]*\)")
_END = "[]"
"""Marks the end of a clue that contains something like an enumeration."""

_PLACES = (
    lazy_pattern(r"(?P<letter>[a-z])(?P<row>\d+)"),
    lazy_pattern(r"c(?P<column>\d+)r(?P<row>\d+)"),
    lazy_pattern(r"r(?P<row>\d+)c(?P<column>\d+)"),
)
"""Patterns for a square by column, and by row from below: `a3`, `c1r3` or `r3c1`."""

_SHADE = "lightgrey"


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read an Exolve file, or a page that contains one; raises as `Format.read` does for anything else."""
    sections = _sections(decode(data), intake)
    try:
        height, width = (int(sections[name][0]) for name in ("height", "width"))
        check_size(height, width)
        grid = _shaded(_grid(sections, height, width, intake), sections.get("colour", []), intake)
        placer = CluePlacer(grid, intake)
        lines = [(way, line) for way in Direction for line in sections.get(way.word, []) if line]
        check_clue_count(len(lines))
        for way, line in lines:
            _place(placer, way, line, intake)
        grid, clues = placer.linked()
    except (KeyError, ValueError, IndexError):
        raise PuzzleFormatError("this Exolve file has no complete `exolve-grid` with width and height") from None
    texts = {field: "\n".join(sections.get(name, [])).strip("\n") for name, field in _TITLES.items()}
    return with_enumerations(puzzle_as_read(grid, clues, lambda name: from_html(texts[name]), intake))


def _sections(text: str, intake: Intake) -> dict[str, list[str]]:
    """Return the lines of each section between the first `exolve-begin` and `exolve-end`."""
    rest = text.partition("exolve-begin")[2]
    if not rest:
        raise PuzzleFormatError("this is not an Exolve file: it has no `exolve-begin`")
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for raw in rest.partition("exolve-end")[0].splitlines():
        line = _COMMENT.sub("", raw)
        if found := _SECTION.fullmatch(line):
            name = _OTHER_NAMES.get(found[1], found[1])
            if name not in _READ:
                intake.note(Deviation.LEFT_OUT, "the section", name)
            current = sections.setdefault(name, [])
            current += [found[2].strip()] if found[2].strip() else []
        elif line == raw or line.strip():
            current.append(line.strip())
    return sections


def _grid(sections: Mapping[str, Sequence[str]], height: int, width: int, intake: Intake) -> Grid:
    options = " ".join(sections.get("option", []))
    has_rebus = "rebus-cells" in options
    letters = rf"(?:&.|[^\s{re.escape(_DECORATORS)}])"
    cell = re.compile(rf"({letters}{'+' if has_rebus else ''})((?:\s*[{re.escape(_DECORATORS)}])*)")
    rows = [cell.findall(line) for line in sections["grid"] if line]
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError("rows of a different length")
    has_zeros = re.search("allow-digits|allow-chars:[^ ]*0", options) is not None
    is_written = any(raw not in ("0", ".") for row in rows for raw, _ in row)
    unfilled = ("?",) if has_zeros and is_written else ("0", "?")
    squares: list[Square] = []
    bars: set[Bar] = set()
    for index, (raw, marks) in enumerate(each for row in rows for each in row):
        at = Position(*divmod(index, width))
        text = re.sub(r"&(.)", r"\1", raw)
        square = BLOCK if raw == "." else intake.square("" if raw in unfilled else text, at)
        squares.append(replace(square, circle=True) if "@" in marks and square.is_open else square)
        sides = [(Direction.ACROSS, "|+"), (Direction.DOWN, "_+")]
        bars |= {Bar(at, at.step(way, 1)) for way, signs in sides if set(signs) & set(marks)}
        for sign in sorted(set("*!~") & set(marks)):
            intake.note(Deviation.LEFT_OUT, f"the sign of {at}", sign)
    grid = Grid(height, width, tuple(squares))
    return grid.with_bars(bar for bar in bars if bar.second in grid)


def _shaded(grid: Grid, lines: Sequence[str], intake: Intake) -> Grid:
    squares: dict[Position, Square] = {}
    colours = set()
    for word in " ".join(lines).split():
        told = next((found.groupdict() for form in _PLACES if (found := form.fullmatch(word))), None)
        if told is None:
            colours.add(word)
            continue
        column = ord(told["letter"]) - ord("a") if "letter" in told else int(told["column"]) - 1
        at = Position(grid.height - int(told["row"]), column)
        if at not in grid:
            colours.add(word)
        elif grid[at].is_open:
            squares[at] = replace(grid[at], shade=True)
    if len(colours) > 1:
        intake.note(Deviation.SQUARES, "all colored ones", ", ".join(sorted(colours)), "in one shade")
    return grid.with_squares(squares)


def _place(placer: CluePlacer, way: Direction, line: str, intake: Intake) -> None:
    """Assign a line's clue to its entry; explanations and malformed lines are noted and left out."""
    found = _CLUE.fullmatch(line)
    if found is None:
        intake.note(Deviation.LEFT_OUT, "a line of the clues", line)
        return
    text, end, after = (found[2] or "").partition(_END)
    if not end and (enumerations := list(_ENUMERATION.finditer(text))):
        after = text[enumerations[-1].end() :].removeprefix("*")
        text = text[: enumerations[-1].end()]
    name = f"{found[1]}{way.value}"
    if after.strip():
        intake.note(Deviation.LEFT_OUT, f"what explains {name}", after.strip())
    what = f"the clue of {name}"
    placer.place(FoundClue(way, found[1], intake.line(markup_from_html(text.strip()), what)))


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an Exolve file; raises PuzzleFormatError naming what it cannot hold, unless `lossy`."""
    losses = Losses("Exolve", puzzle)
    add_voids(puzzle.grid, losses)
    two = (at for at, content in puzzle.grid.contents.items() if content.is_schroedinger)
    losses.add("two answers in a square", two, "that across is kept")
    warnings = losses.settle(lossy=lossy)
    lines = ["exolve-begin", *(f"  {line}" for line in _lines(puzzle)), "exolve-end", ""]
    return Written("\n".join(lines).encode(), warnings)


def _lines(puzzle: Puzzle) -> Iterator[str]:
    grid = puzzle.grid
    texts = {name: clean_text(getattr(puzzle, field), f"the {field}") for name, field in _TITLES.items()}
    yield from (f"exolve-{name}: {_html(text)}" for name, text in texts.items() if text and name != "preamble")
    if texts["preamble"]:
        yield "exolve-preamble:"
        yield from (f"  {line}" for line in _html(texts["preamble"]).split("\n"))
    yield from (f"exolve-width: {grid.width}", f"exolve-height: {grid.height}")
    standing = grid.contents
    contents = [content.across for content in standing.values()]
    has_rebus = any(len(content) > 1 for content in contents)
    yield from ["exolve-option: rebus-cells"] if has_rebus else []
    yield from ["exolve-option: allow-digits"] if any(map(str.isdigit, "".join(contents))) else []
    if not "".join(contents).isascii():
        yield f"exolve-language: {labels(puzzle)['lang']} Latin"
    shaded = [at for at in grid.open_positions() if grid[at].shade]
    yield from [f"exolve-colour: {_SHADE} {_named(grid, shaded)}"] if shaded else []
    # hidden messages required by rules are shown once the puzzle is solved
    for constraint in puzzle.rules.constraints:
        if isinstance(constraint, LettersAlong):
            ways = (way for way in constraint.ways(grid) if constraint.stands(way, standing))
            yield from (f"exolve-nina: {_named(grid, way)}" for way in islice(ways, 1))
    yield "exolve-grid:"
    unfilled = "?" if contents else "0"

    def cell(at: Position) -> str:
        square = grid[at]
        right, below = (Bar(at, at.step(way, 1)) in grid.bars for way in Direction)
        bars = "+" if right and below else "|" if right else "_" if below else ""
        content = "." if not square.is_open else unfilled if square.content is None else square.content.across
        return content + bars + ("@" if square.circle else "")

    for row in range(grid.height):
        yield "  " + " ".join(cell(Position(row, column)) for column in range(grid.width))
    for way in Direction:
        yield f"exolve-{way.word}:"
        for slot in grid.clue_slots_of(way):
            text = _html_signs(runs_to_html(clue_runs(puzzle, slot)).replace("\n", " "))
            is_told = text.endswith(")") and puzzle.enumeration(slot) is not None
            end = "" if is_told or not _ENUMERATION.search(text) else f" {_END}"
            yield f"  {linked_number(slot)} {text}{end}".rstrip()


def _named(grid: Grid, squares: Iterable[Position]) -> str:
    """Return squares by row from below and column."""
    return " ".join(f"r{grid.height - at.row}c{at.column + 1}" for at in squares)


def linked_number(slot: Slot) -> str:
    """Return a clue's number with those of linked lights: `1, 5d`."""
    return slot.clue_number.replace(",", ", ").lower()


def _html(text: str) -> str:
    return _html_signs(to_html(text))


def _html_signs(source: str) -> str:
    return source.replace("# ", "&#35; ").replace(_END, "&#91;]")
