"""A batch over a pool that loses, repeats and corrupts results, and its file: each result once and whole."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import pytest

from tests.batch.batches import BLANK, SETTINGS, STUCK, HerePool, ProcessPool, begin, packed, subject_of
from xwtui.batch.pool import Arrival, Loss
from xwtui.batch.run import MOST_LOSSES, run_batch
from xwtui.batch.store import SCHEMA, BatchProgress, BatchStore, Phase
from xwtui.batch.tasks import BatchKind, BatchTask, Find, TaskResult, TaskState, canonical, digest_of
from xwtui.errors import BatchError, BatchRefusal

ROWS = ("ABC", "DEF", "GHI")


def found(name: str, lowest: int = 30, mean: float = 50.0) -> TaskResult:
    return TaskResult(name, TaskState.FOUND, (Find(ROWS, mean_score=mean, lowest_score=lowest),), seconds=0.5)


def refusal_of(path: Path, kind: BatchKind = BatchKind.FILL) -> BatchRefusal:
    with pytest.raises(BatchError) as refused, BatchStore.begin(path, kind):
        pass
    assert str(path) in str(refused.value)
    return refused.value.refusal


def test_tasks_wait_until_they_have_a_result(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=(0, 1)) as store:
        tasks = store.waiting()
        assert [task.seed for task in tasks] == [0, 0, 1, 1]
        assert store.keep([found(tasks[0].name)]) == (found(tasks[0].name),)
        assert store.waiting() == tasks[1:]
    with BatchStore.open(tmp_path / "run.sqlite") as store:
        assert store.waiting() == tasks[1:]
        assert store.view().states == {TaskState.FOUND: 1}
        assert store.view().seconds == 0.5


def test_a_result_counts_once(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK) as store:
        [task] = store.waiting()
        store.keep([found(task.name), found(task.name, 99)])
        assert store.keep([found(task.name, 99)]) == ()
        assert store.keep([found("unknown")]) == ()
        assert store.view().finds == 1
        assert [one.find.lowest_score for one in store.best(5)] == [30]


def test_the_same_tasks_are_added_once(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, seeds=(0, 1)) as store:
        assert store.add([packed()], [subject_of()], (0, 1), [SETTINGS]) == 0
        assert store.add([packed()], [subject_of()], (1, 2), [SETTINGS]) == 1
        assert len(store.waiting()) == 3


def test_a_stopped_task_keeps_waiting(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK) as store:
        [task] = store.waiting()
        assert store.keep([TaskResult(task.name, TaskState.STOPPED)]) == ()
        assert store.waiting() == [task]


@pytest.mark.parametrize("first", [TaskState.FOUND, TaskState.IMPOSSIBLE])
def test_a_fill_refutes_a_proof(first: TaskState, tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=(0, 1)) as store:
        one, other, again, _ = store.waiting()
        results = [found(one.name), TaskResult(again.name, TaskState.IMPOSSIBLE)]
        for result in results if first is TaskState.FOUND else reversed(results):
            store.keep([result])
        store.keep([TaskResult(other.name, TaskState.IMPOSSIBLE)])
        assert store.view().states == {TaskState.FOUND: 1, TaskState.INVALID: 1, TaskState.IMPOSSIBLE: 1}


@pytest.mark.parametrize("state", [TaskState.FOUND, TaskState.IMPOSSIBLE])
def test_storing_a_result_takes_constant_time(state: TaskState, tmp_path: Path) -> None:
    """Measured in SQLite steps; a refutation could otherwise visit each task of the subject."""
    costs = []
    for seeds in (3, 300):
        with begin(tmp_path / f"{seeds}.sqlite", BLANK, seeds=range(seeds)) as store:
            *before, last = [found(task.name) for task in store.waiting()]
            if state is TaskState.IMPOSSIBLE:
                *before, last = [replace(one, state=state, finds=()) for one in (*before, last)]
            store.keep(before)
            steps: list[None] = []
            store._connection.set_progress_handler(partial(steps.append, None), 1)
            assert store.keep([last]) == (last,)
            store._connection.set_progress_handler(None, 1)
            costs.append(len(steps))
    assert costs[1] < 2 * costs[0]


def test_best_results_come_first(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, "...\n.#.\n...", seeds=(0, 1)) as store:
        scores = [(30, 50.0), (40, 45.0), (30, 60.0), (20, 99.0)]
        for number, (task, (lowest, mean)) in enumerate(zip(store.waiting(), scores, strict=True)):
            rows = (str(number), *ROWS)
            find = Find(rows, mean_score=mean, lowest_score=lowest)
            store.keep([TaskResult(task.name, TaskState.FOUND, (find,))])
        best = store.best(3)
        assert [(one.find.lowest_score, one.find.mean_score) for one in best] == [
            (40, 45.0),
            (30, 60.0),
            (30, 50.0),
        ]
        assert [one.title for one in best] == ["grid 1", "grid 0", "grid 0"]


def test_each_layout_of_the_designs_comes_once(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, kind=BatchKind.DESIGN) as store:
        [task] = store.waiting()
        finds = [
            Find(ROWS, lowest_score=score, mean_score=50.0, layout=layout)
            for score, layout in ((30, "a"), (50, "a"), (40, "b"))
        ]
        store.keep([TaskResult(task.name, TaskState.FOUND, tuple(finds))])
        assert [(one.find.layout, one.find.lowest_score) for one in store.best(9)] == [("a", 50), ("b", 40)]
        assert store.view().layouts == 2


def test_words_read_back(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK) as store:
        [words] = store.words([packed().digest])
        assert words == packed()
        assert words.lists == packed().lists


def test_a_crashed_task_runs_again_when_forgotten(tmp_path: Path) -> None:
    with begin(tmp_path / "run.sqlite", BLANK, seeds=(0, 1)) as store:
        one, other = store.waiting()
        store.keep([TaskResult(one.name, TaskState.CRASHED), found(other.name)])
        store.forget([TaskState.CRASHED])
        assert store.waiting() == [one]
        assert store.view().finds == 1


# Files that are no batch


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text, book = tmp_path / "notes.txt", tmp_path / "book.sqlite"
    text.write_text("no database")
    with closing(sqlite3.connect(book)) as connection:
        connection.execute("CREATE TABLE clues (text)")
    for path in (text, book):
        before = path.read_bytes()
        assert refusal_of(path) is BatchRefusal.FOREIGN_FILE
        assert path.read_bytes() == before
    assert refusal_of(tmp_path) is BatchRefusal.NO_FILE


def test_a_damaged_batch_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    begin(path, BLANK, seeds=range(300)).close()
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    path.write_bytes(data)
    assert refusal_of(path) is BatchRefusal.DAMAGED_FILE


def test_a_modified_task_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    begin(path, BLANK).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tasks SET seed = 5")
        connection.commit()
    with pytest.raises(BatchError, match="damaged"), BatchStore.open(path) as store:
        store.waiting()


def test_a_newer_batch_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    begin(path, BLANK).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    assert refusal_of(path) is BatchRefusal.NEWER_FILE


def test_a_batch_of_island_breeding_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    begin(path, BLANK).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE about SET value = 'breed' WHERE name = 'kind'")
        connection.commit()
    assert refusal_of(path) is BatchRefusal.OTHER_KIND
    for look in (BatchStore.view, partial(BatchStore.best, count=1)):
        with pytest.raises(BatchError, match="island breeding"), BatchStore.open(path) as store:
            look(store)


def made_earlier(path: Path) -> None:
    """Name a batch's tasks as format version 1 did, without `first`."""
    with begin(path, BLANK, seeds=(0, 1)) as store:
        tasks = store.waiting()
    settings = {name: value for name, value in asdict(SETTINGS).items() if name != "first"}
    with closing(sqlite3.connect(path)) as connection:
        for task in tasks:
            values = json.loads(task.to_bytes()) | {"settings": settings}
            earlier = (digest_of(canonical([1, values])), canonical(settings), task.name)
            connection.execute("UPDATE tasks SET name = ?, settings = ? WHERE name = ?", earlier)
        connection.commit()


def test_tasks_of_an_earlier_version_are_reported_and_their_results_shown(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    made_earlier(path)
    assert refusal_of(path) is BatchRefusal.OTHER_VERSION
    with BatchStore.open(path, is_written=True) as store:
        [(one,), (other,)] = store._rows("SELECT name FROM tasks ORDER BY id")
        store.keep([found(one), TaskResult(other, TaskState.CRASHED)])
        with pytest.raises(BatchError, match="tasks from an earlier xwtui"):
            store.forget([TaskState.CRASHED])
        assert store.view().states == {TaskState.FOUND: 1, TaskState.CRASHED: 1}
        store._connection.execute("UPDATE finds SET find = json_set(find, '$.score', NULL)")
        assert [ranked.find.rows for ranked in store.best(5)] == [ROWS]
    with begin(path, BLANK) as store:
        assert len(store.waiting()) == 1


def test_a_batch_has_one_kind(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    begin(path, BLANK).close()
    assert refusal_of(path, BatchKind.COUNT) is BatchRefusal.OTHER_KIND
    assert refusal_of(path, BatchKind.COUNT) is BatchRefusal.OTHER_KIND  # and is closed


def test_a_batch_has_one_runner_and_many_readers(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with begin(path, BLANK) as store:
        assert refusal_of(path) is BatchRefusal.IN_USE
        with BatchStore.open(path) as other:
            [task] = store.waiting()
            store.keep([found(task.name)])
            assert other.view().done == 1


def test_a_missing_batch_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "none.sqlite", tmp_path / "no" / "folder.sqlite"):
        with pytest.raises(BatchError) as refused, BatchStore.open(path):
            pass
        assert refused.value.refusal is BatchRefusal.NO_FILE
    assert refusal_of(tmp_path / "no" / "folder.sqlite") is BatchRefusal.NO_FILE


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with begin(path, BLANK, seeds=range(50)) as store:
        tasks = store.waiting()
        store.keep([found(tasks[0].name)])
        connection = store._connection
        [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        large = TaskResult(tasks[1].name, TaskState.FOUND, (Find(("A" * 100_000,)),))
        with pytest.raises(BatchError, match="no room") as refused:
            store.keep([found(tasks[2].name), large])
        assert refused.value.refusal is BatchRefusal.FULL_DISK
        assert store.view().done == 1
        connection.execute(f"PRAGMA max_page_count = {10 * pages}")
        assert len(store.keep([large])) == 1


def outcome(store: BatchStore) -> list[tuple[int, TaskState, tuple[str, ...]]]:
    """Return a batch's results: seed, state and rows."""
    return [(one.seed, TaskState.FOUND, one.find.rows) for one in store.best(1000)]


def test_a_batch_runs_and_reports_progress(tmp_path: Path) -> None:
    told: list[BatchProgress] = []
    kept: list[tuple[BatchTask, TaskResult]] = []
    with begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(3)) as store:
        end = run_batch(
            store, HerePool(), on_progress=told.append, on_result=lambda task, result: kept.append((task, result))
        )
        assert end.view.is_over
        assert end.view.states == {TaskState.FOUND: 3, TaskState.IMPOSSIBLE: 3}
        assert store.waiting() == []
    assert [task.name for task, _ in kept] == [result.name for _, result in kept]
    assert len(kept) == end.new == 6
    assert told[0].phase is Phase.SENDING
    assert end.bytes_sent > 0 < end.bytes_received


def test_running_the_same_batch_again_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with begin(path, BLANK, seeds=range(2)) as store:
        run_batch(store, HerePool())
    pool = HerePool()
    with begin(path, BLANK, seeds=range(2)) as store:
        run_batch(store, pool)
    assert pool.done == []


@pytest.mark.parametrize("loss", [Loss.WORKER, Loss.SCHEDULER, Loss.WORDS])
def test_lost_results_are_computed_again(loss: Loss, tmp_path: Path) -> None:
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


def test_repeated_results_count_once(tmp_path: Path) -> None:
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


def test_unreadable_results_are_marked_foul(tmp_path: Path) -> None:
    def spoil(arrival: Arrival) -> Sequence[Arrival]:
        return [Arrival(arrival.name, b'{"name": 1')]

    with begin(tmp_path / "run.sqlite", BLANK) as store:
        assert run_batch(store, HerePool(spoil)).view.states == {TaskState.INVALID: 1}


def test_wrong_results_are_marked_foul(tmp_path: Path) -> None:
    def lie(arrival: Arrival) -> Sequence[Arrival]:
        values = json.loads(arrival.data)
        values["finds"][0]["rows"] = ["ABC", "DEF", "GHX"]
        return [Arrival(arrival.name, json.dumps(values).encode())]

    with begin(tmp_path / "run.sqlite", BLANK) as store:
        assert run_batch(store, HerePool(lie)).view.states == {TaskState.INVALID: 1}
        assert store.best(1) == ()


def test_a_stopped_run_can_be_resumed(tmp_path: Path) -> None:
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
def test_process_pools_find_the_same(kind: BatchKind, tmp_path: Path) -> None:
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
