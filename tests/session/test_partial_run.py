"""A partial fill beside the face."""

import threading

import pytest

from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import do
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill import partial as engine
from xwtui.engine.fill.partial import PartialFill, StoppedEntry
from xwtui.engine.problem.no_fill import Quoted
from xwtui.model import Content, Ink, Position
from xwtui.session.fill_options import Mode
from xwtui.session.messages import FillEnded, FillProgress, JobFailed
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words, stopped_lines


def test_what_can_be_filled_is_one_edit_and_the_rest_is_named(small: Session, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    before = small.puzzle
    do(small, "fill --partial")
    run = ear.of(FillEnded)[-1].run
    grid = small.puzzle.grid
    assert run.mode is Mode.PARTIAL
    assert run == small.jobs.fill.view
    assert {one.entry for one in run.stopped} == {slot.name for slot in grid.slots if grid.answer(slot) is None}
    assert {"1A", "1D"} <= {one.entry for one in run.stopped}
    assert all(one.reason for one in run.stopped)
    assert run.found == sum(square.content is not None for square in grid.squares) > 1
    assert run.wanted == 9
    assert {square.ink for square in grid.squares if square.content} == {Ink.PEN, Ink.PENCIL}
    assert f"{len(run.stopped)} entries left" in ending_words(run)
    assert "1A" in "".join(map(str, stopped_lines(run)))
    assert len(stopped_lines(run)) == len(run.stopped)
    assert small.undo() == "partial fill"
    assert small.puzzle == before
    assert small.jobs.fill.view is None


def test_old_pencil_in_squares_that_are_left_is_rubbed_out(small: Session) -> None:
    do(small, "fill")
    run_line(small, "set r1c1 Q")
    do(small, "fill --partial")
    assert small.jobs.fill.view is not None
    grid = small.puzzle.grid
    written = {at for at in grid.positions() if grid[at].content}
    assert written == {*small.jobs.fill.view.squares, Position(0, 0)}


def test_a_grid_that_can_be_filled_is_filled(small: Session) -> None:
    do(small, "fill --partial --threads 2")
    assert small.puzzle.grid.is_filled
    assert small.jobs.fill.view is not None
    assert (small.jobs.fill.view.outcome, small.jobs.fill.view.stopped) == (Outcome.FILLED, ())


TOP = {Position(0, 0): Content.of("B")}


def test_stopped_it_leaves_the_best_that_it_has(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin of the engine's function tells one partial fill, and then goes on until it is stopped."""
    ended = threading.Event()

    def endless(problem: object, budget: Budget, *, progress: object) -> PartialFill:
        assert callable(progress)
        found = PartialFill(Outcome.UNKNOWN, TOP, {}, 1, 8, 0.0, (StoppedEntry("1A", Quoted("no word")),), 1)
        progress(found)
        while not budget.stop():
            ended.wait(0.01)
        ended.set()
        return found

    monkeypatch.setattr(engine, "partial_fill", endless)
    run_line(small, "fill --partial")
    ear.wait_for(FillProgress)
    assert run_line(small, "stop").lines == ("stopped",)
    assert small.puzzle.grid[Position(0, 0)].content == Content.of("B")
    run = ear.of(FillEnded)[-1].run
    assert (run.outcome, run.squares) == (Outcome.CANCELLED, TOP)
    assert ended.wait(PATIENCE_SECONDS)
    assert small.undo() == "partial fill"


def test_an_error_leaves_the_best_and_is_told(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(problem: object, budget: Budget, *, progress: object) -> PartialFill:
        assert callable(progress)
        progress(PartialFill(Outcome.UNKNOWN, TOP, {}, 1, 8, 0.0, (), 1))
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(engine, "partial_fill", broken)
    do(small, "fill --partial")
    assert "ZeroDivisionError: a bug" in ear.of(JobFailed)[0].message
    assert small.puzzle.grid[Position(0, 0)].content == Content.of("B")
    assert not small.jobs.fill.is_running
