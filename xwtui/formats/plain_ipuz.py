"""ipuz in the plain form that all who read it take alike, as one recipient has it.

Unnumbered squares with a style have no `cell`, since some print its 0. Clues are pairs of number and text, with
the enumeration and the numbers of linked lights in the text: some refuse `continued`, others leave `enumeration`
out. None of xwtui's own fields is in it.
"""

from collections.abc import Sequence
from typing import Any

from xwtui.formats.base import Losses, Written, add_stale_clues
from xwtui.formats.clues import clue_runs, numbered_clue_runs
from xwtui.formats.ipuz import KIND, STYLES, VERSION
from xwtui.formats.ipuz_cells import Row, puzzle_rows, solution_rows
from xwtui.formats.ipuz_extensions import kept_back
from xwtui.formats.json_document import document_bytes
from xwtui.formats.markdown import escaped, styled
from xwtui.formats.plain_text import runs_to_html, to_html
from xwtui.formats.recipients import ClueMarkup, TakenForm, TwoAnswers
from xwtui.formats.xd import styled as xd_styled
from xwtui.model import Direction, Grid, Puzzle, Slot
from xwtui.model.markup import TextRun

_KEPT = ("publisher", "publication", "url", "uniqueid", "editor", "date", "difficulty", "origin")
"""Fields of the standard that others may have written, and that are texts."""


def write(puzzle: Puzzle, solution: Grid, form: TakenForm, title: str, lossy: bool = False) -> Written:
    """Write the plain form that a recipient of this `title` takes; a clue of another answer is a loss.

    `solution` is the grid with squares as the recipient can hold them.
    """
    losses = Losses(f".ipuz for {title}")
    add_stale_clues(puzzle, losses)
    warnings = losses.settle(lossy=lossy)
    return Written(document_bytes(_document(puzzle, solution, form)), warnings, kept_back(puzzle))


def _document(puzzle: Puzzle, solution: Grid, form: TakenForm) -> dict[str, Any]:
    grid = puzzle.grid
    texts = {"title": puzzle.title, "author": puzzle.author, **dict.fromkeys(form.notes, puzzle.notes)}
    kept = {name: value for name in _KEPT if isinstance(value := puzzle.foreign.get(name), str)}
    return {
        "version": VERSION,
        "kind": [KIND],
        **{name: _text(name, text, form) for name, text in texts.items() if text},
        **({"copyright": puzzle.copyright} if puzzle.copyright else {}),
        **kept,
        "dimensions": {"width": grid.width, "height": grid.height},
        "puzzle": _each(puzzle_rows(grid, puzzle.foreign.get(STYLES, {})), _bare),
        "solution": _each(solution_rows(solution), lambda value: _answer(value, form.two_answers)),
        "clues": {
            way.word.title(): [_clue(puzzle, slot, form) for slot in grid.clue_slots_of(way)] for way in Direction
        },
    }


def _each(rows: Sequence[Row], change: Any) -> list[Row]:
    return [[change(cell) for cell in row] for row in rows]


def _bare(cell: Any) -> Any:
    """A cell without the number 0, where it has a style."""
    return {"style": cell["style"]} if isinstance(cell, dict) and cell["cell"] == 0 else cell


def _answer(value: Any, two_answers: TwoAnswers) -> Any:
    if not isinstance(value, dict):
        return value
    return [value["Across"], value["Down"]] if two_answers is TwoAnswers.LIST else value["value"]


def _clue(puzzle: Puzzle, slot: Slot, form: TakenForm) -> list[Any]:
    if form.numbers_links and slot.lights:
        number = slot.clue_number.replace(",", ", ").lower()
        return [number, _marked_up(clue_runs(puzzle, slot), form.clues)]
    return [slot.number, _marked_up(numbered_clue_runs(puzzle, slot, puzzle.grid), form.clues)]


def _marked_up(runs: Sequence[TextRun], markup: ClueMarkup) -> str:
    if markup is ClueMarkup.HTML:
        return runs_to_html(runs)
    return styled(runs) if markup is ClueMarkup.MARKDOWN else xd_styled(runs)


def _text(name: str, text: str, form: TakenForm) -> str:
    """A text of the title page; where clues are Markdown, so are the notes, and the rest is plain."""
    if form.clues is ClueMarkup.HTML:
        return to_html(text)
    is_markdown = form.clues is ClueMarkup.MARKDOWN and name in form.notes
    return "\n".join(map(escaped, text.split("\n"))) if is_markdown else text
