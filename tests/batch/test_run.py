"""Running a batch over a pool that loses, repeats and spoils: each task counts once, and none is lost."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.batch.batches import BLANK, STUCK, begin
from tests.batch.pools import HerePool, ProcessPool
from xwtui.batch.pool import Arrival, Loss
from xwtui.batch.run import MOST_LOSSES, run_batch
from xwtui.batch.store import BatchProgress, BatchStore, Phase
from xwtui.batch.tasks import BatchKind, BatchTask, TaskResult, TaskState


def outcome(store: BatchStore) -> list[tuple[int, TaskState, tuple[str, ...]]]:
    """What a batch came to: for each find its seed and rows."""
    return [(one.seed, TaskState.FOUND, one.find.rows) for one in store.best(1000)]


def test_a_batch_is_done_and_told(tmp_path: Path) -> None:
    told: list[BatchProgress] = []
    kept: list[tuple[BatchTask, TaskResult]] = []
    with begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(3)) as store:
        end = run_batch(store, HerePool(), told=told.append, kept=lambda task, result: kept.append((task, result)))
        assert end.view.is_over
        assert end.view.states == {TaskState.FOUND: 3, TaskState.IMPOSSIBLE: 3}
        assert store.waiting() == []
    assert [task.name for task, _ in kept] == [result.name for _, result in kept]
    assert len(kept) == end.new == 6
    assert told[0].phase is Phase.SENDING
    assert end.bytes_sent > 0 < end.bytes_received


def test_the_same_batch_again_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with begin(path, BLANK, seeds=range(2)) as store:
        run_batch(store, HerePool())
    pool = HerePool()
    with begin(path, BLANK, seeds=range(2)) as store:
        run_batch(store, pool)
    assert pool.done == []


@pytest.mark.parametrize("loss", [Loss.WORKER, Loss.SCHEDULER, Loss.WORDS])
def test_what_is_lost_is_done_again(loss: Loss, tmp_path: Path) -> None:
    seen: set[str] = set()

    def lose_first(arrival: Arrival) -> Sequence[Arrival]:
        if arrival.name in seen:
            return [arrival]
        seen.add(arrival.name)
        return [Arrival(arrival.name, loss=loss)]

    pool = HerePool(lose_first)
    with begin(tmp_path / "run.sqlite", BLANK, seeds=range(3)) as store:
        end = run_batch(store, pool)
        assert end.view.states == {TaskState.FOUND: 3}
    assert len(pool.done) == 6
    assert end.lost == (3 if loss is Loss.WORKER else 0)


def test_what_comes_twice_counts_once(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, seeds=range(3)) as store:
        end = run_batch(store, HerePool(lambda arrival: [arrival, arrival]))
        assert end.new == end.view.done == end.view.finds == 3


def test_a_task_that_kills_its_workers_is_left_for_another_run(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, seeds=range(2)) as store:
        [killer, _] = store.waiting()
        pool = HerePool(lambda one: [Arrival(one.name, loss=Loss.WORKER)] if one.name == killer.name else [one])
        end = run_batch(store, pool)
        assert end.view.done == 1
        assert store.waiting() == [killer]
    assert pool.done.count(killer.name) == MOST_LOSSES + 1


def test_what_cannot_be_read_is_foul(tmp_path: Path) -> None:
    def spoil(arrival: Arrival) -> Sequence[Arrival]:
        return [Arrival(arrival.name, b'{"name": 1')]

    with begin(tmp_path / "run.sqlite", BLANK) as store:
        assert run_batch(store, HerePool(spoil)).view.states == {TaskState.FOUL: 1}


def test_a_lie_is_foul(tmp_path: Path) -> None:
    def lie(arrival: Arrival) -> Sequence[Arrival]:
        values = json.loads(arrival.data)
        values["finds"][0]["rows"] = ["ABC", "DEF", "GHX"]
        return [Arrival(arrival.name, json.dumps(values).encode())]

    with begin(tmp_path / "run.sqlite", BLANK) as store:
        assert run_batch(store, HerePool(lie)).view.states == {TaskState.FOUL: 1}
        assert store.best(1) == ()


def test_a_run_that_is_stopped_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    pool = HerePool()
    with begin(path, BLANK, seeds=range(9)) as store:
        end = run_batch(store, pool, cancelled=lambda: len(pool.done) >= 2)
        assert end.phase is Phase.STOPPING
        some = end.view.done
        assert 2 <= some < 9
    with begin(path, BLANK, seeds=range(9)) as store:
        end = run_batch(store, HerePool())
        assert end.new == 9 - some
        assert end.view.states == {TaskState.FOUND: 9}


@pytest.mark.parametrize("kind", [BatchKind.FILL])
def test_processes_find_the_same(kind: BatchKind, tmp_path: Path) -> None:
    found = []
    for name in ("here", "processes"):
        with begin(tmp_path / f"{name}.sqlite", BLANK, STUCK, seeds=range(3), kind=kind) as store:
            if name == "here":
                run_batch(store, HerePool())
            else:
                with ProcessPool() as pool:
                    run_batch(store, pool)
            found.append((outcome(store), store.view().states))
    assert found[0] == found[1]
