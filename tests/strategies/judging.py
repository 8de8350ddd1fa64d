"""Judging of strategies by the naive engine, on small grids."""

from collections.abc import Mapping

from tests.engine.small_problems import lexicon_of
from tests.naive.engine import check_fill, naive_fills
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Grid, Position
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice


def strategy_of(
    text: str, grid: Grid, words: Mapping[str, int], *, allow_repeats: bool = False, seed: int = 0
) -> Strategy:
    """Return the strategy written as `text`, at the start of a search."""
    return StrategyChoice.parse(text).make(Task(grid, lexicon_of(dict(words)), allow_repeats), seed)


def all_fills(strategy: Strategy) -> list[Mapping[Position, Content]]:
    """Return every fill that a strategy finds."""
    return [dict(strategy.squares) for event in strategy.run() if event.kind is EventKind.SOLVED]


def judge(
    text: str, grid: Grid, words: Mapping[str, int], *, allow_repeats: bool = False, seed: int = 0
) -> Strategy:
    """Run a strategy to its end: every fill must be legal, and a complete strategy must find all, each once."""
    strategy = strategy_of(text, grid, words, allow_repeats=allow_repeats, seed=seed)
    found = all_fills(strategy)
    needed = {position for slot in grid.slots for position in slot.positions}
    for fill in found:
        check_fill(grid, {at: fill[at] for at in needed}, words, allow_repeats=allow_repeats)
    expected = [{at: fill[at] for at in needed} for fill in naive_fills(grid, words, allow_repeats=allow_repeats)]
    keys = {frozenset(fill.items()) for fill in found}
    assert len(keys) == len(found), "a fill came twice"
    if strategy.is_complete:
        assert keys == {frozenset(fill.items()) for fill in expected}
    if strategy.outcome is Outcome.IMPOSSIBLE:
        assert not expected
        assert strategy.reason
    assert strategy.is_over
    assert strategy.counters.fills == len(found)
    return strategy


def trail_of(strategy: Strategy, most: int = 2000) -> list[str]:
    """Return the first events of a search, in words."""
    return [event.describe() for event, _ in zip(strategy.run(), range(most), strict=False)]
