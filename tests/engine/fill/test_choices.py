"""Which entry and word come next, and why."""

from math import log, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS
from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.engine import naive_propagation
from xwtui.engine.events.event import MOST, EventKind
from xwtui.engine.fill.filler import Filler, thoughts_of
from xwtui.engine.fill.search_settings import Branching, SearchSettings
from xwtui.engine.kernels.search import choose
from xwtui.engine.kernels.search.decisions import UNIT
from xwtui.model import Grid, Position, Slot

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


BY_ROOM = SearchSettings(noise=0, score_weight=0)
BY_SCORE = SearchSettings(noise=0, score_weight=100)


def contents_at(grid: Grid, slot: Slot, words: set[str], position: Position) -> list[str]:
    """The letters that words put on a square, with repetition; grids without rebus squares only."""
    return [word[slot.positions.index(position)] for word in words]


def open_crossings(grid: Grid, slot: Slot, left: dict[str, set[str]]) -> list[tuple[Position, Slot]]:
    """The squares of a slot whose crossing entry is undecided, with that entry."""
    found = []
    for position in slot.positions:
        other = grid.slot_at(position, slot.direction.other)
        if other is not None and len(left[other.name]) > 1:
            found.append((position, other))
    return found


def test_the_tables_are_those_that_the_library_of_c_makes() -> None:
    """Numpy's logarithms may differ by a rounding from one processor to the next, and a seed's fill may not."""
    logarithms = [round(log(max(number, 1)) * UNIT) for number in range(len(choose._LOGARITHMS))]
    count = len(choose._GUMBELS)
    gumbels = [round(-log(-log((index + 0.5) / count)) * UNIT) for index in range(count)]
    assert choose._LOGARITHMS.tolist() == logarithms
    assert choose._GUMBELS.tolist() == gumbels


@examples(200)
@given(small_grids(rebuses=False), word_lists(), st.integers(0, 3))
def test_the_first_decision_is_the_tightest_entry_and_its_roomiest_word(
    grid: Grid, words: dict[str, int], seed: int
) -> None:
    left = naive_propagation(grid, words)
    assume(left is not None)
    assert left is not None
    event = Filler(problem_of(grid, words), seed=seed, settings=BY_ROOM).run_until([EventKind.DECIDE])
    undecided = {slot.name: slot for slot in grid.slots if len(left[slot.name]) > 1}
    if event is None:
        assert not undecided
        return
    tightness = {
        name: len(left[name]) / (len(open_crossings(grid, slot, left)) + 1e-6) for name, slot in undecided.items()
    }
    assert event.slot is not None
    assert tightness[event.slot] == min(tightness.values())
    slot = undecided[event.slot]
    room = {
        word: prod(
            contents_at(grid, other, left[other.name], at).count(contents_at(grid, slot, {word}, at)[0])
            for at, other in open_crossings(grid, slot, left)
        )
        for word in left[slot.name]
    }
    assert event.word in room
    assert abs(log(room[event.word]) - log(max(room.values()))) < 0.001


@given(small_grids(rebuses=False), word_lists())
def test_where_score_is_all_the_best_word_comes_first(grid: Grid, words: dict[str, int]) -> None:
    filler = Filler(problem_of(grid, words), settings=BY_SCORE)
    left = naive_propagation(grid, words)
    event = filler.run_until([EventKind.DECIDE])
    if event is not None:
        assert left is not None
        assert words[known(event.word)] == max(words[word] for word in left[event.slot or ""])


def test_noise_makes_roomy_words_likelier_and_others_possible() -> None:
    grid = Grid.blank(3, 3)
    words = {a + b + c: 50 for a in "AAB" for b in "ABC" for c in "ABC"} | {"CAB": 50}
    problem = problem_of(grid, words)
    first = [
        event.word
        for seed in range(300)
        if (event := Filler(problem, seed=seed, settings=SearchSettings(noise=1)).run_until([EventKind.DECIDE]))
    ]
    assert len(set(first)) > 5
    assert sum(word == "CAB" for word in first) < 300 / len(words)
