"""The live fill: shown after each change, agreeing with all that stands, and written by `fill` alone."""

from collections.abc import Callable, Mapping
from threading import Event

import pytest

from tests.known import known
from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import rows, said
from tests.session.test_swapping import BAG, BIT, pencil
from xwtui.engine.budget import Budget
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair import repair
from xwtui.engine.repair.repair import Following, follow
from xwtui.model import Content, Position, edits
from xwtui.session.jobs import live_fill
from xwtui.session.messages import LiveFillReady
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

ROWS = {BAG, BIT}
Fill = Mapping[Position, Content]


def shown(bench: Session, ear: Ear) -> tuple[str, ...]:
    """The rows with the live fill of the puzzle as it is, once it is there whole; nothing, where none agrees."""
    revision = bench.revision
    live = ear.wait_for(
        LiveFillReady,
        lambda told: told.revision == revision and not told.is_searching and bool(told.squares or told.reason),
    )
    grid = edits.write_fill(bench.puzzle, live.squares).grid
    return () if live.reason else tuple("".join(str(square.content) for square in row) for row in grid.rows())


def test_it_agrees_with_all_that_stands_and_is_written_by_a_fill_alone(small: Session, ear: Ear) -> None:
    assert said(small, "live") == "the live fill is off"
    assert said(small, "live on") == "the live fill is on"
    assert shown(small, ear) in ROWS
    for letters, wanted in (("????C????", ROWS), ("???IC????", {BAG}), ("???AC????", {BIT})):
        run_line(small, "clear all")
        pencil(small, letters)
        assert shown(small, ear) in wanted
        assert "".join(rows(small)) == letters, "nothing is written before it is accepted"
    assert said(small, "fill") == "filled as it was shown"
    assert rows(small) == BIT
    assert small.undo() == "fill"
    assert rows(small) == ("???", "AC?", "???")
    run_line(small, "set r1c1 X")
    assert shown(small, ear) == ()
    live = known(small.jobs.live_fill.view)
    assert live.reason == "none keeps all that is in pencil; `fill` replaces part of it"
    assert not live.proves_no_fill, "the fills that are counted may replace pencil"
    run_line(small, "undo")
    assert shown(small, ear) == BIT
    run_line(small, "clear all")
    run_line(small, "set r1c1 X")
    assert shown(small, ear) == ()
    live = known(small.jobs.live_fill.view)
    assert (live.reason, live.proves_no_fill) == (
        "there is none with words of 40 or more, none used twice (proved)",
        True,
    )


def test_it_moves_as_little_as_it_can(bench: Session, ear: Ear) -> None:
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


def test_what_agrees_is_shown_while_a_fill_is_looked_for(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_seen = Event()

    def follow_slowly(
        problem: Problem,
        last: Fill,
        budget: Budget,
        *,
        agreed: Callable[[Fill], None],
    ) -> Following:
        agreed({Position(0, 1): Content.of("A"), Position(1, 1): Content.of("I")})
        assert budget.stop() or has_seen.wait(PATIENCE_SECONDS)
        return follow(problem, last)

    monkeypatch.setattr(live_fill, "_PATIENCE_SECONDS", 0.0)
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


def test_off_it_shows_nothing(small: Session, ear: Ear) -> None:
    run_line(small, "live on")
    assert shown(small, ear) in ROWS
    run_line(small, "live off")
    assert ear.of(LiveFillReady)[-1].squares == {}
    assert small.jobs.live_fill.view is None
    ear.forget()
    run_line(small, "set r1c1 B")
    run_line(small, "fill --seed 0")
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small) in ROWS
    assert not ear.of(LiveFillReady)


def test_a_fill_that_is_asked_for_more_is_searched_for(small: Session, ear: Ear) -> None:
    run_line(small, "live on")
    assert shown(small, ear) in ROWS
    reply = run_line(small, "fill --only 1A")
    assert reply.started
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small)[1:] == ("???", "???")


@pytest.mark.parametrize("letters", ["???ICE???", "???ACE???"])
def test_a_fill_keeps_the_pencil_of_now_not_of_the_grid_counted_before(
    small: Session, ear: Ear, letters: str
) -> None:
    """Figures and fills share one problem for puzzles that differ in pencil alone."""
    run_line(small, "live on")
    assert shown(small, ear) in ROWS
    pencil(small, letters)
    assert shown(small, ear) in ROWS
    run_line(small, "live off")
    run_line(small, "fill")
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small)[1] == letters[3:6]
