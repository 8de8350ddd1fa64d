"""One fill on many processes: the first that is done decides, what is lost is handed out again."""

from collections.abc import Sequence

import pytest

from tests.batch.batches import vocabulary_of
from tests.batch.pools import HerePool
from xwtui.batch.pool import Arrival, Loss
from xwtui.batch.shared_search import fill_first
from xwtui.batch.tasks import TaskState
from xwtui.engine.budget import Budget
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text


def task_of(text: str) -> Task:
    return Task(grid_from_text(text), vocabulary_of().lexicon)


@pytest.mark.parametrize(
    ("text", "state"), [("...\n...\n...", TaskState.FOUND), ("X..\n...\n...", TaskState.IMPOSSIBLE)]
)
def test_the_first_that_is_done_decides(text: str, state: TaskState) -> None:
    pool = HerePool()
    assert fill_first(task_of(text), pool).state is state
    assert pool.is_stopped
    assert len(pool.done) == 1


def test_a_lost_seed_is_handed_out_again() -> None:
    lost: list[str] = []

    def lose_twice(arrival: Arrival) -> Sequence[Arrival]:
        if len(lost) < 2:
            lost.append(arrival.name)
            return [Arrival(arrival.name, loss=Loss.WORKER)]
        return [arrival]

    pool = HerePool(lose_twice)
    assert fill_first(task_of("...\n...\n..."), pool).state is TaskState.FOUND
    assert pool.done == [lost[0]] * 3


def test_a_lie_does_not_win() -> None:
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


def test_it_is_stopped() -> None:
    pool = HerePool()
    assert fill_first(task_of("...\n...\n..."), pool, Budget(stop=lambda: True)).state is TaskState.STOPPED
    assert pool.is_stopped
