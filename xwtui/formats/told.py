"""A puzzle as a file of another program tells it, which is made one here with what it cannot hold noted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import check_clue_count
from xwtui.formats.clues import CluePlacer, FoundClue, puzzle_as_read
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.plain_text import from_html, markup_from_html
from xwtui.formats.xd import HEADERS
from xwtui.model import BLOCK, VOID, Bar, Direction, Grid, Position, Puzzle, Square
from xwtui.model.clues import EntryClues
from xwtui.model.enumeration import WholeClue
from xwtui.model.grid import check_size

_DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, OSError)
"""What comes of a field that is missing or of another kind."""

NOWHERE: frozenset[Position] = frozenset()


class ToldPuzzle(NamedTuple):
    """What a file tells: the content of each open square, and the rest as far as it is there."""

    height: int
    width: int
    contents: Mapping[Position, str]
    clues: Sequence[FoundClue]
    texts: Mapping[str, str]
    """Title, author, copyright and notes as HTML."""
    headers: Mapping[str, str] = {}
    circled: frozenset[Position] = NOWHERE
    shaded: frozenset[Position] = NOWHERE
    voids: frozenset[Position] = NOWHERE
    bars: frozenset[Bar] = frozenset()
    labels: Mapping[Position, str] = {}
    """The clue numbers in the squares, where the file has them."""


def read_told(tell: Callable[[], ToldPuzzle], intake: Intake, what: str) -> Puzzle:
    """The puzzle that a file tells; raises PuzzleFormatError, with `what` it is, where the file is damaged."""
    try:
        told = tell()
        check_size(told.height, told.width)
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
        raise PuzzleFormatError(f"{what} is damaged or invalid") from None


def _square(told: ToldPuzzle, at: Position, intake: Intake) -> Square:
    content = told.contents.get(at)
    if content is None:
        return VOID if at in told.voids else BLOCK
    return replace(intake.square(content, at), circle=at in told.circled, shade=at in told.shaded)


def found_clue(
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


def shaded_in_one(colours: Mapping[Position, str], intake: Intake) -> frozenset[Position]:
    """The squares that have a colour; that there are several is noted."""
    found = {at: colour.lower().lstrip("#") for at, colour in colours.items()}
    shaded = {at: colour for at, colour in found.items() if colour not in ("", *_WHITE)}
    if len(kinds := sorted(set(shaded.values()))) > 1:
        intake.note(Deviation.SQUARES, "all shaded ones", ", ".join(kinds[:_MOST_COLOURS]), "in one shade")
    return frozenset(shaded)


_WHITE = ("ffffff", "fff", "white", "transparent")
_MOST_COLOURS = 8


def with_enumerations(puzzle: Puzzle) -> Puzzle:
    """The puzzle of a file that has them, which stand behind the clues by now."""
    parted = {
        key: EntryClues(tuple(clue._replace(**WholeClue.parted(clue.text)._asdict()) for clue in clues.clues))
        for key, clues in puzzle.clues.items()
    }
    return replace(puzzle, clues=parted)
