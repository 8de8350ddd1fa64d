"""One run after the other in this process: how each kind of entrant ends, and whose turn it is."""

import pytest

from tests.racing.entrants import Cheating, Crashing, Dazzling, GivingUp, Lying, Misbehaving, Refusing, start_of
from tests.racing.races import order_of, task_of
from xwtui.racing.race import TaskRun, Turns, refuted
from xwtui.racing.task import RaceStart, RunState, Standing
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice

FOREVER = 1e9
"""Seconds that no run uses up."""


def ran(start: RaceStart, seconds: float = FOREVER) -> Standing:
    """How a run ends."""
    run = TaskRun(task_of("AB.\n...\n..."), start, seconds)
    while not run.state.is_over:
        run.turn(0.001)
    return run.standing()


@pytest.mark.parametrize(
    ("strategy", "state", "reason"),
    [
        (Refusing, RunState.REFUSED, "only grids without squares"),
        (Crashing, RunState.CRASHED, "RuntimeError: out of ideas"),
        (Cheating, RunState.FOUL, "r1c3 is empty, and 6 more"),
        (Lying, RunState.IMPOSSIBLE, "searched all 0 nodes: no fill exists"),
        (GivingUp, RunState.GAVE_UP, "giving-up gave up"),
    ],
)
def test_every_end_has_a_state_and_a_reason(
    strategy: type[Strategy], state: RunState, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = ran(start_of(strategy, monkeypatch))
    assert standing.state is state
    assert reason in standing.reason
    assert (standing.squares, standing.all_squares) == (2, 9)
    assert not standing.grid


def test_one_that_cannot_be_looked_at_has_crashed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = TaskRun(task_of(), start_of(Dazzling, monkeypatch), FOREVER)
    run.turn(0.001)
    assert run.standing().state is run.state is RunState.CRASHED
    assert "no board" in run.standing().reason


def test_time_is_up_when_the_budget_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ran(start_of(Misbehaving, monkeypatch), seconds=0.01)
    assert standing.state is RunState.OUT_OF_TIME
    assert standing.search_seconds > 0.01


def test_a_fill_after_its_time_does_not_count() -> None:
    assert ran(RaceStart(StrategyChoice.parse("emogic-letters"), 0), seconds=1e-9).state is RunState.OUT_OF_TIME


def test_a_proof_falls_when_another_finds_a_fill() -> None:
    runs = (Standing("liar", 0, RunState.IMPOSSIBLE), Standing("honest", 0, RunState.FILLED))
    liar, honest = refuted(runs)
    assert (liar.state, honest.state) == (RunState.FOUL, RunState.FILLED)
    assert "honest found one" in liar.reason
    assert refuted(runs[:1]) == runs[:1]


def test_turns_go_round_and_a_crash_ends_only_its_own_run(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[int, Standing] = {}
    turns = Turns(told.__setitem__)
    starts = [start_of(Misbehaving, monkeypatch), start_of(Crashing, monkeypatch), *order_of("double-trie").starts]
    for number, start in enumerate(starts):
        turns.add(number, TaskRun(task_of(), start, FOREVER))
    order = []
    while told.get(2, Standing("", 0)).state is not RunState.FILLED:
        order.append(turns.next)
        turns.turn(0.0)
    assert order[:6] == [0, 1, 2, 0, 1, 2]
    assert told[1].state is RunState.CRASHED
    assert order.count(1) == 3 + 1, "one turn to lay out, then up to its third decision"
    assert told[0].state in (RunState.PREPARING, RunState.RUNNING)
    assert not turns.is_idle
    counts = [order.count(number) for number in (0, 2)]
    assert abs(counts[0] - counts[1]) <= 1
