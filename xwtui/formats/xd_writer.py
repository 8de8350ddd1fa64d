"""Writing .xd, with a heading for each section (version 2 of the format)."""

from collections.abc import Iterator

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Written
from xwtui.formats.flattening import add_lost_clues, without_bars
from xwtui.formats.losses import Losses
from xwtui.formats.plain_text import clean_line, clean_text
from xwtui.formats.xd_reader import HEADER, HEADERS, OWN_HEADERS
from xwtui.model import Content, Grid, Kind, Position, Puzzle, Slot, Square

_KEYS = "1234567890!$%&*+?@^~" + "".join(map(chr, range(0x2460, 0x2500)))
_SPECIAL_KEYS = "abcdefghijklmnopqrstuvwxyz"


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an .xd file; raises PuzzleFormatError naming what it cannot hold, unless `lossy`."""
    losses = Losses(".xd")
    grid = without_bars(puzzle.grid, losses)
    add_lost_clues(puzzle, grid, losses)
    squares = _Squares(grid, losses)
    rows = ["".join(squares.symbol(square) for square in row) for row in grid.rows()]
    warnings = losses.settle(lossy=lossy)
    sections = [
        ("Metadata", _headers(puzzle, squares)),
        ("Grid", rows),
        ("Clues", list(_clue_lines(puzzle, grid))),
    ]
    if puzzle.notes:
        sections.append(("Notes", [clean_text(puzzle.notes, "the notes")]))
    text = "\n\n".join(f"## {heading}\n\n" + "\n".join(lines) for heading, lines in sections)
    return Written(f"{text}\n".encode(), warnings)


def _headers(puzzle: Puzzle, squares: "_Squares") -> list[str]:
    headers = {"Title": puzzle.title, "Author": puzzle.author, "Copyright": puzzle.copyright}
    headers |= {"Rebus": squares.rebus_header, "Special": squares.special_header}
    kept = puzzle.foreign.get(HEADERS)
    for name, value in kept.items() if isinstance(kept, dict) else ():
        if isinstance(value, str) and name not in OWN_HEADERS and HEADER.fullmatch(f"{name}: {value}"):
            headers[name] = value
    return [f"{name}: {clean_line(value, f'the {name}')}" for name, value in headers.items() if value]


def _clue_lines(puzzle: Puzzle, grid: Grid) -> Iterator[str]:
    """`A1. Sadness. ~ HEARTACHE`, an empty line between across and down."""
    direction = None
    for slot in grid.slots:
        if direction not in (None, slot.direction):
            yield ""
        direction = slot.direction
        clue = clean_line(puzzle.clue(slot), f"the clue of {slot.name}")
        yield " ".join(filter(None, (f"{direction.value}{slot.number}.", clue, "~", _answer(grid, slot))))


def _answer(grid: Grid, slot: Slot) -> str:
    """The answer, with `.` for each square that is still empty."""
    contents = (grid[position].content for position in slot.positions)
    return "".join("." if content is None else content.reading(slot.direction) for content in contents)


class _Squares:
    """The characters that stand for squares: letters, keys of rebus squares, small letters for marked ones."""

    def __init__(self, grid: Grid, losses: Losses) -> None:
        self._circles = any(square.circle for square in grid.squares)
        self._shades = any(square.shade for square in grid.squares) and not self._circles
        self._note_marks(grid, losses)
        self._keys = self._keys_for(grid)

    def _note_marks(self, grid: Grid, losses: Losses) -> None:
        places = [(position, grid[position]) for position in grid.positions()]
        if self._circles:
            losses.add("shade beside circles", _where(places, "shade"), "the shade is left out")
        empty = [(at, square) for at, square in places if square.is_open and square.content is None]
        mark, marks = ("circle", "circles") if self._circles else ("shade", "shade")
        losses.add(f"{marks} in empty squares", _where(empty, mark), "left out")

    def _keys_for(self, grid: Grid) -> dict[tuple[Content, bool], str]:
        """A key for each content that is no plain letter, and for each such one with a mark."""
        wanted = dict.fromkeys(
            (square.content, self._is_special(square))
            for square in grid.squares
            if square.content is not None and not _is_letter(square.content)
        )
        digits = {str(content) for content, special in wanted if not special and len(str(content)) == 1}
        taken = {
            str(square.content).lower()
            for square in grid.squares
            if square.content is not None and _is_letter(square.content) and self._is_special(square)
        }
        plain = iter([key for key in _KEYS if key not in digits])
        special = iter([key for key in _SPECIAL_KEYS if key not in taken])
        keys: dict[tuple[Content, bool], str] = {}
        for content, is_special in wanted:
            own = str(content) if not is_special and str(content) in digits else None
            key = own or next(special if is_special else plain, None)
            if key is None:
                raise PuzzleFormatError(".xd has not enough characters for so many different rebus squares")
            keys[content, is_special] = key
        return keys

    def _is_special(self, square: Square) -> bool:
        return (self._circles and square.circle) or (self._shades and square.shade)

    def symbol(self, square: Square) -> str:
        """The one character of a square."""
        if not square.is_open:
            return "#" if square.kind is Kind.BLOCK else "_"
        if square.content is None:
            return "."
        special = self._is_special(square)
        if _is_letter(square.content):
            return square.content.across.lower() if special else square.content.across
        return self._keys[square.content, special]

    @property
    def rebus_header(self) -> str:
        """`1=HEART 2=X/TIMES`, empty without such squares."""
        return " ".join(f"{key}={str(content).strip('[]')}" for (content, _), key in self._keys.items())

    @property
    def special_header(self) -> str:
        """What small letters mean: `circle`, `shaded`, or nothing."""
        return "circle" if self._circles else "shaded" if self._shades else ""


def _is_letter(content: Content) -> bool:
    return not content.is_rebus and content.across.isalpha()


def _where(places: list[tuple[Position, Square]], mark: str) -> Iterator[Position]:
    return (position for position, square in places if getattr(square, mark))
