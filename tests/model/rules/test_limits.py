"""Limits on letters and low scores: entering, storing, reviewing, filling under and explaining them."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import (
    LETTERS,
    MOST_TRIES,
    check_kept,
    local_case,
    problem_of,
    whole_grid_case,
)
from tests.engine.small_problems import candidates_left
from tests.examples import examples
from tests.naive.agreeing import TooManyTriesError
from tests.naive.rules import Case, fills
from tests.naive.rules import given as given_content
from tests.session.saying import PATIENCE_SECONDS, do, rows, said
from xwtui.batch.races.referee import fault_of
from xwtui.batch.races.task import RaceTask
from xwtui.engine.explain.explain import explain
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.ipuz_extensions import RULES, read_rules
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Content, Direction, EntryRules, Grid, Position, Puzzle, Rules, SlotKey, edits
from xwtui.model.review import Check, review
from xwtui.model.rules import WantedWords
from xwtui.model.rules.answer_limits import GlueLimit
from xwtui.model.rules.entry_rules import LetterLimit
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line
from xwtui.strategies.board import Spellings, WholeGrid
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_findings, rule_notes
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

FIRST = (Position(0, 0), Direction.ACROSS)
ONE_Q = LetterLimit("Q", 1)


# The naive twin: of all fills, those whose answers exceed no letter limit, except answers given whole.


def obeys(answer: str, limits: EntryRules) -> bool:
    return all(answer.count(rule.letter) <= rule.most for rule in limits.of(LetterLimit))


def keeps(case: Case, answers: Mapping[str, str]) -> bool:
    """Whether all answers obey the limits, except those given whole."""
    asked = {
        slot.name: [case.rules.entries.get(slot.key, EntryRules()), case.rules.every]
        for slot in case.grid.slots
        if not all(given_content(case, at) for at in slot.positions)
    }
    return all(obeys(answers[name], limits) for name, rules in asked.items() for limits in rules)


def limited_case(chance: Random) -> Case:
    """Return a case of other rules with limits for some entries, for every answer, or both."""
    case = chance.choice([local_case, whole_grid_case])(chance)
    entries: dict[SlotKey, EntryRules] = dict(case.rules.entries)
    for slot in case.grid.slots:
        if chance.random() < 0.2:
            key = (slot.start, slot.direction)
            entries[key] = EntryRules(*entries.get(key, EntryRules()).rules, _limit(chance))
    every = EntryRules(*(_limit(chance) for _ in range(chance.randint(0, 1))))
    return replace(case, rules=replace(case.rules, entries=entries, every=every))


def _limit(chance: Random) -> LetterLimit:
    return LetterLimit(chance.choice(LETTERS), chance.choice([0, 1, 1, 2]))


@examples(150)
@given(st.integers(0, 1 << 32))
def test_fills_match_the_naive_twin(seed: int) -> None:
    case = limited_case(Random(seed))
    with suppress(TooManyTriesError):
        check_kept(case, lambda _, answers: keeps(case, answers), seed % 7)


@given(st.integers(0, 1 << 32))
def test_classic_strategies_spell_the_same_as_the_engine(seed: int) -> None:
    case = limited_case(Random(seed))
    problem = problem_of(replace(case, holes=frozenset()))
    if case.rules.new_squares:
        return
    slots = case.grid.slots
    for slot, spellings in zip(slots, Spellings(problem.task).of(slots), strict=True):
        if problem.task.given_answer(slot) is None:
            limits = [case.rules.entries.get((slot.start, slot.direction), EntryRules()), case.rules.every]
            plain = [one for one in spellings if one.isascii()]
            assert all(obeys(answer, each) for answer in plain for each in limits)


# Entered, listed, undone


@pytest.mark.parametrize(
    ("lines", "limits"),
    [
        (["rule 1A --most q 1"], {"Q": 1}),
        (["rule here --most Q 1 --most Z 0"], {"Q": 1, "Z": 0}),
        (["rule 1A --most Q 1", "rule 1A --most Z 2"], {"Q": 1, "Z": 2}),
        (["rule 1A --most Q 1 --most Z 2", "rule 1A --most Q 3"], {"Q": 3, "Z": 2}),
        (["rule 1A --most Q 1 --most Z 2", "rule 1A --most Q off"], {"Z": 2}),
        (["rule 1A --most Q 1", "rule 1A off"], {}),
        (["rule 1A --most Q 1", "rule 1A --most Z 1", "undo"], {"Q": 1}),
    ],
)
def test_a_limit_of_an_entry(mini: Session, lines: list[str], limits: dict[str, int]) -> None:
    said(mini, *lines)
    rules = EntryRules(*(LetterLimit(letter, most) for letter, most in limits.items()))
    assert mini.puzzle.rules == Rules({FIRST: rules} if limits else {})


def test_a_limit_for_every_answer_is_listed_changed_dropped_and_undone(mini: Session) -> None:
    assert said(mini, "rule --most Q 1") == "every answer: has Q at most once"
    assert mini.puzzle.rules == Rules(every=EntryRules(ONE_Q))
    told = "every answer: has no J, has Q at most once, has X at most 3 times"
    assert said(mini, "rule --most J 0 --most X 3") == told
    assert said(mini, "rule 1A --most Q 2 --min 60") == "1A: scores 60 or more, has Q at most twice"
    assert said(mini, "rules").splitlines() == [
        "1A: scores 60 or more, has Q at most twice",
        told,
    ]
    assert said(mini, "rule --most J off --most Q off --most X off") == "every answer: no rule"
    assert said(mini, "undo", "undo") == "undone: rule 1A"
    assert said(mini, "undo") == "undone: rule for every answer"
    assert mini.puzzle.rules.every == EntryRules(ONE_Q)
    assert said(mini, "rules off").startswith("no rules")


def test_the_option_has_completion_and_help(mini: Session) -> None:
    assert "--most" in [offer.text for offer in complete(mini, "rule 1A --m")]
    assert [offer.text for offer in complete(mini, "rule 1A --most Q 1 o")] == ["off"]
    assert "[--most LETTER NUMBER]" in said(mini, "help rule")


# In a file


def test_limits_are_stored_in_ipuz() -> None:
    rules = Rules({FIRST: EntryRules(ONE_Q, LetterLimit("Z", 0))}, every=EntryRules(LetterLimit("E", 3)))
    written = json.loads(puzzle_bytes(replace(Puzzle.blank(5, 5), rules=rules), ".ipuz").data)[RULES]
    assert written == {
        "entries": [["r1c1", "A", {"letter_limits": {"Q": 1, "Z": 0}}]],
        "every": {"letter_limits": {"E": 3}},
    }
    assert read_rules(written, Grid.blank(5, 5)) == rules


# Reviewed and obeyed


def test_the_review_names_violations() -> None:
    puzzle = Puzzle(grid_from_text("QQ[AQ]\n###\nAQA\n"), rules=Rules(every=EntryRules(ONE_Q)))
    assert "1A QQAQ has Q 3 times" in [finding.message for finding in review(puzzle)]
    entry = replace(puzzle, rules=Rules({(Position(2, 0), Direction.ACROSS): EntryRules(LetterLimit("A", 1))}))
    found = [finding.message for finding in review(entry) if finding.rule is Check.BROKEN_RULE]
    assert found == ["2A AQA has A twice"]


def test_a_fill_in_a_session_obeys(small: Session) -> None:
    """One fill has BAG, the other BIT. Without I in 1A only BAG is left, and its transpose is excluded, too."""
    said(small, "rule 1A --most I 0")
    do(small, "fill")
    assert rows(small) == ("BAG", "ICE", "TEN")
    said(small, "clear all", "rules off", "rule --most I 0")
    assert run_line(small, "fill").started
    assert small.wait(PATIENCE_SECONDS)
    assert rows(small) == ("???", "???", "???")


def test_no_word_fits_mentions_limits_for_every_answer() -> None:
    words = Lexicon.build([WordList.from_scores("words", {"QAQ": 50})])
    grid = grid_from_text("...\n###\n###\n")
    ruled = Problem.build(grid, words, rules=Rules(every=EntryRules(ONE_Q)))
    assert str(why_impossible(ruled)) == "1A: no word that has Q at most once fits ???"
    assert not candidates_left(ruled, "1A")


def test_a_given_answer_is_exempt_and_a_part_of_it_may_be_freed() -> None:
    words = Lexicon.build([WordList.from_scores("words", {"AXE": 50, "QAX": 50})])
    grid = grid_from_text("QAQ\n.##\n.##\n")
    rules = Rules(every=EntryRules(ONE_Q))
    assert Problem.build(grid, words, rules=rules).root.is_possible
    explanation = explain(Task(grid_from_text("QAQ\n.#.\n.#.\n"), words, rules=rules))
    assert all("every answer" not in conflict.describe() for conflict in explanation.conflicts)


def test_the_referee_of_a_race_checks_limits() -> None:
    words = Vocabulary(Lexicon.build([WordList.from_scores("words", {"QAQ": 50, "QAT": 50})]))
    puzzle = Puzzle(grid_from_text("...\n###\n###\n"), rules=Rules(every=EntryRules(ONE_Q)))
    race = RaceTask(puzzle, Task(puzzle.grid, words.lexicon, rules=puzzle.rules))
    squares = puzzle.grid.slots[0].positions
    assert fault_of(race, dict(zip(squares, map(Content.of, "QAQ"), strict=True))) == "1A QAQ has Q twice"
    assert fault_of(race, dict(zip(squares, map(Content.of, "QAT"), strict=True))) == ""


def glue_case(chance: Random) -> Case:
    """Return a case of other rules with one or two score limits."""
    case = whole_grid_case(chance)
    limits = [
        GlueLimit(chance.choice([20, 50, 51, 100]), chance.choice([0, 1, 2, 3]), chance.choice([None, None, 2, 3]))
        for _ in range(chance.randint(1, 2))
    ]
    return replace(case, rules=replace(case.rules, grid=(*case.rules.grid, *limits)))


def keeps_glue(case: Case, answers: Mapping[str, str]) -> bool:
    """Whether a fill has no more low answers than each limit allows, or than are given (naive twin)."""
    whole = {slot.name for slot in case.grid.slots if all(given_content(case, at) for at in slot.positions)}
    lengths = {slot.name: len(slot.positions) for slot in case.grid.slots}
    scores = {word: score for word, score in case.words.items() if word not in case.banned}
    for limit in case.rules.of(GlueLimit):
        of_length = [name for name in answers if limit.length in (None, lengths[name])]
        low = {name for name in of_length if scores.get(answers[name], 100) < limit.below}
        if len(low) > max(limit.most, len(low & whole)):
            return False
    return True


@examples(150)
@given(st.integers(0, 1 << 32))
def test_fills_with_few_low_scores_match_the_naive_twin(seed: int) -> None:
    case = glue_case(Random(seed))
    with suppress(TooManyTriesError):
        check_kept(case, lambda _, answers: keeps_glue(case, answers), seed % 7)


@examples(60)
@given(st.integers(0, 1 << 32))
def test_a_full_grid_is_judged_the_same(seed: int) -> None:
    case = glue_case(Random(seed))
    limits = case.rules.of(GlueLimit)
    alone = replace(case, rules=Rules(grid=limits), holes=frozenset(), allow_repeats=True)
    judge = WholeGrid(problem_of(alone).task)
    with suppress(TooManyTriesError):
        for _, answers in fills(replace(alone, rules=Rules()), most_tries=MOST_TRIES):
            assert (judge.breach(answers, {}) == "") == keeps_glue(alone, answers)


@pytest.mark.parametrize(
    ("lines", "limits"),
    [
        (["glue 50 6"], [GlueLimit(50, 6)]),
        (["glue 50 6", "glue 50 2 --length 3"], [GlueLimit(50, 6), GlueLimit(50, 2, 3)]),
        (["glue 50 6", "glue 50 0"], [GlueLimit(50, 0)]),
        (["glue 50 6", "glue 40 1", "glue 50 off"], [GlueLimit(40, 1)]),
        (["glue 50 6", "glue 40 1 --length 3", "glue off"], []),
        (["glue 50 6", "glue 40 1", "undo"], [GlueLimit(50, 6)]),
    ],
)
def test_limits_are_entered_as_lines(mini: Session, lines: list[str], limits: list[GlueLimit]) -> None:
    said(mini, *lines)
    assert mini.puzzle.rules == Rules(grid=tuple(limits))


def test_limits_are_shown(mini: Session) -> None:
    assert said(mini, "glue") == "any number of answers may score low"
    assert said(mini, "glue 50 6") == "glue: at most 6 answers with a score below 50"
    told = "glue: at most 6 answers with a score below 50\nglue: no answer in 3 squares with a score below 40"
    assert said(mini, "glue 40 0 --length 3") == told


def test_a_file_stores_them() -> None:
    rules = Rules(grid=(GlueLimit(50, 6), GlueLimit(40, 0, 3)))
    data = puzzle_bytes(edits.with_rules(Puzzle.blank(5, 5), rules), ".ipuz").data
    written = json.loads(data)[RULES]
    assert written["score_limits"] == [{"below": 50, "most": 6}, {"below": 40, "most": 0, "length": 3}]
    assert read_rules(written, Puzzle.blank(5, 5).grid) == rules


def test_the_review_names_the_excess_answers() -> None:
    scores = {"CAT": 30, "DOG": 40, "CD": 90}
    vocabulary = Vocabulary(Lexicon.build([WordList.from_scores("words", scores)]))
    puzzle = Puzzle(grid_from_text("CAT\n###\nDOG"))

    def found(limit: GlueLimit) -> list[str]:
        asked = edits.with_rules(puzzle, Rules(grid=(limit,)))
        return [finding.message for finding in rule_findings(asked, vocabulary)]

    assert found(GlueLimit(50, 2)) == []
    assert found(GlueLimit(50, 0, 4)) == []
    first, second = (f"{slot.name} {puzzle.answer(slot)}" for slot in puzzle.grid.entries)
    assert found(GlueLimit(50, 1)) == [f"2 answers score below 50, limit 1: {first}, {second}"]
    assert found(GlueLimit(40, 0, 3)) == [f"1 answer scores below 40 in 3 squares, limit none: {first}"]


@pytest.mark.parametrize("minimum", [0, 40, 60])
def test_reports_about_wanted_words_use_the_fills_minimum_score(minimum: int) -> None:
    """It may differ from the puzzle's own if a command overrides it."""
    lexicon = Lexicon.build([WordList.from_scores("words", {"CAT": 50})], minimum_score=minimum)
    puzzle = Puzzle(grid_from_text("...\n###\n..."), rules=Rules(grid=(WantedWords(("CAT",), 1),)))
    told = [f"wanted CAT scores 50, below {minimum}; fills may still use it"] if minimum > 50 else []
    assert rule_notes(puzzle, lexicon) == told
