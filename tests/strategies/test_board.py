"""The board, our engine as a strategy, and the classic strategies under rules, compared with naive fills."""

import gc
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, selection_case, task_of, whole_grid_case
from tests.engine.small_problems import lexicon_of, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.agreeing import TooManyTriesError
from tests.naive.engine import given_content, read_answer, slot_words
from tests.naive.rules import Case, fills
from tests.ruled import Ruled, asked, ruled
from tests.strategies.judging import all_fills, judge, strategy_of
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import ANY_EVENT, EventKind, Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Position
from xwtui.model.alphabet import Alphabet
from xwtui.model.rules import RebusPlacing
from xwtui.strategies.board import EMPTY, Board, BoardSlot, fits
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.xwtui_engine import XwtuiEngine
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


@pytest.mark.parametrize("seed", range(5))
def test_digraphs_of_words_in_open_squares_are_replaced_all_at_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Word by word, a board of a full list takes seconds, in which nothing can stop it."""
    rng, alphabet = Random(seed), find_alphabet("spanish-ch-ll")
    drawn = {"".join(rng.choices("CHLA", k=rng.randint(3, 7))): rng.randint(1, 100) for _ in range(300)}
    words = {word: score for word, score in drawn.items() if "LLL" not in word}  # these read two ways
    units = {word: alphabet.units(word) for word in words}
    monkeypatch.setattr(Alphabet, "units", lambda *_: pytest.fail("one word at a time"))
    lexicon = Lexicon.build([WordList.from_scores("words", words)], alphabet=alphabet)
    board = Board(Task(Grid.blank(4, 4), lexicon))
    spelled = [[board.content(one).text for one in spelling] for spelling in board.slots[0].words]
    assert sorted(spelled) == sorted(each for each in units.values() if len(each) == 4)
    scores = [words["".join(each)] for each in spelled]
    assert scores == sorted(scores, reverse=True)


@given(small_grids(5), word_lists())
def test_spellings_are_the_words_that_fit(grid: Grid, words: dict[str, int]) -> None:
    board = Board(Task(grid, lexicon_of(words)))
    assert [slot.name for slot in board.slots] == [slot.name for slot in grid.slots]
    for number, slot in enumerate(grid.slots):
        pattern = board.pattern(number)
        fitting = [word for word in board.slots[number].words if fits(pattern, word)]
        rows = {board.read(number, spelling): tuple(map(board.content, spelling)) for spelling in fitting}
        assert rows == slot_words(grid, slot, words)
        assert len(rows) == len(fitting)


@given(small_grids(5), word_lists())
def test_the_board_shows_what_was_placed(grid: Grid, words: dict[str, int]) -> None:
    board = Board(Task(grid, lexicon_of(words)))
    standing = board.contents()
    assert standing == {at: content for at in board.positions if (content := given_content(grid, at)) is not None}
    before = dict(board.answers)
    written = []
    for slot in range(len(board.slots)):
        word = next((word for word in board.slots[slot].words if fits(board.pattern(slot), word)), None)
        if word is not None:
            written.append(board.put_word(slot, word))
            assert board.pattern(slot) == word
            assert board.is_filled(slot)
    filled = [slot for slot in grid.slots if all(at in board.contents() for at in slot.positions)]
    answers = [read_answer(board.contents(), slot) for slot in filled]
    assert sorted(board.answers.elements()) == sorted(answers)
    assert board.has_repeats == (len(set(answers)) < len(answers))
    for squares in reversed(written):
        board.take_all(squares)
    assert board.contents() == standing
    assert {word: count for word, count in board.answers.items() if count} == before


def test_crossings_name_the_other_slot_and_both_positions() -> None:
    board = Board(Task(grid_from_text("..#\n...\n#.."), lexicon_of({"AB": 1})))
    names = [slot.name for slot in board.slots]
    assert names == ["1A", "3A", "5A", "1D", "2D", "4D"]
    found = [(crossing.at, names[crossing.slot], crossing.other_at) for crossing in board.crossings[1]]
    assert found == [(0, "1D", 1), (1, "2D", 1), (2, "4D", 0)]


def test_a_conflict_of_given_squares_is_reported() -> None:
    words = {"CAT": 50, "ACE": 50}
    assert Board(Task(grid_from_text("Q..\n...\n..."), lexicon_of(words))).flaw() == "1A: no word fits Q??"
    repeated = grid_from_text("CAT\n###\nCAT")
    assert Board(Task(repeated, lexicon_of(words))).flaw() == "CAT is given twice"
    assert Board(Task(repeated, lexicon_of(words), allow_repeats=True)).flaw() == ""


def test_a_selection_keeps_pencil_outside() -> None:
    grid = grid_from_text("...\n...\n...")
    pencilled = grid.with_squares(
        {at: type(grid[at])(content=Content.of("X")) for at in map(Position, (2, 2, 2), (0, 1, 2))}
    )
    selection = frozenset({Position(0, 0), Position(0, 1), Position(0, 2)})
    board = Board(Task(pencilled, lexicon_of({"XXX": 1}), selection=selection))
    assert "".join(board.symbols) == EMPTY * 6 + "XXX"
    assert [slot.name for slot in board.slots] == ["1A", "5A", "1D", "2D", "3D"]


def test_an_unused_board_is_freed_immediately() -> None:
    """It holds megabytes, and Python's collector counts objects in cycles, not their size."""
    gc.disable()
    try:
        board = Board(Task(Grid.blank(3, 3), lexicon_of({"CAB": 50})))
        kept = weakref.ref(board)
        del board
        assert kept() is None
    finally:
        gc.enable()


def test_a_board_stores_only_words_of_its_slots() -> None:
    """All words with scores would take as much again, as long as the search lives."""
    board = Board(Task(Grid.blank(3, 3), lexicon_of({"CAB": 50})))
    assert {type(one) for one in gc.get_referrers(board.slots[0].words)} == {BoardSlot}
    words = frozenset(map(id, board.slots[0].words))
    pairs = [one for one in gc.get_objects() if type(one) is tuple and len(one) == 2 and id(one[0]) in words]
    assert pairs == []


WORDS = dict.fromkeys(["CAT", "COT", "ATE", "TEN", "CON", "OTE", "TEE", "NET"], 50)


def test_by_default_it_ends_with_its_first_fill() -> None:
    strategy = judge("xwtui", grid_from_text("...\n...\n..."), WORDS, allow_repeats=True)
    assert (strategy.outcome, strategy.counters.fills, strategy.is_complete) == (Outcome.FILLED, 1, False)


def test_full_speed_finds_the_same_fills_as_single_steps() -> None:
    grid = grid_from_text("...\n...\n...")
    stepped = judge("xwtui:all=yes", grid, WORDS, allow_repeats=True)
    running = strategy_of("xwtui:all=yes", grid, WORDS, allow_repeats=True)
    while not running.is_over:
        running.advance(Budget(1.0))
    assert running.counters == stepped.counters
    assert running.outcome is stepped.outcome is Outcome.FILLED


def test_decisions_list_those_in_force() -> None:
    strategy = strategy_of("xwtui", grid_from_text("...\n...\n..."), WORDS, allow_repeats=True)
    event = next(iter(strategy.run()))
    [decision] = strategy.decisions
    assert (decision.slot, decision.chosen) == (event.slot, event.word)
    assert strategy.domain_sizes[str(event.slot)] >= 1


SETTINGS = (
    "order=room",
    "order=score",
    "noise=300",
    "decide=words",
    "decide=squares",
    "decide=squares-at-last",
    "restart=luby,patience=1",
    "restart=nested,patience=2",
    "restart=never",
    "jump=no",
    "blame=no",
)


@pytest.mark.parametrize("setting", SETTINGS)
@examples(20)
@given(small_grids(4), word_lists(4))
def test_every_setting_solves_small_grids(setting: str, grid: Grid, words: dict[str, int]) -> None:
    by_default, set_so = (judge(name, grid, words) for name in ("xwtui", f"xwtui:{setting}"))
    assert set_so.outcome is by_default.outcome


def test_by_score_the_first_word_is_one_of_the_best() -> None:
    words = {a + b + c: 100 if a == "Z" else 1 for a in "ABZ" for b in "ABZ" for c in "ABZ"}
    grid = grid_from_text("...\n###\n...")
    strategy = strategy_of("xwtui:order=score,noise=0", grid, words)
    decided = [event.word for event in strategy.run() if event.kind is EventKind.DECIDE]
    assert decided
    assert all(word is not None and word.startswith("Z") for word in decided)


def test_an_existing_problem_is_searched_like_the_filler_does() -> None:
    words = {a + b + c + d: 50 for a in "ABCD" for b in "AEB" for c in "ACD" for d in "ABE"}
    problem = problem_of(grid_from_text("....\n....\n....\n...."), words)
    search, filler = XwtuiEngine.on(problem, 7), Filler(problem, seed=7)
    while search.outcome is Outcome.RUNNING:
        search.advance(until=ANY_EVENT)
    assert filler.advance(nodes=1_000_000) is search.outcome
    assert dict(search.squares) == dict(filler.fill())
    assert search.counters.nodes == filler.statistics.nodes


def test_a_following_search_starts_with_learned_weights() -> None:
    words = dict.fromkeys(["ABC", "BCD", "CDE", "XYZ", "ZZA", "AXB", "BYC", "CZD"], 1)
    problem = problem_of(grid_from_text("...\n...\n..."), words)
    first = XwtuiEngine.on(problem)
    first.advance(Budget(1.0))
    second = XwtuiEngine.on(problem, 1, after=first)
    assert second.filler.square_weights.tolist() == first.filler.square_weights.tolist()


MOST_TRIES = 4_000
STRATEGIES = (
    "emogic-letters",
    "emogic-letters:walk=snake,backtrack=naive,supply=masks",
    "emogic-words",
    "emogic-words:walk=slalom,lookup=regex,meta=no",
    "trie:order=fewest",
    "sorted-index",
    "fsharp-word",
    "fsharp-word:back=step",
    "qxw-cells",
    "copeland",
    "copeland:order=greedy",
    "top-ten",
    "permuted-index:repeats=no",
)


def without_placings(case: Case) -> Case:
    return replace(case, holes=frozenset(), rules=replace(Ruled.of(case.rules), placings=()).rules())


def check(case: Case, strategy: str, seed: int) -> None:
    """Check that a complete strategy finds all naive fills once, and any other only some of these."""
    slots = tuple(
        slot
        for slot in case.grid.slots
        if task_of(case).is_required(slot) or task_of(case).given_answer(slot) is not None
    )
    expected = {
        frozenset((at, content) for (at, _), content in squares.items())
        for squares, _ in fills(case, slots, most_tries=MOST_TRIES)
    }
    search = StrategyChoice.parse(strategy).make(task_of(case), seed)
    found = [frozenset(fill.items()) for fill in all_fills(search)]
    assert set(found) <= expected
    assert len(set(found)) == len(found)
    if search.is_complete:
        assert set(found) == expected
    if search.outcome is Outcome.IMPOSSIBLE:
        assert not expected
        assert search.reason


BESIDE_A_SELECTION = ("emogic-letters", "emogic-words", "double-trie", "qxw-cells", "top-ten")


@pytest.mark.parametrize(
    ("case", "strategy"),
    [
        *product((local_case, whole_grid_case), STRATEGIES),
        *product((selection_case,), BESIDE_A_SELECTION),
    ],
)
@given(st.randoms(use_true_random=True), st.integers(0, 1000))
@examples(12)
def test_rules_are_obeyed(case: Callable[[Random], Case], strategy: str, rng: Random, seed: int) -> None:
    with suppress(TooManyTriesError):
        check(without_placings(case(rng)), strategy, seed)


@pytest.mark.parametrize("strategy", ["xwtui:all=yes", "top-ten", "double-trie"])
def test_no_two_answers_share_a_stem(strategy: str) -> None:
    words = {"BAKE": 1, "BAKED": 1, "CAT": 1, "CATS": 1, "DOG": 1}
    grid = grid_from_text("....#\n#####\n.....\n#####\n...##")
    lexicon = Lexicon.build([WordList.from_scores("words", words)])
    task = Task(grid, lexicon, rules=ruled(distinct_stems=True))
    answers = {
        tuple("".join(str(fill[at]) for at in slot.positions) for slot in grid.slots)
        for fill in all_fills(StrategyChoice.parse(strategy).make(task))
    }
    assert answers == {("CATS", "BAKED", "DOG")}


def test_a_full_grid_that_breaks_a_rule_is_a_dead_end() -> None:
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 1, "DOG": 2})])
    task = Task(grid_from_text("...\n###\n###"), lexicon, rules=ruled(letters="C"))
    events = list(StrategyChoice.parse("top-ten").make(task).run())
    told = next(event for event in events if event.kind is EventKind.WIPE_OUT)
    assert told.describe() == "dead end: a square with C is no longer possible"
    assert events[-1].kind is EventKind.BACKTRACK
    assert sum(event.kind is EventKind.SOLVED for event in events) == 1


def test_an_unsatisfiable_rule_is_explained() -> None:
    grid = grid_from_text("...\n###\n###")
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 1})])
    rules = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(lacks=("A",))})
    assert Board(Task(grid, lexicon, rules=rules)).flaw() == "1A: no word that lacks A fits ???"
    missing = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(word_list="names")})
    with pytest.raises(EngineError, match="word list 'names' does not exist"):
        Board(Task(grid, lexicon, rules=missing))


def test_only_the_engine_supports_rebus_placing_and_gaps() -> None:
    grid = grid_from_text("...\n...\n...")
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 1})])
    placing = RebusPlacing((Content.of("HEART"),), 1, 2)
    for task in (
        Task(grid, lexicon, rules=ruled(placings=(placing,))),
        Task(grid, lexicon, holes=frozenset({Position(0, 0)})),
    ):
        with pytest.raises(EngineError, match=r"cannot place new rebus squares, leave holes, .*; only xwtui can"):
            Board(task)


def test_given_letters_are_not_decisions() -> None:
    grid = grid_from_text("C..\n...\n..T")
    words = {"CAT": 1, "ARE": 1, "TEN": 1, "COT": 1, "OAR": 1, "TRT": 1, "CAB": 1, "ART": 1}
    for name in ("emogic-letters", "double-trie"):
        search = strategy_of(name, grid, words, allow_repeats=True)
        for _ in search.run():
            given_squares = {Position(0, 0), Position(2, 2)}
            assert given_squares.isdisjoint(decision.square for decision in search.decisions)
            assert search.depth == len(search.decisions)
