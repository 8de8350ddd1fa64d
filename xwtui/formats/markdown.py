"""Markdown for a page or an email: title, empty grid, clues, solution. Write-only.

The grids are drawn with characters in fenced blocks: the clue number in a square's first line, `( )` for a circle,
dots for shade, `#` and `=` for bars. Texts are escaped, so that they show literally.
"""

from collections.abc import Iterator, Sequence

from xwtui.formats.base import Losses, Written
from xwtui.formats.clues import clue_runs, heading, labels
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.plain_text import clean_line, clean_text
from xwtui.lazy import lazy_pattern
from xwtui.model import Bar, Direction, Grid, Kind, Position, Puzzle
from xwtui.model.markup import TextRun

_SPECIAL = lazy_pattern(r"([\\`*_{}\[\]<>&#|~!])")
_AT_THE_START = lazy_pattern(r"^(\d+)([.)])|^([-+=])")
_WIDTH = 4


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write a Markdown page; it can lose only clues of other answers."""
    warnings = Losses("Markdown", puzzle).settle(lossy=lossy)
    return Written(("\n\n".join(_blocks(puzzle)) + "\n").encode(), warnings)


def _blocks(puzzle: Puzzle) -> Iterator[str]:
    yield f"# {escaped(clean_line(puzzle.title, 'the title')) or 'Untitled'}"
    if puzzle.author:
        yield f"{labels(puzzle)['by']} {escaped(clean_line(puzzle.author, 'the author'))}"
    if puzzle.notes:
        yield "\n".join(f"> {escaped(line)}" for line in clean_text(puzzle.notes, "the notes").splitlines())
    yield _fenced("\n".join(_drawn_grid(puzzle.grid)))
    for direction in Direction:
        slots = puzzle.grid.clue_slots_of(direction)
        if slots:
            yield f"## {heading(puzzle, direction)}"
            clues = ((slot.clue_number, styled(clue_runs(puzzle, slot))) for slot in slots)
            yield "\\\n".join(f"**{number}** {clue or '—'}" for number, clue in clues)
    yield f"## {labels(puzzle)['solution']}"
    yield _fenced(grid_to_text(puzzle.grid))
    if puzzle.copyright:
        yield escaped(clean_line(puzzle.copyright, "the copyright"))


def escaped(text: str) -> str:
    """Return Markdown that shows the text literally."""
    special = _escaped_within(text)
    return _AT_THE_START.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", special)


def _escaped_within(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def styled(runs: Sequence[TextRun]) -> str:
    """Return a clue's runs as Markdown, with tags where stars would not work, such as within a word."""
    texts = [escaped(run.text) if index == 0 else _escaped_within(run.text) for index, run in enumerate(runs)]
    parts = []
    for before, run, text, after in zip((TextRun(""), *runs), runs, texts, (*runs[1:], TextRun("")), strict=False):
        stars = "*" * (run.italic + 2 * run.bold)
        stands_alone = all(not beside or beside.isspace() for beside in (before.text[-1:], after.text[:1]))
        touches_words = run.text[0].isalnum() and run.text[-1].isalnum()
        if stands_alone or (touches_words and not (before.text[-1:].isalnum() or after.text[:1].isalnum())):
            parts.append(f"{stars}{text}{stars}")
        else:
            bold = f"<b>{text}</b>" if run.bold else text
            parts.append(f"<i>{bold}</i>" if run.italic else bold)
    return "".join(parts)


def _drawn_grid(grid: Grid) -> Iterator[str]:
    def cell(at: Position, line: int) -> str:
        square = grid[at]
        side = "#" if Bar(at.step(Direction.ACROSS, -1), at) in grid.bars else "|"
        if not square.is_open:
            return side + ("█" if square.kind is Kind.BLOCK else " ") * _WIDTH
        if line == 0:
            return side + str(grid.numbers.get(at, "")).ljust(_WIDTH)
        middle = "··" if square.shade else "  "
        return f"{side}({middle})" if square.circle else f"{side} {middle} "

    for row in range(grid.height + 1):
        below = [Position(row, column) for column in range(grid.width)]
        barred = (Bar(at.step(Direction.DOWN, -1), at) in grid.bars for at in below)
        yield "".join("+" + ("=" if is_barred else "-") * _WIDTH for is_barred in barred) + "+"
        if row < grid.height:
            yield from ("".join(cell(at, line) for at in below) + "|" for line in (0, 1))


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```"
