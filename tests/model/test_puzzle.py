"""The puzzle as a value, with its snapshots and linked lights."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.known import known
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Grid, Kind, Position, Puzzle, Symmetry, WordChoice, edits
from xwtui.model.answers import contents_for
from xwtui.model.edits import idle_entry_rules, link, place_answer, set_kind, set_square, unlink, with_entry_rules
from xwtui.model.puzzle import History
from xwtui.model.review import Check, review
from xwtui.model.rules import EntryRules, MinimumScore
from xwtui.model.selection import around
from xwtui.model.snapshots import LONGEST_NAME, MOST_SNAPSHOTS, returned, with_snapshot, without_snapshot
from xwtui.model.square import Ink
from xwtui.model.statistics import grid_statistics

FIRST = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))


def edited(puzzle: Puzzle) -> Puzzle:
    slot = puzzle.grid.slots[0]
    return replace(edits.place_answer(puzzle, slot, "XYZ"), title="another")


def test_a_snapshot_is_the_saved_puzzle() -> None:
    kept = with_snapshot(FIRST, "v1")
    back = returned(edited(kept), "v1")
    assert back == kept
    assert back.with_snapshots({}) == FIRST


def test_a_snapshot_contains_no_snapshots() -> None:
    second = with_snapshot(edited(with_snapshot(FIRST, "v1")), "v2")
    assert list(second.snapshots) == ["v1", "v2"]
    assert not second.snapshots["v2"].snapshots
    assert returned(second, "v1").snapshots == second.snapshots


def test_a_name_is_reused_only_with_replace() -> None:
    changed = edited(with_snapshot(FIRST, "v1"))
    with pytest.raises(PuzzleError, match="the snapshot v1 already"):
        with_snapshot(changed, "v1")
    assert with_snapshot(changed, "v1", replaces=True).snapshots["v1"].title == "another"


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_NAME + 1), "a\x1b[2J"])
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(PuzzleError, match="a snapshot's name has"):
        with_snapshot(FIRST, name)


def test_the_number_of_snapshots_is_limited() -> None:
    puzzle = FIRST
    for number in range(MOST_SNAPSHOTS):
        puzzle = with_snapshot(puzzle, f"v{number}")
    with pytest.raises(PuzzleError, match="drop one first"):
        with_snapshot(puzzle, "another")
    assert with_snapshot(without_snapshot(puzzle, "v3"), "another")
    assert with_snapshot(puzzle, "v3", replaces=True)


def test_a_missing_snapshot_is_named_with_existing_ones() -> None:
    with pytest.raises(PuzzleError, match="there is no snapshot v1; there are none yet"):
        returned(FIRST, "v1")
    with pytest.raises(PuzzleError, match="there is no snapshot v2; there are v1"):
        without_snapshot(with_snapshot(FIRST, "v1"), "v2")


def test_undo_and_redo_keep_snapshots() -> None:
    history = History(FIRST)
    history.record(edited(FIRST), "edit")
    history.amend(with_snapshot(history.present, "v1"))
    history.undo()
    assert history.present == FIRST.with_snapshots(history.present.snapshots)
    assert list(history.present.snapshots) == ["v1"]
    history.amend(history.present.with_snapshots({}))
    history.redo()
    assert history.present == edited(FIRST)


def test_a_clue_is_kept_trimmed_and_removed_when_empty() -> None:
    puzzle = Puzzle.blank(3, 3)
    slot = puzzle.grid.slot("1A")
    assert puzzle.clue(slot) == ""
    clued = puzzle.with_clue(slot, "  Purrer ")
    assert clued.clue(slot) == "Purrer"
    assert puzzle.clue(slot) == ""
    assert clued.with_clue(slot, "   ") == puzzle


def test_across_and_down_from_one_square_have_separate_clues() -> None:
    puzzle = Puzzle.blank(3, 3)
    clued = puzzle.with_clue(puzzle.grid.slot("1A"), "Across")
    assert clued.clue(puzzle.grid.slot("1D")) == ""


def test_a_clue_follows_its_entry_when_numbers_change() -> None:
    puzzle = Puzzle.blank(4, 4, Symmetry.NONE)
    clued = puzzle.with_clue(puzzle.grid.slot("7A"), "Last row")
    renumbered = set_kind(clued, Position(0, 0), Kind.BLOCK)
    last = known(renumbered.grid.slot_at(Position(3, 0), puzzle.grid.slot("7A").direction))
    assert renumbered.clue(last) == "Last row"


@pytest.mark.parametrize("score", [-1, 101, 10**9])
def test_scores_beyond_the_scale_are_refused(score: int) -> None:
    with pytest.raises(PuzzleError, match="scores go from 0 to 100"):
        WordChoice(minimum_score=score)


def test_a_blank_puzzle_takes_any_grid_size() -> None:
    assert len(Puzzle.blank(3, 40).grid.squares) == 120
    with pytest.raises(PuzzleError, match="grids are 3x3 to 40x40"):
        Puzzle.blank(2, 40)


MOVES = st.lists(st.sampled_from([*"ABC", "undo", "redo"]), max_size=40)


def test_a_new_history_has_nothing_to_undo_or_redo() -> None:
    history = History(Puzzle.blank(3, 3))
    assert (history.undo(), history.redo(), history.edits) == (None, None, 0)


@given(MOVES)
def test_history_behaves_like_a_list_with_an_index(moves: list[str]) -> None:
    """The naive model: all puzzles in a list, and the index of the current one."""
    states, at = [Puzzle.blank(3, 3)], 0
    labels: list[str] = []
    history = History(states[0])
    for move in moves:
        if move == "undo":
            assert history.undo() == (labels[at - 1] if at else None)
            at = max(at - 1, 0)
        elif move == "redo":
            assert history.redo() == (labels[at] if at < len(labels) else None)
            at = min(at + 1, len(labels))
        else:
            edited = set_square(history.present, Position(0, 0), Content.of(move))
            label = f"edit {len(labels)}"
            history.record(edited, label)
            del states[at + 1 :], labels[at:]
            states.append(edited)
            labels.append(label)
            at += 1
        assert history.present is states[at]
        assert history.edits == at


def test_a_thousand_edits_can_all_be_undone() -> None:
    first = Puzzle.blank(3, 3)
    history = History(first)
    for index in range(1000):
        history.record(set_square(history.present, Position(0, 0), Content.of("AB"[index % 2])), "set")
    while history.undo():
        pass
    assert history.present is first


TWICE = "AB#CD\n#####\nAB#CD"


def linked(puzzle: Puzzle, *names: str) -> Puzzle:
    return link(puzzle, [puzzle.grid.slot(name) for name in names])


def duplicates(puzzle: Puzzle) -> list[str]:
    """Return the review's messages about equal answers."""
    return [finding.message for finding in review(puzzle) if finding.rule is Check.DUPLICATE]


def test_duplicates_are_whole_answers() -> None:
    puzzle = puzzle_of_grid(grid_from_text(TWICE))
    assert duplicates(puzzle) == ["1A and 3A are both AB", "2A and 4A are both CD"]
    puzzle = linked(puzzle, "1A", "2A")
    assert duplicates(puzzle) == []
    assert duplicates(linked(puzzle, "3A", "4A")) == ["1A and 3A are both ABCD"]


def test_without_links_entries_are_slots() -> None:
    grid = grid_from_text(TWICE)
    assert grid.entries is grid.slots
    assert grid.clue_slots is grid.slots
    assert grid.entry("1A") is grid.slot("1A")


def test_an_entry_reads_its_lights_in_order() -> None:
    grid = linked(puzzle_of_grid(grid_from_text(TWICE)), "4A", "1A").grid
    whole = grid.entry("1A")
    assert (whole.name, whole.label, whole.clue_number, len(whole)) == ("4A", "4A,1A", "4,1", 4)
    assert grid.answer(whole) == "CDAB"
    assert [entry.label for entry in grid.entries] == ["2A", "3A", "4A,1A"]
    assert [slot.label for slot in grid.clue_slots] == ["1A", "2A", "3A", "4A,1A"]


def test_crossing_lights_share_a_letter() -> None:
    puzzle = linked(Puzzle.blank(3, 3), "1A", "1D")
    whole = puzzle.grid.entry("1D")
    assert (len(whole), len(whole.positions), whole.columns) == (6, 5, (0, 1, 2, 0, 3, 4))
    written = place_answer(puzzle, whole, "OBOOER")
    assert written.answer(whole) == "OBOOER"
    with pytest.raises(PuzzleError, match="ABCDEF does not fit 1A,1D: A and D would share r1c1"):
        contents_for(puzzle.grid, whole, "ABCDEF")


def test_a_slash_square_is_read_in_each_lights_direction() -> None:
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


def test_neighbors_of_an_entry_cross_any_of_its_lights() -> None:
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


def test_rules_of_later_lights_wait() -> None:
    puzzle = puzzle_of_grid(grid_from_text(TWICE))
    puzzle = with_entry_rules(puzzle, puzzle.grid.slot("2A"), EntryRules(MinimumScore(50)))
    assert idle_entry_rules(puzzle) == ()
    assert idle_entry_rules(linked(puzzle, "1A", "2A")) == (puzzle.grid.slot("2A").key,)


def test_statistics_are_of_answers() -> None:
    grid = linked(puzzle_of_grid(grid_from_text(TWICE)), "1A", "2A").grid
    figures = grid_statistics(grid, len)
    assert (figures.entries, figures.filled_entries, figures.mean_length) == (3, 3, 8 / 3)


def test_invalid_links_are_refused() -> None:
    grid = Grid.blank(3, 3)
    one, other = grid.slot("1A").key, grid.slot("4A").key
    for links in ([(one,)], [(one, one)], [(one, other), (other, one)]):
        with pytest.raises(PuzzleError, match="a link has two or more entries"):
            grid.with_links(links)
    assert grid.with_links([(one, (Position(2, 2), one[1]))]).waiting_links


def test_a_solvers_note_belongs_to_its_entry_and_an_empty_one_removes_it() -> None:
    puzzle = Puzzle.blank(3, 3)
    first, second = puzzle.grid.slots[:2]
    noted = puzzle.with_solver_note(first, " pun? ").with_solver_note(second, "later")
    assert (noted.solver_note(first), noted.solver_note(second)) == ("pun?", "later")
    assert noted.with_solver_note(first, " ").solver_notes == {(second.start, second.direction): "later"}
    assert puzzle.solver_note(first) == ""
