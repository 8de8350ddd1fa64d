"""A fill keeps current pencil or replaces as little of it as possible; a refill replaces all of it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.engine.small_problems import problem_of
from tests.known import known
from tests.session.saying import PATIENCE_SECONDS, Ear, do, pencil, rows, run_of, said
from tests.session.test_swapping import BAG, BIT
from xwtui.engine import warmup
from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve import plain_fill
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair import repair
from xwtui.engine.repair.repair import Repair, RepairResult, RepairWanted
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position, Puzzle
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills import run as runs
from xwtui.session.jobs.fills import swapping
from xwtui.session.jobs.fills.argued import BranchAssumptions, ProblemParts
from xwtui.session.jobs.fills.run import FillRun
from xwtui.session.jobs.fills.swapping import with_pencil_kept
from xwtui.session.messages import Notice
from xwtui.session.run_view import EntryChange, RunView, entry_changes
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import replaced_words, standing_words

Squares = Mapping[Position, Content]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("standing", "filled"), [("???ICE???", BAG), ("???ACE???", BIT)])
def test_pencil_is_kept(small: Session, threads: int, standing: str, filled: tuple[str, ...]) -> None:
    for seed in range(3):
        run_line(small, "clear pencil")
        pencil(small, standing)
        do(small, f"fill --seed {seed} --threads {threads}")
        assert rows(small) == filled
        assert run_of(small).changes == ()
        assert replaced_words(run_of(small)) == ""


@pytest.mark.parametrize("threads", [1, 2])
def test_as_little_pencil_as_possible_is_replaced_and_reported(small: Session, threads: int) -> None:
    pencil(small, "BAG?XE???")
    do(small, f"fill --threads {threads}")
    assert rows(small) == BAG
    view = run_of(small)
    assert view.outcome is Outcome.FILLED
    assert view.changes == (EntryChange("4A", "?XE", "ICE"), EntryChange("2D", "AX?", "ACE"))
    assert (view.found, view.is_smallest) == (1, True)
    assert replaced_words(view) == "1 square of pencil in 2 entries replaced: 4A ICE (was ?XE), 2D ACE (was AX?)"
    assert small.undo() == "fill"
    assert rows(small) == ("BAG", "?XE", "???")


def test_a_repair_waits_for_the_improver_and_does_not_mention_first_words(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "is_improver_kept", lambda: False)
    monkeypatch.setattr(warmup, "is_warm", lambda **_: False)
    pencil(small, "BAG?XE???")
    do(small, "fill")
    assert run_of(small).changes
    assert not any("improver" in notice.text for notice in ear.of(Notice))


def test_no_proof_of_impossibility_is_shown_while_pencil_is_replaced(
    small: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[bool, Outcome, int]] = []
    mend = swapping.repair_pencil

    def watched(*parts: Any) -> RunView:
        view = run_of(small)
        told.append((small.jobs.has_proved_no_fill, view.outcome, len(view.squares)))
        return mend(*parts)

    monkeypatch.setattr(swapping, "repair_pencil", watched)
    pencil(small, "BAG?XE???")
    do(small, "fill --threads 1")
    assert rows(small) == BAG
    assert told == [(False, Outcome.RUNNING, 5)], "the pencil stays in sight"


def test_progress_of_the_smallest_change_is_reported(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, str]] = []
    mend = swapping.repair_pencil

    def watched(*parts: Any) -> RunView:
        made, budget = mend(*parts), parts[3]
        budget.stop()
        view = run_of(small)
        told.append((view.found, f"{view.doing}: {standing_words(view)}"))
        return made

    monkeypatch.setattr(runs, "_VIEW_SECONDS", 0.0)
    monkeypatch.setattr(swapping, "repair_pencil", watched)
    pencil(small, "BAG?XE???")
    do(small, "fill --threads 1")
    assert told == [(1, "mending: replaces 1 square so far, trying fewer")]


def test_an_entry_whose_letters_stay_is_not_reported_as_changed() -> None:
    grid = grid_from_text("[A/B]AA\nA..\n...")
    squares = {Position(0, 0): Content.of("B"), Position(2, 0): Content.of("C")}
    assert entry_changes(grid, squares) == (EntryChange("1A", "AAA", "BAA"),)


@pytest.mark.parametrize("threads", [1, 2])
def test_with_few_nodes_the_repair_is_still_as_small_as_it_finds(
    small: Session, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swapping, "KEEPING_NODES", 0)
    pencil(small, "???ICE???")
    do(small, f"fill --threads {threads}")
    assert rows(small) == BAG
    assert run_of(small).changes == ()
    run_line(small, "clear pencil")
    monkeypatch.setattr(repair, "PROOF_NODES", 0)
    pencil(small, "BAG?XE???")
    do(small, f"fill --threads {threads}")
    view = run_of(small)
    assert view.outcome is Outcome.FILLED
    assert "?" not in "".join(rows(small))
    assert view.changes
    told = replaced_words(view)
    assert told.startswith(f"{view.found} square")
    assert ("perhaps not the fewest" in told) is not view.is_smallest


@pytest.fixture
def told_meanwhile(small: Session, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """A fill trying to keep pencil, however long that takes, that receives goals meanwhile."""
    monkeypatch.setattr(swapping, "KEEPING_NODES", 1 << 60)
    tried = swapping.short_search

    def fill(*goals: Goal) -> bool:
        looks = list[bool]()

        def tried_and_told(problem: Problem, seed: int, is_over: Callable[[], bool]) -> RunView:
            def is_over_by_then() -> bool:
                if not looks:
                    for goal in goals:
                        small.jobs.fill.go(goal)
                looks.append(is_over())
                return looks[-1]

            return tried(problem, seed, is_over_by_then)

        monkeypatch.setattr(swapping, "short_search", tried_and_told)
        pencil(small, "????C????")
        do(small, "fill --threads 1")
        return looks[0]

    return fill


@pytest.mark.parametrize("goal", [Goal(steps=0), Goal(steps=1)], ids=["pause", "step"])
def test_a_fill_paused_while_keeping_pencil_stops(
    small: Session, told_meanwhile: Callable[..., bool], goal: Goal
) -> None:
    assert told_meanwhile(goal), "it tries no longer"
    view = run_of(small)
    assert (view.outcome, view.paused) == (Outcome.RUNNING, True)
    assert rows(small) == ("???", "?C?", "???")
    do(small, "continue")
    assert rows(small) in (BAG, BIT)


@pytest.mark.parametrize(
    "goal", [Goal(speed=1e9), Goal.until("solved", Puzzle.blank(3, 3).grid)], ids=["watch", "until"]
)
def test_a_fill_watched_while_keeping_pencil_is_recorded(
    small: Session, told_meanwhile: Callable[..., bool], goal: Goal
) -> None:
    assert told_meanwhile(goal), "it tries no longer"
    assert known(small.jobs.fill.recording).length > 0
    assert run_of(small).outcome is Outcome.FILLED
    assert run_of(small).changes == ()


def test_a_fill_paused_and_resumed_immediately_keeps_pencil(
    small: Session, told_meanwhile: Callable[..., bool]
) -> None:
    assert told_meanwhile(Goal(steps=0), Goal())
    assert rows(small) in (BAG, BIT)
    assert run_of(small).changes == ()


def test_a_fill_told_to_run_on_keeps_trying(small: Session, told_meanwhile: Callable[..., bool]) -> None:
    assert not told_meanwhile(Goal())
    assert rows(small) in (BAG, BIT)


class TenSecondsGone(TimeLimit):
    """A time limit with ten seconds elapsed."""

    @property
    def seconds(self) -> float:
        return 10.0


@pytest.mark.parametrize("threads", [1, 2])
def test_the_fill_that_keeps_pencil_is_searched_once_within_the_limit(
    small: Session, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = list[float | None]()
    finish = plain_fill.finish

    def finishing(problem: Problem, squares: Squares, budget: Budget, **how: bool) -> Squares:
        left.append(budget.seconds)
        return finish(problem, squares, budget, **how)

    def never_driven(*_: Any) -> None:
        raise AssertionError("it is searched once more")

    monkeypatch.setattr(plain_fill, "finish", finishing)
    monkeypatch.setattr(FillRun, "drive", never_driven)
    monkeypatch.setattr(runs, "TimeLimit", TenSecondsGone)
    pencil(small, "BAG??????")
    do(small, f"fill --time 3600 --threads {threads}")
    assert rows(small) == BAG
    view = run_of(small)
    assert view.threads == threads
    assert view.seconds >= 10
    assert [one is not None and one <= 3590 for one in left] == [True]


def test_the_search_that_kept_pencil_can_be_replayed(small: Session) -> None:
    pencil(small, "BAG??????")
    do(small, "fill --threads 1")
    do(small, "back")
    assert run_of(small).event_number >= 0


def test_fill_keeps_a_full_grid_and_refill_replaces_it(small: Session) -> None:
    pencil(small, "BAGICETEN")
    for _ in range(4):
        do(small, "fill")
        assert rows(small) == BAG
    assert said(small, "fill") == "no square is empty; `refill` refills the pencil"
    small.stop()
    do(small, "refill --seed 0")
    assert rows(small) == BIT
    assert said(small, "ban BIT", "fill") == "", "it has something to do"


def test_a_refill_of_a_grid_in_pen_has_nothing_to_do(small: Session) -> None:
    pencil(small, "BAGICETEN")
    run_line(small, "accept 1A")
    assert said(small, "refill --around 1A") == ""
    small.stop()
    assert said(small, "refill --only r1c1:r1c3") == "no square there is empty or in pencil"
    run_line(small, "accept all")
    assert said(small, "refill --around 1A") == "no square there is empty or in pencil"
    assert said(small, "refill") == "no square is empty or in pencil"
    assert said(small, "fill") == "no square is empty or in pencil"
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small) == BAG


def test_pen_is_never_replaced_to_keep_pencil(small: Session) -> None:
    pencil(small, "BAGICETEN")
    do(small, "fill")
    assert said(small, "set r1c2 I", "fill") == "", "there are entries to mend"
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small) == BIT
    run_line(small, "set r1c1 X")
    do(small, "fill")
    assert run_of(small).outcome is Outcome.IMPOSSIBLE
    assert "no word fits" in run_of(small).reason
    assert rows(small) == ("XIT", "ACE", "GEN")


def test_an_entry_without_words_due_to_pen_is_reported_without_a_repair(
    small: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(swapping, "repair_apart", lambda *parts: asked.append(parts))
    pencil(small, "BAGICETEN")
    run_line(small, "set r1c1 X")
    do(small, "fill")
    assert (run_of(small).outcome, asked) == (Outcome.IMPOSSIBLE, [])
    assert "no word fits" in run_of(small).reason


def test_nothing_outside_a_selection_is_replaced(small: Session) -> None:
    pencil(small, "BAG???X??")
    do(small, "fill --only r1c1:r2c3")
    assert run_of(small).outcome is Outcome.IMPOSSIBLE, "pencil outside counts as given"
    run_line(small, "clear pencil")
    pencil(small, "BXG?C????")
    do(small, "fill --only 1A,4A")
    assert [rows(small)[0], rows(small)[1]] == ["BAG", "ICE"]
    assert rows(small)[2] == "???"
    run_line(small, "undo")
    do(small, "refill --only 1A")
    assert rows(small)[1:] == ("?C?", "???")


def test_a_rejected_word_is_not_kept_by_a_fill(small: Session) -> None:
    pencil(small, "BAGICETEN")
    do(small, "reject 1A")
    assert rows(small) == BIT
    run_line(small, "clear pencil")
    pencil(small, "BA???????")
    do(small, "fill")
    assert rows(small) == BIT
    assert run_of(small).found == 1


def test_arguments_are_combined_with_kept_pencil() -> None:
    words = {"BAG": 50, "ICE": 60, "TEN": 70, "BIT": 55, "ACE": 45, "GEN": 50}
    kept = {Position(1, 1): Content.of("C")}
    parts = ProblemParts(with_pencil_kept(problem_of(Puzzle.blank(3, 3).grid, words), kept))
    (made,) = parts.decisions_for("1A", "BAG")
    assumed = BranchAssumptions().with_decisions([made])
    assert parts.task(assumed).assumptions.contents == {**kept, **dict(made.squares)}
    assert parts.part(assumed).root.is_possible


def test_a_fill_that_replaces_much_pencil_asks_first_on_interactive_faces(small: Session) -> None:
    small.can_ask_user = True
    pencil(small, "BAGICETEN")
    do(small, "fill")
    run_line(small, "set r1c2 I")
    before = small.puzzle
    do(small, "fill")
    view = run_of(small)
    assert small.puzzle is before, "nothing is written before it is taken"
    assert view.offered is not None
    assert view.found == 3, "of eight squares of pencil"
    assert replaced_words(view).startswith("a fill would replace 3 squares of pencil in ")
    assert [one.slot.name for one in small.unlisted_crossings] == ["1A"], "the clash stays marked"
    run_line(small, "take 1")
    assert rows(small) == BIT


def test_small_repairs_and_scripts_do_not_ask(small: Session) -> None:
    small.can_ask_user = True
    pencil(small, "BAG?XE???")
    do(small, "fill")
    assert run_of(small).offered is None
    assert rows(small) == BAG


def test_details_list_everything_replaced() -> None:
    changes = tuple(EntryChange(f"{number}A", "OLD", "NEW") for number in range(21))
    run = RunView(Outcome.FILLED, changes=changes, found=30)
    assert replaced_words(run).endswith("7A NEW (was OLD), and 13 more")
    assert replaced_words(run, most=None).endswith("20A NEW (was OLD)")


def test_a_stopped_repair_keeps_its_first_fill(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first fill found is written, with a note that smaller changes were not searched."""

    def repaired(problem: Problem, standing: Squares, budget: Budget, wanted: RepairWanted) -> RepairResult:
        def found_and_stopped(repairs: tuple[Repair, ...]) -> None:
            known(wanted.found)(repairs)
            small.jobs.fill.stop()

        return plain_fill.repair_apart(problem, standing, budget, wanted._replace(found=found_and_stopped))

    monkeypatch.setattr(swapping, "repair_apart", repaired)
    monkeypatch.setattr("xwtui.engine.repair.repair._GRID_SHARE", 0.0)
    pencil(small, "BAGACETEN")
    do(small, "fill")
    assert rows(small) in (BAG, BIT)
    assert "stopped before trying for fewer" in replaced_words(run_of(small))
