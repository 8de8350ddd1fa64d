"""The grid by a quarter turn, and all that goes with it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.layouts import layouts
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Direction, Grid, Position, Puzzle, Symmetry, edits
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules import EntryRules, MinimumScore, Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import LettersClash, LightsEntered
from xwtui.model.rules.edits import with_entry_rules, with_rules
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.model.rules.nina import Nina
from xwtui.model.turn import Turn

ROWS = "CAT#\nO#OE\nWEB#"


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Puzzles with letters, slash squares, circles, clues, notes and rules of entries and squares."""
    grid = draw(layouts())
    puzzle = Puzzle(grid, symmetry=draw(st.sampled_from([Symmetry.NONE, Symmetry.LEFT_RIGHT])))
    for at in grid.open_positions():
        if draw(st.booleans()):
            reading = draw(st.sampled_from(["A", "B", "HEART", "X/TIMES"]))
            puzzle = edits.set_square(puzzle, at, Content.parse(reading))
        if draw(st.booleans()):
            puzzle = edits.toggle_circle(puzzle, at)
    for slot in puzzle.grid.slots:
        if draw(st.booleans()):
            puzzle = puzzle.with_clue(slot, f"of {slot.name}, see {{{slot.name}}}").with_solver_note(
                slot, slot.name
            )
            puzzle = with_entry_rules(puzzle, slot, EntryRules(MinimumScore(60)))
    lights = puzzle.grid.slots[:2]
    if len(lights) == 2 and draw(st.booleans()):
        puzzle = puzzle.with_grid(puzzle.grid.with_links([tuple(light.key for light in lights)]))
    allowed = {at: (Content("X", "TIMES"),) for at in list(puzzle.grid.open_positions())[:1]}
    entered = EnteredOtherwise(LightsEntered(Treatment(Entering.REVERSE), Direction.ACROSS))
    places = [
        Nina("AB", "row 2"),
        Nina("AB", "r1c1:r2c2"),
        Nina("AB", "perimeter"),
        Nina("AB", "", ("row",), True),
    ]
    clash = ClashSquares(LettersClash(frozenset(allowed), pairs=("AB",)))
    return with_rules(puzzle, replace(puzzle.rules, squares=allowed, grid=(*places, clash, entered)))


@given(puzzles(), st.booleans())
def test_four_turns_change_nothing(puzzle: Puzzle, clockwise: bool) -> None:
    turned = puzzle
    for _ in range(4):
        turned = edits.rotate(turned, clockwise=clockwise)
    assert turned == puzzle


@given(puzzles())
def test_a_turn_is_taken_back_by_one_the_other_way(puzzle: Puzzle) -> None:
    assert edits.rotate(edits.rotate(puzzle), clockwise=False) == puzzle


@given(layouts(), st.booleans())
def test_slots_are_those_of_the_turned_squares_numbered_anew(grid: Grid, clockwise: bool) -> None:
    turn = Turn(grid, clockwise=clockwise)
    before = {(frozenset(turn.positions(slot.positions)), slot.direction.other) for slot in grid.slots}
    assert {(frozenset(slot.positions), slot.direction) for slot in turn.after.slots} == before
    assert {turn.key(slot.key) for slot in grid.slots} == {slot.key for slot in turn.after.slots}
    starts = sorted({slot.start for slot in turn.after.slots})
    assert [starts[slot.number - 1] for slot in turn.after.slots] == [slot.start for slot in turn.after.slots]


@pytest.mark.parametrize(
    ("clockwise", "rows", "kept", "stale"),
    [(True, ["WOC", "E#A", "BOT", "#E#"], "1D", "1A"), (False, ["#E#", "TOB", "A#E", "COW"], "4A", "2D")],
)
def test_a_clue_stays_with_its_answer(clockwise: bool, rows: list[str], kept: str, stale: str) -> None:
    puzzle = puzzle_of_grid(grid_from_text(ROWS))
    for slot in puzzle.grid.slots:
        puzzle = puzzle.with_clue(slot, f"Clue of {puzzle.answer(slot)}, not {{1A}}")
    turned = edits.rotate(puzzle, clockwise=clockwise)
    assert ["".join(str(one.content or "#") for one in row) for row in turned.grid.rows()] == rows
    straight = [slot for slot in turned.grid.slots if turned.clue(slot)]
    assert all(turned.clue(slot).startswith(f"Clue of {turned.answer(slot)},") for slot in straight)
    assert kept in {slot.name for slot in straight}
    assert stale in {each.slot.name for each in turned.stale_clues}
    assert len(straight) + len(turned.stale_clues) == len(puzzle.clues)


def test_what_a_rule_cannot_follow_is_told() -> None:
    puzzle = puzzle_of_grid(grid_from_text(ROWS))
    rules = [Nina("COW", "column 1"), Nina("CAT"), Nina("CAT", "row 9"), ClashSquares(LettersClash(message="CAT"))]
    puzzle = with_rules(puzzle, Rules(grid=tuple(rules)))
    turn = Turn(puzzle.grid, clockwise=True)
    assert [note for rule in puzzle.rules.grid for note in rule.turn_notes(turn)] == [
        "the clash squares spell CAT row by row, as before",
        "the hidden message CAT is looked for from left to right and downward, as before",
        "the hidden message CAT stays along row 9",
    ]
    turned = edits.rotate(puzzle).rules.of(Nina)
    assert [nina.along for nina in turned] == ["r1c3:r1c1", "", "row 9"]
    assert turn.position(Position(0, 0)) == Position(0, 2)
