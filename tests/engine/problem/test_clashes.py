"""Clash squares against their naive twin: the same number of fills, the same verdict, every fill legal."""

from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of
from tests.examples import examples, is_deep
from tests.naive.clashes import clash_fills, contents_of, may_stand, obeys
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import WORKERS
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Ink, Rules, Square
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import TwoReadings

LETTERS = "ABC"
SHAPES = ["...\n.#.\n...", "..\n..\n##".replace("\n", "#\n") + "#", "...\n...\n.##", "....\n.#..\n...."]
MOST_FILLS = 2_000


def random_asked(rng: Random, grid: Grid) -> TwoReadings:
    """Some squares, or all, of which so many clash, or each, or those that spell something."""
    squares = frozenset(rng.sample(list(grid.open_positions()), rng.randint(1, 4)))
    pairs = tuple(rng.sample(["AB", "BA", "BC", "CA"], rng.randint(1, 3))) if rng.random() < 0.4 else ()
    some = squares if rng.random() < 0.5 else frozenset()
    match rng.randrange(5):
        case 0:
            return TwoReadings(squares, pairs=pairs)
        case 1:
            by = rng.choice([Direction.ACROSS, Direction.DOWN])
            return TwoReadings(
                some, message="".join(rng.choices(LETTERS, k=rng.randint(1, 3))), by=by, pairs=pairs
            )
        case 2:
            return TwoReadings(some, message=rng.choice(["AB", "BA", "ABCA", "BCAB"]), by=None, pairs=pairs)
        case 3:
            least = rng.randint(0, 3)
            return TwoReadings(some, least, rng.choice([None, least, least + 1]), pairs)
        case _:
            return TwoReadings(some, None, rng.randint(0, 3), pairs)


def random_case(rng: Random) -> tuple[Grid, list[str], list[TwoReadings]]:
    """A small grid, some of its squares given, words, and a rule or two."""
    grid = grid_from_text(rng.choice(SHAPES))
    contents = [*map(Content.of, LETTERS), Content("A", "B"), Content("C", "A")]
    given = {
        at: Square(content=rng.choice(contents), ink=Ink.PEN)
        for at in grid.open_positions()
        if rng.random() < 0.08
    }
    words = {"".join(rng.choices(LETTERS, k=rng.randint(2, 4))) for _ in range(rng.randint(4, 16))}
    return (
        grid.with_squares(given),
        sorted(words),
        [random_asked(rng, grid) for _ in range(rng.choice([1, 1, 1, 2]))],
    )


def problem_of(grid: Grid, words: list[str], asked: list[TwoReadings], *, allow_repeats: bool = False) -> Problem:
    """The engine's problem of a case."""
    rules = Rules(grid=tuple(map(ClashSquares, asked)))
    return Problem.build(grid, lexicon_of(dict.fromkeys(words, 50)), rules=rules, allow_repeats=allow_repeats)


def check_case(seed: int) -> None:
    """Verdict, fill and count of the engine, as the naive twin has them."""
    rng = Random(seed)
    grid, words, asked = random_case(rng)
    allow_repeats = rng.random() < 0.5
    expected = list(islice(clash_fills(grid, words, asked, allow_repeats=allow_repeats), MOST_FILLS))
    problem = problem_of(grid, words, asked, allow_repeats=allow_repeats)
    filler = Filler(problem, seed=seed, worker=rng.randrange(len(WORKERS)))
    outcome = filler.advance(nodes=200_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), filler.reason
    if expected:
        fill = dict(filler.fill())
        assert fill == contents_of(grid, filler.answers())
        assert may_stand(grid, fill, asked)
        assert all(obeys(grid, fill, one) for one in asked)
    elif not problem.root.is_possible:
        assert why_impossible(problem)
    if problem.root.is_possible and len(expected) < MOST_FILLS:
        enumeration = FillEnumeration(problem)
        assert enumeration.advance(nodes=1_000_000)
        assert enumeration.fills == len(expected)


@examples(300)
@given(st.integers(0, 1 << 32))
def test_fills_have_the_clashes_that_are_asked_for(seed: int) -> None:
    check_case(seed)


@pytest.mark.parametrize("seed", range(4))
def test_many_seeded_cases(seed: int) -> None:
    for number in range(100 if is_deep() else 8):
        check_case(1000 * seed + number)


def test_any_number_of_pairs_may_be_given() -> None:
    """All 36 of them differ, which is more than a square has symbols beside the letters."""
    pairs = [Content(one, other) for one, other in permutations("ABCDEFG", 2)][:36]
    grid = Grid.blank(6, 6)
    given = {at: Square(content=pair, ink=Ink.PEN) for at, pair in zip(grid.positions(), pairs, strict=True)}
    filler = Filler(problem_of(grid.with_squares(given), ["ABCDEF"], []))
    assert filler.advance(nodes=1) is Outcome.FILLED
    assert filler.fill() == dict(zip(grid.positions(), pairs, strict=True))
