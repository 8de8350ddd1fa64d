"""Linked lights in the model: one answer, one clue, duplicates, what crosses itself, and what no link can be."""

import pytest

from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Grid, Position, Puzzle
from xwtui.model.answers import contents_for
from xwtui.model.edits import idle_entry_rules, link, place_answer, unlink, with_entry_rules
from xwtui.model.review import Check, review
from xwtui.model.rules import EntryRules, MinimumScore
from xwtui.model.selection import around
from xwtui.model.square import Ink
from xwtui.model.statistics import grid_statistics

TWICE = "AB#CD\n#####\nAB#CD"


def linked(puzzle: Puzzle, *names: str) -> Puzzle:
    return link(puzzle, [puzzle.grid.slot(name) for name in names])


def duplicates(puzzle: Puzzle) -> list[str]:
    """What the review says of equal answers."""
    return [finding.message for finding in review(puzzle) if finding.rule is Check.DUPLICATE]


def test_answers_are_duplicates_as_wholes() -> None:
    puzzle = puzzle_of_grid(grid_from_text(TWICE))
    assert duplicates(puzzle) == ["1A and 3A are both AB", "2A and 4A are both CD"]
    puzzle = linked(puzzle, "1A", "2A")
    assert duplicates(puzzle) == []
    assert duplicates(linked(puzzle, "3A", "4A")) == ["1A and 3A are both ABCD"]


def test_without_links_entries_are_the_slots() -> None:
    grid = grid_from_text(TWICE)
    assert grid.entries is grid.slots
    assert grid.clue_slots is grid.slots
    assert grid.entry("1A") is grid.slot("1A")


def test_an_entry_reads_its_lights_in_their_order() -> None:
    grid = linked(puzzle_of_grid(grid_from_text(TWICE)), "4A", "1A").grid
    whole = grid.entry("1A")
    assert (whole.name, whole.label, whole.clue_number, len(whole)) == ("4A", "4A,1A", "4,1", 4)
    assert grid.answer(whole) == "CDAB"
    assert [entry.label for entry in grid.entries] == ["2A", "3A", "4A,1A"]
    assert [slot.label for slot in grid.clue_slots] == ["1A", "2A", "3A", "4A,1A"]


def test_lights_that_cross_share_a_letter() -> None:
    puzzle = linked(Puzzle.blank(3, 3), "1A", "1D")
    whole = puzzle.grid.entry("1D")
    assert (len(whole), len(whole.positions), whole.columns) == (6, 5, (0, 1, 2, 0, 3, 4))
    written = place_answer(puzzle, whole, "OBOOER")
    assert written.answer(whole) == "OBOOER"
    with pytest.raises(PuzzleError, match="ABCDEF does not fit 1A,1D: A and D would share r1c1"):
        contents_for(puzzle.grid, whole, "ABCDEF")


def test_a_slash_square_is_read_as_each_light_goes() -> None:
    puzzle = linked(Puzzle.blank(3, 3), "1A", "3D")
    whole = puzzle.grid.entry("1A")
    grid = puzzle.grid.with_squares(
        {
            at: grid_square
            for at in whole.positions
            for grid_square in [puzzle.grid[at].__class__(content=Content("X", "YZ"), ink=Ink.PEN)]
        }
    )
    assert grid.answer(whole) == "XXXYZYZYZ"
    assert whole.spell({at: Content("X", "YZ") for at in whole.positions}) == "XXXYZYZYZ"


def test_around_an_entry_is_what_crosses_each_of_its_lights() -> None:
    puzzle = linked(Puzzle.blank(4, 4), "1A", "7A")
    assert len(around(puzzle.grid, puzzle.grid.entry("1A"))) == 16
    bent = linked(Puzzle.blank(3, 3), "1A", "3D").grid
    assert around(bent, bent.entry("1A")) == frozenset(bent.positions())


def test_a_clue_waits_while_its_light_is_linked() -> None:
    puzzle = puzzle_of_grid(grid_from_text(TWICE))
    first, second = puzzle.grid.slot("1A"), puzzle.grid.slot("2A")
    puzzle = puzzle.with_clue(second, "Disc").with_clue(first, "Blood type")
    joined = linked(puzzle, "1A", "2A")
    assert [stale.words for stale in joined.stale_clues] == ["1A ABCD has the clue of AB"]
    assert joined.clue(second) == "See 1"
    with pytest.raises(PuzzleError, match="2A is part of 1A,2A, whose clue is at 1A"):
        joined.with_clue(second, "Disc")
    assert unlink(joined, second.key) == puzzle


def test_rules_of_a_later_light_wait() -> None:
    puzzle = puzzle_of_grid(grid_from_text(TWICE))
    puzzle = with_entry_rules(puzzle, puzzle.grid.slot("2A"), EntryRules(MinimumScore(50)))
    assert idle_entry_rules(puzzle) == ()
    assert idle_entry_rules(linked(puzzle, "1A", "2A")) == (puzzle.grid.slot("2A").key,)


def test_figures_are_of_answers() -> None:
    grid = linked(puzzle_of_grid(grid_from_text(TWICE)), "1A", "2A").grid
    figures = grid_statistics(grid, len)
    assert (figures.entries, figures.filled_entries, figures.mean_length) == (3, 3, 8 / 3)


def test_what_no_link_can_be_is_refused() -> None:
    grid = Grid.blank(3, 3)
    one, other = grid.slot("1A").key, grid.slot("4A").key
    for links in ([(one,)], [(one, one)], [(one, other), (other, one)]):
        with pytest.raises(PuzzleError, match="a link has two or more entries"):
            grid.with_links(links)
    assert grid.with_links([(one, (Position(2, 2), one[1]))]).waiting_links
