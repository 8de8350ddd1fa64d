"""Improving fills in the background, the best fill, and several fills to choose from."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.known import known
from tests.session.conftest import SMALL_LIST
from tests.session.saying import PATIENCE_SECONDS, Ear, do, found, killed, pencil, said, squares
from xwtui.engine.budget import ALL_CORES, Budget, threads_of
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve import improver as engine
from xwtui.engine.improve.improvement import Improvement, ImproveProgress, ImproveResult, Objective
from xwtui.engine.problem.problem import Problem
from xwtui.errors import VerbError
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Ink, Position, Puzzle, edits
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.messages import FillEnded, FillProgress, JobFailed, Saved
from xwtui.session.recovery import find_recoveries
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words

BAG, BIT = "BAGICETEN", "BITACEGEN"
"""The two fills, BAG ICE TEN and its transpose BIT ACE GEN; their scores are equal."""


def letters_of(puzzle: Puzzle) -> str:
    return "".join(str(square.content or "?") for square in puzzle.grid.squares)


def text(bench: Session) -> str:
    return letters_of(bench.puzzle)


def improvement(letters: str, mean: float) -> Improvement:
    return Improvement(squares(letters), {}, mean, mean, 50, 70.0, 0.1, 1)


class Step:
    """A fake `improve` that reports one fill after another, each when the test allows it."""

    def __init__(self, *fills: Improvement) -> None:
        self.fills = fills
        self.go_on = threading.Semaphore(0)
        self.cancelled = threading.Event()
        self.budget = Budget()
        self.order: dict[str, object] = {}
        self.start: object = None

    def __call__(
        self,
        problem: object,
        start: object,
        budget: Budget,
        *,
        improved: Callable[[Improvement], None],
        progress: Callable[[ImproveProgress], None],
        **order: object,
    ) -> ImproveResult:
        self.budget, self.order, self.start = budget, order, start
        for number, fill in enumerate(self.fills):
            improved(fill)
            progress(ImproveProgress(fill, number, 0.1))
            while not self.go_on.acquire(timeout=0.01):
                if budget.stop():
                    self.cancelled.set()
                    return self._result(Outcome.CANCELLED)
        return self._result(Outcome.UNKNOWN)

    def _result(self, outcome: Outcome) -> ImproveResult:
        return ImproveResult(outcome, self.fills[0], self.fills[-1], self.fills, 70.0, 9)


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Step:
    step = Step(improvement(BAG, 50.0), improvement(BIT, 60.0))
    monkeypatch.setattr(engine, "improve", step)
    return step


def until_better(ear: Ear, fills: int = 1) -> None:
    ear.wait_for(FillProgress, lambda told: told.run.quality is not None and told.run.quality.better >= fills)


def improve_once(session: Session, ear: Ear, step: Step, letters: str = "") -> None:
    """Start to improve the current pencil, and wait for the first better fill."""
    pencil(session, letters)
    run_line(session, "improve")
    step.go_on.release()
    until_better(ear)


def test_a_better_fill_is_shown_immediately_and_written_at_the_end_as_one_edit(
    small: Session, ear: Ear, step: Step
) -> None:
    pencil(small, BAG)
    run_line(small, "improve --seed 3 --threads 2 --by below --mark 55")
    step.go_on.release()
    until_better(ear)
    assert known(small.jobs.fill.view).squares == squares(BIT)
    assert text(small) == BAG, "nothing is written yet"
    step.go_on.release()
    assert small.wait(PATIENCE_SECONDS)
    assert text(small) == BIT
    assert {square.ink for square in small.puzzle.grid.squares} == {Ink.PENCIL}
    run = ear.of(FillEnded)[-1].run
    assert run.quality is not None
    assert (run.quality.first, run.quality.value, run.quality.bound, run.quality.gap) == (50.0, 60.0, 70.0, 10.0)
    assert (step.budget.seed, step.budget.threads) == (3, 2)
    assert step.start == squares(BAG)
    assert "time ran out: entries below 55: 60 (from 50, limit 70)" in ending_words(run)
    assert [fill.note for fill in small.fills.kept] == ["", "the start"]
    assert small.undo() == "improve"
    assert text(small) == BAG
    run_line(small, "take 1")
    assert text(small) == BIT


def test_typing_ends_it_after_its_result_is_reported(small: Session, ear: Ear, step: Step) -> None:
    improve_once(small, ear, step, BAG)
    with pytest.raises(VerbError, match=r"search cannot be stepped \(improve\)"):
        small.jobs.fill.make_watchable()
    small.edit("r1c1 = C", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("C")))
    (run,) = [told.run for told in ear.of(FillEnded)]
    assert ending_words(run).startswith("stopped; the best fill stays: mean 60 (from 50")
    assert text(small) == f"C{BIT[1:]}"
    assert small.jobs.fill.view is None, "the run is about another grid by now"
    assert small.document.history.redo_label is None


def test_questions_about_answers_use_the_shown_fill(small: Session, ear: Ear, step: Step) -> None:
    improve_once(small, ear, step, BAG)
    assert said(small, "clues").splitlines()[0].split() == ["1A", "BIT", "-"]
    assert text(small) == BAG, "it goes on"
    assert said(small, "lower").startswith("BIT: ")


@pytest.mark.parametrize("line", ["clue 1A A little", "enumeration 1A 1,2", "reject 1A"])
def test_verbs_on_an_answer_use_the_shown_fill(small: Session, ear: Ear, step: Step, line: str) -> None:
    improve_once(small, ear, step, BAG)
    run_line(small, line)
    assert text(small) == BIT
    one = small.puzzle.grid.entry("1A")
    if line.startswith("reject"):
        assert small.jobs.fill.running_swap == "reject 1A"
    else:
        assert small.puzzle.clue(one) or small.puzzle.enumeration(one)


def test_a_shown_better_fill_survives_a_kill(small: Session, ear: Ear, step: Step, journals: Path) -> None:
    improve_once(small, ear, step, BAG)
    for line in ("title Heart", "snapshot save one", f"save {journals.parent / 'heart.ipuz'}"):
        run_line(small, line)
        assert small.document.journal.last is not None
        assert text(small) == BAG
        assert letters_of(small.document.journal.last) == BIT, f"after {line}"
        assert small.document.journal.last.title == "Heart"
    killed(small)
    (recovery,) = find_recoveries(journals)
    assert (letters_of(recovery.puzzle), recovery.label) == (BIT, "improve")


def test_saving_reports_that_the_shown_better_fill_is_not_in_the_file(
    small: Session, ear: Ear, step: Step, tmp_path: Path
) -> None:
    left_out = "the fill that is shown is not in the file yet: `stop` keeps it, then save again"
    improve_once(small, ear, step, BAG)
    assert said(small, f"save {tmp_path / 'heart.ipuz'}").endswith(f"; {left_out}")
    assert ear.of(Saved)[-1].words.endswith(left_out)
    assert letters_of(read_puzzle(tmp_path / "heart.ipuz")) == BAG
    run_line(small, "stop")
    assert said(small, "save") == Saved(tmp_path / "heart.ipuz").words
    assert letters_of(read_puzzle(tmp_path / "heart.ipuz")) == BIT


def test_a_discarded_better_fill_is_not_offered(small: Session, ear: Ear, step: Step, journals: Path) -> None:
    small.save(journals.parent / "heart.ipuz")
    improve_once(small, ear, step)
    small.discard_changes()
    small.close()
    assert find_recoveries(journals) == ()


def test_a_better_fill_being_journaled_while_discarded_is_not_offered(
    small: Session, ear: Ear, step: Step, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run's thread has computed what to keep, but not yet written it, when the work is discarded."""
    step.fills += (improvement(BAG, 70.0),)
    small.save(journals.parent / "heart.ipuz")
    improve_once(small, ear, step)
    discarding = threading.Thread(target=small.discard_changes)
    ask = small.jobs.fill.result_if_stopped

    def asked_as_it_is_dropped() -> tuple[FillOptions, RunView] | None:
        left = ask()
        if left is not None and discarding.ident is None:
            discarding.start()
            discarding.join(0.2)
        return left

    monkeypatch.setattr(small.jobs.fill, "result_if_stopped", asked_as_it_is_dropped)
    step.go_on.release()
    assert step.cancelled.wait(PATIENCE_SECONDS)
    discarding.join(PATIENCE_SECONDS)
    small.close()
    assert find_recoveries(journals) == ()


def test_a_better_fill_is_kept_when_a_stepped_search_replaces_the_run(
    small: Session, ear: Ear, step: Step
) -> None:
    improve_once(small, ear, step, BAG)
    run_line(small, "step --strategy top-ten")
    assert text(small) == BIT


def test_all_cores_improve_by_default(small: Session, ear: Ear, step: Step) -> None:
    pencil(small, BAG)
    run_line(small, "improve")
    until_better(ear, 0)
    assert step.budget.threads == threads_of(ALL_CORES)


def test_stop_keeps_the_best(small: Session, ear: Ear, step: Step) -> None:
    improve_once(small, ear, step, BAG)
    assert run_line(small, "stop").lines == ("stopped",)
    assert text(small) == BIT
    assert step.cancelled.wait(PATIENCE_SECONDS)
    run = ear.of(FillEnded)[-1].run
    assert run.outcome is Outcome.CANCELLED
    assert "stopped; the best fill stays" in ending_words(run)
    assert len(small.fills.kept) == 2
    assert small.undo() == "improve"
    assert not small.stop()


def test_stop_before_any_improvement_keeps_the_start(small: Session, ear: Ear, step: Step) -> None:
    pencil(small, BAG)
    edits_before = small.document.history.edits
    run_line(small, "improve")
    ear.wait_for(FillProgress)
    small.stop()
    assert text(small) == BAG
    assert small.document.history.edits == edits_before
    assert not ear.of(FillEnded)[-1].run.squares


@pytest.mark.parametrize("line", ["set r1c1 B", "lock all", "accept 1A", "fill --time 0.01"])
def test_edits_during_improvement_apply_to_the_best_fill(small: Session, ear: Ear, step: Step, line: str) -> None:
    """The user sees the best fill, so an edit refers to it."""
    improve_once(small, ear, step, BAG)
    run_line(small, line)
    assert small.wait(PATIENCE_SECONDS)
    assert step.cancelled.wait(PATIENCE_SECONDS)
    if not line.startswith("fill"):
        assert text(small) == BIT
        assert small.undo() is not None
        assert text(small) == BIT
        assert small.undo() == "improve"
        assert text(small) == BAG


def test_accepting_during_improvement_reports_that_it_stopped(small: Session, ear: Ear, step: Step) -> None:
    improve_once(small, ear, step, BAG)
    assert run_line(small, "accept").lines == ("accepted: all; improving has stopped, keeping its best fill",)
    assert text(small) == BIT
    assert small.undo() == "accept"
    assert run_line(small, "accept").lines == ("accepted: all",), "nothing goes on any more"


def test_undo_during_improvement_returns_to_the_start(small: Session, ear: Ear, step: Step) -> None:
    improve_once(small, ear, step, BAG)
    assert small.undo() == "improve"
    assert text(small) == BAG
    assert not small.jobs.fill.is_running
    assert small.redo() == "improve"
    assert text(small) == BIT


def test_adding_a_clue_for_an_unchanged_answer_does_not_interrupt(small: Session, ear: Ear, step: Step) -> None:
    step.fills = (improvement(BAG, 50.0), improvement(BAG, 60.0))
    improve_once(small, ear, step, BAG)
    run_line(small, "clue 1A Sack")
    assert small.jobs.fill.is_running
    small.stop()
    assert text(small) == BAG


def test_an_error_keeps_the_best_and_is_reported(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(
        problem: object, start: object, budget: Budget, *, improved: Callable[[Improvement], None], **_: object
    ) -> ImproveResult:
        improved(improvement(BAG, 50.0))
        improved(improvement(BIT, 60.0))
        raise MemoryError

    monkeypatch.setattr(engine, "improve", broken)
    pencil(small, BAG)
    do(small, "improve")
    assert "not enough memory" in ear.of(JobFailed)[0].message
    assert text(small) == BIT
    assert not small.jobs.fill.is_running


def test_improve_with_the_real_engine(small: Session, ear: Ear) -> None:
    """From an illegal start: XXX is not a word. The resulting fill is optimal."""
    pencil(small, "XXXICETEN")
    do(small, "improve --by lowest --time 60")
    assert text(small) in (BAG, BIT)
    run = ear.of(FillEnded)[-1].run
    assert run.outcome is Outcome.FILLED
    assert run.quality is not None
    assert run.quality.lowest_score == 45
    assert run.quality.is_proved
    assert small.undo() == "improve"
    assert text(small) == "XXXICETEN"


def test_improve_starts_from_the_current_grid(small: Session, ear: Ear) -> None:
    """Both fills are equally good, so the current one stays."""
    do(small, "count")
    for start in (BIT, BAG):
        pencil(small, start)
        edits_before = small.document.history.edits
        do(small, "improve --time 60")
        run = ear.of(FillEnded)[-1].run
        assert run.quality is not None
        assert (run.quality.better, run.quality.is_proved) == (0, True)
        assert text(small) == start
        assert small.document.history.edits == edits_before
        assert [fill.note for fill in small.fills.kept] == ["the start"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "improve --time 60",
            "mean 56 in the 5 entries filled here (from 56, limit 56), 55.0 in the whole grid, lowest 45",
        ),
        (
            "improve --by lowest --time 60",
            "lowest 45 in the 5 entries filled here (from 45, limit 45), 45 in the whole grid, mean 55.0",
        ),
    ],
)
def test_a_run_reports_the_grids_mean_and_notes_its_own_lower_count(
    small: Session, ear: Ear, line: str, said: str
) -> None:
    """Locked entries count for the grid, but a run cannot improve them."""
    pencil(small, BAG)
    run_line(small, "lock 1A")
    answer = found(small, line).as_json
    run = ear.of(FillEnded)[-1].run
    assert answer["counted"] == 5
    figures = small.jobs.words.statistics(small.puzzle)
    assert run.quality is not None
    assert (run.quality.mean_score, run.quality.lowest_score) == (figures.mean_score, figures.lowest_score)
    assert said in ending_words(run)
    assert [fill.mean_score for fill in small.fills.kept] == [figures.mean_score]


def test_the_best_fill_is_one_edit(small: Session, ear: Ear) -> None:
    assert "ACE;45" in SMALL_LIST
    do(small, "fill --best --time 60 --threads 2")
    assert text(small) in (BAG, BIT)
    run = ear.of(FillEnded)[-1].run
    assert (run.mode, run.outcome) == (Mode.BEST, Outcome.FILLED)
    assert run.quality is not None
    assert (run.quality.lowest_score, run.quality.gap) == (45, 0)
    assert "proved" in ending_words(run)
    assert small.undo() == "best fill"


@pytest.mark.parametrize(
    ("line", "seconds"), [("fill --best", 20), ("fill --best --time 0", None), ("fill --best --time 3", 3)]
)
def test_the_best_fill_respects_its_time_limit(
    small: Session, monkeypatch: pytest.MonkeyPatch, line: str, seconds: float | None
) -> None:
    told: list[float | None] = []

    def looked(problem: Problem, start: None, budget: Budget, **_: object) -> ImproveResult:
        told.append(budget.seconds)
        return engine.improve(problem, start, budget._replace(seconds=60), objective=Objective.lowest())

    monkeypatch.setattr("xwtui.session.jobs.fills.modes.improve", looked)
    do(small, line)
    assert told == [seconds]


def test_a_best_fill_without_time_claims_nothing(small: Session, ear: Ear) -> None:
    small.jobs.fill.start(FillOptions(Mode.BEST, seconds=0.0))
    assert small.wait(PATIENCE_SECONDS)
    assert ear.of(FillEnded)[-1].run.outcome is Outcome.UNKNOWN


def test_an_impossible_best_fill_gives_its_reason(small: Session, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    do(small, "fill --best --time 60")
    run = ear.of(FillEnded)[-1].run
    assert run.outcome is Outcome.IMPOSSIBLE
    assert "1" in ending_words(run)
    assert text(small) == "Q????????"


def test_several_fills_are_kept_and_none_is_written(small: Session, ear: Ear) -> None:
    do(small, "fill --count 3 --diverse --differ 40%")
    assert text(small) == "?" * 9
    run = ear.of(FillEnded)[-1].run
    assert (run.mode, run.found, run.wanted) == (Mode.DIVERSE, 2, 3)
    assert {"".join(str(content) for content in fill.squares.values()) for fill in small.fills.kept}
    assert {"".join(str(fill.squares[at]) for at in sorted(fill.squares)) for fill in small.fills.kept} == {
        BAG,
        BIT,
    }
    assert "found 2 fills of 3" in ending_words(run)
    run_line(small, "take 2")
    assert text(small) in (BAG, BIT)
    assert small.undo() == "take fill 2"


def test_the_aims_reach_the_engine(small: Session, step: Step) -> None:
    for line, told in (
        ("improve", "mean score"),
        ("improve --by fresh", "different letters"),
        ("improve --avoid qx", "squares with QX"),
        ("improve --by PANGRAM", "different letters"),
        ("improve --by flat", "mean score flattened by 0.5"),
        ("improve --by flat --exponent .25", "mean score flattened by 0.25"),
    ):
        step.go_on.release(2)
        do(small, line)
        objective = step.order["objective"]
        assert getattr(objective, "describe")() == told  # noqa: B009


def test_the_lack_of_a_proof_is_explained_for_two_letter_squares(small: Session, ear: Ear) -> None:
    why = "can't be proved best: a square with two letters counts twice in the search"
    pencil(small, BAG)
    do(small, "improve --avoid I --time 0.2")
    assert why not in ending_words(ear.of(FillEnded)[-1].run)
    run_line(small, "clash --at-most 1")
    do(small, "improve --avoid I --time 0.2")
    assert ending_words(ear.of(FillEnded)[-1].run).endswith(why)
