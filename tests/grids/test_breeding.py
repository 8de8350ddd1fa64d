"""Layouts that are bred: legal by a naive judge, each once, the best first, and with the fills that they claim."""

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given

from tests.grids.test_profiles import small_grids
from tests.naive.layouts import naive_shortfalls
from xwtui.engine.annealing import layout_key
from xwtui.engine.budget import Budget
from xwtui.engine.problem.task import Task
from xwtui.engine.what_if.ranking import Fillability
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.breeding import BreedingRequest, BreedingWay, BreedProgress, breed, chokes
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.profiles import find_profile
from xwtui.model import Grid, Position, Symmetry
from xwtui.model.review import regions
from xwtui.model.square import BLOCK
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

MINI = LayoutWanted(7, 7, find_profile("mini"))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=40)


def bred(lexicon: Lexicon, way: BreedingWay, wanted: LayoutWanted = MINI, steps: int = 100) -> BreedProgress:
    """What comes of so many looks at the clock."""
    ticks = count()
    task = Task(Grid.blank(wanted.height, wanted.width), lexicon)
    return breed(BreedingRequest(wanted, task, Budget(steps, seed=3), way, 12, lambda: float(next(ticks))))


@given(small_grids())
def test_a_square_is_a_choke_where_a_part_falls_apart_without_it(grid: Grid) -> None:
    parts = len(regions(grid))
    alone = {at for region in regions(grid) if len(region) == 1 for at in region}
    expected = [
        at
        for at in grid.open_positions()
        if at not in alone and len(regions(grid.with_squares({at: BLOCK}))) > parts
    ]
    assert chokes(grid) == len(expected)


@pytest.mark.parametrize("way", BreedingWay)
def test_what_is_bred_is_legal_and_unlike_the_others_and_filled_as_it_says(
    lexicon: Lexicon, way: BreedingWay
) -> None:
    progress = bred(lexicon, way)
    assert progress.layouts
    scores = [one.score for one in progress.layouts]
    assert scores == sorted(scores, reverse=True)
    assert len({layout_key(one.walls, 7, 7) for one in progress.layouts}) == len(progress.layouts)
    for one in progress.layouts:
        assert naive_shortfalls(one.grid, replace(MINI.profile, symmetries=(MINI.symmetry,))) == set()
        if one.outlook.fillability is Fillability.FILLED:
            assert set(one.outlook.fill) == set(one.grid.open_positions())
            for slot in one.grid.slots:
                word = "".join(one.outlook.fill[at].reading(slot.direction) for at in slot.positions)
                assert lexicon.allows(word)
    assert progress.filled >= sum(one.outlook.fillability is Fillability.FILLED for one in progress.layouts)


def test_given_squares_stay(lexicon: Lexicon) -> None:
    drawn = grid_from_text("#HEART#\n" + 6 * ".......\n")
    wanted = replace(MINI, symmetry=Symmetry.LEFT_RIGHT, given=drawn)
    for one in bred(lexicon, BreedingWay.BREEDING, wanted, steps=60).layouts:
        assert [str(one.grid[Position(0, column)].content) for column in range(1, 6)] == list("HEART")
        assert not one.grid[Position(0, 6)].is_open
