"""Published fillers: TopTen and TheF#WORD, the latter with the article's own small dictionary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, small_grids, word_lists
from tests.examples import is_deep
from tests.known import known
from tests.naive.engine import check_fill
from tests.strategies.judging import judge, strategy_of, trail_of
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.engine.events.timeline import Timeline
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import read_puzzle
from xwtui.model import Grid, WordChoice
from xwtui.resources import puzzles_folder
from xwtui.strategies.board import Board
from xwtui.strategies.fsharp_word import Conflicts
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.top_ten import RegexSearches, TopTen
from xwtui.words.sources import load_lexicon

WORDS = dict.fromkeys(["CAT", "COT", "ATE", "TEN", "CON", "OTE", "TEE", "NET"], 50)


@given(small_grids(4), word_lists(4), st.sampled_from(["", ",top=2", ",ties=shuffled"]))
def test_regular_expressions_make_the_same_search(grid: Grid, words: dict[str, int], options: str) -> None:
    trails = [
        trail_of(strategy_of(f"top-ten:lookup={lookup}{options}", grid, words)) for lookup in ("bitmaps", "regex")
    ]
    assert trails[0] == trails[1]


def test_the_last_32_searches_are_cached() -> None:
    strategy = strategy_of("top-ten:lookup=regex", grid_from_text("...\n...\n..."), WORDS)
    assert isinstance(strategy, TopTen)
    assert isinstance(strategy.bitmaps, RegexSearches)
    strategy.first_fill()
    kept = strategy.bitmaps.search.cache_info()
    assert kept.maxsize == 32
    assert kept.hits > 0 < kept.misses


def test_the_top_entries_are_sorted_again_by_their_words() -> None:
    grid = grid_from_text("C....\n###.#\n.....")
    words = {"CAROL": 9, "CAMEL": 9, "LOT": 9, "EAT": 9, "SATYR": 9, "STATE": 9, "ABIDE": 9}
    for options, first in [("", "1A"), (":top=1", "1A"), (":nearly=empty,top=1", "2D"), (":nearly=empty", "1A")]:
        strategy = strategy_of(f"top-ten{options}", grid, words)
        assert next(iter(strategy.run())).slot == first
        assert strategy.ranking[0].name == first
    assert [rank.name for rank in strategy.ranking] == ["1A", "2D", "3A"]


def test_words_are_tried_by_score_without_contradictions() -> None:
    grid = grid_from_text("...\n.##\n.##\n.##")
    words = {"CAT": 10, "AXE": 90, "ACE": 50, "CUE": 40, "EWE": 95, "CAST": 1, "ATOM": 1}
    strategy = strategy_of("top-ten:nearly=empty", grid, words)
    decided = [event for event in strategy.run() if event.kind is EventKind.DECIDE]
    assert [event.word for event in decided if event.slot == "1A"] == ["AXE", "ACE", "CUE", "CAT"]


def test_words_of_equal_score_are_shuffled_on_request() -> None:
    words = {"BEST": 9} | dict.fromkeys(("ABLE", "ACHE", "ALSO", "APSE"), 5) | {"LAST": 1}
    tried = {
        tuple(event.word for event in strategy.run() if event.kind is EventKind.DECIDE)
        for seed in range(5)
        for strategy in [
            strategy_of("top-ten:ties=shuffled", grid_from_text("....\n####\n####"), words, seed=seed)
        ]
    }
    assert len(tried) > 1
    assert {(one[0], one[-1]) for one in tried} == {("BEST", "LAST")}
    assert {frozenset(one) for one in tried} == {frozenset(words)}


def test_a_dead_end_names_what_is_missing() -> None:
    words = {"ACE": 10, "OCT": 9, "COD": 1, "BAD": 1}
    told = trail_of(strategy_of("top-ten", grid_from_text(".C.\n.##\nD##"), words))
    assert told == ["1A has no options left: r1c1 allows none of A, O", "impossible: no fill exists"]


def test_a_word_is_used_once() -> None:
    told = trail_of(strategy_of("top-ten", grid_from_text("..#\n..#\n###"), {"AB": 2, "BA": 1}))
    assert told[:4] == [
        "decide 1A = AB, 2 options",
        "1D has no options left: 1A has AB",
        "backtrack from 1A to the start: 1A is not AB, 1 option left there",
        "decide 1A = BA, 1 option",
    ]


def test_letters_weigh_more_than_their_share() -> None:
    grid = grid_from_text("C..#####\n########\nSA.....#\n########\n.A#.....")
    words = {"CAT": 9, "SATISFY": 9, "AA": 9, "BA": 9, "SATYR": 9}
    for nearly, first in [("letters", "2A"), ("share", "3A"), ("empty", "3A")]:
        strategy = strategy_of(f"top-ten:top=1,nearly={nearly}", grid, words)
        assert next(iter(strategy.run())).slot == first


GRIDS = ("15x15-01", "15x15-02", "15x15-03", "15x15-06", "15x15-07", "15x15-17")


# The article: "the generator filled a 15x15 grid in 200 nodes instead of 150,000".
@pytest.mark.parametrize("template", GRIDS if is_deep() else GRIDS[:2])
def test_a_newspaper_grid_takes_at_most_200_nodes(template: str) -> None:
    lexicon = load_lexicon(WordChoice(minimum_score=0)).lexicon
    grid = read_puzzle(puzzles_folder() / "templates" / f"{template}.txt").grid
    strategy = StrategyChoice.parse("top-ten").make(Task(grid, lexicon))
    fill = known(strategy.first_fill())
    words = [word for length in lexicon.lengths for word in lexicon.table(length).words()]
    check_fill(grid, fill, dict.fromkeys(words, 0))
    assert strategy.counters.nodes <= 200


TEXT = "ABA ABB ABC ABD ABE ABF ABG BDA BDB BDC BDD AAAA DDDD CCCC AAAAA BBBAA DDDBB"
DICTIONARY = {word: 100 - place for place, word in enumerate(TEXT.split())}


@given(small_grids(4), word_lists(4), st.sampled_from(["one", "independent", "none"]), st.integers(0, 3))
def test_jumps_find_one_legal_fill_or_prove_nothing(
    grid: Grid, words: dict[str, int], filters: str, seed: int
) -> None:
    strategy = judge(f"fsharp-word:filter={filters},limit=400", grid, words, seed=seed)
    assert strategy.counters.fills <= 1
    if strategy.outcome is Outcome.IMPOSSIBLE:
        assert strategy.counters.nodes == 0  # only given squares prove anything
    if strategy.outcome is Outcome.UNKNOWN:
        assert "proves nothing" in strategy.reason


def test_the_articles_dictionary_step_by_step() -> None:
    """As in its steps 8 to 10: a jump to a pattern that does not cross, and BBBAA is pruned."""
    strategy = strategy_of("fsharp-word:draw=no", grid_from_text(".....###\n####....\n####.###"), DICTIONARY)
    assert trail_of(strategy) == [
        "decide 1A = AAAAA, 3 options",
        "prune 2D: 11 to 7 options, through r1c5",
        "decide 3A = AAAA, 3 options",
        "prune 2D: 7 to 0 options, through r2c5",
        "2D has no options left: r2c5 allows none of B",
        "backtrack from 3A to 1A: 3A is not AAAA, 2 options left there",
        "decide 3A = DDDD, 2 options",
        "prune 2D: 7 to 0 options, through r2c5",
        "2D has no options left: r2c5 allows none of B",
        "backtrack from 3A to 1A: 3A is not DDDD, 1 option left there",
        "decide 3A = CCCC, 1 option",
        "prune 2D: 7 to 0 options, through r2c5",
        "2D has no options left: r2c5 allows none of B",
        "backtrack from 3A to 1A: 3A is not CCCC, 0 options left there",
        "3A has no options left without AAAA",
        "backtrack from 1A to the start: 1A is not AAAAA, 2 options left there",
        "prune 1A: 2 to 1 option, without ????A",
        "decide 1A = DDDBB, 1 option",
        "prune 2D: 11 to 4 options, through r1c5",
        "decide 3A = DDDD, 3 options",
        "decide 2D = BDA, 4 options",
        "solved: every entry has its word",
    ]


@given(small_grids(5, rebuses=False), word_lists(), st.integers(0, 3))
def test_a_timeline_follows_jumps_into_the_middle(grid: Grid, words: dict[str, int], seed: int) -> None:
    strategy = strategy_of("fsharp-word:limit=40", grid, words, seed=seed)
    timeline = Timeline(grid)
    for event in strategy.run():
        timeline.append(event)
        moment = timeline.at(len(timeline) - 1)
        assert [one.subject for one in moment.decisions] == [one.name for one in strategy.decisions]
        assert moment.squares.items() <= strategy.squares.items()


def test_a_jump_undoes_only_what_depends_on_its_target() -> None:
    grid = grid_from_text("...#......\n.#########\n.......###\n.#########\n.#########")
    words = {"CAT": 99, "DOG": 98, "CRABS": 97, "CLAMS": 96, "CORAL": 95, "DOZEN": 94, "SECOND": 93, "FOURTH": 92}
    words |= dict.fromkeys(["ZAAAAAA", "ZBBBBBB", "ZCCCCCC", "ZDDDDDD"], 50)
    strategy = strategy_of("fsharp-word:draw=no", grid, words)
    timeline = Timeline(grid)
    told = []
    for event in strategy.run():
        timeline.append(event)
        told.append((event.describe().split(",")[0], " ".join(decision.name for decision in strategy.decisions)))
    start = told.index(("decide 2A = SECOND", "1A 2A"))
    assert [line for line in told[start:] if "prune" not in line[0]] == [
        ("decide 2A = SECOND", "1A 2A"),
        ("decide 1D = CRABS", "1A 2A 1D"),
        ("3A has no options left: r3c1 allows none of Z", "1A 2A 1D"),
        ("backtrack from 1D to 2A: 1D is not CRABS", "1A 2A"),
        ("decide 1D = CORAL", "1A 2A 1D"),
        ("3A has no options left: r3c1 allows none of Z", "1A 2A 1D"),
        ("backtrack from 1D to 2A: 1D is not CORAL", "1A 2A"),
        ("1D has no options left without CRABS", "1A 2A"),
        ("backtrack from 1A to 2A: 1A is not CAT", "2A"),
        ("decide 1A = DOG", "2A 1A"),
        ("decide 1D = DOZEN", "2A 1A 1D"),
        ("decide 3A = ZAAAAAA", "2A 1A 1D 3A"),
        ("solved: every entry has its word", "2A 1A 1D 3A"),
    ]
    for number, (_, stands) in enumerate(told):
        assert " ".join(one.subject for one in timeline.at(number).decisions) == stands


def test_independent_conflicts_create_two_filters() -> None:
    grid = grid_from_text("###.....###\n....###....\n###.###.###\n###.....###")
    board = Board(Task(grid, lexicon_of(DICTIONARY)))
    slots = {slot.name: number for number, slot in enumerate(board.slots)}
    conflicts = Conflicts(board)
    for name in ("1D", "2D"):
        conflicts.mark(slots[name])
    target = slots["1A"]
    assert conflicts.filters("one", target, ()) == [[0, 4]]
    assert conflicts.filters("independent", target, {target}) == [[0], [4]]
    below = next(number for number, slot in enumerate(board.slots) if slot.squares[0] == slots_start(board, 3, 3))
    assert conflicts.filters("independent", target, {target, below}) == [[0, 4]]
    conflicts.clear(slots["2D"])
    assert conflicts.filters("one", target, ()) == [[0]]


def slots_start(board: Board, row: int, column: int) -> int:
    """The square at a row and column, from 0."""
    return next(number for number, at in enumerate(board.positions) if (at.row, at.column) == (row, column))


def test_the_word_that_leaves_most_room_is_taken() -> None:
    grid = grid_from_text("...\n.##\n.##\n.##")
    words = {"CAT": 9, "DOG": 8, "CASE": 1, "DATE": 1, "DARE": 1}
    strategy = strategy_of("fsharp-word:draw=no,back=step", grid, words)
    first = next(iter(strategy.run()))
    assert (first.slot, first.word) == ("1A", "DOG")
    assert [(rank.name, rank.figures) for rank in strategy.ranking] == [("1A", "2 options"), ("1D", "3 options")]


def test_arc_consistency_prunes_more_than_forward_checking() -> None:
    grid = grid_from_text("..#\n...\n#..")
    words = dict.fromkeys(["AB", "CD", "BXE", "XD", "BE", "EF", "XF"], 1)
    forward, consistent = (strategy_of(f"fsharp-word:check={check}", grid, words) for check in ("forward", "ac-3"))
    assert trail_of(forward)[0].startswith("decide")
    assert trail_of(consistent)[0].startswith("prune")


def test_short_patterns_depend_on_their_crossings() -> None:
    grid = grid_from_text("...\n#.#\n..#")
    words = dict.fromkeys(["CAT", "ARE"], 1)
    strategy = strategy_of("fsharp-word:shortest=3", grid, words)
    fill = known(strategy.first_fill())
    assert {str(at): str(content) for at, content in fill.items()} == {
        "r1c1": "C",
        "r1c2": "A",
        "r1c3": "T",
        "r2c2": "R",
        "r3c2": "E",
    }
    assert not strategy.is_complete
