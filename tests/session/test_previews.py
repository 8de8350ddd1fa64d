"""Previews that only a verb writes: the live fill, and layout hints."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Event
from time import sleep
from typing import Any

import pytest

from tests.known import known
from tests.session.saying import PATIENCE_SECONDS, Ear, found, pencil, refuses, rows, said
from tests.session.test_swapping import BAG, BIT
from xwtui.engine.budget import Budget
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.repair import repair
from xwtui.engine.repair.repair import FollowResult, follow
from xwtui.engine.what_if.ranking import Ranking
from xwtui.grids.layouts import completions
from xwtui.grids.profiles import find_profile, judge
from xwtui.model import Content, Grid, Position, edits
from xwtui.model.block_changes import BlockChange
from xwtui.model.review import unmirrored_squares
from xwtui.session.jobs import previews
from xwtui.session.messages import LayoutHintsReady, LiveFillReady
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

ROWS = {BAG, BIT}
Fill = Mapping[Position, Content]


def shown(bench: Session, ear: Ear) -> tuple[str, ...]:
    """Return the rows with the whole live fill of the current puzzle; empty if there is none."""
    revision = bench.revision
    live = ear.wait_for(
        LiveFillReady,
        lambda told: told.revision == revision and not told.is_searching and bool(told.squares or told.reason),
    )
    grid = edits.write_fill(bench.puzzle, live.squares).grid
    return () if live.reason else tuple("".join(str(square.content) for square in row) for row in grid.rows())


def test_the_live_fill_agrees_with_the_grid_and_is_written_only_by_fill(small: Session, ear: Ear) -> None:
    assert said(small, "live") == "the live fill is off"
    assert said(small, "live on") == "the live fill is on"
    assert shown(small, ear) in ROWS
    for letters, wanted in (("????C????", ROWS), ("???IC????", {BAG}), ("???AC????", {BIT})):
        run_line(small, "clear all")
        pencil(small, letters)
        assert shown(small, ear) in wanted
        assert "".join(rows(small)) == letters, "nothing is written before it is accepted"
    assert said(small, "fill") == "filled as previewed"
    assert rows(small) == BIT
    assert small.undo() == "fill"
    assert rows(small) == ("???", "AC?", "???")
    proved = "there is no fill with words of 40 or more, none used twice (proved)"
    for lines, reason in (
        (("set r1c1 X",), proved),
        (("undo", "set r1c2 A"), "no fill keeps all of the pencil; `fill` replaces part of it"),
        (("clear all", "set r1c1 X"), proved),
    ):
        said(small, *lines)
        assert shown(small, ear) == ()
        live = known(small.jobs.live_fill.view)
        assert (live.reason, live.proves_no_fill) == (reason, reason == proved), "a fill may replace pencil"
        if reason != proved:
            run_line(small, "undo")
            assert shown(small, ear) == BIT


def test_the_live_fill_changes_as_little_as_possible(bench: Session, ear: Ear) -> None:
    run_line(bench, "new 5 11 --symmetry none --force")
    for row in range(1, 6):
        run_line(bench, f"block r{row}c6")
    run_line(bench, "live on")
    first = shown(bench, ear)
    left = first[0][:5]
    for column, letter in enumerate(left, start=1):
        run_line(bench, f"set r1c{column} {letter}")
        assert shown(bench, ear) == first, "what stands is as it was shown"
    pencil_square = {Position(0, 6): Content.of("A" if first[0][6] != "A" else "S")}
    bench.edit("pencil", lambda puzzle: edits.write_fill(puzzle, pencil_square))
    then = shown(bench, ear)
    assert [row[:5] for row in then] == [row[:5] for row in first], "the other half has not moved"


def test_the_agreeing_part_is_shown_while_a_fill_is_searched(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_seen = Event()

    def follow_slowly(
        problem: Problem, last: Fill, budget: Budget, *, agreed: Callable[[Fill], None]
    ) -> FollowResult:
        agreed({Position(0, 1): Content.of("A"), Position(1, 1): Content.of("I")})
        assert budget.stop() or has_seen.wait(PATIENCE_SECONDS)
        return follow(problem, last)

    monkeypatch.setattr(previews, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(repair, "follow", follow_slowly)
    pencil(small, "?A???????")
    run_line(small, "live on")
    part = ear.wait_for(LiveFillReady, lambda told: told.is_searching)
    assert part.squares == {Position(1, 1): Content.of("I")}, "what is empty alone"
    assert small.jobs.live_fill.view == part
    assert run_line(small, "fill").started, "a part is not written"
    has_seen.set()
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small) in ROWS


def test_the_design_rooms_live_fill_ends_with_another_puzzle(small: Session) -> None:
    small.jobs.fill_live(True)
    small.new(small.puzzle)
    assert not small.jobs.live_fill.is_on


def test_turned_off_it_shows_nothing(small: Session, ear: Ear) -> None:
    run_line(small, "live on")
    assert shown(small, ear) in ROWS
    run_line(small, "live off")
    assert ear.of(LiveFillReady)[-1].squares == {}
    assert small.jobs.live_fill.view is None
    ear.forget()
    said(small, "set r1c1 B", "fill --seed 0")
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small) in ROWS
    assert not ear.of(LiveFillReady)


def test_a_fill_with_options_runs_its_own_search(small: Session, ear: Ear) -> None:
    run_line(small, "live on")
    assert shown(small, ear) in ROWS
    assert run_line(small, "fill --only 1A").started
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small)[1:] == ("???", "???")


@pytest.mark.parametrize("letters", ["???ICE???", "???ACE???"])
def test_a_fill_keeps_current_pencil_not_that_of_the_grid_counted_before(
    small: Session, ear: Ear, letters: str
) -> None:
    """Figures and fills share one problem for puzzles that differ only in pencil."""
    run_line(small, "live on")
    assert shown(small, ear) in ROWS
    pencil(small, letters)
    assert shown(small, ear) in ROWS
    said(small, "live off", "fill")
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small)[1] == letters[3:6]


def told(bench: Session, ear: Ear) -> LayoutHintsReady:
    """Return the hints for the current puzzle once they are complete."""
    revision = bench.revision
    return ear.wait_for(LayoutHintsReady, lambda ready: ready.revision == revision and ready.is_complete)


def test_hints_keep_the_grid_are_legal_and_are_written_only_by_a_verb(bench: Session, ear: Ear) -> None:
    assert said(bench, "hints") == "hints are off"
    refuses(bench, "hints take", "there are no hints now")
    bench.jobs.layout_hints.is_on = True  # no hint has come yet
    refuses(bench, "hints take", "still finding hints")
    bench.jobs.layout_hints.is_on = False
    said(bench, "new 7 --profile mini --force", "block r1c1", "set r4c4 E", "hints on")
    ready = told(bench, ear)
    drawn = bench.puzzle.grid
    assert ready.hints
    for hint in ready.hints:
        grid = hint.change.on(drawn)
        assert not hint.change.removed
        assert judge(grid, find_profile("mini")) == ()
        assert not unmirrored_squares(grid, bench.puzzle.symmetry)
        assert (grid[Position(0, 0)].is_open, str(grid[Position(3, 3)].content)) == (False, "E")
    ranks = [hint.outlook.rank for hint in ready.hints]
    assert ranks == sorted(ranks, reverse=True), "the most fillable first"
    assert bench.puzzle.grid == drawn, "nothing is written before it is taken"
    assert said(bench, "hints").splitlines()[0].endswith("`hints take 1` writes the first")
    assert len(found(bench, "hints").as_json["hints"]) == len(ready.hints)
    assert said(bench, "hints next").startswith("hint 2 of ")
    said(bench, "hints take")
    assert bench.puzzle.grid == ready.hints[1].change.on(drawn)
    assert bench.undo() == "hints take"
    assert bench.puzzle.grid == drawn


def test_a_complete_layout_may_stay_unchanged(bench: Session, ear: Ear) -> None:
    assert said(bench, "new mini-5x5 --force", "profile mini", "hints on") == "hints are on"
    ready = told(bench, ear)
    as_it_is = [number for number, hint in enumerate(ready.hints, start=1) if not hint.change.added]
    assert len(as_it_is) == 1
    assert said(bench, f"hints take {as_it_is[0]}") == "the layout is already complete"
    refuses(bench, "hints take 99", "there is no hint 99")


def test_an_incompletable_layout_gives_its_reason(bench: Session, ear: Ear) -> None:
    said(bench, "new 12 --profile barred --force", "hints on")
    assert "has bars" in told(bench, ear).reason
    assert said(bench, "hints").startswith("no hints: the profile barred has bars")
    said(bench, "profile midi", "symmetry none")
    assert "does not allow the symmetry none" in told(bench, ear).reason
    said(bench, "hints off")
    assert bench.jobs.layout_hints.view is None


def test_an_edit_that_keeps_the_layout_starts_no_new_search(bench: Session, ear: Ear) -> None:
    said(bench, "new 7 --profile mini --force", "hints on")
    before = told(bench, ear)
    said(bench, "title Heart")
    after = told(bench, ear)
    assert after.hints is before.hints
    said(bench, "block r1c7")
    assert told(bench, ear).hints is not before.hints
    assert bench.puzzle.grid != Grid.blank(7, 7)


def test_the_selected_hint_stays_shown_while_better_ones_are_found(
    bench: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_chosen = Event()

    def in_two_steps(*asked: Any, found: Any, **told: Any) -> Ranking[BlockChange]:
        ranking = completions(*asked, **told)
        found(ranking)
        assert is_chosen.wait(PATIENCE_SECONDS)
        return replace(ranking, items=ranking.items[::-1])

    monkeypatch.setattr("xwtui.grids.layouts.completions", in_two_steps)
    monkeypatch.setattr("xwtui.session.jobs.previews.MOST_HINTS", 99)
    said(bench, "new 7 --profile mini --force", "hints on")
    first = ear.wait_for(LayoutHintsReady, lambda ready: bool(ready.hints))
    said(bench, "hints next")
    is_chosen.set()
    last = told(bench, ear)
    assert last.hints[-1].change == first.hints[0].change, "the order is another"
    assert last.hints[last.shown].change == first.hints[1].change
    said(bench, "hints take")
    assert bench.puzzle.grid == first.hints[1].change.on(Grid.blank(7, 7))


def test_hints_return_when_the_layout_can_be_completed_again(bench: Session, ear: Ear) -> None:
    said(bench, "new 9 --profile midi --force", "hints on")
    before = told(bench, ear)
    assert before.hints
    said(bench, "symmetry none")
    assert "does not allow the symmetry none" in told(bench, ear).reason
    bench.undo()
    after = told(bench, ear)
    assert (after.reason, bool(after.hints)) == ("", True)


def test_hints_belong_to_the_layout_they_are_reported_for(
    bench: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(bench, "new 7 --profile mini --force", "hints on")
    assert told(bench, ear).hints
    begun = Event()

    def until_stopped(task: Task, wanted: Any, budget: Budget, **told: Any) -> Ranking[BlockChange]:
        begun.set()
        while not budget.stop():
            sleep(0.001)
        return Ranking()

    with monkeypatch.context() as held:
        held.setattr("xwtui.grids.layouts.completions", until_stopped)
        said(bench, "block r1c1")
        assert begun.wait(PATIENCE_SECONDS)
    said(bench, "title Heart")
    drawn = bench.puzzle.grid
    for hint in told(bench, ear).hints:
        assert not hint.change.on(drawn)[Position(0, 0)].is_open
        assert judge(hint.change.on(drawn), find_profile("mini")) == ()


def test_a_grid_with_bars_is_refused_immediately(bench: Session) -> None:
    said(bench, "new barred-12x12-01 --force")
    refuses(bench, "hints on", "this grid uses bars")
    assert said(bench, "hints") == "hints are off"
