"""Changes of blocks and turns of the grid."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.model.layouts import layouts
from tests.naive.what_if import is_sound, naive_changes
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.model import BLOCK, Content, Direction, Grid, Ink, Kind, Position, Puzzle, Square, Symmetry, edits
from xwtui.model.block_changes import BlockChange, BlockLimits, legal_changes
from xwtui.model.edits import with_entry_rules, with_rules
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules import EntryRules, MinimumScore, Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import TreatedEntries, TwoReadings
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.model.rules.nina import Nina
from xwtui.model.turn import Turn
from xwtui.resources import puzzles_folder

TEMPLATES = puzzles_folder() / "templates"


@pytest.mark.parametrize(
    ("template", "symmetry"),
    [("9x9-01", Symmetry.ROTATION_180), ("mini-5x5", Symmetry.ROTATION_180), ("mini-5x5", Symmetry.NONE)],
)
def test_changes_are_all_that_the_naive_rules_allow(template: str, symmetry: Symmetry) -> None:
    """Added, removed, or moved anywhere, each once; short moves come first."""
    grid = grid_from_text((TEMPLATES / f"{template}.txt").read_text())
    found = list(legal_changes(grid, symmetry))
    assert len(found) == len(set(found))
    assert _named(found) == naive_changes(grid, symmetry)
    steps = [_steps(change) for change in found if change.added and change.removed]
    assert steps == sorted(steps)
    assert steps


@given(st.data())
@examples(60)
def test_changes_of_any_grid_are_those_of_the_naive_rules(data: st.DataObject) -> None:
    """With every symmetry, limits, and letters that stay."""
    height, width = data.draw(st.integers(3, 7)), data.draw(st.integers(3, 7))
    symmetries = [one for one in Symmetry if height == width or one in (Symmetry.NONE, Symmetry.ROTATION_180)]
    symmetry = data.draw(st.sampled_from(symmetries))
    positions = list(Grid.blank(height, width).positions())
    blocks = {
        at
        for one in data.draw(st.sets(st.sampled_from(positions), max_size=4))
        for at in symmetry.orbit(one, height, width)
    }
    written = data.draw(st.sets(st.sampled_from(positions), max_size=2)) - blocks
    letter = Square(Kind.OPEN, Content.of("A"), Ink.PEN)
    grid = Grid.blank(height, width).with_squares(
        {**dict.fromkeys(blocks, BLOCK), **dict.fromkeys(written, letter)}
    )
    if not is_sound(grid):
        return
    words = data.draw(st.none() | st.integers(0, len(grid.slots) + 2))
    most_blocks = data.draw(st.none() | st.integers(0, len(blocks) + 2))
    found = legal_changes(grid, symmetry, BlockLimits(words, most_blocks))
    assert _named(found) == naive_changes(grid, symmetry, words, most_blocks)


def _named(changes: Iterable[BlockChange]) -> set[tuple[frozenset[Position], frozenset[Position]]]:
    return {(change.added, change.removed) for change in changes}


def _steps(change: BlockChange) -> int:
    return min(
        abs(block.row - at.row) + abs(block.column - at.column) for block in change.removed for at in change.added
    )


def test_given_squares_stay_open() -> None:
    """What the constructor wrote is not blocked."""
    text = grid_to_text(Grid.blank(7, 7)).replace(".......", "CAB....", 1)
    grid = grid_from_text(text)
    blocked = {at for change in legal_changes(grid, Symmetry.NONE) for at in change.added}
    assert blocked.isdisjoint({Position(0, 0), Position(0, 1), Position(0, 2)})
    assert Position(0, 3) in blocked


def test_limits_are_kept() -> None:
    """No change has more words or blocks than allowed, unless the grid had them."""
    grid = grid_from_text((TEMPLATES / "13x13-02.txt").read_text())
    words = len(grid.slots)
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    limits = BlockLimits(words, blocks)
    changes = list(legal_changes(grid, Symmetry.ROTATION_180, limits))
    assert changes
    for change in changes:
        after = change.on(grid)
        assert len(after.slots) <= words
        assert sum(square.kind is Kind.BLOCK for square in after.squares) <= blocks


def test_a_change_is_told_and_made() -> None:
    """In words, and on a puzzle."""
    change = BlockChange(frozenset({Position(0, 3)}), frozenset({Position(0, 2)}))
    assert change.describe() == "move the block at r1c3 to r1c4"
    assert BlockChange(frozenset({Position(0, 0), Position(4, 4)})).describe() == "add blocks at r1c1 and r5c5"
    puzzle = Puzzle(grid_from_text("..#..\n.....\n....."))
    assert grid_to_text(change.apply(puzzle).grid).splitlines()[0] == "...#."


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
    entered = EnteredOtherwise(TreatedEntries(Treatment(Entering.REVERSE), Direction.ACROSS))
    places = [
        Nina("AB", "row 2"),
        Nina("AB", "r1c1:r2c2"),
        Nina("AB", "perimeter"),
        Nina("AB", "", ("row",), True),
    ]
    clash = ClashSquares(TwoReadings(frozenset(allowed), pairs=("AB",)))
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
    rules = [Nina("COW", "column 1"), Nina("CAT"), Nina("CAT", "row 9"), ClashSquares(TwoReadings(message="CAT"))]
    puzzle = with_rules(puzzle, Rules(grid=tuple(rules)))
    turn = Turn(puzzle.grid, clockwise=True)
    assert [note for rule in puzzle.rules.grid for note in rule.turn_notes(turn)] == [
        "the clash squares spell CAT row by row, as before",
        "the hidden message CAT is only searched from left to right and downward, as before",
        "the hidden message CAT stays along row 9",
    ]
    turned = edits.rotate(puzzle).rules.of(Nina)
    assert [nina.along for nina in turned] == ["r1c3:r1c1", "", "row 9"]
    assert turn.position(Position(0, 0)) == Position(0, 2)
