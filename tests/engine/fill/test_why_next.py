"""What would come next, judged by what comes next."""

import pytest

from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS
from tests.engine.small_problems import problem_of
from xwtui.engine.events.event import MOST, EventKind
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.thoughts import thoughts_of
from xwtui.engine.fill.workers import Branching, SearchSettings

QUIET = SearchSettings(noise=0.0)
SQUARES = SearchSettings(noise=0.0, branching=Branching.ON_SQUARES, last_conflict=False)


@pytest.mark.parametrize("seed", range(3))
def test_the_first_entry_is_the_next_one_and_without_chance_its_first_word(seed: int) -> None:
    """Before each of many decisions, through dead ends and restarts."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=seed, settings=QUIET)
    seen = judged = 0
    while seen < 150:
        filler.pass_over_fill()
        filler.advance(nodes=1)
        if filler.outcome.is_final:
            continue
        thoughts = thoughts_of(filler)
        event = filler.step()
        while event is not None and event.kind is EventKind.RESTART:
            thoughts = thoughts_of(filler)
            event = filler.step()
        if event is None or event.kind is not EventKind.DECIDE:
            continue
        seen += 1
        assert event.slot == thoughts.ranking[0].name
        assert thoughts.ranking[0].figures.startswith(f"{event.before:,} / ")
        likely = [one.word for one in thoughts.words if one.room == thoughts.words[0].room]
        if len(likely) < MOST:
            judged += 1
            assert event.word in likely, "all have the same score"
    assert judged > 50


def test_blame_is_a_share_of_the_most_blamed_square() -> None:
    """Nothing at first; after dead ends one square has it all."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=0)
    assert set(thoughts_of(filler).blame.values()) == {0.0}
    while filler.square_weights.max() == 1.0:
        filler.pass_over_fill()
        filler.advance(nodes=1)
    blame = thoughts_of(filler).blame
    assert max(blame.values()) == 1.0
    assert min(blame.values()) == 0.0


def test_squares_are_ranked_where_squares_are_decided() -> None:
    """By letters and blame; the first decision is the first of them."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1, settings=SQUARES)
    thoughts = thoughts_of(filler)
    event = filler.step()
    while event is not None and event.kind is not EventKind.DECIDE:
        event = filler.step()
    assert event is not None
    assert event.slot is None
    assert str(event.crossing) == thoughts.ranking[0].name
    assert thoughts.ranking[0].figures.startswith(f"{event.before} / ")
