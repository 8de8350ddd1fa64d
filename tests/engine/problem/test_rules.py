"""Fills under rules against their naive twin: as many fills, the same verdict, every fill legal; and what is told.

A constructor is told which words are left, why none is, and what cannot be read.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, whole_grid_case
from tests.engine.small_problems import Squares, check_fills, lexicon_of
from tests.examples import examples, is_deep
from tests.naive.rules import Case, TooManyTriesError, fills, slot_rows
from tests.ruled import asked, ruled
from xwtui.engine.candidates.find import candidates_left
from xwtui.engine.candidates.options import slot_options
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem import segmentation, task
from xwtui.engine.problem.constraints import GlobalConstraints
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.word_stock import WordStock
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Position
from xwtui.model.rules import EntryRules, RebusPlacing, Rules

MOST_TRIES = 4_000
"""Words that the naive twin tries for a case; longer ones are passed over."""


def naive_squares(case: Case) -> list[Squares]:
    """The squares of every fill, holes left out."""
    return [
        frozenset((at, content) for (at, side), content in squares.items() if side is None)
        for squares, _ in fills(case, most_tries=MOST_TRIES)
    ]


def check_case(case: Case, seed: int) -> None:
    """Count, verdict and fill of the engine, as the naive twin has them; raises TooManyTriesError."""
    expected = naive_squares(case)
    filler = check_fills(problem_of(case), expected, seed)
    if expected:
        assert filler.answers().keys() == {slot.name for slot in case.grid.slots}


MAKERS = [local_case, placing_case, whole_grid_case]


@examples(300)
@given(st.integers(0, 1 << 32), st.sampled_from(MAKERS))
def test_fills_obey_the_rules(seed: int, make: Callable[[Random], Case]) -> None:
    with suppress(TooManyTriesError):
        check_case(make(Random(seed)), seed % 7)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_many_seeded_cases(make: Callable[[Random], Case], seed: int) -> None:
    rng = Random(seed)
    cases, passed_over = 200 if is_deep() else 30, 0
    for _ in range(cases):
        try:
            check_case(make(rng), seed)
        except TooManyTriesError:
            passed_over += 1
    assert passed_over < cases / 4


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
            listed = candidates_left(problem, slot.name)
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
    assert str(Filler(problem).reason) == reason


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (asked(pattern="(A"), r"1A: the pattern '\(A' cannot be read: .*"),
        (asked(word_list="nowhere"), "1A: its word list 'nowhere' does not exist"),
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
    assert {found.word for found in candidates_left(Problem.build(grid, strict), "1A")} == {"CAT"}
    problem = Problem.build(grid, strict, rules=low)
    alive = {found.word: found.alive for found in candidates_left(problem, "1A")}
    assert alive == {"CAT": True, "COT": False, "DOG": True}


def test_too_many_ways_into_the_squares_are_an_error_that_names_the_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "MOST_WAYS", 3)
    placing = RebusPlacing((Content.of("AA"),), 1, 9)
    with pytest.raises(EngineError, match="1A: words divide into its squares in more than 3 ways"):
        Problem.build(Grid.blank(4, 4), lexicon_of({"AAAAAA": 50}), rules=ruled(placings=(placing,)))


def test_a_pattern_that_takes_for_ever_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "PATTERN_SECONDS", -1.0)
    rules = ruled(entries={START: asked(pattern=".*.*X")})
    with pytest.raises(EngineError, match=r"1A: its pattern \.\*\.\*X takes too long to try on words such as"):
        Problem.build(GRID, lexicon_of({"RAT": 50, "SAT": 50}), rules=rules)


TWO_ENTRIES = grid_from_text("...\n###\n...\n")
TOP = [Position(0, column) for column in range(3)]
LEXICON = lexicon_of({"CAT": 50, "COT": 50, "DOG": 50, "EMU": 50})


def constraints(
    grid: Grid, rules: Rules, *, selection: list[Position] | None = None, repeats: bool = False
) -> GlobalConstraints:
    return Problem.build(grid, LEXICON, rules=rules, selection=selection, allow_repeats=repeats).constraints


def test_wanted_words_have_a_cardinality_each_where_all_are_wanted() -> None:
    cardinalities = constraints(TWO_ENTRIES, ruled(wanted=("CAT", "DOG"), wanted_least=2)).slot_cardinalities
    assert [(cardinality.name, cardinality.least) for cardinality in cardinalities] == [
        ("the wanted word CAT", 1),
        ("the wanted word DOG", 1),
    ]
    (cardinality,) = constraints(
        TWO_ENTRIES, ruled(wanted=("CAT", "DOG", "EMU"), wanted_least=2)
    ).slot_cardinalities
    assert (cardinality.name, cardinality.least) == ("a wanted word", 2)


def test_answers_that_are_left_are_counted_as_far_as_a_rule_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    """And spelled only where too few are told."""
    monkeypatch.delattr(WordStock, "spelled")
    words, grid = ("CAT", "EMU", "GOAT"), grid_from_text("...#\n####\n....\n")
    rules = ruled(wanted=words, wanted_least=1)
    problem = Problem.build(grid, lexicon_of(dict.fromkeys(words, 50)), rules=rules)
    (cardinality,) = problem.constraints.slot_cardinalities
    counted = [len(problem.answers_left(problem.root.state, replace(cardinality, least=one))) for one in (0, 1, 3)]
    assert counted == [0, 2, 3]


def test_a_wanted_word_counts_once_where_repeats_are_allowed() -> None:
    rules = ruled(wanted=("CAT", "DOG"), wanted_least=1)
    assert constraints(TWO_ENTRIES, rules).word_keys == ()
    assert [keys.name for keys in constraints(TWO_ENTRIES, rules, repeats=True).word_keys] == [
        "are the same wanted word"
    ]


@pytest.mark.parametrize(("grid", "asked"), [("...\n###\n...\n", 0), ("...\n###\nEMU\n", 1)])
def test_a_selection_must_have_what_is_wanted_only_if_nothing_stays_empty_beside_it(grid: str, asked: int) -> None:
    wanted = constraints(grid_from_text(grid), ruled(wanted=("CAT",), wanted_least=1), selection=TOP)
    assert [cardinality.least for cardinality in wanted.slot_cardinalities] == [1] * asked
    letters = constraints(grid_from_text(grid), ruled(letters="D"), selection=TOP)
    assert [cardinality.least for cardinality in letters.square_cardinalities] == [1] * asked
    placing = RebusPlacing((Content.of("AT"),), 1, 2, each=True)
    placed = constraints(grid_from_text(grid), ruled(placings=(placing,)), selection=TOP)
    assert [(cardinality.least, cardinality.most) for cardinality in placed.square_cardinalities] == [(asked, 2)]


def test_a_word_is_barred_as_a_whole_answer_only() -> None:
    grid = grid_from_text("..[AT]\n###\n###\n")
    words = lexicon_of({"CAAT": 50, "CAT": 50})
    barred = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(barred=("CAT",))})
    assert Problem.build(grid, words, rules=barred).root.is_possible
    only_two = grid_from_text(".[AT]#\n###\n###\n")
    assert not Problem.build(only_two, words, rules=barred).root.is_possible
