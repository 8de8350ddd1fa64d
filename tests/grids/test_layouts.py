"""Generated and bred layouts: legal by a naive judge, different from each other, and as requested."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.grids.test_profiles import small_grids
from tests.known import known
from tests.naive.layouts import naive_shortfalls
from xwtui.engine.annealing import layout_key, rotations_and_reflections
from xwtui.engine.budget import Budget
from xwtui.engine.problem.task import Task
from xwtui.engine.what_if.ranking import Fillability
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.breeding import BreedingRequest, BreedingWay, BreedProgress, breed, chokes
from xwtui.grids.layouts import LayoutWanted, layouts
from xwtui.grids.library import pattern_key
from xwtui.grids.profiles import Profile, find_profile, judge, profile_files
from xwtui.model import Bar, Content, Direction, Grid, Ink, Kind, Position, Puzzle, Square, Symmetry
from xwtui.model.edits import set_kind, toggle_bars
from xwtui.model.review import regions
from xwtui.model.square import BLOCK
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

KINDS = [
    ("american-15", 15, 15, Symmetry.ROTATION_180),
    ("american-15", 15, 15, Symmetry.LEFT_RIGHT),
    ("american-15", 15, 15, Symmetry.DIAGONAL),
    ("american-15", 15, 16, Symmetry.UP_DOWN),
    ("american-15-themeless", 15, 15, Symmetry.ROTATION_180),
    ("mini", 7, 7, Symmetry.ROTATION_90),
    ("mini", 5, 7, Symmetry.NONE),
    ("midi", 11, 11, Symmetry.ANTIDIAGONAL),
    ("american-21", 21, 21, Symmetry.ROTATION_180),
    ("british", 13, 13, Symmetry.ROTATION_180),
    ("british", 15, 15, Symmetry.ROTATION_90),
    ("free", 9, 12, Symmetry.ROTATION_180),
    ("nyt", 15, 15, Symmetry.LEFT_RIGHT),
    ("nyt-sunday", 21, 21, Symmetry.ROTATION_180),
    ("la-times", 15, 15, Symmetry.ROTATION_180),
    ("la-times-sunday", 21, 21, Symmetry.ROTATION_180),
    ("wsj", 15, 15, Symmetry.ROTATION_180),
    ("universal", 15, 15, Symmetry.ROTATION_180),
    ("crosshare", 9, 9, Symmetry.NONE),
    ("british-daily", 15, 15, Symmetry.ROTATION_180),
]

BARRED = [
    ("barred", 12, 12, Symmetry.ROTATION_180),
    ("barred", 13, 13, Symmetry.ROTATION_90),
    ("barred", 10, 12, Symmetry.LEFT_RIGHT),
]


@pytest.mark.parametrize(("name", "height", "width", "symmetry"), KINDS)
@given(seed=st.integers(0, 1000))
@examples(40)
def test_generated_layouts_are_legal(name: str, height: int, width: int, symmetry: Symmetry, seed: int) -> None:
    profile = find_profile(name)
    for grid in islice(layouts(LayoutWanted(height, width, profile, symmetry), seed), 2):
        assert naive_shortfalls(grid, replace(profile, symmetries=(symmetry,))) == set()


@pytest.mark.parametrize(("name", "height", "width", "symmetry"), BARRED)
@given(seed=st.integers(0, 1000))
@examples(1)
def test_generated_barred_layouts_are_legal(
    name: str, height: int, width: int, symmetry: Symmetry, seed: int
) -> None:
    profile = find_profile(name)
    (grid,) = islice(layouts(LayoutWanted(height, width, profile, symmetry), seed), 1)
    assert grid.bars
    assert naive_shortfalls(grid, replace(profile, symmetries=(symmetry,))) == set()


@pytest.mark.parametrize(("name", "side", "looked_at"), [("free", 9, 20), ("barred", 10, 1)])
def test_three_square_entries_respect_their_share(name: str, side: int, looked_at: int) -> None:
    """Otherwise they can be more than half of a small grid's entries."""
    wanted = LayoutWanted(side, side, find_profile(name), most_threes=Fraction(15, 100))
    for grid in islice(layouts(wanted), looked_at):
        lengths = [len(slot) for slot in grid.slots]
        assert lengths.count(3) * 100 <= len(lengths) * 15


def test_an_unreachable_share_ends() -> None:
    wanted = LayoutWanted(5, 5, find_profile("mini"), fewest_blocks=16, most_threes=Fraction(1, 100))
    assert not list(layouts(wanted))


def test_layouts_are_generated_for_every_shipped_profile() -> None:
    assert {name for name, *_ in [*KINDS, *BARRED]} == set(profile_files())


@st.composite
def own_profiles(draw: st.DrawFn) -> Profile:
    """Profiles as a constructor may write them, with limits that a layout of nine rows can meet."""
    return Profile(
        "own",
        sides=(7, 9),
        symmetries=(draw(st.sampled_from(Symmetry)),),
        shortest_entry=draw(st.integers(3, 4)),
        longest_entry=draw(st.none() | st.integers(6, 9)),
        most_words=draw(st.none() | st.integers(14, 30)),
        most_blocks=draw(st.none() | st.integers(6, 20)),
        most_threes=draw(st.none() | st.integers(0, 8)),
        most_cheaters=draw(st.none() | st.integers(0, 4)),
        most_open_area=draw(st.none() | st.integers(16, 40)),
    )


@given(own_profiles(), st.integers(0, 1000))
def test_layouts_are_legal_under_a_user_profile(profile: Profile, seed: int) -> None:
    wanted = LayoutWanted(9, 9, profile, profile.symmetries[0])
    for grid in islice(layouts(wanted, seed, _after(30)), 2):
        assert naive_shortfalls(grid, profile) == set()
        assert judge(grid, profile) == ()


@st.composite
def own_barred(draw: st.DrawFn) -> LayoutWanted:
    """A request for a small barred grid around existing blocks, bars and letters."""
    height, width = draw(st.integers(6, 8)), draw(st.integers(6, 8))
    fitting = [one for one in Symmetry if height == width or not one.needs_square_grid]
    symmetry = draw(st.sampled_from(fitting))
    profile = Profile(
        "own",
        sides=(6, 8),
        symmetries=(symmetry,),
        shortest_entry=draw(st.integers(2, 3)),
        longest_entry=draw(st.none() | st.integers(6, 8)),
        most_unchecked_in_a_row=draw(st.sampled_from((1, 2, 0))),
        most_unchecked_at_start=draw(st.none() | st.integers(0, 1)),
        least_checked=draw(st.sampled_from((0.4, 0.6))),
        most_words=draw(st.none() | st.integers(14, 24)),
        most_threes=draw(st.none() | st.integers(2, 6)),
        bars=True,
    )
    puzzle = Puzzle(Grid.blank(height, width), symmetry=symmetry)
    inner = st.builds(Position, st.integers(1, height - 2), st.integers(1, width - 2))
    for at in draw(st.lists(inner, max_size=1)):
        puzzle = set_kind(puzzle, at, Kind.BLOCK)
    for at in draw(st.lists(inner, max_size=2)):
        puzzle = toggle_bars(puzzle, [Bar(at, at.step(Direction.ACROSS))])
    grid = puzzle.grid
    for at in draw(st.lists(inner, max_size=2)):
        if all(grid[image].is_open for image in symmetry.orbit(at, height, width)):
            grid = grid.with_squares({at: Square(content=Content.of("A"), ink=Ink.PEN)})
    return LayoutWanted(height, width, profile, symmetry, given=grid)


@given(own_barred(), st.integers(0, 1000))
@examples(30)
def test_barred_layouts_are_legal_and_keep_the_grid(wanted: LayoutWanted, seed: int) -> None:
    given_grid = known(wanted.given)
    for grid in islice(layouts(wanted, seed, _after(3)), 2):
        assert naive_shortfalls(grid, wanted.profile) == set()
        assert [square.is_open for square in grid.squares] == [square.is_open for square in given_grid.squares]
        assert {
            bar for bar in given_grid.bars if grid[bar.first].is_open and grid[bar.second].is_open
        } <= grid.bars
        written = [at for at in given_grid.open_positions() if given_grid[at].content is not None]
        assert all(grid[at] == given_grid[at] for at in written)
        pairs = {Bar(at, at.step(way)) for at in written for way in Direction if at.step(way) in written}
        assert pairs & grid.bars <= given_grid.bars


def test_barred_layouts_differ_and_a_seed_is_reproducible() -> None:
    wanted = LayoutWanted(7, 7, replace(find_profile("barred"), sides=(7, 7)))
    drawn, again, other = (list(islice(layouts(wanted, seed), 2)) for seed in (1, 1, 2))
    assert drawn == again != other
    assert len({pattern_key(grid) for grid in drawn}) == 2


def test_requests_for_barred_layouts_are_met() -> None:
    wanted = LayoutWanted(10, 10, find_profile("barred"), fewest_words=28, most_words=29, longest_entry=8)
    for grid in islice(layouts(wanted), 1):
        assert len(grid.slots) in (28, 29)
        assert max(map(len, grid.slots)) <= 8


def test_a_bar_whose_mirror_image_would_separate_letters_is_refused() -> None:
    letters = {at: Square(content=Content.of("A"), ink=Ink.PEN) for at in (Position(6, 5), Position(6, 6))}
    grid = Grid.blank(7, 7).with_squares(letters).with_bars([Bar(Position(0, 0), Position(0, 1))])
    wanted = LayoutWanted(7, 7, replace(find_profile("barred"), sides=(7, 7)), given=grid)
    with pytest.raises(PuzzleError, match="cannot have its mirror image"):
        next(layouts(wanted))


def _after(times: int) -> Callable[[], bool]:
    """Return a stop callback that becomes true after `times` calls."""
    asked = count()
    return lambda: next(asked) >= times


def test_layouts_are_unique_up_to_symmetry() -> None:
    wanted = LayoutWanted(7, 7, find_profile("mini"))
    drawn = list(islice(layouts(wanted), 60))
    keys = {min(str(form.tolist()) for form in _forms(grid)) for grid in drawn}
    assert len(drawn) > 10
    assert len(keys) == len(drawn)


def _forms(grid: Grid) -> list["np.typing.NDArray[np.uint8]"]:
    walls = np.array([not square.is_open for square in grid.squares], np.uint8).reshape(grid.height, grid.width)
    return [np.rot90(form, turn) for form in (walls, walls.T) for turn in range(4)]


@given(st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_a_layouts_key_is_invariant_under_symmetry(squares: list[int]) -> None:
    walls = np.array(squares, np.uint8)
    forms = list(rotations_and_reflections(walls, 3, 4))
    assert {layout_key(form.copy().ravel(), *form.shape) for form in forms} == {layout_key(walls, 3, 4)}
    assert len(forms) == 8


def test_a_seed_is_reproducible() -> None:
    wanted = LayoutWanted(15, 15, find_profile("american-15"), most_words=74)
    first, again, other = (list(islice(layouts(wanted, seed), 3)) for seed in (1, 1, 2))
    assert first == again != other


def test_requests_are_met() -> None:
    wanted = LayoutWanted(
        15,
        15,
        find_profile("american-15"),
        fewest_words=70,
        most_words=72,
        fewest_blocks=32,
        most_blocks=34,
        most_threes=8,
        longest_entry=11,
    )
    for grid in islice(layouts(wanted), 5):
        lengths = [len(slot) for slot in grid.slots]
        blocks = sum(not square.is_open for square in grid.squares)
        assert 70 <= len(lengths) <= 72
        assert 32 <= blocks <= 34
        assert lengths.count(3) <= 8
        assert max(lengths) <= 11


def test_given_squares_stay_with_their_mirror_images() -> None:
    given_grid = grid_from_text("HEART....\n" + 7 * (9 * "." + "\n") + "#" + 8 * ".")
    wanted = replace(LayoutWanted(9, 9, find_profile("midi")), given=given_grid)
    for grid in islice(layouts(wanted), 5):
        rows = list(grid.rows())
        assert all(square.is_open for square in rows[0][:5])
        assert all(square.is_open for square in rows[8][4:])
        assert not rows[8][0].is_open
        assert not rows[0][8].is_open
        assert [square.content for square in grid.squares if square.is_open] == [
            square.content for square, kept in zip(given_grid.squares, grid.squares, strict=True) if kept.is_open
        ]


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(PuzzleError, match="does not allow a 9x9"):
        LayoutWanted(9, 9, find_profile("american-15"))
    with pytest.raises(PuzzleError, match="does not allow the symmetry none"):
        LayoutWanted(15, 15, find_profile("american-15"), Symmetry.NONE)
    with pytest.raises(PuzzleError, match="has bars"):
        LayoutWanted(12, 12, find_profile("barred")).check_blocks()
    with pytest.raises(PuzzleError, match="needs a square grid"):
        LayoutWanted(15, 16, find_profile("american-15"), Symmetry.DIAGONAL)
    both = replace(
        LayoutWanted(9, 9, find_profile("midi")),
        given=grid_from_text("A........\n" + 7 * (9 * "." + "\n") + 8 * "." + "#"),
    )
    with pytest.raises(PuzzleError, match="cannot both stay"):
        next(layouts(both))


def test_the_generator_ends_if_few_layouts_exist() -> None:
    wanted = LayoutWanted(4, 4, find_profile("mini"), Symmetry.ROTATION_90)
    assert 1 <= len(list(layouts(wanted))) < 10


MINI = LayoutWanted(7, 7, find_profile("mini"))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=40)


def bred(lexicon: Lexicon, way: BreedingWay, wanted: LayoutWanted = MINI, steps: int = 100) -> BreedProgress:
    """Return the result of breeding that is stopped after `steps` checks."""
    ticks = count()
    task = Task(Grid.blank(wanted.height, wanted.width), lexicon)
    return breed(BreedingRequest(wanted, task, Budget(steps, seed=3), way, 12, lambda: float(next(ticks))))


@given(small_grids())
def test_a_choke_square_disconnects_the_grid(grid: Grid) -> None:
    parts = len(regions(grid))
    alone = {at for region in regions(grid) if len(region) == 1 for at in region}
    expected = [
        at
        for at in grid.open_positions()
        if at not in alone and len(regions(grid.with_squares({at: BLOCK}))) > parts
    ]
    assert chokes(grid) == len(expected)


@pytest.mark.parametrize("way", BreedingWay)
def test_bred_layouts_are_legal_distinct_and_filled_as_reported(lexicon: Lexicon, way: BreedingWay) -> None:
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
