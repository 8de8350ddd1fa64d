"""The orders in which entries are listed."""

from dataclasses import replace

from tests.tui.conftest import OpenStage
from xwtui.engine.candidates.options import SlotOptions
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Ink, Puzzle
from xwtui.tui.entry_rows import EntryOrder, entry_rows, faulty_first
from xwtui.tui.widgets.entry_list import EntryList

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


def test_what_must_be_mended_comes_first_in_any_order() -> None:
    """Repeats and unlisted answers, but nothing is unlisted while the words load."""
    rows = entry_rows(puzzle(), {}, SCORES.get, EntryOrder.CLUE)
    names = [row.name for row in rows]
    unlisted = {row.name for row in rows if row.is_filled and row.score is None and not row.is_locked}
    assert unlisted, "or this shows nothing"
    first, count = faulty_first(rows, ["3D"], are_words_known=True)
    assert {row.name for row in first[:count]} == unlisted | {"3D"}
    assert [row.name for row in first[count:]] == [name for name in names if name not in unlisted | {"3D"}]
    first, count = faulty_first(rows, (), are_words_known=False)
    assert (count, [row.name for row in first]) == (0, names)


async def test_pinned_rows_stay_in_view_while_the_others_are_scrolled(stage: OpenStage) -> None:
    """A click finds the row that is drawn there."""
    async with stage(Puzzle.blank(15, 15), size=(80, 24)) as on:
        entries = on.app.screen.query_one(EntryList)
        entries.pinned = 2
        entries.action_edge(1)
        first = entries.rows[0].name
        assert entries.top > 0
        drawn = ["".join(part.text for part in entries.render_line(y)) for y in range(entries.size.height)]
        assert drawn[0].split()[0] == first
        assert drawn[-1].split()[0] == entries.rows[-1].name
        await on.pilot.click(entries, offset=(2, entries.size.height - 1))
        assert entries.current == len(entries.rows) - 1
        await on.pilot.click(entries, offset=(2, 0))
        assert entries.current == 0
