"""Emogic's searches compiled: the readable ones judge them, step by step."""

from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.engine.small_problems import small_grids, word_lists
from tests.published_data import published_lexicon
from tests.strategies.judging import all_fills, judge, strategy_of
from xwtui.engine.events.event import EventKind
from xwtui.engine.kernels.compiler.compiled import entry_point
from xwtui.engine.kernels.emogic.letters import FULL, OVER, chance_of, shuffle
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.backtracker import Backtracker
from xwtui.strategies.emogic_letters import EmogicLetters
from xwtui.strategies.emogic_words import WORD_WALKS, EmogicWords
from xwtui.strategies.letter_walks import LETTER_WALKS
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice

MOST_STEPS = 400


def standing(search: Backtracker) -> list[tuple[object, ...]]:
    """What stands: each choice with what is left there, and what has been counted so far."""
    made = [(choice.slot, choice.square, choice.chosen, *choice.left) for choice in search.stack]
    return [(search.counters.nodes, search.counters.backtracks, search.counters.deepest), *made]


def readable_steps(search: Backtracker) -> list[object]:
    """What stands after each decision and at each fill."""
    told = (event for event in search.run() if event.kind in (EventKind.DECIDE, EventKind.SOLVED))
    return [[event.kind, *standing(search)] for event in islice(told, MOST_STEPS)]


def compiled_steps(search: EmogicLetters | EmogicWords) -> list[object]:
    """The same of the compiled twin, which goes on by one letter or word at a time."""
    found: list[object] = []
    if search.board.flaw():
        return found
    twin = search.compiled()
    while len(found) < MOST_STEPS:
        status = twin.advance(1)
        twin.show()
        if status == OVER:
            break
        if status == FULL:
            found.append([EventKind.SOLVED, *standing(search)])
        elif search.stack and search.stack[-1].square not in search.board.given:
            found.append([EventKind.DECIDE, *standing(search)])
    return found


def assert_alike(text: str, grid: Grid, words: dict[str, int], **asked: Any) -> None:
    """Both twins make the same steps."""
    plain, twin = (strategy_of(text, grid, words, **asked) for _ in range(2))
    assert isinstance(plain, EmogicLetters | EmogicWords)
    assert isinstance(twin, EmogicLetters | EmogicWords)
    assert compiled_steps(twin) == readable_steps(plain)


@given(
    small_grids(4, rebuses=False),
    word_lists(4),
    st.booleans(),
    st.sampled_from(LETTER_WALKS),
    st.sampled_from(["naive", "cambon", "emogic-text", "emogic-script"]),
    st.sampled_from(["shuffled", "alphabetical", "frequency", "in-place"]),
    st.integers(0, 3),
)
def test_letters_are_placed_as_the_readable_search_places_them(
    grid: Grid, words: dict[str, int], allow_repeats: bool, walk: str, rule: str, letters: str, seed: int
) -> None:
    text = f"emogic-letters:walk={walk},backtrack={rule},letters={letters}"
    assert_alike(text, grid, words, allow_repeats=allow_repeats, seed=seed)


@given(
    small_grids(4, rebuses=False),
    word_lists(4),
    st.booleans(),
    st.sampled_from(WORD_WALKS),
    st.sampled_from(["naive", "cambon", "emogic"]),
    st.sampled_from(["shuffled", "score", "alphabetical"]),
    st.sampled_from(["yes", "no"]),
    st.integers(0, 3),
)
def test_words_are_laid_as_the_readable_search_lays_them(
    grid: Grid, words: dict[str, int], allow_repeats: bool, walk: str, rule: str, order: str, meta: str, seed: int
) -> None:
    text = f"emogic-words:walk={walk},backtrack={rule},words={order},meta={meta}"
    assert_alike(text, grid, words, allow_repeats=allow_repeats, seed=seed)


@given(
    small_grids(4, rebuses=False),
    word_lists(4),
    st.booleans(),
    st.sampled_from(["emogic-letters", "emogic-words"]),
)
def test_fills_are_legal_and_all_found(grid: Grid, words: dict[str, int], allow_repeats: bool, name: str) -> None:
    judge(f"{name}:compiled=yes", grid, words, allow_repeats=allow_repeats)


@pytest.mark.parametrize("text", ["emogic-letters:walk=snake", "emogic-words:words=alphabetical", "emogic-words"])
def test_what_stands_comes_first(text: str) -> None:
    grid = grid_from_text("...\n...\n...")
    words = {a + b + c: 1 for a in "ABCD" for b in "AEB" for c in "ACD"}
    last = all_fills(strategy_of(text, grid, words, seed=1))[-1]
    compiled = text + (",", ":")[":" not in text] + "compiled=yes"
    searches = [strategy_of(one, grid, words, seed=2) for one in (text, compiled)]
    for search in searches:
        search.begin_with(last)
    assert searches[0].first_fill() == searches[1].first_fill() == last


def ended(text: str, words: str, seed: int) -> Strategy:
    """A 5x5 square with a published list, searched to the end."""
    strategy = StrategyChoice.parse(text).make(Task(Grid.blank(5, 5), published_lexicon(words), True), seed)
    for _ in strategy.run():
        pass
    return strategy


@pytest.mark.parametrize("rule", ["naive", "cambon", "emogic-script"])
def test_a_published_square_takes_the_same_letters(rule: str) -> None:
    text = f"emogic-letters:walk=snake,backtrack={rule}"
    plain, twin = (ended(text + more, "berghel_rankin_134.txt", 3) for more in ("", ",compiled=yes"))
    assert twin.counters == plain.counters
    assert (twin.outcome, twin.lookups) == (plain.outcome, None)


@entry_point
def shuffled(chance: NDArray[np.uint32], items: NDArray[np.int32], count: int) -> int:
    """Shuffle all items but the first."""
    shuffle(chance, items, 1, count)
    return count


@pytest.mark.parametrize("seed", range(3))
def test_chance_is_that_of_python(seed: int) -> None:
    rng = Random(seed)
    chance = chance_of(rng)
    for count in (1, 2, 3, 26, 1000):
        expected = list(range(count))
        rng.shuffle(expected)
        items = np.arange(-1, count, dtype=np.int32)
        shuffled(chance, items, count)
        assert items.tolist() == [-1, *expected]


def test_a_rebus_square_is_refused() -> None:
    grid = grid_from_text("[AB]..\n...\n...")
    with pytest.raises(EngineError, match="compiled=yes has one letter on each square, and no rebus"):
        strategy_of("emogic-letters:compiled=yes", grid, {"ABCD": 1, "ABEF": 1, "CGH": 1, "EIJ": 1}).first_fill()
