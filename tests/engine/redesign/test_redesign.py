"""Rankings of layouts and theme answers, and the heat map, judged by naive fills on small grids."""

from random import Random

import pytest

from tests.naive_engine import naive_fills
from xwtui.engine.problem import Problem
from xwtui.engine.redesign.blocks import block_changes
from xwtui.engine.redesign.heat import heat
from xwtui.engine.redesign.prospect import Fillability, Outlook
from xwtui.engine.redesign.themers import theme_arrangements, theme_candidates, with_answers
from xwtui.engine.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid, Position, Symmetry
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


def _words(seed: int, most: int = 40) -> dict[str, int]:
    chance = Random(seed)
    return {"".join(chance.choices("ABC", k=chance.randint(3, 5))): 50 for _ in range(most)}


def _task(grid: Grid, words: dict[str, int]) -> Task:
    return Task(grid, Lexicon.build([WordList.from_scores("words", words)]))


def _is_fillable(grid: Grid, words: dict[str, int]) -> bool:
    return any(True for _ in naive_fills(grid, words))


@pytest.mark.parametrize("seed", range(8))
def test_changes_are_ranked_truly(seed: int) -> None:
    """A change told as filled has a fill, one told as impossible has none, and the better come first."""
    words = _words(seed)
    task = _task(Grid.blank(5, 4), words)
    ranking = block_changes(task, Symmetry.ROTATION_180)
    assert ranking.is_complete
    assert ranking.total == len(ranking.items) > 0
    ranks = [item.outlook.rank for item in ranking.items]
    assert ranks == sorted(ranks, reverse=True)
    for item in ranking.items:
        expected = _is_fillable(item.what.on(task.grid), words)
        assert item.outlook.fillability is (Fillability.FILLED if expected else Fillability.IMPOSSIBLE)
        assert (item.outlook.log10 is not None) is (item.outlook.fillability is not Fillability.IMPOSSIBLE)


def test_a_ranking_is_told_as_it_grows_and_ends_when_cancelled() -> None:
    """The caller hears of it, and may stop it."""
    task = _task(Grid.blank(9, 9), _words(1))
    ranking = block_changes(task, Symmetry.NONE, cancelled=lambda: True)
    assert ranking.was_cancelled
    assert not ranking.is_complete
    assert block_changes(task, Symmetry.NONE, seconds=0).items == ()


@pytest.mark.parametrize("seed", range(8))
def test_arrangements_are_symmetric_and_ranked_truly(seed: int) -> None:
    """Each way of the answers into mirrored entries is there once."""
    words = _words(seed, 60)
    grid = grid_from_text("....\n....\n####\n....\n....")
    long_words = [word for word in words if len(word) == 4][:2]
    task = _task(grid, words)
    ranking = theme_arrangements(task, long_words, Symmetry.ROTATION_180)
    placed = [tuple(item.what.answers.items()) for item in ranking.items]
    one, other = long_words
    rows = [slot.name for slot in grid.slots if slot.direction.word == "across"]
    pairs = {(rows[0], rows[3]), (rows[1], rows[2])}
    assert set(placed) == {
        ((top, first), (bottom, second)) for top, bottom in pairs for first, second in ((one, other), (other, one))
    }
    for item in ranking.items:
        expected = _is_fillable(with_answers(task, item.what.answers).grid, words)
        assert (item.outlook.fillability is Fillability.FILLED) is expected


def test_candidates_are_put_where_they_fit() -> None:
    """Each candidate in each entry of its length that agrees with what is given."""
    grid = grid_from_text("A..\n...\n...")
    task = _task(grid, dict.fromkeys(("ABA", "BAB", "AAA", "BBB"), 50))
    ranking = theme_candidates(task, ["ABA", "BAB", "ABABA"])
    assert {item.what.describe() for item in ranking.items} == {
        "1A ABA",
        "4A ABA",
        "4A BAB",
        "5A ABA",
        "5A BAB",
    }


def test_answers_without_a_place_are_refused() -> None:
    """Lengths that no entry has, and too many answers, are errors that say so."""
    task = _task(Grid.blank(4, 4), _words(2))
    with pytest.raises(EngineError, match="answers of 3 letters"):
        theme_arrangements(task, ["ABC"], Symmetry.ROTATION_180)
    with pytest.raises(EngineError, match="7 at most"):
        theme_arrangements(task, ["ABCA"] * 8, Symmetry.ROTATION_180)


def test_heat_is_between_0_and_1_on_the_empty_squares() -> None:
    """Every square that a fill writes has a heat; the hardest has 1, given ones have none."""
    task = _task(grid_from_text("A...\n....\n...."), _words(3, 200))
    problem = Problem.of(task)
    assert problem.root.is_possible
    found = heat(problem, nodes=50)
    assert set(found.heat) == set(problem.positions) - {Position(0, 0)}
    assert max(found.heat.values()) == 1.0
    assert min(found.heat.values()) == 0.0
    assert found.heat[found.hardest()[0]] == 1.0


def test_agreement_is_the_chance_that_two_words_agree() -> None:
    """Counted over all pairs of words that survive."""
    words = dict.fromkeys(("AB", "BA", "AA", "CA"), 50)
    problem = Problem.of(Task(Grid.blank(3, 3), Lexicon.build([WordList.from_scores("w", _words(5, 80))])))
    assert words
    if not problem.root.is_possible:
        pytest.fail("the words were chosen so that something survives")
    found = heat(problem, nodes=1)
    across, down = 0, problem.slot_numbers["1D"]
    firsts = [problem.word(across, row)[0] for row in problem.rows_left(problem.root.state, across)]
    downs = [problem.word(down, row)[0] for row in problem.rows_left(problem.root.state, down)]
    pairs = sum(one == other for one in firsts for other in downs)
    assert found.agreement[Position(0, 0)] == pytest.approx(pairs / (len(firsts) * len(downs)))


def test_a_refuted_grid_is_hot_where_it_cannot_be_filled() -> None:
    """The entries without a word are as hot as can be, the others are not."""
    task = _task(grid_from_text("ZZ.\n...\n..."), _words(3))
    found = heat(Problem.of(task))
    down = {Position(row, column) for row in (1, 2) for column in (0, 1)}
    assert {at for at, heat_there in found.heat.items() if heat_there == 1.0} == {Position(0, 2), *down}
    assert not any(found.heat[Position(row, 2)] for row in (1, 2))
    assert found.nodes == 0


def test_a_grid_that_crossings_refute_is_hot_there() -> None:
    """Every entry has words, and two that cross agree nowhere."""
    words = WordList.from_scores("w", dict.fromkeys(("AB", "CD"), 50))
    lexicon = Lexicon.build([words])
    problem = Problem.of(Task(grid_from_text("..#\n..#\n###"), lexicon, allow_repeats=True))
    found = heat(problem)
    if problem.root.is_possible:
        pytest.fail("the words were chosen so that nothing survives")
    assert max(found.heat.values()) == 1.0
    assert found.nodes == 0


def test_outlooks_are_told_in_words() -> None:
    """As a constructor reads them in a list."""
    assert Outlook(Fillability.FILLED, 38.44).describe() == "≈10^38.4, a fill found"
    assert Outlook(Fillability.IMPOSSIBLE, None, "17A: no word fits Q?J").describe() == (
        "no fill: 17A: no word fits Q?J"
    )
