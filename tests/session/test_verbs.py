"""Verbs that change the grid or the document, run as lines."""

import enum
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.session.saying import refuses, rows, said
from xwtui.errors import LockedError, PuzzleError, XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.model import Bar, Content, Direction, Ink, Kind, Position, Puzzle, Symmetry, edits
from xwtui.model.edits import place_answer
from xwtui.session.answers import JsonShape, VerbAnswer, json_value
from xwtui.session.session import Session
from xwtui.session.verbs.book import with_all_taken
from xwtui.session.verbs.registry import _TASKS, BY_TASK, run_line
from xwtui.session.verbs.snapshots import SnapshotAnswer
from xwtui.session.verbs.verb import Reply


def pattern(bench: Session, entry: str) -> str:
    return bench.puzzle.grid.pattern(bench.puzzle.grid.slot(entry))


def ink_at(bench: Session, square: str) -> Ink:
    return bench.puzzle.grid[Position.parse(square)].ink


@pytest.mark.parametrize("line", ["", "   ", "# a remark", "\t# another"])
def test_empty_lines_and_comments_do_nothing(mini: Session, line: str) -> None:
    assert run_line(mini, line) == Reply()


@pytest.mark.parametrize(
    ("line", "entry", "expected"),
    [
        ("set 1A HEART", "1A", "HEART"),
        ("set 1a heart", "1A", "HEART"),
        ("SET 6A B[HEART]AD2", "6A", "B[HEART]AD2"),
        ("set hearT", "1A", "HEART"),
        ("set . heart", "1A", "HEART"),
        ("set 1A Crème!", "1A", "CREME"),
        ("set 1A [crè me]mess", "1A", "[CREME]MESS"),
        ("set r1c2 X/TIMES", "1A", "?X???"),
        ("set r1c2 X/TIMES", "2D", "[TIMES]????"),
        ("rebus r1c2 heart", "1A", "?[HEART]???"),
        ("rebus heart", "1A", "[HEART]????"),
        ("set 1A 'tis so", "1A", "TISSO"),
    ],
)
def test_set_and_rebus(mini: Session, line: str, entry: str, expected: str) -> None:
    run_line(mini, line)
    assert pattern(mini, entry) == expected


def test_clear(mini: Session) -> None:
    said(mini, "set 1A HEART", "set r5c5 Z", "clear r1c1")
    assert pattern(mini, "1A") == "?EART"
    run_line(mini, "clear")
    assert pattern(mini, "1A") == "?????"
    run_line(mini, "clear all")
    assert all(square.content is None for square in mini.puzzle.grid.squares)


def test_clear_pencil_and_accept(mini: Session) -> None:
    mini.edit("pencil", _pencilled)
    said(mini, "accept 1A", "clear pencil")
    assert (pattern(mini, "1A"), pattern(mini, "9A")) == ("ABCDE", "?????")
    refuses(mini, "accept", "nothing in pencil")


def _pencilled(puzzle: Puzzle) -> Puzzle:
    letters = {at: Content.of("ABCDE"[at.column]) for at in puzzle.grid.positions() if at.row in (0, 4)}
    return edits.write_fill(puzzle, letters)


def test_lock_protects_and_unlock_releases(mini: Session) -> None:
    assert said(mini, "set 1A HEART", "lock") == "locked: 1A, 5 squares"
    refuses(mini, "set 1D AGATE", None, LockedError)
    refuses(mini, "clear all", None, LockedError)
    assert pattern(mini, "1A") == "HEART"
    run_line(mini, "unlock all")
    assert ink_at(mini, "r1c1") is Ink.PEN
    assert said(mini, "unlock 1A") == "nothing is locked in 1A"
    run_line(mini, "lock r1c1")
    assert ink_at(mini, "r1c1") is Ink.LOCKED
    assert ink_at(mini, "r1c2") is Ink.PEN
    refuses(mini, "lock 9A", "nothing to lock", PuzzleError)


def test_blocks_voids_and_bars_keep_the_symmetry(mini: Session) -> None:
    run_line(mini, "block r1c1")
    assert mini.puzzle.grid[Position(4, 4)].kind is Kind.BLOCK
    run_line(mini, "block r1c1")
    assert mini.puzzle.grid[Position(4, 4)].kind is Kind.OPEN
    run_line(mini, "void r1c1")
    assert mini.puzzle.grid[Position(4, 4)].kind is Kind.VOID
    said(mini, "void r1c1", "bar r1c2 right")
    assert len(mini.puzzle.grid.bars) == 2
    run_line(mini, "bar r1c3 r1c2")
    assert not mini.puzzle.grid.bars
    mini.cursor.move_to(Position(1, 1))
    run_line(mini, "bar below")
    assert len(mini.puzzle.grid.bars) == 2
    refuses(mini, "bar r1c1 above", "no neighbor", PuzzleError)


@pytest.mark.parametrize(
    ("line", "bars"), [("bar r1c2", 2), ("bar r1c1:r1c3", 6), ("bar 1A,r2c1", 12), ("bar r1c1 r2c1:r2c2", 6)]
)
def test_bars_are_placed_ahead_of_the_cursor_without_a_side(mini: Session, line: str, bars: int) -> None:
    mini.cursor.move_to(Position(0, 0), Direction.DOWN)
    run_line(mini, line)
    assert len(mini.puzzle.grid.bars) == bars
    assert all(bar.first.column == bar.second.column for bar in mini.puzzle.grid.bars)


def test_bars_of_several_squares_are_one_edit(mini: Session) -> None:
    run_line(mini, "bar r1c1:r1c3 r2c1 below")
    assert len(mini.puzzle.grid.bars) == 8
    run_line(mini, "bar r1c2 below")
    assert len(mini.puzzle.grid.bars) == 6
    run_line(mini, "bar r1c1:r1c3 below")
    assert len(mini.puzzle.grid.bars) == 8, "not all of them had one"
    said(mini, "undo", "undo", "bar r1c1:r1c3 r2c1 below")
    assert not mini.puzzle.grid.bars
    said(mini, "undo", "undo")
    assert not mini.puzzle.grid.bars
    mini.cursor.move_to(Position(0, 0))
    run_line(mini, "bar")
    assert Bar(Position(0, 0), Position(0, 1)) in mini.puzzle.grid.bars


def test_marks_are_one_edit(mini: Session) -> None:
    said(mini, "circle r2c2 r3c3", "shade")
    assert [square.circle for square in mini.puzzle.grid.squares].count(True) == 2
    assert mini.puzzle.grid[Position(0, 0)].shade
    assert mini.document.history.edits == 2


def test_symmetry(mini: Session) -> None:
    assert said(mini, "symmetry") == "symmetry: rot180"
    assert said(mini, "symmetry Left-Right") == "symmetry: left-right"
    assert mini.puzzle.symmetry is Symmetry.LEFT_RIGHT


def test_undo_and_redo(mini: Session) -> None:
    assert said(mini, "undo") == "nothing to undo"
    assert said(mini, "set 1A HEART", "undo") == "undone: set 1A"
    assert said(mini, "redo") == "redone: set 1A"
    assert said(mini, "redo") == "nothing to redo"


def test_goto(mini: Session) -> None:
    run_line(mini, "goto 3D")
    assert mini.cursor.place == (Position(0, 2), Direction.DOWN)
    run_line(mini, "goto r4c4")
    assert mini.cursor.place == (Position(3, 3), Direction.DOWN)


def test_goto_accepts_a_word_in_the_grid(mini: Session) -> None:
    said(mini, "set 1A RATIO", "set 7A OXEYE", "goto ratio")
    assert mini.cursor.place == (Position(0, 0), Direction.ACROSS)
    run_line(mini, "goto Ox-eye")
    assert mini.cursor.place == (Position(2, 0), Direction.ACROSS)
    for word in ("RATIOS", "TENT"):
        refuses(
            mini, f"goto {word}", f"'{word}' is not an entry such as 17A or a square such as r3c12 or an answer"
        )
    refuses(mini, "goto 99A", "99A")
    assert mini.cursor.place == (Position(2, 0), Direction.ACROSS), "what is no place moves nothing"


@pytest.mark.parametrize("verb", ["find", "rebus place", "set", "quit", "clue"])
def test_help_as_an_option_equals_the_help_verb(mini: Session, verb: str) -> None:
    assert said(mini, f"{verb} --help") == said(mini, f"help {verb}")
    assert said(mini, f"help {verb}").startswith("usage: ")


def test_help_of_export_explains_the_manuscript(mini: Session) -> None:
    told = said(mini, "help export")
    assert ".manuscript.pdf" in told
    assert ".key.pdf" in told


def test_new(bench: Session) -> None:
    assert said(bench, "new 5 7 --symmetry left-right") == "new: 5×7, left-right symmetry"
    assert said(bench, "new 21x15") == "new: 21×15, rot180 symmetry"
    assert said(bench, "new 7x9 --symmetry none") == "new: 7×9, no symmetry"
    assert said(bench, "new 9") == "new: 9×9, rot180 symmetry"
    run_line(bench, "new 15x15-01")
    assert len(bench.puzzle.grid.slots) == 76
    assert not bench.document.is_modified
    assert bench.document.path is None
    refuses(bench, "new 41", "3x3 to 40x40", PuzzleError)
    refuses(bench, "new nowhere.txt", "cannot read nowhere", XwtuiError)


def test_changes_are_not_dropped_without_asking(mini: Session, tmp_path: Path) -> None:
    run_line(mini, "set 1A HEART")
    for line in ("new 5", f"open {tmp_path / 'x.ipuz'}", "quit"):
        refuses(mini, line, "unsaved changes")
    assert pattern(mini, "1A") == "HEART"
    assert run_line(mini, "quit --force").quit
    assert mini.document.journal.path is None
    run_line(mini, "new 5 --force")
    assert pattern(mini, "1A") == "?????"
    assert run_line(mini, "quit").quit


def test_save_open_and_export(mini: Session, tmp_path: Path) -> None:
    run_line(mini, "set 1A HEART")
    path = tmp_path / "two words.ipuz"
    assert said(mini, f'save "{path}"').startswith("saved two words.ipuz in ")
    assert "10 entries" in said(mini, "new 5", f'open "{path}"')
    assert pattern(mini, "1A") == "HEART"
    run_line(mini, f"export {tmp_path / 'out.txt'}")
    assert pattern(mini, "1A") == read_puzzle(tmp_path / "out.txt").grid.pattern(mini.puzzle.grid.slot("1A"))
    refuses(mini, f"export {tmp_path / 'out.puz'}", "cannot hold", XwtuiError)
    lossy = said(mini, f"export {tmp_path / 'out.puz'} --lossy")
    assert "\n  .puz cannot hold " in lossy
    assert "entries have no clue: 1A" in lossy


def test_an_unknown_template_is_named_with_similar_ones(mini: Session) -> None:
    refuses(mini, "new 15x15-99 --force", "there is no template '15x15-99'; similar names: 15x15-")
    refuses(mini, "new : --force", r"there is no template ':'$")
    refuses(mini, "new barred --force", "no template 'barred'; `new --profile barred` starts a blank one")
    refuses(mini, "new gone.txt --force", r"cannot read gone\.txt", XwtuiError)


def test_marks_of_several_squares_are_made_equal_and_reported(mini: Session) -> None:
    lines = ["circle row 1", "shade r1c1:r3c1", "shade r1c1:r1c3", "circle row 1", "shade r1c5"]
    told = [" ".join(run_line(mini, line).lines) for line in lines]
    assert told == ["5 squares circled", "3 squares shaded", "2 squares shaded", "5 squares no longer circled", ""]


GRID = (
    "new 3x4 --force",
    "symmetry none",
    "set 1A OPAL",
    "set 1D ORE",
    "circle r3c1",
    "clue 1A Gem",
    "clue 1D Rock",
)


def test_a_rotated_grid_keeps_clues_and_is_undone_in_one_step(bench: Session) -> None:
    said(bench, *GRID, "rule 1A --min 60", "spell r1c1:r3c1 ORE --start any", "goto r3c1", "select r1c1:r1c2")
    before = bench.puzzle
    assert said(bench, "rotate") == "rotated right: 4 rows of 3\nnow read backward: 1A ERO"
    assert rows(bench) == ("ERO", "??P", "??A", "??L")
    assert bench.cursor.place[0] == Position(0, 0)
    assert bench.selection.squares == {Position(0, 2), Position(1, 2)}
    assert said(bench, "clue 3D") == "3D: Gem"
    assert [(stale.slot.name, stale.clue.text) for stale in bench.puzzle.stale_clues] == [("1A", "Rock")]
    assert bench.puzzle.grid[Position(0, 0)].circle
    assert set(bench.puzzle.rules.entries) == {(Position(0, 2), Direction.DOWN)}
    assert said(bench, "undo") == "undone: rotate right"
    assert bench.puzzle == before
    assert bench.cursor.place == (Position(2, 0), Direction.ACROSS), "where it stood, turned back"
    assert bench.selection.squares == {Position(0, 0), Position(0, 1)}


def test_an_answer_of_palindromic_squares_does_not_read_backward(bench: Session) -> None:
    said(bench, "new 3 --force", "symmetry none", "rebus r2c1 OP", "set r1c1 T", "set r3c1 T", "set 3D EWE")
    assert said(bench, "rotate") == "rotated right: 3 rows of 3"
    said(bench, "undo", "rebus r1c1 TT", "set r2c1 T", "set r3c1 T")
    assert "now read" not in said(bench, "rotate"), "TTTT from both ends"
    said(bench, "undo", "rebus r3c1 PO", "rebus r1c1 OP", "set r2c1 A")
    assert "now read backward: 1A POAOP" in said(bench, "rotate")


def test_a_puzzle_unchanged_by_rotation_is_not_edited(bench: Session) -> None:
    said(bench, "new 5 --force", "circle r3c3")
    assert said(bench, "rotate 180") == "rotated 180 degrees: the puzzle is unchanged"
    assert said(bench, "undo") != "undone: rotate 180 degrees"


def test_left_and_right_rotations_are_inverse(bench: Session) -> None:
    said(bench, *GRID)
    before = bench.puzzle
    assert said(bench, "rotate left", "rotate right").startswith("rotated right: 3 rows of 4")
    assert bench.puzzle == before


@pytest.mark.parametrize(("degrees", "turns"), [("90", 1), ("180", 2), ("270", 3), ("-90", 3), ("left", 3)])
def test_degrees_rotate_clockwise_in_one_edit(bench: Session, degrees: str, turns: int) -> None:
    said(bench, *GRID, "goto r1c2")
    before, cursor = bench.puzzle, bench.cursor.place
    said(bench, *["rotate"] * turns)
    wanted, place = bench.puzzle.grid, bench.cursor.place
    said(bench, *["undo"] * turns)
    assert bench.cursor.place == cursor
    said(bench, f"rotate {degrees}")
    assert (bench.puzzle.grid, bench.cursor.place) == (wanted, place)
    said(bench, "undo")
    assert (bench.puzzle, bench.cursor.place) == (before, cursor)
    said(bench, "redo")
    assert (bench.puzzle.grid, bench.cursor.place) == (wanted, place)


def test_a_resized_grid_keeps_its_contents_and_is_undone_in_one_step(bench: Session) -> None:
    said(bench, *GRID, "bar r2c2 right", "goto r3c1", "select r1c1:r1c2")
    before = bench.puzzle
    stale = "now with clues of earlier answers: 7A OPAL, 2D ORE"
    assert said(bench, "resize 5x6 --at center") == f"resized: 5 rows of 6\n{stale}"
    assert rows(bench) == ("??????", "?OPAL?", "?R????", "?E????", "??????")
    assert bench.puzzle.grid[Position(3, 1)].circle
    assert bench.puzzle.grid.bars == {Bar(Position(2, 2), Position(2, 3))}
    assert bench.cursor.place[0] == Position(3, 1)
    assert bench.selection.squares == {Position(1, 1), Position(1, 2)}
    assert {stale.clue.text for stale in bench.puzzle.stale_clues} == {"Gem", "Rock"}
    said(bench, "goto r5c6", "select all")
    assert said(bench, "undo") == "undone: resize 5x6"
    assert bench.puzzle == before
    assert bench.cursor.position == Position(2, 3), "the nearest of the squares that are left"
    assert bench.selection.squares == set(before.grid.positions())
    assert said(bench, "redo", "resize 5x6") == "the grid already has 5 rows of 6"
    assert said(bench, "resize 5 6") == "the grid already has 5 rows of 6"
    refuses(bench, "resize 5x6 7", "5x6 or 5 7, not both")


def test_a_smaller_grid_drops_nothing_without_force(bench: Session) -> None:
    said(bench, "new 5 --force", "set 1A ABCDE", "lock r1c5", "set r2c5 HEART", "circle r3c5", "set 9A IJKLM")
    said(bench, "clue 9A Last", "rule 9A --min 60", "letters r4c5 XY", "clash r5c5 r1c1", "link 1A 9A")
    before = bench.puzzle
    lost = "5 letters in pen, 1 locked letter, 1 rebus square, 1 circle, 1 clue, 2 linked entries and 3 rules"
    refuses(bench, "resize 4", rf"^resize 4x4 would drop {lost}; `--force` does it$")
    assert bench.puzzle is before
    assert said(bench, "goto r5c5", "resize 4 --force") == f"resized: 4 rows of 4; dropped: {lost}"
    assert bench.cursor.position == Position(3, 3)
    assert rows(bench) == ("ABCD", *["????"] * 3)
    assert said(bench, "rules") == "clash: r1c1"
    said(bench, "undo")
    assert bench.puzzle == before
    refuses(bench, "resize 41", "grids are 3x3 to 40x40")
    for size in ("wide", "+1"):
        takes = "all rows and columns that there will be, such as 15x15, or 15 for a square"
        refuses(bench, f"resize {size}", re.escape(f"'{size}' is not a size: a size is {takes}"))


def test_a_rule_of_shortened_entries_is_not_reported_as_dropped(bench: Session) -> None:
    said(
        bench,
        "new 5 --force",
        "latent reverse 1A 9A",
        "spell r2c2:r2c5 CAT --start any",
        "spell perimeter DOG --start any",
    )
    assert said(bench, "resize 5x4 --at right") == "resized: 5 rows of 4"
    assert (
        said(bench, "rules").splitlines()[0] == "latent: the entries at r1c1 across, r5c1 across entered reversed"
    )
    refuses(bench, "resize 4 --at right", "^resize 4x4 would drop 1 rule; ")
    refuses(bench, "resize 4x3", "^resize 4x3 would drop 2 rules; ")


def test_clues_orphaned_by_a_smaller_grid_are_named(bench: Session) -> None:
    said(bench, "new 5 --force", "symmetry none", "block r3c1:r3c3", "set 1A ABCDE", "set 7A NO", "set 11A VWXYZ")
    said(bench, "clue 1A First", "clue 7A Nay", "clue 11A Last", "set r5c1 U")
    told = said(bench, "resize 5x4 --force").splitlines()
    assert told == [
        "resized: 5 rows of 4; dropped: 3 letters in pen",
        "now with clues of earlier answers: 1A ABCDE, r3c4 across (of NO)",
    ], "that of 11A was so before"
    assert [stale.slot.name for stale in bench.puzzle.stale_clues] == ["1A", "9A"]


def test_empty_squares_and_pencil_are_dropped_without_asking(bench: Session) -> None:
    said(bench, "new 5 --force", "set 9A IJKLM", "pencil all", "block r5c1")
    assert said(bench, "resize 4x5") == "resized: 4 rows of 5"
    assert bench.puzzle.symmetry is Symmetry.ROTATION_180


class Colour(enum.Enum):
    RED = "red"


class Part(NamedTuple):
    at: Position
    colour: Colour | None = None


class Whole(NamedTuple):
    path: Path
    parts: tuple[Part, ...]
    is_kept: bool = True
    problem: str = ""

    def words(self) -> str:
        return f"{len(self.parts)} parts"


WHOLE = Whole(Path("a/b.txt"), (Part(Position(0, 2), Colour.RED), Part(Position(1, 0))))


def test_a_shape_lists_values_in_order() -> None:
    shape = JsonShape("file=path is_kept problem? words", lambda whole: {"count": len(whole.parts)})
    told = {"file": "a/b.txt", "kept": True, "problem": None, "words": "2 parts", "count": 2}
    assert list(shape.of(WHOLE).items()) == list(told.items())


def test_values_can_be_omitted_rounded_or_inlined() -> None:
    class Timed(NamedTuple):
        seconds: float | None
        part: Part | None
        reason: str = ""

    shape = JsonShape("seconds~2 reason??", ("*part", JsonShape("square=at")), "*part")
    assert shape.of(Timed(1.2345, WHOLE.parts[1])) == {
        "seconds": 1.23,
        "square": "r2c1",
        "at": "r2c1",
        "colour": None,
    }
    assert shape.of(Timed(None, None, "late")) == {"seconds": None, "reason": "late"}


def test_shapes_can_be_nested() -> None:
    part = JsonShape("square=at colour.name")
    shape = JsonShape(("parts", part), ("first=.", JsonShape("kept=is_kept")))
    parts = [{"square": "r1c3", "name": "RED"}, {"square": "r2c1", "name": None}]
    assert shape.of(WHOLE) == {"parts": parts, "first": {"kept": True}}
    assert part.convert(None) is None
    assert part.convert({1: WHOLE.parts[0]}) == {"1": parts[0]}


def test_a_record_without_a_shape_uses_its_fields() -> None:
    parts = [{"at": "r1c3", "colour": "red"}, {"at": "r2c1", "colour": None}]
    assert json_value(WHOLE) == {"path": "a/b.txt", "parts": parts, "kept": True, "problem": ""}
    assert json_value({Position(0, 0): Content.parse("HEART")}) == {"r1c1": "[HEART]"}


PUZZLE = Puzzle.blank(3, 3)
CLUED = place_answer(PUZZLE, FIRST := PUZZLE.grid.entries[0], "XQZ").with_clue(FIRST, "Nothing (3)")
AS_CLUED: dict[str, object] = {"entry": "1A", "answer": "XQZ", "letters": 3, "enumeration": "3", "suggested": []}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (SnapshotAnswer("x", PUZZLE), {"snapshot": "x", "grid": "...\n...\n..."}),
        (with_all_taken(CLUED, None)[0], {"from_clues": [AS_CLUED], "suggested": [], "one_word": [], "left": []}),
    ],
)
def test_answers_as_json(answer: VerbAnswer, told: dict[str, object]) -> None:
    assert answer.as_json == told


def test_every_verb_of_ours_is_placed_in_a_task() -> None:
    """A verb named here is missing from `_TASKS`; only verbs of other packages may come after the listed ones."""
    after = BY_TASK["Rules"][len(_TASKS["Rules"]) :]
    assert [verb.name for section in after for verb in section] == []
