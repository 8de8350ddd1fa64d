from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, small_grids, word_lists
from tests.examples import is_deep
from tests.known import known
from tests.naive.engine import check_fill
from tests.published_data import published_lexicon
from tests.strategies.judging import judge, strategy_of, trail_of
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.board import EMPTY, Board, fits
from xwtui.strategies.emogic_words import LOOKUPS, WORD_WALKS, EveryMaskLookup, RegexLookup, word_walk
from xwtui.strategies.letter_walks import Rectangle
from xwtui.strategies.registry import StrategyChoice


@given(
    st.lists(st.text("ABC", min_size=4, max_size=4), min_size=1, max_size=30, unique=True),
    st.text("ABC" + EMPTY, min_size=4, max_size=4),
    st.lists(st.none() | st.sets(st.sampled_from("ABCD")), min_size=4, max_size=4),
)
def test_all_lookups_find_the_same_words(words: list[str], pattern: str, lists: list[set[str] | None]) -> None:
    fitting = [word for word in words if fits(pattern, word)]
    asked = [letters if known == EMPTY else None for known, letters in zip(pattern, lists, strict=True)]
    within = [
        word
        for word in fitting
        if all(letters is None or letter in letters for letter, letters in zip(word, asked, strict=True))
    ]
    for lookup in (make(words) for make in LOOKUPS.values()):
        assert list(lookup.words(pattern)) == fitting
        assert list(lookup.words_of_letters(pattern, asked)) == within


@given(small_grids(4), word_lists(4), st.sampled_from(WORD_WALKS), st.sampled_from(["yes", "no"]))
def test_all_lookups_make_the_same_search(grid: Grid, words: dict[str, int], walk: str, meta: str) -> None:
    trails = [
        trail_of(strategy_of(f"emogic-words:walk={walk},meta={meta},lookup={lookup}", grid, words, seed=5))
        for lookup in LOOKUPS
    ]
    assert trails[0] == trails[1] == trails[2]


def test_walks_take_every_entry_once_in_their_order() -> None:
    grid = grid_from_text("...#\n....\n#...\n....")
    board = Board(Task(grid, lexicon_of({"AB": 1})))
    orders = {
        name: " ".join(board.slots[slot].name for slot in word_walk(name, board, Rectangle(4, 4), Random(1)))
        for name in WORD_WALKS
    }
    assert orders["across-then-down"] == "1A 4A 6A 7A 1D 2D 3D 5D"
    assert orders["numerical"] == "1A 1D 2D 3D 4A 5D 6A 7A"
    assert orders["crossing-words"] == "1A 1D 2D 3D 4A 6A 7A 5D"
    assert orders["sik-sak"] == "1A 1D 2D 4A 3D 6A 7A 5D"
    assert orders["slalom"] == "1A 1D 4A 2D 3D 7A 6A 5D"
    assert sorted(orders["random"].split()) == sorted(orders["numerical"].split())


def told(text: str, words: list[str]) -> list[str]:
    """What a search of a 2x2 square tells, to its end."""
    strategy = strategy_of(text, grid_from_text("..#\n..#\n###"), dict.fromkeys(words, 1))
    return [event.describe() for event in strategy.run()]


def test_a_dead_end_names_the_crossing_and_what_it_takes() -> None:
    assert told("emogic-words:meta=no,words=alphabetical", ["AB", "BC", "AX"])[:4] == [
        "decide 1A = AB, 3 options",
        "decide 1D = AX, 1 option",
        "3A has no options left: r2c1 allows none of A, B",
        "backtrack from 1D to 1A: 1D is not AX, 0 options left there",
    ]


def test_a_word_that_would_stand_twice_is_told() -> None:
    events = told("emogic-words:walk=across-then-down,words=alphabetical", ["AA", "AC", "CA"])
    assert events[:3] == [
        "decide 1A = AA, 3 options",
        "decide 3A = AC, 2 options",
        "1D has no options left: 1A has AA",
    ]


def test_a_double_square_of_six_letters_comes_within_a_few_nodes() -> None:
    task = Task(Grid.blank(6, 6), published_lexicon("dicts/uk.txt"))
    strategy = StrategyChoice.parse("emogic-words:walk=across-then-down").make(task, 1)
    fill = known(strategy.first_fill())
    check_fill(task.grid, fill, dict.fromkeys(task.lexicon.table(6).words(), 0))
    assert strategy.counters.nodes < 200


def test_the_letters_of_the_crossings_save_nodes() -> None:
    words = {a + b + c: 1 for a in "ABCD" for b in "ABE" for c in ("ACD" if is_deep() else "AC")}
    words |= {"EEE": 1, "BEE": 1}
    grid = grid_from_text("...\n...\n...")
    blind, seeing = (judge(f"emogic-words:meta={meta}", grid, words) for meta in ("no", "yes"))
    assert seeing.counters.nodes < blind.counters.nodes
    assert seeing.counters.fills == blind.counters.fills


def test_crossing_words_may_begin_anywhere() -> None:
    grid = grid_from_text("...\n...\n...")
    words = dict.fromkeys(["ABC", "DEF", "GHI", "ADG", "BEH", "CFI"], 1)
    for start in ("1A", "3d", "4A"):
        strategy = strategy_of(f"emogic-words:start={start}", grid, words)
        assert next(iter(strategy.run())).slot == start.upper()
        assert len(strategy.first_fill() or {}) == 9
    with pytest.raises(EngineError, match="there is no entry 9D to fill"):
        strategy_of("emogic-words:start=9D", grid, words).first_fill()


def test_the_table_of_every_mask_has_every_mask() -> None:
    lookup = EveryMaskLookup(["CAT", "COT", "DOG"])
    assert [list(lookup.words(mask)) for mask in ("C?T", "???", "?O?", "CAT", "X??")] == [
        ["CAT", "COT"],
        ["CAT", "COT", "DOG"],
        ["COT", "DOG"],
        ["CAT"],
        [],
    ]
    with pytest.raises(EngineError, match="every mask of 1 words of 23 letters makes 8,388,608 in all"):
        EveryMaskLookup(["A" * 23])


def test_look_ups_asked_are_counted_beside_those_made() -> None:
    lookups = {remembers: RegexLookup(["CAT", "COT"], remembers=remembers) for remembers in (True, False)}
    for lookup in lookups.values():
        assert [lookup.letters("C?T", 1) for _ in range(3)] == [frozenset("AO")] * 3
        lookup.words_of_letters("???", [None, "A", None])
        assert lookup.seconds > 0
    counted = [(lookups[remembers].asked, lookups[remembers].made) for remembers in (True, False)]
    assert counted == [(4, 2), (4, 4)]


@pytest.mark.parametrize("meta", ["yes", "no"])
def test_a_search_counts_its_look_ups(meta: str) -> None:
    grid = grid_from_text("...\n...\n...")
    words = {a + b + c: 1 for a in "ABCD" for b in "AEB" for c in "ACD"}
    made = {memo: strategy_of(f"emogic-words:meta={meta},memo={memo}", grid, words) for memo in ("yes", "no")}
    trails = [trail_of(made[memo], 300) for memo in ("yes", "no")]
    assert trails[0] == trails[1]
    asked = {memo: strategy.lookups for memo, strategy in made.items()}
    assert asked["yes"] is not None
    assert asked["no"] is not None
    assert 0 < asked["yes"].made < asked["yes"].asked == asked["no"].asked == asked["no"].made
