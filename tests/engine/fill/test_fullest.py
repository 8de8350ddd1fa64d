"""The fullest partial fill of all runs is kept over restarts, and from the second run on its words come first."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from tests.engine.fill.test_filler import BY_WORDS, hash_of
from tests.engine.small_problems import problem_of
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.fill.filler import Filler, thoughts_of
from xwtui.engine.fill.search_settings import SearchSettings
from xwtui.engine.kernels.search.decisions import FULLEST, FULLEST_FIRST
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.xwtui_engine import XwtuiEngine

HASTY = replace(BY_WORDS, first_restart=6, restart_growth=1.1)
FORGETFUL = replace(HASTY, fullest_first=False)


@cache
def problem() -> Problem:
    """A grid that takes some ten such runs."""
    letters = (letter for length in (5, 6) for letter in product("AEST", repeat=length))
    words = {word: 50 for word in map("".join, letters) if hash_of(word) % 28 == 0}
    return problem_of(grid_from_text(".....#\n......\n......\n......\n......\n#.....\n"), words)


def searching(seed: int, settings: SearchSettings = HASTY) -> Filler:
    return Filler(problem(), seed=seed, settings=settings, trace=True, ring=20_000)


def kept(filler: Filler) -> Mapping[str, str]:
    rows = enumerate(filler.search.fullest.tolist())
    return {problem().slot_names[slot]: problem().word(slot, row) for slot, row in rows if row >= 0}


def decisions(filler: Filler) -> list[Event]:
    """Those of the events since the last look."""
    events = filler.take_recorded()
    every = (events[number] for number in range(len(events)))
    return [event for event in every if event.kind is EventKind.DECIDE]


def test_what_is_kept_stood_once_nothing_was_fuller_and_decisions_follow_it() -> None:
    """Node by node: it is the first of the fullest standings before a decision, which takes its word of that."""
    followed = first_run = 0
    for seed in range(6):
        filler, fullest = searching(seed), dict[str, str]()
        while not filler.outcome.is_final:
            standing, is_later = filler.answers(), filler.statistics.restarts > 0
            fullest = dict(standing) if len(standing) > len(fullest) else fullest
            possible = [
                set(problem().rows_left(filler.state, slot).tolist()) for slot in range(len(problem().slots))
            ]
            thoughts = thoughts_of(filler)
            filler.advance(nodes=1)
            assert (kept(filler), filler.search.progress[FULLEST]) == (fullest, len(fullest))
            for made in decisions(filler):
                assert made.slot is not None
                slot = problem().slot_numbers[made.slot]
                if is_later and filler.search.fullest[slot] in possible[slot]:
                    assert made.word == fullest[made.slot] == thoughts.words[0].word
                    followed += 1
                first_run += not is_later
        assert filler.outcome is Outcome.FILLED
        assert kept(filler) == filler.answers()
    assert followed > 50
    assert first_run > 30


@pytest.mark.parametrize("seed", range(4))
def test_the_first_run_is_the_same_and_forgetting_makes_another_search_after_it(seed: int) -> None:
    runs = [searching(seed, settings) for settings in (HASTY, FORGETFUL)]
    first = [_decisions_until_restart(filler) for filler in runs]
    assert first[0] == first[1]
    for filler in runs:
        filler.advance(nodes=1_000_000)
    assert decisions(runs[0]) != decisions(runs[1])
    assert kept(runs[1]) == {}


def _decisions_until_restart(filler: Filler) -> list[Event]:
    assert filler.run_until([EventKind.RESTART]) is not None
    return decisions(filler)


def test_slices_steps_and_traces_make_the_same_search() -> None:
    for seed in range(3):
        whole, sliced, untraced = searching(seed), searching(seed), Filler(problem(), seed=seed, settings=HASTY)
        whole.advance(nodes=1_000_000)
        untraced.advance(nodes=1_000_000)
        while not sliced.outcome.is_final:
            thoughts_of(sliced)
            sliced.step()
            sliced.advance(nodes=2)
        assert whole.statistics.restarts > 2
        assert decisions(whole) == decisions(sliced)
        assert whole.answers() == sliced.answers() == untraced.answers()
        assert kept(whole) == kept(sliced) == kept(untraced)


def test_it_is_a_switch_of_the_strategy_that_is_on() -> None:
    def strategy(options: str) -> XwtuiEngine:
        made = StrategyChoice.parse(f"xwtui{options}").make(problem().task, 1)
        assert isinstance(made, XwtuiEngine)
        return made

    for options, is_on in (("", True), (":fullest=yes", True), (":fullest=no", False)):
        assert bool(strategy(options).filler.search.settings[FULLEST_FIRST]) is is_on
