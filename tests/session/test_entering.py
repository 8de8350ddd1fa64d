"""An answer and what is entered are two things: edits, undo, clue, file, review and exports keep them apart."""

from pathlib import Path

import pytest

from tests.session.saying import refuses, said
from xwtui.formats.registry import read_puzzle
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


@pytest.fixture
def shirts(bench: Session, tmp_path: Path) -> Session:
    """A puzzle with SHIRTS at 1A, entered as SHITS."""
    (tmp_path / "mine.txt").write_text("SHIRTS;70\nSTOVE;40\nNOTES;50\n", encoding="utf-8")
    for line in ("new 5 --force", f"words {tmp_path / 'mine.txt'}"):
        run_line(bench, line)
    assert said(bench, "entry 1A answer shirts enters SHITS") == "1A: SHIRTS -> SHITS"
    return bench


def test_it_is_one_edit(shirts: Session) -> None:
    slot = shirts.puzzle.grid.slot("1A")
    assert (shirts.puzzle.answer(slot), shirts.puzzle.grid.answer(slot)) == ("SHIRTS", "SHITS")
    run_line(shirts, "undo")
    assert shirts.puzzle.answer(slot) is None
    run_line(shirts, "redo")
    assert said(shirts, "entry 1A") == "1A: SHIRTS -> SHITS"
    assert said(shirts, "entry 1A off") == "1A: SHITS"


def test_the_one_or_the_other_is_told_alone(shirts: Session) -> None:
    assert said(shirts, "entry 1A enters SHIRT") == "1A: SHIRTS -> SHIRT"
    assert said(shirts, "set 6A NOTES", "entry 6A enters SETON") == "6A: NOTES -> SETON"
    assert said(shirts, "entry 6A answer TONES") == "6A: TONES -> SETON"
    assert said(shirts, "entry 6A answer SETON") == "6A: SETON"
    refuses(shirts, "entry 7A answer STOVE", "7A is not complete")
    refuses(shirts, "entry 1A SHIRTS", "say `answer SHIRTS enters SHITS`")


def test_clue_and_enumeration_are_the_answers(shirts: Session) -> None:
    run_line(shirts, "clue 1A Garments (6)")
    slot = shirts.puzzle.grid.slot("1A")
    assert [clue.answer for clue in shirts.puzzle.clues[slot.start, slot.direction].clues] == ["SHIRTS"]
    assert "SHIRTS -> SHITS  Garments (6)" in said(shirts, "clues")
    assert "clue of SHIRTS" in said(shirts, "set 1A NOTES", "clues")
    assert "SHIRTS -> SHITS  Garments (6)" in said(shirts, "set 1A SHITS", "clues")


def test_the_review_looks_at_the_answer(shirts: Session) -> None:
    assert "in no list" not in said(shirts, "check")
    assert "1A and 6A are both SHIRTS" in said(shirts, "entry 6A answer SHIRTS enters SHRTS", "check")
    assert "1A and 6A" not in said(shirts, "entry 6A answer STOVE enters SHITS", "check")
    run_line(shirts, "entry 6A off")
    assert "1A SHIRTS contains R" in said(shirts, "rule 1A --lacks R", "check")


def test_fills_take_the_answer_for_used(shirts: Session) -> None:
    """What is given keeps its answer from other entries, and what it enters does not count."""
    from xwtui.session.problem_specification import ProblemSpecification  # noqa: PLC0415  (loads numba)

    shirts.wait_until_ready()
    vocabulary = shirts.jobs.words.view
    assert shirts.jobs.words.statistics(shirts.puzzle).mean_score == 70
    assert vocabulary is not None
    problem = ProblemSpecification.of(shirts.puzzle, vocabulary).problem()
    slot = problem.slot_numbers["1A"]
    assert problem.tables[slot].lengths == (6,)
    assert problem.score(slot, 0) == 70


def test_files_keep_both(shirts: Session, tmp_path: Path) -> None:
    for line in ("clue 1A Garments", f"save {tmp_path / 'a.ipuz'}"):
        run_line(shirts, line)
    assert '"answer": "SHIRTS"' in (tmp_path / "a.ipuz").read_text(encoding="utf-8")
    read = read_puzzle(tmp_path / "a.ipuz")
    slot = read.grid.slot("1A")
    assert (read.told_pattern(slot), read.clue(slot)) == ("SHIRTS -> SHITS", "Garments")
    run_line(shirts, f"export {tmp_path / 'a.xd'}")
    assert "Garments ~ SHIRTS" in (tmp_path / "a.xd").read_text(encoding="utf-8")
    assert read_puzzle(tmp_path / "a.xd").grid.answer(slot) == "SHITS"
    run_line(shirts, f"clues export {tmp_path / 'a.csv'}")
    assert "1A,SHIRTS,Garments" in (tmp_path / "a.csv").read_text(encoding="utf-8")
    (tmp_path / "b.txt").write_text("1A SHIRTS: Worn\n", encoding="utf-8")
    assert "Worn" in said(shirts, f"clues import {tmp_path / 'b.txt'}", "clue 1A")
