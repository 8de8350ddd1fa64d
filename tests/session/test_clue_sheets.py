"""Clues written in an editor: exported, changed, and taken back without losing what was changed meanwhile."""

import csv
import io
import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.session.saying import refuses, said
from xwtui.errors import PuzzleFormatError, XwtuiError
from xwtui.formats.clue_sheet import read_sheet, sheet_bytes, sheet_of
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import BLOCK, Grid, Position, Puzzle
from xwtui.model.clues import AnswerEnumeration
from xwtui.model.edits import place_answer
from xwtui.session.clue_answers import ClueImport, import_clues
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

GRID = grid_from_text("A[HEART]C\nD#E\nFGH")
KINDS = (".txt", ".md", ".csv")


@pytest.fixture
def puzzle() -> Puzzle:
    """Clues with all that makes them hard to write into a file, and an entry without one."""
    puzzle = puzzle_of_grid(GRID)
    clues = {"1A": 'He said "*no*", {1D}', "3A": "M*A*S*H: a, b; c", "1D": "= 2 + 2 | –"}
    for name, clue in clues.items():
        puzzle = puzzle.with_clue(GRID.slot(name), clue)
    return puzzle


def taken(puzzle: Puzzle, path: Path, *, overwrites: bool = False) -> tuple[ClueImport, Puzzle]:
    found = import_clues(puzzle, read_sheet(path), overwrites=overwrites)
    return found, found.apply(puzzle)


def typed(puzzle: Puzzle) -> dict[str, str]:
    return {slot.name: puzzle.typed_clue(slot) for slot in puzzle.grid.slots}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read_and_changes_nothing(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"clues{kind}"
    path.write_bytes(sheet_bytes(puzzle, kind))
    read = read_sheet(path)
    assert not read.strange
    found = [(line.entry, line.answer, line.clue, line.mark) for line in read.lines]
    assert found == [(line.entry, line.answer, line.clue, line.mark) for line in sheet_of(puzzle).lines]
    changes, again = taken(puzzle, path)
    assert (changes.changes, changes.kept, changes.unplaced) == ((), (), ())
    assert again == puzzle
    assert typed(taken(puzzle_of_grid(GRID), path)[1]) == typed(puzzle), "what is missing comes back"


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("kind", KINDS)
def test_clues_written_meanwhile_on_both_sides(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"clues{kind}"
    path.write_bytes(sheet_bytes(puzzle, kind))
    edited(path, "M*A*S*H: a, b; c", "Medics")
    edited(path, "= 2 + 2", "= 4")
    here = puzzle.with_clue(GRID.slot("3A"), "Doctors").with_clue(GRID.slot("1A"), "Only here")
    found, after = taken(here, path)
    assert [(each.slot.name, each.was, each.now) for each in found.changes] == [("1D", "= 2 + 2 | –", "= 4 | –")]
    assert [(each.slot.name, each.was, each.now) for each in found.kept] == [("3A", "Doctors", "Medics")]
    assert typed(after) == {"1A": "Only here", "3A": "Doctors", "1D": "= 4 | –", "2D": ""}
    assert "3A: changed here since: Doctors (kept; the file has: Medics)" in found.lines
    assert typed(taken(here, path, overwrites=True)[1])["3A"] == "Medics"


@pytest.mark.parametrize("kind", KINDS)
def test_a_clue_goes_where_its_answer_stands_now(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"clues{kind}"
    path.write_bytes(sheet_bytes(puzzle, kind))
    edited(path, "M*A*S*H: a, b; c", "See {1D}, {1A}")
    edited(path, "= 2 + 2", "= 4")
    other = puzzle_of_grid(grid_from_text("X#FGH\nYA#D#\nZDEQW"))
    found, after = taken(other, path)
    assert [(line.entry, slot.name) for line, slot in found.moved] == [("3A", "2A")]
    assert typed(after)["2A"] == "See {1D}, {1A}"
    assert {each.text: each.reason for each in found.unplaced} == {
        'He said "*no*", {1D}': "there is no 1A A[HEART]C",
        "= 4 | –": "1D is XYZ, not ADF",
    }


def test_an_emptied_line_removes_the_clue_and_one_that_is_gone_does_not(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "clues.txt"
    path.write_bytes(sheet_bytes(puzzle, ".txt"))
    edited(path, " M*A*S*H: a, b; c", "")
    edited(path, "1D ADF: = 2 + 2 | –\n", "")
    found, after = taken(puzzle, path)
    assert typed(after) == {**typed(puzzle), "3A": ""}
    assert "3A: removed (was: M*A*S*H: a, b; c)" in found.lines


def test_a_sheet_that_somebody_wrote_by_hand(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "clues.md"
    path.write_text(
        "# Mine\nACROSS\n1. First\n3A: Third: *yes*\n\n**Down**\n* **1** Note: down\n2 D CEH: Two\n99A x\n"
        "what?\n1d again\n"
    )
    found, after = taken(puzzle, path)
    assert typed(after) == {"1A": "First", "3A": "Third: *yes*", "1D": "Note: down", "2D": "Two"}
    assert [(each.number, each.text, each.reason) for each in found.unplaced] == [
        (9, "x", "there is no 99A"),
        (10, "what?", "it does not name an entry"),
        (11, "again", "another line already names 1D"),
    ]
    path = tmp_path / "clues.csv"
    path.write_bytes("Entry;Clue\n1A;Café\n2D;=2+2\n;\nx;y\n".encode("cp1252"))
    found, after = taken(puzzle, path)
    assert (typed(after)["1A"], typed(after)["2D"]) == ("Café", "=2+2")
    assert [each.text for each in found.unplaced] == ["x y"]
    path.write_text("entry,answer,clue,mark\n2D,CEH,One, two, three,\n1A,\n")
    assert typed(taken(puzzle, path)[1]) == {**typed(puzzle), "2D": "One, two, three"}


def test_an_answer_that_is_not_complete_takes_the_clue_of_one_that_agrees(tmp_path: Path) -> None:
    path = tmp_path / "clues.csv"
    path.write_text("entry,answer,clue\n1A,A??,yes\n3A,F?X,no\n")
    found, after = taken(puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH")), path)
    assert (typed(after)["1A"], typed(after)["3A"]) == ("yes", "")
    assert [each.reason for each in found.unplaced] == ["3A is FGH, not F?X"]


@given(st.text(), st.sampled_from(KINDS))
@examples(60)
def test_any_text_is_a_sheet_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, kind: str) -> None:
    path = tmp_path_factory.mktemp("sheets") / f"clues{kind}"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(PuzzleFormatError):
        import_clues(puzzle_of_grid(GRID), read_sheet(path), overwrites=True).apply(puzzle_of_grid(GRID))


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_grid_comes_back(kind: str, tmp_path: Path) -> None:
    blocks = {Position(row, column): BLOCK for row in range(40) for column in range(3, 40, 4)}
    puzzle = puzzle_of_grid(Grid.blank(40, 40).with_squares(blocks))
    puzzle = puzzle.with_clue(puzzle.grid.slots[-1], "last")
    path = tmp_path / f"clues{kind}"
    path.write_bytes(sheet_bytes(puzzle, kind))
    assert read_sheet(path).lines[-1].mark is not None
    assert taken(puzzle, path)[1] == puzzle


@pytest.mark.parametrize("data", [b"\0", b'entry,clue\n1A,"' + b"x" * 200_000, b"1A " + b"x" * 10_001])
def test_files_that_are_no_sheets(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "clues.csv"
    path.write_bytes(data)
    with pytest.raises(XwtuiError, match=r"clues\.csv"):
        read_sheet(path)
    with pytest.raises(XwtuiError, match=r"\.txt, \.md or \.csv"):
        read_sheet(tmp_path / "clues.doc")


def test_the_verbs(bench: Session, tmp_path: Path) -> None:
    path = tmp_path / "clues.csv"
    for line in ("new 5 --force", "set 1A PONTI", "clue 1A Gio the designer"):
        run_line(bench, line)
    assert said(bench, f"clues export {path}").startswith(f"clues written: {path} (10 entries, 9 without a")
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    assert rows[:3] == [["entry", "answer", "clue", "mark"], ["1A", "PONTI", "Gio the designer", rows[1][3]],
                        ["6A", "?????", "", rows[2][3]]]  # fmt: skip
    run_line(bench, f"clues export {path}")
    path.write_text(path.read_text().replace("Gio the designer", "Designer Gio"))
    refused = f"{path} already exists: choose another name, or `clues export --force {path}` overwrites it"
    refuses(bench, f"clues export {path}", f"^{re.escape(refused)}$", ExistsAlreadyError)
    assert "Designer Gio" in path.read_text()
    before = bench.puzzle
    assert "1A: Designer Gio (was: Gio the designer)" in said(bench, f"clues import {path}")
    assert bench.undo() == "clues import clues.csv"
    assert bench.puzzle == before
    reply = run_line(bench, f"clues import {path}")
    assert reply.answer is not None
    assert json.loads(json.dumps(reply.answer().as_json))["changed"] == [
        {"entry": "1A", "from": "Gio the designer", "to": "Designer Gio"}
    ]


def test_a_sheet_of_an_answer_that_has_changed_since(bench: Session, tmp_path: Path) -> None:
    path = tmp_path / "clues.txt"
    for line in ("new 5 --force", "set 1A PONTI", "clue 1A Gio the designer", f"clues export {path}"):
        run_line(bench, line)
    path.write_text(path.read_text().replace("Gio the", "The"))
    run_line(bench, "set 1A CIDER")
    assert "line 4 not placed (1A is CIDER, not PONTI): The designer" in said(bench, f"clues import {path}")
    bench.edit("set", lambda puzzle: place_answer(puzzle, puzzle.grid.slot("6A"), "PONTI"))
    assert "1A PONTI is 6A now" in said(bench, f"clues import {path}")
    assert bench.puzzle.clue(bench.puzzle.grid.slot("6A")) == "The designer"


@pytest.mark.parametrize("kind", KINDS)
def test_enumerations_stand_behind_their_clues(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
    slot, path = GRID.slot("3A"), tmp_path / f"clues{kind}"
    told = puzzle.with_whole_clue(slot, "Letters (1,2)")
    path.write_bytes(sheet_bytes(told, kind))
    assert taken(told, path)[1] == told
    assert taken(puzzle, path)[1] == puzzle, "nobody has changed the sheet"
    path.write_bytes(path.read_bytes().replace(b"(1,2)", b"(2-1)"))
    changes, made = taken(told, path)
    assert [(change.was, change.now) for change in changes.changes] == [("Letters (1,2)", "Letters (2-1)")]
    assert str(made.enumeration(slot)) == "2-1"


@pytest.mark.parametrize("kind", KINDS)
def test_a_clue_that_was_cleared_comes_back_though_its_enumeration_stayed(kind: str, tmp_path: Path) -> None:
    puzzle = puzzle_of_grid(GRID)
    for slot in GRID.slots:
        puzzle = puzzle.with_whole_clue(slot, f"Clue of {slot.name} ({puzzle.letter_count(slot)})")
    path = tmp_path / f"clues{kind}"
    path.write_bytes(sheet_bytes(puzzle, kind))
    cleared = puzzle
    for slot in GRID.slots:
        cleared = cleared.with_clue(slot, "")
    assert all(cleared.enumeration(slot) for slot in GRID.slots)
    assert typed(taken(cleared, path)[1]) == typed(puzzle)


def test_an_enumeration_changed_here_stays_where_the_sheet_has_nothing_else(tmp_path: Path) -> None:
    slot = GRID.slot("3A")
    puzzle = puzzle_of_grid(GRID).with_enumeration(slot, AnswerEnumeration.parse("3"))
    path = tmp_path / "clues.txt"
    path.write_bytes(sheet_bytes(puzzle, ".txt"))
    changed = puzzle.with_enumeration(slot, AnswerEnumeration.parse("1,2"))
    assert taken(changed, path)[1] == changed
