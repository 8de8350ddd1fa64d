"""Every fill mode uses one search protocol; and race verbs, with real threads and processes."""

import csv
import threading
from dataclasses import replace
from itertools import chain, permutations
from pathlib import Path

import pytest

from tests.engine.small_problems import problem_of
from tests.known import known
from tests.naive.model import naive_squares
from tests.session.conftest import FILLS
from tests.session.saying import PATIENCE_SECONDS, Ear, do, on_three_by_three, refuses, rows, run_of, said
from xwtui.batch.races.task import RunState
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill import partial as engine
from xwtui.engine.fill.partial import PartialFill, StoppedEntry
from xwtui.engine.problem.no_fill import QuotedText
from xwtui.errors import XwtuiError
from xwtui.model import Content, Grid, Ink, Position, Puzzle, WordChoice
from xwtui.session.fill_options import MOST_KEPT, FillOptions, Mode
from xwtui.session.jobs.fills.run import FillRun, RunControl
from xwtui.session.jobs.fills.search import DirectSearch, ModeSearch
from xwtui.session.jobs.fills.stepped import SteppedSearch
from xwtui.session.messages import FillEnded, FillProgress, JobFailed, RaceEnded, RaceMoved
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words, standing_words, stopped_lines


def running(bench: Session) -> ModeSearch:
    run = known(bench.jobs.fill._run)
    return known(run.search)


def test_a_fill_is_recorded_only_when_stepped(endless: Session, ear: Ear) -> None:
    run_line(endless, "fill")
    ear.wait_for(FillProgress)
    assert running(endless).recording is None
    do(endless, "step")
    assert running(endless).recording is not None
    assert endless.stop()


WORDS = {"BAG": 50, "ICE": 60, "TEN": 70, "BIT": 55, "ACE": 45, "GEN": 50}


@pytest.mark.parametrize("mode", [mode for mode in Mode if not mode.is_of_entry])
def test_every_mode_uses_the_same_protocol(mode: Mode) -> None:
    threads = 1 if mode is Mode.FILL else 2
    run = FillRun(FillOptions(mode, seconds=PATIENCE_SECONDS, threads=threads), seed=1)
    view = known(run.work(problem_of(Grid.blank(3, 3), WORDS), RunControl(lambda: False, lambda _: None)))
    assert view.verdict is Outcome.FILLED
    assert isinstance(run.search, SteppedSearch if mode is Mode.FILL else DirectSearch)
    assert (run.search.has_ended, run.recording) == (True, None)


def test_a_partial_fill_is_one_edit_and_names_the_rest(small: Session, ear: Ear) -> None:
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


def test_old_pencil_in_unfilled_squares_is_erased(small: Session) -> None:
    do(small, "fill")
    run_line(small, "set r1c1 Q")
    do(small, "fill --partial")
    grid = small.puzzle.grid
    written = {at for at in grid.positions() if grid[at].content}
    assert written == {*run_of(small).squares, Position(0, 0)}


def test_a_fillable_grid_is_filled_completely(small: Session) -> None:
    do(small, "fill --partial --threads 2")
    assert small.puzzle.grid.is_filled
    assert (run_of(small).outcome, run_of(small).stopped) == (Outcome.FILLED, ())


def test_two_equal_given_answers_are_named(small: Session, ear: Ear) -> None:
    for square in ("r1c1 A", "r2c1 B", "r1c2 B", "r2c2 A", "r3c1 A", "r1c3 A", "r3c2 A", "r2c3 A", "r3c3 A"):
        run_line(small, f"set {square}")
    do(small, "fill --partial")
    run = run_of(small)
    assert run.outcome is Outcome.IMPOSSIBLE
    assert ending_words(run) == "filled 9 of 9 squares; impossible: 1A and 1D would both be ABA"


TOP = {Position(0, 0): Content.of("B")}


def test_a_stopped_partial_fill_keeps_its_best(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fake engine function reports one partial fill, and then runs until it is stopped."""
    ended = threading.Event()

    def endless(problem: object, budget: Budget, *, progress: object) -> PartialFill:
        assert callable(progress)
        found = PartialFill(Outcome.UNKNOWN, TOP, {}, 1, 8, 0.0, (StoppedEntry("1A", QuotedText("no word")),), 1)
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


def test_an_error_keeps_the_best_and_is_reported(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(problem: object, budget: Budget, *, progress: object) -> PartialFill:
        assert callable(progress)
        progress(PartialFill(Outcome.UNKNOWN, TOP, {}, 1, 8, 0.0, (), 1))
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(engine, "partial_fill", broken)
    do(small, "fill --partial")
    assert "ZeroDivisionError: a bug" in ear.of(JobFailed)[0].message
    assert small.puzzle.grid[Position(0, 0)].content == Content.of("B")
    assert not small.jobs.fill.is_running


SYMMETRIC = ["CAT", "ACE", "TEN"]
"""A list whose only fill of a 3x3 square has every word twice."""


def ended(ear: Ear) -> RunView:
    [end] = ear.of(FillEnded)
    return end.run


@pytest.mark.parametrize("options", ["", "--strategy emogic-letters", "--strategy top-ten", "--strategy xwtui"])
def test_all_fills_are_counted_and_listed(small: Session, ear: Ear, options: str) -> None:
    do(small, f"fill --all {options}")
    run = ended(ear)
    assert (run.outcome, run.found, run.reason) == (Outcome.FILLED, 2, "")
    assert ending_words(run).startswith("2 fills in all")
    assert (run.placements is not None) == ("letters" in options)
    assert ("letters placed" in ending_words(run)) == ("letters" in options)
    assert rows(small) == ("???", "???", "???")
    taken = set()
    for number in (1, 2):
        said(small, f"take {number}")
        taken.add(rows(small))
    assert taken == FILLS


@pytest.mark.parametrize("options", ["", "--strategy emogic-words", "--strategy double-trie"])
@pytest.mark.parametrize("place", ["r1c1:r1c2", "r2c2", "1A"])
def test_each_fill_of_a_part_is_found_once(
    bench: Session, ear: Ear, tmp_path: Path, place: str, options: str
) -> None:
    words = ["AAB", "ABA", "ABB", "BAA", "BAB", "BBC", "CAB", "BCA"]
    on_three_by_three(bench, "".join(f"{word};50\n" for word in words), tmp_path)
    grid = bench.puzzle.grid
    inside = sorted(naive_squares(grid, place))
    touched = [slot for slot in grid.slots if not set(inside).isdisjoint(slot.positions)]
    expected = set()
    for answers in permutations(words, len(touched)):
        laid = (zip(slot.positions, word, strict=True) for slot, word in zip(touched, answers, strict=True))
        pairs = list(chain.from_iterable(laid))
        if len(set(pairs)) == len(dict(pairs)):
            expected.add(tuple(dict(pairs)[at] for at in inside))
    do(bench, f"fill --all --only {place} {options}")
    run = ended(ear)
    assert (run.outcome, run.found) == (Outcome.FILLED, len(expected))
    assert run.squares.keys() == set(inside)
    kept = [tuple(str(fill.squares[at]) for at in inside) for fill in bench.fills.kept]
    assert (len(kept), set(kept)) == (len(expected), expected)
    assert all(fill.squares.keys() == set(inside) for fill in bench.fills.kept)


def test_repeats_can_be_allowed(bench: Session, ear: Ear, small: Session) -> None:
    words = replace(small.puzzle.words, lists=(), scores=dict.fromkeys(SYMMETRIC, 90), minimum_score=89)
    bench.new(replace(Puzzle.blank(3, 3), words=words))
    do(bench, "fill --all --strategy double-trie")
    with_others = ended(ear).found
    ear.forget()
    do(bench, "fill --all --strategy double-trie --allow-repeats")
    assert ended(ear).found > with_others


def test_an_incomplete_enumeration_is_reported(small: Session, ear: Ear) -> None:
    do(small, "fill --all --strategy emogic-words:backtrack=emogic")
    run = ended(ear)
    assert run.outcome is Outcome.UNKNOWN
    assert "at least 2 fills: with these options, emogic-words does not find every fill" in ending_words(run)


def test_the_absence_of_fills_is_proved(small: Session, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    do(small, "fill --all --strategy emogic-words")
    assert ended(ear).outcome is Outcome.IMPOSSIBLE
    assert ending_words(ended(ear)).startswith("impossible: 1A: no word fits Q??")


def test_a_stopped_enumeration_keeps_the_first_fills(bench: Session, ear: Ear) -> None:
    bench.new(replace(Puzzle.blank(4, 4), words=WordChoice(minimum_score=30)))
    assert run_line(bench, "fill --all --strategy top-ten").started
    ear.wait_for(FillProgress, lambda message: message.run.found > 1)
    shown = ear.of(FillProgress)[-1].run
    assert len(shown.squares) == 16
    assert "fills, " in standing_words(shown)
    assert bench.stop()
    assert 1 < len(bench.fills.kept) <= MOST_KEPT
    assert rows(bench) == ("????",) * 4
    assert ended(ear).outcome is Outcome.CANCELLED
    assert " fills: it was stopped" in ending_words(ended(ear))


def test_the_time_limit_ends_it(bench: Session, ear: Ear) -> None:
    bench.new(replace(Puzzle.blank(4, 4), words=WordChoice(minimum_score=30)))
    do(bench, "fill --all --time 0.5")
    run = ended(ear)
    assert (run.outcome, run.reason) == (Outcome.UNKNOWN, "time ran out")


LETTERS = "emogic-letters"


def test_a_race_runs_in_the_background_and_is_saved(small: Session, ear: Ear, tmp_path: Path) -> None:
    assert run_line(small, f"race {LETTERS},trie --seeds 2 --time 1000 --threads 1").started
    ended = ear.wait_for(RaceEnded)
    assert small.wait()
    assert ended.view is small.jobs.race.view
    assert [one.state for one in ended.view.statuses] == [RunState.FILLED] * 4
    assert ear.of(RaceMoved)[0].view.statuses[0].state is RunState.WAITING
    assert "2/2" in said(small, "race show")
    path = tmp_path / "race.csv"
    assert str(path) in said(small, f"race save {path}")
    with path.open(newline="") as file:
        assert len(list(csv.reader(file))) == 5
    run_line(small, f"race save {path}")
    path.write_text("Monday: rain.\n", encoding="utf-8")
    with pytest.raises(ExistsAlreadyError, match=f"{path} already exists: choose another name, or `race save"):
        run_line(small, f"race save {path}")
    assert path.read_text(encoding="utf-8") == "Monday: rain.\n"
    run_line(small, f"race save --force {path}")
    assert path.read_text(encoding="utf-8") != "Monday: rain.\n"


def test_stop_ends_the_race_immediately_with_its_results(endless: Session, ear: Ear) -> None:
    run_line(endless, f"race {LETTERS} --time 80000")
    ear.wait_for(RaceMoved, lambda moved: any(one.state is RunState.RUNNING for one in moved.view.statuses))
    assert endless.jobs.race.is_running
    assert run_line(endless, "stop").lines == ("stopped",)
    [ended] = ear.of(RaceEnded)
    assert ended.view.is_stopped
    assert {one.state for one in ended.view.statuses} == {RunState.STOPPED}
    assert not endless.jobs.race.is_running
    assert endless.wait()
    assert ear.of(RaceEnded) == [ended]
    assert not endless.jobs.race.stop()


def test_a_new_race_replaces_the_last(endless: Session, ear: Ear) -> None:
    run_line(endless, f"race {LETTERS} --time 80000")
    ear.wait_for(RaceMoved, lambda moved: any(one.state is RunState.RUNNING for one in moved.view.statuses))
    run_line(endless, "race trie --time 0.01 --seeds 1")
    ended = ear.wait_for(RaceEnded)
    assert ended.view.entrants == ("trie",)
    assert endless.jobs.race.view is ended.view


def test_an_impossible_race_is_refused(small: Session, ear: Ear, small_list: Path) -> None:
    small_list.unlink()
    run_line(small, f"race {LETTERS}")
    small.wait()
    assert not small.jobs.race.is_running
    assert known(small.jobs.race.view).is_stopped


def test_a_race_is_saved_only_in_its_own_formats(small: Session, ear: Ear, tmp_path: Path) -> None:
    run_line(small, f"race {LETTERS} --seeds 1")
    ear.wait_for(RaceEnded)
    refuses(small, f"race save {tmp_path / 'race.puz'}", r"saved as \.json, \.csv, \.svg", XwtuiError)


def test_strategies_are_completed_one_after_another(small: Session) -> None:
    assert "xwtui" in [one.text for one in complete(small, "race xw")]
    assert "xwtui,top-ten" in [one.text for one in complete(small, "race xwtui,to")]
