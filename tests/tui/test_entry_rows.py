"""The orders in which entries are listed."""

from dataclasses import replace

from xwtui.engine.candidates.options import SlotOptions
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Ink, Puzzle
from xwtui.tui.entry_rows import EntryOrder, entry_rows

SCORES = {"BAT": 50, "TEN": 41, "ARE": 60}


def puzzle() -> Puzzle:
    """Across BAT 50, TEN 41 and XYZ, which no list has; ARE is locked, the others are open."""
    grid = grid_from_text("BAT#TEN\n...#...\nXYZ#ARE")
    are = next(slot for slot in grid.slots if grid.answer(slot) == "ARE")
    changes = {at: replace(grid[at], ink=Ink.LOCKED) for at in are.positions}
    return Puzzle(grid.with_squares(changes))


def test_worst_first_goes_by_score_then_by_options_and_locked_entries_come_last() -> None:
    made = puzzle()
    grid = made.grid
    unfinished = [slot.name for slot in grid.slots if grid.answer(slot) is None]
    options = {name: SlotOptions(90, 50 - number) for number, name in enumerate(unfinished)}
    rows = entry_rows(made, options, SCORES.get, EntryOrder.WORST)
    answers = {slot.name: grid.answer(slot) for slot in grid.slots}
    assert [answers[row.name] for row in rows[:3]] == ["XYZ", "TEN", "BAT"]
    assert [row.name for row in rows[3:-1]] == unfinished[::-1]
    assert answers[rows[-1].name] == "ARE"


def test_a_banned_answer_is_marked_and_comes_before_other_words() -> None:
    rows = entry_rows(puzzle(), {}, SCORES.get, EntryOrder.WORST, banned={"ARE", "TEN"})
    grid = puzzle().grid
    answers = {slot.name: grid.answer(slot) for slot in grid.slots}
    assert [answers[row.name] for row in rows if row.is_banned] == ["TEN", "ARE"]
    assert [answers[row.name] for row in rows[:3]] == ["TEN", "ARE", "XYZ"], "though ARE is locked"


def test_what_stops_every_fill_comes_first_in_that_order_too() -> None:
    rows = entry_rows(puzzle(), {}, SCORES.get, EntryOrder.WORST, culprits=["2D"], is_dead=True)
    assert rows[0].name == "2D"
