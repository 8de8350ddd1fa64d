"""Answers whose entered form differs from the answer."""

from pathlib import Path

import pytest

from tests.session.saying import do, found, on_three_by_three, refuses, run_of, said
from xwtui.engine.problem.no_fill import LimitedReason, UntriedWays
from xwtui.engine.problem.task import Task
from xwtui.engine.what_if.ranking import Fillability, Outlook, Ranked, Ranking
from xwtui.errors import PuzzleError
from xwtui.formats.registry import read_puzzle
from xwtui.model.entering import EnteredAnswer, Entering, Treatment
from xwtui.session.jobs.question_answers import _ranked_answer
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words, no_fill_words


@pytest.fixture
def shirts(bench: Session, tmp_path: Path) -> Session:
    """A puzzle with SHIRTS at 1A, entered as SHITS."""
    (tmp_path / "mine.txt").write_text("SHIRTS;70\nSTOVE;40\nNOTES;50\n", encoding="utf-8")
    said(bench, "new 5 --force", f"words {tmp_path / 'mine.txt'}")
    assert said(bench, "entry 1A answer shirts enters SHITS") == "1A: SHIRTS -> SHITS"
    return bench


def test_entering_is_one_edit(shirts: Session) -> None:
    slot = shirts.puzzle.grid.slot("1A")
    assert (shirts.puzzle.answer(slot), shirts.puzzle.grid.answer(slot)) == ("SHIRTS", "SHITS")
    run_line(shirts, "undo")
    assert shirts.puzzle.answer(slot) is None
    assert said(shirts, "redo", "entry 1A") == "1A: SHIRTS -> SHITS"
    assert said(shirts, "entry 1A off") == "1A: SHITS"


def test_answer_or_entered_form_alone_is_reported(shirts: Session) -> None:
    assert said(shirts, "entry 1A enters SHIRT") == "1A: SHIRTS -> SHIRT"
    assert said(shirts, "set 6A NOTES", "entry 6A enters SETON") == "6A: NOTES -> SETON"
    assert said(shirts, "entry 6A answer TONES") == "6A: TONES -> SETON"
    assert said(shirts, "entry 6A answer SETON") == "6A: SETON"
    refuses(shirts, "entry 7A answer STOVE", "7A is not complete")
    refuses(shirts, "entry 1A SHIRTS", "use `answer PLANTS enters PANTS`")


def test_clue_and_enumeration_belong_to_the_answer(shirts: Session) -> None:
    run_line(shirts, "clue 1A Garments (6)")
    slot = shirts.puzzle.grid.slot("1A")
    assert [clue.answer for clue in shirts.puzzle.clues[slot.start, slot.direction].clues] == ["SHIRTS"]
    assert "SHIRTS -> SHITS  Garments (6)" in said(shirts, "clues")
    assert "clue of SHIRTS" in said(shirts, "set 1A NOTES", "clues")
    assert "SHIRTS -> SHITS  Garments (6)" in said(shirts, "set 1A SHITS", "clues")


def test_the_review_checks_the_answer(shirts: Session) -> None:
    assert "in no list" not in said(shirts, "check")
    assert "1A and 6A are both SHIRTS" in said(shirts, "entry 6A answer SHIRTS enters SHRTS", "check")
    assert "1A and 6A" not in said(shirts, "entry 6A answer STOVE enters SHITS", "check")
    assert "1A SHIRTS contains R" in said(shirts, "entry 6A off", "rule 1A --lacks R", "check")


def test_fills_treat_the_answer_as_used(shirts: Session) -> None:
    """A given entry reserves its answer; its entered form does not count."""
    from xwtui.engine.problem.problem import Problem  # noqa: PLC0415  (loads numba)

    shirts.wait_until_ready()
    vocabulary = shirts.jobs.words.view
    assert shirts.jobs.words.statistics(shirts.puzzle).mean_score == 70
    assert vocabulary is not None
    problem = Problem.of(Task.of(shirts.puzzle, vocabulary))
    slot = problem.slot_numbers["1A"]
    assert problem.tables[slot].lengths == (6,)
    assert problem.score(slot, 0) == 70


def test_files_keep_both(shirts: Session, tmp_path: Path) -> None:
    said(shirts, "clue 1A Garments", f"save {tmp_path / 'a.ipuz'}")
    assert '"answer": "SHIRTS"' in (tmp_path / "a.ipuz").read_text(encoding="utf-8")
    read = read_puzzle(tmp_path / "a.ipuz")
    slot = read.grid.slot("1A")
    assert (read.shown_pattern(slot), read.clue(slot)) == ("SHIRTS -> SHITS", "Garments")
    run_line(shirts, f"export {tmp_path / 'a.xd'}")
    assert "Garments ~ SHIRTS" in (tmp_path / "a.xd").read_text(encoding="utf-8")
    assert read_puzzle(tmp_path / "a.xd").grid.answer(slot) == "SHITS"
    run_line(shirts, f"clues export {tmp_path / 'a.csv'}")
    assert "1A,SHIRTS,Garments" in (tmp_path / "a.csv").read_text(encoding="utf-8")
    (tmp_path / "b.txt").write_text("1A SHIRTS: Worn\n", encoding="utf-8")
    assert "Worn" in said(shirts, f"clues import {tmp_path / 'b.txt'}", "clue 1A")


WORDS = "BAGS;50\nICES;35\nTENS;70\nBITE;55\nACED;45\nGENE;50\nTAG;30\n"
"""Without their fourth letters, the words of the two fills of a blank 3x3 grid."""


@pytest.fixture
def small(bench: Session, tmp_path: Path) -> Session:
    """A blank 3x3 grid, and words that fill it with a letter dropped."""
    return on_three_by_three(bench, WORDS, tmp_path)


def test_a_fill_records_the_intended_answers(small: Session, tmp_path: Path) -> None:
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
    said(small, "undo", "undo")
    assert not small.puzzle.entered


def test_why_uses_the_answers_of_entered_forms(small: Session) -> None:
    said(small, "words --min-score 0", "latent drop --spell SSSEDE")
    do(small, "fill --seed 1 --threads 1")
    do(small, "why")
    assert small.jobs.question.findings is not None
    assert not any("in no list" in line for line in small.jobs.question.findings.lines)


def test_a_rejected_answer_does_not_return_in_another_form(small: Session) -> None:
    said(small, "words --min-score 0", "latent drop")
    do(small, "fill --seed 1 --threads 1")
    before = small.puzzle.answers["1A"]
    do(small, "reject 1A")
    assert f"keeps out {before}" in said(small, "rules")


def test_candidates_show_both(small: Session) -> None:
    run_line(small, "latent drop across")
    small.wait_until_ready()
    assert "BAGS -> BAG  50" in said(small, "candidates 1A")


def test_the_review_reports_violations_of_the_rule(small: Session) -> None:
    said(small, "latent drop across --exactly 1", "set 1A BAG", "entry 4A answer ICE enters XCE", "set 5A TEN")
    assert "4A ICE -> XCE is not entered with a letter dropped" in said(small, "check")
    assert "0 entries are entered with a letter dropped; 1 must be" in said(small, "entry 4A off", "check")
    assert "0 entries are" in said(small, "latent drop across --spell S", "check")
    assert "the letters spell E" in said(small, "set 4A ICE", "entry 4A answer ICEE", "check")
    assert "latent" not in said(small, "entry 4A answer ICES", "check")


def test_a_worded_rule_parses_back(small: Session) -> None:
    assert said(small, "latent remove s 1A 1D") == (
        "latent: the entries at r1c1 across, r1c1 down entered without S"
    )
    assert said(small, "latent add down --letters XY", "latent").splitlines()[1] == (
        "latent: the down entries entered with a letter added, one of X Y"
    )
    assert said(small, "latent add off", "latent").count("latent:") == 1
    assert said(small, "latent off") == "every entry holds its answer unchanged"
    for line, why in (
        ("latent remove", "name only the letters to remove"),
        ("latent drop S", "name the entries"),
        ("latent jumble --spell AB", "no single letter"),
        ("latent drop --spell AB --exactly 3", "3 entries cannot spell a message of 2 letters"),
        ("latent drop across down", "name the entries"),
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
def test_the_letter_of_a_treatment_is_shown(how: Entering, answer: str, entered: str, letter: str) -> None:
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


def test_each_fill_is_listed_once_with_its_answers(bench: Session, tmp_path: Path) -> None:
    """Of the 24 readings of two separate entries, 20 have different squares."""
    (tmp_path / "mine.txt").write_text("AB;50\nABX;50\nCD;50\nCDX;50\n", encoding="utf-8")
    (tmp_path / "grid.txt").write_text("..#\n###\n..#\n", encoding="utf-8")
    said(
        bench, f"open {tmp_path / 'grid.txt'}", f"words {tmp_path / 'mine.txt'}", "latent drop across --exactly 1"
    )
    do(bench, "fill --all")
    kept = bench.fills.kept
    assert len({tuple(sorted(fill.squares.items())) for fill in kept}) == len(kept) == 20
    assert "no longer allowed" not in said(bench, "fills")
    said(bench, "ban ABX")
    bench.wait_until_ready()
    assert "uses ABX, no longer allowed" in said(bench, "fills")


ALIKE = "AABC;90\nAABD;50\nXYZQ;50\nAAX;50\nBAY;50\nCBZ;50\nDDDD;50\n"
"""AABC and the lower-scoring AABD are both entered as AAB; only AABC's form is kept for 1A."""


@pytest.mark.parametrize("has_poorer", [True, False])
def test_a_fill_with_lower_scoring_answers_is_not_ruled_out(
    bench: Session, tmp_path: Path, has_poorer: bool
) -> None:
    words = ALIKE if has_poorer else ALIKE.replace("AABD;50\n", "")
    (tmp_path / "mine.txt").write_text(words, encoding="utf-8")
    (tmp_path / "grid.txt").write_text("...\n...\n...\n", encoding="utf-8")
    said(bench, f"open {tmp_path / 'grid.txt'}", f"words {tmp_path / 'mine.txt'}", "latent drop across")
    bench.wait_until_ready()
    left = "of answers that enter the same letters, only the best was tried, in 1A, 4A, 5A"
    for line in ("count", "why", "candidates 1A --time 5", "shares"):
        told = "\n".join(found(bench, line).lines)
        assert (left in told) is ("as far as tried" in told) is has_poorer, told
        assert ("proved" in told or "from the crossings alone" in told) <= (not has_poorer), told
    assert found(bench, "shares").as_json["untried"] == (left if has_poorer else "")
    assert bench.jobs.has_proved_no_fill is not has_poorer
    do(bench, "fill")
    run = bench.jobs.fill.view
    assert run is not None
    assert run.proves_no_fill is not has_poorer
    assert no_fill_words(run) == f"no fill ({'as far as tried' if has_poorer else 'proved'})"


def test_the_blocks_are_not_blamed_if_entries_may_be_treated(bench: Session, tmp_path: Path) -> None:
    """The grid fills with letters dropped, but not with whole words, and not if AABC must differ."""
    (tmp_path / "mine.txt").write_text(ALIKE.replace("AABD;50\n", ""), encoding="utf-8")
    (tmp_path / "grid.txt").write_text("...\n...\n...\n", encoding="utf-8")
    said(bench, f"open {tmp_path / 'grid.txt'}", f"words {tmp_path / 'mine.txt'}", "latent drop across")
    told = found(bench, "why").lines
    assert told[1].startswith("  1. Only fills that use a word twice fit the blocks")
    assert "but AABC, which another entry takes" in told[2]
    assert told[3].startswith("   1. fill with repeated words")


def test_the_best_fill_is_not_proved_if_lower_scoring_answers_were_skipped(bench: Session, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(ALIKE.replace("AABD;50", "AABQ;95"), encoding="utf-8")
    (tmp_path / "grid.txt").write_text("...\n...\n...\n", encoding="utf-8")
    said(bench, f"open {tmp_path / 'grid.txt'}", f"words {tmp_path / 'mine.txt'}", "latent drop across")
    best = found(bench, "fill --best")
    assert ending_words(run_of(bench)).startswith("the best possible (as far as tried): ")
    assert [best.as_json[name] for name in ("proved", "bound", "gap")] == [False, None, None]
    bench.undo()
    do(bench, "fill --all")
    left = "only the best was tried, in 1A, 4A, 5A"
    assert ending_words(run_of(bench)) == f"1 fill as far as tried; of answers that enter the same letters, {left}"
    do(bench, "fill --count 2")
    assert run_of(bench).reason.endswith(left)


def test_changes_are_not_proved_dead_if_answers_were_skipped() -> None:
    any_change = untried = UntriedWays((), 0, ("1A",))
    reasons = LimitedReason(None, untried), None
    dead = tuple(Ranked(any_change, Outlook(Fillability.IMPOSSIBLE, None, reason)) for reason in reasons)
    ranking = Ranking(dead, 2, total=2, is_complete=True)
    assert _ranked_answer(ranking, "") == "2 possible: 0 with a fill found, 2 with none as far as tried"
