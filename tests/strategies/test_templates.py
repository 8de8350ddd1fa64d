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
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

NODES = {"sorted-index": 5_000, "trie": 100_000}
"""Words, and letters."""
FILLED = (
    "mini-5x5 square-[34]x* square-5x[3456] square-6x* square-7x4 9x9-0[12356] 11x11-0[1235] 13x13-0[234567] "
    "15x15-0* 15x15-1[03456789] 15x15-20 british-* barred-* themeless-15x15 themeless-15x15-08 "
    "themeless-15x15-1[234567]"
)
"""Those of 148 templates up to 15×15 that copeland, top-ten or fsharp-word fills within 400 words, or qxw-cells
within 400 letters, with seed 0 or 1; and three more."""
QUICK = "mini-5x5 9x9-01 15x15-02 british-13x13-01"
MISSED = "square-6x5 square-4x8 9x9-03 9x9-04"
"""Those that sorted-index had not filled within 600 nodes."""
LARGE = "17x17-01 19x19-0[12] 21x21-0[12] 21x21-12 21x21-1[678] 21x21-20 23x23-02"
"""Those of 36 larger ones that qxw-cells fills within 2,000 letters."""


def templates(patterns: str) -> list[str]:
    folder = puzzles_folder() / "templates"
    return sorted({path.name for pattern in patterns.split() for path in folder.glob(f"{pattern}.*")})


@cache
def words() -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=40)


def is_filled(strategy: str, template: str, seed: int = 0) -> bool:
    grid = read_puzzle(puzzles_folder() / "templates" / template).grid
    search = StrategyChoice.parse(strategy).make(Task(grid, words()), seed)
    while search.outcome is Outcome.RUNNING and search.counters.nodes < NODES[strategy]:
        search.advance(Budget(nodes=100))
    return search.outcome is Outcome.FILLED


@pytest.mark.parametrize("template", templates(FILLED) if is_deep() else templates(QUICK))
@pytest.mark.parametrize(("strategy", "seed"), [("trie", 0), ("sorted-index", 0), ("sorted-index", 1)])
def test_what_another_fills_is_filled(strategy: str, seed: int, template: str) -> None:
    """By `trie` with one seed, for it knows no chance."""
    assert is_filled(strategy, template, seed)


@pytest.mark.parametrize("template", templates(f"{MISSED} {LARGE}" if is_deep() else MISSED))
def test_lists_that_are_joined_again_and_again_fill_what_was_missed(template: str) -> None:
    assert is_filled("sorted-index", template)
