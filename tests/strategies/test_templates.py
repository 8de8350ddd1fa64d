"""The strategies that a trie and a sorted index carry fill the templates that other published ones fill."""

from functools import cache

import pytest

from tests.examples import is_deep
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.problem.task import Task
from xwtui.formats.registry import read_puzzle
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.store import open_word_list

NODES = 100_000
FEW = ("mini-5x5", "9x9-01", "british-13x13-01", "15x15-07")
"""Those of the race that any other of the published strategies fills."""
MORE = (
    *(f"9x9-0{number}" for number in (2, 3, 5, 6)),
    *(f"11x11-0{number}" for number in (1, 2, 3, 5, 6)),
    *(f"13x13-0{number}" for number in (1, 2, 3, 4, 5, 7)),
    "15x15-01",
)
"""Others that one of them fills in three seconds of the processor."""


@cache
def words() -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=40)


def is_filled(strategy: str, template: str, nodes: int) -> bool:
    grid = read_puzzle(puzzles_folder() / "templates" / f"{template}.txt").grid
    search = StrategyChoice.parse(strategy).make(Task(grid, words()), 0)
    while search.outcome is Outcome.RUNNING and search.counters.nodes < nodes:
        search.advance(Budget(nodes=100))
    return search.outcome is Outcome.FILLED


@pytest.mark.parametrize("template", (*FEW, *MORE) if is_deep() else (*FEW, MORE[1]))
@pytest.mark.parametrize("strategy", ["trie", "sorted-index"])
def test_what_another_fills_is_filled(strategy: str, template: str) -> None:
    assert is_filled(strategy, template, NODES)
