"""Figures updated after each change: options, estimates, candidates, counts, letters."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.known import known
from tests.session.saying import PATIENCE_SECONDS, Ear, found, refuses, said
from xwtui.engine import warmup
from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.kernels.compiler.cache_folder import CacheFault, CacheRefusal
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.engine.problem.problem import Problem
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Kind, Position, edits
from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.counts import LiveCounts
from xwtui.session.messages import (
    AnswerReady,
    CandidatesReady,
    CountEnded,
    EnginePhase,
    EngineState,
    EstimateReady,
    EstimatesChanged,
    FillProgress,
    JobFailed,
    LettersReady,
    LexiconReady,
    Message,
    Notice,
    OptionsReady,
    Severity,
)
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def is_of(bench: Session) -> Callable[[OptionsReady | EstimateReady], bool]:
    """Return a predicate for engine messages about the current revision."""
    revision = bench.revision
    return lambda message: message.revision == revision and getattr(message, "propagated", True)


def test_options_and_an_exact_count_follow_the_start(small: Session, ear: Ear) -> None:
    small.start()
    options = ear.wait_for(OptionsReady, is_of(small)).options
    assert {(o.pattern_matches, o.after_propagation) for o in options.values()} == {(6, 2)}
    assert ear.wait_for(EstimateReady, lambda message: message.estimate.exact is not None).estimate.exact == 2
    latest = small.jobs.live_counts.view
    assert (latest.stale, latest.entries.options, latest.entries.propagated) == (False, options, True)
    assert ear.of(LexiconReady)[0].words == 6
    assert small.jobs.words.score("TEN") == 70
    assert ear.of(EngineState)[-1].phase is EnginePhase.READY


def test_an_edit_makes_figures_stale_until_new_ones_come(small: Session, ear: Ear) -> None:
    small.start()
    ear.wait_for(OptionsReady, is_of(small))
    ear.forget()
    said(small, "set r1c1 B", "set r1c2 I")
    options = ear.wait_for(OptionsReady, is_of(small)).options
    assert options["1A"].after_propagation == 1
    assert not small.jobs.live_counts.view.stale


def test_revisions_never_go_back(small: Session, ear: Ear) -> None:
    small.start()
    for letter in "BAGBITICE":
        run_line(small, f"set r1c1 {letter}")
    ear.wait_for(OptionsReady, is_of(small))
    ear.wait_for(EstimateReady, is_of(small))
    revisions = [m.revision for m in ear.messages if isinstance(m, OptionsReady | EstimateReady)]
    assert revisions == sorted(revisions)
    assert revisions[-1] == small.revision


def test_figures_that_are_being_posted_come_before_those_of_a_later_revision(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, is_posting, goes_on = small.revision, threading.Event(), threading.Event()

    def hear(message: Message) -> None:
        if isinstance(message, OptionsReady) and message.revision == first:
            is_posting.set()
            assert goes_on.wait(PATIENCE_SECONDS)
        ear(message)

    monkeypatch.setattr(small, "_listener", hear)
    small.start()
    assert is_posting.wait(PATIENCE_SECONDS)
    naming = threading.Thread(target=run_line, args=(small, "title Three by three"))
    naming.start()
    naming.join(0.2)  # without the lock it has posted the figures again by now
    goes_on.set()
    naming.join(PATIENCE_SECONDS)
    ear.wait_for(OptionsReady, is_of(small))
    revisions = [message.revision for message in ear.of(OptionsReady)]
    assert revisions == sorted(revisions)
    assert set(revisions) == {first, small.revision}


def test_a_change_to_the_same_problem_keeps_the_figures(small: Session, ear: Ear) -> None:
    small.start()
    ear.wait_for(EstimateReady, lambda message: message.estimate.exact is not None)
    ear.forget()
    said(small, "title Three by three", "circle r2c2")
    assert ear.of(OptionsReady)[-1].revision == small.revision
    assert ear.of(EstimateReady)[-1].estimate.exact == 2
    assert not small.jobs.live_counts.view.stale
    assert known(small.jobs.live_counts.view.estimate).exact == 2


def test_an_estimate_never_becomes_rougher(small: Session, ear: Ear) -> None:
    live, now = small.jobs.live_counts, small.revision
    rough = Estimate(Instrument.PAIRWISE, log10=12.0)
    sure = Estimate(Instrument.PARTICLES, log10=11.0, low=10.0, high=12.0)
    live._latest = LiveCounts(OptionsReady(now, {}))
    for told in (rough, sure, rough, replace(sure, low=10.8)):
        live.take_estimate(now, told)
    assert [message.estimate for message in ear.of(EstimateReady)] == [rough, sure, replace(sure, low=10.8)]


def test_an_impossible_grid_gives_its_reason(small: Session, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    small.start()
    message = ear.wait_for(OptionsReady, is_of(small))
    assert message.reason
    assert small.jobs.live_counts.view.entries.reason == message.reason
    assert ear.wait_for(EstimateReady, is_of(small)).estimate.zero_proved


def test_new_words_give_new_figures(small: Session, ear: Ear) -> None:
    small.start()
    ear.wait_for(OptionsReady, is_of(small))
    run_line(small, "words --min-score 20")
    options = ear.wait_for(OptionsReady, is_of(small)).options
    assert options["1A"].pattern_matches == 8
    run_line(small, "ban TEN")
    assert ear.wait_for(OptionsReady, is_of(small)).options["1A"].pattern_matches == 7


@pytest.mark.parametrize("line", ["want TEN", "ban TEN", "set r1c1 B"])
def test_options_do_not_wait_for_estimates_of_an_earlier_puzzle(
    line: str, small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_estimating, goes_on = threading.Event(), threading.Event()
    quick = Counter.quick

    def in_a_long_slice(counter: Counter) -> Estimate:
        is_estimating.set()
        assert goes_on.wait(PATIENCE_SECONDS)
        return quick(counter)

    monkeypatch.setattr(Counter, "quick", in_a_long_slice)
    small.start()
    assert is_estimating.wait(PATIENCE_SECONDS)
    try:
        ear.forget()
        run_line(small, line)
        ear.wait_for(OptionsReady, is_of(small))
    finally:
        goes_on.set()
    ear.wait_for(EstimateReady, is_of(small))


def test_patterns_are_counted_while_the_engine_compiles(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = threading.Event()
    warm_up = warmup.warm_up

    def slow(
        progress: Callable[[LoadingStep], None] = lambda _: None,
        *,
        counting: bool = True,
        improving: bool = False,
        drawing: bool = False,
    ) -> float:
        progress(LoadingStep(EnginePart.SEARCH, LoadingStage.COMPILING))
        assert compiled.wait(PATIENCE_SECONDS)
        return warm_up(progress, counting=counting, improving=improving, drawing=drawing)

    monkeypatch.setattr(warmup, "warm_up", slow)
    run_line(small, "set r1c1 B")
    small.start()
    early = ear.wait_for(OptionsReady)
    assert not early.propagated
    assert early.options["1A"].pattern_matches == 2
    assert not small.jobs.live_counts.view.entries.propagated
    assert small.jobs.engine.view.phase is EnginePhase.COMPILING
    assert "compiling the fill engine (part 1 of 3)" in small.jobs.engine.view.text
    assert [c.word for c in small.jobs.candidates.find("1A")] == ["BIT", "BAG"]
    small.jobs.fill.step()
    compiled.set()
    assert ear.wait_for(OptionsReady, is_of(small)).propagated
    assert small.wait(PATIENCE_SECONDS)
    assert ear.of(FillProgress)


def test_a_failed_engine_load_is_reported(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(progress: Callable[[LoadingStep], None] = lambda _: None, **_: bool) -> float:
        raise ImportError("no module named numba")

    monkeypatch.setattr(warmup, "warm_up", broken)
    small.jobs.fill.start(FillOptions())
    assert small.wait(PATIENCE_SECONDS)
    assert "numba" in ear.of(JobFailed)[0].message
    assert small.jobs.engine.view.phase is EnginePhase.FAILED
    run_line(small, "set r1c1 B")


def test_an_unusable_cache_is_reported_once(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refusal = CacheRefusal(CacheFault.OPEN_TO_OTHERS, tmp_path, tmp_path)
    monkeypatch.setattr(warmup, "cache_refusal", lambda: refusal)
    small.wait_until_ready(PATIENCE_SECONDS)
    assert small.jobs.engine.view.phase is EnginePhase.READY
    assert [notice for notice in ear.of(Notice) if "NUMBA_CACHE_DIR" in notice.text] == [
        Notice(str(refusal), Severity.WARNING)
    ]


def test_candidates(small: Session, ear: Ear) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    ear.wait_for(EstimateReady, lambda message: message.estimate.exact == 2)
    small.jobs.candidates.start("1A")
    message = ear.wait_for(CandidatesReady)
    assert (message.revision, message.entry) == (small.revision, "1A")
    assert [(c.word, c.alive) for c in message.candidates] == [
        ("BIT", True),
        ("BAG", True),
        ("TEN", False),
        ("ICE", False),
        ("GEN", False),
        ("ACE", False),
    ]
    reckoned = ear.wait_for(CandidatesReady, lambda later: any(c.log10 is not None for c in later.candidates))
    assert [c.word for c in reckoned.candidates if c.log10 is not None] == ["BIT", "BAG"]
    assert [c.log10 for c in reckoned.candidates if c.alive] == pytest.approx([0.0, 0.0], abs=0.01)
    assert all(c.killed_by for c in reckoned.candidates if not c.alive)
    assert small.wait(PATIENCE_SECONDS)
    lines = run_line(small, "candidates 1A --limit 3").lines
    assert lines[0] == "1A ???: 6 match, 2 still possible"
    assert [line.split()[:3] for line in lines[1:]] == [
        ["BIT", "55", "?1"],
        ["BAG", "50", "?1"],
        ["TEN", "70", "dead:"],
        ["and", "3", "more"],
    ]


def test_a_requested_count(small: Session, ear: Ear) -> None:
    assert run_line(small, "count --time 60").started
    assert small.wait(PATIENCE_SECONDS)
    assert ear.of(CountEnded)[0].estimate.exact == 2
    assert ear.of(EstimateReady)[-1].estimate.exact == 2


def test_pencil_counts_as_empty_and_the_answer_says_so(small: Session) -> None:
    run_line(small, "set r1c1 B")
    assert small.wait(PATIENCE_SECONDS)
    small.edit("pencil", lambda puzzle: edits.write_fill(puzzle, {Position(0, 1): Content.of("X")}))
    answer = found(small, "count --time 60")
    assert run_line(small, "count").lines[0] == "pencil counted as empty: 1 square"
    assert answer.as_json["exact"] == 2
    assert answer.as_json["pencil_squares"] == 1
    assert answer.lines[0] == "exactly 2 fills (proved); pencil counted as empty: 1 square"


@pytest.mark.parametrize(
    ("rows", "count", "then"),
    [
        ("BIT/ARE/GEN", "exactly 1 fill (proved)", "it counts, as answers of yours are always allowed"),
        ("BIT/ARE/BIT", "no fill (proved)", "`why` says what is wrong with it"),
    ],
)
def test_a_full_grid_is_reported_as_full_immediately(small: Session, rows: str, count: str, then: str) -> None:
    for number, row in enumerate(rows.split("/"), start=1):
        for column, letter in enumerate(row, start=1):
            run_line(small, f"set r{number}c{column} {letter}")
    full = "the grid is full: the only possible fill is the one in it"
    assert run_line(small, "count").lines[-1] == full
    assert found(small, "count").lines[:2] == [count, f"{full}; {then}"]


def test_a_count_can_be_stopped(endless: Session, ear: Ear) -> None:
    run_line(endless, f"count --time {PATIENCE_SECONDS:g}")
    ear.wait_for(EstimateReady)
    assert endless.stop()
    assert endless.wait(PATIENCE_SECONDS)
    assert not ear.of(CountEnded)


def test_an_error_while_counting_ends_in_a_message(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Counter) -> None:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Counter, "quick", broken)
        small.start()
        assert "ZeroDivisionError" in ear.wait_for(JobFailed).message
    ear.forget()
    run_line(small, "set r1c1 B")
    assert ear.wait_for(EstimateReady, is_of(small)).estimate.log10 is not None


def test_figures_of_another_puzzle_are_ignored(small: Session, ear: Ear) -> None:
    small.start()
    ear.wait_for(OptionsReady, is_of(small))
    small.new(replace(small.puzzle, grid=edits.set_kind(small.puzzle, Position(1, 1), Kind.BLOCK).grid))
    message = ear.wait_for(OptionsReady, is_of(small))
    assert set(message.options) == {slot.name for slot in small.puzzle.grid.slots}


def test_no_thread_is_left_in_the_engine_at_the_end(endless: Session, ear: Ear) -> None:
    """A thread that returns from compiled code during interpreter shutdown would abort the process."""
    before = set(threading.enumerate())
    endless.start()
    ear.wait_for(EstimateReady)
    endless.close()
    left = {thread.name for thread in set(threading.enumerate()) - before}
    assert left.isdisjoint({"analysis", "candidates", "count", "search"})


def test_candidates_are_sorted_as_requested(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    by_room = run_line(small, "candidates 1A --sort room").lines
    assert {line.split()[0] for line in by_room[1:3]} == {"BIT", "BAG"}
    refuses(small, "candidates 1A --sort luck", "none of score, room, both")


def test_candidates_are_refined_and_proved(small: Session, ear: Ear) -> None:
    """The job reports intermediate results. The answer lists as many as requested, with a fill for each."""
    answer = found(small, "candidates 1A --prove --limit 1")
    assert answer.lines[0] == answer.headline == "1A ???: 6 match, 2 still possible"
    assert "has a fill" in answer.lines[1]
    assert answer.lines[2].strip() == "and 5 more"
    (one,) = answer.as_json["candidates"]
    assert (one["word"], one["standing"], one["fill"].splitlines()[0]) == ("BIT", "proved", "BIT")
    told = ear.of(AnswerReady)
    assert [message.is_last for message in told] == [False] * (len(told) - 1) + [True]
    assert told[-1].answer is answer


def test_a_stopped_job_returns_what_it_has(endless: Session, ear: Ear) -> None:
    assert run_line(endless, "candidates 1A --prove --time 0 --limit 1000").started
    ear.wait_for(AnswerReady)
    assert endless.stop()
    assert endless.wait(PATIENCE_SECONDS)
    assert ear.of(AnswerReady)[-1].is_last
    assert endless.jobs.answer.answer() is ear.of(AnswerReady)[-1].answer


def listed(ear: Ear) -> CandidatesReady:
    """Return the candidates, each with its estimate of fills."""
    return ear.wait_for(CandidatesReady, lambda message: any(c.log10 is not None for c in message.candidates))


def test_visible_candidates_are_proved_while_idle(small: Session, ear: Ear) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    small.jobs.candidates.start("1A")
    small.jobs.candidates.set_visible(["BIT"])
    proved = ear.wait_for(EstimatesChanged, lambda message: any(one.fill for one in message.estimates))
    assert (proved.revision, proved.entry) == (small.revision, "1A")
    (bit,) = (one for one in proved.estimates if one.fill)
    assert bit.word == "BIT"
    assert bit.fill is not None
    assert "".join(str(bit.fill[at]) for at in small.puzzle.grid.slot("1A").positions) == "BIT"
    assert small.wait(PATIENCE_SECONDS), "nobody waits for what is looked into at leisure"
    small.jobs.candidates.set_visible(["BAG"])
    ear.wait_for(
        EstimatesChanged, lambda message: any(one.word == "BAG" and one.fill for one in message.estimates)
    )
    kept = {one.word for one in small.jobs.candidates.find("1A") if one.fill is not None}
    assert kept == {"BIT", "BAG"}, "what is known is kept"


def test_candidates_wait_until_the_puzzle_comes_forward(small: Session, ear: Ear) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    small.jobs.deactivate()
    small.jobs.candidates.start("1A")
    assert not small.jobs.candidates.is_busy
    assert not ear.of(CandidatesReady)
    small.jobs.activate()
    assert ear.wait_for(CandidatesReady).entry == "1A"


def test_the_list_and_its_estimates_share_their_words(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    words = Problem.words

    def noted(problem: Problem, slot: int) -> list[str]:
        made.append(slot)
        return words(problem, slot)

    monkeypatch.setattr(Problem, "words", noted)
    small.wait_until_ready(PATIENCE_SECONDS)
    ear.wait_for(EstimateReady, lambda message: message.estimate.exact == 2)
    small.jobs.candidates.start("1A")
    ear.wait_for(CandidatesReady, lambda ready: any(one.log10 is not None for one in ready.candidates))
    assert made == [0]


def test_another_sort_order_keeps_what_is_known(small: Session, ear: Ear) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    small.jobs.candidates.start("1A")
    small.jobs.candidates.set_visible(["BIT"])
    ear.wait_for(EstimatesChanged, lambda message: any(one.fill for one in message.estimates))
    small.jobs.candidates.start("1A", CandidateOrder.ROOM)
    by_room = ear.wait_for(
        CandidatesReady,
        lambda message: (
            message.order is CandidateOrder.ROOM and any(c.fill is not None for c in message.candidates)
        ),
    )
    assert [c.alive for c in by_room.candidates] == [True, True, False, False, False, False]


def test_an_edit_ends_reports_about_the_old_candidates(small: Session, ear: Ear) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    small.jobs.candidates.start("1A")
    listed(ear)
    run_line(small, "set r3c3 N")
    ear.forget()
    small.jobs.candidates.set_visible(["BIT", "BAG"])
    small.jobs.candidates.start("1D")
    ear.wait_for(EstimatesChanged, lambda message: any(one.fill for one in message.estimates))
    assert {message.entry for message in ear.of(EstimatesChanged)} == {"1D"}
    assert {message.revision for message in ear.of(EstimatesChanged)} == {small.revision}


def test_a_run_suspends_the_candidates(endless: Session, ear: Ear) -> None:
    endless.wait_until_ready(PATIENCE_SECONDS)
    endless.jobs.fill.start(FillOptions())
    ear.wait_for(FillProgress)
    endless.jobs.candidates.start("1A")
    words = [candidate.word for candidate in listed(ear).candidates[:3]]
    endless.jobs.candidates.set_visible(words)
    assert endless.jobs.fill.is_running
    assert not ear.of(EstimatesChanged)
    endless.stop()
    ear.wait_for(EstimatesChanged)


def test_a_banned_word_leaves_the_candidates_before_any_lookup(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    small.jobs.candidates.start("1A")
    listed(ear)
    ear.forget()
    monkeypatch.setattr(small.jobs.candidates.worker, "submit", lambda request, **_: None)
    run_line(small, "ban BIT")
    small.jobs.candidates.start("1A")
    (told,) = ear.of(CandidatesReady)
    assert [c.word for c in told.candidates] == ["BAG", "TEN", "ICE", "GEN", "ACE"]
    assert told.revision == small.revision


FIRST, LAST = Position(0, 0), Position(0, 2)


def test_letters_are_updated_after_each_change(small: Session, ear: Ear) -> None:
    small.start()
    letters = ear.wait_for(LettersReady).letters
    assert letters.forced[FIRST] == Content.of("B"), "BAG or BIT, either way"
    assert set(letters.shares[LAST]) == {Content.of("G"), Content.of("T")}
    run_line(small, "set r1c3 T")
    revision = small.revision
    later = ear.wait_for(LettersReady, lambda message: message.revision == revision).letters
    assert LAST not in later.shares
    assert later.forced[Position(1, 1)] == Content.of("C")
    ear.forget()
    run_line(small, "circle r2c2")
    assert ear.of(LettersReady)[-1].revision == small.revision, "the problem is the same"


def test_the_shares_of_a_square(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    assert found(small, "shares r1c1").lines == ["r1c1: B is forced"]
    (told,) = found(small, "shares r1c3").lines
    assert sorted(told.replace("r1c3: ", "").split("  ")) == ["G 50%", "T 50%"]
    run_line(small, "set r1c3 T")
    refuses(small, "shares r1c3", "r1c3 is yours, and no fill changes it: T", PuzzleError)
    run_line(small, "lock r1c3")
    refuses(small, "shares r1c3", "r1c3 is locked, and no fill changes it: T", PuzzleError)
    run_line(small, "set r1c1 X")
    none = found(small, "shares r2c2")
    assert none.lines == ["nothing fits: the grid has no fill (proved)"]
    assert none.verdict is Outcome.IMPOSSIBLE
    assert found(small, "shares 1A").lines == none.lines
    refuses(small, "shares HEART", None)


def test_letters_forced_as_far_as_tried_are_marked_so(bench: Session, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("ABEC;90\nADBC;50\nDEFX\nGHXI\nADG\nBEH\nCFI\n", encoding="utf-8")
    said(bench, "new 3x3 --force", f"words {tmp_path / 'mine.txt'}", "words --min-score 0", "latent drop across")
    bench.wait_until_ready(PATIENCE_SECONDS)
    forced, caveat = found(bench, "shares r1c1").lines
    assert forced == "r1c1: A is forced as far as tried"
    assert caveat.startswith("of answers that enter the same letters, only the best was tried")


def test_the_shares_of_several_squares_and_of_all(small: Session) -> None:
    run_line(small, "set 1A BAG")
    two = found(small, "shares r2c1 r3c3")
    assert [line.split(":")[0] for line in two.lines] == ["r2c1", "r3c3"]
    every = found(small, "shares all").as_json["squares"]
    assert list(every) == [f"r{row}c{column}" for row in (2, 3) for column in (1, 2, 3)]
    assert every["r2c1"] == {"forced": "I", "shares": {"I": 1.0}, "intervals": {}}


def test_a_square_in_no_entry_has_no_letters_to_share(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    said(small, "symmetry none", "block r2c2")
    refuses(small, "shares r2c2", "r2c2 is not an open square", PuzzleError)


def test_shares_of_given_squares_show_their_content(bench: Session) -> None:
    bench.new(puzzle_of_grid(grid_from_text("AB#\n###\n##.")))
    refuses(bench, "shares r1c1:r1c2,r3c3", r"r1c1:r1c2,r3c3 is yours, and no fill changes it: A B$", PuzzleError)
    refuses(bench, "shares r3c3", "r3c3 is not in an entry", PuzzleError)
