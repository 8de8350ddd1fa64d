"""A fill that follows edits: legal where there is one, and as it was where nothing speaks against it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.improve.cases import wide_problem
from tests.engine.repair.test_repair import standing_on
from tests.engine.small_problems import LETTERS, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, given_content, naive_fills, naive_propagation, read_answer
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import SearchSettings, never
from xwtui.engine.improve import rounds
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.rounds import Refill
from xwtui.engine.improve.worth import CodedFill, Cut, Worth, standing_of
from xwtui.engine.repair.repair import follow
from xwtui.model import Content, Grid, Ink, Position, Square


@examples(100)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_there_is_a_fill_if_there_is_any_and_it_stays_if_it_can(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    fills = list(naive_fills(grid, words))
    found = follow(problem_of(grid, words), standing_on(grid, rng))
    assert found.outcome is (Outcome.FILLED if fills else Outcome.IMPOSSIBLE)
    if not fills:
        assert not found.squares
        return
    check_fill(grid, found.squares, words)
    assert follow(problem_of(grid, words), found.squares).squares == found.squares
    fill = rng.choice(fills)
    assert follow(problem_of(grid, words), fill).squares == fill


def check_agrees(grid: Grid, ghosts: Mapping[Position, Content], words: dict[str, int]) -> None:
    """Judge a part of a fill: what is given is kept, whole entries are words, and nothing refutes it at sight."""
    assert all(given_content(grid, at) in (None, content) for at, content in ghosts.items())
    full = grid.with_squares(
        {at: replace(grid[at], content=content, ink=Ink.PEN) for at, content in ghosts.items()}
    )
    for slot in grid.slots:
        contents = [given_content(full, at) for at in slot.positions]
        is_given = all(given_content(grid, at) for at in slot.positions)
        answer = "".join(content.reading(slot.direction) for content in contents if content)
        assert is_given or not all(contents) or answer in words, f"{slot.name} {answer} is no word"
    assert naive_propagation(full, words) is not None


@examples(200)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_what_is_shown_before_there_is_a_fill_contradicts_neither_the_grid_nor_itself(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    last = next(naive_fills(grid, words), {})
    at = rng.choice(sorted(last) or [Position(0, 0)])
    edited = grid.with_squares({at: Square(content=Content.of(rng.choice(LETTERS)), ink=Ink.PEN)})
    told: list[Mapping[Position, Content]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "_MENDING_NODES", 1)  # leaves regions undecided that fifty decide in so small grids
        found = follow(problem_of(edited, words), last, agreed=told.append)
    for ghosts in told:
        check_agrees(edited, ghosts, words)
    for before, after in pairwise(told):
        assert after.items() < before.items(), "it is told again where less of it may stay"
    assert (found.outcome is Outcome.FILLED) == any(True for _ in naive_fills(edited, words))
    if found.squares:
        check_fill(edited, found.squares, words)


def test_what_agrees_is_told_before_the_whole_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_MENDING_NODES", 1)
    problem, last = wide_problem()
    grid = problem.grid.with_squares({Position(0, 0): Square(content=Content.of("G"), ink=Ink.PEN)})
    through = [slot for slot in grid.slots if Position(0, 0) in slot.positions]
    words = dict.fromkeys(map("".join, product("ABCDEFG", repeat=4)), 1)
    for slot in through:
        del words["G" + read_answer(last, slot)[1:]]
    told: list[Mapping[Position, Content]] = []
    assert follow(problem_of(grid, words), last, agreed=told.append).outcome is Outcome.FILLED
    freed = {at for slot in through for at in slot.positions[1:]}
    assert told == [{at: grid[at].content or content for at, content in last.items() if at not in freed}]


def test_only_the_part_that_is_no_fill_any_more_moves() -> None:
    problem, last = wide_problem()
    broken = {at: content for at, content in last.items() if at.row > 0 or at.column > 4}
    found = follow(problem, broken)
    moved = {at for at, content in found.squares.items() if last[at] != content}
    assert moved <= {at for at in last if at.row < 4 and at.column < 4}


def test_the_words_of_the_last_fill_are_preferred_wherever_they_fit() -> None:
    problem, last = wide_problem()
    worth = Worth(problem, Objective())
    standing, whole = standing_of(problem, last), np.ones(len(last), np.bool_)

    def words_of_the_last(preferred: CodedFill | None) -> int:
        refill, cut = Refill(problem, worth), Cut(worth.row_limits(0))
        refill.prefer(preferred)
        refill.run(standing, whole, cut, settings=SearchSettings(), seed=1, nodes=10_000, stopped=never)
        return int(np.isin(refill.found().rows, standing.rows).sum())

    assert words_of_the_last(standing) >= words_of_the_last(None) + 4


def test_cancelled_it_has_nothing() -> None:
    problem, _ = wide_problem()
    assert follow(problem, {}, cancelled=lambda: True) == (Outcome.UNKNOWN, {})
    assert follow(problem, {}, seconds=0.0) == (Outcome.UNKNOWN, {})
