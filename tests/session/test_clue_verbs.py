"""The verbs for clues, and clue files written and read back."""

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
from tests.session.saying import found, found_as, refuses, said
from tests.writing import written
from xwtui.errors import PuzzleError, PuzzleFormatError, XwtuiError
from xwtui.formats.clue_sheet import read_sheet, sheet_bytes, sheet_of
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle
from xwtui.model import BLOCK, Grid, Position, Puzzle
from xwtui.model.clues import AnswerEnumeration
from xwtui.model.edits import place_answer
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.recovery import find_recoveries
from xwtui.session.session import Session
from xwtui.session.verbs.clues import ClueImport, import_clues
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.review import ReviewAnswer
from xwtui.session.wording import untitled_words


@pytest.fixture
def ponti(bench: Session) -> Session:
    """A puzzle whose 1A was PONTI, with a clue, and is now CIDER."""
    said(bench, "new 5 --force", "set 1A PONTI", "clue 1A Gio the designer", "set 1A CIDER")
    return bench


def test_a_changed_answer_leaves_its_clue_behind(ponti: Session) -> None:
    assert said(ponti, "clue 1A") == "1A: clue of PONTI: Gio the designer (`clue --keep 1A` keeps it)"
    assert "stale clue: 1A CIDER has the clue of PONTI" in said(ponti, "check").splitlines()
    assert said(ponti, "set 1A PONTI", "clue 1A") == "1A: Gio the designer"
    assert said(ponti, "undo", "undo", "clue 1A") == "1A: Gio the designer"


def test_the_worst_finding_is_not_buried_under_many_of_one_kind(bench: Session) -> None:
    rows = ("ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY")
    entries = [f"{number}A" for number in (1, 6, 7, 8, 9)] + [f"{number}D" for number in range(1, 6)]
    lines = [f"set {entry} {row}" for entry, row in zip(entries, rows, strict=False)]
    lines += [f"clue {entry} Clue of {entry}" for entry in entries]
    lines += ["set 9A ABCDE", *(f"set r{at}c{at} Z" for at in (2, 3, 4))]
    shown = said(bench, "new 5 --force", *lines, "check").splitlines()
    assert shown[0] == "duplicate answer: 1A and 9A are both ABCDE"
    place = shown.index("stale clue, 9:")
    assert shown[place + 1].startswith("  6A FZHIJ has the clue of FGHIJ")
    assert shown[place + 7] == "  and 3 more (`check --all` shows all)"
    whole = said(bench, "check --all").splitlines()
    assert sum("has the clue of" in line for line in whole) == 9
    assert not any("more (" in line for line in whole)


@pytest.mark.parametrize(
    ("lines", "missed"),
    [
        ((), "the puzzle has no title and no author"),
        (("title Hearts",), "the puzzle has no author"),
        (("title Hearts", "author A. Setter"), ""),
        (("profile crosshare",), "the puzzle has no author"),
    ],
)
def test_a_missing_author_or_title_is_reported_without_being_a_finding(
    ponti: Session, lines: tuple[str, ...], missed: str
) -> None:
    """A title required by the profile is already a finding; an export names both."""
    shown = said(ponti, *lines, "check").splitlines()
    assert [line for line in shown if line.startswith("the puzzle has no")] == ([missed] if missed else [])
    assert all("author" not in one.message for one in found_as(ReviewAnswer, ponti, "check").findings)
    exported = said(ponti, "export --preview").splitlines()
    assert [line for line in exported if line.startswith("the puzzle has no")] == (
        [untitled_words(ponti.puzzle)] if missed else []
    )


def test_a_clue_that_still_fits_is_kept(ponti: Session) -> None:
    assert said(ponti, "clue --keep 1A") == "1A: Gio the designer"
    assert said(ponti, "set 1A PONTI", "clue 1A") == "1A: Gio the designer"
    assert "stale clue" not in said(ponti, "check")
    refuses(ponti, "clue --keep 1A", "1A has no earlier answer's clue to keep")


def test_an_existing_clue_for_the_answer_is_offered_and_taken(ponti: Session) -> None:
    run_line(ponti, "set 6A PONTI")
    assert said(ponti, "clue 6A").splitlines() == [
        "6A: no clue",
        "6A: offered: Gio the designer (this puzzle; `clue --take 6A` takes it)",
    ]
    assert said(ponti, "clue --take 6A") == "6A: Gio the designer"
    refuses(ponti, "clue --take 1A", "neither the puzzle nor the clue book has another clue for CIDER")
    refuses(ponti, "clue --take 7A", "7A is not complete")


def test_clearing_the_shown_clue(ponti: Session) -> None:
    assert said(ponti, "clue 1A Apple drink", "clue --clear 1A").startswith("1A: clue of PONTI")
    assert said(ponti, "clue --clear 1A") == "1A: no clue"
    assert said(ponti, "set 1A PONTI", "clue 1A") == "1A: no clue"
    assert said(ponti, "undo", "undo", "clue 1A").startswith("1A: clue of PONTI"), "one undo each"
    refuses(ponti, "clue --clear --keep 1A", "use only one of")


def test_all_clues_in_a_list(ponti: Session) -> None:
    listed = said(ponti, "set 6A PONTI", "set 7A ALTOS", "clue 7A Choir members", "clues").splitlines()
    assert listed[:4] == [
        "  1A  CIDER  (clue of PONTI) Gio the designer",
        "  6A  PONTI  (offered) Gio the designer",
        "  7A  ALTOS  Choir members",
        "  8A  ?????  -",
    ]
    assert len(listed) == 10
    assert "7A" not in said(ponti, "clues --open").split()


def test_the_answer_of_check_lists_stale_clues_by_entry(ponti: Session) -> None:
    run_line(ponti, "clear 1A")
    assert found(ponti, "check").as_json["stale_clues"] == [
        {"entry": "1A", "clue_answer": "PONTI", "answer": None}
    ]
    run_line(ponti, "undo")
    assert found(ponti, "check").as_json["stale_clues"] == [
        {"entry": "1A", "clue_answer": "PONTI", "answer": "CIDER"}
    ]


def test_an_export_names_stale_clues_and_a_save_keeps_them(ponti: Session, tmp_path: Path) -> None:
    refuses(ponti, f"export {tmp_path / 'x.xd'}", r"1A \(of PONTI\)", PuzzleFormatError)
    assert "1A (of PONTI)" in said(ponti, f"export {tmp_path / 'x.xd'} --lossy")
    assert "1A (of PONTI)" in said(ponti, f"export {tmp_path / 'x.ipuz'} --lossy")
    run_line(ponti, f"save {tmp_path / 'y.ipuz'}")
    assert read_puzzle(tmp_path / "y.ipuz") == ponti.puzzle
    assert json.loads((tmp_path / "y.ipuz").read_text())["clues"]["Across"][0] == [1, ""]


def test_a_multi_person_emoji_is_saved_whole(bench: Session, tmp_path: Path) -> None:
    family = "👩\u200d👩\u200d👧 or a \u202eflag: 🏳\ufe0f\u200d🌈"
    kept = family.replace("\u202e", "")
    assert said(bench, f"clue 1A {family}") == f"1A: {kept}"
    run_line(bench, f"save {tmp_path / 'x.ipuz'}")
    saved = read_puzzle(tmp_path / "x.ipuz")
    assert saved.clue(saved.grid.slot("1A")) == kept


def test_a_crash_keeps_clues_with_their_answers(ponti: Session, journals: Path) -> None:
    said(ponti, "clue 1A Apple drink", "set 1A PONTI")
    ponti.close()
    (recovery,) = find_recoveries(journals)
    assert recovery.puzzle == ponti.puzzle
    assert recovery.puzzle.clue(recovery.puzzle.grid.slot("1A")) == "Gio the designer"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ('"Heart to Heart"', "Heart to Heart"),
        ("'Heart to Heart'", "Heart to Heart"),
        ('""Heart""', '"Heart"'),
        ('"One" and "Two"', '"One" and "Two"'),
        ("'Tis the season", "'Tis the season"),
        ('"', '"'),
        ('""', ""),
    ],
)
@pytest.mark.parametrize("field", ["title", "author", "copyright", "notes"])
def test_quotes_around_a_title_are_removed(bench: Session, field: str, typed: str, kept: str) -> None:
    assert said(bench, f"{field} before", f"{field} {typed}") == f"{field}: {kept or 'none'}"
    assert getattr(bench.puzzle, field) == kept


def test_quotes_around_a_clue_are_kept(ponti: Session) -> None:
    assert said(ponti, 'clue 1A "You said it!"') == '1A: "You said it!"'


@pytest.fixture
def today(bench: Session, tmp_path: Path) -> Session:
    """A puzzle with TODAY at 1A, TEAMS down from it, and a list with TODAY as two words."""
    (tmp_path / "mine.txt").write_text("TO DAY;50\nT-EAMS;40\nTEAMS;50\n", encoding="utf-8")
    said(bench, "new 5 --force", f"words {tmp_path / 'mine.txt'}", "set 1A TODAY", "set 1D TEAMS")
    return bench


def test_an_enumeration_is_one_edit_and_goes_with_its_answer(today: Session) -> None:
    assert said(today, "clue 1A Now", "enumeration 1A (2,3)") == "1A TODAY: (2,3); suggested: (5) by WordNet"
    assert said(today, "clue 1A") == "1A: Now (2,3)"
    assert said(today, "clues").splitlines()[0].endswith("TODAY  Now (2,3)")
    assert "(2,3)" not in said(today, "set 1A TEETH", "clue 1A")
    assert said(today, "set 1A TODAY", "clue 1A At present") == "1A: At present (2,3)"
    assert said(today, "undo", "undo", "undo", "undo", "clue 1A") == "1A: Now"


def test_an_enumeration_typed_after_a_clue_is_recognized(today: Session) -> None:
    run_line(today, "clue 1A Now (2-3)")
    slot = today.puzzle.grid.slot("1A")
    assert (today.puzzle.clue(slot), str(today.puzzle.enumeration(slot))) == ("Now", "2-3")
    assert said(today, "clue --clear 1A") == "1A: no clue (2-3)"
    assert said(today, "enumeration --clear 1A").startswith("1A TODAY: no enumeration")


def test_an_enumeration_is_checked_against_the_answer(today: Session) -> None:
    refuses(today, "enumeration 1A 3,4", r"1A TODAY has 5 letters, but \(3,4\) has 7")
    refuses(today, "enumeration 6A 4", r"6A has 5 squares, but \(4\) has 4 letters")
    refuses(today, "enumeration 1A three", "not an enumeration such as 3,4", PuzzleError)
    refuses(today, "enumeration --take --clear 1A", "use only one of")
    assert said(today, "enumeration 6A 2,5") == "6A: (2,5)"
    assert "the enumeration of 6A is (2,5), of 7 letters, but EARTH has 5" in said(today, "set 6A EARTH", "check")
    assert "6A EARTH: (2,5) (EARTH has 5 letters)" in said(today, "enumeration 6A")


def test_word_lists_and_wordnet_suggest_enumerations(today: Session) -> None:
    assert said(today, "enumeration 1A") == (
        "1A TODAY: no enumeration; suggested: (2,3) by word lists, (5) by WordNet"
    )
    assert said(today, "enumeration --take 1A").startswith("1A TODAY: (2,3)")
    refuses(today, "enumeration --take 6A", "no suggestion for 6A")


def test_all_suggestions_are_taken_in_one_edit(today: Session) -> None:
    said(today, "set 6A EXZQJ", "set 7A ARTSY", "clue 7A Like galleries (2-3)", "enumeration --clear 7A")
    run_line(today, "clue 7A Like galleries (2,4)")
    before = today.puzzle
    assert said(today, "enumerate").splitlines() == [
        "3 enumerations taken",
        "  1A TODAY: 2,3",
        "  1D TEAMS: 1-4",
        "assumed to be one word, since neither word lists nor WordNet spell them out: 6A EXZQJ",
    ]
    listed = said(today, "enumerations").splitlines()
    assert listed[0] == "1A TODAY: (2,3); suggested: (5) by WordNet"
    assert "6A EXZQJ: (5)" in listed
    run_line(today, "undo")
    assert today.puzzle == before


def test_a_long_answer_without_a_source_gets_no_enumeration_and_is_named(today: Session) -> None:
    grid = grid_from_text("MYHEARTWILLGOON\n###############\nXYZZYQ#########")
    today.new(Puzzle(grid, words=today.puzzle.words))
    assert said(today, "enumerate").splitlines() == [
        "1 enumeration taken",
        "assumed to be one word, since neither word lists nor WordNet spell them out: 2A XYZZYQ",
        "left without, too long to guess: 1A MYHEARTWILLGOON; `enumeration 1A 3,5` sets the enumeration",
    ]
    assert today.puzzle.enumeration(today.puzzle.grid.slot("1A")) is None


def test_an_inflected_word_of_wordnet_is_one_word(today: Session) -> None:
    """Not so the plural of a phrase, even of one that is also written as one word."""
    today.new(Puzzle(grid_from_text("APOLOGIES\n#########\nICECREAMS"), words=today.puzzle.words))
    assert said(today, "enumerations").splitlines() == [
        "1A APOLOGIES: no enumeration; suggested: (9) by WordNet",
        "2A ICECREAMS: no enumeration",
    ]


@pytest.mark.parametrize("line", ["enumerate", "enumeration --take 1A"])
def test_nothing_is_taken_while_words_are_loading(
    today: Session, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.session.verbs.word_choice.words_soon", lambda session: None)
    before = today.puzzle
    refuses(today, line, "still being loaded")
    assert today.puzzle == before


GRID = grid_from_text("A[HEART]C\nD#E\nFGH")
KINDS = (".txt", ".md", ".csv")


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle with clues that are hard to write to a file, and an entry without a clue."""
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
def test_a_written_sheet_reads_back_unchanged(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
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
def test_clues_changed_on_both_sides_are_merged(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
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
def test_a_clue_follows_its_answer_to_another_entry(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
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


def test_an_emptied_line_removes_the_clue_and_a_missing_line_keeps_it(puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "clues.txt"
    path.write_bytes(sheet_bytes(puzzle, ".txt"))
    edited(path, " M*A*S*H: a, b; c", "")
    edited(path, "1D ADF: = 2 + 2 | –\n", "")
    found, after = taken(puzzle, path)
    assert typed(after) == {**typed(puzzle), "3A": ""}
    assert "3A: removed (was: M*A*S*H: a, b; c)" in found.lines


def test_a_handwritten_sheet_is_read(puzzle: Puzzle, tmp_path: Path) -> None:
    lines = "# Mine\nACROSS\n1. First\n3A: Third: *yes*\n\n**Down**\n* **1** Note: down\n2 D CEH: Two\n99A x\n"
    path = written(tmp_path / "clues.md", f"{lines}what?\n1d again\n")
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


def test_an_incomplete_answer_takes_the_clue_of_a_matching_one(tmp_path: Path) -> None:
    path = written(tmp_path / "clues.csv", "entry,answer,clue\n1A,A??,yes\n3A,F?X,no\n")
    found, after = taken(puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH")), path)
    assert (typed(after)["1A"], typed(after)["3A"]) == ("yes", "")
    assert [each.reason for each in found.unplaced] == ["3A is FGH, not F?X"]


@given(st.text(), st.sampled_from(KINDS))
@examples(60)
def test_any_text_is_parsed_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, kind: str) -> None:
    path = tmp_path_factory.mktemp("sheets") / f"clues{kind}"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(PuzzleFormatError):
        import_clues(puzzle_of_grid(GRID), read_sheet(path), overwrites=True).apply(puzzle_of_grid(GRID))


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_grid_is_read_back(kind: str, tmp_path: Path) -> None:
    blocks = {Position(row, column): BLOCK for row in range(40) for column in range(3, 40, 4)}
    puzzle = puzzle_of_grid(Grid.blank(40, 40).with_squares(blocks))
    puzzle = puzzle.with_clue(puzzle.grid.slots[-1], "last")
    path = tmp_path / f"clues{kind}"
    path.write_bytes(sheet_bytes(puzzle, kind))
    assert read_sheet(path).lines[-1].mark is not None
    assert taken(puzzle, path)[1] == puzzle


@pytest.mark.parametrize("data", [b"\0", b'entry,clue\n1A,"' + b"x" * 200_000, b"1A " + b"x" * 10_001])
def test_files_that_are_not_sheets_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "clues.csv"
    path.write_bytes(data)
    with pytest.raises(XwtuiError, match=r"clues\.csv"):
        read_sheet(path)
    with pytest.raises(XwtuiError, match=r"\.txt, \.md or \.csv"):
        read_sheet(tmp_path / "clues.doc")


@pytest.mark.parametrize(("folder", "named"), [("here", "c.txt"), ("elsewhere x", '"{}"')])
def test_the_command_to_read_back_names_a_path_that_works(
    bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, named: str
) -> None:
    for name in ("here", "elsewhere x"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    path = tmp_path / folder / "c.txt"
    told = said(bench, "new 5 --force", f'clues export "{path}"').splitlines()[-1]
    assert told == f"`clues import {named.format(path)}` reads them back"
    said(bench, told.split("`")[1])


def test_the_verbs(bench: Session, tmp_path: Path) -> None:
    path = tmp_path / "clues.csv"
    said(bench, "new 5 --force", "set 1A PONTI", "clue 1A Gio the designer")
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
    assert json.loads(json.dumps(found(bench, f"clues import {path}").as_json))["changed"] == [
        {"entry": "1A", "from": "Gio the designer", "to": "Designer Gio"}
    ]


def test_a_sheet_whose_answer_has_changed(bench: Session, tmp_path: Path) -> None:
    path = tmp_path / "clues.txt"
    said(bench, "new 5 --force", "set 1A PONTI", "clue 1A Gio the designer", f"clues export {path}")
    path.write_text(path.read_text().replace("Gio the", "The"))
    run_line(bench, "set 1A CIDER")
    assert "line 4 not placed (1A is CIDER, not PONTI): The designer" in said(bench, f"clues import {path}")
    bench.edit("set", lambda puzzle: place_answer(puzzle, puzzle.grid.slot("6A"), "PONTI"))
    assert "1A PONTI is 6A now" in said(bench, f"clues import {path}")
    assert bench.puzzle.clue(bench.puzzle.grid.slot("6A")) == "The designer"


@pytest.mark.parametrize("kind", KINDS)
def test_enumerations_follow_their_clues(puzzle: Puzzle, kind: str, tmp_path: Path) -> None:
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
def test_a_cleared_clue_is_restored_with_its_enumeration_unchanged(kind: str, tmp_path: Path) -> None:
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


def test_an_enumeration_changed_here_is_kept_unless_the_sheet_differs(tmp_path: Path) -> None:
    slot = GRID.slot("3A")
    puzzle = puzzle_of_grid(GRID).with_enumeration(slot, AnswerEnumeration.parse("3"))
    path = tmp_path / "clues.txt"
    path.write_bytes(sheet_bytes(puzzle, ".txt"))
    changed = puzzle.with_enumeration(slot, AnswerEnumeration.parse("1,2"))
    assert taken(changed, path)[1] == changed
