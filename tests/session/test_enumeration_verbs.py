"""The verbs for enumerations, and clues that are typed with them."""

from pathlib import Path

import pytest

from tests.session.saying import refuses, said
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


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
    refuses(today, "enumeration 1A three", "no enumeration, such as 3,4", PuzzleError)
    refuses(today, "enumeration --take --clear 1A", "one of them")
    assert said(today, "enumeration 6A 2,5") == "6A: (2,5)"
    run_line(today, "set 6A EARTH")
    assert "the enumeration of 6A is (2,5), of 7 letters, but EARTH has 5" in said(today, "check")
    assert "6A EARTH: (2,5) (EARTH has 5 letters)" in said(today, "enumeration 6A")


def test_word_lists_and_wordnet_suggest(today: Session) -> None:
    assert said(today, "enumeration 1A") == (
        "1A TODAY: no enumeration; suggested: (2,3) by word lists, (5) by WordNet"
    )
    assert said(today, "enumeration --take 1A").startswith("1A TODAY: (2,3)")
    refuses(today, "enumeration --take 6A", "nothing is suggested for 6A")


def test_all_are_taken_in_one_edit(today: Session) -> None:
    for line in ("set 6A EXZQJ", "set 7A ARTSY", "clue 7A Like galleries (2-3)", "enumeration --clear 7A"):
        run_line(today, line)
    run_line(today, "clue 7A Like galleries (2,4)")
    before = today.puzzle
    assert said(today, "enumerate").splitlines() == [
        "3 enumerations taken",
        "  1A TODAY: 2,3",
        "  1D TEAMS: 1-4",
        "guessed to be one word, as neither word lists nor WordNet write them: 6A EXZQJ",
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
        "guessed to be one word, as neither word lists nor WordNet write them: 2A XYZZYQ",
        "left without, too long to be guessed: 1A MYHEARTWILLGOON; `enumeration 1A 3,5` says how it is written",
    ]
    assert today.puzzle.enumeration(today.puzzle.grid.slot("1A")) is None


@pytest.mark.parametrize("line", ["enumerate", "enumeration --take 1A"])
def test_nothing_is_taken_while_the_words_are_still_loaded(
    today: Session, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.session.verbs.finding.words_soon", lambda session: None)
    before = today.puzzle
    refuses(today, line, "still being loaded")
    assert today.puzzle == before
