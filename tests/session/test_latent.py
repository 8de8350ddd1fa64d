"""Entries that enter something else than their answers: verb, fill, what the puzzle keeps of it, its file."""

from pathlib import Path

import pytest

from tests.session.saying import do, on_three_by_three, refuses, said
from xwtui.errors import PuzzleError
from xwtui.formats.registry import read_puzzle
from xwtui.model.entering import EnteredAnswer, Entering, Treatment
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

WORDS = "BAGS;50\nICES;35\nTENS;70\nBITE;55\nACED;45\nGENE;50\nTAG;30\n"
"""Without their fourth letters the words of the only fills of a blank 3x3 grid."""


@pytest.fixture
def small(bench: Session, tmp_path: Path) -> Session:
    """A blank 3x3 grid and words that fill it with a letter dropped."""
    return on_three_by_three(bench, WORDS, tmp_path)


def test_a_fill_writes_the_answers_that_it_means(small: Session, tmp_path: Path) -> None:
    assert said(small, "latent drop --spell SSSEDE") == (
        "latent: exactly 6 of all entries entered with a letter dropped, these letters spell SSSEDE"
    )
    do(small, "fill --seed 1 --threads 1 --min-score 0")
    assert small.puzzle.grid.is_filled
    entered = small.puzzle.entered.values()
    assert {told.answer for told in entered} == {"BAGS", "ICES", "TENS", "BITE", "ACED", "GENE"}
    assert "BAGS -> BAG" in said(small, "clues")
    assert "spell" not in said(small, "check")
    assert said(small, "clue 1A Sacks") == "1A: Sacks"
    run_line(small, f"save {tmp_path / 'a.ipuz'}")
    read = read_puzzle(tmp_path / "a.ipuz")
    assert (read.entered, read.rules) == (small.puzzle.entered, small.puzzle.rules)
    for line in ("undo", "undo"):
        run_line(small, line)
    assert not small.puzzle.entered


def test_a_rejected_answer_does_not_come_back_by_another_way(small: Session) -> None:
    for line in ("words --min-score 0", "latent drop"):
        run_line(small, line)
    do(small, "fill --seed 1 --threads 1")
    before = small.puzzle.answers["1A"]
    do(small, "reject 1A")
    assert f"is not {before}" in said(small, "rules")


def test_candidates_show_both(small: Session) -> None:
    run_line(small, "latent drop across")
    small.wait_until_ready()
    assert "BAGS -> BAG  50" in said(small, "candidates 1A")


def test_the_review_tells_what_breaks_the_rule(small: Session) -> None:
    for line in ("latent drop across --exactly 1", "set 1A BAG", "entry 4A answer ICE enters XCE", "set 5A TEN"):
        run_line(small, line)
    assert "4A ICE -> XCE is not entered with a letter dropped" in said(small, "check")
    run_line(small, "entry 4A off")
    assert "0 entries are entered with a letter dropped, and 1 are to be" in said(small, "check")
    run_line(small, "latent drop across --spell S")
    assert "0 entries are" in said(small, "check")
    assert "the letters spell E" in said(small, "set 4A ICE", "entry 4A answer ICEE", "check")
    assert "latent" not in said(small, "entry 4A answer ICES", "check")


def test_what_is_said_is_read(small: Session) -> None:
    assert said(small, "latent remove s 1A 1D") == (
        "latent: the entries at r1c1 across, r1c1 down entered without S"
    )
    assert said(small, "latent add down --letters XY", "latent").splitlines()[1] == (
        "latent: the down entries entered with a letter added, one of X Y"
    )
    assert said(small, "latent add off", "latent").count("latent:") == 1
    assert said(small, "latent off") == "every entry enters its answer"
    for line, why in (
        ("latent remove", "say what is removed"),
        ("latent drop S", "say which entries"),
        ("latent jumble --spell AB", "no single letter"),
        ("latent drop --spell AB --exactly 3", "3 entries cannot tell a message of 2 letters"),
        ("latent drop across down", "say which entries"),
    ):
        refuses(small, line, why, PuzzleError)


@pytest.mark.parametrize(
    ("how", "answer", "entered", "letter"),
    [
        (Entering.DROP, "SHIRTS", "SHITS", "R"),
        (Entering.DROP, "BOOK", "BOK", "O"),
        (Entering.DROP, "BOOK", "KOB", ""),
        (Entering.ADD, "SHITS", "SHIRTS", "R"),
        (Entering.CHANGE, "SHIRT", "SHORT", "O"),
        (Entering.CHANGE, "SHIRT", "SPORT", ""),
    ],
)
def test_a_letter_tells_what_was_done(how: Entering, answer: str, entered: str, letter: str) -> None:
    assert Treatment(how).letter(answer, entered) == letter
    assert Treatment(how).makes(answer, entered) is bool(letter)


def test_other_treatments_have_no_letter() -> None:
    assert Treatment(Entering.JUMBLE).makes("ABC", "CAB")
    assert not Treatment(Entering.JUMBLE).makes("ABC", "ABC")
    assert Treatment(Entering.REVERSE).makes("ABC", "CBA")
    assert Treatment(Entering.REMOVE, "SS").makes("ASSESS", "AE")
    assert Treatment(Entering.VOWELS).makes("ÅBÖE", "B")
    assert Treatment(Entering.REVERSE).letter("ABC", "CBA") == ""
    assert str(EnteredAnswer("SHIRTS", "SHITS")) == "SHIRTS -> SHITS"
