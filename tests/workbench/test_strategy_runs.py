"""Fills by a classic strategy: run, stepped, stopped and written down like those of the engine."""

import pytest

from tests.workbench.conftest import FILLS
from tests.workbench.listening import Ear
from tests.workbench.saying import do, rows
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.errors import VerbError
from xwtui.workbench.messages import FillEnded
from xwtui.workbench.verbs.completion import complete
from xwtui.workbench.verbs.registry import run_line
from xwtui.workbench.workbench import Workbench


@pytest.mark.parametrize("strategy", ["emogic-letters:walk=snake", "emogic-words", "double-trie", "xwtui"])
def test_a_strategy_fills_in_pencil_as_one_edit(small: Workbench, ear: Ear, strategy: str) -> None:
    do(small, f"fill --strategy {strategy} --seed 3")
    assert rows(small) in FILLS
    assert ear.of(FillEnded)[0].run.outcome is Outcome.FILLED
    assert small.undo() == "fill"


def test_a_strategy_is_stepped_on_and_back(small: Workbench) -> None:
    do(small, "step --strategy double-trie")
    run = small.run
    assert run is not None
    assert run.event is not None
    assert run.paused
    here = run.event_number
    do(small, "step 3")
    assert small.run is not None
    assert small.run.event_number == here + 3
    do(small, "back 2")
    assert small.run.event_number == here + 1
    do(small, "continue")
    assert rows(small) in FILLS


def test_it_runs_up_to_a_backtrack(small: Workbench) -> None:
    do(small, "until backtrack --strategy emogic-letters:letters=alphabetical")
    run = small.run
    assert run is not None
    assert run.event is not None
    assert run.event.kind is EventKind.BACKTRACK


def test_an_impossible_grid_is_told(small: Workbench, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    do(small, "fill --strategy emogic-words")
    assert ear.of(FillEnded)[0].run.outcome is Outcome.IMPOSSIBLE
    assert "no word fits Q??" in ear.of(FillEnded)[0].run.reason


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fill --strategy emogic-leters", "did you mean emogic-letters"),
        ("fill --strategy double-trie --best", "--strategy makes one plain fill"),
        ("fill --strategy double-trie --threads 2", "--strategy makes one plain fill"),
    ],
)
def test_wrong_use_is_told(small: Workbench, line: str, message: str) -> None:
    with pytest.raises(VerbError, match=message):
        run_line(small, line)


def test_the_names_are_offered(small: Workbench) -> None:
    offered = {completion.text for completion in complete(small, "fill --strategy emogic-")}
    assert {"emogic-letters", "emogic-words"} <= offered
