"""Recipients of exported files and what each accepts: `export --for NAME` writes what it reads best.

What a recipient accepts was determined from its own importer. The tests run the importers of xd-crossword-tools
(Puzzmo) and of pypuz, by the authors of Crossword Nexus; Crosshare's and Exolve's were checked in their public
source.
"""

import enum
from collections.abc import Callable, Sequence
from typing import Any

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleFormatError
from xwtui.formats.across_lite import with_plain_letters
from xwtui.formats.base import Losses, Written, add_voids, name_places
from xwtui.formats.clues import clue_runs, numbered_clue_runs
from xwtui.formats.exolve import linked_number
from xwtui.formats.ipuz import KIND, STYLES, VERSION
from xwtui.formats.ipuz_cells import puzzle_rows, solution_rows
from xwtui.formats.ipuz_extensions import kept_back
from xwtui.formats.json_document import document_bytes
from xwtui.formats.markdown import escaped
from xwtui.formats.markdown import styled as markdown_styled
from xwtui.formats.plain_text import runs_to_html, to_html
from xwtui.formats.xd import styled as xd_styled
from xwtui.formats.xd import write as write_xd
from xwtui.model import BLOCK, Content, Direction, Grid, Kind, Position, Puzzle, Slot, Square
from xwtui.model.markup import TextRun
from xwtui.text import listed


class ClueMarkup(enum.Enum):
    """The markup of texts in an .ipuz file for a recipient."""

    HTML = "html"
    MARKDOWN = "markdown"
    XD = "xd"


class TwoAnswers(enum.Enum):
    """The representation of a square with two answers in an .ipuz file."""

    SLASH = "X/TIMES"
    LIST = "a list of both"
    ACROSS = "that across is kept"


@dataclass(frozen=True)
class AcceptedFormat:
    """A format as one recipient reads it; the rest is replaced by the nearest equivalent and reported."""

    suffix: str
    has_shade: bool = True
    has_voids: bool = True
    has_rebus: bool = True
    plain_letters: bool = False
    two_answers: TwoAnswers = TwoAnswers.SLASH
    clues: ClueMarkup = ClueMarkup.HTML
    notes: tuple[str, ...] = ("notes", "intro")
    """The .ipuz fields that show the notes to solvers."""
    numbers_links: bool = False
    """Whether a clue's number includes all of its lights, `1, 5d`, instead of its text."""
    largest: int = 40


@dataclass(frozen=True)
class Recipient:
    """A program or site that takes puzzles: its name in commands, its title, and its formats, best first."""

    name: str
    title: str
    forms: tuple[AcceptedFormat, ...]

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(form.suffix for form in self.forms)

    def form(self, suffix: str) -> AcceptedFormat:
        """Return how it reads a format; raises PuzzleFormatError for one that it does not read."""
        for form in self.forms:
            if form.suffix == suffix.lower():
                return form
        raise PuzzleFormatError(f"{self.title} takes {listed(self.suffixes, 'or')}, not {suffix}")


_ACROSS_LITE = AcceptedFormat(".puz", has_shade=False)

RECIPIENTS: tuple[Recipient, ...] = (
    Recipient(
        "crosshare",
        "Crosshare",
        (
            AcceptedFormat(
                ".ipuz",
                has_shade=False,
                has_voids=False,
                plain_letters=True,
                two_answers=TwoAnswers.ACROSS,
                clues=ClueMarkup.MARKDOWN,
                notes=("notes",),
                largest=25,
            ),
            replace(_ACROSS_LITE, largest=25),
        ),
    ),
    Recipient(
        "puzzmo",
        "Puzzmo",
        (
            AcceptedFormat(".xd", has_voids=False),
            AcceptedFormat(
                ".ipuz", has_voids=False, two_answers=TwoAnswers.LIST, clues=ClueMarkup.XD, notes=("notes",)
            ),
            _ACROSS_LITE,
        ),
    ),
    Recipient(
        "crossword-nexus", "Crossword Nexus", (AcceptedFormat(".ipuz"), AcceptedFormat(".jpz"), _ACROSS_LITE)
    ),
    Recipient(
        "exolve",
        "Exolve",
        (
            AcceptedFormat(".exolve"),
            AcceptedFormat(
                ".ipuz",
                has_shade=False,
                has_voids=False,
                has_rebus=False,
                two_answers=TwoAnswers.ACROSS,
                notes=("intro",),
                numbers_links=True,
            ),
            _ACROSS_LITE,
        ),
    ),
    Recipient("across-lite", "Across Lite", (_ACROSS_LITE, AcceptedFormat(".al.txt", has_shade=False))),
    Recipient("puzzleme", "PuzzleMe", (AcceptedFormat(".jpz"), _ACROSS_LITE)),
)
"""In display order."""


def recipient(name: str) -> Recipient:
    """Return the recipient with a name; raises PuzzleFormatError if there is none."""
    for each in RECIPIENTS:
        if each.name == name.lower():
            return each
    raise PuzzleFormatError(f"there is no {name!r}; there are {listed([each.name for each in RECIPIENTS], 'and')}")


def written_for(
    puzzle: Puzzle, taker: Recipient, suffix: str, write: Callable[[Puzzle, bool], Written], *, lossy: bool
) -> Written:
    """Return the puzzle for a recipient; `write` is the format's standard writer.

    Raises PuzzleFormatError if something is lost and `lossy` is false. Mere substitutions are reported as
    warnings.
    """
    form = taker.form(suffix)
    grid = puzzle.grid
    if max(grid.height, grid.width) > form.largest:
        raise PuzzleFormatError(f"{taker.title} takes puzzles up to {form.largest}×{form.largest}")
    losses = Losses(taker.title)
    fitted = replace(puzzle, grid=grid.with_squares(_marked_squares(grid, form, losses)))
    solution = _answers(fitted.grid, form, losses)
    warnings = losses.settle(lossy=lossy)
    if form.suffix == ".ipuz":
        of_clues = Losses(f".ipuz for {taker.title}", fitted).settle(lossy=lossy)
        document = document_bytes(_plain_document(fitted, solution, form))
        written = Written(document, of_clues, kept_back(fitted))
    elif form.suffix == ".xd":
        written = write_xd(fitted, lossy, designed=True)
    else:
        written = write(fitted, lossy)
    return Written(written.data, (*warnings, *written.warnings), written.kept_back)


def _marked_squares(grid: Grid, form: AcceptedFormat, losses: Losses) -> dict[Position, Square]:
    """Return squares with marks or voids that the recipient lacks replaced by the nearest equivalents."""
    squares = {at: grid[at] for at in grid.open_positions()}
    voids = [] if form.has_voids else [at for at in grid.positions() if grid[at].kind is Kind.VOID]
    if voids:
        add_voids(grid, losses)
    if not form.has_shade:
        shaded = [at for at, square in squares.items() if square.shade]
        alike = ", like the existing circles" if any(square.circle for square in squares.values()) else ""
        if named := name_places(shaded):
            losses.tell(f"has circles and no shade: {named} become circles{alike}")
        squares |= {at: replace(grid[at], circle=True, shade=False) for at in shaded}
    return {**squares, **dict.fromkeys(voids, BLOCK)}


def _answers(grid: Grid, form: AcceptedFormat, losses: Losses) -> Grid:
    """Return the grid with contents that the recipient can hold; its entries keep their clues."""
    if form.plain_letters:
        grid = with_plain_letters(grid, losses)
    found = grid.contents
    if form.two_answers is TwoAnswers.ACROSS:
        two = [at for at, content in found.items() if content.is_schroedinger]
        losses.add("two answers in a square", two, TwoAnswers.ACROSS.value)
        found |= {at: Content.of(found[at].across) for at in two}
    if not form.has_rebus:
        rebus = [at for at, content in found.items() if content.is_rebus]
        losses.add("rebus squares", rebus, "their first letters are kept")
        found |= {at: Content.of(found[at].across[:1]) for at in rebus}
    return grid.with_squares({at: replace(grid[at], content=content) for at, content in found.items()})


_KEPT = ("publisher", "publication", "url", "uniqueid", "editor", "date", "difficulty", "origin")
"""Standard text fields that other programs may have written."""


def _plain_document(puzzle: Puzzle, solution: Grid, form: AcceptedFormat) -> dict[str, Any]:
    """Return ipuz in the simple form that all readers accept.

    Clues are pairs of number and text. The text includes the enumeration and the numbers of linked lights, because
    some readers reject `continued` and others ignore `enumeration`. `solution` is the grid with contents that the
    recipient can hold.
    """
    grid = puzzle.grid

    def answer(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return [value["Across"], value["Down"]] if form.two_answers is TwoAnswers.LIST else value["value"]

    def clue(slot: Slot) -> list[Any]:
        if form.numbers_links and slot.lights:
            return [linked_number(slot), _marked_up(clue_runs(puzzle, slot), form.clues)]
        return [slot.number, _marked_up(numbered_clue_runs(puzzle, slot, grid), form.clues)]

    texts = {"title": puzzle.title, "author": puzzle.author, **dict.fromkeys(form.notes, puzzle.notes)}
    kept = {name: value for name in _KEPT if isinstance(value := puzzle.foreign.get(name), str)}
    return {
        "version": VERSION,
        "kind": [KIND],
        **{name: _title_text(name, text, form) for name, text in texts.items() if text},
        **({"copyright": puzzle.copyright} if puzzle.copyright else {}),
        **kept,
        "dimensions": {"width": grid.width, "height": grid.height},
        "puzzle": puzzle_rows(grid, puzzle.foreign.get(STYLES, {}), published=True),
        "solution": [[*map(answer, row)] for row in solution_rows(solution)],
        "clues": {way.word.title(): [*map(clue, grid.clue_slots_of(way))] for way in Direction},
    }


def _marked_up(runs: Sequence[TextRun], markup: ClueMarkup) -> str:
    if markup is ClueMarkup.HTML:
        return runs_to_html(runs)
    return markdown_styled(runs) if markup is ClueMarkup.MARKDOWN else xd_styled(runs)


def _title_text(name: str, text: str, form: AcceptedFormat) -> str:
    """Return a title page text; if clues are Markdown, so are the notes, and the other texts are plain."""
    if form.clues is ClueMarkup.HTML:
        return to_html(text)
    is_markdown = form.clues is ClueMarkup.MARKDOWN and name in form.notes
    return "\n".join(map(escaped, text.split("\n"))) if is_markdown else text
