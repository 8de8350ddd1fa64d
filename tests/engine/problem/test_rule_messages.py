"""What a constructor is told of rules: which words are left, why none is, and what cannot be read."""

from random import Random

import pytest

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of
from tests.engine.small_problems import lexicon_of
from tests.naive.rules import slot_rows
from tests.ruled import asked, ruled
from xwtui.engine.candidates.options import candidates, slot_options
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem import segmentation, task
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Position
from xwtui.model.rules import EntryRules, RebusPlacing, Rules

START = (Position(0, 0), Direction.ACROSS)
GRID = grid_from_text("...\n###\n###\n")
WORDS = {"CAT": 80, "COT": 20, "DOG": 50}


@pytest.mark.parametrize("seed", range(3))
def test_candidates_are_the_words_of_the_rule_each_once(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        case = (local_case if rng.random() < 0.5 else placing_case)(rng)
        problem = problem_of(case)
        options = slot_options(problem)
        for slot in case.grid.slots:
            listed = candidates(problem, slot.name)
            expected = {word for word, _ in slot_rows(case, slot)}
            assert {candidate.word for candidate in listed} <= expected
            assert len({candidate.word for candidate in listed}) == len(listed)
            assert options[slot.name].pattern_matches == len(listed)
            assert options[slot.name].after_propagation == sum(candidate.alive for candidate in listed)
            if not case.rules.of(RebusPlacing):
                assert {candidate.word for candidate in listed} == expected


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (ruled(entries={START: asked(pattern="Q.*")}), "1A: no word that matches Q.* fits ???"),
        (ruled(entries={START: asked(minimum_score=90)}), "1A: no word that scores 90 or more fits ???"),
        (
            ruled(entries={START: asked(60, contains=("O",), lacks=("D", "X"))}),
            "1A: no word that scores 60 or more, contains O and lacks D and X fits ???",
        ),
        (ruled(entries={START: asked(word_list="cities")}), "1A: no word from cities fits ???"),
        (
            ruled(squares={Position(0, 1): (Content.of("U"), Content.of("E"))}),
            "1A: no word fits ???, with U or E at r1c2",
        ),
    ],
)
def test_reasons_tell_the_rule(rules: Rules, reason: str) -> None:
    problem = Problem.build(GRID, lexicon_of(WORDS), rules=rules, own_lists={"cities": lexicon_of({"ROME": 50})})
    assert Filler(problem).reason == reason


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (asked(pattern="(A"), r"1A: the pattern '\(A' cannot be read: .*"),
        (asked(word_list="nowhere"), "1A: its own word list 'nowhere' is not there"),
    ],
)
def test_rules_that_cannot_be_read_are_errors(rule: EntryRules, message: str) -> None:
    with pytest.raises(EngineError, match=f"^{message}$"):
        Problem.build(GRID, lexicon_of(WORDS), rules=ruled(entries={START: rule}))


def test_an_own_score_may_be_lower_than_the_puzzles_and_a_word_is_still_one() -> None:
    grid = grid_from_text("...\n###\nCOT\n")
    lexicon = lexicon_of(WORDS)
    strict = type(lexicon).build(lexicon.layers, minimum_score=60)
    low = ruled(entries={START: asked(minimum_score=10)})
    assert {found.word for found in candidates(Problem.build(grid, strict), "1A")} == {"CAT"}
    problem = Problem.build(grid, strict, rules=low)
    alive = {found.word: found.alive for found in candidates(problem, "1A")}
    assert alive == {"CAT": True, "COT": False, "DOG": True}


def test_too_many_ways_into_the_squares_are_an_error_that_names_the_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "MOST_WAYS", 3)
    placing = RebusPlacing((Content.of("AA"),), 1, 9)
    with pytest.raises(EngineError, match="1A: words fall into its squares in more than 3 ways"):
        Problem.build(Grid.blank(4, 4), lexicon_of({"AAAAAA": 50}), rules=ruled(placings=(placing,)))


def test_a_pattern_that_takes_for_ever_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "PATTERN_SECONDS", -1.0)
    rules = ruled(entries={START: asked(pattern=".*.*X")})
    with pytest.raises(EngineError, match=r"1A: its pattern \.\*\.\*X takes too long to try on words such as"):
        Problem.build(GRID, lexicon_of({"RAT": 50, "SAT": 50}), rules=rules)
