"""Layouts bred on islands: the same from any number of processes in any order, legal, and filled as they say."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.batch.pools import HerePool, ProcessPool
from tests.examples import is_deep
from tests.naive.layouts import naive_shortfalls
from xwtui.batch.island_subjects import asked_of_layouts, read_island, read_layouts
from xwtui.batch.islands import asked_of_island
from xwtui.batch.judge import judged
from xwtui.batch.packed_words import PackedWords, pack_words
from xwtui.batch.pool import Arrival, Loss, Pool
from xwtui.batch.results import TaskResult, TaskState
from xwtui.batch.run import run_batch
from xwtui.batch.store import BatchStore
from xwtui.batch.tasks import BatchKind, BatchTask, IslandPlan, TaskSettings
from xwtui.batch.work import do_task, hold
from xwtui.errors import BatchError, BatchRefusal
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.profiles import find_profile
from xwtui.model import Symmetry
from xwtui.resources import default_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.store import open_word_list
from xwtui.words.vocabulary import Vocabulary

MINI = LayoutWanted(5, 5, find_profile("mini"))
ISLANDS, ROUNDS = 2, 3

Figures = list[tuple[str, tuple[str, ...], float | None]]


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary(Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=45))


@cache
def words() -> PackedWords:
    return pack_words(vocabulary())


def plan_of(rounds: int = ROUNDS, seed: int = 7) -> IslandPlan:
    return IslandPlan("mini", asked_of_layouts(MINI), words().digest, ISLANDS, rounds, 1, seed)


def bred(path: Path, pool: Pool, plan: IslandPlan | None = None, stops: Callable[[], bool] = bool) -> Figures:
    """What islands come to by now, the best first."""
    with BatchStore.begin(path, BatchKind.BREED) as store:
        store.plan_islands([words()], plan or plan_of())
        run_batch(store, pool, cancelled=stops)
        return [(one.title, one.find.rows, one.find.score) for one in store.best(1000)]


class LastFirstPool(HerePool):
    """Two processes, of which the later one is the quicker."""

    workers = 2

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        self._tasks.rotate(1)
        return super().arrivals(seconds)


class FirstLostPool(HerePool):
    """Loses the worker of each task once."""

    def __init__(self) -> None:
        super().__init__(self._lose)

    def _lose(self, arrival: Arrival) -> Sequence[Arrival]:
        is_first = self.done.count(arrival.name) == 1
        return [Arrival(arrival.name, loss=Loss.WORKER) if is_first else arrival]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    return bred(tmp_path_factory.mktemp("here") / "run.sqlite", HerePool())


@pytest.mark.parametrize(
    "pool",
    [
        LastFirstPool,
        FirstLostPool,
        pytest.param(ProcessPool, marks=pytest.mark.skipif(not is_deep(), reason="starts two processes")),
    ],
)
def test_processes_breed_the_same(pool: type[HerePool | ProcessPool], expected: Figures, tmp_path: Path) -> None:
    assert bred(tmp_path / "run.sqlite", pool()) == expected


def test_a_run_that_is_stopped_goes_on(expected: Figures, tmp_path: Path) -> None:
    path, some, rest = tmp_path / "run.sqlite", HerePool(), HerePool()
    bred(path, some, stops=lambda: len(some.done) >= 3)
    assert bred(path, rest) == expected
    assert 0 < len(rest.done) < ISLANDS * ROUNDS


def test_more_rounds_go_on_with_what_is_there(expected: Figures, tmp_path: Path) -> None:
    path, last, none = tmp_path / "run.sqlite", HerePool(), HerePool()
    bred(path, HerePool(), plan_of(rounds=ROUNDS - 1))
    assert bred(path, last) == expected
    assert len(last.done) == ISLANDS
    assert bred(path, none, plan_of(rounds=1)) == expected
    assert none.done == []
    with pytest.raises(BatchError, match="other settings") as refused:
        bred(path, HerePool(), plan_of(seed=8))
    assert refused.value.refusal is BatchRefusal.OTHER_KIND


def test_the_best_of_an_island_wander_to_the_next(tmp_path: Path) -> None:
    tasks: list[tuple[BatchTask, TaskResult]] = []
    with BatchStore.begin(tmp_path / "run.sqlite", BatchKind.BREED) as store:
        store.plan_islands([words()], plan_of(rounds=2))
        end = run_batch(store, HerePool(), kept=lambda task, result: tasks.append((task, result)))
        assert end.view.is_over
        assert end.view.tasks == 2 * ISLANDS
    ends = [[one["rows"] for one in result.figures["population"]] for _, result in tasks]
    for island, (task, _) in enumerate(tasks[ISLANDS:]):
        start = [one["rows"] for one in json.loads(task.asked)["population"]]
        assert start[: len(ends[island])] == ends[island]
        assert all(rows in start for rows in ends[1 - island][:2])


@cache
def one_round() -> tuple[BatchTask, TaskResult]:
    hold(words())
    asked = asked_of_island(asked_of_layouts(MINI), [])
    task = BatchTask(BatchKind.BREED, asked, words().digest, 3, TaskSettings(0.0, count=2))
    return task, do_task(task)


def test_what_an_island_has_is_legal_and_filled_as_it_says() -> None:
    task, result = one_round()
    stands = judged(task, result, vocabulary())
    assert stands.state is TaskState.FOUND
    assert stands.finds
    for one in stands.finds:
        grid = grid_from_text("\n".join(one.rows))
        assert all(vocabulary().lexicon.allows(grid.pattern(slot)) for slot in grid.slots)
    for values in stands.figures["population"]:
        grid = grid_from_text("\n".join(values["rows"]))
        assert naive_shortfalls(grid, replace(MINI.profile, symmetries=(MINI.symmetry,))) == set()


def spoiled(**values: object) -> Mapping[str, Any]:
    """The figures of a round, with a layout that is another."""
    [first, *others] = one_round()[1].figures["population"]
    return {"population": [{**first, **values}, *others]}


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda: {"population": [one_round()[1].figures["population"][0]] * 2}, "the same"),
        (lambda: spoiled(rows=["....."] * 4 + ["#...."]), "symmetry"),
        (lambda: spoiled(rows=["...."] * 4), "another size"),
        (lambda: spoiled(rows=["AAAAA"] * 5, fillability="FILLED"), "no fill is shown"),
        (lambda: spoiled(log10=float("nan")), "no number"),
    ],
)
def test_a_layout_that_does_not_stand_is_foul(spoil: Callable[[], Mapping[str, Any]], told: str) -> None:
    task, result = one_round()
    foul = judged(task, replace(result, figures=spoil()), vocabulary())
    assert (foul.state, told in foul.reason) == (TaskState.FOUL, True)


def test_a_fill_that_does_not_stand_is_foul() -> None:
    task, result = one_round()
    [first, *_] = result.finds
    for find in (
        replace(first, rows=tuple(row.replace("A", "X").replace("E", "X") for row in first.rows)),
        replace(first, grid=("....#", *first.grid[1:])),
    ):
        assert judged(task, replace(result, finds=(find,)), vocabulary()).state is TaskState.FOUL


def test_what_an_island_is_told_is_read_as_it_was_written() -> None:
    given = grid_from_text("#HEART#\n" + 6 * ".......\n")
    wanted = LayoutWanted(7, 7, find_profile("mini"), Symmetry.LEFT_RIGHT, most_words=20, given=given)
    read = read_layouts(asked_of_layouts(wanted))
    assert read == wanted
    asked = asked_of_island(asked_of_layouts(wanted), [])
    assert read_island(asked) == (wanted, ())
