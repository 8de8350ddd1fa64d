"""The smallest region about a conflict: all outside stays, and each fill is nearer than the last."""

from collections.abc import Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.improve.cases import Stopper, wide_problem
from tests.engine.repair.test_repair import standing_on
from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill
from tests.naive.repair import naive_repair
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.shared_best import SharedBest
from xwtui.engine.improve.worth import Worth
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.closeness import Closeness
from xwtui.engine.repair.repair import fill_about_conflict
from xwtui.engine.warmup import warm_up
from xwtui.model import Content, Grid, Position


def fills_about(
    problem: Problem, standing: Mapping[Position, Content], looks: int
) -> tuple[list[int], SharedBest]:
    """How many squares each fill changes that is found, in their order."""
    warm_up(counting=False, improving=True)
    near = Closeness(problem, standing).within(None)
    assert near is not None
    shared = SharedBest(Worth(near.problem, Objective()), None, None)
    fill_about_conflict(shared, standing, 0, Stopper(looks))
    changed = [
        sum(standing.get(at, content) != content for at, content in kept.squares.items()) for kept in shared.kept
    ]
    return changed, shared


def test_only_squares_about_the_conflict_change() -> None:
    problem, standing = wide_problem()
    room = {Position(row, column) for row in range(4) for column in range(4)}
    overtyped = {**standing, **{at: Content.of("Z") for at in room if at.row == 0}}
    changed, shared = fills_about(problem, overtyped, 10_000)
    assert changed == sorted(set(changed), reverse=True), "each is nearer than the last"
    assert changed[-1] == 4
    assert all(kept.squares[at] == standing[at] for kept in shared.kept for at in standing.keys() - room)


def test_nothing_is_found_by_one_who_is_stopped_at_once() -> None:
    problem, standing = wide_problem()
    assert fills_about(problem, {**standing, Position(0, 0): Content.of("Z")}, 0)[0] == []


def test_without_a_conflict_there_is_nothing_to_do() -> None:
    problem, standing = wide_problem()
    assert fills_about(problem, standing, 10_000)[0] == []


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_what_is_called_the_nearest_is_that(grid: Grid, words: dict[str, int], rng: Random) -> None:
    standing, problem = standing_on(grid, rng), problem_of(grid, words)
    if not problem.root.is_possible or Closeness(problem, standing).within(None) is None:
        return
    changed, shared = fills_about(problem, standing, 100_000)
    best = naive_repair(grid, standing, words)
    for kept in shared.kept:
        check_fill(grid, kept.squares, words)
    if changed:
        assert best is not None
        assert changed[-1] >= best[0]
        assert changed[-1] == best[0] or not shared.is_proved
    elif shared.is_proved:
        assert best is None
