"""The review of clues: what is said of which entry."""

import pytest

from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Puzzle
from xwtui.model.clue_review import ClueFault, clue_remarks, remarks_by_entry
from xwtui.model.edits import place_answer
from xwtui.model.review import Check, review

GRID = grid_from_text("[HEART]ACHE\nO.#.O\nR.#.N\nSTABL")


def clued(**clues: str) -> Puzzle:
    puzzle = puzzle_of_grid(GRID)
    for slot in puzzle.grid.slots:
        puzzle = puzzle.with_clue(slot, clues.get(f"_{slot.name}", f"clue of {slot.name}"))
    return puzzle


def said(puzzle: Puzzle) -> list[tuple[str, ClueFault]]:
    return [(remark.slot.name, remark.fault) for remark in clue_remarks(puzzle)]


def test_nothing_is_said_of_clues_that_are_in_order() -> None:
    assert said(clued()) == []


@pytest.mark.parametrize(
    "clue", ["Heartache!", "A heart ache", "It makes the heart sink", "*Ache* of love", "HÉART"]
)
def test_words_of_the_answer(clue: str) -> None:
    (remark,) = clue_remarks(clued(_1A=clue))
    assert remark.fault is ClueFault.TELLING
    assert "of its answer, HEARTACHE" in remark.message or "has its answer, HEARTACHE" in remark.message


@pytest.mark.parametrize("clue", ["Eart", "Hea it", "Ach", "Each", "Heartfelt"])
def test_words_that_are_there_by_chance(clue: str) -> None:
    assert said(clued(_1A=clue)) == []


def test_the_same_clue_twice_is_told_of_both_and_once_in_the_review() -> None:
    puzzle = clued(_1A="Sad  feeling", _1D="*sad* feeling.", _2D="See 1-Across", _7A="See 1-Across")
    assert said(puzzle) == [("1A", ClueFault.REPEATED), ("1D", ClueFault.REPEATED)]
    findings = [finding for finding in review(puzzle) if finding.rule is Check.REPEATED_CLUE]
    assert [finding.message for finding in findings] == ["1A has the same clue as 1D"]


def test_long_clues_are_measured_as_they_are_printed() -> None:
    assert said(clued(_1A="x" * 505, _1D="*" + "x" * 504 + "*")) == []
    assert said(clued(_1A="x" * 506)) == [("1A", ClueFault.LONG)]


def test_references_to_no_entry() -> None:
    puzzle = clued(_1A="See {1D} and {99A}", _1D="with {1a-}")
    (remark,) = clue_remarks(puzzle)
    assert (remark.slot.name, remark.message) == ("1A", "the clue of 1A names {99A}, where no entry is")
    assert Check.LOST_REFERENCE in {finding.rule for finding in review(puzzle)}


def test_missing_and_stale_clues() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH")).with_clue(GRID.slot("1A"), "first three")
    changed = place_answer(puzzle, puzzle.grid.slot("1A"), "ABD")
    assert said(changed)[:2] == [("1A", ClueFault.STALE), ("3A", ClueFault.MISSING)]
    assert [remark.message for remark in remarks_by_entry(changed)["1A"]] == ["1A ABD has the clue of ABC"]


@pytest.mark.parametrize("clue", ["Sad state (9)", "Sad (5,4)", "Sad? (5-2-2)!", "Sad (5,4; two words)"])
def test_an_enumeration_that_fits(clue: str) -> None:
    assert enumerations(clue) == []


@pytest.mark.parametrize(
    ("clue", "message"),
    [
        ("Sad state", "the clue of 1A ends in no enumeration, such as (9)"),
        ("Sad (state)", "the clue of 1A ends in no enumeration, such as (9)"),
        ("(9) Sad", "the clue of 1A ends in no enumeration, such as (9)"),
        ("Sad (4,4)", "the clue of 1A says (4,4), but HEARTACHE has 9 letters"),
    ],
)
def test_an_enumeration_that_is_missing_or_wrong(clue: str, message: str) -> None:
    assert enumerations(clue) == [message]
    assert message in [finding.message for finding in review(clued(_1A=clue), wants_enumerations=True)]
    assert said(clued(_1A=clue)) == [], "nobody wants one"


def enumerations(clue: str) -> list[str]:
    """What is said of the clue of 1A where the outlet wants enumerations."""
    remarks = remarks_by_entry(clued(_1A=clue), wants_enumerations=True).get("1A", ())
    return [remark.message for remark in remarks if remark.fault is ClueFault.ENUMERATION]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("See 99-Down", "99-Down"),
        ("with 1-Across and 12-down", "12-Down"),
        ("5-, 12- and 30-Across", "12-Across, 30-Across"),
        ("See 9 Across", "9-Across"),
        ("See 12", "12"),
        ("See 5", ""),
        ("3-Down's rival", ""),
        ("Windows 10 down the drain", ""),
        ("Catch 22: across the board", ""),
        ("007-Down", "007-Down"),
    ],
)
def test_entries_that_a_clue_names_in_plain_text_are_looked_for(text: str, lost: str) -> None:
    """The grid has 1, 4 and 5 across, and 1, 2 and 3 down."""
    puzzle = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
    remarks = clue_remarks(puzzle.with_clue(puzzle.grid.slot("1A"), text))
    found = [one.message for one in remarks if one.fault is ClueFault.LOST_REFERENCE]
    assert found == ([f"the clue of 1A names {lost}, where no entry is"] if lost else [])
