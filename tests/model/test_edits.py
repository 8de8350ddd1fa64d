"""Edits: effects, what they preserve, locks; block changes; rotating and resizing the grid."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.generators import contents, layouts, puzzles
from tests.naive.layouts import is_sound, naive_changes
from tests.naive.model import naive_orbit
from xwtui.errors import LockedError, PuzzleError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.model import (
    BLOCK,
    Bar,
    Content,
    Direction,
    Grid,
    Ink,
    Kind,
    Position,
    Puzzle,
    Slot,
    Square,
    Symmetry,
    edits,
)
from xwtui.model.block_changes import BlockChange, BlockLimits, legal_changes
from xwtui.model.clues import EntryClues
from xwtui.model.edits import (
    bar_orbit,
    clear_entry,
    clear_pencil,
    clear_squares,
    place_answer,
    set_ink,
    set_kind,
    set_square,
    set_symmetry,
    toggle_bars,
    toggle_circle,
    toggle_shade,
    with_entry_rules,
    with_rules,
    write_fill,
)
from xwtui.model.entering import Entering, Treatment
from xwtui.model.grid_move import ANCHORS, GridMove
from xwtui.model.markup import Reference
from xwtui.model.rules import EntryRules, MinimumScore, Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import AlteredEntries, TwoReadings
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.model.rules.nina import Nina
from xwtui.resources import puzzles_folder

CORNER, CENTRE = Position(0, 0), Position(1, 1)
A, B, HEART = Content.of("A"), Content.of("B"), Content.of("HEART")


def puzzle(text: str, symmetry: Symmetry = Symmetry.NONE) -> Puzzle:
    return Puzzle(grid_from_text(text), symmetry=symmetry)


def text(puzzle: Puzzle) -> str:
    return grid_to_text(puzzle.grid)


def locked(puzzle: Puzzle, *positions: Position) -> Puzzle:
    return set_ink(puzzle, positions, Ink.LOCKED)


@st.composite
def symmetric_puzzles(draw: st.DrawFn) -> Puzzle:
    """Open grids with a few blocks that keep a symmetry."""
    symmetry = draw(st.sampled_from(Symmetry))
    height = draw(st.integers(3, 7))
    width = height if symmetry.needs_square_grid else draw(st.integers(3, 7))
    made = Puzzle.blank(height, width, symmetry)
    places = st.builds(Position, st.integers(0, height - 1), st.integers(0, width - 1))
    for position in draw(st.lists(places, max_size=6)):
        made = set_kind(made, position, Kind.BLOCK)
    return made


def is_symmetric(puzzle: Puzzle) -> bool:
    grid = puzzle.grid
    return all(
        grid[Position(*image)].kind is grid[position].kind
        for position in grid.positions()
        for image in naive_orbit(puzzle.symmetry, (position.row, position.column), grid.height, grid.width)
    )


@given(symmetric_puzzles())
def test_blocks_keep_the_symmetry(made: Puzzle) -> None:
    assert is_symmetric(made)


@given(symmetric_puzzles(), st.data())
def test_reopening_a_block_restores_the_grid(made: Puzzle, data: st.DataObject) -> None:
    position = data.draw(st.sampled_from(list(made.grid.positions())))
    is_block = made.grid[position].kind is Kind.BLOCK
    there = set_kind(made, position, Kind.OPEN if is_block else Kind.BLOCK)
    assert set_kind(there, position, made.grid[position].kind) == made


def test_a_block_removes_content_and_marks() -> None:
    made = toggle_circle(puzzle("A..\n...\n..B", Symmetry.ROTATION_180), CORNER)
    assert text(set_kind(made, CORNER, Kind.BLOCK)) == "#..\n...\n..#"
    assert set_kind(set_kind(made, CORNER, Kind.BLOCK), CORNER, Kind.OPEN).grid == Grid.blank(3, 3)


def test_a_block_keeps_mirror_images_that_are_already_blocks() -> None:
    made = puzzle("#..\n...\n...", Symmetry.ROTATION_180)
    assert text(set_kind(made, Position(2, 2), Kind.BLOCK)) == "#..\n...\n..#"


def test_a_void_has_mirror_images_too() -> None:
    made = puzzle("...\n...\n...", Symmetry.LEFT_RIGHT)
    assert text(set_kind(made, CORNER, Kind.VOID)) == "_._\n...\n..."


@pytest.mark.parametrize("position", [CORNER, Position(2, 2)])
def test_a_lock_protects_against_a_block_and_its_mirror_image(position: Position) -> None:
    made = locked(puzzle("A..\n...\n...", Symmetry.ROTATION_180), CORNER)
    with pytest.raises(LockedError, match="r1c1 is locked with A; unlock it first"):
        set_kind(made, position, Kind.BLOCK)


def test_an_impossible_symmetry_is_refused() -> None:
    with pytest.raises(PuzzleError, match="rot90 symmetry needs a square grid"):
        set_symmetry(Puzzle.blank(3, 5), Symmetry.ROTATION_90)
    with pytest.raises(PuzzleError, match="diagonal symmetry needs a square grid"):
        Puzzle.blank(3, 5, Symmetry.DIAGONAL)


def test_a_new_symmetry_keeps_the_blocks() -> None:
    made = puzzle("#..\n...\n...")
    assert set_symmetry(made, Symmetry.ROTATION_180).grid == made.grid


@given(symmetric_puzzles(), st.data())
def test_bars_keep_the_symmetry_and_toggle_back(made: Puzzle, data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(list(made.grid.positions())))
    near = [at for at in made.grid.positions() if abs(at.row - one.row) + abs(at.column - one.column) == 1]
    other = data.draw(st.sampled_from(near))
    barred = toggle_bars(made, [Bar.between(one, other)])
    assert Bar.between(one, other) in barred.grid.bars
    for bar in barred.grid.bars:
        assert bar_orbit(bar, made.symmetry, made.grid) == barred.grid.bars
    assert toggle_bars(barred, [Bar.between(other, one)]) == made


def test_a_bar_at_the_edge_is_refused() -> None:
    with pytest.raises(PuzzleError, match="is not on the grid"):
        toggle_bars(Puzzle.blank(3, 3), [Bar.between(CORNER, Position(-1, 0))])


@given(layouts(), contents(), st.data())
def test_a_square_takes_content_in_the_given_ink(grid: Grid, content: Content, data: st.DataObject) -> None:
    assume(any(grid.open_positions()))
    position = data.draw(st.sampled_from(list(grid.open_positions())))
    ink = data.draw(st.sampled_from(Ink))
    square = set_square(Puzzle(grid), position, content, ink).grid[position]
    assert (square.content, square.ink) == (content, ink)


@pytest.mark.parametrize(("layout", "kind"), [("#..\n...\n...", "block"), ("_..\n...\n...", "void")])
def test_only_open_squares_take_letters_and_marks(layout: str, kind: str) -> None:
    edits: list[Callable[[Puzzle], Puzzle]] = [
        lambda made: set_square(made, CORNER, A),
        lambda made: toggle_circle(made, CORNER),
        lambda made: toggle_shade(made, CORNER),
        lambda made: clear_squares(made, [CORNER]),
    ]
    for edit in edits:
        with pytest.raises(PuzzleError, match=f"r1c1 is a {kind}; only open squares"):
            edit(puzzle(layout))


def test_positions_off_the_grid_raise_in_every_edit() -> None:
    made, off = Puzzle.blank(3, 3, Symmetry.NONE), Position(3, 0)
    edits: list[Callable[[Puzzle], Puzzle]] = [
        lambda made: set_square(made, off, A),
        lambda made: set_kind(made, off, Kind.BLOCK),
        lambda made: toggle_circle(made, off),
        lambda made: toggle_shade(made, off),
        lambda made: set_ink(made, [off], Ink.PEN),
        lambda made: clear_squares(made, [off]),
    ]
    for edit in edits:
        with pytest.raises(PuzzleError, match="r4c1 is not on this grid"):
            edit(made)


def test_a_locked_square_accepts_only_its_own_content() -> None:
    made = locked(puzzle("A..\n...\n..."), CORNER)
    with pytest.raises(LockedError, match="r1c1 is locked with A"):
        set_square(made, CORNER, B)
    with pytest.raises(LockedError, match="r1c1 is locked with A"):
        clear_squares(made, [CORNER])
    assert set_square(made, CORNER, A) == made


def test_an_answer_over_a_locked_square_changes_nothing() -> None:
    made = locked(puzzle(".A.\n...\n..."), Position(0, 1))
    with pytest.raises(LockedError):
        place_answer(made, made.grid.slot("1A"), "OXO")
    assert text(place_answer(made, made.grid.slot("1A"), "CAT")) == "CAT\n...\n..."
    assert place_answer(made, made.grid.slot("1A"), "CAT").grid[Position(0, 1)].ink is Ink.LOCKED


def test_the_same_letter_in_pencil_does_not_weaken_pen() -> None:
    made = puzzle("A..\n...\n...")
    assert set_square(made, CORNER, A, Ink.PENCIL) == made
    assert set_square(made, CORNER, B, Ink.PENCIL).grid[CORNER].ink is Ink.PENCIL


def test_an_emptied_square_loses_its_ink_and_keeps_its_marks() -> None:
    made = toggle_shade(toggle_circle(puzzle("A..\n...\n..."), CORNER), CORNER)
    emptied = set_square(made, CORNER, None).grid[CORNER]
    assert (emptied.content, emptied.ink, emptied.circle, emptied.shade) == (None, Ink.PENCIL, True, True)


@given(layouts(), st.data())
def test_circle_and_shade_toggle_back(grid: Grid, data: st.DataObject) -> None:
    assume(any(grid.open_positions()))
    made, position = Puzzle(grid), data.draw(st.sampled_from(list(grid.open_positions())))
    for toggle in (toggle_circle, toggle_shade):
        assert toggle(made, position) != made
        assert toggle(toggle(made, position), position) == made


def test_a_fill_is_in_pencil_and_keeps_given_squares() -> None:
    made = locked(puzzle("AB.\n...\n..."), CORNER)
    filled = write_fill(made, dict.fromkeys(made.grid.positions(), HEART)).grid
    assert (filled[CORNER].content, filled[CORNER].ink) == (A, Ink.LOCKED)
    assert (filled[Position(0, 1)].content, filled[Position(0, 1)].ink) == (B, Ink.PEN)
    assert all(filled[at].ink is Ink.PENCIL for at in filled.positions() if at.row > 0)
    assert all(filled[at].content == HEART for at in filled.positions() if at.row > 0)


@given(puzzles(largest=4, bars=False, word_choice=False), contents())
def test_clearing_pencil_keeps_given_squares(made: Puzzle, content: Content) -> None:
    filled = write_fill(made, dict.fromkeys(made.grid.open_positions(), content))
    cleared = clear_pencil(filled).grid
    for position in made.grid.open_positions():
        before = made.grid[position]
        assert cleared[position].content == (before.content if before.is_given else None)


def test_clearing_some_of_the_pencil() -> None:
    made = write_fill(Puzzle.blank(3, 3), {CORNER: A, CENTRE: B})
    assert text(clear_pencil(made, [CORNER])) == "...\n.B.\n..."


@pytest.mark.parametrize(("under", "left"), [("\nO..\nG..", "C.."), ("\nONE\nGET", "...")])
def test_clearing_an_entry_keeps_letters_of_finished_crossings_unless_all_are(under: str, left: str) -> None:
    made = puzzle("CAT" + under)
    assert text(clear_entry(made, made.grid.slot("1A"))) == left + under


def test_clearing_an_entry_keeps_locked_squares() -> None:
    made = locked(puzzle("CAT\n...\n..."), CORNER, Position(0, 1))
    assert text(clear_entry(made, made.grid.slot("1A"))) == "CA.\n...\n..."
    wholly = locked(made, Position(0, 2))
    assert clear_entry(wholly, wholly.grid.slot("1A")) == wholly


def test_only_squares_with_content_have_ink() -> None:
    made = puzzle("A..\n...\n...")
    inked = set_ink(made, made.grid.open_positions(), Ink.LOCKED).grid
    assert inked[CORNER].ink is Ink.LOCKED
    assert inked[CENTRE].ink is Ink.PENCIL


@given(puzzles(largest=4, word_choice=False), st.data())
def test_locked_squares_survive_every_edit(made: Puzzle, data: st.DataObject) -> None:
    position = data.draw(st.sampled_from(list(made.grid.positions())))
    slot = data.draw(st.sampled_from(made.grid.slots)) if made.grid.slots else None
    edits: list[Callable[[Puzzle], Puzzle]] = [
        lambda made: set_kind(made, position, Kind.BLOCK),
        lambda made: set_kind(made, position, Kind.VOID),
        lambda made: set_square(made, position, data.draw(st.none() | contents())),
        clear_pencil,
        lambda made: write_fill(made, {position: A} if made.grid[position].is_open else {}),
    ]
    if slot is not None:
        edits.append(lambda made: clear_entry(made, slot))
        edits.append(lambda made: place_answer(made, slot, "A" * len(slot)))
    guarded = {at: made.grid[at].content for at in made.grid.positions() if made.grid[at].ink is Ink.LOCKED}
    try:
        edited = data.draw(st.sampled_from(edits))(made)
    except PuzzleError:
        return
    assert all(edited.grid[at].content == content for at, content in guarded.items())


def test_edits_keep_clues_and_title() -> None:
    made = puzzle("CAT\n...\n...").with_clue(grid_from_text("CAT\n...\n...").slot("1A"), "Purrer")
    edited = set_kind(set_square(made, CENTRE, A), Position(2, 2), Kind.BLOCK)
    assert edited.clue(edited.grid.slot("1A")) == "Purrer"
    assert edited.grid[Position(2, 2)] == BLOCK


def test_a_locked_entry_is_reported_as_locked_for_any_answer() -> None:
    puzzle = Puzzle.blank(3, 3)
    slot = puzzle.grid.slot("1A")
    locked = set_ink(place_answer(puzzle, slot, "ABC"), slot.positions, Ink.LOCKED)
    for answer in ("XYZ", "TOOLONG"):
        with pytest.raises(LockedError, match="1A is locked; unlock it first"):
            place_answer(locked, slot, answer)


@given(symmetric_puzzles(), st.data())
def test_several_bars_are_removed_if_all_exist(made: Puzzle, data: st.DataObject) -> None:
    inner = [at for at in made.grid.positions() if at.column + 1 < made.grid.width]
    chosen = data.draw(st.lists(st.sampled_from(inner), min_size=1, max_size=4, unique=True))
    bars = [Bar.between(at, at.step(Direction.ACROSS)) for at in chosen]
    some = toggle_bars(made, bars[:1])
    everywhere = toggle_bars(some, bars) if not set(bars) <= some.grid.bars else some
    assert set(bars) <= everywhere.grid.bars
    assert toggle_bars(everywhere, bars).grid.bars == frozenset()


TEMPLATES = puzzles_folder() / "templates"


@pytest.mark.parametrize(
    ("template", "symmetry"),
    [("9x9-01", Symmetry.ROTATION_180), ("mini-5x5", Symmetry.ROTATION_180), ("mini-5x5", Symmetry.NONE)],
)
def test_changes_are_exactly_those_of_the_naive_rules(template: str, symmetry: Symmetry) -> None:
    """Blocks added, removed or moved anywhere, each once; short moves come first."""
    grid = grid_from_text((TEMPLATES / f"{template}.txt").read_text())
    found = list(legal_changes(grid, symmetry))
    assert len(found) == len(set(found))
    assert _named(found) == naive_changes(grid, symmetry)
    steps = [_steps(change) for change in found if change.added and change.removed]
    assert steps == sorted(steps)
    assert steps


@given(st.data())
@examples(60)
def test_changes_of_any_grid_match_the_naive_rules(data: st.DataObject) -> None:
    """With every symmetry, limits, and letters to keep."""
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


def test_a_change_is_worded_and_applied() -> None:
    """In words, and on a puzzle."""
    change = BlockChange(frozenset({Position(0, 3)}), frozenset({Position(0, 2)}))
    assert change.describe() == "move the block at r1c3 to r1c4"
    assert BlockChange(frozenset({Position(0, 0), Position(4, 4)})).describe() == "add blocks at r1c1 and r5c5"
    puzzle = Puzzle(grid_from_text("..#..\n.....\n....."))
    assert grid_to_text(change.apply(puzzle).grid).splitlines()[0] == "...#."


ROWS = "CAT#\nO#OE\nWEB#"


@st.composite
def templates_and_blanks(draw: st.DrawFn) -> Puzzle:
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
    entered = EnteredOtherwise(AlteredEntries(Treatment(Entering.REVERSE), Direction.ACROSS))
    places = [
        Nina("AB", "row 2"),
        Nina("AB", "r1c1:r2c2"),
        Nina("AB", "perimeter"),
        Nina("AB", "", ("row",), True),
    ]
    clash = [ClashSquares(TwoReadings(frozenset(allowed), pairs=("AB",)))] if allowed else []
    return with_rules(puzzle, replace(puzzle.rules, squares=allowed, grid=(*places, *clash, entered)))


@given(templates_and_blanks(), st.booleans())
def test_four_rotations_change_nothing(puzzle: Puzzle, clockwise: bool) -> None:
    turned = puzzle
    for _ in range(4):
        turned = edits.rotate(turned, clockwise=clockwise)
    assert turned == puzzle


@given(templates_and_blanks())
def test_a_rotation_is_reverted_by_one_the_other_way(puzzle: Puzzle) -> None:
    assert edits.rotate(edits.rotate(puzzle), clockwise=False) == puzzle


@given(layouts(), st.booleans())
def test_slots_are_those_of_the_rotated_squares_renumbered(grid: Grid, clockwise: bool) -> None:
    turn = GridMove.turn(grid, clockwise=clockwise)
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


def test_rules_that_cannot_follow_are_reported() -> None:
    puzzle = puzzle_of_grid(grid_from_text(ROWS))
    rules = [Nina("COW", "column 1"), Nina("CAT"), Nina("CAT", "row 9"), ClashSquares(TwoReadings(message="CAT"))]
    puzzle = with_rules(puzzle, Rules(grid=tuple(rules)))
    turn = GridMove.turn(puzzle.grid, clockwise=True)
    assert [note for rule in puzzle.rules.grid for note in rule.move_notes(turn)] == [
        "the clash squares spell CAT row by row, as before",
        "the hidden message CAT is only searched from left to right and downward, as before",
        "the hidden message CAT stays along row 9",
    ]
    turned = edits.rotate(puzzle).rules.of(Nina)
    assert [nina.along for nina in turned] == ["r1c3:r1c1", "", "row 9"]
    assert turn.position(Position(0, 0)) == Position(0, 2)


@given(templates_and_blanks(), st.integers(0, 4), st.integers(0, 4), st.sampled_from(list(ANCHORS)))
def test_growing_and_shrinking_back_restores_the_grid(puzzle: Puzzle, rows: int, columns: int, at: str) -> None:
    grid = puzzle.grid
    larger = edits.resize(puzzle, grid.height + rows, grid.width + columns, at)
    assert edits.resize(larger, grid.height, grid.width, at) == puzzle


@given(templates_and_blanks(), st.integers(3, 8), st.integers(3, 8), st.sampled_from(list(ANCHORS)))
def test_remaining_squares_keep_their_contents(puzzle: Puzzle, height: int, width: int, at: str) -> None:
    move = GridMove.resize(puzzle.grid, height, width, at)
    resized = edits.resize(puzzle, height, width, at)
    assert (resized.grid.height, resized.grid.width) == (height, width)
    moved = {there: puzzle.grid[here] for here, there in move.places.items()}
    assert all(resized.grid[there] == moved.get(there, Square()) for there in resized.grid.positions())
    assert set(resized.rules.squares) == set(move.positions(puzzle.rules.squares))
    for slot in puzzle.grid.slots:
        left = move.positions(slot.positions)
        if len(left) > 1:
            there = resized.grid.slot_at(left[0], slot.direction)
            assert there is not None
            assert set(left) <= set(there.positions)
            assert _answers_clued(puzzle, slot) <= _answers_clued(resized, there)
            assert (there.key in resized.rules.entries) == (slot.key in puzzle.rules.entries)
            assert resized.solver_note(there) == puzzle.solver_note(slot)


def _answers_clued(puzzle: Puzzle, slot: Slot) -> set[str]:
    """Return the answers an entry has clues for; an incomplete one may gain its answer by being shortened."""
    found = puzzle.clues.get(slot.key, EntryClues(()))
    return {clue.answer for clue in found.clues if clue.answer}


def test_a_lengthened_entry_keeps_its_answers_clue_waiting() -> None:
    puzzle = puzzle_of_grid(grid_from_text(ROWS))
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), "Pet").with_clue(puzzle.grid.slot("4A"), "Net, or {1A}")
    puzzle = with_rules(puzzle, Rules(grid=(Nina("WEB", "row 3"), Nina("COW", "perimeter"))))
    larger = edits.resize(puzzle, 5, 6, "center")
    assert edits.resize(larger, 3, 4, "center") == puzzle, "the perimeter is that of each grid"
    assert text(larger).splitlines() == ["......", ".CAT#.", ".O#OE.", ".WEB#.", "......"]
    assert [(one.slot.start, one.words) for one in larger.stale_clues] == [
        (Position(1, 0), "6A, not complete, has the clue of CAT"),
        (Position(3, 0), "9A, not complete, has the clue of WEB"),
    ]
    assert larger.clues[(Position(3, 0), Direction.ACROSS)].clues[0].text == "Net, or {r2c1A}"
    assert [nina.along for nina in larger.rules.of(Nina)] == ["r4c2:r4c5", "perimeter"]


def test_data_about_removed_squares_only_is_removed() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABCD\nEFGH\nIJKL\nMNOP"))
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), "See {7A}").with_clue(puzzle.grid.slot("7A"), "Last")
    where = frozenset({Position(3, 3)})
    rules = Nina("MNOP", "row 4"), Nina("ABCD", "row 1"), ClashSquares(TwoReadings(where))
    last = frozenset({puzzle.grid.slot("7A").key})
    entered = EnteredOtherwise(AlteredEntries(Treatment(Entering.REVERSE), last))
    smaller = edits.resize(with_rules(puzzle, Rules(grid=(*rules, entered))), 3, 3)
    assert [nina.along for nina in smaller.rules.grid if isinstance(nina, Nina)] == ["row 1"]
    assert len(smaller.rules.grid) == 1
    assert [clue.text for each in smaller.clues.values() for clue in each.clues] == ["See {r0c0A}"]
    assert Reference("r0c0A").slot(smaller.grid) is None


def test_a_square_symmetry_refuses_a_rectangular_grid() -> None:
    with pytest.raises(PuzzleError, match="diagonal symmetry needs a square grid"):
        edits.resize(Puzzle.blank(5, 5, Symmetry.DIAGONAL), 5, 6)
    assert edits.resize(Puzzle.blank(5, 5, Symmetry.DIAGONAL), 6, 6).symmetry is Symmetry.DIAGONAL


def test_a_waiting_link_yields_to_one_that_a_cut_moves_to_its_square() -> None:
    """The across light at r2c2 does not exist while r2c1 is open; without column 1, that of r2c1 moves there."""
    across, down = Direction.ACROSS, Direction.DOWN
    live = ((Position(1, 0), across), (Position(0, 1), down), (Position(0, 2), down))
    waits = ((Position(1, 1), across), (Position(0, 3), down), (Position(2, 0), across))
    puzzle = Puzzle(Grid.blank(4, 5).with_links((live, waits)))
    resized = edits.resize(puzzle, 4, 4, "right")
    assert resized.grid.links == (
        ((Position(1, 0), across), (Position(0, 0), down), (Position(0, 1), down)),
        ((Position(0, 2), down), (Position(2, 0), across)),
    )
