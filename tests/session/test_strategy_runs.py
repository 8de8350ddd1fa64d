"""Fills by a classic strategy: run, stepped, stopped and written down like those of the engine."""

from pathlib import Path

import pytest

from tests.known import known
from tests.naive.drat import refutes
from tests.session.conftest import FILLS
from tests.session.listening import Ear
from tests.session.saying import do, refuses, rows
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.session.messages import FillEnded, FillProgress
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words


@pytest.mark.parametrize(
    "strategy", ["emogic-letters:walk=snake", "emogic-words", "trie", "sorted-index", "xwtui"]
)
def test_a_strategy_fills_in_pencil_as_one_edit(small: Session, ear: Ear, strategy: str) -> None:
    do(small, f"fill --strategy {strategy} --seed 3")
    assert rows(small) in FILLS
    assert ear.of(FillEnded)[0].run.outcome is Outcome.FILLED
    assert small.undo() == "fill"


def test_a_strategy_is_stepped_on_and_back(small: Session) -> None:
    do(small, "step --strategy double-trie")
    run = known(small.jobs.fill.view)
    assert run.event is not None
    assert run.paused
    here = run.event_number
    do(small, "step 3")
    assert small.jobs.fill.view is not None
    assert small.jobs.fill.view.event_number == here + 3
    do(small, "back 2")
    assert small.jobs.fill.view.event_number == here + 1
    do(small, "continue")
    assert rows(small) in FILLS


def test_it_runs_up_to_a_backtrack(small: Session) -> None:
    do(small, "until backtrack --strategy emogic-letters:letters=alphabetical")
    run = known(small.jobs.fill.view)
    assert known(run.event).kind is EventKind.BACKTRACK


IMPROVE = "fill --strategy copeland:improve=sections"


def test_a_strategy_that_improves_ends_with_its_best_fill_after_its_rounds(small: Session, ear: Ear) -> None:
    do(small, f"{IMPROVE},rounds=3")
    run = ear.of(FillEnded)[0].run
    assert (run.outcome, run.verdict) == (Outcome.FILLED, Outcome.FILLED)
    assert run.quality is not None
    assert ending_words(run) == "all rounds done; nothing better was found: mean 55, lowest 45, 3 rounds"
    assert rows(small) in FILLS
    assert [(fill.mean_score, fill.stands_on(small.puzzle.grid)) for fill in small.fills.kept] == [(55.0, True)]


def test_a_strategy_that_improves_keeps_its_best_fill_when_the_time_is_up(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.session.jobs.fills.search.SLICE_SECONDS", 1000)
    do(small, f"{IMPROVE} --time 0.000001")
    run = ear.of(FillEnded)[0].run
    assert (run.outcome, run.verdict) == (Outcome.UNKNOWN, Outcome.FILLED)
    assert rows(small) in FILLS


def test_a_strategy_that_improves_keeps_its_best_fill_when_it_is_stopped(small: Session, ear: Ear) -> None:
    run_line(small, IMPROVE)
    ear.wait_for(FillProgress, lambda message: message.run.quality is not None)
    run_line(small, "stop")
    assert ear.of(FillEnded)[0].run.outcome is Outcome.CANCELLED
    assert rows(small) in FILLS


def test_a_strategy_that_improves_is_stepped_from_fill_to_fill(small: Session) -> None:
    do(small, "until solved --strategy copeland:improve=sections")
    run = known(small.jobs.fill.view)
    assert known(run.event).kind is EventKind.SOLVED
    do(small, "step 5")
    assert known(small.jobs.fill.view).event_number == run.event_number + 5
    run_line(small, "stop")
    assert rows(small) in FILLS


@pytest.mark.parametrize("strategy", ["copeland", "emogic-letters", "xwtui"])
def test_a_strategy_begins_with_what_stands_in_pencil(small: Session, strategy: str) -> None:
    for fill in sorted(FILLS):
        run_line(small, f"set 1A {fill[0]}")
        run_line(small, "pencil all")
        do(small, f"fill --strategy {strategy} --from-pencil")
        assert rows(small) == fill


@pytest.mark.parametrize("fill", sorted(FILLS))
def test_a_strategy_that_improves_begins_with_the_finished_grid(
    small: Session, ear: Ear, fill: tuple[str, ...]
) -> None:
    for number, word in enumerate(fill, start=1):
        run_line(small, f"set {number if number == 1 else number + 2}A {word}")
    run_line(small, "pencil all")
    do(small, f"{IMPROVE},rounds=3")
    assert rows(small) == fill
    assert ear.of(FillEnded)[0].run.quality is not None


def test_an_impossible_grid_is_told(small: Session, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    do(small, "fill --strategy emogic-words")
    assert ear.of(FillEnded)[0].run.outcome is Outcome.IMPOSSIBLE
    assert "no word fits Q??" in ear.of(FillEnded)[0].run.reason


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fill --strategy emogic-leters", "did you mean emogic-letters"),
        ("fill --strategy double-trie --best", "--strategy makes only one plain fill"),
        ("fill --strategy double-trie --threads 2", "--strategy makes only one plain fill"),
    ],
)
def test_wrong_use_is_told(small: Session, line: str, message: str) -> None:
    refuses(small, line, message)


def test_the_names_are_offered(small: Session) -> None:
    offered = {completion.text for completion in complete(small, "fill --strategy emogic-")}
    assert {"emogic-letters", "emogic-words"} <= offered


def test_a_proof_is_written_with_its_formula(small: Session, tmp_path: Path) -> None:
    pytest.importorskip("pysat")
    run_line(small, "set r1c1 T")
    do(small, f"fill --strategy sat --proof {tmp_path / 'none.drat'}")
    formula, steps = ((tmp_path / name).read_text(encoding="utf-8") for name in ("none.cnf", "none.drat"))
    assert refutes(formula, steps)
