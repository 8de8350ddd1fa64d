"""The classic strategies under rules, against the naive fills: every complete one finds them all, each once."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, selection_case, whole_grid_case
from tests.examples import examples
from tests.naive.rules import Case, TooManyTriesError, fills
from tests.ruled import Ruled, asked, ruled
from tests.strategies.judging import all_fills, strategy_of
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Position
from xwtui.model.rules import RebusPlacing
from xwtui.strategies.board import Board
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

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


def task_of(case: Case) -> Task:
    """The task of a case without holes and new rebus squares."""
    words = WordList.from_scores("words", case.words, case.tags)
    own_lists = {name: Lexicon.build([WordList.from_scores(name, own)]) for name, own in case.own_lists.items()}
    lexicon = Lexicon.build([words], minimum_score=case.minimum, banned=case.banned)
    return Task(case.grid, lexicon, case.allow_repeats, case.rules, own_lists, case.selection)


def without_placings(case: Case) -> Case:
    return replace(case, holes=frozenset(), rules=replace(Ruled.of(case.rules), placings=()).rules())


def check(case: Case, strategy: str, seed: int) -> None:
    """All naive fills, each once, by a complete strategy; nothing but these by any other."""
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


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(st.randoms(use_true_random=True), st.integers(0, 1000))
@examples(12)
def test_rules_of_single_entries_and_squares(strategy: str, rng: Random, seed: int) -> None:
    with suppress(TooManyTriesError):
        check(without_placings(local_case(rng)), strategy, seed)


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(st.randoms(use_true_random=True), st.integers(0, 1000))
@examples(12)
def test_rules_of_the_whole_grid(strategy: str, rng: Random, seed: int) -> None:
    with suppress(TooManyTriesError):
        check(without_placings(whole_grid_case(rng)), strategy, seed)


@pytest.mark.parametrize("strategy", ["emogic-letters", "emogic-words", "double-trie", "qxw-cells", "top-ten"])
@given(st.randoms(use_true_random=True), st.integers(0, 1000))
@examples(12)
def test_rules_beside_a_selection(strategy: str, rng: Random, seed: int) -> None:
    with suppress(TooManyTriesError):
        check(without_placings(selection_case(rng)), strategy, seed)


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


def test_a_full_grid_that_breaks_a_rule_is_told_as_a_dead_end() -> None:
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 1, "DOG": 2})])
    task = Task(grid_from_text("...\n###\n###"), lexicon, rules=ruled(letters="C"))
    events = list(StrategyChoice.parse("top-ten").make(task).run())
    told = next(event for event in events if event.kind is EventKind.WIPE_OUT)
    assert told.describe() == "dead end: a square with C is no longer possible"
    assert events[-1].kind is EventKind.BACKTRACK
    assert sum(event.kind is EventKind.SOLVED for event in events) == 1


def test_a_rule_that_nothing_obeys_is_told_in_words() -> None:
    grid = grid_from_text("...\n###\n###")
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 1})])
    rules = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(lacks=("A",))})
    assert Board(Task(grid, lexicon, rules=rules)).flaw() == "1A: no word that lacks A fits ???"
    missing = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(word_list="names")})
    with pytest.raises(EngineError, match="word list 'names' does not exist"):
        Board(Task(grid, lexicon, rules=missing))


def test_new_rebus_squares_and_holes_are_for_the_engine_alone() -> None:
    grid = grid_from_text("...\n...\n...")
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 1})])
    placing = RebusPlacing((Content.of("HEART"),), 1, 2)
    for task in (
        Task(grid, lexicon, rules=ruled(placings=(placing,))),
        Task(grid, lexicon, holes=frozenset({Position(0, 0)})),
    ):
        with pytest.raises(EngineError, match=r"cannot place new rebus squares, leave holes, .*; only xwtui can"):
            Board(task)


def test_given_letters_are_no_decisions() -> None:
    grid = grid_from_text("C..\n...\n..T")
    words = {"CAT": 1, "ARE": 1, "TEN": 1, "COT": 1, "OAR": 1, "TRT": 1, "CAB": 1, "ART": 1}
    for name in ("emogic-letters", "double-trie"):
        search = strategy_of(name, grid, words, allow_repeats=True)
        for _ in search.run():
            given_squares = {Position(0, 0), Position(2, 2)}
            assert given_squares.isdisjoint(decision.square for decision in search.decisions)
            assert search.depth == len(search.decisions)
