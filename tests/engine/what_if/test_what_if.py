"""Rankings of layouts and theme answers, and the heat map, checked by naive fills on small grids."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.examples import is_deep
from tests.naive.engine import naive_fills
from tests.naive.layouts import naive_placings
from xwtui.engine.budget import Budget
from xwtui.engine.problem.no_fill import NoFit, WordlessEntry
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.what_if import ranking
from xwtui.engine.what_if.ranking import (
    Arrangement,
    Fillability,
    Outlook,
    Ranking,
    block_changes,
    heat,
    quick_outlook,
    theme_arrangements,
    theme_candidates,
    with_answers,
)
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Grid, Position, Symmetry
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


def _words(seed: int, most: int = 40) -> dict[str, int]:
    rng = Random(seed)
    return {"".join(rng.choices("ABC", k=rng.randint(3, 5))): 50 for _ in range(most)}


def _task(grid: Grid, words: dict[str, int]) -> Task:
    return Task(grid, Lexicon.build([WordList.from_scores("words", words)]))


def _is_fillable(grid: Grid, words: dict[str, int]) -> bool:
    return any(True for _ in naive_fills(grid, words))


@pytest.mark.parametrize("seed", range(8) if is_deep() else [1, 2])
def test_changes_are_ranked_correctly(seed: int) -> None:
    """A change reported as filled has a fill, one reported as impossible has none, and better ones come first."""
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


def test_a_ranking_is_reported_as_it_grows_and_ends_when_cancelled() -> None:
    task = _task(Grid.blank(9, 9), _words(1))
    ranking = block_changes(task, Symmetry.NONE, Budget(stop=lambda: True))
    assert ranking.was_cancelled
    assert not ranking.is_complete
    assert block_changes(task, Symmetry.NONE, Budget(0)).items == ()


@pytest.mark.parametrize("seed", range(8))
def test_arrangements_are_symmetric_and_ranked_correctly(seed: int) -> None:
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


@pytest.mark.parametrize("seed", range(6))
def test_each_candidate_is_placed_where_it_leaves_most_room(seed: int) -> None:
    """Once, in an entry of its length that agrees with the given squares; those that fit nowhere are omitted."""
    words = _words(seed, 80)
    grid = grid_from_text("A...\n....\n####\n....")
    task = _task(grid, words)
    candidates = [word for word in words if len(word) in (4, 5)][:8]
    ranking = theme_candidates(task, candidates)
    rows = grid.slots_of(Direction.ACROSS)
    expected = {}
    for word in candidates:
        fitting = [slot.name for slot in rows if len(word) == 4 and (slot.number > 1 or word[0] == "A")]
        if fitting:
            expected[word] = max(_room(task, name, word) for name in fitting)
    assert {word: _room(task, name, word) for name, word in _placed(ranking)} == expected
    assert len(ranking.items) == len(expected)


def _placed(ranking: Ranking[Arrangement]) -> list[tuple[str, str]]:
    return [place for item in ranking.items for place in item.what.answers.items()]


def _room(task: Task, name: str, word: str) -> float:
    log10 = quick_outlook(with_answers(task, {name: word})).log10
    return float("-inf") if log10 is None else log10


@pytest.mark.parametrize("symmetry", [Symmetry.ROTATION_180, Symmetry.NONE])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_set_of_answers_is_arranged_in_every_way(symmetry: Symmetry, number: int) -> None:
    grid = grid_from_text("....#\n.....\n.....\n.....\n#....")
    answers = ["ABCA", "BABA", "ABABA", "CCCCC"]
    task = _task(grid, _words(3, 60))
    expected = list(naive_placings(grid, answers, number, symmetry))
    ranking = theme_arrangements(task, answers, symmetry, size=number)
    placed = [dict(item.what.answers) for item in ranking.items]
    assert len(placed) == len(expected) > 0
    assert all(placing in placed for placing in expected)


def test_the_most_promising_arrangements_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    words = _words(4, 300)
    task = _task(Grid.blank(5, 5), words)
    answers = [word for word in words if len(word) == 5][:4]
    looked: list[float] = []

    def seen(arranged: Task) -> Outlook:
        placed = {slot.name: answer for slot in arranged.grid.slots if (answer := arranged.grid.answer(slot))}
        if len(placed) < 2:  # to measure the room it leaves by itself
            return quick_outlook(arranged)
        looked.append(sum(_room(task, name, answer) for name, answer in placed.items()))
        return Outlook(Fillability.OPEN, 0.0)

    monkeypatch.setattr(ranking, "_FEW_WAYS", 0)
    monkeypatch.setattr(ranking, "quick_outlook", seen)
    theme_arrangements(task, answers, Symmetry.NONE, Budget(stop=lambda: len(looked) == 60), size=2)
    assert len(looked) == 60
    assert looked == sorted(looked, reverse=True)


def test_answers_that_fit_nowhere_are_refused() -> None:
    task = _task(Grid.blank(4, 4), _words(2))
    with pytest.raises(EngineError, match="answers of 3 squares"):
        theme_arrangements(task, ["ABC"], Symmetry.ROTATION_180)
    with pytest.raises(EngineError, match="the limit is 7"):
        theme_arrangements(task, ["".join(four) for four in product("AB", repeat=4)][:8], Symmetry.ROTATION_180)
    with pytest.raises(EngineError, match="from 2 theme answers"):
        theme_arrangements(task, ["ABCA", "BABA"], Symmetry.ROTATION_180, size=3)


def test_answers_are_measured_in_squares() -> None:
    """A bracketed rebus takes one square, and so does a given rebus, in brackets or not."""
    task = _task(grid_from_text("....\n....\n####\n....\n...."), _words(1, 60))
    answers = ["LO[CAT]E", "A[XY]BC"]
    ranking = theme_arrangements(task, answers, Symmetry.ROTATION_180)
    assert {frozenset(item.what.answers.values()) for item in ranking.items} == {frozenset(answers)}
    placed = with_answers(task, {"1A": "LO[CAT]E"}).grid
    assert placed.pattern(placed.slot("1A")) == "LO[CAT]E"
    with pytest.raises(EngineError, match="answers of 4 or 6 squares"):
        theme_arrangements(task, ["LOCATE", "A[XY]BC"], Symmetry.ROTATION_180)
    given = _task(grid_from_text("..[CAT].\n....\n####\n....\n...."), _words(1, 60))
    names = [
        {name for item in theme_candidates(given, [answer]).items for name in item.what.answers}
        for answer in ("LOCATE", "LO[CAT]E", "LO[DOG]E")
    ]
    assert names[0] == {"1A"}
    assert "1A" not in names[2]


def test_an_answer_that_contradicts_itself_has_no_place() -> None:
    """Crossing linked lights read one square twice, and both readings need the same letter."""
    start = Position(0, 0)
    grid = grid_from_text("...\n...\n...").with_links([((start, Direction.ACROSS), (start, Direction.DOWN))])
    ranking = theme_candidates(_task(grid, _words(1)), ["ABCABC", "ABCDEF"])
    assert [dict(item.what.answers) for item in ranking.items] == [{"1A": "ABCABC"}]


def test_heat_is_between_0_and_1_on_the_empty_squares() -> None:
    task = _task(grid_from_text("A...\n....\n...."), _words(3, 200))
    problem = Problem.of(task)
    assert problem.root.is_possible
    found = heat(problem, nodes=50)
    assert set(found.heat) == set(problem.positions) - {Position(0, 0)}
    assert max(found.heat.values()) == 1.0
    assert min(found.heat.values()) == 0.0
    assert found.heat[found.hardest()[0]] == 1.0


def test_agreement_is_the_probability_that_two_words_agree() -> None:
    problem = Problem.of(_task(Grid.blank(3, 3), _words(5, 80)))
    assert problem.root.is_possible
    found = heat(problem, nodes=1)
    across, down = 0, problem.slot_numbers["1D"]
    firsts = [problem.word(across, row)[0] for row in problem.rows_left(problem.root.state, across)]
    downs = [problem.word(down, row)[0] for row in problem.rows_left(problem.root.state, down)]
    pairs = sum(one == other for one in firsts for other in downs)
    assert found.agreement[Position(0, 0)] == pytest.approx(pairs / (len(firsts) * len(downs)))


def test_a_refuted_grid_is_hot_where_it_cannot_be_filled() -> None:
    task = _task(grid_from_text("ZZ.\n...\n..."), _words(3))
    found = heat(Problem.of(task))
    down = {Position(row, column) for row in (1, 2) for column in (0, 1)}
    assert {at for at, heat_there in found.heat.items() if heat_there == 1.0} == {Position(0, 2), *down}
    assert not any(found.heat[Position(row, 2)] for row in (1, 2))
    assert found.nodes == 0


def test_a_grid_that_crossings_refute_is_hot_there() -> None:
    """Every entry has words, but two that cross have no common letter."""
    task = _task(grid_from_text("..#\n..#\n###"), dict.fromkeys(("AB", "CD"), 50))
    problem = Problem.of(replace(task, allow_repeats=True))
    found = heat(problem)
    assert not problem.root.is_possible
    assert max(found.heat.values()) == 1.0
    assert found.nodes == 0


def test_fillability_has_wording() -> None:
    assert Outlook(Fillability.FILLED, 38.44).describe() == "≈10^38.4, a fill found"
    assert Outlook(Fillability.IMPOSSIBLE, None, WordlessEntry("17A", NoFit("Q?J"))).describe() == (
        "no fill: 17A: no word fits Q?J"
    )
