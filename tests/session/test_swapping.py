"""Other words for an entry: listed with their changes, taken and rejected, with everything else unchanged."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.engine import naive_fills, read_answer
from tests.naive.partial import naive_cost, naive_rejection, naive_scores
from tests.session.saying import PATIENCE_SECONDS, Ear, do, pencil, refuses, rows, run_of, said, squares
from tests.writing import written
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.plain_fill import repair_apart
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.repair import RepairResult, RepairWanted
from xwtui.errors import LockedError, VerbError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Ink, Position, Puzzle, WordChoice, edits
from xwtui.model.review import rule_lines
from xwtui.resources import default_word_list
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills import swapping
from xwtui.session.jobs.fills.fill_job import FillJob
from xwtui.session.jobs.fills.swapping import Swapping
from xwtui.session.jobs.question import Findings, Proposal
from xwtui.session.messages import Notice
from xwtui.session.recovery import find_recoveries
from xwtui.session.run_view import LoweredScore, RunView
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import changes_words, ending_line, ending_words, finding_lines, standing_words
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

BAG, BIT = ("BAG", "ICE", "TEN"), ("BIT", "ACE", "GEN")

NOTHING_STANDS = "no other word fits there: proved with words of 40 or more, none used twice"


def found(bench: Session) -> Findings:
    """Return the findings of the last question."""
    return known(bench.jobs.question.findings)


@pytest.fixture
def whole(small: Session) -> Session:
    """The small session with BAG, ICE and TEN in pencil."""
    pencil(small, "BAGICETEN")
    return small


@pytest.fixture
def rejected(whole: Session) -> Session:
    """The same session after rejecting BAG."""
    do(whole, "reject 1A")
    return whole


def test_a_rejected_word_is_replaced_with_necessary_changes_and_kept_out(rejected: Session) -> None:
    assert rows(rejected) == BIT
    assert run_of(rejected).mode is Mode.REJECT
    assert ending_words(run_of(rejected)) == (
        "4 squares changed, mean 55.0 (was 55.0): 1A BIT (was BAG), 4A ACE (was ICE), 5A GEN (was TEN), "
        "1D BAG (was BIT), 2D ICE (was ACE), 3D TEN (was GEN); BAG is now banned from 1A: `set 1A BAG` allows it"
    )
    assert "banned" not in ending_line(run_of(rejected)), "the screen says it beside, with the key that undoes it"
    assert said(rejected, "rules") == "1A: keeps out BAG"
    do(rejected, "reject 1A")
    assert rows(rejected) == BIT, "both words are rejected by now, and a grid that is whole stays so"
    assert ending_words(run_of(rejected)) == NOTHING_STANDS
    assert rejected.undo() == "reject 1A"
    assert rows(rejected) == BAG
    assert rejected.puzzle.rules.is_empty, "it was one edit"
    assert rejected.redo() == "reject 1A"
    assert (rows(rejected), said(rejected, "rules")) == (BIT, "1A: keeps out BAG")


@pytest.mark.parametrize("line", ["reject 1A", "swap 1A BIT", "swap 1A; swap 1A BIT", "swap 1A; follow 1"])
def test_a_large_change_of_pencil_asks_first_on_interactive_faces(whole: Session, line: str) -> None:
    whole.can_ask_user = True
    before, lines = whole.puzzle, line.split("; ")
    do(whole, lines[0])
    told = said(whole, lines[1]) if lines[1:] else ending_words(run_of(whole))
    assert whole.puzzle == before, "nothing is written, or banned, before it is taken"
    assert told.startswith("not written: ")
    assert "would replace 4 squares of pencil" in told
    assert "mean 55.0" in told
    assert "was 55.0" in told
    assert "`take 1` accepts it" in told
    said(whole, "take 1")
    assert rows(whole) == BIT
    assert (said(whole, "rules") == "1A: keeps out BAG") is line.startswith("reject")
    whole.undo()
    assert whole.puzzle == before


def test_an_offered_swap_lifts_a_rejection(rejected: Session) -> None:
    rejected.can_ask_user = True
    do(rejected, "swap 1A BAG")
    assert (rows(rejected), said(rejected, "rules")) == (BIT, "1A: keeps out BAG")
    said(rejected, "take 1")
    assert rows(rejected) == BAG
    assert rejected.puzzle.rules.is_empty


def test_pen_is_kept_and_an_impossible_swap_changes_nothing(whole: Session) -> None:
    run_line(whole, "accept 1D")
    do(whole, "reject 1A")
    assert rows(whole) == BAG
    kept = "1 square of 1A is in pen, r1c1: `pencil 1A` lets other words replace it"
    assert ending_words(run_of(whole)) == f"{NOTHING_STANDS}; {kept}"
    assert whole.puzzle.rules.is_empty
    refuses(whole, "reject 1D", "nothing in pencil in 1D")
    refuses(whole, "swap 1D", "nothing in pencil in 1D.*`pencil 1D`")
    run_line(whole, "lock 1D")
    refuses(whole, "reject 1D", "1D is locked; unlock it first", LockedError)


def test_a_word_of_another_length_is_refused(whole: Session) -> None:
    do(whole, "swap 1A BITE")
    assert ending_words(run_of(whole)) == "that word does not fit there: BITE has 4 letters, and 1A takes 3"


def test_the_requested_number_of_words_is_listed() -> None:
    keys = [Proposal(number, f"1A {number}", "", lambda puzzle: puzzle) for number in range(40)]
    findings = Findings("", proposals=tuple(keys), most_listed=30, is_complete=True)
    *listed, more = finding_lines(findings, Puzzle.blank(3, 3).grid)
    assert (len(listed), more.strip()) == (30, "and 10 more")


def test_an_unfinished_entry_loses_its_pencil(small: Session) -> None:
    pencil(small, "BA???????")
    assert said(small, "reject 1A") == "rejected: the pencil in 1A"
    assert rows(small) == ("???", "???", "???")


def test_a_rejected_word_stays_out_after_saving_and_in_snapshots(rejected: Session, tmp_path: Path) -> None:
    saved = tmp_path / "saved.ipuz"
    assert said(rejected, "snapshot save before", f"save {saved}", f"open {saved}", "rules") == "1A: keeps out BAG"
    for seed in range(3):
        run_line(rejected, "clear pencil")
        do(rejected, f"fill --seed {seed}")
        assert rows(rejected) == BIT
    assert said(rejected, "rules off", "snapshot return before", "rules") == "1A: keeps out BAG"


def test_a_rejected_word_stays_out_after_a_kill(rejected: Session, journals: Path) -> None:
    rejected.close()
    (recovery,) = find_recoveries(journals)
    assert rule_lines(recovery.puzzle) == ["1A: keeps out BAG"]


@pytest.mark.parametrize("lines", [("set 1A BAG",), ("set r1c3 T", "set r1c2 A", "set r1c3 G")])
def test_writing_a_rejected_word_by_hand_lifts_the_rejection(
    rejected: Session, ear: Ear, lines: tuple[str, ...]
) -> None:
    said(rejected, *lines)
    assert rows(rejected)[0] == "BAG"
    assert rejected.puzzle.rules.is_empty
    assert [notice.text for notice in ear.of(Notice)] == ["BAG is allowed at 1A again"]
    assert rejected.undo() == lines[-1].rpartition(" ")[0]
    assert said(rejected, "rules") == "1A: keeps out BAG"


def test_a_rejected_word_formed_by_crossings_stays_rejected(rejected: Session, ear: Ear) -> None:
    said(rejected, "set r1c2 A", "set 3D GEN")
    assert rows(rejected)[0] == "BAG"
    assert said(rejected, "rules") == "1A: keeps out BAG"
    assert not ear.of(Notice)
    assert "1A BAG is barred there" in said(rejected, "check")


def test_a_swap_to_a_rejected_word_lifts_the_rejection(rejected: Session) -> None:
    do(rejected, "swap 1A BAG")
    assert (rows(rejected), said(rejected, "rules")) == (
        BAG,
        "no rules: answers are in the word list and differ, and fills avoid repeats where possible",
    )
    assert rejected.undo() == "swap 1A"
    assert (rows(rejected), said(rejected, "rules")) == (BIT, "1A: keeps out BAG")


def test_why_names_a_rejected_word_and_proposes_to_do_without(rejected: Session) -> None:
    said(rejected, "clear pencil", "set 5A TEN")
    do(rejected, "why")
    findings = found(rejected)
    assert "the rule that 1A keeps out BAG" in " ".join(findings.lines), findings.lines
    (remedy,) = [number for number, one in enumerate(findings.proposals, 1) if "keeps out BAG" in one.text]
    said(rejected, f"follow {remedy}")
    do(rejected, "fill")
    assert rows(rejected) == BAG


def test_words_are_listed_by_their_changes_and_one_is_taken(whole: Session) -> None:
    do(whole, "swap 1A")
    findings = found(whole)
    assert [one.text for one in findings.proposals] == ["1A BIT"]
    assert findings.answer == "1 other word for 1A, fewest squares changed first"
    assert findings.proposals[0].remark.startswith("4 squares, lowest changed 45, mean 55.0; 4A ACE (was ICE)")
    assert (findings.proposals[0].figure, findings.as_json["swaps"][0]["lowest_changed"]) == (
        "4 sq  ≥45  55.0",
        45,
    )
    assert set(findings.proposals[0].fill) == {Position(0, 1), Position(0, 2), Position(1, 0), Position(2, 0)}
    assert findings.is_complete
    assert findings.as_json["swaps"][0]["word"] == "BIT"
    assert rows(whole) == BAG, "nothing is written before one is taken"
    assert said(whole, "swap 1A BIT").startswith("done: 1A BIT: 4 squares")
    assert rows(whole) == BIT
    assert whole.undo() == "1A BIT"
    assert rows(whole) == BAG


def test_a_word_is_placed_without_a_list(whole: Session) -> None:
    do(whole, "swap 1A bit")
    assert rows(whole) == BIT
    assert whole.undo() == "swap 1A"
    do(whole, "swap 1A OXO")
    assert rows(whole) == BAG
    assert ending_words(run_of(whole)) == ("that word does not fit there: OXO is not a word that 1A may have")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ban BIT", "BIT is banned in this puzzle; `allow BIT` allows it"),
        ("score BIT 0", "BIT is scored 0 in this puzzle, which bans it; `score BIT none` allows it"),
        (
            "ban BIT --everywhere",
            "BIT is banned in every puzzle, by your own list; `allow BIT --everywhere` allows it",
        ),
    ],
)
def test_a_ban_is_reported_with_how_to_lift_it(whole: Session, line: str, reason: str) -> None:
    run_line(whole, line)
    whole.wait_until_ready(PATIENCE_SECONDS)
    with pytest.raises(VerbError) as refused:
        run_line(whole, "swap 1A BIT")
    assert str(refused.value) == f"swap: {reason}"
    run_line(whole, reason.split("`")[-2])
    whole.wait_until_ready(PATIENCE_SECONDS)
    do(whole, "swap 1A BIT")
    assert rows(whole) == BIT


def test_the_reason_names_its_entry_once(small: Session) -> None:
    said(small, "set r1c1 Q", "set r1c2 Q", "set r1c3 B", "pencil r1c3")
    do(small, "swap 1A")
    assert found(small).answer == "no other word fits: 1A: no word fits QQ?"
    assert found(small).lines == (
        "2 squares of 1A are in pen, r1c1 and r1c2: `pencil 1A` lets other words replace them",
    )


@pytest.mark.parametrize("line", ["reject 1A", "swap 1A BIT"])
def test_pen_letters_that_exclude_other_words_are_named(whole: Session, line: str) -> None:
    said(whole, "accept 1A", "pencil r1c3")
    do(whole, line)
    assert ending_words(run_of(whole)).endswith(
        "; 2 squares of 1A are in pen, r1c1 and r1c2: `pencil 1A` lets other words replace them"
    )


def test_the_lack_of_other_words_is_reported(whole: Session) -> None:
    run_line(whole, "lock 1D")
    do(whole, "swap 1A")
    assert found(whole).answer == "no other word fits: proved with words of 40 or more, none used twice"
    assert found(whole).is_possible is False


def test_only_existing_letters_are_replaced_in_a_partial_grid(small: Session) -> None:
    pencil(small, "BAG??????")
    do(small, "swap 1A BIT")
    assert rows(small) == ("BIT", "???", "???")
    assert small.puzzle.grid[Position(0, 1)].ink is Ink.PENCIL


def test_a_swap_can_be_stopped_like_any_run(whole: Session) -> None:
    run_line(whole, "reject 1A")
    whole.stop()
    assert whole.wait(PATIENCE_SECONDS)
    assert rows(whole) in (BAG, BIT)


def test_many_changes_are_counted(whole: Session) -> None:
    do(whole, "swap 1A BIT")
    changes = run_of(whole).changes * 2
    assert changes_words(changes).endswith(", and 4 more")


def test_improvements_elsewhere_are_kept(bench: Session) -> None:
    """Two grids side by side: a rejection in the left one, then a fill, leave the right one unchanged."""
    run_line(bench, "new 4 9 --symmetry none --force")
    for row in range(1, 5):
        run_line(bench, f"block r{row}c5")
    do(bench, "fill --seed 1")
    do(bench, "improve --seed 1 --time 1")
    before, cursor = rows(bench), bench.cursor.place
    do(bench, "reject 1A")
    after, view = rows(bench), run_of(bench)
    changed = [
        (row, column)
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for column, (one, other) in enumerate(zip(old, new, strict=True))
        if one != other
    ]
    assert after[0][:4] != before[0][:4]
    assert len(changed) == view.found
    assert all(column < 4 for _, column in changed)
    assert bench.cursor.place == cursor
    do(bench, "fill")
    assert rows(bench) == after


@pytest.fixture
def crossed(bench: Session, tmp_path: Path) -> Session:
    """CAT across and ART down from its A, both scoring 50; the only other fill is DOG, 42, with ORE, 90."""
    words = written(tmp_path / "crossed.dict", "CAT;50\nART;50\nDOG;42\nORE;90\n")
    grid = grid_from_text("...\n#.#\n#.#")
    bench.new(Puzzle(grid, words=WordChoice(lists=(str(words),), minimum_score=40)))
    bench.edit("pencil", lambda puzzle: edits.write_fill(puzzle, _crossed("CATRT")))
    return bench


def _crossed(letters: str) -> Mapping[Position, Content]:
    places = (Position(0, 0), Position(0, 1), Position(0, 2), Position(1, 1), Position(2, 1))
    return {at: Content.of(letter) for at, letter in zip(places, letters, strict=True)}


@pytest.mark.parametrize("line", ["improve --time 60", "swap 1A DOG", "reject 1A"])
def test_a_run_that_lowers_the_lowest_score_reports_it(crossed: Session, line: str) -> None:
    do(crossed, line)
    word = "" if line.startswith("improve") else "1A DOG"
    assert run_of(crossed).lowered == LoweredScore(50, 42, word)
    assert ("lowest was 50, now 42: 1A DOG" if word else "lowest 42 (was 50)") in ending_words(run_of(crossed))
    do(crossed, "swap 1A CAT")
    assert run_of(crossed).lowered is None, "it rises again"


def test_words_that_lower_the_lowest_score_are_marked(crossed: Session) -> None:
    do(crossed, "swap 1A")
    (other,) = found(crossed).proposals
    assert other.remark.startswith("4 squares, lowest was 50, now 42: 1A DOG, mean 66.0")


@pytest.mark.parametrize(
    ("words", "comes", "is_told"),
    [
        ("OLIN;54\nOLEN;49\nOPEN;50\n", "OPEN", "; OLEN, which scores 49, would change 1"),
        (
            "OLIN;54\nOLEN;49\nATOM;60\n",
            "OLEN",
            "no word of 50 or more was found that changes at most 2 squares;",
        ),
        (
            "OLIN;46\nOLEN;45\nATOM;46\n",
            "OLEN",
            "no word of 46 or more was found that changes at most 2 squares;",
        ),
        ("OLIN;46\nOLEN;45\nOPEN;46\n", "OPEN", "; OLEN, which scores 45, would change 1"),
        ("OLIN;63\nOLEN;45\nOPEN;52\n", "OPEN", "the new word scores 52, was 63; OLEN, which scores 45,"),
        ("OLIN;63\nOLEN;51\nOPEN;70\n", "OLEN", "the new word scores 51, was 63"),
    ],
)
def test_a_low_word_is_taken_only_without_a_good_one_within_twice_the_squares(
    bench: Session, tmp_path: Path, words: str, comes: str, is_told: str
) -> None:
    """A good word with few changes also ranks before a better one with more."""
    path = written(tmp_path / "four.dict", words)
    bench.new(Puzzle(grid_from_text("OLIN\n####\n####"), words=WordChoice(lists=(str(path),), minimum_score=40)))
    run_line(bench, "pencil all")
    reply = run_line(bench, "reject 1A")
    assert bench.wait(PATIENCE_SECONDS)
    answer = known(reply.answer)().as_json
    told = ending_words(run_of(bench))
    assert rows(bench)[0] == comes
    assert told.index(is_told) < told.index(f"; now 1A {comes} (was OLIN)"), "never cut off"
    assert ("no word" in told) is is_told.startswith("no word")
    assert (answer["squares_changed"], answer["smallest"]) == ((1, True) if comes == "OLEN" else (2, False))


def test_a_rejection_reserves_half_its_time_for_words_that_score_no_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = problem_of(grid_from_text("...\n#.#\n#.#"), {"CAT": 50, "ART": 50, "DOG": 42, "ORE": 90})
    enough = list[tuple[bool, bool]]()
    now = 0.0

    def looked(
        problem: Problem, standing: Mapping[Position, Content], budget: Budget, how: RepairWanted
    ) -> RepairResult:
        nonlocal now
        now = 299.0
        before = how.is_enough()
        now = 301.0
        enough.append((before, how.is_enough()))
        return repair_apart(problem, standing, budget, how)

    monkeypatch.setattr("xwtui.engine.budget.perf_counter", lambda: now)
    monkeypatch.setattr(swapping, "repair_apart", looked)
    options = FillOptions(Mode.REJECT, start=_crossed("CATRT"), entry="1A")
    Swapping(problem, options, seed=0).pursue(Goal(), Budget(600))
    assert enough[0] == (False, True), "for any word"
    assert enough[1:] == [(False, False)] * 2, "for words as good as CAT and ART, then for one as good as CAT"


def test_a_rejection_shows_its_smallest_change_and_ends_without_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = problem_of(grid_from_text("...\n#.#\n#.#"), {"CAT": 50, "ART": 50, "DOG": 50, "ORE": 90})
    now, enough, told = 0.0, list[bool](), list[str]()

    def looked(
        problem: Problem, standing: Mapping[Position, Content], budget: Budget, how: RepairWanted
    ) -> RepairResult:
        nonlocal now
        now, made = 30.0, repair_apart(problem, standing, budget, how._replace(found=None))
        known(how.found)(made.repairs)
        for moment in (32.0, 44.0, 46.0):
            now = moment
            enough.append(how.is_enough())
        return made

    monkeypatch.setattr("xwtui.engine.budget.perf_counter", lambda: now)
    monkeypatch.setattr(swapping, "repair_apart", looked)
    search = Swapping(problem, FillOptions(Mode.REJECT, start=_crossed("CATRT"), entry="1A"), seed=0)
    search.notify = lambda: told.append(standing_words(search.view()))
    assert standing_words(search.view()) == "looking for the smallest change"
    search.pursue(Goal(), Budget(600))
    assert enough == [False, False, True], "a third of the time that was used until then"
    assert told == ["DOG would change 4 squares, trying others"]


def test_the_search_for_a_good_word_has_all_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(grid_from_text("...\n#.#\n#.#"), {"CAT": 60, "ART": 50, "DOG": 42, "ORE": 90})
    looks = list[tuple[int, int, float | None]]()
    now = 0.0

    def looked(
        problem: Problem, standing: Mapping[Position, Content], budget: Budget, how: RepairWanted
    ) -> RepairResult:
        nonlocal now
        looks.append((how.least_score, how.least_changed, budget.seconds))
        made = repair_apart(problem, standing, Budget(), how)
        now += 100.0
        return made

    monkeypatch.setattr("xwtui.engine.budget.perf_counter", lambda: now)
    monkeypatch.setattr(swapping, "repair_apart", looked)
    options = FillOptions(Mode.REJECT, start=_crossed("CATRT"), entry="1A")
    Swapping(problem, options, seed=0).pursue(Goal(), Budget(600))
    assert looks == [(0, 0, 600), (50, 50, 500), (50, 0, 400)]


def test_an_unproved_change_is_compared_with_the_swap_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = problem_of(grid_from_text("....\n####\n####"), {"OLIN": 60, "ATOM": 60, "OLEN": 60})
    standing = {Position(0, column): Content.of(letter) for column, letter in enumerate("OLIN")}

    def unproved(
        problem: Problem, standing: Mapping[Position, Content], budget: Budget, how: RepairWanted
    ) -> RepairResult:
        if how.most > 1:
            return repair_apart(problem, standing, budget, how)
        made = repair_apart(problem, standing, budget, how._replace(word="ATOM"))
        return replace(made, repairs=tuple(replace(one, is_smallest=False) for one in made.repairs))

    monkeypatch.setattr(swapping, "repair_apart", unproved)
    search = Swapping(problem, FillOptions(Mode.REJECT, start=standing, entry="1A"), seed=0)
    search.pursue(Goal(), Budget())
    assert [one.after for one in search.view().changes] == ["OLEN"]


def test_a_rejection_without_result_at_half_time_uses_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = {"BAG": 50, "ICE": 60, "TEN": 70, "BIT": 55, "ACE": 45, "GEN": 50}
    options = FillOptions(Mode.REJECT, start=squares("BAGICETEN"), entry="1A")
    looks = 0.0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return looks

    monkeypatch.setattr("xwtui.engine.budget.perf_counter", clock)
    monkeypatch.setattr("xwtui.engine.improve.plain_fill.perf_counter", clock)

    def rejected(seconds: float) -> RunView:
        nonlocal looks
        looks = 0.0
        search = Swapping(problem_of(Puzzle.blank(3, 3).grid, words), options, seed=0)
        search.pursue(Goal(), Budget(seconds))
        return search.view()

    assert rejected(1e9).outcome is Outcome.FILLED
    needed = looks
    view = rejected(1.5 * needed)
    assert view.outcome is Outcome.FILLED
    assert [one.after for one in view.changes if one.entry == "1A"] == ["BIT"]
    assert rejected(2.0).outcome is Outcome.UNKNOWN


def test_a_rejection_names_the_lowered_score_despite_an_uncovered_square() -> None:
    grid = grid_from_text("#.#\n##.\n##.")
    start = {Position(1, 2): Content.of("B"), Position(2, 2): Content.of("C")}
    options = FillOptions(Mode.REJECT, start=start, entry=grid.slots[0].name)
    search = Swapping(problem_of(grid, {"BC": 81, "BA": 14}), options, seed=0)
    search.pursue(Goal(), Budget())
    assert search.view().lowered == LoweredScore(81, 14, f"{grid.slots[0].name} BA")


@examples(100)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_rejection_takes_the_swap_that_a_naive_judge_takes(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    """Good scores of changed answers come first, within twice the minimum number of changed squares."""
    fills = [*naive_fills(grid, words)]
    assume(grid.slots)
    assume(fills)
    standing, slot = rng.choice(fills), rng.choice(grid.slots)
    scores = [words[answer] for one in grid.slots if (answer := read_answer(standing, one)) in words]
    lowest, refused = min(scores, default=0), words.get(read_answer(standing, slot), 0)
    wanted = naive_rejection(grid, standing, words, slot.name, min(50, refused), min(50, lowest))
    options = FillOptions(Mode.REJECT, start=standing, entry=slot.name)
    search = Swapping(problem_of(grid, words), options, seed=0)
    search.pursue(Goal(), Budget())
    view = search.view()
    assert view.outcome is (Outcome.FILLED if wanted else Outcome.IMPOSSIBLE)
    if wanted is not None:
        made = {**standing, **view.squares}
        assert naive_cost(grid, standing, made, words, slot.name) == wanted
        assert (view.lowered is not None) == (min(naive_scores(grid, made, words), default=0) < lowest)


@pytest.mark.parametrize(
    ("words", "comes", "told"),
    [
        ("CAT;50\nART;50\nCOT;60\nORT;42\nBIT;50\nIRT;50\n", "BIT", "; COT with 2D ORT, which scores 42, would"),
        ("CAT;50\nART;50\nCOT;60\nORT;42\n", "COT", "was found whose words all score 50 or more"),
        ("CAT;50\nART;45\nCOT;60\nORT;45\nBIT;50\nIRT;50\n", "COT", "1 square changed, mean"),
    ],
)
def test_a_weaker_crossing_word_is_taken_only_without_a_better_change_nearby(
    crossed: Session, tmp_path: Path, words: str, comes: str, told: str
) -> None:
    path = written(tmp_path / "weak.dict", words)
    said(crossed, f"words {path}")
    do(crossed, "reject 1A")
    answer = rows(crossed)[0]
    assert (answer, told in ending_words(run_of(crossed))) == (comes, True), ending_words(run_of(crossed))


REAL_GRIDS = (
    """TSA#OILS#ADAPTS ITS#BPOE#GOTCHA NOTLEAST#RIPPED SPREADSHEET#### EPOCH###READOUT LENT#PAPA#GAUZE
    SRO#DATA#TACTIC ##MERCENARIES## OPERAS#EVEN#TSE STRAW#ELSE#TAWS SASSING###PETIT ####NIGHTMARISH
    MANAGE#DIAGNOSE ANEMIC#MERE#NET ENGINE#ISIS#SSE""",
    """SAC#RAMS#EDIBLE ADO#ARIA#ANTLER THRENODY#TASTES REPLENISHED#### AROSE###ENABLES PERE#REDS#MATKA
    SSA#ROVE#DANCED ##THEBELLAGIO## ALIENS#LAME#MLS BOOED#MAPS#AMIE SUNDIAL###OCALA ####TABLETURNER
    ASSAIL#UNUSEDTO DESPOT#CYST#EEO CASINO#YAKS#REM""",
)


@pytest.mark.parametrize(("grid", "entry"), [(0, "14A"), (1, "10D")])
def test_its_is_replaced_by_a_lower_word_only_with_a_note(bench: Session, grid: int, entry: str) -> None:
    bench.new(Puzzle(grid_from_text("\n".join(REAL_GRIDS[grid].split()))))
    run_line(bench, "pencil all")
    do(bench, f"reject {entry} --time 600")
    comes = bench.puzzle.grid.answer(bench.puzzle.grid.entry(entry)) or ""
    scores = Lexicon.build([open_word_list(default_word_list()).word_list]).score
    before, after = scores("ITS"), scores(comes)
    assert comes != "ITS"
    is_told = "was found that changes at most" in ending_words(run_of(bench))
    assert is_told is (known(after) < min(50, known(before)))


def test_undo_stops_a_swap_without_result_and_reverts_nothing_else(endless: Session) -> None:
    row = {Position(0, column): Content.of(letter) for column, letter in enumerate("ABCDEFGHI")}
    endless.edit("pencil", lambda puzzle: edits.write_fill(puzzle, row))
    before = endless.puzzle
    endless.jobs.fill.start(FillOptions(Mode.REJECT, entry="1A"))
    assert endless.undo() == "reject 1A (nothing had changed yet)"
    assert endless.puzzle is before
    assert not endless.jobs.fill.is_running


def test_undo_reverts_a_swap_that_finds_its_word_at_that_moment(
    whole: Session, monkeypatch: pytest.MonkeyPatch
) -> None:

    def looked_at(_: FillJob) -> str:
        do(whole, "reject 1A")
        assert rows(whole) == BIT
        return "reject 1A"

    monkeypatch.setattr(FillJob, "running_swap", property(looked_at))
    told = whole.undo()
    assert "nothing had changed" not in known(told)
    assert rows(whole) == BAG
