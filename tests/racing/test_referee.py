"""The referee against the naive judges, on fills with and without something wrong."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, whole_grid_case
from tests.engine.small_problems import REBUSES, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, naive_fills
from tests.naive.rules import Case, TooManyTriesError, fills
from tests.racing.races import task_of_grid
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position, Puzzle
from xwtui.racing.referee import foul
from xwtui.racing.task import RaceTask
from xwtui.words.sources import Vocabulary

CONTENTS = [*map(Content.of, "ABC"), *(content for content in REBUSES if len(content.across) > 1)]
"""What may stand wrongly in a square, as far as the naive judge of fills without rules notices."""
MOST_TRIES = 3_000


def is_legal(grid: Grid, fill: Mapping[Position, Content], words: dict[str, int], allow_repeats: bool) -> bool:
    try:
        check_fill(grid, fill, words, allow_repeats=allow_repeats)
    except AssertionError:
        return False
    return True


def changed(fill: Mapping[Position, Content], chance: Random) -> dict[Position, Content]:
    """The fill with a square or two otherwise, or with one missing, or as it was."""
    found = dict(fill)
    for _ in range(chance.choice([0, 1, 1, 2]) if found else 0):
        found[chance.choice(sorted(found))] = chance.choice(CONTENTS)
    if found and chance.random() < 0.1:
        del found[chance.choice(sorted(found))]
    return found


@examples(300)
@given(small_grids(4), word_lists(4), st.booleans(), st.randoms(use_true_random=False))
def test_without_rules(grid: Grid, words: dict[str, int], allow_repeats: bool, chance: Random) -> None:
    fill = next(naive_fills(grid, words, allow_repeats=allow_repeats), None)
    if fill is None:
        squares = {at for slot in grid.slots for at in slot.positions}
        fill = {at: chance.choice(CONTENTS) for at in squares}
    tried = changed(fill, chance)
    fault = foul(task_of_grid(grid, words, allow_repeats=allow_repeats), tried)
    assert (not fault) == is_legal(grid, tried, words, allow_repeats), fault


def task_of_case(case: Case) -> RaceTask:
    task = problem_of(case).task
    puzzle = replace(Puzzle.blank(3, 3).with_grid(case.grid), rules=case.rules, symmetry=case.symmetry)
    return RaceTask(puzzle, Vocabulary(task.lexicon, task.own_lists), task)


def judged_by_naive_fills(case: Case, chance: Random) -> None:
    """Try the fills, whole and changed: those that the naive twin lists are legal, and no others."""
    legal = [
        {at: content for (at, _), content in squares.items()} for squares, _ in fills(case, most_tries=MOST_TRIES)
    ]
    task = task_of_case(case)
    for fill in chance.sample(legal, k=min(len(legal), 3)):
        assert not foul(task, fill), foul(task, fill)
        tried = changed(fill, chance)
        fault = foul(task, tried)
        assert (not fault) == (tried in legal), (fault, tried)


@pytest.mark.parametrize("make", [local_case, placing_case, whole_grid_case])
@examples(150)
@given(st.integers(0, 1 << 32))
@example(1568)  # a wanted word that no list has, where an entry asks for a score
@example(524289)  # wanted words, and open squares in no entry that stay empty
def test_under_rules(make: Callable[[Random], Case], seed: int) -> None:
    case = replace(make(Random(seed)), holes=frozenset(), allow_repeats=False)
    with suppress(TooManyTriesError):
        judged_by_naive_fills(case, Random(seed))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("ABC\nDEF\nGHI", ""),
        ("ABC\nDEF\nGH.", "r3c3 is empty"),
        ("ABC\nDEF\n...", "r3c1 is empty, and 2 more"),
        ("ABD\nDEF\nGHI", "ABD is not a word that fits there"),
        ("ADG\nBEH\nCFI", "was given as B but is D"),
    ],
)
def test_what_is_wrong_is_said(rows: str, said: str) -> None:
    words = dict.fromkeys(("ABC", "DEF", "GHI", "ADG", "BEH", "CFI"), 50)
    task = task_of_grid(grid_from_text(".B.\n...\n..."), words)
    standing = grid_from_text(rows)
    contents = {at: standing[at].content for at in task.squares}
    fault = foul(task, {at: content for at, content in contents.items() if content is not None})
    assert said in fault
    assert bool(said) == bool(fault)
