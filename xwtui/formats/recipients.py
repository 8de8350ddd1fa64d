"""Who reads the files that leave, and what each of them takes: `export --for NAME` writes what it reads best.

What a recipient takes is as its own importer reads it. Those of xd-crossword-tools (Puzzmo) and of pypuz, by the
authors of Crossword Nexus, are run by the tests; Crosshare's and Exolve's are read in their public sources.
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
    """How the texts of an .ipuz file are marked up for who reads it."""

    HTML = "html"
    MARKDOWN = "markdown"
    XD = "xd"


class TwoAnswers(enum.Enum):
    """What becomes of a square with two answers in an .ipuz file."""

    SLASH = "X/TIMES"
    LIST = "a list of both"
    ACROSS = "that across is kept"


@dataclass(frozen=True)
class TakenForm:
    """A format as one recipient reads it: what has no place there is made what comes nearest, and told."""

    suffix: str
    has_shade: bool = True
    has_voids: bool = True
    has_rebus: bool = True
    plain_letters: bool = False
    two_answers: TwoAnswers = TwoAnswers.SLASH
    clues: ClueMarkup = ClueMarkup.HTML
    notes: tuple[str, ...] = ("notes", "intro")
    """Fields of .ipuz in which solvers are shown the notes."""
    numbers_links: bool = False
    """Whether the number of a clue is that of all its lights, `1, 5d`, rather than its text."""
    largest: int = 40


@dataclass(frozen=True)
class Recipient:
    """A program or site that takes puzzles: as it is typed, as it is called, and its formats, the best first."""

    name: str
    title: str
    forms: tuple[TakenForm, ...]

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(form.suffix for form in self.forms)

    def form(self, suffix: str) -> TakenForm:
        """What it takes of a format; raises PuzzleFormatError for one that it does not read."""
        for form in self.forms:
            if form.suffix == suffix.lower():
                return form
        raise PuzzleFormatError(f"{self.title} takes {listed(self.suffixes, 'or')}, not {suffix}")


_ACROSS_LITE = TakenForm(".puz", has_shade=False)

RECIPIENTS: tuple[Recipient, ...] = (
    Recipient(
        "crosshare",
        "Crosshare",
        (
            TakenForm(
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
            TakenForm(".xd", has_voids=False),
            TakenForm(
                ".ipuz", has_voids=False, two_answers=TwoAnswers.LIST, clues=ClueMarkup.XD, notes=("notes",)
            ),
            _ACROSS_LITE,
        ),
    ),
    Recipient("crossword-nexus", "Crossword Nexus", (TakenForm(".ipuz"), TakenForm(".jpz"), _ACROSS_LITE)),
    Recipient(
        "exolve",
        "Exolve",
        (
            TakenForm(".exolve"),
            TakenForm(
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
    Recipient("across-lite", "Across Lite", (_ACROSS_LITE, TakenForm(".al.txt", has_shade=False))),
    Recipient("puzzleme", "PuzzleMe", (TakenForm(".jpz"), _ACROSS_LITE)),
)
"""The order in which they are named."""


def recipient(name: str) -> Recipient:
    """The recipient of a name; raises PuzzleFormatError where there is none."""
    for each in RECIPIENTS:
        if each.name == name.lower():
            return each
    raise PuzzleFormatError(f"there is no {name!r}; there are {listed([each.name for each in RECIPIENTS], 'and')}")


def written_for(
    puzzle: Puzzle, taker: Recipient, suffix: str, write: Callable[[Puzzle, bool], Written], *, lossy: bool
) -> Written:
    """The puzzle as a recipient takes it; `write` is the format's own writer for others.

    Raises PuzzleFormatError where something is lost and not `lossy`; what only becomes something else is told.
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


def _marked_squares(grid: Grid, form: TakenForm, losses: Losses) -> dict[Position, Square]:
    """The squares whose marks, or that are voids, the recipient has not: made what comes nearest."""
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


def _answers(grid: Grid, form: TakenForm, losses: Losses) -> Grid:
    """The grid with what squares hold as the recipient can; its entries keep the clues that they have."""
    if form.plain_letters:
        grid = with_plain_letters(grid, losses)
    found = {at: square for at in grid.open_positions() if (square := grid[at]).content is not None}
    if form.two_answers is TwoAnswers.ACROSS:
        two = [at for at, square in found.items() if square.content and square.content.is_schroedinger]
        losses.add("two answers in a square", two, TwoAnswers.ACROSS.value)
        found |= {at: _holding(found[at], slice(None)) for at in two}
    if not form.has_rebus:
        rebus = [at for at, square in found.items() if square.content and square.content.is_rebus]
        losses.add("rebus squares", rebus, "their first letters are kept")
        found |= {at: _holding(found[at], slice(1)) for at in rebus}
    return grid.with_squares(found)


def _holding(square: Square, letters: slice) -> Square:
    assert square.content is not None
    return replace(square, content=Content.of(square.content.across[letters]))


_KEPT = ("publisher", "publication", "url", "uniqueid", "editor", "date", "difficulty", "origin")
"""Fields of the standard that others may have written, and that are texts."""


def _plain_document(puzzle: Puzzle, solution: Grid, form: TakenForm) -> dict[str, Any]:
    """Ipuz in the plain form that all who read it take alike.

    Clues are pairs of number and text, with the enumeration and the numbers of linked lights in the text: some
    refuse `continued`, others leave `enumeration` out. `solution` is the grid with squares as the recipient can
    hold them.
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


def _title_text(name: str, text: str, form: TakenForm) -> str:
    """A text of the title page; where clues are Markdown, so are the notes, and the rest is plain."""
    if form.clues is ClueMarkup.HTML:
        return to_html(text)
    is_markdown = form.clues is ClueMarkup.MARKDOWN and name in form.notes
    return "\n".join(map(escaped, text.split("\n"))) if is_markdown else text
