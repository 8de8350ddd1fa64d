"""The clues as formats write them: cleaned, with the numbers of other entries, in runs or as plain text."""

from xwtui.formats.base import Losses, name_places
from xwtui.formats.linked_clues import with_number, with_other_numbers
from xwtui.formats.plain_text import clean_line
from xwtui.model import Grid, Puzzle, Slot
from xwtui.model.clues import pointer
from xwtui.model.enumeration import WholeClue
from xwtui.model.markup import TextRun, normal, parse, plain_text, printed_runs


def clue_runs(puzzle: Puzzle, slot: Slot, grid: Grid | None = None) -> tuple[TextRun, ...]:
    """The clue of an entry in runs of italic, bold and plain text, with its enumeration behind it.

    The numbers of other entries are those of `grid`, where a format has another one than the puzzle.
    """
    runs = bare_clue_runs(puzzle, slot, grid)
    text = plain_text(runs)
    whole = str(WholeClue(text, puzzle.enumeration(slot)))
    return runs if whole == text else normal((*runs, TextRun(whole[len(text) :])))


def bare_clue_runs(puzzle: Puzzle, slot: Slot, grid: Grid | None = None) -> tuple[TextRun, ...]:
    """The same without the enumeration, for formats that have a place for it."""
    grid = puzzle.grid if grid is None else grid
    if grid.is_later_light(slot):
        return (TextRun(pointer(grid, slot)),)
    return printed_runs(clean_line(puzzle.clue(slot), f"the clue of {slot.name}"), grid)


def numbered_clue_runs(puzzle: Puzzle, slot: Slot, grid: Grid) -> tuple[TextRun, ...]:
    """The clue with its enumeration, and before it the numbers of linked lights, for formats without a place."""
    return with_number(grid.clue_slot(slot), clue_runs(puzzle, slot, grid))


def behind_number(puzzle: Puzzle, slot: Slot) -> tuple[TextRun, ...]:
    """The clue with its enumeration, to be printed behind its number: those of other linked lights come first."""
    return with_other_numbers(slot, clue_runs(puzzle, slot))


def clue_text(puzzle: Puzzle, slot: Slot, grid: Grid) -> str:
    """The same as plain text."""
    return plain_text(numbered_clue_runs(puzzle, slot, grid))


def tell_styles(puzzle: Puzzle, losses: Losses) -> None:
    """Tell which clues are written as plain text though they have italics or bold."""
    styled = [
        slot.name for slot in puzzle.grid.slots if any(run.italic or run.bold for run in parse(puzzle.clue(slot)))
    ]
    if named := name_places(styled):
        losses.expect(f"the italics and bold of the clues of {named}: they are plain text")
