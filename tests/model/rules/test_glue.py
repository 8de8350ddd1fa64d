"""At most so many answers with a low score: how the rule is typed, kept, reviewed, and obeyed by every fill."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import MOST_TRIES, check_kept, problem_of, whole_grid_case
from tests.examples import examples
from tests.naive.rules import Case, TooManyTriesError, fills
from tests.naive.rules import given as given_content
from tests.session.saying import said
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.ipuz_extensions import RULES, read_rules
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Puzzle, Rules, edits
from xwtui.model.rules.answer_limits import GlueLimit
from xwtui.session.session import Session
from xwtui.strategies.board import WholeGrid
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_findings
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList


def glue_case(chance: Random) -> Case:
    """A case of other rules with one limit or two."""
    case = whole_grid_case(chance)
    limits = [
        GlueLimit(chance.choice([20, 50, 51, 100]), chance.choice([0, 1, 2, 3]), chance.choice([None, None, 2, 3]))
        for _ in range(chance.randint(1, 2))
    ]
    return replace(case, rules=replace(case.rules, grid=(*case.rules.grid, *limits)))


def keeps(case: Case, answers: Mapping[str, str]) -> bool:
    """The naive twin: whether a fill has no more low answers than each limit lets it, or than are given."""
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
def test_fills_are_those_of_the_naive_twin(seed: int) -> None:
    case = glue_case(Random(seed))
    with suppress(TooManyTriesError):
        check_kept(case, lambda _, answers: keeps(case, answers), seed % 7)


@examples(60)
@given(st.integers(0, 1 << 32))
def test_a_full_grid_is_judged_alike(seed: int) -> None:
    case = glue_case(Random(seed))
    limits = case.rules.of(GlueLimit)
    alone = replace(case, rules=Rules(grid=limits), holes=frozenset(), allow_repeats=True)
    judge = WholeGrid(problem_of(alone).task)
    with suppress(TooManyTriesError):
        for _, answers in fills(replace(alone, rules=Rules()), most_tries=MOST_TRIES):
            assert (judge.breach(answers, {}) == "") == keeps(alone, answers)


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
def test_limits_are_typed(mini: Session, lines: list[str], limits: list[GlueLimit]) -> None:
    said(mini, *lines)
    assert mini.puzzle.rules == Rules(grid=tuple(limits))


def test_limits_are_told(mini: Session) -> None:
    assert said(mini, "glue") == "any number of answers may score low"
    assert said(mini, "glue 50 6") == "glue: at most 6 answers with a score below 50"
    told = "glue: at most 6 answers with a score below 50\nglue: no answer in 3 squares with a score below 40"
    assert said(mini, "glue 40 0 --length 3") == told


def test_a_file_keeps_them() -> None:
    rules = Rules(grid=(GlueLimit(50, 6), GlueLimit(40, 0, 3)))
    data = puzzle_bytes(edits.with_rules(Puzzle.blank(5, 5), rules), ".ipuz").data
    written = json.loads(data)[RULES]
    assert written["score_limits"] == [{"below": 50, "most": 6}, {"below": 40, "most": 0, "length": 3}]
    assert read_rules(written, Puzzle.blank(5, 5).grid) == rules


def test_the_review_names_the_answers_that_are_too_many() -> None:
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
