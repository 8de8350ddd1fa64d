"""The verbs of clues, their enumerations, and what becomes of them when answers change."""

import json
from pathlib import Path

import pytest

from tests.session.saying import refuses, said
from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import read_puzzle
from xwtui.model import Puzzle
from xwtui.session.recovery import find_recoveries
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


@pytest.fixture
def ponti(bench: Session) -> Session:
    """A puzzle whose 1A was PONTI, with a clue, and is CIDER now."""
    for line in ("new 5 --force", "set 1A PONTI", "clue 1A Gio the designer", "set 1A CIDER"):
        run_line(bench, line)
    return bench


def test_an_answer_that_changes_leaves_its_clue_behind(ponti: Session) -> None:
    assert said(ponti, "clue 1A") == "1A: clue of PONTI: Gio the designer (`clue --keep 1A` keeps it)"
    assert "stale clue: 1A CIDER has the clue of PONTI" in said(ponti, "check").splitlines()
    assert said(ponti, "set 1A PONTI", "clue 1A") == "1A: Gio the designer"
    assert said(ponti, "undo", "undo", "clue 1A") == "1A: Gio the designer"


def test_the_worst_is_not_buried_under_many_findings_of_a_kind(bench: Session) -> None:
    rows = ("ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY")
    entries = [f"{number}A" for number in (1, 6, 7, 8, 9)] + [f"{number}D" for number in range(1, 6)]
    lines = [f"set {entry} {row}" for entry, row in zip(entries, rows, strict=False)]
    lines += [f"clue {entry} Clue of {entry}" for entry in entries]
    lines += ["set 9A ABCDE", *(f"set r{at}c{at} Z" for at in (2, 3, 4))]
    for line in ("new 5 --force", *lines):
        run_line(bench, line)
    shown = said(bench, "check").splitlines()
    assert shown[0] == "duplicate answer: 1A and 9A are both ABCDE"
    place = shown.index("stale clue, 9:")
    assert shown[place + 1].startswith("  6A FZHIJ has the clue of FGHIJ")
    assert shown[place + 7] == "  and 3 more (`check --all` shows all)"
    whole = said(bench, "check --all").splitlines()
    assert sum("has the clue of" in line for line in whole) == 9
    assert not any("more (" in line for line in whole)


def test_a_clue_that_still_fits_is_kept(ponti: Session) -> None:
    assert said(ponti, "clue --keep 1A") == "1A: Gio the designer"
    assert said(ponti, "set 1A PONTI", "clue 1A") == "1A: Gio the designer"
    assert "stale clue" not in said(ponti, "check")
    refuses(ponti, "clue --keep 1A", "1A has no earlier answer's clue to keep")


def test_a_clue_that_the_puzzle_has_for_the_answer_is_offered_and_taken(ponti: Session) -> None:
    run_line(ponti, "set 6A PONTI")
    assert said(ponti, "clue 6A").splitlines() == [
        "6A: no clue",
        "6A: suggested: Gio the designer (`clue --take 6A` uses it)",
    ]
    assert said(ponti, "clue --take 6A") == "6A: Gio the designer"
    refuses(ponti, "clue --take 1A", "neither the puzzle nor the clue book has another clue for CIDER")
    refuses(ponti, "clue --take 7A", "7A is not complete")


def test_clearing_what_is_shown(ponti: Session) -> None:
    run_line(ponti, "clue 1A Apple drink")
    assert said(ponti, "clue --clear 1A").startswith("1A: clue of PONTI")
    assert said(ponti, "clue --clear 1A") == "1A: no clue"
    assert said(ponti, "set 1A PONTI", "clue 1A") == "1A: no clue"
    assert said(ponti, "undo", "undo", "clue 1A").startswith("1A: clue of PONTI"), "one undo each"
    refuses(ponti, "clue --clear --keep 1A", "use only one of")


def test_all_clues_in_a_list(ponti: Session) -> None:
    for line in ("set 6A PONTI", "set 7A ALTOS", "clue 7A Choir members"):
        run_line(ponti, line)
    listed = said(ponti, "clues").splitlines()
    assert listed[:4] == [
        "  1A  CIDER  (clue of PONTI) Gio the designer",
        "  6A  PONTI  (offered) Gio the designer",
        "  7A  ALTOS  Choir members",
        "  8A  ?????  -",
    ]
    assert len(listed) == 10
    assert "7A" not in said(ponti, "clues --open").split()


def test_the_answer_of_check_has_stale_clues_by_entry(ponti: Session) -> None:
    run_line(ponti, "clear 1A")
    reply = run_line(ponti, "check")
    assert reply.answer is not None
    assert reply.answer().as_json["stale_clues"] == [{"entry": "1A", "clue_answer": "PONTI", "answer": None}]
    run_line(ponti, "undo")
    reply = run_line(ponti, "check")
    assert reply.answer is not None
    assert reply.answer().as_json["stale_clues"] == [{"entry": "1A", "clue_answer": "PONTI", "answer": "CIDER"}]


def test_an_export_names_stale_clues_and_a_saved_file_keeps_them(ponti: Session, tmp_path: Path) -> None:
    refuses(ponti, f"export {tmp_path / 'x.xd'}", r"1A \(of PONTI\)", PuzzleFormatError)
    assert "1A (of PONTI)" in said(ponti, f"export {tmp_path / 'x.xd'} --lossy")
    assert "1A (of PONTI)" in said(ponti, f"export {tmp_path / 'x.ipuz'} --lossy")
    run_line(ponti, f"save {tmp_path / 'y.ipuz'}")
    assert read_puzzle(tmp_path / "y.ipuz") == ponti.puzzle
    assert json.loads((tmp_path / "y.ipuz").read_text())["clues"]["Across"][0] == [1, ""]


def test_an_emoji_of_several_people_is_written_and_saved_whole(bench: Session, tmp_path: Path) -> None:
    family = "👩\u200d👩\u200d👧 or a \u202eflag: 🏳\ufe0f\u200d🌈"
    kept = family.replace("\u202e", "")
    assert said(bench, f"clue 1A {family}") == f"1A: {kept}"
    run_line(bench, f"save {tmp_path / 'x.ipuz'}")
    saved = read_puzzle(tmp_path / "x.ipuz")
    assert saved.clue(saved.grid.slot("1A")) == kept


def test_a_crash_keeps_clues_with_their_answers(ponti: Session, journals: Path) -> None:
    run_line(ponti, "clue 1A Apple drink")
    run_line(ponti, "set 1A PONTI")
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
def test_quotes_around_a_title_are_no_part_of_it(bench: Session, field: str, typed: str, kept: str) -> None:
    run_line(bench, f"{field} before")
    assert said(bench, f"{field} {typed}") == f"{field}: {kept or 'none'}"
    assert getattr(bench.puzzle, field) == kept


def test_quotes_around_a_clue_are_part_of_it(ponti: Session) -> None:
    assert said(ponti, 'clue 1A "You said it!"') == '1A: "You said it!"'


@pytest.fixture
def today(bench: Session, tmp_path: Path) -> Session:
    """A puzzle with TODAY at 1A, TEAMS down from it, and a list that writes TODAY in two words."""
    (tmp_path / "mine.txt").write_text("TO DAY;50\nT-EAMS;40\nTEAMS;50\n", encoding="utf-8")
    for line in ("new 5 --force", f"words {tmp_path / 'mine.txt'}", "set 1A TODAY", "set 1D TEAMS"):
        run_line(bench, line)
    return bench


def test_it_is_one_edit_that_goes_with_its_answer(today: Session) -> None:
    assert said(today, "clue 1A Now", "enumeration 1A (2,3)") == "1A TODAY: (2,3); suggested: (5) by WordNet"
    assert said(today, "clue 1A") == "1A: Now (2,3)"
    assert said(today, "clues").splitlines()[0].endswith("TODAY  Now (2,3)")
    assert "(2,3)" not in said(today, "set 1A TEETH", "clue 1A")
    assert said(today, "set 1A TODAY", "clue 1A At present") == "1A: At present (2,3)"
    assert said(today, "undo", "undo", "undo", "undo", "clue 1A") == "1A: Now"


def test_what_is_typed_behind_a_clue_is_the_enumeration(today: Session) -> None:
    run_line(today, "clue 1A Now (2-3)")
    slot = today.puzzle.grid.slot("1A")
    assert (today.puzzle.clue(slot), str(today.puzzle.enumeration(slot))) == ("Now", "2-3")
    assert said(today, "clue --clear 1A") == "1A: no clue (2-3)"
    assert said(today, "enumeration --clear 1A").startswith("1A TODAY: no enumeration")


def test_it_is_checked_against_the_answer(today: Session) -> None:
    refuses(today, "enumeration 1A 3,4", r"1A TODAY has 5 letters, and \(3,4\) 7")
    refuses(today, "enumeration 6A 4", r"6A has 5 squares, and \(4\) 4 letters")
    refuses(today, "enumeration 1A three", "not an enumeration such as 3,4", PuzzleError)
    refuses(today, "enumeration --take --clear 1A", "use only one of")
    assert said(today, "enumeration 6A 2,5") == "6A: (2,5)"
    run_line(today, "set 6A EARTH")
    assert "the enumeration of 6A is (2,5), of 7 letters, but EARTH has 5" in said(today, "check")
    assert "6A EARTH: (2,5) (EARTH has 5 letters)" in said(today, "enumeration 6A")


def test_word_lists_and_wordnet_suggest(today: Session) -> None:
    assert said(today, "enumeration 1A") == (
        "1A TODAY: no enumeration; suggested: (2,3) by word lists, (5) by WordNet"
    )
    assert said(today, "enumeration --take 1A").startswith("1A TODAY: (2,3)")
    refuses(today, "enumeration --take 6A", "no suggestion for 6A")


def test_all_are_taken_in_one_edit(today: Session) -> None:
    for line in ("set 6A EXZQJ", "set 7A ARTSY", "clue 7A Like galleries (2-3)", "enumeration --clear 7A"):
        run_line(today, line)
    run_line(today, "clue 7A Like galleries (2,4)")
    before = today.puzzle
    assert said(today, "enumerate").splitlines() == [
        "3 enumerations taken",
        "  1A TODAY: 2,3",
        "  1D TEAMS: 1-4",
        "assumed to be one word, since neither word lists nor WordNet have them: 6A EXZQJ",
    ]
    listed = said(today, "enumerations").splitlines()
    assert listed[0] == "1A TODAY: (2,3); suggested: (5) by WordNet"
    assert "6A EXZQJ: (5)" in listed
    run_line(today, "undo")
    assert today.puzzle == before


def test_a_long_answer_that_nobody_is_known_to_write_is_left_without_and_named(today: Session) -> None:
    grid = grid_from_text("MYHEARTWILLGOON\n###############\nXYZZYQ#########")
    today.new(Puzzle(grid, words=today.puzzle.words))
    assert said(today, "enumerate").splitlines() == [
        "1 enumeration taken",
        "assumed to be one word, since neither word lists nor WordNet have them: 2A XYZZYQ",
        "left without, too long to guess: 1A MYHEARTWILLGOON; `enumeration 1A 3,5` sets the enumeration",
    ]
    assert today.puzzle.enumeration(today.puzzle.grid.slot("1A")) is None


@pytest.mark.parametrize("line", ["enumerate", "enumeration --take 1A"])
def test_nothing_is_taken_while_the_words_are_still_loaded(
    today: Session, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.session.verbs.finding.words_soon", lambda session: None)
    before = today.puzzle
    refuses(today, line, "still loading")
    assert today.puzzle == before
