"""One fill or improvement over many processes: the first or best result decides, despite faulty ones."""

from collections.abc import Sequence

import pytest

from tests.batch.batches import HerePool, vocabulary_of
from xwtui.batch.pool import Arrival, Loss
from xwtui.batch.shared_search import fill_first, improve_together
from xwtui.batch.subjects import improvement_text, read_improvement_text, task_text
from xwtui.batch.tasks import BatchTask, TaskState
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import contents_in, grid_from_text

LOW = {"ABC": 50, "DEF": 50, "GHI": 50, "ADG": 50, "BEH": 50, "CFI": 50}
HIGH = {"KLM": 90, "NOP": 90, "QRS": 90, "KNQ": 90, "LOR": 90, "MPS": 90}
WORST, BEST = ("ABC", "DEF", "GHI"), ("KLM", "NOP", "QRS")
BLANK = "...\n...\n..."


class SharedPool(HerePool):
    """Records what each slice starts from."""

    def __init__(self, changes: Sequence[bytes | Loss] = ()) -> None:
        self.starts: list[str] = []
        self._changes = list(changes)
        super().__init__(self._changed)

    def submit(self, name: str, data: bytes) -> None:
        start = read_improvement_text(BatchTask.from_bytes(data).asked).start
        self.starts.append("".join(content.text for content in start.values()))
        super().submit(name, data)

    def _changed(self, arrival: Arrival) -> Sequence[Arrival]:
        if not self._changes:
            return [arrival]
        change = self._changes.pop(0)
        if isinstance(change, Loss):
            return [Arrival(arrival.name, loss=change, reason="it is gone")]
        return [Arrival(arrival.name, change.replace(b"NAME", arrival.name.encode()))]


def problem_of(words: dict[str, int] | None = None) -> Problem:
    lexicon = vocabulary_of(words or {**LOW, **HIGH}).lexicon
    return Problem.of(Task(grid_from_text(BLANK), lexicon))


def slice_of(rows: Sequence[str], *, is_best: bool) -> bytes:
    """Return a worker's result with these rows."""
    listed = ",".join(f'"{row}"' for row in rows)
    find = f'{{"rows":[{listed}],"grid":[],"themers":{{}}}}'
    figures = f'{{"rounds":3,"is_best":{str(is_best).lower()}}}'
    return f'{{"name":"NAME","state":"found","finds":[{find}],"figures":{figures},"seconds":1.0}}'.encode()


def test_the_best_is_found_and_proved() -> None:
    pool, better = SharedPool(), list[float]()
    done = improve_together(
        problem_of(), contents_in(WORST), pool, improved=lambda one: better.append(one.mean_score)
    )
    assert done.outcome is Outcome.FILLED
    assert done.first is not None
    assert done.first.mean_score == 50
    assert done.best is not None
    assert done.best.mean_score == 90
    assert better == sorted(better)
    assert (better[0], better[-1]) == (50, 90)
    assert pool.is_stopped


def test_the_next_slice_starts_from_the_best_fill_of_others() -> None:
    pool = SharedPool([slice_of(WORST, is_best=False), slice_of(BEST, is_best=False)])
    done = improve_together(problem_of(), {}, pool)
    assert pool.starts == ["", "".join(WORST), "".join(BEST)]
    assert done.first is None
    assert done.rounds >= 6


def test_a_worse_fill_changes_nothing() -> None:
    pool = SharedPool([slice_of(WORST, is_best=False)])
    done = improve_together(problem_of(), contents_in(BEST), pool)
    assert pool.starts == ["".join(BEST)] * 2
    assert done.best == done.first


@pytest.mark.parametrize("change", [slice_of(("XXX", "XXX", "XXX"), is_best=True), b"junk", Loss.WORKER])
def test_wrong_and_lost_results_are_ignored(change: bytes | Loss) -> None:
    pool = SharedPool([change])
    done = improve_together(problem_of(), contents_in(WORST), pool)
    assert pool.starts == ["".join(WORST)] * 2
    assert done.best is not None
    assert done.best.mean_score == 90


def test_it_gives_up_without_valid_results() -> None:
    with pytest.raises(EngineError, match="it is gone"):
        improve_together(problem_of(), contents_in(WORST), SharedPool([Loss.WORKER] * 30))


def test_no_fill_is_found_if_there_is_none() -> None:
    pool = SharedPool()
    done = improve_together(problem_of({"ABC": 50}), {}, pool)
    assert pool.starts == []
    assert (done.outcome, done.best) == (Outcome.IMPOSSIBLE, None)


def test_a_stopped_run_returns_the_best() -> None:
    pool = SharedPool()
    done = improve_together(problem_of(), contents_in(WORST), pool, Budget(stop=lambda: True))
    assert (done.outcome, pool.done) == (Outcome.CANCELLED, [])
    assert done.best == done.first


@pytest.mark.parametrize("objective", [Objective(), Objective.lowest(), Objective.fewer_below(45)])
def test_the_starting_point_of_a_slice_round_trips(objective: Objective) -> None:
    puzzle = task_text(Task(grid_from_text("R..\n...\n..[EM]"), vocabulary_of().lexicon))
    start = contents_in(("R.C", "DEF", "..[EM]"))
    assert read_improvement_text(improvement_text(puzzle, start, objective)) == (puzzle, start, objective)


def task_of(text: str) -> Task:
    return Task(grid_from_text(text), vocabulary_of().lexicon)


@pytest.mark.parametrize(
    ("text", "state"), [("...\n...\n...", TaskState.FOUND), ("X..\n...\n...", TaskState.IMPOSSIBLE)]
)
def test_the_first_finished_result_decides(text: str, state: TaskState) -> None:
    pool = HerePool()
    assert fill_first(task_of(text), pool).state is state
    assert pool.is_stopped
    assert len(pool.done) == 1


def test_a_lost_seed_is_submitted_again() -> None:
    lost: list[str] = []

    def lose_twice(arrival: Arrival) -> Sequence[Arrival]:
        if len(lost) < 2:
            lost.append(arrival.name)
            return [Arrival(arrival.name, loss=Loss.WORKER)]
        return [arrival]

    pool = HerePool(lose_twice)
    assert fill_first(task_of("...\n...\n..."), pool).state is TaskState.FOUND
    assert pool.done == [lost[0]] * 3


def test_a_wrong_result_does_not_win() -> None:
    lies: list[str] = []

    def lie_once(arrival: Arrival) -> Sequence[Arrival]:
        if lies:
            return [arrival]
        lies.append(arrival.name)
        text = arrival.data.decode().replace("ABC", "XXX").replace("ADG", "XXX")
        return [Arrival(arrival.name, text.encode())]

    pool = HerePool(lie_once)
    assert fill_first(task_of("...\n...\n..."), pool).state is TaskState.FOUND
    assert len(set(pool.done)) == 2


@pytest.mark.parametrize("data", [b"", b"{}", b'{"name": 1}', b"\xff"])
def test_a_search_survives_a_result_that_cannot_be_read(data: bytes) -> None:
    changes = [data]

    def garble_once(arrival: Arrival) -> Sequence[Arrival]:
        return [Arrival(arrival.name, changes.pop()) if changes else arrival]

    pool = HerePool(garble_once)
    assert fill_first(task_of("...\n...\n..."), pool).state is TaskState.FOUND
    assert len(set(pool.done)) == 2


def test_it_can_be_stopped() -> None:
    pool = HerePool()
    assert fill_first(task_of("...\n...\n..."), pool, Budget(stop=lambda: True)).state is TaskState.STOPPED
    assert pool.is_stopped
