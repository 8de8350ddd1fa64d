import pytest

from tests.published_data import published_lexicon
from tests.strategies.judging import all_fills, judge, strategy_of, trail_of
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.registry import StrategyChoice

ORDERS = ["rows", "fewest", "anywhere", "hardest"]


@pytest.mark.parametrize(
    ("words", "placements", "fills"),
    [("berghel_rankin_134.txt", 9_501, 72), ("berghel_rankin_128_nosol.txt", 4_750, 0)],
)
def test_row_by_row_it_places_what_the_straight_walk_places(words: str, placements: int, fills: int) -> None:
    strategy = StrategyChoice.parse("double-trie:order=rows").make(
        Task(Grid.blank(5, 5), published_lexicon(words), True)
    )
    assert len(all_fills(strategy)) == fills
    assert strategy.counters.placements == placements


def test_the_square_with_the_fewest_letters_saves_placements() -> None:
    words = dict.fromkeys(["ABC", "ACB", "BAC", "BCA", "CAB", "CBA", "ABA", "BAB", "CAC", "ACC"], 1)
    found = [judge(f"double-trie:order={order},letters=shuffled", Grid.blank(3, 3), words) for order in ORDERS]
    rows, fewest, anywhere, _ = (one.counters.placements for one in found)
    assert anywhere < fewest < rows


def test_given_letters_bite_from_the_first_square_on() -> None:
    words = dict.fromkeys(["CAT", "DOG", "COG", "CDC", "AOO", "TGG"], 1)
    strategy = strategy_of("double-trie:order=rows", grid_from_text("..T\n###\n..."), words)
    trail = trail_of(strategy)
    assert trail[:2] == ["decide r1c1 = C, 1 option", "decide r1c2 = A, 1 option"]
    assert not any("r1c3" in told for told in trail), "a given letter is no decision"


def test_the_best_squares_are_ranked() -> None:
    strategy = strategy_of("double-trie:order=fewest", grid_from_text("..#\n..#\n###"), {"AB": 1, "BC": 1})
    next(iter(strategy.run()))
    [rank] = strategy.ranking
    assert (rank.name, rank.figures) == ("r1c1", "2 letters")
