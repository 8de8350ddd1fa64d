"""Questions about the grid: their findings, and how they end."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, Ear, do, found, on_three_by_three, refuses, said, write
from tests.writing import written
from xwtui.engine.events.event import Outcome
from xwtui.engine.explain import explain as explaining
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import VerbError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Ink, Position, Puzzle, Symmetry, WordChoice, edits
from xwtui.resources import puzzles_folder
from xwtui.session.exclusions import excluding
from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.question import (
    BlocksQuestion,
    Findings,
    HeatQuestion,
    Question,
    ThemersQuestion,
    WhyQuestion,
)
from xwtui.session.jobs.question_answers import answer
from xwtui.session.messages import FindingsReady, JobFailed, QuestionAsked
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import finding_lines
from xwtui.words.sources import load_lexicon


def _findings(bench: Session) -> Findings:
    assert bench.jobs.question.findings is not None
    assert bench.jobs.question.findings.is_complete
    return bench.jobs.question.findings


def _lines(bench: Session) -> list[str]:
    return list(finding_lines(_findings(bench), bench.puzzle.grid))


def _asked(bench: Session, line: str) -> Findings:
    do(bench, line)
    return _findings(bench)


def _told(bench: Session, line: str) -> list[str]:
    do(bench, line)
    return _lines(bench)


def test_tried_changes_are_reported_if_none_helps(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "_NODES", 0)
    write(small, "Q")
    assert _told(small, "why")[-1].strip() == "nothing helped; short searches tried other letters in 1 square"


def test_no_trials_are_reported_if_no_letter_is_involved(bench: Session, tmp_path: Path) -> None:
    words = written(tmp_path / "few.txt", "CAT\nDOG\n")
    bench.new(replace(Puzzle.blank(3, 3), words=WordChoice(lists=(str(words),), minimum_score=0)))
    told = "no change was tried, as the letters, scores and rules in the grid have no part in the conflict"
    assert _told(bench, "why")[-1].strip() == told


def test_a_letter_without_words_is_explained_and_changed(small: Session, ear: Ear) -> None:
    """The conflict is named, its remedy is applied by number, and one undo reverts it."""
    write(small, "Q")
    before = small.puzzle
    lines = _told(small, "why --time 600")
    assert lines[0] == "the grid cannot be filled: 1 conflict"
    assert lines[1].startswith("  1. Q at r1c1 cannot work (from the crossings alone), at 1")
    assert lines[-1] == "   1. change Q at r1c1 to B  (a fill was found)"
    assert ear.of(FindingsReady)[-1].is_last
    assert run_line(small, "follow 1").lines == ("done: change Q at r1c1 to B",)
    assert str(small.puzzle.grid[Position(0, 0)].content) == "B"
    assert small.jobs.question.findings is None
    assert small.undo() == "change Q at r1c1 to B"
    assert small.puzzle == before


def test_a_proved_conflict_is_shown_until_something_in_it_changes(small: Session) -> None:
    """Edits elsewhere keep it, and undo restores it."""
    write(small, "Q")
    do(small, "why --time 600")
    told = "Q at r1c1 cannot work (from the crossings alone)"
    assert small.jobs.question.proved == told
    run_line(small, "set r3c3 G")
    small.edit("out", lambda puzzle: excluding(puzzle, puzzle.grid.slot("1A"), "BAG"))
    assert (small.jobs.question.proved, small.jobs.has_proved_no_fill) == (told, True)
    run_line(small, "clear r1c1")
    assert (small.jobs.question.proved, small.jobs.has_proved_no_fill) == ("", False)
    small.undo()
    assert small.jobs.question.proved == told
    run_line(small, "symmetry none")
    assert small.jobs.question.proved == told
    run_line(small, "block r2c2")
    assert not small.jobs.question.proved


def test_a_proof_of_a_search_settles_why_and_count(bench: Session) -> None:
    bench.new(Puzzle.blank(7, 7))
    run_line(bench, "set 1A QUIXOTE")
    assert found(bench, "why --time 0.000001").lines[0] == "time ran out with neither a fill nor a proof"
    do(bench, "fill")
    assert bench.jobs.has_proved_no_fill
    assert found(bench, "why --time 0.000001").lines[0] == "the grid cannot be filled"
    assert bench.jobs.question.findings is not None
    assert bench.jobs.question.findings.is_possible is False
    assert found(bench, "count --time 0.000001").lines[0] == "no fill (proved)"


def test_pencil_is_reported_as_no_obstacle(small: Session) -> None:
    small.edit("Q", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("Q"), Ink.PENCIL))
    assert _told(small, "why") == [
        "the grid can be filled",
        "  some pencil may have to go: `fill` replaces as little as possible",
        "  if all of it stayed: 1A: no word fits Q??",
    ]


@pytest.mark.parametrize("ink", [Ink.PENCIL, Ink.PEN])
def test_a_full_grid_is_reported_as_full(small: Session, ink: Ink) -> None:
    _fill_up(small, "BAGICETEN", ink)
    do(small, "why")
    first = "" if ink is Ink.PENCIL else "`clear ENTRY`, then "
    told = f"the grid is full; every entry is in the lists; {first}`why ENTRY WORD` asks about a word"
    assert _lines(small) == [told]
    assert _findings(small).title == "the grid is full"
    if first:
        run_line(small, "clear 1A")
    assert _asked(small, "why 1A TEN").title == "why TEN does not fit at 1A"


def _fill_up(small: Session, letters: str, ink: Ink) -> None:
    rows = "\n".join(letters[row : row + 3] for row in (0, 3, 6))
    full = edits.set_ink(Puzzle(grid_from_text(f"{rows}\n")), list(small.puzzle.grid.open_positions()), ink)
    small.edit("full", lambda puzzle: replace(puzzle, grid=full.grid))


@pytest.mark.parametrize(
    ("letters", "unlisted", "proposed", "mended"),
    [
        ("BAGICETEX", "5A TEX, 3D GEX", "write TEN at 5A instead of TEX  (changes 1 square)", "BAGICETEN"),
        ("QXZICETEN", "1A QXZ, 1D QIT, 2D XCE, 3D ZEN", "write BAG at 1A instead of QXZ  (changes 3 squares)", ""),
    ],
)
def test_words_are_suggested_for_unlisted_answers(
    small: Session, letters: str, unlisted: str, proposed: str, mended: str
) -> None:
    _fill_up(small, letters, Ink.PEN)
    do(small, "why")
    told, meant, first, *others = _lines(small)
    assert f"in no list: {unlisted};" in told
    assert meant == "  unless the answers in no list are meant, these changes mend them"
    assert (first, others) == (f"   1. {proposed}", [])
    (offered,) = _findings(small).as_json["proposals"]
    assert f"{offered['text']}  ({offered['remark']})" == proposed
    assert offered["fill"]
    run_line(small, "follow 1")
    assert "".join(str(square.content) for square in small.puzzle.grid.squares) == (mended or "BAGICETEN")


def test_clearing_is_suggested_for_unlisted_answers_without_alternatives(small: Session) -> None:
    _fill_up(small, "XAXICETEN", Ink.PEN)
    run_line(small, "lock r1c1")
    do(small, "why")
    assert [line.strip() for line in _lines(small)[2:]] == [
        f"{number}. clear {answer} from {entry}  (`fill` then replaces as little pencil as possible)"
        for number, (entry, answer) in enumerate([("1A", "XAX"), ("1D", "XIT"), ("3D", "XEN")], 1)
    ]
    run_line(small, "lock all")
    do(small, "why")
    assert len(_lines(small)) == 1, "what is locked is meant"


def test_possible_letters_of_a_square_are_one_remedy(small: Session) -> None:
    run_line(small, "set r1c2 Q")
    assert _told(small, "why")[-1] == "   1. change Q at r1c2 to A  (a fill was found; also with I)"
    run_line(small, "follow 1")
    assert str(small.puzzle.grid[Position(0, 1)].content) == "A"


def test_a_possible_word_is_reported_as_unlisted(bench: Session, tmp_path: Path) -> None:
    small = on_three_by_three(bench, "BIT;50\nACE;50\nGEN;50\nICE;50\nTEN;50\n", tmp_path)
    assert _asked(small, "why 1A BAG").title == "BAG fits at 1A"
    assert _findings(small).lines[:1] == ("in no list: 1A BAG",)


def test_the_fill_that_proves_a_word_is_offered_and_taken_as_one_edit(small: Session) -> None:
    do(small, "fill")
    before = small.puzzle
    word = "BIT" if before.grid.answer(before.grid.slot("1A")) != "BIT" else "BAG"
    lines = _told(small, f"why 1A {word}")
    assert lines[0] == f"{word} at 1A: a fill was found"
    assert f"  `swap 1A {word}` changes as few squares as possible" in lines
    (offer,) = _findings(small).proposals
    replaced = offer.replaces(before.grid)
    assert replaced
    told = f"in pencil; replaces {replaced} of 9 squares of pencil"
    assert lines[-1] == f"   1. fill the grid with {word} at 1A  ({told})"
    assert run_line(small, "follow 1").lines == (f"done: fill the grid with {word} at 1A",)
    assert small.puzzle.grid.answer(small.puzzle.grid.slot("1A")) == word
    assert {square.ink for square in small.puzzle.grid.squares} == {Ink.PENCIL}
    small.undo()
    assert small.puzzle == before


def test_the_fill_that_proves_a_word_fills_the_empty_squares(small: Session) -> None:
    assert _told(small, "why 1A BIT")[1:] == ["   1. fill the grid with BIT at 1A  (in pencil)"]


def test_an_unfinished_answer_names_its_time_limit(small: Session) -> None:
    found = Findings("other words at 1A", seconds=7.04, limit=10.0)
    assert [*finding_lines(found, small.puzzle.grid)] == ["not finished in 10 s: a longer --time may find more"]
    stopped = [*finding_lines(replace(found, limit=None), small.puzzle.grid)]
    assert stopped == ["not finished after 7.0 s: a longer --time may find more"]
    assert _asked(small, "why --time 600").limit is None


def test_a_word_is_not_blamed_if_the_blocks_are(small: Session) -> None:
    """The list has no four-letter words: placing TENT at 1A gives the other entries no words."""
    small.new(replace(Puzzle.blank(4, 4), words=small.puzzle.words))
    first, conflict, *_ = _told(small, "why 1A TENT --time 600")
    assert first == "the grid cannot be filled with or without TENT at 1A: 1 conflict"
    assert conflict.startswith("  1. 5A has 4 squares, and the list has no word of that length ")


def test_an_entry_longer_than_any_word_is_reported(small: Session) -> None:
    small.new(replace(Puzzle.blank(4, 4), words=small.puzzle.words))
    assert _told(small, "why --time 600") == [
        "the grid cannot be filled: 1 conflict",
        "  1. 1A has 4 squares, and the list has no word of that length (from the crossings alone)",
    ]
    assert _findings(small).as_json["conflicts"][0]["entries"] == ["1A"]


def test_the_blocks_are_blamed_if_every_length_has_words(small: Session, tmp_path: Path) -> None:
    (tmp_path / "few.dict").write_text("TEN;50\nICE;50\nTIC;50\n")
    small.new(replace(Puzzle.blank(3, 3), words=WordChoice(lists=(str(tmp_path / "few.dict"),))))
    assert (
        _told(small, "why --time 600")[1] == "  1. The blocks around 5A, 1D cannot work (from the crossings alone)"
    )


def test_a_tried_word_conflicts_together_with_the_grid(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "_WHOLE_NODES", 0)
    assert "TAG at 1A" in _told(small, "why 1A TAG --time 600")[1]


def test_a_fillable_grid_needs_no_explanation(small: Session) -> None:
    assert _told(small, "why --time 600") == ["the grid can be filled"]
    assert _findings(small).title == "the grid can be filled"


def test_a_dead_word_is_explained(small: Session) -> None:
    """Why TEN cannot go at the top: the remaining words never cross it."""
    assert _asked(small, "why 1A TEN --time 600").answer.startswith("TEN cannot go at 1A")
    assert "TEN at 1A" in _findings(small).lines[0]


@pytest.mark.parametrize("line", ["why --time 5 1A TEN", "why TEN --time 5", "why 1A TEN"])
def test_why_defaults_to_the_current_entry_and_takes_a_time(small: Session, line: str) -> None:
    """Without an entry, the one under the cursor is used; an option is not an entry."""
    assert _asked(small, line).title == "why TEN does not fit at 1A"
    assert _asked(small, "why --time 5").title == "the grid can be filled"


def test_what_if_blocks_on_a_grid_without_changes(small: Session) -> None:
    """A 3x3 grid allows no block; none is proposed, which is reported."""
    assert _told(small, "whatif blocks --time 600") == ["no block can change"]


def test_block_changes_are_made_symmetrically(bench: Session) -> None:
    """On a larger grid the first proposal is applied, and undone."""
    run_line(bench, "new 9x9-01")
    before = bench.puzzle.grid
    best = _asked(bench, "whatif blocks --time 600").proposals[0]
    assert best.remark.endswith("a fill found")
    run_line(bench, "follow 1")
    changed = [at for at in before.positions() if before[at].kind is not bench.puzzle.grid[at].kind]
    assert changed
    assert {Position(8 - at.row, 8 - at.column) for at in changed} == set(changed)
    assert bench.undo() == best.text


def test_theme_answers_are_placed(small: Session) -> None:
    """BAG and TEN go in the first and last rows, where a fill has them."""
    found = _asked(small, "whatif themers BAG TEN --time 600")
    assert [proposal.text for proposal in found.proposals[:2]] == ["1A BAG, 5A TEN", "1A TEN, 5A BAG"]
    assert [proposal.is_dead for proposal in found.proposals[:2]] == [False, True]
    assert len({proposal.key for proposal in found.proposals}) == len(found.proposals)
    run_line(small, "follow 1")
    assert small.puzzle.grid.answer(small.puzzle.grid.slot("5A")) == "TEN"


def test_a_file_of_theme_answers_is_ranked_and_the_best_written(small: Session, tmp_path: Path) -> None:
    """Too many answers to arrange are ranked individually. Answers that fit no entry are named. Undo reverts."""
    listed = written(tmp_path / "themers.txt", "TEN\nBAG\nOXO\nGIN\nBITE\nTAG\nGEN\nSTONE\n")
    found = _asked(small, f"whatif themers {listed} ice --time 600")
    ranked = [proposal.text.split()[1] for proposal in found.proposals]
    assert sorted(ranked) == ["BAG", "GEN", "GIN", "ICE", "OXO", "TAG", "TEN"]
    assert {text for proposal, text in zip(found.proposals, ranked, strict=True) if proposal.fill} == {
        "BAG",
        "GEN",
        "ICE",
        "TEN",
    }
    assert found.lines == ("no open across entry fits BITE or STONE",)
    before = small.puzzle
    run_line(small, "follow 1")
    assert small.puzzle != before
    small.undo()
    assert small.puzzle == before


def test_the_best_of_several_theme_answers_are_chosen(small: Session, tmp_path: Path) -> None:
    """Of four answers, the two that share a fill, first and last."""
    listed = written(tmp_path / "themers.txt", "BIT\nBAG\nGEN\nOXO\n")
    found = _asked(small, f"whatif themers {listed} --choose 2 --time 600")
    assert [proposal.text for proposal in found.proposals if proposal.fill] == ["1A BIT, 5A GEN"]


def test_theme_answers_are_measured_in_squares(small: Session, tmp_path: Path) -> None:
    """A bracketed rebus takes one square, in a line and in a file; `follow` writes it so."""
    listed = written(tmp_path / "themers.txt", "T[ee]n;80\nBAG\n")
    for answers in (str(listed), "bag t[EE]n"):
        texts = {proposal.text for proposal in _asked(small, f"whatif themers {answers} --time 600").proposals}
        assert {"1A BAG, 5A T[EE]N", "1A T[EE]N, 5A BAG"} <= texts
    place = next(n for n, one in enumerate(_findings(small).proposals, 1) if one.text == "1A BAG, 5A T[EE]N")
    run_line(small, f"follow {place}")
    grid = small.puzzle.grid
    assert grid.pattern(grid.slot("5A")) == "T[EE]N"


def test_heat_is_drawn(small: Session) -> None:
    """One digit for each empty square."""
    lines = _told(small, "heat --time 600")
    assert lines[0].startswith("hardest: ")
    drawn = [line.split() for line in lines[2:5]]
    assert all(len(row) == 3 and all(sign.isdigit() for sign in row) for row in drawn)


def test_a_heat_map_keeps_earlier_findings(small: Session) -> None:
    """It is only a view of the grid and may follow every edit; proposals can still be applied."""
    write(small, "Q")
    before = _asked(small, "why --time 600")
    assert _asked(small, "heat --time 600") == before
    run_line(small, "follow 1")
    assert small.jobs.question.findings is None
    assert _asked(small, "heat --time 600").heat
    small.undo()
    assert _findings(small) == before


def test_findings_are_plain_data_for_programs(small: Session) -> None:
    """Every kind of finding can be written as JSON."""
    write(small, "Q")
    for line in ("why", "heat", "whatif blocks", "whatif themers BIT --each"):
        assert json.loads(json.dumps(dict(_asked(small, f"{line} --time 600").as_json)))


def test_an_impossible_question_is_refused(small: Session, ear: Ear) -> None:
    """Theme answers without a suitable entry."""
    do(small, "whatif themers STONE")
    assert "no symmetric entries across fit answers of 5 squares" in ear.of(JobFailed)[0].message


def test_only_an_existing_proposal_can_be_followed(small: Session) -> None:
    write(small, "Q")
    do(small, "why --time 600")
    refuses(small, "follow 2", "proposals 1 to 1")


def test_an_edit_drops_findings_and_stop_ends_a_question(endless: Session, ear: Ear) -> None:
    """Findings about another grid are dropped; a long question can be stopped."""
    run_line(endless, "whatif blocks --time 600")
    ear.wait_for(FindingsReady)
    assert run_line(endless, "stop")
    assert endless.wait(PATIENCE_SECONDS)
    assert endless.jobs.question.findings is not None
    write(endless, "Q")
    assert endless.jobs.question.findings is None


def test_other_words_drop_findings(small: Session) -> None:
    do(small, "why")
    assert "there are" not in said(small, "findings")
    said(small, "never TEN")
    refuses(small, "findings", "no findings about this grid yet")


CASES = {
    "change a letter": (["set r1c1 Q"], "change Q at r1c1 to B"),
    "unlock an entry": (["set 1A TAG", "lock 1A"], "unlock and remove TAG from 1A; BIT would work"),
    "take an answer out": (["set 1A OXO"], "remove OXO from 1A; BIT would work"),
    "allow a banned word": (["ban TEN"], "allow TEN again at 3D"),
    "allow a word here": (["never TEN"], "allow TEN again at 3D, with a score of 40 in this puzzle"),
    "lower one entry": (
        ["words --min-score 46", "set 1A BAG"],
        "lower the minimum score of 2D to 45: ACE would help",
    ),
    "lower all entries": (["words --min-score 71"], "lower the minimum score of the whole grid to 45"),
    "drop a rule": (["rule 1A --match X.*"], "drop the rule that 1A matches X.*"),
}
SWAPPED = ("ABC DEF GHI ADG BEH CFI", "GHI JKL MNO GJM HKN ILO", "PQR STU ABC PSA QTB RUC")
"""Three fills of a 3x3, rows then columns. GHI fits below ABC or above others, not above ABC."""


@pytest.mark.parametrize(("lines", "remedy"), CASES.values(), ids=CASES)
def test_a_remedy_is_offered_applied_and_undone(small: Session, lines: list[str], remedy: str) -> None:
    """There is a fill after it and none before."""
    _is_offered_made_and_taken_back(small, lines, remedy)


def test_two_theme_answers_are_swapped(bench: Session, tmp_path: Path) -> None:
    """Each can stand where it is, but not both."""
    listed = tmp_path / "swapped.dict"
    listed.write_text("\n".join(";50\n".join(words.split()) + ";50" for words in SWAPPED))
    bench.new(replace(Puzzle.blank(3, 3), words=WordChoice(lists=(str(listed),))))
    lines = ["set 1A GHI", "set 5A ABC"]
    _is_offered_made_and_taken_back(bench, lines, "swap GHI at 1A and ABC at 5A")


def _is_offered_made_and_taken_back(small: Session, lines: Sequence[str], remedy: str) -> None:
    said(small, *lines)
    before = small.puzzle
    do(small, "why --time 600")
    assert small.jobs.question.findings is not None
    assert small.jobs.question.findings.is_possible is False
    offered = [proposal.text for proposal in small.jobs.question.findings.proposals]
    assert remedy in offered
    assert len({proposal.key for proposal in small.jobs.question.findings.proposals}) == len(offered)
    run_line(small, f"follow {offered.index(remedy) + 1}")
    assert small.puzzle != before
    do(small, "why --time 600")
    assert small.jobs.question.findings.is_possible
    small.undo()
    assert small.puzzle == before


_LONGEST_SLICE = 0.02
"""Maximum seconds of search between two stop checks."""


class Ledger:
    """Counts the work between two stop checks: search slices and problem layouts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = 0
        self.most = 0
        self._since = 0
        advance, of = Filler.advance, Problem.of

        def counted_advance(filler: Filler, nodes: int = 1, seconds: float | None = None) -> Outcome:
            assert seconds is not None
            assert seconds <= _LONGEST_SLICE
            self._note()
            return advance(filler, nodes, seconds)

        def counted_of(task: Task) -> Problem:
            self._note()
            return of(task)

        monkeypatch.setattr(Filler, "advance", counted_advance)
        monkeypatch.setattr(Problem, "of", counted_of)

    def _note(self) -> None:
        self._since += 1
        self.most = max(self.most, self._since)

    def look(self) -> bool:
        self.looks += 1
        self._since = 0
        return False


@pytest.fixture
def stuck() -> Task:
    """A 9x9 with adjacent Q and X."""
    grid = grid_from_text((puzzles_folder() / "templates" / "9x9-01.txt").read_text())
    letters = {
        Position(0, column): replace(grid[Position(0, column)], content=Content.of(letter), ink=Ink.PEN)
        for column, letter in enumerate("QX")
    }
    return Task(grid.with_squares(letters), load_lexicon(WordChoice(), None).lexicon)


@pytest.fixture
def open_task(stuck: Task) -> Task:
    """The same without them."""
    grid = grid_from_text((puzzles_folder() / "templates" / "9x9-01.txt").read_text())
    return replace(stuck, grid=grid)


ALL_QUESTIONS: tuple[Question, ...] = (
    WhyQuestion(),
    BlocksQuestion(),
    ThemersQuestion(("AREA", "IDEA", "OREO", "ALOE")),
    ThemersQuestion(("AREA", "IDEA", "OREO", "ALOE"), together=False),
    HeatQuestion(),
)


@pytest.mark.parametrize("question", ALL_QUESTIONS, ids=lambda question: question.title)
@pytest.mark.parametrize("is_stuck", [True, False])
def test_little_work_is_done_between_stop_checks(
    question: Question, is_stuck: bool, stuck: Task, open_task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most a few slices or problems of tens of milliseconds each, so that cancelling takes no longer."""
    ledger = Ledger(monkeypatch)
    task = stuck if is_stuck else open_task
    findings = answer(question, task, Symmetry.ROTATION_180, ledger.look, lambda _: None)
    told = "why the grid cannot be filled" if is_stuck else "the grid can be filled"
    assert findings.title == (told if question == WhyQuestion() else question.title)
    assert ledger.most <= 3


@pytest.mark.parametrize("question", ALL_QUESTIONS, ids=lambda question: question.title)
@pytest.mark.parametrize("looks", [0, 1, 4, 20])
def test_cancelling_ends_at_the_next_stop_check(question: Question, looks: int, stuck: Task) -> None:
    """After a check returns true, hardly any other follows, and the results so far are returned."""
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked > looks

    findings = answer(question, stuck, Symmetry.ROTATION_180, is_over, lambda _: None)
    assert asked <= looks + 6
    is_explained = question == WhyQuestion() and findings.is_possible is False
    assert findings.title == ("why the grid cannot be filled" if is_explained else question.title)


def test_an_edit_ends_a_question_and_undo_restores_its_findings(endless: Session, ear: Ear) -> None:
    run_line(endless, "whatif blocks --time 600")
    assert ear.of(QuestionAsked)[-1].question == BlocksQuestion(seconds=600.0)
    ear.wait_for(FindingsReady)
    write(endless, "Q")
    assert endless.wait(PATIENCE_SECONDS)
    assert not endless.jobs.question.is_busy
    assert endless.jobs.question.findings is None
    assert endless.jobs.question.question is None
    endless.undo()
    assert endless.jobs.question.findings is not None
    assert run_line(endless, "findings").lines


def test_stop_asking_does_not_stop_a_run(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.start(FillOptions(seconds=600.0))
    run_line(endless, "whatif blocks --time 600")
    ear.wait_for(FindingsReady)
    endless.jobs.question.stop()
    assert endless.jobs.fill.is_running
    endless.stop()
    assert endless.wait(PATIENCE_SECONDS)


def test_a_proposal_is_followed_by_key_even_after_it_moves(small: Session) -> None:
    write(small, "Q")
    do(small, "why")
    chosen = small.jobs.question.proposal(1)
    assert chosen.text == "change Q at r1c1 to B"
    do(small, "why --time 20")
    again = small.jobs.question.proposal_of(chosen.key)
    assert again is not chosen
    assert small.follow(again).text == chosen.text
    assert str(small.puzzle.grid[Position(0, 0)].content) == "B"
    with pytest.raises(VerbError, match="has changed"):
        small.jobs.question.proposal_of(chosen.key)


def test_closing_ends_a_question(endless: Session, ear: Ear) -> None:
    run_line(endless, "why --time 600")
    ear.wait_for(QuestionAsked)
    endless.close()
    assert not endless.jobs.question.is_busy
