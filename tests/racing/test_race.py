"""The race with real processes: who takes part, who fails, and how it is ended."""

import multiprocessing
import os
import signal

from tests.racing.races import WORDS, endless_task, order_of, task_of
from xwtui.racing.race import WORKER_NAME, run_race
from xwtui.racing.task import RaceView, RunState

LETTERS = "emogic-letters"


def test_every_entrant_runs_with_every_seed_and_is_judged() -> None:
    order = order_of(LETTERS, "trie", seeds=2, cores=2)
    told: list[RaceView] = []
    view = run_race(task_of(), order, told=told.append)
    assert [(one.entrant, one.seed) for one in view.standings] == [
        (LETTERS, 0),
        ("trie", 0),
        (LETTERS, 1),
        ("trie", 1),
    ]
    for one in view.standings:
        assert (one.state, one.squares, one.all_squares) == (RunState.FILLED, 9, 9)
        assert "".join(one.grid) in ("ABCDEFGHI", "ADGBEHCFI")
        assert one.mean_score == sum(sorted(WORDS.values())[2:]) / 6
        assert one.nodes > 0
    assert told[-1].standings == view.standings
    assert view.is_over
    assert not view.is_stopped


def test_a_race_that_is_cancelled_ends_with_what_there_is() -> None:
    seen: list[RaceView] = []
    view = run_race(
        endless_task(),
        order_of(LETTERS, seeds=3),
        cancelled=lambda: any(one.state is RunState.RUNNING for view in seen for one in view.standings),
        told=seen.append,
    )
    assert view.is_stopped
    assert {one.state for one in view.standings} == {RunState.STOPPED}


def test_who_brings_its_process_down_is_out_and_the_others_go_on() -> None:
    """A process that is killed from outside takes the run that has the turn with it; the rest begins again."""
    killed: list[int] = []

    def kill_once(view: RaceView) -> None:
        if not killed and any(one.state is RunState.RUNNING for one in view.standings):
            [process] = [one for one in multiprocessing.active_children() if one.name == WORKER_NAME]
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            killed.append(process.pid)

    view = run_race(
        endless_task(),
        order_of(LETTERS, "trie", seconds=2.0),
        told=kill_once,
    )
    assert killed
    states = sorted((one.state for one in view.standings), key=lambda state: state.value)
    assert states in (
        [RunState.CRASHED, RunState.OUT_OF_TIME],
        [RunState.CRASHED, RunState.CRASHED],  # killed between two turns: it was nobody's fault
    )
    [crashed, *_] = [one for one in view.standings if one.state is RunState.CRASHED]
    assert crashed.reason == "its process was ended by SIGKILL"
    assert not [one for one in multiprocessing.active_children() if one.name == WORKER_NAME]


def test_a_run_that_does_not_come_back_from_its_turn_is_given_up() -> None:
    """With no patience at all, every turn that is seen is too long."""
    view = run_race(endless_task(), order_of(LETTERS, seconds=600.0), patience=-600.0)
    [one] = view.standings
    assert one.state is RunState.CRASHED
    assert "did not respond" in one.reason
