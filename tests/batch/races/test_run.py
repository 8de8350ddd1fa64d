"""Races: runs in turn in this process, or in real processes; entrants, failures, and endings."""

import multiprocessing
import os
import pickle
import signal

import pytest

from tests.batch.races.entrants import (
    WORDS,
    Cheating,
    Crashing,
    Dazzling,
    GivingUp,
    Lying,
    Misbehaving,
    Refusing,
    endless_task,
    order_of,
    start_of,
    task_of,
)
from xwtui.batch.races.race import WORKER_NAME, TaskRun, Turns, refuted, run_race
from xwtui.batch.races.task import RaceOrder, RaceStart, RaceView, RunState, RunStatus, read_entrants
from xwtui.errors import EngineError
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import STRATEGIES, StrategyChoice

FOREVER = 1e9
"""Seconds that no run uses up."""


def ran(start: RaceStart, seconds: float = FOREVER) -> RunStatus:
    """Return the result of a run."""
    run = TaskRun(task_of("AB.\n...\n..."), start, seconds)
    while not run.state.is_over:
        run.turn(0.001)
    return run.status()


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
    status = ran(start_of(strategy, monkeypatch))
    assert status.state is state
    assert reason in status.reason
    assert (status.squares, status.all_squares) == (2, 9)
    assert not status.grid


def test_an_entrant_that_cannot_be_viewed_has_crashed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = TaskRun(task_of(), start_of(Dazzling, monkeypatch), FOREVER)
    run.turn(0.001)
    assert run.status().state is run.state is RunState.CRASHED
    assert "no board" in run.status().reason


def test_time_is_up_when_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    status = ran(start_of(Misbehaving, monkeypatch), seconds=0.01)
    assert status.state is RunState.OUT_OF_TIME
    assert status.search_seconds > 0.01


def test_a_fill_after_the_time_limit_does_not_count() -> None:
    assert ran(RaceStart(StrategyChoice.parse("emogic-letters"), 0), seconds=1e-9).state is RunState.OUT_OF_TIME


def test_a_proof_is_refuted_by_anothers_fill() -> None:
    runs = (RunStatus("liar", 0, RunState.IMPOSSIBLE), RunStatus("honest", 0, RunState.FILLED))
    liar, honest = refuted(runs)
    assert (liar.state, honest.state) == (RunState.FOUL, RunState.FILLED)
    assert "honest found one" in liar.reason
    assert refuted(runs[:1]) == runs[:1]


def test_runs_take_turns_and_a_crash_ends_only_its_own_run(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[int, RunStatus] = {}
    turns = Turns(told.__setitem__)
    starts = [start_of(Misbehaving, monkeypatch), start_of(Crashing, monkeypatch), *order_of("double-trie").starts]
    for number, start in enumerate(starts):
        turns.add(number, TaskRun(task_of(), start, FOREVER))
    order = []
    while told.get(2, RunStatus("", 0)).state is not RunState.FILLED:
        order.append(turns.next)
        turns.turn(0.0)
    assert order[:6] == [0, 1, 2, 0, 1, 2]
    assert told[1].state is RunState.CRASHED
    assert order.count(1) == 3 + 1, "one turn to lay out, then up to its third decision"
    assert told[0].state in (RunState.PREPARING, RunState.RUNNING)
    assert not turns.is_idle
    counts = [order.count(number) for number in (0, 2)]
    assert abs(counts[0] - counts[1]) <= 1


LETTERS = "emogic-letters"


def test_every_entrant_runs_with_every_seed_and_is_judged() -> None:
    order = order_of(LETTERS, "trie", seeds=2, cores=2)
    told: list[RaceView] = []
    view = run_race(task_of(), order, progress=told.append)
    assert [(one.entrant, one.seed) for one in view.statuses] == [
        (LETTERS, 0),
        ("trie", 0),
        (LETTERS, 1),
        ("trie", 1),
    ]
    for one in view.statuses:
        assert (one.state, one.squares, one.all_squares) == (RunState.FILLED, 9, 9)
        assert "".join(one.grid) in ("ABCDEFGHI", "ADGBEHCFI")
        assert one.mean_score == sum(sorted(WORDS.values())[2:]) / 6
        assert one.nodes > 0
    assert told[-1].statuses == view.statuses
    assert view.is_over
    assert not view.is_stopped


def test_a_cancelled_race_returns_its_results_so_far() -> None:
    seen: list[RaceView] = []
    view = run_race(
        endless_task(),
        order_of(LETTERS, seeds=3),
        cancelled=lambda: any(one.state is RunState.RUNNING for view in seen for one in view.statuses),
        progress=seen.append,
    )
    assert view.is_stopped
    assert {one.state for one in view.statuses} == {RunState.STOPPED}


def test_a_crashed_process_ends_its_entrant_and_the_others_continue() -> None:
    """A process killed from outside takes the current run with it; the others start again."""
    killed: list[int] = []

    def kill_once(view: RaceView) -> None:
        if not killed and any(one.state is RunState.RUNNING for one in view.statuses):
            [process] = [one for one in multiprocessing.active_children() if one.name == WORKER_NAME]
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            killed.append(process.pid)

    view = run_race(
        endless_task(),
        order_of(LETTERS, "trie", seconds=2.0),
        progress=kill_once,
    )
    assert killed
    states = sorted((one.state for one in view.statuses), key=lambda state: state.value)
    assert states in (
        [RunState.CRASHED, RunState.OUT_OF_TIME],
        [RunState.CRASHED, RunState.CRASHED],  # killed between two turns: no run caused it
    )
    [crashed, *_] = [one for one in view.statuses if one.state is RunState.CRASHED]
    assert crashed.reason == "its process was ended by SIGKILL"
    assert not [one for one in multiprocessing.active_children() if one.name == WORKER_NAME]


def test_a_run_stuck_in_its_turn_is_given_up() -> None:
    """With zero patience, every observed turn is too long."""
    view = run_race(endless_task(), order_of(LETTERS, seconds=600.0), patience=-600.0)
    [one] = view.statuses
    assert one.state is RunState.CRASHED
    assert "did not respond" in one.reason


@pytest.mark.parametrize("texts", [(), ("all",), ("ALL",), (" ",)])
def test_every_strategy_starts_by_default(texts: tuple[str, ...]) -> None:
    entrants = list(map(str, read_entrants(texts)))
    assert entrants == [name for name in STRATEGIES if name != "sat"], "whose clauses are too many for most grids"
    assert list(map(str, read_entrants(["sat"]))) == ["sat"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("xwtui,top-ten",), ["xwtui", "top-ten"]),
        (("xwtui", "top-ten"), ["xwtui", "top-ten"]),
        (("xwtui,XWTUI,xwtui:noise=20",), ["xwtui"]),
        (("emogic-letters:walk=snake,supply=masks,xwtui",), ["emogic-letters:walk=snake,supply=masks", "xwtui"]),
        (
            ("xwtui:order=score,decide=squares,xwtui:jump=no",),
            ["xwtui:order=score,decide=squares", "xwtui:jump=no"],
        ),
    ],
)
def test_commas_separate_entrants_and_options(texts: tuple[str, ...], expected: list[str]) -> None:
    assert list(map(str, read_entrants(texts))) == expected


def test_too_many_and_unknown_entrants_are_refused() -> None:
    with pytest.raises(EngineError, match="51 strategies are too many"):
        read_entrants([f"xwtui:patience={number}" for number in range(1, 52)])
    with pytest.raises(EngineError, match="did you mean top-ten"):
        read_entrants(["xwtui,topten"])


def test_all_entrants_run_with_a_seed_before_the_next_seed() -> None:
    order = RaceOrder(read_entrants(["xwtui,top-ten"]), (7, 8))
    assert [(str(start.entrant), start.seed) for start in order.starts] == [
        ("xwtui", 7),
        ("top-ten", 7),
        ("xwtui", 8),
        ("top-ten", 8),
    ]


def test_a_task_can_be_pickled() -> None:
    task = task_of("A..\n...\n...")
    again = pickle.loads(pickle.dumps(task))
    assert again.puzzle == task.puzzle
    assert again.engine_task.lexicon.fingerprint == task.engine_task.lexicon.fingerprint
    table = again.engine_task.lexicon.layers[0].table(3)
    assert table.words() == task.engine_task.lexicon.layers[0].table(3).words()
    assert not table.letters.flags.writeable
