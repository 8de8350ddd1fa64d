"""Writing .puz, the Across Lite format, with puzpy.

Every entry has a clue there, an empty one where none is written yet. The text is Latin-1 (v1.3)
unless a character forces UTF-8 (v2.0); curly quotes, dashes and the like are made plain first.
"""

from collections.abc import Iterator

import puz

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Written
from xwtui.formats.flattening import add_lost_clues, without_bars
from xwtui.formats.losses import Losses
from xwtui.formats.plain_text import clean_text
from xwtui.formats.puz_reader import clue_order
from xwtui.model import Content, Direction, Grid, Kind, Puzzle
from xwtui.model.puzzle import LONGEST_TEXT

LONGEST_CLUE = 505
"""Characters after which Across Lite breaks."""

MOST_REBUS_STRINGS = 99
"""Different rebus strings that the two-digit keys of RTBL can number."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("—―", "--"),
        **dict.fromkeys("\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " "),
        "…": "...",
    }
)


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a .puz file; raises PuzzleFormatError naming what it cannot hold, unless `lossy`."""
    losses = Losses(".puz")
    grid = without_bars(puzzle.grid, losses)
    add_lost_clues(puzzle, grid, losses)
    _note_squares(grid, losses)
    clues = _clues(puzzle, grid, losses)
    title, author, copyright_ = (
        _within_limit(" ".join(_plain(text).split()), what, losses)
        for what, text in (
            ("title", puzzle.title),
            ("author", puzzle.author),
            ("copyright", puzzle.copyright),
        )
    )
    notes = _within_limit(_plain(puzzle.notes), "notes", losses)
    warnings = losses.settle(lossy=lossy)

    file = puz.Puzzle()
    file.height, file.width = grid.height, grid.width
    file.title, file.author, file.copyright = title, author, copyright_
    file.notes = notes.replace("\n", "\r\n")
    file.clues = clues
    file.solution = "".join(_letters(grid))
    file.fill = "".join("." if letter == "." else puz.BLANKSQUARE for letter in file.solution)
    file.set_version(_version(file))
    _add_rebus(file, grid)
    _add_circles(file, grid)
    return Written(file.tobytes(), warnings)


def _note_squares(grid: Grid, losses: Losses) -> None:
    squares = [(position, grid[position]) for position in grid.positions()]
    losses.add("voids", (at for at, square in squares if square.kind is Kind.VOID), "they become blocks")
    losses.add(
        "empty squares",
        (at for at, square in squares if square.is_open and square.content is None),
        "they become '-'",
    )
    losses.add(
        "two answers in a square",
        (at for at, square in squares if square.content and square.content.is_schroedinger),
        "each becomes a rebus with a slash, like X/O",
    )
    remedy = "left out" if any(square.circle for _, square in squares) else "they become circles"
    losses.add("shade", (at for at, square in squares if square.shade), remedy)


def _clues(puzzle: Puzzle, grid: Grid, losses: Losses) -> list[str]:
    clues: list[str] = []
    too_long: list[str] = []
    for slot in clue_order(grid.slots):
        clue = " ".join(_plain(puzzle.clue(slot)).split())
        if len(clue) > LONGEST_CLUE:
            too_long.append(f"{slot.name} ({len(clue)} characters)")
            clue = clue[: LONGEST_CLUE - 3] + "..."
        clues.append(clue)
    losses.add(f"a clue of more than {LONGEST_CLUE} characters, where Across Lite breaks,", too_long, "cut there")
    return clues


def _plain(text: str) -> str:
    return clean_text(text, "a text of this puzzle").translate(_PLAIN)


def _within_limit(text: str, field: str, losses: Losses) -> str:
    """The text of a field, cut where plain signs (`...` for `…`) have made it longer than can be read again."""
    if len(text) > LONGEST_TEXT:
        losses.add(f"text of more than {LONGEST_TEXT:,} characters", [f"the {field}"], "cut there")
    return text[:LONGEST_TEXT].strip()


def _letters(grid: Grid) -> Iterator[str]:
    """The solution, a character a square: of a rebus its first letter."""
    for square in grid.squares:
        if not square.is_open:
            yield puz.BLACKSQUARE
        else:
            yield puz.BLANKSQUARE if square.content is None else square.content.across[0]


def _version(file: puz.Puzzle) -> str:
    text = "".join((file.title, file.author, file.copyright, file.notes, *file.clues))
    try:
        text.encode(puz.ENCODING)
    except UnicodeEncodeError:
        return "2.0"
    return "1.3"


def _add_rebus(file: puz.Puzzle, grid: Grid) -> None:
    for index, square in enumerate(grid.squares):
        if square.content is not None and square.content.is_rebus:
            file.rebus().add_rebus_squares(index, _rebus_string(square.content))
    if file.has_rebus() and len(file.rebus().solutions) > MOST_REBUS_STRINGS:
        raise PuzzleFormatError(f".puz cannot hold more than {MOST_REBUS_STRINGS} different rebus strings")


def _rebus_string(content: Content) -> str:
    if content.is_schroedinger:
        return f"{content.reading(Direction.ACROSS)}/{content.reading(Direction.DOWN)}"
    return content.across


def _add_circles(file: puz.Puzzle, grid: Grid) -> None:
    circles = [index for index, square in enumerate(grid.squares) if square.circle]
    shaded = [index for index, square in enumerate(grid.squares) if square.shade]
    if marked := circles or shaded:
        file.markup().set_markup_squares(marked, puz.GridMarkup.Circled)
